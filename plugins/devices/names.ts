/** Names of devices. */
import { dotSegmentFault, problem, type SliceReader } from '../../core/index.ts'
import { type DeviceKind, devices, findDevice } from './device.ts'

/** Default names of devices (TIA Portal's names in its English user interface). */
const defaultNames: Record<DeviceKind, string> = {
  PLC: 'PLC_',
  HMI: 'HMI_',
  IO: 'IO device_',
  Drive: 'Drive unit_',
  Switch: 'Switch_',
  Other: 'Device_',
}

/** The fault in the name of a device, or undefined. TIA Portal accepts up to 128 characters and refuses few of them. */
export function deviceNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'must not be empty'
  if (name !== name.trim()) return 'must not begin or end with a blank'
  const dots = dotSegmentFault(name)
  if (dots !== undefined) return dots
  if (name.length > 128) return `has ${name.length} characters; at most 128 are allowed`
  if (/\p{Surrogate}/u.test(name)) return 'has half of a surrogate pair, which is not a character'
  if (/\p{Cc}/u.test(name)) return 'must not contain control characters'
  return undefined
}

/**
 * Checks a new name of a device.
 * @param own id of the device that may already have the name
 * @throws GatewayError `invalid_input`, `name_taken`
 */
export function requireFreeName(ctx: { read: SliceReader }, name: string, field: string, own?: string): void {
  const fault = deviceNameFault(name)
  if (fault) {
    throw problem('invalid_input', `${field}: "${name}" is not a device name: it ${fault}.`, {
      errors: [{ path: field, message: fault, value: name }],
    })
  }
  const holder = findDevice(ctx, name)
  if (holder && holder.id !== own) {
    const where = holder.unplaced ? ' (in the parking lot)' : ''
    throw problem('name_taken', `Device "${holder.name}" (${holder.typeName}) already exists${where}.`, {
      suggestion: freeName(ctx, holder.kind),
    })
  }
}

/** The next free default name: `PLC_1`, `PLC_2` … */
export function freeName(ctx: { read: SliceReader }, kind: DeviceKind): string {
  const taken = new Set([...ctx.read(devices).values()].map((device) => device.name.toLowerCase()))
  for (let n = 1; ; n++) {
    const name = `${defaultNames[kind]}${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}
