/**
 * Users, roles and rights of the open project (UMAC). Rights map on the access levels of API keys and on those of CPUs.
 * Keys of users do not go into the project's files: they are good for this gateway only.
 */
import {
  type Access,
  accessLevels,
  collection,
  domainEvent,
  nearest,
  notFound,
  on,
  ownedBy,
  type SliceReader,
} from '../../core/index.ts'
import { project, requireProject } from '../projects/index.ts'
import { type CpuUser, includesLevel, type PasswordLevel } from '../simulation/index.ts'

/** What a right permits: a level of API keys, or a level of CPUs. */
export interface Right {
  readonly id: string
  readonly title: string
  readonly access?: Access
  readonly cpu?: PasswordLevel
}

export const rights = [
  { id: 'read-project', title: 'Read the project', access: 'viewer' },
  { id: 'edit-project', title: 'Change the project', access: 'engineer' },
  { id: 'operate-controllers', title: 'Download to, force and modify controllers', access: 'operator' },
  { id: 'administer', title: 'Administer the gateway and its users', access: 'admin' },
  { id: 'cpu-hmi-access', title: 'HMI access to CPUs', cpu: 'hmi' },
  { id: 'cpu-read-access', title: 'Read access to CPUs', cpu: 'read' },
  { id: 'cpu-full-access', title: 'Full access to CPUs', cpu: 'full' },
] as const satisfies readonly Right[]
export type RightId = (typeof rights)[number]['id']
export const rightIds = rights.map(({ id }) => id)

export interface Role {
  readonly name: string
  readonly comment: string
  readonly rights: readonly RightId[]
}

/** Roles that every project has; what they may is this gateway's own choice. */
export const builtInRoles: readonly Role[] = [
  { name: 'Engineering Administrator', comment: 'May do everything.', rights: rightIds },
  {
    name: 'Engineering Standard',
    comment: 'Engineers: change the project and load it.',
    rights: ['read-project', 'edit-project', 'operate-controllers', 'cpu-full-access'],
  },
  {
    name: 'NET Diagnose',
    comment: 'Reads the project and its controllers.',
    rights: ['read-project', 'cpu-read-access'],
  },
  { name: 'HMI Monitor', comment: 'Reads values of controllers.', rights: ['read-project', 'cpu-hmi-access'] },
]

/** A user. Passwords are scrypt hashes. */
export interface User {
  readonly name: string
  readonly comment: string
  readonly roles: readonly string[]
  readonly password: string
  /** Earlier ones, newest first; as many as the policy forbids. */
  readonly formerPasswords: readonly string[]
  /** ms since the epoch. */
  readonly createdAt: number
}

/** Rules for new passwords. */
export interface PasswordPolicy {
  readonly minimumLength: number
  /** Of the four classes (upper and lower case letters, digits, other characters) so many must occur. */
  readonly characterClasses: number
  /** So many earlier passwords of a user, the present one included, cannot be used again. */
  readonly history: number
}
export const defaultPolicy: PasswordPolicy = { minimumLength: 8, characterClasses: 3, history: 3 }

/**
 * The key of a user. It never gives more than the level it was issued with, whatever a project's file says of the user.
 */
export interface UserKey {
  readonly projectId: string
  readonly userName: string
  /** Digest of the key, see `t.Secret('digest')`. */
  readonly digest: string
  readonly access: Access
}

/** Key: name in lower case. */
export const users = collection<User>('security.users', {}, [ownedBy(project)])
export const userRoles = collection<Role>('security.roles', {}, [ownedBy(project)])
/** At most one entry, under {@link policyKey}. */
export const passwordPolicies = collection<PasswordPolicy>('security.password-policy', {}, [ownedBy(project)])
/** Key: project's id and user's name. They outlive the closing of their project. */
export const userKeys = collection<UserKey>('security.user-keys')
const policyKey = 'policy'

export const userSaved = domainEvent<User>('security.user-saved', 'A UMAC user was created or changed')
export const userDeleted = domainEvent<{ name: string }>('security.user-deleted', 'A UMAC user was deleted')
export const roleSaved = domainEvent<Role>('security.role-saved', 'A UMAC role was created or changed')
export const roleDeleted = domainEvent<{ name: string }>('security.role-deleted', 'A UMAC role was deleted')
export const policySaved = domainEvent<PasswordPolicy>('security.policy-saved', 'The password policy was changed')
export const userKeyIssued = domainEvent<UserKey>('security.user-key-issued', 'A UMAC user was given an API key')
export const userKeyRevoked = domainEvent<{ projectId: string; userName: string }>(
  'security.user-key-revoked',
  'The API key of a UMAC user was taken away',
)
/** Those that change the content of the project. */
export const userEvents = [userSaved, userDeleted, roleSaved, roleDeleted, policySaved]

export const keyOf = (name: string) => name.toLowerCase()
const userKeyOf = (projectId: string, userName: string) => `${projectId}/${keyOf(userName)}`

export const userReductions = [
  on(userSaved, (write, user) => write(users).set(keyOf(user.name), user)),
  on(userDeleted, (write, { name }) => write(users).delete(keyOf(name))),
  on(roleSaved, (write, role) => write(userRoles).set(keyOf(role.name), role)),
  on(roleDeleted, (write, { name }) => write(userRoles).delete(keyOf(name))),
  on(policySaved, (write, policy) => write(passwordPolicies).set(policyKey, policy)),
  on(userKeyIssued, (write, key) => write(userKeys).set(userKeyOf(key.projectId, key.userName), key)),
  on(userKeyRevoked, (write, { projectId, userName }) => write(userKeys).delete(userKeyOf(projectId, userName))),
]

type Reader = { readonly read: SliceReader }

export function policyOf(ctx: Reader): PasswordPolicy {
  return ctx.read(passwordPolicies).get(policyKey) ?? defaultPolicy
}

/** The built-in roles and those of the project. */
export function rolesOf(ctx: Reader): readonly Role[] {
  return [...builtInRoles, ...ctx.read(userRoles).values()]
}

export function findUser(ctx: Reader, name: string): User | undefined {
  return ctx.read(users).get(keyOf(name))
}

/** @throws GatewayError `no_project`, `not_found` with the nearest name */
export function requireUser(ctx: Reader, name: string): User {
  requireProject(ctx)
  const user = findUser(ctx, name)
  if (user) return user
  throw notFound(
    'user',
    name,
    [...ctx.read(users).values()].map((other) => other.name),
  )
}

export function findUserKey(ctx: Reader, projectId: string, userName: string): UserKey | undefined {
  return ctx.read(userKeys).get(userKeyOf(projectId, userName))
}

/** What a user's roles permit. A role that the project no longer has permits nothing. */
export function rightsOfRoles(ctx: Reader, roleNames: readonly string[]): readonly Right[] {
  const wanted = new Set(roleNames.map(keyOf))
  const ids = new Set(rolesOf(ctx).flatMap((role) => (wanted.has(keyOf(role.name)) ? role.rights : [])))
  return rights.filter(({ id }) => ids.has(id))
}

/** The access level of API keys that rights give; `undefined`: none. */
export function accessOfRights(given: readonly Right[]): Access | undefined {
  return accessLevels.findLast((level) => given.some(({ access }) => access === level))
}

/** The CPU access level that rights give; `undefined`: none. */
export function cpuLevelOf(given: readonly Right[]): PasswordLevel | undefined {
  const levels = given.flatMap(({ cpu }) => cpu ?? [])
  return levels.find((level) => levels.every((other) => includesLevel(level, other)))
}

/** The users that may access CPUs, in the form that a download sends to controllers. */
export function cpuUsers(ctx: Reader): CpuUser[] {
  return [...ctx.read(users).values()].flatMap(({ name, password, roles }) => {
    const level = cpuLevelOf(rightsOfRoles(ctx, roles))
    return level === undefined ? [] : [{ name, password, level }]
  })
}

/** The role names of a request in their own spelling. @returns the first unknown one, with the nearest */
export function unknownRole(ctx: Reader, names: readonly string[]): { index: number; near?: string } | undefined {
  const known = rolesOf(ctx).map(({ name }) => name)
  const keys = new Set(known.map(keyOf))
  const index = names.findIndex((name) => !keys.has(keyOf(name)))
  if (index < 0) return undefined
  const near = nearest(names[index] ?? '', known)
  return near === undefined ? { index } : { index, near }
}
