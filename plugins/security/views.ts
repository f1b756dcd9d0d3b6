/** Security settings as shown to clients: what is set, never with what. */
import type { QueryContext, SchemaBuilder } from '../../core/index.ts'
import type { Device } from '../devices/index.ts'
import {
  cpuAccessLevels,
  findInstanceByAddress,
  includesLevel,
  passwordLevels,
  protectionOf,
} from '../simulation/index.ts'
import { levelTitles } from './access-matrix.ts'
import { type DeviceSecurity, protectionFor } from './security.ts'

export const settingFields = (t: SchemaBuilder) => ({
  deviceName: t.String(),
  accessLevel: t.Enum([...cpuAccessLevels], { description: 'What the CPU allows without a password.' }),
  title: t.String({ description: 'Its name in TIA Portal.' }),
  passwords: t.Array(t.Object({ accessLevel: t.Enum([...passwordLevels]), isSet: t.Boolean() })),
  hasDisplayPassword: t.Boolean(),
  hasMasterSecret: t.Boolean({ description: 'Confidential configuration data are protected by a secret.' }),
  putGetAccess: t.Boolean({ description: 'PUT/GET communication from partners is permitted.' }),
  secureCommunication: t.Boolean({
    description: 'Only secure communication with programming devices and panels: their S7 connections are refused.',
  }),
})

/** The settings of a device. */
export function settingsView({ name }: Device, settings: DeviceSecurity) {
  const { accessLevel, passwords, displayPassword, masterSecret, putGetAccess, secureCommunication } = settings
  return {
    deviceName: name,
    accessLevel,
    title: levelTitles[accessLevel],
    passwords: passwordLevels.map((level) => ({ accessLevel: level, isSet: passwords[level] !== undefined })),
    hasDisplayPassword: displayPassword !== undefined,
    hasMasterSecret: masterSecret !== undefined,
    putGetAccess,
    secureCommunication,
  }
}

export const changeFields = (t: SchemaBuilder) => ({
  ...settingFields(t),
  changed: t.Boolean({ description: 'false: it was so before.' }),
  changes: t.Array(
    t.Object({
      setting: t.String({ description: '`accessLevel`, `passwords/full` …' }),
      before: t.Union([t.String(), t.Boolean()], { description: 'Of a password: `set` or `not set`.' }),
      after: t.Union([t.String(), t.Boolean()], { description: 'Of a password: `set`, `changed` or `not set`.' }),
    }),
  ),
  warnings: t.Array(t.String()),
})

/** The protection mechanisms of a device. */
export function mechanismsOf(settings: DeviceSecurity) {
  const { accessLevel, passwords, displayPassword, masterSecret, putGetAccess, secureCommunication } = settings
  const some = passwordLevels.filter((level) => passwords[level] !== undefined && !includesLevel(accessLevel, level))
  const entry = (name: string, isActive: boolean, description: string) => ({ name, isActive, description })
  return [
    entry(
      'AccessLevel',
      accessLevel !== 'full',
      `${levelTitles[accessLevel]}${some.length === 0 ? '' : `; more with a password for: ${some.join(', ')}`}.`,
    ),
    entry(
      'ConfidentialConfigurationData',
      masterSecret !== undefined,
      masterSecret === undefined ? 'Without a master secret.' : 'A download with another master secret is refused.',
    ),
    entry('DisplayPassword', displayPassword !== undefined, 'Of the display of the CPU.'),
    entry(
      'PutGetAccessDenied',
      !putGetAccess || accessLevel === 'none',
      putGetAccess && accessLevel !== 'none'
        ? 'PUT/GET communication from partners is permitted.'
        : 'PUT/GET communication from partners is refused.',
    ),
    entry(
      'SecureCommunicationOnly',
      secureCommunication,
      secureCommunication
        ? 'S7 connections of programming devices and panels are refused.'
        : 'S7 connections of programming devices and panels are accepted.',
    ),
  ]
}

/** Whether the controller that the device reaches was loaded with the settings of the project. */
export async function loadedState(ctx: QueryContext, device: Device) {
  for (const { ipAddress } of device.network?.interfaces ?? []) {
    const found = ipAddress === undefined ? undefined : await findInstanceByAddress(ctx, ipAddress)
    if (!found) continue
    const { instance, controller } = found
    const isCurrent = JSON.stringify(protectionOf(controller)) === JSON.stringify(protectionFor(ctx, device))
    const state = controller.program === undefined ? 'noProgram' : isCurrent ? 'loaded' : 'differs'
    return { instance: instance.name, state } as const
  }
  return { instance: null, state: 'noController' } as const
}
