/** Makes device items from module types, and the station of a device that was never changed. Pure functions. */

import { defined } from '../../../core/index.ts'
import type { Device } from '../../devices/index.ts'
import { addressLimit, bytesOf, defaultStart, freeStart, type TakenRange } from '../addresses/addresses.ts'
import { guid } from '../guid.ts'
import type { DeviceItem, IoAddress, Port, Station } from '../model.ts'
import { channelsOf, familyOf, type InterfaceType, type IoSize, type ModuleType } from '../modules/module-type.ts'
import { classNameOf, classOf, type Place } from '../modules/slots.ts'

/** What the items of a new module are numbered and addressed in. */
export interface Surroundings {
  /** Class of the station (`S7-1500`), see slots.ts. */
  readonly className: string | undefined
  /** Ranges that are taken in the address space. */
  readonly taken: readonly TakenRange[]
  /** Bytes that the controller can address in each direction. */
  readonly limit: number
  /** Gives hardware identifiers that are free in the space. */
  readonly nextIdentifier: () => number
}

/** Thrown when the controller has no room for the addresses of a module. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/** Addresses of a submodule: default starts, or the ones that are wished for, direction by direction. */
function addressesOf(io: readonly IoSize[], place: Place, { className, taken, limit }: Surroundings): IoAddress[] {
  return io.map((size): IoAddress => {
    const bytes = bytesOf(size)
    const from = size.start ?? defaultStart(className, place, size)
    const step = size.kind === 'Digital' ? 1 : 2
    const wish = { ioType: size.ioType, bytes, step, limit }
    const start = freeStart(taken, { ...wish, from }) ?? freeStart(taken, { ...wish, from: 0 })
    if (start === undefined)
      throw new NoRoomError(
        `no ${bytes} free bytes of ${size.ioType === 'Input' ? 'inputs' : 'outputs'} are left below ${limit}`,
      )
    return { ioType: size.ioType, start, length: size.length }
  })
}

function portsOf(id: string, count: number, first: number, isRing: boolean): Port[] {
  return Array.from({ length: count }, (_, i) => ({
    id: guid(id, 'port', first + i),
    name: `Port_${i + 1}`,
    label: `P${i + 1}${isRing ? ' R' : ''}`,
    position: first + i,
    builtIn: true,
  }))
}

const interfaceNames = { Ethernet: 'PROFINET interface', Profibus: 'DP interface', Mpi: 'MPI interface', Asi: 'AS-i' }

const kindName = ({ name, type }: InterfaceType) => name ?? interfaceNames[type]

/**
 * Names of the interfaces of a CPU: each kind is counted for itself, `PROFINET interface_2`, `DP interface_1` (names of
 * a CPU 1516-3 PN/DP in TIA Portal V16).
 */
function namesOf(interfaces: readonly InterfaceType[]): string[] {
  const counts = new Map<string, number>()
  return interfaces.map((one) => {
    const kind = kindName(one)
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${kind}_${count}`
  })
}

/**
 * An interface as an item. On a CPU its position is 32768 and up (256 apart), its ports behind it; in a head module 1,
 * 2 … (real exports).
 */
function interfaceItem(
  parent: string,
  one: InterfaceType,
  index: number,
  { name, network, isCpu }: { name: string; network: string; isCpu: boolean },
  nextIdentifier: () => number,
): DeviceItem {
  const id = guid(parent, 'interface', one.label)
  const position = isCpu ? 0x8000 + index * 0x100 : index + 1
  const ports = portsOf(id, one.ports, isCpu ? position + 1 : 1, one.type === 'Ethernet' && one.ports > 1)
  return {
    id,
    name,
    kind: 'interface',
    position,
    builtIn: true,
    hardwareIdentifier: nextIdentifier(),
    interface: {
      label: one.label,
      type: one.type,
      network,
      node: { id: guid(id, 'node'), name: isCpu ? 'E1' : 'IE1' },
      ports,
    },
    items: [],
  }
}

/** The built-in submodules and interfaces of a module, with addresses and channels. */
function partsOf(id: string, name: string, type: ModuleType, place: Place, around: Surroundings): DeviceItem[] {
  const taken = [...around.taken]
  return type.submodules.map((one): DeviceItem => {
    const addresses = addressesOf(one.io, place, { ...around, taken })
    const item: DeviceItem = {
      id: guid(id, 'submodule', one.position),
      name: one.name ?? name,
      kind: 'submodule',
      position: one.position,
      builtIn: one.plugged === undefined,
      ...(one.plugged
        ? {
            typeIdentifier: one.plugged.typeIdentifier,
            typeName: one.plugged.typeName,
            moduleKind: one.plugged.kind,
          }
        : {}),
      hardwareIdentifier: around.nextIdentifier(),
      ...(addresses.length > 0 ? { addresses } : {}),
      ...(one.io.some(({ channels }) => channels > 0) ? { channels: one.io.flatMap(channelsOf) } : {}),
      items: [],
    }
    for (const { ioType, start, length } of addresses)
      taken.push({ ioType, from: start, to: start + Math.ceil(length / 8), deviceId: '', item, module: item })
    return item
  })
}

/** A module that is plugged. */
export function moduleItem(
  { id, name, firmware, place }: { id: string; name: string; firmware: string | undefined; place: Place },
  type: ModuleType,
  around: Surroundings,
): DeviceItem {
  const { typeIdentifier, typeName, kind, interfaces } = type
  const own = kind === 'PS' || kind === 'CM' || kind === 'CP' ? around.nextIdentifier() : undefined
  const built = partsOf(id, name, type, place, around)
  // A submodule has its I/O itself, not in a part of its own.
  const { addresses, channels, hardwareIdentifier } = (type.inModules && built[0]) || {}
  const parts = type.inModules ? [] : built
  const isBusAdapter = kind === 'BusAdapter'
  const items = isBusAdapter
    ? []
    : interfaces.map((one, i) =>
        interfaceItem(
          id,
          one,
          i,
          { name: kindName(one), network: `${name}.${one.label}`, isCpu: false },
          around.nextIdentifier,
        ),
      )
  return {
    id,
    name,
    kind: place.subslot === undefined ? 'module' : 'submodule',
    position: place.subslot ?? place.slot,
    builtIn: false,
    typeIdentifier,
    typeName,
    ...defined({ firmware }),
    moduleKind: kind,
    ...defined({ hardwareIdentifier: own ?? hardwareIdentifier, addresses, channels }),
    items: [...parts, ...items],
  }
}

/** First hardware identifier of modules; those below belong to the CPU (S7-1200/1500 manuals, system constants). */
export const firstIdentifier = 257

/** Counts identifiers from 257 on, past those in use. */
export function identifiers(used: Iterable<number>): () => number {
  const taken = new Set(used)
  let next = firstIdentifier
  return () => {
    while (taken.has(next)) next++
    return next++
  }
}

/**
 * The station of a device as it is when it is added: rack, CPU or head module with what is built in; an ET 200SP
 * interface module comes with its BusAdapter. The same each time.
 *
 * @param type of the device itself
 * @param adapter type of the BusAdapter that comes with it
 */
export function defaultStation(device: Device, type: ModuleType, adapter?: ModuleType): Station {
  const className = classNameOf(type.family, device.kind === 'PLC')
  const id = guid(device.id, 'station')
  const headId = guid(device.id, 'head')
  const bare: Station = { deviceId: device.id, id, name: '', typeIdentifier: '', groups: [], racks: [] }
  const of = classOf(bare, className)
  const slot = of?.headSlot ?? 0
  const isCpu = device.kind === 'PLC'
  const nextIdentifier = identifiers([])
  const limit = addressLimit(familyOf(device.family), device.typeName)
  const around: Surroundings = { className, taken: [], limit, nextIdentifier }
  // Identifiers of PROFINET interfaces of a CPU are 64, 72, 80; those of their ports follow each. PROFIBUS has 60 (the
  // project of a CPU 1516TF-3 PN/DP).
  let ofInterfaces = 64 - 8
  const isModern = !/^S7-[34]00$/.test(familyOf(device.family))
  const names = isCpu ? namesOf(type.interfaces) : type.interfaces.map(kindName)
  const interfaces = type.interfaces.map((one, i) =>
    interfaceItem(
      headId,
      one,
      i,
      { name: names[i] as string, network: one.label, isCpu },
      !isCpu ? nextIdentifier : isModern && one.type === 'Profibus' ? () => 60 : () => (ofInterfaces += 8),
    ),
  )
  const place = { rack: 0, slot }
  const parts = partsOf(headId, device.name, type, place, around)
  const withAdapter: DeviceItem[] = adapter
    ? [
        {
          ...moduleItem({ ...adapterNames(headId, adapter), place: { ...place, subslot: 127 } }, adapter, around),
          items: interfaces,
        },
      ]
    : interfaces
  const head: DeviceItem = {
    id: headId,
    name: device.name,
    kind: 'module',
    position: slot,
    builtIn: false,
    typeIdentifier: `OrderNumber:${device.orderNumber}`,
    typeName: device.typeName,
    ...(device.firmware === '' ? {} : { firmware: device.firmware }),
    ...(isCpu ? { role: 'CPU' as const } : device.kind === 'IO' ? { role: 'HeadModule' as const } : {}),
    moduleKind: type.kind,
    items: [...parts, ...withAdapter],
  }
  const rack: DeviceItem = {
    id: guid(device.id, 'rack', 0),
    name: of?.rackName ?? 'Rack_0',
    kind: 'rack',
    position: 0,
    builtIn: false,
    typeIdentifier: of?.rackType ?? 'System:Rack.Generic',
    typeName: 'Rack',
    items: [head],
  }
  return {
    ...bare,
    name: `${device.name} station`,
    typeIdentifier: of?.stationType ?? `System:Device.${familyOf(device.family).replace(/[^A-Za-z0-9]/g, '')}`,
    racks: [rack],
  }
}

/** An ET 200SP interface module comes with a BusAdapter, but the BA, which has sockets of its own. */
export function comesWithAdapter({ family, kind, typeName }: ModuleType): boolean {
  return family === 'ET 200SP' && kind === 'IM' && !/ BA\b/.test(typeName)
}

function adapterNames(headId: string, adapter: ModuleType) {
  return { id: guid(headId, 'adapter'), name: adapter.typeName, firmware: adapter.firmware.at(-1) }
}
