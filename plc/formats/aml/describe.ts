/** Describes hardware as an AML document of a version (docs/formats.md#hardware-as-aml). */
import { defined } from '../../../lib/optional.ts'
import type { AmlAttribute, AmlDocument, AmlElement, AmlInterface, AmlLink, KeptXml } from './document.ts'
import { guidOf } from './guid.ts'
import {
  type AmlAddress,
  type AmlChannel,
  type AmlCommunicationInterface,
  type AmlHardware,
  type AmlItem,
  type AmlNode,
  type AmlPort,
  type AmlStation,
  type AmlSubnet,
  type AmlTag,
  channelAddress,
  channelName,
  everyItem,
  type FreeAttribute,
  mainItem,
} from './hardware.ts'
import { ethernetNode, interfaceClass, type Role, rolePath } from './roles.ts'

/** Versions that files are written for. */
export const amlVersions = ['V16', 'V17', 'V18', 'V19', 'V20', 'V21'] as const
/** A version that files are written for. */
export type AmlVersion = (typeof amlVersions)[number]

/** What is written besides the hardware. */
export interface DescribeOptions {
  readonly version: AmlVersion
  /** `Line1.aml`. */
  readonly fileName: string
  /** RFC 3339: when the hardware was changed last. */
  readonly writtenAt: string
}

/** A document, and what of the hardware it cannot express. */
export interface Description {
  readonly document: AmlDocument
  readonly warnings: readonly string[]
}

/** Release of this writer: another one may write other bytes. */
const writerRelease = '1.0'

/** Describes hardware. Ids that are missing are made of the ids around them. */
export function describeHardware(hardware: AmlHardware, options: DescribeOptions): Description {
  return new Describer(options).describe(hardware)
}

const endPoint = (role: 'Subnet' | 'Node' | 'Interface' | 'IoSystem') => `LogicalEndPoint_${role}`
const portInterface = 'CommunicationPortInterface'

class Describer {
  readonly #options: DescribeOptions
  readonly #major: number
  readonly #linkedSubnets = new Set<string>()
  readonly #linkedIoSystems = new Set<string>()
  readonly #linkedPorts = new Set<string>()
  readonly #links: Record<'Subnet' | 'IoSystem' | 'Port' | 'Tag', [string, string][]> = {
    Subnet: [],
    IoSystem: [],
    Port: [],
    Tag: [],
  }
  #namesLeftOut = 0

  constructor(options: DescribeOptions) {
    this.#options = options
    this.#major = Number(options.version.slice(1))
  }

  describe(hardware: AmlHardware): Description {
    this.#collect(hardware)
    const { project, subnets, stations } = hardware
    const folders = folderTree(stations)
    const element: AmlElement = {
      ...bare(project.id, project.name, 'AutomationProject'),
      elements: [
        ...subnets.map((one) => this.#subnet(one)),
        ...folders.folders.map((one) => this.#folder(one, project.id)),
        ...folders.stations.map((one) => this.#station(one)),
      ],
      links: Object.entries(this.#links).flatMap(([noun, pairs]) =>
        pairs.map(([sideA, sideB], i): AmlLink => ({ name: `Link To ${noun}_${i + 1}`, sideA, sideB })),
      ),
    }
    const hierarchies = [{ name: 'Instance Hierarchy', elements: [element] }]
    const warnings =
      this.#namesLeftOut === 0
        ? []
        : [
            `${this.#namesLeftOut} PROFINET device names are not in the file: ${this.#options.version} has no place for them`,
          ]
    const further = {
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      SchemaVersion: '2.15',
      'xsi:noNamespaceSchemaLocation': 'CAEX_ClassModel_V2.15.xsd',
    }
    return {
      document: { fileName: this.#options.fileName, further, before: this.#header(), hierarchies },
      warnings,
    }
  }

  #header(): KeptXml[] {
    const { writtenAt } = this.#options
    const field = (name: string, text: string): KeptXml => ({ name, attributes: {}, content: [text] })
    const information = (attributes: Record<string, string>, content: KeptXml[]): KeptXml => ({
      name: 'AdditionalInformation',
      attributes,
      content,
    })
    const writer: KeptXml = {
      name: 'WriterHeader',
      attributes: {},
      content: [
        field('WriterName', 'Gantry'),
        field('WriterID', 'Gantry'),
        field('WriterVendor', 'Gantry'),
        field('WriterVendorURL', 'https://www.npmjs.com/package/gantry'),
        // The engineering version that the file is for, as TIA Portal writes its own.
        field('WriterVersion', `${this.#major}00`),
        field('WriterRelease', writerRelease),
        field('LastWritingDateTime', writtenAt),
      ],
    }
    const recommendation: KeptXml = {
      name: 'Document',
      attributes: { DocumentIdentifier: 'AR APC', Version: this.#major >= 19 ? '1.4.0' : '1.2.0' },
      content: [],
    }
    return [
      information({}, [writer]),
      information({ AutomationMLVersion: '2.0' }, []),
      information({ DocumentVersions: 'Recommendations' }, [recommendation]),
    ]
  }

  /** Links, and which ends they have: an end point is written where a link needs it. */
  #collect({ stations, links, subnets }: AmlHardware): void {
    const knownSubnets = new Set(subnets.map(({ id }) => id))
    const knownSystems = new Set<string>()
    const ports = new Set<string>()
    for (const { racks } of stations)
      for (const { interface: one } of everyItem(racks)) {
        if (one?.ioSystem) knownSystems.add(one.ioSystem.id)
        for (const { id } of one?.ports ?? []) ports.add(id)
      }
    for (const station of stations) {
      for (const { id, interface: one } of everyItem(station.racks)) {
        if (one?.node?.subnet !== undefined && knownSubnets.has(one.node.subnet)) {
          this.#linkedSubnets.add(one.node.id)
          this.#links.Subnet.push([side(one.node.id, endPoint('Node')), side(one.node.subnet, endPoint('Subnet'))])
        }
        if (one?.memberOf !== undefined && knownSystems.has(one.memberOf)) {
          this.#linkedIoSystems.add(id)
          this.#links.IoSystem.push([side(id, endPoint('Interface')), side(one.memberOf, endPoint('IoSystem'))])
        }
      }
    }
    this.#collectTags(stations)
    for (const { a, b } of links) {
      if (!ports.has(a) || !ports.has(b)) continue
      this.#linkedPorts.add(a).add(b)
      this.#links.Port.push([side(a, portInterface), side(b, portInterface)])
    }
  }

  /**
   * A tag belongs to a channel when it has its address. Channels belong to the controller of their IO system; those of
   * a station without one to the CPU of the station.
   */
  #collectTags(stations: readonly AmlStation[]): void {
    const controllerOf = new Map<string, AmlItem>()
    for (const { racks } of stations) {
      const cpu = mainItem({ racks })
      if (cpu?.role !== 'CPU') continue
      for (const { interface: one } of everyItem(racks)) if (one?.ioSystem) controllerOf.set(one.ioSystem.id, cpu)
    }
    for (const { racks } of stations) {
      const own = mainItem({ racks })
      const systems = [...everyItem(racks)].flatMap((one) => one.interface?.memberOf ?? [])
      const system = systems.find((one) => controllerOf.has(one))
      const cpu = own?.role === 'CPU' ? own : system === undefined ? undefined : controllerOf.get(system)
      const tags = cpu && tagsByAddress(cpu)
      if (!tags || tags.size === 0) continue
      for (const item of everyItem(racks)) {
        for (const channel of item.channels ?? []) {
          const found = tags.get(channelAddress(item.addresses ?? [], channel) ?? '')
          if (found) this.#links.Tag.push([side(item.id, channelName(channel)), side(found.table, found.tag)])
        }
      }
    }
  }

  #subnet(subnet: AmlSubnet): AmlElement {
    return {
      ...bare(subnet.id, subnet.name, 'Subnet'),
      attributes: [attribute('Type', subnet.type), ...freeAttributes(subnet.attributes)],
      interfaces: [end(subnet.id, endPoint('Subnet'))],
    }
  }

  #folder(folder: Folder, parent: string): AmlElement {
    const id = guidOf('folder', parent, folder.name)
    return {
      ...bare(id, folder.name, 'DeviceUserFolder'),
      elements: [
        ...folder.folders.map((one) => this.#folder(one, id)),
        ...folder.stations.map((one) => this.#station(one)),
      ],
    }
  }

  #station(station: AmlStation): AmlElement {
    return {
      ...bare(station.id, station.name, 'Device'),
      attributes: present(
        attribute('TypeIdentifier', station.typeIdentifier),
        station.comment === undefined ? undefined : attribute('Comment', station.comment),
        ...freeAttributes(station.attributes),
      ),
      elements: station.racks.map((one) => this.#item(one)),
    }
  }

  #item(item: AmlItem): AmlElement {
    const { id, name, typeIdentifier, typeName, firmware, role, comment, addresses = [] } = item
    const isInterface = item.kind === 'interface'
    const text = (key: string, value: string | undefined) => (value === undefined ? undefined : attribute(key, value))
    return {
      ...bare(id, name, isInterface ? 'CommunicationInterface' : 'DeviceItem'),
      attributes: present(
        text('TypeName', typeName),
        text('DeviceItemType', role),
        text('Label', item.interface?.label),
        attribute('PositionNumber', String(item.position), 'xs:int'),
        attribute('BuiltIn', String(item.builtIn), 'xs:boolean'),
        text('TypeIdentifier', typeIdentifier),
        text('Comment', comment),
        ...freeAttributes(item.attributes),
        text('FirmwareVersion', firmware),
        addresses.length > 0 ? addressList(addresses) : undefined,
      ),
      interfaces: [
        ...(item.channels ?? []).map((one) => channelInterface(id, one)),
        ...(this.#linkedIoSystems.has(id) ? [end(id, endPoint('Interface'))] : []),
      ],
      elements: [
        ...(item.tagTables ?? []).map(({ name: table, tags, ...rest }) => {
          const tableId = rest.id || guidOf('table', id, table)
          const interfaces = tags.map((tag) => tagInterface(tableId, tag))
          return { ...bare(tableId, table, 'TagTable'), interfaces }
        }),
        ...(item.interface ? this.#insideInterface(item.interface) : []),
        ...item.items.map((one) => this.#item(one)),
      ],
    }
  }

  #insideInterface({ node, ioSystem, ports }: AmlCommunicationInterface): AmlElement[] {
    return [
      ...(node ? [this.#node(node)] : []),
      ...(ioSystem
        ? [
            {
              ...bare(ioSystem.id, ioSystem.name, 'IoSystem'),
              attributes: present(
                ioSystem.number === undefined ? undefined : attribute('Number', String(ioSystem.number), 'xs:int'),
                ...freeAttributes(ioSystem.attributes),
              ),
              interfaces: [end(ioSystem.id, endPoint('IoSystem'))],
            },
          ]
        : []),
      ...ports.map((one) => this.#port(one)),
    ]
  }

  #node(node: AmlNode): AmlElement {
    const isEthernet = /^ethernet$/i.test(node.type)
    const address = node.ipAddress ?? (node.busAddress === undefined ? undefined : String(node.busAddress))
    const hasName = node.profinetDeviceName !== undefined
    if (hasName && this.#major < 17) this.#namesLeftOut += 1
    const text = (key: string, value: string | undefined) => (value === undefined ? undefined : attribute(key, value))
    const element = bare(node.id, node.name, 'Node')
    return {
      ...element,
      roles: isEthernet ? [...element.roles, ethernetNode] : element.roles,
      attributes: present(
        text('SubnetMask', node.subnetMask),
        text('RouterAddress', node.routerAddress),
        text('IpProtocolSelection', node.ipProtocol ?? (isEthernet ? 'Project' : undefined)),
        this.#major < 17 ? undefined : text('ProfinetDeviceName', node.profinetDeviceName),
        attribute('Type', node.type),
        text('NetworkAddress', address),
        ...freeAttributes(node.attributes),
      ),
      interfaces: this.#linkedSubnets.has(node.id) ? [end(node.id, endPoint('Node'))] : [],
    }
  }

  #port(port: AmlPort): AmlElement {
    // The blank before R went with V19.
    const [, stem, ring] = /^(P\d+) ?(R?)$/.exec(port.label) ?? []
    const label = stem === undefined ? port.label : ring === 'R' ? `${stem}${this.#major >= 19 ? '' : ' '}R` : stem
    return {
      ...bare(port.id, port.name, 'CommunicationPort'),
      attributes: [
        attribute('Label', label),
        attribute('PositionNumber', String(port.position), 'xs:int'),
        attribute('BuiltIn', String(port.builtIn), 'xs:boolean'),
        ...freeAttributes(port.attributes),
      ],
      interfaces: this.#linkedPorts.has(port.id)
        ? [{ id: guidOf(port.id, portInterface), name: portInterface, classPath: interfaceClass.port, attributes: [] }]
        : [],
    }
  }
}

function side(id: string, name: string): string {
  return `${id}:${name}`
}

function bare(id: string, name: string, role: Role): AmlElement {
  return { id, name, attributes: [], interfaces: [], elements: [], roles: [rolePath(role)], links: [] }
}

function end(element: string, name: string): AmlInterface {
  return { id: guidOf(element, name), name, classPath: interfaceClass.endPoint, attributes: [] }
}

function attribute(name: string, value: string, dataType = 'xs:string'): AmlAttribute {
  return { name, dataType, value, attributes: [] }
}

function present(...attributes: readonly (AmlAttribute | undefined)[]): AmlAttribute[] {
  return attributes.filter((one) => one !== undefined)
}

function freeAttributes(attributes: readonly FreeAttribute[] = []): AmlAttribute[] {
  return attributes.map((one) => ({
    name: one.name,
    ...defined({ dataType: one.type, value: one.value }),
    attributes: freeAttributes(one.attributes),
  }))
}

function addressList(addresses: readonly AmlAddress[]): AmlAttribute {
  return {
    name: 'Address',
    semantic: 'OrderedListType',
    attributes: addresses.map(({ ioType, start, length, attributes }, i) => ({
      name: String(i + 1),
      attributes: [
        attribute('StartAddress', String(start), 'xs:int'),
        attribute('Length', String(length), 'xs:int'),
        attribute('IoType', ioType),
        ...freeAttributes(attributes),
      ],
    })),
  }
}

function channelInterface(element: string, channel: AmlChannel): AmlInterface {
  const name = channelName(channel)
  return {
    id: channel.id ?? guidOf(element, name),
    name,
    classPath: interfaceClass.channel,
    attributes: [
      attribute('Type', channel.kind),
      attribute('IoType', channel.ioType),
      attribute('Number', String(channel.number), 'xs:int'),
      attribute('Length', String(channel.length), 'xs:int'),
      ...freeAttributes(channel.attributes),
    ],
  }
}

function tagInterface(table: string, tag: AmlTag): AmlInterface {
  const [, letter, address = ''] = /^%([IQ])(.*)$/.exec(tag.address) ?? []
  const texts = Object.entries(tag.comment).filter(([, text]) => text !== '')
  const comment: AmlAttribute | undefined = texts[0] && {
    ...attribute('Comment', texts[0][1]),
    attributes: texts
      .filter(([culture]) => culture !== '')
      .map(([culture, text]) => attribute(`aml-lang=${culture}`, text)),
  }
  const type = attribute('DataType', tag.dataType)
  return {
    id: guidOf(table, tag.name),
    name: tag.name,
    classPath: interfaceClass.tag,
    attributes: present(
      // A PLC data type is not one of the standard's.
      tag.dataType.startsWith('"') ? { ...type, attributes: [attribute('Customized', 'true', 'xs:boolean')] } : type,
      attribute('IoType', letter === 'Q' ? 'Output' : 'Input'),
      attribute('LogicalAddress', address),
      comment,
    ),
  }
}

/** Table and tag by the tag's address. */
function tagsByAddress({ id, tagTables = [] }: AmlItem): Map<string, { table: string; tag: string }> {
  const found = new Map<string, { table: string; tag: string }>()
  for (const table of tagTables) {
    for (const { address, name } of table.tags)
      if (!found.has(address)) found.set(address, { table: table.id || guidOf('table', id, table.name), tag: name })
  }
  return found
}

interface Folder {
  readonly name: string
  readonly folders: Folder[]
  readonly stations: AmlStation[]
}

/** The folders of stations, in the order in which stations name them. */
function folderTree(stations: readonly AmlStation[]): Folder {
  const root: Folder = { name: '', folders: [], stations: [] }
  const byPath = new Map<string, Folder>()
  for (const station of stations) {
    let folder = root
    let path = ''
    for (const name of station.groups) {
      path += `/${name}`
      let inside = byPath.get(path)
      if (inside === undefined) {
        inside = { name, folders: [], stations: [] }
        byPath.set(path, inside)
        folder.folders.push(inside)
      }
      folder = inside
    }
    folder.stations.push(station)
  }
  return root
}
