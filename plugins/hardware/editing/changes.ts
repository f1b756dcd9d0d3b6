/** Runs changes of modules for the operations: finds station and module, applies the change, emits the events. */
import { type CommandContext, defined, type GatewayError, notFound, problem } from '../../../core/index.ts'
import { type Device, interfaceRemoved, networkConfigured, requireDevice } from '../../devices/index.ts'
import { itemsBelow, itemsOf } from '../addresses/addresses.ts'
import { guid } from '../guid.ts'
import type { DeviceItem, IoType, Station } from '../model.ts'
import type { ModuleType } from '../modules/module-type.ts'
import { rackAs } from '../modules/s7-400-racks.ts'
import { linkRemoved, moduleRemoved, moduleSet, stationSet, stations, topologyLinks } from '../station.ts'
import { requireModuleType, spaceOf, stationOf, typeOfItem } from '../stations.ts'
import { change, move, type PlugInput, plug, replace, unplug } from './edit.ts'
import { address } from './edit-addresses.ts'
import type { Edited, Environment } from './edited.ts'
import { environmentOf } from './environment.ts'
import { findItem, itemNames, Refusal } from './item-names.ts'

/** The problem of a refused change. */
function problemOf(refusal: Refusal): GatewayError {
  const { kind, path, message, suggestion, slots } = refusal
  const code = kind === 'name' ? 'name_taken' : kind === 'input' ? 'invalid_input' : 'conflict'
  return problem(code, `${path}: ${message}.`, {
    errors: [{ path, message, ...defined({ allowed: slots }) }],
    ...defined({ suggestion }),
  })
}

/** Runs a pure change; what it refuses becomes a problem. */
function tried<T>(edit: () => T): T {
  try {
    return edit()
  } catch (error) {
    throw error instanceof Refusal ? problemOf(error) : error
  }
}

interface Held {
  readonly device: Device
  readonly station: Station
  readonly env: Environment
}

async function hold(ctx: CommandContext, deviceName: string): Promise<Held> {
  const device = requireDevice(ctx, deviceName)
  return { device, station: await stationOf(ctx, device), env: await environmentOf(ctx, device) }
}

/**
 * The item of a station with a name.
 * @throws GatewayError `not_found` with the nearest name
 */
export function requireItem(station: Station, name: string): DeviceItem {
  const found = findItem(station, name)
  if (found) return found.item
  throw notFound('module', name, itemNames(station))
}

/** Stores a station that was not stored yet: its own, and that of the controller with which it shares addresses. */
async function keepStations(ctx: CommandContext, { device, station }: Held): Promise<void> {
  const { owner } = spaceOf(ctx, device)
  for (const one of owner.id === device.id ? [device] : [owner, device]) {
    if (ctx.read(stations).get(one.id)) continue
    const kept = one.id === device.id ? station : await stationOf(ctx, one)
    ctx.emit(stationSet, { station: kept }, `device/${one.name}`)
  }
}

async function store(ctx: CommandContext, held: Held, edited: Edited): Promise<void> {
  await keepStations(ctx, held)
  const { device, station } = held
  const { rackId, module } = edited
  const from = station.racks.find(({ items }) => items.some(({ id }) => id === module.id))
  const to = station.racks.find(({ id }) => id === rackId)
  if (to === undefined || (from !== undefined && from !== to)) {
    // A new rack, or a module that goes into another one.
    ctx.emit(stationSet, { station: edited.station }, `device/${device.name}`)
    return
  }
  const before = from?.items.find(({ id }) => id === module.id) ?? null
  ctx.emit(moduleSet, { deviceId: device.id, rackId, module, before }, `device/${device.name}`)
}

/** Entries of network data for the interfaces that a module brought. */
function addInterfaces(ctx: CommandContext, { name: deviceName }: Device, item: DeviceItem): void {
  const device = requireDevice(ctx, deviceName)
  for (const one of itemsBelow(item)) {
    if (!one.interface) continue
    const { network, type } = one.interface
    if (device.network?.interfaces.some(({ name }) => name === network)) continue
    const after = { name: network, ...(type === 'Ethernet' ? {} : { subnetType: type }) }
    ctx.emit(networkConfigured, { id: device.id, name: device.name, before: null, after }, `device/${device.name}`)
  }
}

/** Interfaces that are gone lose their network data and their cables. */
function dropInterfaces(ctx: CommandContext, device: Device, gone: readonly DeviceItem[]): string[] {
  const warnings: string[] = []
  const ports = new Set<string>()
  for (const one of gone) {
    if (!one.interface) continue
    for (const { id } of one.interface.ports) ports.add(id)
    const { network } = one.interface
    const before = device.network?.interfaces.find(({ name }) => name === network)
    if (!before) continue
    ctx.emit(interfaceRemoved, { id: device.id, before }, `device/${device.name}`)
    if (before.ipAddress !== undefined || before.subnet !== undefined)
      warnings.push(`Interface ${network} is gone${before.subnet ? ` from subnet "${before.subnet}"` : ''}.`)
  }
  for (const link of [...ctx.read(topologyLinks).values()]) {
    if (!ports.has(link.a.portId) && !ports.has(link.b.portId)) continue
    ctx.emit(linkRemoved, { link }, `device/${device.name}`)
    warnings.push('A topology link of the module is gone.')
  }
  return warnings
}

/** What a change answers: the station afterwards, the item, warnings. */
export interface Changed {
  readonly device: Device
  readonly station: Station
  readonly item: DeviceItem
  readonly warnings: readonly string[]
}

/** See `hardware.plug-module`. */
export async function plugModule(
  ctx: CommandContext,
  deviceName: string,
  orderNumber: string,
  input: Omit<PlugInput, 'id'>,
): Promise<Changed> {
  const held = await hold(ctx, deviceName)
  const { type, firmware: named } = await requireModuleType(ctx, orderNumber, held.station.typeIdentifier)
  const firmware = input.firmware ?? named
  const edited = tried(() =>
    plug(held.station, held.env, type, { ...input, firmware, id: guid(ctx.newId(), 'module') }),
  )
  await store(ctx, held, edited)
  addInterfaces(ctx, held.device, edited.item)
  const seen = firmware === undefined || type.firmware.length === 0 || type.firmware.includes(firmware)
  const assumed = [...edited.warnings, ...(type.assumption === undefined ? [] : [type.assumption])]
  const warnings = seen
    ? assumed
    : [
        ...assumed,
        `Firmware ${firmware} is not among the versions known of ${type.typeName}: ${type.firmware.join(', ')}.`,
      ]
  return { device: held.device, station: edited.station, item: edited.item, warnings }
}

/** See `hardware.move-module`. */
export async function moveModule(
  ctx: CommandContext,
  deviceName: string,
  moduleName: string,
  wish: { readonly rack?: number; readonly slot: number; readonly subslot?: number },
): Promise<Changed> {
  const held = await hold(ctx, deviceName)
  const item = requireItem(held.station, moduleName)
  const type = await typeOfItem(ctx, item)
  const edited = tried(() => {
    // What is built in has no type, and the move says that it cannot be moved.
    if (!type && !item.builtIn)
      throw new Refusal('place', '/moduleName', `nothing is known about ${item.typeIdentifier ?? item.name}`)
    return move(held.station, held.env, item.id, type as NonNullable<typeof type>, wish)
  })
  await store(ctx, held, edited)
  return { device: held.device, station: edited.station, item: edited.item, warnings: [] }
}

/** See `hardware.unplug-module`. */
export async function unplugModule(ctx: CommandContext, deviceName: string, moduleName: string): Promise<Changed> {
  const held = await hold(ctx, deviceName)
  const { device } = held
  const item = requireItem(held.station, moduleName)
  const out = tried(() => unplug(held.station, item.id))
  await keepStations(ctx, held)
  const { rackId, holder } = out
  if (holder)
    ctx.emit(
      moduleSet,
      {
        deviceId: device.id,
        rackId,
        module: holder,
        before: held.station.racks.flatMap(({ items }) => items).find(({ id }) => id === holder.id) ?? null,
      },
      `device/${device.name}`,
    )
  else if (out.station.racks.length < held.station.racks.length)
    ctx.emit(stationSet, { station: out.station }, `device/${device.name}`)
  else ctx.emit(moduleRemoved, { deviceId: device.id, rackId, module: out.item }, `device/${device.name}`)
  const warnings = dropInterfaces(ctx, device, [...itemsBelow(out.item)])
  return { device, station: out.station, item: out.item, warnings }
}

/** Puts the modules of an S7-400 rack into one of another kind. @throws GatewayError `conflict` */
async function replaceRack(ctx: CommandContext, held: Held, rack: DeviceItem, type: ModuleType) {
  const { device, station } = held
  const changed = tried(() => {
    const answer =
      held.env.className === 'S7-400' ? rackAs(rack, type) : { fault: 'stations of this family have one kind of rack' }
    if ('rack' in answer) return answer.rack
    throw new Refusal('place', '/orderNumber', `rack "${rack.name}" cannot be replaced: ${answer.fault}`)
  })
  const after = { ...station, racks: station.racks.map((one) => (one === rack ? changed : one)) }
  await keepStations(ctx, held)
  ctx.emit(stationSet, { station: after }, `device/${device.name}`)
  return { device, station: after, item: changed, warnings: [], losses: [] }
}

/** See `hardware.replace-module`. */
export async function replaceModule(
  ctx: CommandContext,
  deviceName: string,
  moduleName: string,
  orderNumber: string,
  firmware: string | undefined,
): Promise<Changed & { losses: readonly string[] }> {
  const held = await hold(ctx, deviceName)
  const { type, firmware: named } = await requireModuleType(ctx, orderNumber, held.station.typeIdentifier)
  const rack = held.station.racks.find(({ name }) => name.toLowerCase() === moduleName.trim().toLowerCase())
  if (rack && !findItem(held.station, moduleName)) return replaceRack(ctx, held, rack, type)
  const item = requireItem(held.station, moduleName)
  const edited = tried(() => replace(held.station, held.env, item.id, type, firmware ?? named))
  await store(ctx, held, edited)
  const keyOf = ({ interface: one }: DeviceItem) => one && `${one.network}\n${one.type}`
  const still = new Set([...itemsOf(edited.station)].map((one) => keyOf(one.item)))
  const gone = [...itemsBelow(item)].filter((one) => !still.has(keyOf(one)))
  const warnings = dropInterfaces(ctx, held.device, gone)
  if (type.assumption !== undefined) warnings.push(type.assumption)
  addInterfaces(ctx, held.device, edited.item)
  return { device: held.device, station: edited.station, item: edited.item, warnings, losses: edited.losses }
}

/** What `hardware.update-module` may change. */
export interface ModuleChange {
  readonly name?: string | undefined
  readonly comment?: string | undefined
  readonly firmware?: string | undefined
  readonly starts?: Partial<Readonly<Record<IoType, number>>> | undefined
  readonly parameters?: DeviceItem['parameters'] | undefined
}

/** See `hardware.update-module`. */
export async function updateModule(
  ctx: CommandContext,
  deviceName: string,
  moduleName: string,
  { name, comment, firmware, starts, parameters }: ModuleChange,
): Promise<Changed> {
  const held = await hold(ctx, deviceName)
  const item = requireItem(held.station, moduleName)
  const ofDevice = name !== undefined ? 'newName' : firmware !== undefined ? 'firmware' : undefined
  if (item.role !== undefined && ofDevice !== undefined)
    throw problem(
      'conflict',
      `/${ofDevice}: "${item.name}" is the ${item.role === 'CPU' ? 'CPU' : 'head module'}: its ${name === undefined ? 'firmware' : 'name'} is that of the device.`,
      {
        suggestion:
          ofDevice === 'newName' ? 'POST /api/devices/actions/rename' : 'Add the device anew with this firmware.',
      },
    )
  const edited = tried(() => {
    let now: Edited = change(held.station, item.id, {
      ...defined({ name, comment, firmware, parameters }),
    })
    if (starts) now = address(now.station, held.env, item.id, starts)
    return now
  })
  await store(ctx, held, edited)
  return { device: held.device, station: edited.station, item: edited.item, warnings: [] }
}
