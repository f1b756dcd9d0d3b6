/** Adds a device by its order number. */
import { type CommandContext, problem } from '../../core/index.ts'
import { requireProject } from '../projects/index.ts'
import { requireAnyEntry } from './catalog/catalog-access.ts'
import { catalogSource } from './catalog/catalog-source.ts'
import { type CatalogEntry, deviceKind, isStandalone, newestFirmware, typeIdentifier } from './catalog/entry.ts'
import { normalizeFirmware, openPlacesPattern, parseOrderNumber } from './catalog/order-number.ts'
import { creationTime, type Device, type DeviceKind, type DeviceNetwork, deviceAdded } from './device.ts'
import { freeName, requireFreeName } from './names.ts'
import { newNetwork, takenAddresses } from './network/interfaces.ts'

/** Fields of a new device. */
export interface NewDevice {
  /** Any spelling; a type identifier is accepted too (`OrderNumber:6ES7 515-2AM02-0AB0/V2.9`). */
  readonly orderNumber: string
  /** Default: the next free `PLC_1`, `HMI_1` … */
  readonly name?: string
  /** Default: that of the type identifier, otherwise the newest known. */
  readonly firmware?: string
  /** True: the device is put into the parking lot. */
  readonly unplaced?: boolean
  /** Default: for a PLC and an HMI device the first PROFINET interface with the next free address. */
  readonly network?: DeviceNetwork
}

/**
 * Adds a device to the open project.
 * @throws GatewayError `no_project`, `not_found` (order number, with the nearest), `invalid_input` (name, firmware),
 *   `name_taken`, `unacceptable_content` (a module that cannot be a device on its own)
 */
export async function addDevice(
  ctx: CommandContext,
  input: NewDevice,
): Promise<{ device: Device; warnings: string[] }> {
  requireProject(ctx)
  const release = input.firmware === undefined ? undefined : normalizeFirmware(input.firmware)
  const { entry, firmware: named } = await requireAnyEntry(ctx, input.orderNumber, {
    fits: (one) => isStandalone(one) && (release === undefined || one.firmware.includes(release)),
  })
  if (!isStandalone(entry)) {
    throw problem(
      'unacceptable_content',
      `${entry.orderNumber} (${entry.typeName}, ${entry.kind}) is a module that is plugged into a station; it cannot be a device of its own.`,
      { suggestion: 'Add a CPU, a head module, a panel, a drive or a switch.' },
    )
  }
  const kind = kindOf(entry)
  const name = input.name ?? freeName(ctx, kind)
  requireFreeName(ctx, name, '/name')
  const { firmware, warnings } = firmwareOf(entry, input.firmware ?? named)
  // A catalog number with open places (x) covers many products: the device has the requested number.
  const orderNumber = openPlacesPattern(entry.orderNumber)
    ? parseOrderNumber(input.orderNumber)!.orderNumber
    : entry.orderNumber
  const network = input.network ?? newNetwork(ctx, { kind, typeName: entry.typeName, family: entry.family })
  const device: Device = {
    id: ctx.newId(),
    name,
    orderNumber,
    firmware,
    typeIdentifier: typeIdentifier({ ...entry, orderNumber }, firmware),
    typeName: entry.typeName,
    family: entry.family,
    kind,
    unplaced: input.unplaced === true,
    createdAt: creationTime(ctx),
    ...(network ? { network } : {}),
  }
  ctx.emit(deviceAdded, device, `device/${name}`)
  const isGsd = entry.orderNumber.startsWith('GSD:')
  const told = isGsd
    ? await Promise.all(ctx.extensions(catalogSource).map(async (source) => source.added?.(ctx, device, entry) ?? []))
    : []
  return { device, warnings: [...warnings, ...told.flat(), ...takenAddresses(ctx, device)] }
}

/** The kind of device for a catalog entry. */
export function kindOf(entry: CatalogEntry): DeviceKind {
  const kind = deviceKind(entry)
  switch (kind) {
    case 'PLC':
    case 'HMI':
    case 'Drive':
    case 'Switch':
    case 'IO':
      return kind
    case 'HeadModule':
      return 'IO'
    default:
      return 'Other'
  }
}

/**
 * The firmware of a new device. The catalog contains versions seen in real projects, and others exist. An unknown
 * version is therefore accepted with a warning, unless it cannot be a version.
 */
function firmwareOf(entry: CatalogEntry, wanted: string | undefined): { firmware: string; warnings: string[] } {
  if (wanted === undefined) return { firmware: newestFirmware(entry) ?? '', warnings: [] }
  const firmware = normalizeFirmware(wanted)
  const known = entry.firmware.length > 0 ? ` Known for ${entry.orderNumber}: ${entry.firmware.join(', ')}.` : ''
  if (firmware === undefined || !/^V?\d{1,3}(\.\d{1,5}){1,3}$/.test(firmware)) {
    throw problem(
      'invalid_input',
      `/firmware: "${wanted}" is not a firmware version, such as V2.9 or 17.0.0.0.${known}`,
      {
        errors: [
          {
            path: '/firmware',
            message: 'must be a version such as V2.9',
            value: wanted,
            ...(entry.firmware.length > 0 ? { allowed: entry.firmware } : {}),
          },
        ],
      },
    )
  }
  const seen = entry.firmware.length === 0 || entry.firmware.includes(firmware)
  return { firmware, warnings: seen ? [] : [`Firmware ${firmware} is not among the versions known here.${known}`] }
}
