/**
 * Hardware identifiers (LADDR) in the address space of a controller: of modules, interfaces, ports, IO devices and IO
 * systems. A stored identifier stays as long as no other item of the space has it; all others (imported items, items
 * of two stations that came together) get the next free number, always in the same order. Pure function of the
 * project.
 */
import type { SliceReader } from '../../../core/index.ts'
import { type Device, profinetLabels } from '../../devices/index.ts'
import { defaultStation, firstIdentifier } from '../editing/build.ts'
import type { DeviceItem, Port, Station } from '../model.ts'
import { familyOf, moduleTypeOf } from '../modules/module-type.ts'
import { stations } from '../station.ts'
import { deviceInterfaceOf, named, spaceOf } from '../stations.ts'
import { itemsBelow, itemsOf } from './addresses.ts'

type Reader = { readonly read: SliceReader }

/** A station of a space. */
export interface Member {
  readonly device: Device
  readonly station: Station
}

/** An IO system or DP master system of the controller. */
export interface System {
  readonly name: string
  readonly subnet: string | undefined
  readonly isProfibus: boolean
}

/** The identifiers of the space of a controller. */
export interface Identifiers {
  readonly owner: Device
  /** The controller first. */
  readonly members: readonly Member[]
  readonly systems: readonly System[]
  /** Of an item of a station. */
  of(device: Pick<Device, 'id'>, item: DeviceItem): number | undefined
  ofPort(port: Pick<Port, 'id'>): number | undefined
  /** Of an IO device or DP slave as a whole. */
  ofDevice(device: Pick<Device, 'id'>): number | undefined
  ofSystem(system: System): number | undefined
  /** All numbers with the id of the device that has each. */
  readonly holders: ReadonlyMap<number, string>
}

/** The hardware of a device without the catalog: what was stored, or what its name says is built in. */
function knownStation(ctx: Reader, device: Device): Station {
  const stored = ctx.read(stations).get(device.id)
  if (stored) return named(stored, device)
  const { orderNumber, typeName, family, kind, typeIdentifier } = device
  const ofModule = kind === 'PLC' ? 'CPU' : kind === 'IO' ? 'IM' : kind
  const row = { orderNumber, typeName, family, kind: ofModule, firmware: [] }
  const type = moduleTypeOf(row, profinetLabels(device))
  return defaultStation(device, { ...type, typeIdentifier, family: familyOf(family) })
}

/** Whether an item has an identifier of its own: interfaces, head modules, what has I/O, modules without such parts. */
function isIdentified(item: DeviceItem): boolean {
  if (item.kind === 'interface' || item.role === 'HeadModule' || (item.addresses ?? []).length > 0) return true
  if (item.kind === 'rack' || item.role !== undefined) return false
  if (item.kind === 'submodule') return item.hardwareIdentifier !== undefined
  return ![...itemsBelow(item)].some((one) => one !== item && isIdentified(one))
}

/** The identifiers of the controller that a device belongs to, or of the device alone. */
export function identifiersOf(ctx: Reader, device: Device): Identifiers {
  const { owner, members: devices } = spaceOf(ctx, device)
  const sorted = [owner, ...devices.filter(({ id }) => id !== owner.id)]
  const members = sorted.map((one) => ({ device: one, station: knownStation(ctx, one) }))
  const systems = (owner.network?.interfaces ?? []).flatMap(({ ioSystem, subnet, subnetType }): System[] =>
    ioSystem?.role === 'controller'
      ? [{ name: ioSystem.name, subnet, isProfibus: /^profibus$/i.test(subnetType ?? '') }]
      : [],
  )
  const numbers = new Map<string, number>()
  const holders = new Map<number, string>()
  const give = (key: string, deviceId: string, number: number) => {
    numbers.set(key, number)
    holders.set(number, deviceId)
  }
  const open: { readonly key: string; readonly deviceId: string; readonly wish?: number }[] = []
  for (const { device: one, station } of members) {
    const deviceId = one.id
    for (const { item } of itemsOf(station)) {
      const key = itemKey(one, item)
      const own = item.hardwareIdentifier
      if (own !== undefined && !holders.has(own)) give(key, deviceId, own)
      else if (own !== undefined || isIdentified(item)) open.push({ key, deviceId })
      for (const [i, port] of (item.interface?.ports ?? []).entries()) {
        // Ports of a CPU follow its interface: 64, 65, 66.
        const wish = deviceId === owner.id && own !== undefined && own < firstIdentifier ? own + 1 + i : undefined
        open.push({ key: port.id, deviceId, ...(wish === undefined ? {} : { wish }) })
      }
    }
    if (deviceId !== owner.id) open.push({ key: deviceId, deviceId })
  }
  for (const system of systems) open.push({ key: systemKey(system), deviceId: owner.id })
  let next = firstIdentifier
  for (const { key, deviceId, wish } of open) {
    if (wish !== undefined && !holders.has(wish)) {
      give(key, deviceId, wish)
      continue
    }
    while (holders.has(next)) next++
    give(key, deviceId, next)
  }
  return {
    owner,
    members,
    systems,
    of: (one, item) => numbers.get(itemKey(one, item)),
    ofPort: ({ id }) => numbers.get(id),
    ofDevice: ({ id }) => (id === owner.id ? undefined : numbers.get(id)),
    ofSystem: (system) => numbers.get(systemKey(system)),
    holders,
  }
}

const itemKey = (device: Pick<Device, 'id'>, { id }: DeviceItem) => `${device.id}/${id}`
const systemKey = ({ name, subnet = '' }: System) => `system\n${subnet.toLowerCase()}\n${name.toLowerCase()}`

/** An IO device of a controller as programs ask for it. */
export interface ConfiguredDevice {
  readonly name: string
  /** Its number in the IO system, or on the bus. */
  readonly number: number
  readonly hardwareIdentifier: number
  /** Of its IO system. */
  readonly system: number
  /** Slots of its rack that have a module, the head module too. */
  readonly slots: readonly number[]
  /** It is a DP slave. */
  readonly isOnBus?: boolean
}

/** The IO devices of a controller with their numbers. */
export function ioDevicesOf(ctx: Reader, device: Device): ConfiguredDevice[] {
  const found = identifiersOf(ctx, device)
  if (found.owner.id !== device.id) return []
  return found.members.slice(1).flatMap(({ device: one, station }): ConfiguredDevice[] => {
    const own = deviceInterfaceOf(one)
    const system = found.systems.find(
      ({ name, subnet = '' }) =>
        name.toLowerCase() === own?.ioSystem?.name.toLowerCase() &&
        subnet.toLowerCase() === (own?.subnet ?? '').toLowerCase(),
    )
    const [hardwareIdentifier, systemIdentifier] = [found.ofDevice(one), system && found.ofSystem(system)]
    // A DP slave is known by its address, whatever number it has in the IO system.
    const [address, inSystem] = [own?.busAddress, own?.ioSystem?.deviceNumber]
    const number = system?.isProfibus ? (address ?? inSystem) : inSystem
    if (number === undefined || hardwareIdentifier === undefined || systemIdentifier === undefined) return []
    const slots = (station.racks[0]?.items ?? []).map(({ position }) => position)
    const isOnBus = system?.isProfibus ? { isOnBus: true } : {}
    return [{ name: one.name, number, hardwareIdentifier, system: systemIdentifier, slots, ...isOnBus }]
  })
}
