/** Subnets, IO systems and topology: what the operations on networks do. */
import { type CommandContext, defined, notFound, problem, type QueryContext } from '../../../core/index.ts'
import {
  type Device,
  type DeviceInterface,
  devices,
  disconnected,
  networkConfigured,
  requireDevice,
} from '../../devices/index.ts'
import { bytesOf, freeStart, holderOf, itemsOf } from '../addresses/addresses.ts'
import { environmentOf } from '../editing/environment.ts'
import { guid } from '../guid.ts'
import type { DeviceItem, Port, Station, SubnetData, TopologyLink } from '../model.ts'
import {
  linkRemoved,
  linkSet,
  stationSet,
  stations,
  subnetDeleted,
  subnetSet,
  subnets,
  topologyLinks,
} from '../station.ts'
import { stationOf } from '../stations.ts'

type Reader = Pick<QueryContext, 'read'>

const same = (a: string | undefined, b: string | undefined) => (a ?? '').toLowerCase() === (b ?? '').toLowerCase()

/** Every subnet of the project, stored or only named by an interface. */
export function allSubnets(ctx: Reader): SubnetData[] {
  const found = new Map<string, SubnetData>()
  for (const subnet of ctx.read(subnets).values()) found.set(subnet.name.toLowerCase(), subnet)
  for (const device of ctx.read(devices).values())
    for (const { subnet, subnetType } of device.network?.interfaces ?? [])
      if (subnet !== undefined && !found.has(subnet.toLowerCase()))
        found.set(subnet.toLowerCase(), { id: guid('subnet', subnet), name: subnet, type: subnetType ?? 'Ethernet' })
  return [...found.values()]
}

/** @throws GatewayError `not_found` */
function requireSubnet(ctx: Reader, name: string): SubnetData {
  const all = allSubnets(ctx)
  const found = all.find((one) => same(one.name, name))
  if (found) return found
  throw notFound(
    'subnet',
    name,
    all.map((one) => one.name),
  )
}

function requireFreeSubnet(ctx: Reader, name: string, own?: SubnetData): void {
  if (!/^[^\p{Cc}\p{Surrogate}]{1,128}$/u.test(name) || name !== name.trim())
    throw problem(
      'invalid_input',
      `/name: "${name}" is no name of a subnet: 1 to 128 characters, no control characters.`,
      {
        errors: [{ path: '/name', message: 'must have 1 to 128 characters and no blank at its ends', value: name }],
      },
    )
  const holder = allSubnets(ctx).find((one) => same(one.name, name))
  if (holder && !same(holder.name, own?.name))
    throw problem('name_taken', `Subnet "${holder.name}" (${holder.type}) already exists.`)
}

/** See `hardware.create-subnet`. */
export function createSubnet(ctx: CommandContext, name: string, type: string): SubnetData {
  requireFreeSubnet(ctx, name)
  const subnet: SubnetData = { id: guid(ctx.newId(), 'subnet'), name, type }
  ctx.emit(subnetSet, { subnet }, `subnet/${name}`)
  return subnet
}

function setInterface(
  ctx: CommandContext,
  device: Device,
  before: DeviceInterface | null,
  after: DeviceInterface,
): void {
  ctx.emit(networkConfigured, { id: device.id, name: device.name, before, after }, `device/${device.name}`)
}

function* nodesOf(ctx: Reader, subnet: string): Generator<{ device: Device; one: DeviceInterface }> {
  for (const device of [...ctx.read(devices).values()])
    for (const one of device.network?.interfaces ?? []) if (same(one.subnet, subnet)) yield { device, one }
}

/** See `hardware.rename-subnet`. All its interfaces follow. */
export function renameSubnet(
  ctx: CommandContext,
  name: string,
  newName: string,
): { readonly before: SubnetData; readonly after: SubnetData } {
  const subnet = requireSubnet(ctx, name)
  requireFreeSubnet(ctx, newName, subnet)
  const after = { ...subnet, name: newName }
  ctx.emit(subnetSet, { subnet: after, oldName: subnet.name }, `subnet/${newName}`)
  for (const { device, one } of [...nodesOf(ctx, subnet.name)])
    setInterface(ctx, device, one, { ...one, subnet: newName })
  return { before: subnet, after }
}

/** See `hardware.delete-subnet`. Its interfaces keep their addresses and are connected to none; its IO systems end. */
export function deleteSubnet(ctx: CommandContext, name: string): { subnet: SubnetData; disconnected: string[] } {
  const subnet = requireSubnet(ctx, name)
  const nodes = [...nodesOf(ctx, subnet.name)]
  for (const { device, one } of nodes) setInterface(ctx, device, one, disconnected(one))
  ctx.emit(subnetDeleted, { subnet }, `subnet/${subnet.name}`)
  return { subnet, disconnected: nodes.map(({ device, one }) => `${device.name} (${one.name})`) }
}

/** The interfaces of a station with the item of each. */
function interfacesOf(station: Station): { item: DeviceItem; one: NonNullable<DeviceItem['interface']> }[] {
  return [...itemsOf(station)].flatMap(({ item }) => (item.interface ? [{ item, one: item.interface }] : []))
}

/** An interface of a device by its label or entry; default: the first of a type. @throws GatewayError `not_found` */
export function requireInterface(
  device: Device,
  station: Station,
  label: string | undefined,
  path: string,
  type?: string,
): { network: string; type: string } {
  const all = interfacesOf(station)
  const found =
    label === undefined
      ? all.find(({ one }) => type === undefined || one.type === type)
      : (all.find(({ one }) => same(one.network, label)) ??
        all.find(({ one, item }) => same(one.label, label) || same(item.name, label)))
  if (found) return { network: found.one.network, type: found.one.type }
  const entry = device.network?.interfaces.find((one) =>
    label === undefined ? type === undefined || same(one.subnetType ?? 'Ethernet', type) : same(one.name, label),
  )
  if (entry) return { network: entry.name, type: entry.subnetType ?? 'Ethernet' }
  const names = all.map(({ one }) => one.network).join(', ') || 'none'
  throw problem(
    'not_found',
    `${path}: "${device.name}" has no ${type === undefined ? '' : `${type} `}interface${label === undefined ? '' : ` "${label}"`}; it has ${names}.`,
  )
}

function entryOf(
  device: Device,
  network: string,
  type: string,
): { before: DeviceInterface | null; now: DeviceInterface } {
  const before = device.network?.interfaces.find(({ name }) => name === network) ?? null
  return { before, now: before ?? { name: network, ...(type === 'Ethernet' ? {} : { subnetType: type }) } }
}

/** What `hardware.assign-io-controller` gets. */
export interface Assignment {
  readonly deviceName: string
  readonly controller: string
  readonly interface?: string | undefined
  readonly controllerInterface?: string | undefined
  readonly deviceNumber?: number | undefined
  readonly busAddress?: number | undefined
}

/** Numbers of IO systems begin with 100, those of DP master systems with 1 (TIA Portal). */
function nextSystemNumber(ctx: Reader, isProfinet: boolean): number {
  const taken = new Set(
    [...ctx.read(devices).values()].flatMap(({ network }) =>
      (network?.interfaces ?? []).flatMap(({ ioSystem }) => ioSystem?.number ?? []),
    ),
  )
  for (let n = isProfinet ? 100 : 1; ; n++) if (!taken.has(n)) return n
}

/**
 * Makes a device an IO device (PROFIBUS: DP slave) of a controller: both are connected to one subnet, the controller
 * gets an IO system when it has none, and I/O addresses that its other modules have are changed.
 * @throws GatewayError `not_found`, `conflict` (no controller, other subnet, number taken), `invalid_input`
 */
export async function assignController(ctx: CommandContext, input: Assignment) {
  const device = requireDevice(ctx, input.deviceName)
  const controller = requireDevice(ctx, input.controller)
  if (device.id === controller.id)
    throw problem('conflict', `/controller: "${device.name}" cannot be its own IO device.`)
  if (controller.kind !== 'PLC')
    throw problem(
      'conflict',
      `/controller: "${controller.name}" (${controller.typeName}) has no CPU that controls IO devices.`,
    )
  if (device.kind !== 'IO' && device.kind !== 'Drive' && device.kind !== 'Switch' && device.kind !== 'Other')
    throw problem(
      'conflict',
      `/deviceName: "${device.name}" (${device.typeName}) is no IO device: it is a ${device.kind}.`,
    )
  const station = await stationOf(ctx, device)
  const owner = await stationOf(ctx, controller)
  const own = requireInterface(device, station, input.interface, '/interface')
  const theirs = requireInterface(controller, owner, input.controllerInterface, '/controllerInterface', own.type)
  if (own.type !== theirs.type)
    throw problem(
      'conflict',
      `/controllerInterface: ${theirs.network} of "${controller.name}" is ${theirs.type}, ${own.network} of "${device.name}" is ${own.type}.`,
    )
  const mine = entryOf(device, own.network, own.type)
  const master = entryOf(controller, theirs.network, theirs.type)
  if (mine.now.ioSystem?.role === 'device')
    throw problem('conflict', `"${device.name}" belongs to IO system "${mine.now.ioSystem.name}" already.`, {
      suggestion: `POST /api/devices/${encodeURIComponent(device.name)}/actions/release-io-controller`,
    })
  const { subnet: a } = mine.now
  const { subnet: b } = master.now
  if (a !== undefined && b !== undefined && !same(a, b))
    throw problem(
      'conflict',
      `"${device.name}" is in subnet "${a}", "${controller.name}" in "${b}": connect them to one.`,
    )
  const isProfinet = own.type === 'Ethernet'
  const subnet = b ?? a ?? freeSubnetName(ctx, isProfinet ? 'PN/IE_' : 'PROFIBUS_')
  const system =
    master.now.ioSystem?.role === 'controller'
      ? master.now.ioSystem
      : {
          name: isProfinet ? 'PROFINET IO-System' : 'DP-Mastersystem',
          number: nextSystemNumber(ctx, isProfinet),
          role: 'controller' as const,
        }
  const name = freeSystemName(ctx, system, subnet, controller)
  const deviceNumber = requireDeviceNumber(ctx, { ...system, name }, subnet, input.deviceNumber)
  const type = isProfinet ? {} : { subnetType: own.type }
  const busAddress = master.now.busAddress ?? 2
  const bus = isProfinet ? {} : { busAddress: requireBusAddress(ctx, subnet, mine.now, input.busAddress, busAddress) }
  setInterface(ctx, controller, master.before, {
    ...master.now,
    ...type,
    ...(isProfinet ? {} : { busAddress }),
    subnet,
    ioSystem: { ...system, name },
  })
  setInterface(ctx, device, mine.before, {
    ...mine.now,
    ...type,
    ...bus,
    subnet,
    ioSystem: {
      name,
      ...defined({ number: system.number }),
      role: 'device',
      deviceNumber,
    },
  })
  const addressChanges = await settle(ctx, requireDevice(ctx, device.name), controller, owner, station)
  return {
    deviceName: device.name,
    controller: controller.name,
    ioSystem: name,
    ...defined({ ioSystemNumber: system.number }),
    deviceNumber,
    subnet,
    addressChanges,
  }
}

function freeSubnetName(ctx: Reader, prefix: string): string {
  const taken = new Set(allSubnets(ctx).map(({ name }) => name.toLowerCase()))
  for (let n = 1; ; n++) if (!taken.has(`${prefix}${n}`.toLowerCase())) return `${prefix}${n}`
}

/** The name of an IO system is unique in its subnet; two controllers in one subnet have two. */
function freeSystemName(ctx: Reader, { name }: { name: string }, subnet: string, controller: Device): string {
  const taken = new Set<string>()
  for (const { device, one } of nodesOf(ctx, subnet))
    if (device.id !== controller.id && one.ioSystem?.role === 'controller') taken.add(one.ioSystem.name.toLowerCase())
  if (!taken.has(name.toLowerCase())) return name
  for (let n = 1; ; n++) if (!taken.has(`${name}_${n}`.toLowerCase())) return `${name}_${n}`
}

function requireDeviceNumber(ctx: Reader, system: { name: string }, subnet: string, wish: number | undefined): number {
  const taken = new Map<number, string>()
  for (const { device, one } of nodesOf(ctx, subnet))
    if (
      one.ioSystem?.role === 'device' &&
      same(one.ioSystem.name, system.name) &&
      one.ioSystem.deviceNumber !== undefined
    )
      taken.set(one.ioSystem.deviceNumber, device.name)
  let free = 1
  while (taken.has(free)) free++
  if (wish === undefined) return free
  const holder = taken.get(wish)
  if (holder !== undefined)
    throw problem('conflict', `/deviceNumber: ${wish} is the number of "${holder}" in IO system "${system.name}".`, {
      suggestion: `Free: ${free}`,
    })
  return wish
}

function requireBusAddress(
  ctx: Reader,
  subnet: string,
  own: DeviceInterface,
  wish: number | undefined,
  ofMaster: number,
): number {
  const taken = new Map<number, string>([[ofMaster, 'the master']])
  for (const { device, one } of nodesOf(ctx, subnet))
    if (one.busAddress !== undefined && one !== own) taken.set(one.busAddress, device.name)
  const wanted = wish ?? own.busAddress
  if (wanted !== undefined) {
    const holder = taken.get(wanted)
    if (holder === undefined) return wanted
    if (wish !== undefined) throw problem('conflict', `/busAddress: ${wanted} is the PROFIBUS address of ${holder}.`)
  }
  for (let n = 3; n <= 125; n++) if (!taken.has(n)) return n
  throw problem('conflict', `Subnet "${subnet}" has no free PROFIBUS address.`)
}

/** Changes the addresses of a device that others of its new controller have, and stores both stations. */
async function settle(ctx: CommandContext, device: Device, controller: Device, owner: Station, station: Station) {
  if (!ctx.read(stations).get(controller.id)) ctx.emit(stationSet, { station: owner }, `device/${controller.name}`)
  const env = await environmentOf(ctx, device)
  const taken = [...env.others]
  const ofOthers = [...env.identifiers].filter(([, holder]) => holder !== device.id)
  const usedIdentifiers = new Set(ofOthers.map(([number]) => number))
  let nextIdentifier = 257
  const changes: string[] = []
  const settled = (item: DeviceItem): DeviceItem => {
    const addresses = item.addresses?.map((one) => {
      const bytes = bytesOf(one)
      const { ioType } = one
      let { start } = one
      if (holderOf(taken, { ioType, from: start, to: start + bytes })) {
        const free = freeStart(taken, { ioType, bytes, from: 0, step: 1, limit: env.limit })
        if (free === undefined)
          throw problem(
            'conflict',
            `"${controller.name}" has no ${bytes} free bytes for "${item.name}" of "${device.name}".`,
          )
        changes.push(`${item.name}: ${ioType} ${start} became ${free}`)
        start = free
      }
      taken.push({ ioType, from: start, to: start + bytes, deviceId: device.id, item, module: item })
      return { ...one, start }
    })
    let { hardwareIdentifier } = item
    if (hardwareIdentifier !== undefined && usedIdentifiers.has(hardwareIdentifier)) {
      while (usedIdentifiers.has(nextIdentifier)) nextIdentifier++
      hardwareIdentifier = nextIdentifier
    }
    if (hardwareIdentifier !== undefined) usedIdentifiers.add(hardwareIdentifier)
    return {
      ...item,
      ...defined({ addresses, hardwareIdentifier }),
      items: item.items.map(settled),
    }
  }
  const racks = station.racks.map((rack) => ({ ...rack, items: rack.items.map(settled) }))
  ctx.emit(stationSet, { station: { ...station, racks } }, `device/${device.name}`)
  return changes
}

/** See `hardware.release-io-controller`. The device stays in the subnet, with its addresses. */
export function releaseController(ctx: CommandContext, deviceName: string) {
  const device = requireDevice(ctx, deviceName)
  const own = device.network?.interfaces.find(({ ioSystem }) => ioSystem?.role === 'device')
  if (!own?.ioSystem) throw problem('conflict', `"${device.name}" belongs to no IO system.`)
  const { ioSystem, ...rest } = own
  setInterface(ctx, device, own, rest)
  return { deviceName: device.name, ioSystem: ioSystem.name, released: true }
}

/** A port of a device by `X1 P1`, `X1 P1 R`, `Port_1` or its id. @throws GatewayError `not_found` */
async function requirePort(
  ctx: CommandContext,
  deviceName: string,
  port: string,
  path: string,
): Promise<{ device: Device; station: Station; port: Port; label: string }> {
  const device = requireDevice(ctx, deviceName)
  const station = await stationOf(ctx, device)
  const ports = interfacesOf(station).flatMap(({ one }) => one.ports.map((each) => ({ one, port: each })))
  const plain = (text: string) => text.toLowerCase().replace(/ r$/, '').replace(/\s+/g, '')
  const wanted = plain(port.trim())
  const found =
    ports.find((each) => each.port.id === port) ??
    ports.find((each) => plain(`${each.one.network}${each.port.label}`) === wanted) ??
    ports.find((each) => plain(each.port.label) === wanted || plain(each.port.name) === wanted)
  if (found) return { device, station, port: found.port, label: `${found.one.network} ${found.port.label}` }
  const names = ports.map((each) => `${each.one.network} ${each.port.label}`)
  throw problem('not_found', `${path}: "${device.name}" has no port "${port}"; it has ${names.join(', ') || 'none'}.`)
}

/** See `hardware.link-ports`. @throws GatewayError `conflict` when a port has a cable already */
export async function linkPorts(
  ctx: CommandContext,
  from: { deviceName: string; port: string },
  to: { deviceName: string; port: string },
) {
  const a = await requirePort(ctx, from.deviceName, from.port, '/port')
  const b = await requirePort(ctx, to.deviceName, to.port, '/partnerPort')
  if (a.device.id === b.device.id)
    throw problem('conflict', `A cable joins two devices; both ports are of "${a.device.name}".`)
  for (const { port, label, device } of [a, b]) {
    const taken = [...ctx.read(topologyLinks).values()].find(
      (link) => link.a.portId === port.id || link.b.portId === port.id,
    )
    if (taken)
      throw problem('conflict', `${label} of "${device.name}" is connected already.`, {
        suggestion: `DELETE /api/projects/topology/links/${taken.id}`,
      })
  }
  for (const { device, station } of [a, b])
    if (!ctx.read(stations).get(device.id)) ctx.emit(stationSet, { station }, `device/${device.name}`)
  const link: TopologyLink = {
    id: guid(ctx.newId(), 'link'),
    a: { deviceId: a.device.id, portId: a.port.id },
    b: { deviceId: b.device.id, portId: b.port.id },
  }
  ctx.emit(linkSet, { link }, `device/${a.device.name}`)
  return { id: link.id, device: a.device.name, port: a.label, partner: b.device.name, partnerPort: b.label }
}

/** See `hardware.unlink-ports`. */
export function unlinkPorts(ctx: CommandContext, id: string) {
  const link = ctx.read(topologyLinks).get(id)
  if (!link)
    throw notFound(
      'topology link',
      id,
      [...ctx.read(topologyLinks).values()].map((one) => one.id),
    )
  ctx.emit(linkRemoved, { link }, `link/${id}`)
  return { id, removed: true }
}
