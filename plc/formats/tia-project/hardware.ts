/** Stations with their modules, and the addresses of their interfaces in networks. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** Bytes of a module in the controller's I/O area. */
export interface ModuleAddress {
  readonly ioType: 'Input' | 'Output'
  /** First byte. */
  readonly start: number
  /** Bits. */
  readonly length: number
}

/** A rack, a module or a part of one. */
export interface Module {
  readonly name: string
  /** Slot in its rack or module. */
  readonly position?: number
  /** Hardware identifier (LADDR): the value of its system constant. */
  readonly hardwareIdentifier?: number
  readonly addresses: readonly ModuleAddress[]
  /** The node in a network, for an interface. */
  readonly node?: NetworkNode
  /** It is a port of the interface that it is in. */
  readonly isPort: boolean
  /** The cables at a port; each has the same word at both ends. */
  readonly cables: readonly string[]
  /** It is what the station is named by: its CPU or its head module. */
  readonly isHead: boolean
  /** It is a PLC. */
  readonly isController: boolean
  /** `6ES7 214-1AG40-0XB0`; undefined for what cannot be ordered (ports, interfaces). */
  readonly orderNumber?: string
  /** `V4.2`. */
  readonly firmware?: string
  /** What the tool calls it in English: `CPU 1214C DC/DC/DC`. */
  readonly typeName?: string
  readonly modules: readonly Module[]
}

/** The part that an interface has in an IO system. */
export interface IoSystemPart {
  readonly name: string
  readonly number: number
  readonly role: 'controller' | 'device'
  readonly deviceNumber?: number
}

/** Networks that devices are connected by. */
export type NetworkType = 'Ethernet' | 'Profibus' | 'Mpi'

/** An interface in a network. */
export interface NetworkNode {
  readonly name: string
  /** `X1`, where the file says which interface it is: a node `X1 : PN(LAN)`, or `IE1` of a head module. */
  readonly label?: string
  /** undefined: a connection inside of a device, which is not read further. */
  readonly type?: NetworkType
  readonly ioSystem?: IoSystemPart
  readonly subnet?: string
  /** Dotted; undefined where it is got at run time or not set. */
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly router?: string
  readonly profinetName?: string
  /** Address on PROFIBUS or MPI. */
  readonly busAddress?: number
}

export interface Controller {
  readonly stored: StoredObject
  readonly name: string
  readonly orderNumber?: string
  readonly firmware?: string
  readonly typeName?: string
  readonly nodes: readonly NetworkNode[]
}

export interface Station {
  readonly name: string
  /** `S7-1200 Station`, in English. */
  readonly typeName?: string
  /** Family and kind: `S71200.Device`. */
  readonly subtype?: string
  readonly controllers: readonly Controller[]
  readonly modules: readonly Module[]
}

export const controllerType = 'S7ControllerTargetData'
const mostNested = 32
const parameters = 'IPersistentExpandoData'

/** The stations of a project, in the order of the file. */
export function readStations(store: TiaStore): Station[] {
  const systems = readIoSystems(store)
  return store
    .ofType('DeviceData')
    .filter((device) => store.isInProject(device))
    .map((device) => {
      const items = partsOf(store, device)
      const controllers = store
        .related(device, 'DeviceItems')
        .concat(items.flatMap((item) => [item, ...partsOf(store, item)]))
        .filter(({ type }) => type === controllerType)
      return {
        name: device.name,
        ...optional('typeName', device.text('IDeviceData', 'InvariantTypeName')),
        ...optional('subtype', device.text('ICoreAttributes', 'Subtype')),
        controllers: [...new Set(controllers)].map((item) => readController(store, item, systems)),
        modules: items.map((item) => readModule(store, item, systems, 0)),
      }
    })
}

/** What lies in a device or item. */
function partsOf(store: TiaStore, container: StoredObject): StoredObject[] {
  return [...new Set(store.sources('Container', container))].filter((item) => item.has('IDeviceItemData'))
}

/** What interfaces are in IO systems; the controller or device of a system is a part of its interface. */
type IoSystems = ReadonlyMap<StoredObject, IoSystemPart>

function readIoSystems(store: TiaStore): IoSystems {
  const found = new Map<StoredObject, IoSystemPart>()
  for (const system of store.ofType('MastersystemData')) {
    if (!store.isInProject(system) || !/IOSystem/.test(system.text('ICoreAttributes', 'Subtype') ?? '')) continue
    const number = system.expandoInt(parameters, 'PositionNumber')
    const part = { name: system.name, number: number ?? 0 }
    for (const item of store.related(system, 'Master'))
      for (const of of store.related(item, 'Parent')) found.set(of, { ...part, role: 'controller' })
    for (const item of store.related(system, 'HeadModules')) {
      const deviceNumber = item.expandoInt(parameters, 'PnStationNumber')
      const own = { ...part, role: 'device' as const, ...(deviceNumber === undefined ? {} : { deviceNumber }) }
      for (const of of store.related(item, 'Parent')) found.set(of, own)
    }
  }
  return found
}

function readModule(store: TiaStore, item: StoredObject, systems: IoSystems, depth: number): Module {
  const inner = depth > mostNested ? [] : partsOf(store, item)
  const [node] = store.sources('DeviceItem', item).filter(({ type }) => type === 'NodeData')
  const ioSystem = systems.get(item)
  const identifier = Number(store.first(item, 'ConstantTags')?.text('IDefaultStrategyData', 'DefaultValue'))
  const subtype = item.text('ICoreAttributes', 'Subtype') ?? ''
  return {
    ...describe(item),
    ...(Number.isInteger(identifier) ? { hardwareIdentifier: identifier } : {}),
    addresses: readAddresses(item),
    ...(node ? { node: { ...readNode(store, node), ...(ioSystem ? { ioSystem } : {}) } } : {}),
    isPort: /Port$/.test(subtype),
    cables: cablesOf(store, item),
    isHead: item.type === controllerType || item.type === 'HeadDeviceItemData',
    isController: item.type === controllerType,
    modules: inner.map((part) => readModule(store, part, systems, depth + 1)),
  }
}

function cablesOf(store: TiaStore, port: StoredObject): string[] {
  const keyOf = ({ record }: StoredObject): string => `${record.type}:${record.id}`
  const ends = store.related(port, 'PortToPorts').map((other) => [keyOf(port), keyOf(other)].sort().join(' '))
  return [...new Set(ends)]
}

/** Size of an address; it is at its beginning. */
const addressSize = 34
const directions: Readonly<Record<number, ModuleAddress['ioType']>> = { 2: 'Input', 4: 'Output' }

/** Addresses of an item: at 4 the direction, at 10 the bits, at 22 the first bit of it in the I/O area. */
function readAddresses(item: StoredObject): ModuleAddress[] {
  if (!item.has('IAddressAttributes')) return []
  const found: ModuleAddress[] = []
  for (const [name, value] of item.expando('IAddressAttributes')) {
    const bytes = /^AM_1_AddrData_/.test(name) ? item.expandoBytes(value, addressSize) : undefined
    if (bytes?.readUInt32LE(0) !== addressSize) continue
    const ioType = directions[bytes.readUInt32LE(4)]
    const [length, first] = [bytes.readUInt32LE(10), bytes.readUInt32LE(22)]
    if (ioType && length > 0 && first % 8 === 0) found.push({ ioType, start: first / 8, length })
  }
  return found
}

function readController(store: TiaStore, item: StoredObject, systems: IoSystems): Controller {
  const { name, orderNumber, firmware, typeName } = describe(item)
  const nodes = store.sources('Target', item).filter(({ type }) => type === 'NodeData')
  return {
    stored: item,
    name,
    ...optional('orderNumber', orderNumber),
    ...optional('firmware', firmware),
    ...optional('typeName', typeName),
    nodes: nodes.map((node) => {
      const ioSystem = store.related(node, 'DeviceItem').flatMap((of) => systems.get(of) ?? [])[0]
      return { ...readNode(store, node), ...(ioSystem ? { ioSystem } : {}) }
    }),
  }
}

function describe(item: StoredObject): Pick<Module, 'name' | 'position' | 'orderNumber' | 'firmware' | 'typeName'> {
  const position = item.value('IDeviceItemData', 'PositionNumber')
  return {
    name: item.name,
    ...(typeof position === 'number' ? { position } : {}),
    ...optional('orderNumber', item.text('IDeviceItemData', 'OrderNumber')),
    ...optional('firmware', item.text('IDeviceItemData', 'FwVersion')),
    ...optional('typeName', item.text('IDeviceItemData', 'InvariantTypeName')),
  }
}

const networkTypes: Readonly<Record<number, NetworkType>> = { 1: 'Profibus', 2: 'Mpi', 3: 'Ethernet' }
/** Where the address comes from: 0 is the project; others are the device itself or a program. */
const ofProject = 0

/**
 * The addresses of an interface. One that the tool gave by itself counts where the interface is in a subnet: without
 * one it is the same for every device. A router counts where it is used.
 */
function readNode(store: TiaStore, node: StoredObject): NetworkNode {
  const isOn = (name: string) => node.expandoFlag(parameters, name) === true
  const subnet = store.first(node, 'Subnet')?.name
  const type = networkTypes[Number(node.value('INodeData', 'NodeType'))]
  const isOwn = subnet !== undefined || !isOn('NodeGetsAddressAutomatically')
  const hasAddress =
    isOwn &&
    isOn('NodeIPProtocolUsed') &&
    (node.expandoInt(parameters, 'NodeIPConfiguration') ?? ofProject) === ofProject
  const busAddress =
    isOwn && type !== undefined && type !== 'Ethernet' ? node.expandoByte(parameters, 'NodePBMpiAddress') : undefined
  const number = /^X(\d+)\b/.exec(node.name)?.[1] ?? /^IE(\d+)$/.exec(node.text('INodeData', 'NodeID') ?? '')?.[1]
  return {
    name: node.name,
    ...optional('label', number && `X${number}`),
    ...(type ? { type } : {}),
    ...optional('subnet', subnet),
    ...optional('ipAddress', hasAddress ? dotted(node.expandoLong(parameters, 'NodeIPAddress')) : undefined),
    ...optional('subnetMask', hasAddress ? dotted(node.expandoLong(parameters, 'NodeIPSubnetMask')) : undefined),
    ...optional(
      'router',
      isOn('NodeIPDefaultRouterAddressUsed')
        ? dotted(node.expandoLong(parameters, 'NodeIPDefaultRouterAddress'))
        : undefined,
    ),
    ...optional('profinetName', node.expandoString(parameters, 'PnNameOfStation')),
    ...(busAddress === undefined ? {} : { busAddress }),
  }
}

/** An IPv4 address of 32 bits, the first byte in the highest ones. */
function dotted(address: bigint | undefined): string | undefined {
  if (address === undefined || address <= 0n || address > 0xffffffffn) return undefined
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.')
}

function optional<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [key]: value } as { [P in K]: string })
}
