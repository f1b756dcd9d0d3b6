/**
 * Security settings in the files of a project: `devices/<device>/security.json` and `security.json` (users, roles,
 * password policy). Passwords are scrypt hashes; keys of users are not saved.
 */
import { type CommandContext, type Fault, isObject } from '../../core/index.ts'
import { type Device, deviceFolder, devices } from '../devices/index.ts'
import {
  faultyFiles,
  type ProjectFile,
  type ProjectFiles,
  type ProjectSection,
  readJsonFile,
} from '../projects/index.ts'
import { isProtection } from '../simulation/index.ts'
import { type DeviceSecurity, deviceSecurity, securityConfigured } from './security.ts'
import {
  builtInRoles,
  defaultPolicy,
  keyOf,
  type PasswordPolicy,
  policyOf,
  policySaved,
  type Role,
  rightIds,
  roleSaved,
  type User,
  userRoles,
  userSaved,
  users,
} from './umac.ts'

const umacFile = 'security.json'
const deviceFile = /^devices\/[^/]+\/security\.json$/

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function writeFiles(ctx: Pick<CommandContext, 'read'>): ProjectFile[] {
  const files: ProjectFile[] = [...ctx.read(devices).values()].flatMap((device) => {
    const settings = ctx.read(deviceSecurity).get(device.id)
    if (!settings) return []
    const { deviceId: _, ...rest } = settings
    return [{ path: `${deviceFolder(device)}/security.json`, content: json(rest) }]
  })
  const own = { users: [...ctx.read(users).values()], roles: [...ctx.read(userRoles).values()], policy: policyOf(ctx) }
  const hasUmac = own.users.length > 0 || own.roles.length > 0 || own.policy !== defaultPolicy
  if (hasUmac) files.push({ path: umacFile, content: json(own) })
  return files
}

/** @throws GatewayError `unacceptable_content` with all faults of all files */
async function readFiles(ctx: CommandContext, files: ProjectFiles): Promise<string[]> {
  const faults: Fault[] = []
  const byFolder = new Map([...ctx.read(devices).values()].map((device) => [deviceFolder(device), device]))
  const settings: { readonly device: Device; readonly security: DeviceSecurity }[] = []
  for (const path of files.list('devices/').filter((file) => deviceFile.test(file))) {
    const device = byFolder.get(path.slice(0, path.lastIndexOf('/')))
    const data = await readJsonFile(files, path, faults)
    if (!data) continue
    if (!device)
      faults.push({ path, message: 'belongs to no device: there is no device.json beside it that names one' })
    else if (!isProtection(data)) faults.push({ path, message: wantedSettings })
    else settings.push({ device, security: { ...data, deviceId: device.id } })
  }
  const umac = files.has(umacFile) ? await readUmac(files, faults) : undefined
  if (faults.length > 0) throw faultyFiles('The security settings of the project cannot be read', faults)
  for (const { device, security } of settings)
    ctx.emit(securityConfigured, { ...security, deviceName: device.name }, `device/${device.name}`)
  for (const role of umac?.roles ?? []) ctx.emit(roleSaved, role, `role/${role.name}`)
  for (const user of umac?.users ?? []) ctx.emit(userSaved, user, `user/${user.name}`)
  if (umac) ctx.emit(policySaved, umac.policy, 'password-policy')
  return []
}

const wantedSettings =
  'must have accessLevel (full, read, hmi, none), passwords (scrypt hashes of full, read, hmi), putGetAccess and secureCommunication (true or false)'

const wantedPolicy = 'must have minimumLength (0 to 120), characterClasses (0 to 4) and history (0 to 24)'

async function readUmac(files: ProjectFiles, faults: Fault[]) {
  const data = await readJsonFile(files, umacFile, faults)
  if (!data) return undefined
  const list = (field: string): unknown[] => {
    const value = data[field] ?? []
    if (Array.isArray(value)) return value
    faults.push({ path: `${umacFile}#/${field}`, message: 'must be a list' })
    return []
  }
  const check = <T>(field: string, isOne: (value: unknown) => boolean, wanted: string) =>
    list(field).flatMap((value, i) => {
      if (isOne(value)) return [value as T]
      faults.push({ path: `${umacFile}#/${field}/${i}`, message: wanted })
      return []
    })
  const roles = check<Role>('roles', isRole, 'must have a name that is not built in, a comment and rights')
  const all = check<User>(
    'users',
    isUser,
    'must have name, comment, roles, password (a scrypt hash), formerPasswords and createdAt',
  )
  const policy = data.policy ?? defaultPolicy
  if (!isPolicy(policy)) faults.push({ path: `${umacFile}#/policy`, message: wantedPolicy })
  return { roles, users: all, policy: policy as PasswordPolicy }
}

const isText = (value: unknown) => typeof value === 'string'
const isHash = (value: unknown) => isText(value) && /^scrypt:[\w-]{22}:[\w-]{43}$/.test(value as string)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isName = (value: unknown) => isText(value) && /^[\p{L}\p{N}][\p{L}\p{N}._ @-]{0,63}$/u.test(value as string)

function isRole(value: unknown): boolean {
  return (
    isObject(value) &&
    isName(value.name) &&
    !builtInRoles.some(({ name }) => keyOf(name) === keyOf(value.name as string)) &&
    isText(value.comment) &&
    isTexts(value.rights) &&
    (value.rights as string[]).every((right) => (rightIds as readonly string[]).includes(right))
  )
}

function isUser(value: unknown): boolean {
  return (
    isObject(value) &&
    isName(value.name) &&
    isText(value.comment) &&
    isTexts(value.roles) &&
    isHash(value.password) &&
    Array.isArray(value.formerPasswords) &&
    value.formerPasswords.every(isHash) &&
    Number.isSafeInteger(value.createdAt)
  )
}

function isPolicy(value: unknown): boolean {
  const whole = (field: unknown, most: number) =>
    Number.isInteger(field) && (field as number) >= 0 && (field as number) <= most
  return (
    isObject(value) && whole(value.minimumLength, 120) && whole(value.characterClasses, 4) && whole(value.history, 24)
  )
}

/** The security settings in the files of a project. */
export const securityPart: ProjectSection = {
  name: 'security',
  order: 15,
  folders: [umacFile, 'devices/*/security.json'],
  save: async (ctx) => writeFiles(ctx),
  load: (ctx, _project, files) => readFiles(ctx, files),
}
