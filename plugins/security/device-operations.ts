/** The operations on the security settings of a device. */
import {
  command,
  del,
  get,
  noInput,
  type Operation,
  post,
  problem,
  query,
  type SchemaBuilder,
} from '../../core/index.ts'
import { requirePlc } from '../devices/index.ts'
import { deviceName } from '../program-objects/index.ts'
import { type CpuAccessLevel, cpuAccessLevels, type PasswordLevel, passwordLevels } from '../simulation/index.ts'
import { allowedAt, levelTitles, matrixRows } from './access-matrix.ts'
import { admitPasswords, configure, type SecurityChange, warningsOf } from './configure.ts'
import { longestPassword } from './passwords.ts'
import { securityOf } from './security.ts'
import { changeFields, loadedState, mechanismsOf, settingFields, settingsView } from './views.ts'

const toolset = 'security'
const example = { deviceName: 'PLC_1' }
const path = (rest: string) => `/api/devices/{deviceName}/security/${rest}`

const secret = (t: SchemaBuilder, description: string) =>
  t.Unsafe<string>({ ...t.Secret('hash', { minLength: 1, description }), maxLength: longestPassword })
const orNone = (t: SchemaBuilder, description: string) =>
  t.Optional(t.Union([secret(t, description), t.Null()], { description: `${description} null: none.` }))

const rules =
  'The rules of the project for passwords hold (GET /api/security/password-policy), and no two levels have the same one. Only a scrypt hash is kept. A controller has it from the next download on.'

const summary = query({
  id: 'security.summary',
  title: 'Show the protection of a device',
  description:
    'Each mechanism and whether it is active in the project. `controller` says whether the controller that has the address of the device was loaded with these settings.',
  live: true,
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      ...settingFields(t),
      mechanisms: t.Array(t.Object({ name: t.String(), isActive: t.Boolean(), description: t.String() })),
      activeMechanisms: t.Array(t.String()),
      controller: t.Object({
        instance: t.Union([t.String(), t.Null()]),
        state: t.Enum(['loaded', 'differs', 'noProgram', 'noController']),
      }),
      warnings: t.Array(t.String()),
    }),
  http: [get(path('summary'))],
  mcp: { toolset },
  example,
  async run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const settings = securityOf(ctx, device.id)
    const mechanisms = mechanismsOf(settings)
    return {
      ...settingsView(device, settings),
      mechanisms,
      activeMechanisms: mechanisms.flatMap(({ name, isActive }) => (isActive ? [name] : [])),
      controller: await loadedState(ctx, device),
      warnings: warningsOf(settings, device),
    }
  },
})

const protectionLevel = query({
  id: 'security.get-protection-level',
  title: 'Show the protection level of a CPU',
  description: 'With what each level allows, and which levels have a password.',
  input: (t) => t.Object({ deviceName: deviceName(t) }),
  output: (t) =>
    t.Object({
      deviceName: t.String(),
      accessLevel: t.Enum([...cpuAccessLevels]),
      title: t.String(),
      protectionLevel: t.Integer({
        description: 'As S7 clients see it: 1 none, 2 write, 3 read and write protection.',
      }),
      levels: t.Array(
        t.Object({
          accessLevel: t.Enum([...cpuAccessLevels]),
          title: t.String(),
          needsPassword: t.Boolean(),
          hasPassword: t.Boolean(),
          allows: t.Array(t.String(), { description: 'Operations and S7 functions.' }),
        }),
      ),
    }),
  http: [get(path('protection-level'))],
  mcp: { toolset },
  example,
  run(input, ctx) {
    const device = requirePlc(ctx, input.deviceName)
    const { accessLevel, passwords } = securityOf(ctx, device.id)
    return {
      deviceName: device.name,
      accessLevel,
      title: levelTitles[accessLevel],
      protectionLevel: accessLevel === 'full' ? 1 : accessLevel === 'read' ? 2 : 3,
      levels: cpuAccessLevels.map((level) => ({
        accessLevel: level,
        title: levelTitles[level],
        needsPassword: cpuAccessLevels.indexOf(level) < cpuAccessLevels.indexOf(accessLevel),
        hasPassword: level !== 'none' && passwords[level] !== undefined,
        allows: matrixRows.flatMap((row) => (allowedAt(row).includes(level) ? [row.what] : [])),
      })),
    }
  },
})

/** A level as it is written in TIA Portal's interfaces or here. */
const levelField = (t: SchemaBuilder, levels: readonly CpuAccessLevel[], more = '') =>
  t.String({
    minLength: 1,
    maxLength: 40,
    description: `${more}${levels.map((level) => `\`${level}\``).join(', ')}; FullAccess, ReadAccess, HMIAccess${levels.includes('none') ? ', NoAccess' : ''} too.`,
  })

/** @throws GatewayError `invalid_input` for what is none of the levels */
function readLevel<Level extends CpuAccessLevel>(text: string, levels: readonly Level[]): Level {
  const word = text.toLowerCase().replace(/[\s_-]*access$/, '')
  const level = word === 'no' ? 'none' : word
  const found = levels.find((one) => one === level)
  if (found) return found
  const message =
    level === 'none'
      ? 'no access is what remains without a password, so it has none'
      : `must be one of ${levels.join(', ')}`
  throw problem('invalid_input', `/accessLevel: ${message}.`, {
    errors: [{ path: '/accessLevel', message, value: text, allowed: levels }],
  })
}

const passwordLevel = (text: string): PasswordLevel => readLevel(text, passwordLevels)

const setPassword = command({
  id: 'security.set-password',
  title: 'Set or change the password of an access level of a CPU',
  description: rules,
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      accessLevel: levelField(t, passwordLevels),
      password: secret(t, 'The new password.'),
    }),
  output: (t) => t.Object(changeFields(t)),
  http: [post(path('password'))],
  mcp: { toolset, destructive: true },
  aliases: { accessLevel: ['level', 'protectionLevel'], password: ['newPassword'] },
  example: { ...example, accessLevel: 'full', password: 'Valve-42' },
  async admit({ accessLevel, password, ...input }, ctx) {
    const change = { passwords: { [passwordLevel(accessLevel)]: password } }
    await admitPasswords(ctx, input.deviceName, change, () => '/password')
  },
  run({ accessLevel, password, ...input }, ctx) {
    return told(configure(ctx, input.deviceName, { passwords: { [passwordLevel(accessLevel)]: password } }))
  },
})

function told({ device, settings, changes, warnings }: ReturnType<typeof configure>) {
  return { ...settingsView(device, settings), changed: changes.length > 0, changes, warnings }
}

const deletePassword = command({
  id: 'security.delete-password',
  title: 'Delete the password of an access level of a CPU',
  description:
    'That of full access cannot be deleted while the CPU needs it: 409. A controller forgets the password with the next download.',
  input: (t) => t.Object({ deviceName: deviceName(t), accessLevel: levelField(t, passwordLevels) }),
  output: (t) => t.Object(changeFields(t)),
  http: [del(path('password/{accessLevel}'))],
  mcp: { toolset, destructive: true },
  example: { ...example, accessLevel: 'read' },
  run(input, ctx) {
    const level = passwordLevel(input.accessLevel)
    const device = requirePlc(ctx, input.deviceName)
    const { passwords } = securityOf(ctx, device.id)
    if (passwords[level] === undefined) {
      const there = Object.keys(passwords).join(', ')
      throw problem('not_found', `"${device.name}" has no password for level ${level}. With one: ${there || 'none'}.`)
    }
    return told(configure(ctx, device.name, { passwords: { [level]: null } }))
  },
})

const setDisplayPassword = command({
  id: 'security.set-display-password',
  title: 'Set the display password of a CPU',
  description:
    '1 to 8 upper case letters and digits; null takes it away. It is loaded with the device. Virtual controllers have no display, so nothing asks for it there; a CPU without a display is told. Only a scrypt hash is kept.',
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      password: t.Union([secret(t, 'The new password.'), t.Null()], { description: 'null: none.' }),
    }),
  output: (t) => t.Object(changeFields(t)),
  http: [post(path('display-password'))],
  mcp: { toolset, destructive: true },
  aliases: { password: ['displayPassword', 'newPassword'] },
  example: { ...example, password: 'PANEL7' },
  async admit({ password, ...input }, ctx) {
    await admitPasswords(ctx, input.deviceName, { displayPassword: password }, () => '/password')
  },
  run({ password, ...input }, ctx) {
    return told(configure(ctx, input.deviceName, { displayPassword: password }))
  },
})

const setMasterSecret = command({
  id: 'security.set-master-secret',
  title: 'Set the master secret that protects confidential configuration data',
  description:
    'A controller that was loaded with one refuses downloads with another, unless the download presents its own as `masterSecret`. null takes it away. Only a scrypt hash is kept.',
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      masterSecret: t.Union([secret(t, 'The new secret.'), t.Null()], { description: 'null: none.' }),
    }),
  output: (t) => t.Object(changeFields(t)),
  http: [post(path('master-secret/actions'))],
  mcp: { toolset, destructive: true },
  aliases: { masterSecret: ['secret', 'password'] },
  example: { ...example, masterSecret: 'Plant-Secret-1' },
  async admit({ masterSecret, ...input }, ctx) {
    await admitPasswords(ctx, input.deviceName, { masterSecret })
  },
  run({ masterSecret, ...input }, ctx) {
    return told(configure(ctx, input.deviceName, { masterSecret }))
  },
})

/** A change with the level as the CPU knows it. */
function withLevel({ accessLevel, ...change }: Omit<SecurityChange, 'accessLevel'> & { accessLevel?: string }) {
  return { ...change, ...(accessLevel !== undefined && { accessLevel: readLevel(accessLevel, cpuAccessLevels) }) }
}

const configureSecurity = command({
  id: 'security.configure',
  title: 'Configure access level, passwords and communication of a CPU',
  description: `All at once or nothing. \`dryRun: true\` is the plan: \`changes\` and \`warnings\` without any effect. What is absent stays as it is. An access level below full needs a password for full access. ${rules}`,
  live: true,
  lasting: 'Passwords and what they protect are not taken back: set them anew.',
  input: (t) =>
    t.Object({
      deviceName: deviceName(t),
      accessLevel: t.Optional(levelField(t, cpuAccessLevels, 'What the CPU allows without a password: ')),
      passwords: t.Optional(
        t.Object({
          full: orNone(t, 'Password for full access.'),
          read: orNone(t, 'Password for read access.'),
          hmi: orNone(t, 'Password for HMI access.'),
        }),
      ),
      displayPassword: orNone(t, 'Password of the display.'),
      masterSecret: orNone(t, 'Protects confidential configuration data.'),
      putGetAccess: t.Optional(t.Boolean({ description: 'Permit PUT/GET communication. New devices permit it.' })),
      secureCommunication: t.Optional(
        t.Boolean({ description: 'Only secure communication with programming devices and panels.' }),
      ),
    }),
  output: (t) => t.Object(changeFields(t)),
  http: [post(path('configure'))],
  mcp: { toolset, destructive: true },
  aliases: {
    accessLevel: ['protectionLevel', 'level'],
    putGetAccess: ['permitPutGet', 'putGet'],
    secureCommunication: ['secureCommunicationOnly'],
  },
  example: { ...example, accessLevel: 'read', passwords: { full: 'Valve-42' }, putGetAccess: false },
  async admit({ deviceName: name, ...change }, ctx) {
    await admitPasswords(ctx, name, withLevel(change))
  },
  run({ deviceName: name, ...change }, ctx) {
    return told(configure(ctx, name, withLevel(change)))
  },
})

const matrix = query({
  id: 'security.list-access-matrix',
  title: 'Show what each access level of a CPU allows',
  description: 'The table that the checks are made from: operations of the gateway and functions of S7 clients.',
  input: noInput,
  output: (t) =>
    t.Object({
      levels: t.Array(t.Object({ accessLevel: t.String(), title: t.String() })),
      rows: t.Array(
        t.Object({
          what: t.String({ description: 'Operation, or function of S7 clients.' }),
          kind: t.Enum(['operation', 's7']),
          needs: t.Enum([...cpuAccessLevels]),
          allowedAt: t.Array(t.String(), { description: 'Levels that allow it without a password.' }),
        }),
      ),
      total: t.Integer(),
    }),
  http: [get('/api/security/access-matrix')],
  mcp: { toolset },
  run() {
    const rows = matrixRows.map((row) => ({ ...row, allowedAt: allowedAt(row) }))
    const levels = cpuAccessLevels.map((accessLevel) => ({ accessLevel, title: levelTitles[accessLevel] }))
    return { levels, rows, total: rows.length }
  },
})

export const deviceSecurityOperations: readonly Operation[] = [
  summary,
  protectionLevel,
  setPassword,
  deletePassword,
  setDisplayPassword,
  setMasterSecret,
  configureSecurity,
  matrix,
]
