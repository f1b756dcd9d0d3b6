/**
 * Passwords of protected CPUs: the fields with which operations take them, and their check before a call is accepted.
 */
import type { QueryContext, SchemaBuilder } from '../../core/index.ts'
import { findDevice } from '../devices/index.ts'
import { type Credentials, present } from '../security/index.ts'
import { addressesOf } from '../simulation/index.ts'
import { connectionOf, findReached } from './connection.ts'

/** Passwords that a protected CPU can require. */
export const credentialFields = (t: SchemaBuilder) => ({
  password: t.Optional(
    t.Secret('hash', {
      minLength: 1,
      description:
        'Of the access level of the CPU that is needed, or of the user. It holds for this API key for a while.',
    }),
  ),
  userName: t.Optional(t.String({ minLength: 1, maxLength: 64, description: 'A UMAC user that the CPU knows.' })),
})
export const credentialAliases = {
  password: ['cpuPassword', 'plcPassword', 'accessPassword'],
  userName: ['user', 'umacUser'],
} as const

interface Presented extends Credentials {
  readonly deviceName: string
  readonly ipAddress?: string | undefined
}

/**
 * Checks presented passwords against the controller that the device reaches now. Without a controller nothing is
 * checked: the operation is refused later if the controller is protected.
 * @throws GatewayError `wrong_cpu_password`
 */
export async function admitCredentials({ deviceName, ipAddress, ...credentials }: Presented, ctx: QueryContext) {
  const { password, userName, masterSecret } = credentials
  if (password === undefined && userName === undefined && masterSecret === undefined) return
  const device = findDevice(ctx, deviceName)
  const connection = device && ipAddress === undefined ? await connectionOf(ctx, device) : undefined
  const addresses = ipAddress !== undefined ? [ipAddress] : device ? addressesOf(device) : []
  const reached = connection?.reached ?? (await findReached(ctx, addresses))
  if (reached) await present(ctx.actor, reached.controller, { password, userName, masterSecret })
}
