/** The operations on UMAC users, roles and the password policy of the open project. */
import {
  type Access,
  accessLevels,
  type CommandContext,
  command,
  defined,
  del,
  get,
  noInput,
  type Operation,
  patch,
  post,
  problem,
  put,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../core/index.ts'
import { compareTexts } from '../../lib/compare-texts.ts'
import { counted } from '../../lib/counted.ts'
import { requireProject } from '../projects/index.ts'
import { passwordLevels } from '../simulation/index.ts'
import { indexOfMatch, longestPassword, policyFaults, requireNoFaults } from './passwords.ts'
import {
  accessOfRights,
  builtInRoles,
  cpuLevelOf,
  findUser,
  findUserKey,
  keyOf,
  policyOf,
  policySaved,
  type RightId,
  requireUser,
  rightIds,
  rights,
  rightsOfRoles,
  roleDeleted,
  roleSaved,
  rolesOf,
  type User,
  unknownRole,
  userDeleted,
  userKeyIssued,
  userKeyRevoked,
  userSaved,
  users,
} from './umac.ts'

const toolset = 'security'
/** Letters of any language, digits, and what names of people and roles have between them. */
const namePattern = '^[\\p{L}\\p{N}][\\p{L}\\p{N}._ @-]{0,63}$'

const nameField = (t: SchemaBuilder, what: string) =>
  t.String({ pattern: namePattern, description: `Name of the ${what}: letters, digits, . _ - @ and blanks.` })
const commentField = (t: SchemaBuilder) => t.Optional(t.String({ maxLength: 500 }))
const roleNames = (t: SchemaBuilder) =>
  t.Array(t.String({ minLength: 1, maxLength: 64 }), { maxItems: 100, description: 'Names of roles.' })
const passwordField = (t: SchemaBuilder) =>
  t.Unsafe<string>({
    ...t.Secret('hash', { minLength: 1, description: 'The password policy of the project holds.' }),
    maxLength: longestPassword,
  })
const apiKeyField = (t: SchemaBuilder) =>
  t.Secret('digest', {
    minLength: 16,
    description:
      'A key with which the user may call, at least 16 characters; it works while `security.umac` of the settings is on and the project is open. Only a digest is kept.',
  })

const userFields = (t: SchemaBuilder) => ({
  name: t.String(),
  comment: t.String(),
  roles: t.Array(t.String()),
  rights: t.Array(t.String(), { description: 'That the roles give.' }),
  access: t.Union([t.Enum([...accessLevels]), t.Null()], {
    description: 'Access level of the API key of the user; null: no right gives one.',
  }),
  cpuAccess: t.Union([t.Enum([...passwordLevels]), t.Null()], {
    description: 'At CPUs that are loaded with the user.',
  }),
  hasApiKey: t.Boolean(),
  apiKeyWorks: t.Boolean({ description: 'It has one, `security.umac` is on, and a right gives access.' }),
  createdAt: t.DateTime(),
})

type Reader = Pick<QueryContext, 'read' | 'gateway'>

function userView(ctx: Reader, user: User) {
  const { name, comment, roles, createdAt } = user
  const given = rightsOfRoles(ctx, roles)
  const access = accessOfRights(given) ?? null
  const hasApiKey = findUserKey(ctx, requireProject(ctx).id, name) !== undefined
  return {
    name,
    comment,
    roles: [...roles],
    rights: given.map(({ id }) => id),
    access,
    cpuAccess: cpuLevelOf(given) ?? null,
    hasApiKey,
    apiKeyWorks: hasApiKey && access !== null && ctx.gateway.settings.security.umac,
    createdAt: new Date(createdAt).toISOString(),
  }
}

/** The roles in their own spelling, each once. @throws GatewayError `invalid_input` for an unknown one */
function knownRoles(ctx: Pick<QueryContext, 'read'>, names: readonly string[]): string[] {
  const unknown = unknownRole(ctx, names)
  if (unknown) {
    const value = names[unknown.index]
    const hint = unknown.near === undefined ? '' : ` (did you mean "${unknown.near}"?)`
    const message = `there is no role "${value}"${hint}`
    const path = `/roles/${unknown.index}`
    throw problem('invalid_input', `${path}: ${message}.`, {
      errors: [{ path, message, value, allowed: rolesOf(ctx).map(({ name }) => name) }],
    })
  }
  const spelt = new Map(rolesOf(ctx).map(({ name }) => [keyOf(name), name]))
  return [...new Set(names.map((name) => spelt.get(keyOf(name)) ?? name))]
}

/** Gives a user a key, which gives at most the access that the user has now. */
function issueKey(ctx: CommandContext, { name, roles }: User, digest: string | undefined): void {
  if (digest === undefined) return
  const access: Access | undefined = accessOfRights(rightsOfRoles(ctx, roles))
  if (access === undefined) {
    const message = `the roles of "${name}" give no access to the gateway, so a key would be of no use`
    throw problem('conflict', `/apiKey: ${message}.`, { errors: [{ path: '/apiKey', message }] })
  }
  const projectId = requireProject(ctx).id
  ctx.emit(userKeyIssued, { projectId, userName: name, digest, access }, `user/${name}`)
}

/** Takes a user's key away, if there is one. */
function revokeKey(ctx: CommandContext, { name }: User): void {
  const projectId = requireProject(ctx).id
  if (findUserKey(ctx, projectId, name)) ctx.emit(userKeyRevoked, { projectId, userName: name }, `user/${name}`)
}

const createUser = command({
  id: 'security.create-user',
  title: 'Create a UMAC user',
  description:
    'A user of the open project, with a password that fits the policy of the project, roles, and an API key if one is given. A CPU knows the users whose roles have a right to CPUs from the next download on. Only hashes are kept; the key is not part of the files of the project.',
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  access: 'admin',
  input: (t) =>
    t.Object({
      name: nameField(t, 'user'),
      password: passwordField(t),
      roles: t.Optional(roleNames(t)),
      comment: commentField(t),
      apiKey: t.Optional(apiKeyField(t)),
    }),
  output: (t) => t.Object(userFields(t)),
  http: [post('/api/security/users')],
  mcp: { toolset },
  aliases: { name: ['userName', 'user'], roles: ['roleNames', 'role'] },
  example: { name: 'anna', password: 'Valve-42-open', roles: ['Engineering Standard'] },
  admit({ password }, ctx) {
    requireNoFaults(policyFaults(password, policyOf(ctx), '/password'))
  },
  run({ name, password, roles = [], comment = '', apiKey }, ctx) {
    requireProject(ctx)
    const present = findUser(ctx, name)
    if (present)
      throw problem('name_taken', `There is a user "${present.name}" already.`, {
        suggestion: `PATCH /api/security/users/${encodeURIComponent(present.name)}`,
      })
    const user: User = {
      name,
      comment,
      roles: knownRoles(ctx, roles),
      password,
      formerPasswords: [],
      createdAt: ctx.now,
    }
    ctx.emit(userSaved, user, `user/${name}`)
    issueKey(ctx, user, apiKey)
    return userView(ctx, user)
  },
})

const changeUser = command({
  id: 'security.change-user',
  title: 'Change a UMAC user',
  description:
    'Only what is sent changes. A new password must be none of the latest ones (`history` of the policy). `apiKey` replaces the key; null takes it away.',
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  access: 'admin',
  input: (t) =>
    t.Object({
      userName: nameField(t, 'user'),
      password: t.Optional(passwordField(t)),
      roles: t.Optional(roleNames(t)),
      comment: commentField(t),
      apiKey: t.Optional(t.Union([apiKeyField(t), t.Null()], { description: 'null: none.' })),
    }),
  output: (t) => t.Object(userFields(t)),
  http: [patch('/api/security/users/{userName}')],
  mcp: { toolset, destructive: true },
  example: { userName: 'anna', roles: ['NET Diagnose'] },
  async admit({ userName, password }, ctx) {
    if (password === undefined) return
    const { password: present, formerPasswords } = requireUser(ctx, userName)
    const policy = policyOf(ctx)
    const faults = policyFaults(password, policy, '/password')
    const latest = [present, ...formerPasswords].slice(0, policy.history)
    if ((await indexOfMatch(password, latest)) >= 0)
      faults.push({
        path: '/password',
        code: 'password-policy',
        message: `was used before: it must be none of the latest ${policy.history}`,
      })
    requireNoFaults(faults)
  },
  run({ userName, password, roles, comment, apiKey }, ctx) {
    const before = requireUser(ctx, userName)
    const user: User = {
      ...before,
      ...defined({ comment }),
      ...(roles === undefined ? {} : { roles: knownRoles(ctx, roles) }),
      ...(password === undefined
        ? {}
        : { password, formerPasswords: [before.password, ...before.formerPasswords].slice(0, mostHistory) }),
    }
    if (comment !== undefined || roles !== undefined || password !== undefined)
      ctx.emit(userSaved, user, `user/${user.name}`)
    if (apiKey === null) revokeKey(ctx, user)
    else issueKey(ctx, user, apiKey)
    return userView(ctx, user)
  },
})

const deleteUser = command({
  id: 'security.delete-user',
  title: 'Delete a UMAC user',
  description: 'The API key of the user works no longer.',
  access: 'admin',
  input: (t) => t.Object({ userName: nameField(t, 'user') }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del('/api/security/users/{userName}')],
  mcp: { toolset, destructive: true },
  example: { userName: 'anna' },
  run(input, ctx) {
    const user = requireUser(ctx, input.userName)
    const { name } = user
    ctx.emit(userDeleted, { name }, `user/${name}`)
    revokeKey(ctx, user)
    return { name, deleted: true }
  },
})

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  compareTexts(keyOf(a.name), keyOf(b.name))
const matching = <T extends { readonly name: string }>(all: Iterable<T>, q: string) =>
  [...all].filter(({ name }) => keyOf(name).includes(keyOf(q)))

const listUsers = query({
  id: 'security.list-users',
  title: 'List the UMAC users of the project',
  description: 'By name, with the rights that their roles give.',
  access: 'engineer',
  // Whether keys work depends on the settings.
  live: true,
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({ users: t.Array(t.Object(userFields(t))), total: t.Integer(), nextCursor: t.Optional(t.String()) }),
  http: [get('/api/security/users')],
  mcp: { toolset },
  tagged: true,
  run({ limit = 1000, cursor, q = '' }, ctx) {
    const { id } = requireProject(ctx)
    const all = matching(ctx.read(users).values(), q).sort(byName)
    const { page, ...rest } = rankedPage(all, { limit, cursor }, id)
    return { users: page.map((user) => userView(ctx, user)), ...rest }
  },
})

const listRoles = query({
  id: 'security.list-roles',
  title: 'List the UMAC roles',
  description: 'The built-in ones, then those of the project, each with its rights and what they map on.',
  access: 'engineer',
  input: (t) => t.Object({ ...t.paging() }),
  output: (t) =>
    t.Object({
      roles: t.Array(
        t.Object({
          name: t.String(),
          comment: t.String(),
          isBuiltIn: t.Boolean(),
          rights: t.Array(t.String()),
          access: t.Union([t.Enum([...accessLevels]), t.Null()], { description: 'Access level of API keys.' }),
          cpuAccess: t.Union([t.Enum([...passwordLevels]), t.Null()]),
          users: t.Integer({ description: 'How many have it.' }),
        }),
      ),
      rights: t.Array(t.Object({ id: t.String(), title: t.String() }), { description: 'All rights there are.' }),
      total: t.Integer(),
      nextCursor: t.Optional(t.String()),
    }),
  http: [get('/api/security/roles')],
  mcp: { toolset },
  run({ limit = 1000, cursor, q = '' }, ctx) {
    const { id } = requireProject(ctx)
    const holders = new Map<string, number>()
    for (const { roles } of ctx.read(users).values())
      for (const role of roles) holders.set(keyOf(role), (holders.get(keyOf(role)) ?? 0) + 1)
    const { page, ...rest } = rankedPage(matching(rolesOf(ctx), q), { limit, cursor }, id)
    const roles = page.map((role) => {
      const given = rightsOfRoles(ctx, [role.name])
      return {
        name: role.name,
        comment: role.comment,
        isBuiltIn: builtInRoles.includes(role),
        rights: [...role.rights],
        access: accessOfRights(given) ?? null,
        cpuAccess: cpuLevelOf(given) ?? null,
        users: holders.get(keyOf(role.name)) ?? 0,
      }
    })
    return { roles, rights: rights.map(({ id: right, title }) => ({ id: right, title })), ...rest }
  },
})

const saveRole = command({
  id: 'security.save-role',
  title: 'Create or change a UMAC role of the project',
  description: 'With its rights; a role of the same name gets these. Built-in roles cannot be changed: 409.',
  access: 'admin',
  input: (t) =>
    t.Object({
      name: nameField(t, 'role'),
      rights: t.Array(t.Enum([...rightIds]), { maxItems: 100 }),
      comment: commentField(t),
    }),
  output: (t) => t.Object({ name: t.String(), comment: t.String(), rights: t.Array(t.String()) }),
  http: [post('/api/security/roles')],
  mcp: { toolset, destructive: true },
  aliases: { name: ['roleName'] },
  example: { name: 'Commissioning', rights: ['read-project', 'operate-controllers', 'cpu-full-access'] },
  run({ name, rights: given, comment = '' }, ctx) {
    requireProject(ctx)
    requireOwnRole(name)
    const role = { name, comment, rights: rightIds.filter((id: RightId) => given.includes(id)) }
    ctx.emit(roleSaved, role, `role/${name}`)
    return role
  },
})

/** @throws GatewayError `conflict` */
function requireOwnRole(name: string): void {
  if (builtInRoles.some((role) => keyOf(role.name) === keyOf(name)))
    throw problem('conflict', `Role "${name}" is built in and cannot be changed. Make one of another name.`)
}

const deleteRole = command({
  id: 'security.delete-role',
  title: 'Delete a UMAC role of the project',
  description: 'One that users have cannot be deleted: 409 names them.',
  access: 'admin',
  input: (t) => t.Object({ roleName: nameField(t, 'role') }),
  output: (t) => t.Object({ name: t.String(), deleted: t.Boolean() }),
  http: [del('/api/security/roles/{roleName}')],
  mcp: { toolset, destructive: true },
  example: { roleName: 'Commissioning' },
  run({ roleName }, ctx) {
    requireProject(ctx)
    requireOwnRole(roleName)
    const role = rolesOf(ctx).find(({ name }) => keyOf(name) === keyOf(roleName))
    if (!role) throw problem('not_found', `There is no role "${roleName}".`)
    const holders = [...ctx.read(users).values()].filter(({ roles }) =>
      roles.some((name) => keyOf(name) === keyOf(role.name)),
    )
    if (holders.length > 0) {
      const names = holders.slice(0, 10).map(({ name }) => `"${name}"`)
      const more = holders.length > names.length ? ' …' : ''
      throw problem(
        'conflict',
        `Role "${role.name}" is that of ${counted(holders.length, 'user')}: ${names.join(', ')}${more}.`,
      )
    }
    ctx.emit(roleDeleted, { name: role.name }, `role/${role.name}`)
    return { name: role.name, deleted: true }
  },
})

/** Longest history of passwords: each takes 50 ms to compare. */
const mostHistory = 24

const policyFields = (t: SchemaBuilder) => ({
  minimumLength: t.Integer({ minimum: 1, maximum: longestPassword, description: 'Characters.' }),
  characterClasses: t.Integer({
    minimum: 0,
    maximum: 4,
    description: 'So many of upper case letters, lower case letters, digits and other characters must occur.',
  }),
  history: t.Integer({
    minimum: 0,
    maximum: mostHistory,
    description: 'So many latest passwords of a user, the present one included, cannot be used again.',
  }),
})

const getPolicy = query({
  id: 'security.get-password-policy',
  title: 'Show the password policy of the project',
  description: 'It holds for new passwords of users and CPUs and for master secrets; what is set stays.',
  input: noInput,
  output: (t) => t.Object(policyFields(t)),
  http: [get('/api/security/password-policy')],
  mcp: { toolset },
  run(_, ctx) {
    requireProject(ctx)
    return policyOf(ctx)
  },
})

const setPolicy = command({
  id: 'security.set-password-policy',
  title: 'Set the password policy of the project',
  description: 'For new passwords; what is set stays.',
  access: 'admin',
  input: (t) => t.Object(policyFields(t)),
  output: (t) => t.Object(policyFields(t)),
  http: [put('/api/security/password-policy')],
  mcp: { toolset, destructive: true },
  example: { minimumLength: 10, characterClasses: 3, history: 5 },
  run(policy, ctx) {
    requireProject(ctx)
    ctx.emit(policySaved, policy, 'password-policy')
    return policy
  },
})

export const userOperations: readonly Operation[] = [
  createUser,
  listUsers,
  listRoles,
  changeUser,
  deleteUser,
  saveRole,
  deleteRole,
  getPolicy,
  setPolicy,
]
