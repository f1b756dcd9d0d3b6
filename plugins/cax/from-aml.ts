/** The hardware of an AML file as the model of the project has it. */
import { defined } from '../../core/index.ts'
import { guidOf } from '../../plc/formats/aml/guid.ts'
import { type AmlHardware, type AmlItem, type AmlStation, everyItem, mainItem } from '../../plc/formats/aml/hardware.ts'
import {
  type CatalogEntry,
  type Device,
  type DeviceInterface,
  type DeviceKind,
  deviceKindOf,
} from '../devices/index.ts'
import type { DeviceItem, Station } from '../hardware/index.ts'
import { deviceNumberAttribute, parametersOf } from './own-attributes.ts'

/** The id of the node of an interface whose file has none: it is not written. */
export function absentNode(interfaceId: string): string {
  return guidOf(interfaceId, 'node')
}

/** Looks order numbers up, each once. */
export type Lookup = (orderNumber: string) => Promise<CatalogEntry | undefined>

/** What a file's station becomes. */
export interface Converted {
  readonly type: Pick<Device, 'orderNumber' | 'firmware' | 'typeIdentifier' | 'typeName' | 'family' | 'kind'>
  readonly interfaces: readonly DeviceInterface[]
  readonly station: Omit<Station, 'deviceId'>
  /** Order numbers that the catalog has not, with an item each. */
  readonly unknown: ReadonlyMap<string, readonly AmlItem[]>
  /** Items that got the newest known firmware, because the file names none. */
  readonly newest: number
}

/** `6ES7 515-2AM01-0AB0` of `OrderNumber:6ES7 515-2AM01-0AB0/V2.6`. */
function orderNumberOf(typeIdentifier: string | undefined): string | undefined {
  const [, number] = /^OrderNumber:([^/]+)/i.exec(typeIdentifier ?? '') ?? []
  return number?.trim()
}

/** What nodes of a file refer to. */
export interface Surroundings {
  readonly subnets: ReadonlyMap<string, { readonly name: string; readonly type: string }>
  readonly systems: ReadonlyMap<string, { readonly name: string; readonly number?: number }>
}

/** The subnets and IO systems of a file by their ids. */
export function surroundingsOf({ subnets, stations }: AmlHardware): Surroundings {
  const systems = new Map<string, { name: string; number?: number }>()
  for (const { racks } of stations)
    for (const { interface: one } of everyItem(racks)) if (one?.ioSystem) systems.set(one.ioSystem.id, one.ioSystem)
  return { subnets: new Map(subnets.map((one) => [one.id, one])), systems }
}

/** Converts a station. Order numbers that the catalog does not have are kept. */
export async function convertStation(aml: AmlStation, around: Surroundings, lookup: Lookup): Promise<Converted> {
  return new Converter(around, lookup).convert(aml)
}

class Converter {
  readonly #around: Surroundings
  readonly #lookup: Lookup
  readonly #interfaces: DeviceInterface[] = []
  readonly #unknown = new Map<string, AmlItem[]>()
  #newest = 0
  #hasHead = false

  constructor(around: Surroundings, lookup: Lookup) {
    this.#around = around
    this.#lookup = lookup
  }

  async convert(aml: AmlStation): Promise<Converted> {
    const main = mainItem(aml)
    this.#hasHead = main?.role !== undefined
    const racks = await this.#items(aml.racks)
    const { id, name, typeIdentifier, groups, comment, attributes } = aml
    return {
      type: await this.#type(aml, main),
      interfaces: this.#interfaces,
      station: {
        id,
        name,
        typeIdentifier,
        groups,
        ...defined({ comment }),
        racks,
        ...(attributes ? { attributes } : {}),
      },
      unknown: this.#unknown,
      newest: this.#newest,
    }
  }

  async #type(aml: AmlStation, main: AmlItem | undefined): Promise<Converted['type']> {
    const identifier = main?.typeIdentifier ?? aml.typeIdentifier
    const orderNumber = orderNumberOf(identifier) ?? identifier
    const entry = await this.#lookup(orderNumber)
    const firmware = main?.firmware ?? entry?.firmware.at(-1) ?? ''
    return {
      orderNumber,
      firmware,
      typeIdentifier: /^OrderNumber:/i.test(identifier)
        ? `OrderNumber:${orderNumber}${firmware ? `/${firmware}` : ''}`
        : identifier,
      typeName: main?.typeName ?? entry?.typeName ?? '',
      family: entry?.family ?? familyOf(aml.typeIdentifier),
      kind: await kindOf(main, entry),
    }
  }

  async #items(items: readonly AmlItem[], module?: AmlItem): Promise<DeviceItem[]> {
    const all: DeviceItem[] = []
    for (const item of items) all.push(await this.#item(item, item.kind === 'module' ? item : module))
    return all
  }

  async #item(item: AmlItem, module: AmlItem | undefined): Promise<DeviceItem> {
    const { line: _line, tagTables: _tables, interface: one, items, attributes, ...rest } = item
    const orderNumber = item.kind === 'rack' ? undefined : orderNumberOf(item.typeIdentifier)
    const entry = orderNumber === undefined ? undefined : await this.#lookup(orderNumber)
    if (orderNumber !== undefined && !entry)
      this.#unknown.set(orderNumber, [...(this.#unknown.get(orderNumber) ?? []), item])
    const newest = item.firmware === undefined ? entry?.firmware.at(-1) : undefined
    if (newest !== undefined) this.#newest += 1
    const { parameters, others } = parametersOf(attributes ?? [])
    const free = others.filter(({ name }) => !one || name !== deviceNumberAttribute)
    return {
      ...rest,
      ...(orderNumber === undefined ? {} : { typeIdentifier: `OrderNumber:${orderNumber}` }),
      ...defined({ firmware: newest }),
      ...(entry ? { moduleKind: entry.kind } : {}),
      ...(free.length > 0 ? { attributes: free } : {}),
      ...(parameters ? { parameters } : {}),
      ...(one ? { interface: this.#interface(item, one, module) } : {}),
      items: await this.#items(items, module),
    }
  }

  #interface(
    item: AmlItem,
    one: NonNullable<AmlItem['interface']>,
    module: AmlItem | undefined,
  ): NonNullable<DeviceItem['interface']> {
    const { label, type, node, ioSystem, memberOf, ports } = one
    const network = this.#freeName(label || item.name, module)
    const entry = this.#entry(network, item, one)
    if (entry) this.#interfaces.push(entry)
    const identity = ({ id, name, attributes }: { id: string; name: string; attributes?: AmlItem['attributes'] }) => ({
      id,
      name,
      ...(attributes ? { attributes } : {}),
    })
    return {
      label,
      type,
      network,
      node: node ? identity(node) : { id: absentNode(item.id), name: 'IE1' },
      ...(ioSystem && memberOf === undefined ? { ioSystem: identity(ioSystem) } : {}),
      ports: ports.map(({ line: _line, ...port }) => port),
    }
  }

  /**
   * Labels repeat in a station: each communication processor has its X1. Those of cards have the name that a card gives
   * its interfaces when it is plugged.
   */
  #freeName(label: string, module: AmlItem | undefined): string {
    const taken = new Set(this.#interfaces.map(({ name }) => name))
    const isCard = this.#hasHead && module !== undefined && module.role === undefined
    if (!isCard && !taken.has(label)) return label
    const long = module ? `${module.name}.${label}` : label
    if (!taken.has(long)) return long
    for (let n = 2; ; n++) if (!taken.has(`${long}_${n}`)) return `${long}_${n}`
  }

  #entry(name: string, item: AmlItem, one: NonNullable<AmlItem['interface']>): DeviceInterface | undefined {
    const { node, ioSystem, memberOf } = one
    const subnet = node?.subnet === undefined ? undefined : this.#around.subnets.get(node.subnet)
    const system = memberOf === undefined ? undefined : this.#around.systems.get(memberOf)
    const number = item.attributes?.find((attribute) => attribute.name === deviceNumberAttribute)?.value
    const deviceNumber = number !== undefined && /^\d{1,5}$/.test(number) ? Number(number) : undefined
    if (!node && !system) return undefined
    const { ipAddress, subnetMask, routerAddress, profinetDeviceName, ipProtocol, busAddress } = node ?? {}
    const fields = {
      ipAddress,
      subnetMask,
      routerAddress,
      profinetDeviceName,
      // Project is the default.
      ipProtocol: ipProtocol === 'Project' ? undefined : ipProtocol,
      busAddress,
      subnet: subnet?.name,
      subnetType: one.type === 'Ethernet' ? undefined : one.type,
    }
    const role = system ? ('device' as const) : ('controller' as const)
    const of = system ?? ioSystem
    return {
      name,
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(of
        ? {
            ioSystem: {
              name: of.name,
              ...defined({ number: of.number }),
              role,
              ...(system && deviceNumber !== undefined ? { deviceNumber } : {}),
            },
          }
        : {}),
    }
  }
}

async function kindOf(main: AmlItem | undefined, entry: CatalogEntry | undefined): Promise<DeviceKind> {
  if (main?.role === 'CPU') return 'PLC'
  if (main?.role === 'HeadModule') return 'IO'
  return entry ? deviceKindOf(entry) : 'Other'
}

/** Of `System:Device.S71500`, when the catalog does not know the device: `S7-1500`; of a GSD file its name. */
function familyOf(typeIdentifier: string): string {
  const [, file] = /^GSD:([^/]+)/i.exec(typeIdentifier) ?? []
  if (file !== undefined) return file
  const [, name = ''] = /^System:Device\.(.*)$/.exec(typeIdentifier) ?? []
  return name.replace(/^S7(\d+)$/, 'S7-$1').replace(/^ET(\d+)/, 'ET $1')
}
