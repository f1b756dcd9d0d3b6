/** Stations with their modules, and the addresses of their interfaces in networks. */
import type { StoredObject } from './object.ts'
import type { TiaStore } from './store.ts'

/** A module or a part of one. */
export interface Module {
  readonly name: string
  /** Slot in its rack or module. */
  readonly position?: number
  /** `6ES7 214-1AG40-0XB0`; undefined for what cannot be ordered (ports, interfaces). */
  readonly orderNumber?: string
  /** `V4.2`. */
  readonly firmware?: string
  /** What the tool calls it in English: `CPU 1214C DC/DC/DC`. */
  readonly typeName?: string
  readonly modules: readonly Module[]
}

/** An interface in a network. */
export interface NetworkNode {
  readonly name: string
  readonly subnet?: string
  /** Dotted; undefined where it is got at run time or not set. */
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly router?: string
  readonly profinetName?: string
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
  return store
    .ofType('DeviceData')
    .filter((device) => store.isInProject(device))
    .map((device) => {
      const items = new Set(store.related(device, 'DeviceItems'))
      return {
        name: device.name,
        ...optional('typeName', device.text('IDeviceData', 'InvariantTypeName')),
        ...optional('subtype', device.text('ICoreAttributes', 'Subtype')),
        controllers: [...items]
          .filter(({ type }) => type === controllerType)
          .map((item) => readController(store, item)),
        modules: [...items].filter((item) => isTop(store, item, items)).map((item) => readModule(store, item, 0)),
      }
    })
}

/** An item whose container is in the same list is shown inside that. */
function isTop(store: TiaStore, item: StoredObject, items: ReadonlySet<StoredObject>): boolean {
  const container = store.first(item, 'Container')
  return !container || !items.has(container)
}

function readModule(store: TiaStore, item: StoredObject, depth: number): Module {
  const inner = new Set([...store.related(item, 'Elements'), ...store.related(item, 'DeviceItems')])
  return {
    ...describe(item),
    modules: depth > mostNested ? [] : [...inner].map((part) => readModule(store, part, depth + 1)),
  }
}

function readController(store: TiaStore, item: StoredObject): Controller {
  const { name, orderNumber, firmware, typeName } = describe(item)
  const nodes = store.sources('Target', item).filter(({ type }) => type === 'NodeData')
  return {
    stored: item,
    name,
    ...optional('orderNumber', orderNumber),
    ...optional('firmware', firmware),
    ...optional('typeName', typeName),
    nodes: nodes.map((node) => readNode(store, node)),
  }
}

function describe(item: StoredObject): Omit<Module, 'modules'> {
  const position = item.value('IDeviceItemData', 'PositionNumber')
  return {
    name: item.name,
    ...(typeof position === 'number' ? { position } : {}),
    ...optional('orderNumber', item.text('IDeviceItemData', 'OrderNumber')),
    ...optional('firmware', item.text('IDeviceItemData', 'FwVersion')),
    ...optional('typeName', item.text('IDeviceItemData', 'InvariantTypeName')),
  }
}

/** The addresses of an interface. It is set by hand where the node says so, and used where a router is. */
function readNode(store: TiaStore, node: StoredObject): NetworkNode {
  const isOn = (name: string) => node.expandoFlag(parameters, name) === true
  const hasAddress = isOn('NodeIPProtocolUsed') && !isOn('NodeGetsAddressAutomatically')
  return {
    name: node.name,
    ...optional('subnet', store.first(node, 'Subnet')?.name),
    ...optional('ipAddress', hasAddress ? dotted(node.expandoLong(parameters, 'NodeIPAddress')) : undefined),
    ...optional('subnetMask', hasAddress ? dotted(node.expandoLong(parameters, 'NodeIPSubnetMask')) : undefined),
    ...optional(
      'router',
      isOn('NodeIPDefaultRouterAddressUsed')
        ? dotted(node.expandoLong(parameters, 'NodeIPDefaultRouterAddress'))
        : undefined,
    ),
    ...optional('profinetName', node.expandoString(parameters, 'PnNameOfStation')),
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
