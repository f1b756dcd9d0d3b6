/**
 * The hardware of a project that says all of it (a project of TIA Portal): stations with racks, modules, addresses and
 * interfaces. It comes after the programs, whose importer adds the PLCs.
 */
import { type CommandContext, defined, isGatewayError } from '../../../core/index.ts'
import { addDevice, type Device, findDevice } from '../../devices/index.ts'
import type { FolderImporter, GivenItem, GivenStation } from '../../projects/index.ts'
import { guid } from '../guid.ts'
import type { Channel, DeviceItem, IoAddress, PortReference, Station } from '../model.ts'
import { channelsOf, type ModuleType } from '../modules/module-type.ts'
import { linkSet, stationSet } from '../station.ts'
import { requireModuleType } from '../stations.ts'
import { givenInterface, givenItemKind, givenName, givenTypeIdentifier, isGivenItemShown } from './given-item.ts'

export const givenStations: Pick<FolderImporter, 'import'> = {
  async import(ctx, _project, files) {
    const warnings: string[] = []
    const ends: CableEnds = new Map()
    for (const given of files.stations) {
      const device = await deviceOf(ctx, given, warnings)
      if (device)
        ctx.emit(stationSet, { station: await stationFrom(ctx, device, given, ends) }, `device/${device.name}`)
    }
    for (const [a, b] of ends.values()) {
      if (a && b) ctx.emit(linkSet, { link: { id: guid(a.portId, 'cable', b.portId), a, b } }, `link/${a.portId}`)
    }
    const open = [...ends.values()].filter((list) => list.length === 1).length
    if (open > 0)
      warnings.push(`${open} cables between ports are left out: what is at their other end is no device here.`)
    return { imported: 0, files: [], warnings }
  },
}

/** The ports at the ends of each cable, as far as they are there. */
type CableEnds = Map<string, PortReference[]>

/** The device of a station: the PLC that was added with its program, or a new one for a head module. */
async function deviceOf(ctx: CommandContext, given: GivenStation, warnings: string[]): Promise<Device | undefined> {
  const { head, interfaces, isController, name } = given
  const tell = (reason: string): void =>
    void warnings.push(`The modules of the station "${name}" are left out: ${reason}`)
  const present = findDevice(ctx, head.name)
  if (isController) {
    // Where the catalog does not have the CPU, another one takes its place, and the hardware is not that one's.
    const isSame = present?.orderNumber === head.orderNumber
    if (!isSame) tell(`its CPU ${head.orderNumber} is not in the catalog.`)
    return isSame ? present : undefined
  }
  if (present) {
    tell(`the name "${head.name}" of its head module is that of another device.`)
    return undefined
  }
  try {
    const { device, warnings: told } = await addDevice(ctx, {
      orderNumber: head.orderNumber!,
      name: head.name,
      ...(head.firmware === undefined ? {} : { firmware: head.firmware }),
      network: { interfaces },
    })
    warnings.push(...told)
    return device
  } catch (error) {
    if (!isGatewayError(error)) throw error
    tell(error.message)
    return undefined
  }
}

async function stationFrom(
  ctx: CommandContext,
  device: Device,
  given: GivenStation,
  ends: CableEnds,
): Promise<Station> {
  const racks = await Promise.all(
    given.racks.map((rack, index) => itemFrom(ctx, { device, path: String(index), depth: 0, ios: [], ends }, rack)),
  )
  return {
    deviceId: device.id,
    id: guid(device.id, 'station'),
    name: given.name,
    typeIdentifier: given.typeIdentifier,
    groups: [],
    racks: racks.sort(byPosition),
  }
}

interface Around {
  readonly device: Device
  /** Places from the rack on; ids are made of it. */
  readonly path: string
  /** 0 for a rack, 1 for a module, more for what is in it. */
  readonly depth: number
  /** What the catalog says of the I/O of the module. */
  readonly ios: ModuleType['submodules'][number]['io']
  /** Gets the ends of cables. */
  readonly ends: CableEnds
}

const byPosition = (a: { position: number }, b: { position: number }): number => a.position - b.position

async function itemFrom(ctx: CommandContext, around: Around, given: GivenItem): Promise<DeviceItem> {
  const { device, path, depth, ends } = around
  const id = guid(device.id, 'given', path)
  const { orderNumber, firmware, typeName, hardwareIdentifier, addresses, isHead } = given
  const type = orderNumber === undefined || depth === 0 ? undefined : await typeOf(ctx, orderNumber)
  const ios = type?.submodules.flatMap(({ io }) => io) ?? around.ios
  const communication = givenInterface(id, given)
  for (const [index, { cables }] of given.modules.filter(({ isPort }) => isPort).entries()) {
    const port = communication?.ports[index]
    if (port)
      for (const cable of cables)
        ends.set(cable, [...(ends.get(cable) ?? []), { deviceId: device.id, portId: port.id }])
  }
  const parts = given.modules
    .map((part, index) => ({ part, place: `${path}/${index}` }))
    .filter(({ part }) => !(communication && part.isPort) && isGivenItemShown(part))
  const items = await Promise.all(
    parts.map(({ part, place }) => itemFrom(ctx, { device, path: place, depth: depth + 1, ios, ends }, part)),
  )
  const channels = channelsFor(addresses, ios)
  return {
    id,
    name: isHead ? device.name : givenName(given),
    kind: givenItemKind(depth, given),
    position: Math.max(0, given.position ?? 0),
    builtIn: depth > 1 && orderNumber === undefined,
    ...defined({ typeIdentifier: givenTypeIdentifier(given, depth), typeName, firmware }),
    ...(isHead ? { role: device.kind === 'PLC' ? ('CPU' as const) : ('HeadModule' as const) } : {}),
    ...defined({ moduleKind: type?.kind, hardwareIdentifier }),
    ...(addresses.length > 0 ? { addresses } : {}),
    ...(channels.length > 0 ? { channels } : {}),
    ...(communication ? { interface: communication } : {}),
    items: items.sort(byPosition),
  }
}

async function typeOf(ctx: CommandContext, orderNumber: string): Promise<ModuleType | undefined> {
  try {
    return (await requireModuleType(ctx, orderNumber)).type
  } catch (error) {
    if (isGatewayError(error)) return undefined
    throw error
  }
}

/** Channels by the catalog, where it knows I/O of that direction and size. */
function channelsFor(addresses: readonly IoAddress[], ios: Around['ios']): Channel[] {
  return addresses.flatMap(({ ioType, length }) => {
    const io = ios.find((one) => one.ioType === ioType && one.length === length)
    return io ? channelsOf(io) : []
  })
}
