/** Changes the security settings of a device: the plan, its rules, and what it means for the controller. */
import { type CommandContext, defined, type Fault, problem, type QueryContext } from '../../core/index.ts'
import { type Device, requirePlc } from '../devices/index.ts'
import { type CpuAccessLevel, includesLevel, type PasswordLevel, passwordLevels } from '../simulation/index.ts'
import { levelTitles } from './access-matrix.ts'
import { displayPasswordPattern, indexOfMatch, policyFaults, requireNoFaults } from './passwords.ts'
import { type DeviceSecurity, securityConfigured, securityOf } from './security.ts'
import { policyOf } from './umac.ts'

/**
 * A change; what is absent stays as it is, null takes a password away. Before acceptance passwords are plain, then
 * hashes.
 */
export interface SecurityChange {
  readonly accessLevel?: CpuAccessLevel | undefined
  readonly passwords?: Readonly<Partial<Record<PasswordLevel, string | null | undefined>>> | undefined
  readonly displayPassword?: string | null | undefined
  readonly masterSecret?: string | null | undefined
  readonly putGetAccess?: boolean | undefined
  readonly secureCommunication?: boolean | undefined
}

/** One setting that becomes another. Of passwords only whether there is one. */
export interface PlannedChange {
  readonly setting: string
  readonly before: string | boolean
  readonly after: string | boolean
}

/** JSON pointers to the fields of a request, for faults. */
export type PathOf = (setting: string) => string
const plainPath: PathOf = (setting) => `/${setting}`

/**
 * Checks new passwords while they are plain: the policy of the project, and that no two levels have the same one.
 * @throws GatewayError `unacceptable_content`; `no_project`, `not_found`, `conflict` as `requirePlc`
 */
export async function admitPasswords(
  ctx: QueryContext,
  deviceName: string,
  change: SecurityChange,
  pathOf: PathOf = plainPath,
): Promise<void> {
  const device = requirePlc(ctx, deviceName)
  const policy = policyOf(ctx)
  const { passwords: present } = securityOf(ctx, device.id)
  const faults: Fault[] = []
  const given = passwordLevels.flatMap((level) => {
    const password = change.passwords?.[level]
    return typeof password === 'string' ? [{ level, password }] : []
  })
  for (const { level, password } of given) {
    const path = pathOf(`passwords/${level}`)
    faults.push(...policyFaults(password, policy, path))
    const twin = given.find((other) => other.level !== level && other.password === password)?.level
    const kept = passwordLevels.filter((other) => other !== level && change.passwords?.[other] === undefined)
    const hashes = kept.flatMap((other) => (present[other] === undefined ? [] : [{ other, hash: present[other] }]))
    const at = await indexOfMatch(
      password,
      hashes.map(({ hash }) => hash),
    )
    const same = twin ?? hashes[at]?.other
    if (same !== undefined)
      faults.push({ path, code: 'password-policy', message: `is that of level ${same}; each level needs its own` })
  }
  const { displayPassword, masterSecret } = change
  const path = pathOf('displayPassword')
  if (typeof displayPassword === 'string' && !new RegExp(displayPasswordPattern).test(displayPassword))
    faults.push({
      path,
      code: 'password-policy',
      message: 'must be 1 to 8 upper case letters A-Z and digits, as the display has keys for',
    })
  if (typeof masterSecret === 'string') faults.push(...policyFaults(masterSecret, policy, pathOf('masterSecret')))
  requireNoFaults(faults)
}

/** The settings after a change, without undefined fields. */
function changed(before: DeviceSecurity, change: SecurityChange): DeviceSecurity {
  const passwords: Partial<Record<PasswordLevel, string>> = { ...before.passwords }
  for (const level of passwordLevels) {
    const given = change.passwords?.[level]
    if (given === null) delete passwords[level]
    else if (given !== undefined) passwords[level] = given
  }
  const kept = (given: string | null | undefined, own: string | undefined) =>
    given === null ? undefined : (given ?? own)
  const displayPassword = kept(change.displayPassword, before.displayPassword)
  const masterSecret = kept(change.masterSecret, before.masterSecret)
  return {
    deviceId: before.deviceId,
    accessLevel: change.accessLevel ?? before.accessLevel,
    passwords,
    ...defined({ displayPassword, masterSecret }),
    putGetAccess: change.putGetAccess ?? before.putGetAccess,
    secureCommunication: change.secureCommunication ?? before.secureCommunication,
  }
}

/** What would differ, in the order of the settings. */
function changesBetween(before: DeviceSecurity, after: DeviceSecurity): PlannedChange[] {
  const changes: PlannedChange[] = []
  const compare = (setting: string, old: string | boolean, next: string | boolean) => {
    if (old !== next) changes.push({ setting, before: old, after: next })
  }
  const secret = (setting: string, old: string | undefined, next: string | undefined) => {
    if (old === next) return
    const is = (hash: string | undefined, set: string) => (hash === undefined ? 'not set' : set)
    changes.push({ setting, before: is(old, 'set'), after: is(next, old === undefined ? 'set' : 'changed') })
  }
  compare('accessLevel', before.accessLevel, after.accessLevel)
  for (const level of passwordLevels) secret(`passwords/${level}`, before.passwords[level], after.passwords[level])
  secret('displayPassword', before.displayPassword, after.displayPassword)
  secret('masterSecret', before.masterSecret, after.masterSecret)
  compare('putGetAccess', before.putGetAccess, after.putGetAccess)
  compare('secureCommunication', before.secureCommunication, after.secureCommunication)
  return changes
}

/** What a user should know of settings. */
export function warningsOf(
  { accessLevel, passwords, putGetAccess, displayPassword }: DeviceSecurity,
  { name, family, typeName }: Pick<Device, 'name' | 'family' | 'typeName'>,
): string[] {
  const warnings = passwordLevels.flatMap((level) =>
    passwords[level] !== undefined && includesLevel(accessLevel, level)
      ? [`The password of level ${level} has no effect while "${levelTitles[accessLevel]}" needs no password.`]
      : [],
  )
  // The CPUs of an S7-1500 rack have a display; those of other families do not.
  if (displayPassword !== undefined && !/^(SIPLUS )?S7-1500$/.test(family))
    warnings.push(`"${name}" (${typeName}) has no display: the display password has no effect.`)
  if (accessLevel === 'none' && putGetAccess)
    warnings.push('PUT/GET communication is permitted, but a completely protected CPU has no server functions for it.')
  return warnings
}

/**
 * Plans a change and makes it; a dry run only plans.
 * @throws GatewayError `conflict` when the settings would lock everybody out
 */
export function configure(ctx: CommandContext, deviceName: string, change: SecurityChange) {
  const device = requirePlc(ctx, deviceName)
  const before = securityOf(ctx, device.id)
  const after = changed(before, change)
  requireWayIn(device, after)
  const changes = changesBetween(before, after)
  if (changes.length > 0) ctx.emit(securityConfigured, { ...after, deviceName: device.name }, `device/${device.name}`)
  return { device, settings: after, changes, warnings: warningsOf(after, device) }
}

/** @throws GatewayError `conflict` */
function requireWayIn({ name }: Device, { accessLevel, passwords }: DeviceSecurity): void {
  if (accessLevel === 'full' || passwords.full !== undefined) return
  throw problem(
    'conflict',
    `"${name}" would have "${levelTitles[accessLevel]}" and no password for full access: nobody could load the CPU again.`,
    {
      errors: [{ path: '/passwords/full', message: `is needed for access level ${accessLevel}` }],
      suggestion: `POST /api/devices/${encodeURIComponent(name)}/security/configure { "accessLevel": "${accessLevel}", "passwords": { "full": … } }`,
    },
  )
}
