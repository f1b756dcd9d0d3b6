/**
 * Security settings of the devices of the project: their place in the state, their events, and what a download takes of
 * them.
 */
import { collection, domainEvent, on, ownedBy, type Slice, type SliceReader } from '../../core/index.ts'
import { device } from '../devices/index.ts'
import { modifiesProject } from '../projects/index.ts'
import type { ControllerProtection } from '../simulation/index.ts'
import { cpuUsers, passwordPolicies, userEvents, userKeys, userReductions, userRoles, users } from './umac.ts'

/** Security settings of a device. Passwords are scrypt hashes. */
export interface DeviceSecurity extends Omit<ControllerProtection, 'users'> {
  readonly deviceId: string
}

/** Key: the device's id. A device without an entry was never configured; see {@link unprotected}. */
export const deviceSecurity = collection<DeviceSecurity>('security.devices', { byDevice: (_, key) => key }, [
  ownedBy(device, 'byDevice'),
])

/** The whole settings of a device were replaced. */
export const securityConfigured = domainEvent<DeviceSecurity & { readonly deviceName: string }>(
  'security.configured',
  'The security settings of a device were changed',
)

export const securitySlice: Slice = {
  version: 1,
  collections: [deviceSecurity, users, userRoles, passwordPolicies, userKeys],
  reductions: [
    on(securityConfigured, (write, { deviceName: _, ...settings }) =>
      write(deviceSecurity).set(settings.deviceId, settings),
    ),
    ...userReductions,
    ...modifiesProject(securityConfigured, ...userEvents),
  ],
}

/** The settings of a device that was never configured: everything is permitted. */
function unprotected(deviceId: string): DeviceSecurity {
  return { deviceId, accessLevel: 'full', passwords: {}, putGetAccess: true, secureCommunication: false }
}

type Reader = { readonly read: SliceReader }

/** The settings of a device. */
export function securityOf(ctx: Reader, deviceId: string): DeviceSecurity {
  return ctx.read(deviceSecurity).get(deviceId) ?? unprotected(deviceId)
}

/**
 * What a download sends to the controller: the settings of the device and the UMAC users that may access CPUs.
 * `undefined`: the device was never configured, and the controller keeps to the options of its instance.
 */
export function protectionFor(ctx: Reader, { id }: { readonly id: string }): ControllerProtection | undefined {
  const settings = ctx.read(deviceSecurity).get(id)
  if (!settings) return undefined
  const { deviceId: _, ...protection } = settings
  const own = cpuUsers(ctx)
  return own.length === 0 ? protection : { ...protection, users: own }
}
