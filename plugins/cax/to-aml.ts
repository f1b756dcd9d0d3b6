/** The hardware of devices as the AML library describes it. */

import type { QueryContext } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import { counted } from '../../lib/counted.ts'
import { guidOf } from '../../plc/formats/aml/guid.ts'
import type {
  AmlCommunicationInterface,
  AmlHardware,
  AmlItem,
  AmlNode,
  AmlStation,
  AmlSubnet,
  AmlTagTable,
} from '../../plc/formats/aml/hardware.ts'
import { type Device, type DeviceInterface, devices } from '../devices/index.ts'
import { connections, type DeviceItem, type Station, stationOf, subnets, topologyLinks } from '../hardware/index.ts'
import { requireProject } from '../projects/index.ts'
import { tagTablesOf } from '../tags/index.ts'
import { absentNode } from './from-aml.ts'
import { attributeOfParameters, deviceNumberAttribute, projectGuid } from './own-attributes.ts'

type Context = Pick<QueryContext, 'read' | 'extensions' | 'files' | 'gateway'>

/** The hardware of some devices, and what an AML file cannot hold of them. */
export interface Collected {
  readonly hardware: AmlHardware
  readonly stations: readonly Station[]
  readonly warnings: readonly string[]
}

const systemKey = (name: string | undefined, subnet: string | undefined) =>
  `${subnet?.toLowerCase() ?? ''}\n${name?.toLowerCase() ?? ''}`

/** Collects the hardware of devices, in their order. */
export async function hardwareOf(ctx: Context, chosen: readonly Device[]): Promise<Collected> {
  const open = requireProject(ctx)
  const placed = [...ctx.read(devices).values()].filter(({ unplaced }) => !unplaced)
  const all = new Map<string, Station>()
  for (const one of placed) all.set(one.id, await stationOf(ctx, one))
  const ids = new Ids(open.id, placed, all)
  const warnings: string[] = []
  const used = new Set<string>()
  const stations = chosen.map((one) => all.get(one.id) as Station)
  const amlStations = chosen.map((one, i) => {
    const aml = new StationWriter(ids, one, warnings).station(stations[i] as Station, tablesOf(ctx, one, warnings))
    for (const { subnet } of one.network?.interfaces ?? []) if (subnet !== undefined) used.add(subnet.toLowerCase())
    return aml
  })
  const isWhole = chosen.length === placed.length
  const known = ctx.read(subnets)
  const named = new Map<string, AmlSubnet>()
  for (const [key, { id, name, type, attributes }] of known.entries())
    if (isWhole || used.has(key)) named.set(key, { id, name, type, ...(attributes ? { attributes } : {}) })
  for (const { network } of chosen)
    for (const { subnet, subnetType } of network?.interfaces ?? []) {
      const key = subnet?.toLowerCase() ?? ''
      if (subnet !== undefined && !named.has(key))
        named.set(key, { id: ids.subnet(subnet), name: subnet, type: subnetType ?? 'Ethernet' })
    }
  const chosenIds = new Set(chosen.map(({ id }) => id))
  const left = [...ctx.read(connections).values()].filter(({ local }) => chosenIds.has(local.deviceId)).length
  if (left > 0)
    warnings.push(
      `${counted(left, 'connection is', 'connections are')} not in the file: CAx files have no place for such`,
    )
  const links = [...ctx.read(topologyLinks).values()].map(({ a, b }) => ({ a: a.portId, b: b.portId }))
  const hardware: AmlHardware = {
    project: { id: projectGuid(open.id), name: open.name },
    subnets: [...named.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    stations: amlStations,
    links,
  }
  return { hardware: withStoredSubnets(hardware, open.id, named), stations, warnings }
}

/** Nodes name a subnet by the id that was made of its name: the stored subnet may have another. */
function withStoredSubnets(
  hardware: AmlHardware,
  projectId: string,
  named: ReadonlyMap<string, AmlSubnet>,
): AmlHardware {
  const stored = new Map([...named].map(([key, { id }]) => [subnetId(projectId, key), id]))
  const inItem = (item: AmlItem): AmlItem => {
    const node = item.interface?.node
    const id = node?.subnet === undefined ? undefined : stored.get(node.subnet)
    return {
      ...item,
      items: item.items.map(inItem),
      ...(item.interface && node && id !== undefined
        ? { interface: { ...item.interface, node: { ...node, subnet: id } } }
        : {}),
    }
  }
  return { ...hardware, stations: hardware.stations.map((one) => ({ ...one, racks: one.racks.map(inItem) })) }
}

function subnetId(projectId: string, key: string): string {
  return guidOf(projectId, 'subnet', key)
}

/** GUIDs of subnets and IO systems, by their names. */
class Ids {
  readonly #projectId: string
  readonly #systems = new Map<string, string>()

  constructor(projectId: string, placed: readonly Device[], stations: ReadonlyMap<string, Station>) {
    this.#projectId = projectId
    for (const one of placed)
      for (const item of itemsBelow(stations.get(one.id)?.racks ?? [])) {
        const entry = entryOf(one, item)
        if (entry?.ioSystem?.role === 'controller')
          this.#systems.set(systemKey(entry.ioSystem.name, entry.subnet), ioSystemId(item))
      }
  }

  subnet(name: string): string {
    return subnetId(this.#projectId, name.toLowerCase())
  }

  system(name: string, subnet: string | undefined): string | undefined {
    return this.#systems.get(systemKey(name, subnet))
  }
}

function ioSystemId(item: DeviceItem): string {
  return item.interface?.ioSystem?.id ?? guidOf(item.id, 'io-system')
}

function* itemsBelow(items: readonly DeviceItem[]): Generator<DeviceItem> {
  for (const item of items) {
    yield item
    yield* itemsBelow(item.items)
  }
}

/** The network data of an item's interface. */
function entryOf({ network }: Device, item: DeviceItem): DeviceInterface | undefined {
  const name = item.interface?.network
  return name === undefined ? undefined : network?.interfaces.find((one) => one.name === name)
}

class StationWriter {
  readonly #ids: Ids
  readonly #device: Device
  readonly #warnings: string[]

  constructor(ids: Ids, device: Device, warnings: string[]) {
    this.#ids = ids
    this.#device = device
    this.#warnings = warnings
  }

  station(station: Station, tagTables: readonly AmlTagTable[]): AmlStation {
    const { id, name, typeIdentifier, groups, comment, racks, attributes } = station
    const written = new Set<string>()
    for (const item of itemsBelow(racks)) if (item.interface) written.add(item.interface.network)
    for (const one of this.#device.network?.interfaces ?? [])
      if (!written.has(one.name))
        this.#warnings.push(
          `interface ${one.name} of "${this.#device.name}" is not in the file: the station has no such interface`,
        )
    return {
      id,
      name,
      typeIdentifier,
      groups,
      ...defined({ comment }),
      racks: racks.map((one) => this.#item(one, tagTables)),
      ...(attributes ? { attributes } : {}),
    }
  }

  #item(item: DeviceItem, tagTables: readonly AmlTagTable[]): AmlItem {
    const { interface: one, items, moduleKind: _kind, hardwareIdentifier: _identifier, parameters, ...rest } = item
    const attributes = [
      ...(one ? this.#attributes(item) : (item.attributes ?? [])),
      ...(parameters && Object.keys(parameters).length > 0 ? [attributeOfParameters(parameters)] : []),
    ]
    return {
      ...rest,
      ...(one ? { interface: this.#interface(item, one) } : {}),
      ...(item.role === 'CPU' && tagTables.length > 0 ? { tagTables } : {}),
      attributes,
      items: items.map((inside) => this.#item(inside, tagTables)),
    }
  }

  #attributes(item: DeviceItem) {
    const number = entryOf(this.#device, item)?.ioSystem?.deviceNumber
    const others = (item.attributes ?? []).filter(({ name }) => name !== deviceNumberAttribute)
    const own = { name: deviceNumberAttribute, value: String(number), type: 'xs:int' }
    return number === undefined ? others : [...others, own]
  }

  #interface(item: DeviceItem, one: NonNullable<DeviceItem['interface']>): AmlCommunicationInterface {
    const entry = entryOf(this.#device, item)
    const system = entry?.ioSystem
    const controls = system?.role === 'controller'
    const memberOf = system?.role === 'device' ? this.#ids.system(system.name, entry?.subnet) : undefined
    if (system?.role === 'device' && memberOf === undefined)
      this.#warnings.push(
        `"${this.#device.name}" (${entry?.name}) belongs to IO system "${system.name}", which no device of the project controls: it is not in the file`,
      )
    return {
      label: one.label,
      type: one.type,
      ...(entry || one.node.id !== absentNode(item.id) ? { node: this.#node(one, entry) } : {}),
      ...(controls || one.ioSystem
        ? {
            ioSystem: {
              name: 'PROFINET IO-System',
              ...one.ioSystem,
              ...(controls ? { name: system.name } : {}),
              ...(controls && system.number !== undefined ? { number: system.number } : {}),
              id: ioSystemId(item),
            },
          }
        : {}),
      ...defined({ memberOf }),
      ports: one.ports,
    }
  }

  #node({ node, type }: NonNullable<DeviceItem['interface']>, entry: DeviceInterface | undefined): AmlNode {
    const { ipAddress, subnetMask, routerAddress, ipProtocol, profinetDeviceName, busAddress, subnet } = entry ?? {}
    const fields = { ipAddress, subnetMask, routerAddress, ipProtocol, profinetDeviceName, busAddress }
    return {
      ...node,
      type: entry?.subnetType ?? type,
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(subnet === undefined ? {} : { subnet: this.#ids.subnet(subnet) }),
    }
  }
}

const ioAddress = /^%[IQ]/

/** The tag tables of a CPU with what CAx files hold of them: tags of the I/O area. */
function tablesOf(ctx: Context, device: Device, warnings: string[]): AmlTagTable[] {
  if (device.kind !== 'PLC') return []
  let left = 0
  const tables = tagTablesOf(ctx, device.id).map(({ name, tags, constants }): AmlTagTable => {
    const held = tags.filter(({ logicalAddress }) => ioAddress.test(logicalAddress))
    left += tags.length - held.length + constants.length
    return {
      id: '',
      name,
      tags: held.map((tag) => ({
        name: tag.name,
        dataType: tag.dataType,
        address: tag.logicalAddress,
        comment: tag.comment,
      })),
    }
  })
  if (left > 0)
    warnings.push(
      `${counted(left, 'tag or constant', 'tags and constants')} of "${device.name}" ${left === 1 ? 'is' : 'are'} not in the file: CAx files hold only tags of inputs and outputs`,
    )
  return tables
}
