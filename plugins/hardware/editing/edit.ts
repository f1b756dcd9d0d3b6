/**
 * Plugging, moving, unplugging, replacing and renaming modules. Pure functions on a station: what is
 * refused is thrown as `Refusal`, so that the operations can say what would be right.
 */
import { defined } from '../../../core/index.ts'
import { bytesOf, freeStart, holderOf, itemsBelow, itemsOf, takenBy } from '../addresses/addresses.ts'
import type { CommunicationInterface, DeviceItem, IoAddress, IoType, Station } from '../model.ts'
import { baseUnitFault, baseUnitOf, baseUnitsFor } from '../modules/base-units.ts'
import { interfaceModuleOf, keptFault } from '../modules/expansion-racks.ts'
import type { ModuleType } from '../modules/module-type.ts'
import { neededFault } from '../modules/s7-400-racks.ts'
import { classOf, itemAt, type Place, placesFor, placesText, placeText } from '../modules/slots.ts'
import { identifiers, moduleItem, NoRoomError, type Surroundings } from './build.ts'
import { address } from './edit-addresses.ts'
import { directionText, type Edited, type Environment, put, withItem } from './edited.ts'
import { freeItemName, isDefaultName, Refusal, requireFirmware, requireItemName, withFreeNames } from './item-names.ts'

function surroundings(station: Station, env: Environment, without?: string): Surroundings {
  // Those of a module that is replaced too: the new one may keep some of them.
  const used = [
    ...env.identifiers.keys(),
    ...[...itemsOf(station)].flatMap(({ item }) => item.hardwareIdentifier ?? []),
  ]
  const gone = new Set(without === undefined ? [] : belowId(station, without))
  return {
    className: env.className,
    taken: [...env.others, ...takenBy(station).filter(({ item }) => !gone.has(item.id))],
    limit: env.limit,
    nextIdentifier: identifiers(used),
  }
}

function belowId(station: Station, id: string): string[] {
  for (const { item } of itemsOf(station)) if (item.id === id) return [...itemsBelow(item)].map((one) => one.id)
  return []
}

/** @throws Refusal unless the place is one of those that would do */
function requirePlace(
  station: Station,
  env: Environment,
  type: ModuleType,
  wish: Partial<Place>,
  without?: string,
): Place {
  const of = classOf(station, env.className)
  const { places, reason } = placesFor(station, of, type, without)
  if (wish.slot === undefined) {
    const first = places.find(({ rack }) => wish.rack === undefined || rack === wish.rack)
    if (first) return first
    const why = placesFor(station, of, type, without, wish.rack).reason ?? 'there is no free slot'
    throw new Refusal(
      'place',
      '/slot',
      why.startsWith(type.typeName) ? why : `${type.typeName} cannot be plugged: ${why}`,
    )
  }
  const { slot, rack = 0 } = wish
  // A board goes into the CPU whether the subslot is named or not.
  const place = places.find(
    (one) => one.rack === rack && one.slot === slot && (wish.subslot === undefined || one.subslot === wish.subslot),
  )
  if (place) return place
  const held = itemAt(station, { rack, slot, ...defined({ subslot: wish.subslot }) })
  const occupied = held && held.id !== without
  const what = placeText({ rack, slot, ...defined({ subslot: wish.subslot }) })
  const why = rack === 0 ? reason : placesFor(station, of, type, without, rack).reason
  const because = occupied
    ? `slot ${what} is occupied by "${held.name}" (${held.typeName ?? 'built in'})`
    : `${type.typeName} does not go into slot ${what}${why === undefined ? '' : `: ${why}`}`
  throw new Refusal(
    'place',
    '/slot',
    because,
    places.length > 0 ? `Slots that would do: ${placesText(places)}` : undefined,
    places.slice(0, 100).map(placeText),
  )
}

/** The station without an item. */
function withoutItem(station: Station, id: string): Station {
  const racks = station.racks.map((rack) => ({
    ...rack,
    items: rack.items
      .filter((module) => module.id !== id)
      .map((module) =>
        module.items.some((one) => one.id === id)
          ? { ...module, items: module.items.filter((one) => one.id !== id) }
          : module,
      ),
  }))
  return { ...station, racks }
}

/** What a module is plugged with. */
export interface PlugInput {
  /** GUID of the new item. */
  readonly id: string
  readonly rack?: number | undefined
  readonly slot?: number | undefined
  readonly subslot?: number | undefined
  readonly name?: string | undefined
  readonly firmware?: string | undefined
  /** First bytes by direction, instead of the default ones. */
  readonly starts?: Partial<Readonly<Record<IoType, number>>> | undefined
}

/**
 * Plugs a module.
 * @throws Refusal no free or fitting slot, name taken, no room for its addresses, wished address taken
 */
export function plug(station: Station, env: Environment, type: ModuleType, input: PlugInput): Edited {
  const { rack, slot, subslot } = input
  const place = requirePlace(station, env, type, {
    ...defined({ rack, slot, subslot }),
  })
  const name = input.name ?? freeItemName(station, type.typeName)
  requireItemName(station, name, '/name')
  const around = surroundings(station, env)
  if (input.firmware !== undefined) requireFirmware(input.firmware)
  const firmware = input.firmware ?? type.firmware.at(-1)
  const item = withFreeNames(
    station,
    build(() => moduleItem({ id: input.id, name, firmware, place }, type, around)),
  )
  const parameters = baseUnitOf(station, item)
  const placed = withFreeNetworks(station, parameters ? { ...item, parameters } : item)
  const edited = withAdapter(withItem(station, place, placed), place)
  if (!input.starts) return edited
  return address(edited.station, env, edited.item.id, input.starts)
}

function build(make: () => DeviceItem): DeviceItem {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof NoRoomError)) throw error
    throw new Refusal('address', '/addresses', error.message, 'Unplug modules that are not needed.')
  }
}

/** Every interface of a device has its own entry of network data. */
function withFreeNetworks(station: Station, item: DeviceItem): DeviceItem {
  const taken = new Set([...itemsOf(station)].flatMap((one) => one.item.interface?.network.toLowerCase() ?? []))
  const items = item.items.map((one) => {
    if (!one.interface) return one
    let { network } = one.interface
    for (let n = 2; taken.has(network.toLowerCase()); n++) network = `${one.interface.network}_${n}`
    return { ...one, interface: { ...one.interface, network } }
  })
  return { ...item, items }
}

/**
 * The interface of an ET 200SP interface module lies in its BusAdapter, when it has one (as in AML). Puts it where it
 * belongs after the change.
 */
function withAdapter(edited: Edited, place: Place): Edited {
  const { station } = edited
  const head = station.racks[0]?.items.find(({ role }) => role === 'HeadModule')
  if (!head || place.subslot !== 127) return edited
  const adapter = head.items.find(({ moduleKind }) => moduleKind === 'BusAdapter')
  const loose = head.items.filter(({ interface: one }) => one !== undefined)
  if (!adapter || loose.length === 0) return edited
  const held = { ...adapter, items: [...adapter.items, ...loose] }
  const module = {
    ...head,
    items: head.items.filter((one) => !loose.includes(one)).map((one) => (one.id === adapter.id ? held : one)),
  }
  const at = { rack: 0, slot: module.position }
  return { ...withItem(station, at, module), item: held, module }
}

/** An item that may be moved, replaced or unplugged. @throws Refusal */
function requirePlugged(station: Station, id: string) {
  for (const found of itemsOf(station)) {
    if (found.item.id !== id) continue
    const { item, module, rack } = found
    const what = `"${item.name}" (${item.typeName ?? 'built in'})`
    if (item.builtIn) {
      const holder = item === module ? 'the device' : `"${module.name}"`
      throw new Refusal('built-in', '/moduleName', `${what} is built into ${holder}`)
    }
    if (item.role !== undefined)
      throw new Refusal(
        'built-in',
        '/moduleName',
        `${what} is the ${item.role === 'CPU' ? 'CPU' : 'head module'} of the station`,
        'DELETE /api/devices/{deviceName} deletes the whole device.',
      )
    const place: Place = {
      rack: rack.position,
      slot: module.position,
      ...(item === module ? {} : { subslot: item.position }),
    }
    return { item, module, rack, place }
  }
  throw new Refusal('input', '/moduleName', `there is no item ${id}`)
}

/** A station from which an item was unplugged; `module` is what remains around it, if something does. */
export interface Unplugged {
  readonly station: Station
  readonly item: DeviceItem
  readonly rackId: string
  /** The module in which it was plugged, without it; absent: it was plugged into the rack. */
  readonly holder?: DeviceItem
}

/** @throws Refusal when other racks or modules need an interface module */
function requireLoose(station: Station, rack: DeviceItem, item: DeviceItem): void {
  const fault = keptFault(station, rack, item)
  if (fault) throw new Refusal('place', '/moduleName', `"${item.name}" cannot be unplugged: ${fault}`)
}

/** Unplugs an item. @throws Refusal the CPU, the head module, and what is built in */
export function unplug(station: Station, id: string): Unplugged {
  const { item, module, rack, place } = requirePlugged(station, id)
  requireLoose(station, rack, item)
  let rest = withoutItem(station, id)
  // A rack goes with its interface module.
  if (rack.position > 0 && interfaceModuleOf(rack)?.id === id)
    return { station: { ...rest, racks: rest.racks.filter((one) => one.id !== rack.id) }, item, rackId: rack.id }
  if (place.subslot === undefined) return { station: rest, item, rackId: rack.id }
  // The PROFINET interface of the interface module stays when its BusAdapter goes.
  const kept = item.moduleKind === 'BusAdapter' ? item.items.filter((one) => one.interface !== undefined) : []
  const holder = { ...module, items: [...module.items.filter((one) => one.id !== id), ...kept] }
  rest = withItem(rest, { rack: rack.position, slot: module.position }, holder).station
  return {
    station: rest,
    item: { ...item, items: item.items.filter((one) => !kept.includes(one)) },
    rackId: rack.id,
    holder,
  }
}

/** Moves a module to another slot; name, addresses, identifiers and attributes stay. @throws Refusal */
export function move(station: Station, env: Environment, id: string, type: ModuleType, wish: Partial<Place>): Edited {
  const { item, rack, place: before } = requirePlugged(station, id)
  if (rack.position > 0 && interfaceModuleOf(rack)?.id === id)
    throw new Refusal(
      'place',
      '/moduleName',
      `"${item.name}" is the interface module of rack ${rack.position}: it stays there`,
    )
  const place = requirePlace(station, env, type, wish, id)
  if ((place.subslot === undefined) !== (before.subslot === undefined))
    throw new Refusal('place', '/slot', `"${item.name}" is plugged into a module, and cannot go into the rack`)
  return withItem(withoutItem(station, id), place, { ...item, position: place.subslot ?? place.slot })
}

/** A replaced module, and what could not be kept. */
export interface Replaced extends Edited {
  readonly losses: readonly string[]
}

/**
 * Puts a module of another type into the slot of one. Name, place, comment, identifier and attributes stay; an address
 * stays where the new module has one of the same direction that fits there.
 * @throws Refusal when the slot does not take the new type
 */
export function replace(
  station: Station,
  env: Environment,
  id: string,
  type: ModuleType,
  firmware: string | undefined,
): Replaced {
  if (firmware !== undefined) requireFirmware(firmware)
  const { item, rack, place: at } = requirePlugged(station, id)
  const place = requirePlace(station, env, type, at, id)
  const needed = neededFault(station, rack, item, type)
  if (needed) throw new Refusal('place', '/orderNumber', `"${item.name}" cannot be replaced: ${needed}`)
  const around = surroundings(station, env, id)
  const others = withoutItem(station, id)
  const name = isDefaultName(item) ? freeItemName(others, type.typeName) : item.name
  const fresh = withFreeNames(
    others,
    build(() => moduleItem({ id, name, firmware: firmware ?? type.firmware.at(-1), place }, type, around)),
  )
  const losses: string[] = []
  const wished = new Map<IoType, IoAddress[]>()
  for (const one of [...itemsBelow(item)].flatMap(({ addresses = [] }) => addresses)) {
    const list = wished.get(one.ioType) ?? []
    list.push(one)
    wished.set(one.ioType, list)
  }
  const { hardwareIdentifier, comment, attributes, parameters } = item
  const identifierOf = (one: DeviceItem) =>
    [...itemsBelow(item)].find(({ id: old }) => old === one.id)?.hardwareIdentifier ?? one.hardwareIdentifier
  const interfaces = (one: DeviceItem) => [...itemsBelow(one)].flatMap((each) => each.interface ?? [])
  const had = interfaces(item)
  const sameAs = (one: CommunicationInterface) =>
    had.find(({ label, type: kind }) => label === one.label && kind === one.type)
  const taken = [...around.taken]
  const kept = (one: DeviceItem): DeviceItem => {
    const hardware = identifierOf(one)
    // An interface that stays has its address and subnet under this name, whatever the module is called now.
    const network = one.interface && sameAs(one.interface)?.network
    return {
      ...one,
      ...defined({ hardwareIdentifier: hardware }),
      ...(one.interface && network !== undefined ? { interface: { ...one.interface, network } } : {}),
      ...(one.addresses === undefined ? {} : { addresses: one.addresses.map((address) => keptAddress(one, address)) }),
      items: one.items.map(kept),
    }
  }
  const keptAddress = (owner: DeviceItem, fresh: IoAddress): IoAddress => {
    const old = wished.get(fresh.ioType)?.shift()
    const bytes = bytesOf(fresh)
    const take = (start: number) => {
      taken.push({
        ioType: fresh.ioType,
        from: start,
        to: start + bytes,
        deviceId: station.deviceId,
        item: owner,
        module: owner,
      })
      return { ...fresh, start }
    }
    if (!old) {
      const start = freeStart(taken, { ioType: fresh.ioType, bytes, from: fresh.start, step: 1, limit: env.limit })
      return take(start ?? requireRoom(fresh, env))
    }
    const range = { ioType: fresh.ioType, from: old.start, to: old.start + bytes }
    if (!holderOf(taken, range) && range.to <= env.limit) return take(old.start)
    const start =
      freeStart(taken, { ioType: fresh.ioType, bytes, from: 0, step: 1, limit: env.limit }) ?? requireRoom(fresh, env)
    losses.push(
      `${directionText(fresh.ioType)} ${old.start} to ${old.start + bytesOf(old) - 1} became ${start} to ${start + bytes - 1}: ${bytes} bytes do not fit there`,
    )
    return take(start)
  }
  const next: DeviceItem = {
    ...kept(fresh),
    ...(hardwareIdentifier === undefined || fresh.hardwareIdentifier === undefined ? {} : { hardwareIdentifier }),
    ...defined({ comment, attributes }),
    ...baseUnitKept(parameters, type, losses),
  }
  for (const [ioType, rest] of wished)
    for (const one of rest)
      losses.push(
        `${directionText(ioType)} ${one.start} to ${one.start + bytesOf(one) - 1} are gone: ${type.typeName} has none`,
      )
  const channels = (one: DeviceItem) => [...itemsBelow(one)].flatMap((each) => each.channels ?? []).length
  if (channels(next) < channels(item)) losses.push(`${channels(item) - channels(next)} channels fewer`)
  const staying = new Set(interfaces(next).map(sameAs))
  const lost = had.filter((one) => !staying.has(one))
  const isAdapter = item.moduleKind === 'BusAdapter' && type.kind === 'BusAdapter'
  for (const one of isAdapter ? [] : lost) losses.push(`interface ${one.label} is gone with its addresses`)
  const whole = isAdapter ? { ...next, items: item.items } : withFreeNetworks(others, next)
  return { ...withItem(station, place, whole), losses }
}

/** The parameters of a replaced module; its BaseUnit stays when it takes the new one. */
function baseUnitKept(
  parameters: DeviceItem['parameters'],
  { orderNumber, kind }: ModuleType,
  losses: string[],
): { parameters?: NonNullable<DeviceItem['parameters']> } {
  if (parameters === undefined) return {}
  const types = baseUnitsFor(orderNumber, kind)
  const { baseUnit, potentialGroup, ...rest } = parameters
  if (baseUnit === undefined || types.includes(String(baseUnit))) return { parameters }
  const [first] = types
  losses.push(first === undefined ? 'the BaseUnit is gone' : `BaseUnit ${baseUnit} became ${first}`)
  if (first === undefined) return Object.keys(rest).length > 0 ? { parameters: rest } : {}
  return { parameters: { ...parameters, baseUnit: first } }
}

function requireRoom(fresh: IoAddress, { limit }: Environment): never {
  throw new Refusal(
    'address',
    '/orderNumber',
    `no ${bytesOf(fresh)} free bytes of ${directionText(fresh.ioType)} are left below ${limit}`,
  )
}

/** Changes name, comment or parameters of an item. @throws Refusal name */
export function change(
  station: Station,
  id: string,
  what: {
    readonly name?: string
    readonly comment?: string
    readonly firmware?: string
    readonly parameters?: DeviceItem['parameters']
  },
): Edited {
  const found = [...itemsOf(station)].find(({ item }) => item.id === id)
  if (!found) throw new Refusal('input', '/moduleName', `there is no item ${id}`)
  const { item, module, rack } = found
  if (what.name !== undefined) requireItemName(station, what.name, '/newName', id)
  if (what.firmware !== undefined) requireFirmware(what.firmware)
  // A submodule that was named like its module stays so.
  const named =
    what.name === undefined
      ? item.items
      : item.items.map((one) => (one.builtIn && one.name === item.name ? { ...one, name: what.name as string } : one))
  const { parameters, ...rest } = what
  const merged = parameters === undefined ? {} : { parameters: { ...item.parameters, ...parameters } }
  const edited = put(station, rack, module, { ...item, ...rest, ...merged, items: named })
  const fault = parameters === undefined ? undefined : baseUnitFault(edited.station, edited.item)
  if (fault)
    throw new Refusal('input', `/parameters/${fault.parameter}`, fault.message, `Possible: ${fault.allowed.join(', ')}`)
  return edited
}
