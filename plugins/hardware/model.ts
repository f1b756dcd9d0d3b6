/**
 * The hardware of a station as plain data: device → rack → modules → submodules and interfaces → ports; subnets,
 * topology links and S7 connections beside them. The terms are those of CAx AML, so that a file maps onto it one to
 * one.
 *
 * What is here and what is with the device: the node of an interface (IP address, mask, router, PROFINET name, subnet,
 * IO system) is in `Device.network.interfaces`, under the name that `CommunicationInterface.network` gives, because
 * configuring the network and going online use it without any hardware. Everything else of a station is here.
 */

/**
 * An attribute that Gantry keeps and writes back and does not interpret. A nested list is in `attributes`.
 */
export interface Attribute {
  readonly name: string
  readonly value?: string
  /** As in AML: `xs:string`, `xs:int`. */
  readonly type?: string
  readonly attributes?: readonly Attribute[]
}

/** What every node of the tree has. */
export interface HardwareNode {
  /** GUID, unique in the project. It stays when the node is renamed or moved. */
  readonly id: string
  readonly name: string
  /** Kept and written back, in their order; not interpreted. */
  readonly attributes?: readonly Attribute[]
}

/** Direction of an address or channel, seen from the CPU. */
export type IoType = 'Input' | 'Output'

/** A range of the controller's I/O area. */
export interface IoAddress {
  readonly ioType: IoType
  /** First byte. */
  readonly start: number
  /** Bits, as in AML. The bytes that it takes are `Math.ceil(length / 8)`. */
  readonly length: number
  readonly attributes?: readonly Attribute[]
}

/**
 * A channel of a submodule. Its address follows from the address of its submodule; see `channelAddress` in channels.ts.
 */
export interface Channel {
  readonly kind: 'Digital' | 'Analog'
  readonly ioType: IoType
  /** From 0, counted within kind and direction: `Channel_DI_3` has 3. */
  readonly number: number
  /** Bits: 1 digital, 16 analog. */
  readonly length: number
  /** GUID from an imported file; absent: made from the submodule's when it is exported. */
  readonly id?: string
  readonly attributes?: readonly Attribute[]
}

/** A port of an interface. */
export interface Port extends HardwareNode {
  /** `P1 R`; `P1` when it is not of a ring. */
  readonly label: string
  readonly position: number
  readonly builtIn: boolean
}

/** The identity of something whose interpreted values are elsewhere (node, IO system). */
export interface Identity {
  readonly id: string
  readonly name: string
  readonly attributes?: readonly Attribute[]
}

/** What makes a device item a communication interface. */
export interface CommunicationInterface {
  /** `X1`. */
  readonly label: string
  /** Ethernet, Profibus, Mpi, Asi. */
  readonly type: string
  /** Name of its entry in `Device.network.interfaces`. There may be none: it has no address yet. */
  readonly network: string
  /** The node (AML: `IE1`, `E1`). */
  readonly node: Identity
  /** The IO system or DP master system of which it is the controller; its name and number are in the entry above. */
  readonly ioSystem?: Identity
  readonly ports: readonly Port[]
}

/**
 * Kinds of device items. `rack`; `module`: plugged into a rack; `submodule`: part of a module, built in or plugged into
 * it (signal board, BusAdapter); `interface`: a submodule with a communication interface.
 */
export type DeviceItemKind = 'rack' | 'module' | 'submodule' | 'interface'

/** An item of a station: rack, module, submodule, interface. */
export interface DeviceItem extends HardwareNode {
  readonly kind: DeviceItemKind
  /** AML PositionNumber: the slot of a module, the subslot of a submodule, the number of a rack. */
  readonly position: number
  /** Part of the item it lies in; it cannot be plugged or unplugged. */
  readonly builtIn: boolean
  /** `OrderNumber:6ES7 131-6BH01-0BA0` without firmware, `GSD:…`, `System:Rack.ET200SP`. */
  readonly typeIdentifier?: string
  /** `DI 16x24VDC ST`. */
  readonly typeName?: string
  /** `V0.0`. */
  readonly firmware?: string
  /** What it does in the station. */
  readonly role?: 'CPU' | 'HeadModule'
  /** Kind in the catalog (`DI`, `PS`, `CM` …) or of a GSD module; absent: not known, or built in. */
  readonly moduleKind?: string
  /** Hardware identifier (LADDR) of the item; the system constants and start information of OBs use it. */
  readonly hardwareIdentifier?: number
  readonly comment?: string
  /** Parameters that Gantry interprets: `potentialGroup` of a BaseUnit … */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
  readonly addresses?: readonly IoAddress[]
  readonly channels?: readonly Channel[]
  readonly interface?: CommunicationInterface
  readonly items: readonly DeviceItem[]
}

/** The hardware of one device. Key of its collection: the device's id. */
export interface Station {
  readonly deviceId: string
  /** GUID of the station. */
  readonly id: string
  /**
   * Name of the station around the device: `S7-1500/ET200MP station_1`. The device is named like its CPU or head
   * module.
   */
  readonly name: string
  /** `System:Device.S71500`, `GSD:….XML/D`. */
  readonly typeIdentifier: string
  /** Device groups from the outside in: `['Line 1', 'Robots']`. */
  readonly groups: readonly string[]
  readonly comment?: string
  /** Racks, rack 0 first. */
  readonly racks: readonly DeviceItem[]
  readonly attributes?: readonly Attribute[]
}

/** A subnet with the properties that `Device.network.interfaces[].subnet` lacks. Key: its name in lower case. */
export interface SubnetData extends HardwareNode {
  /** Ethernet, Profibus, Mpi, Asi. */
  readonly type: string
}

/** One end of a topology link. */
export interface PortReference {
  readonly deviceId: string
  /** Id of the port. */
  readonly portId: string
}

/** A cable between two ports. Key: its id. */
export interface TopologyLink {
  readonly id: string
  readonly a: PortReference
  readonly b: PortReference
  readonly attributes?: readonly Attribute[]
}

/** One end of a connection. */
export interface ConnectionEnd {
  readonly deviceId: string
  /** Name of the interface in `Device.network.interfaces`. */
  readonly interface: string
  /** Transport selector: `10.11` in hexadecimal, two bytes. */
  readonly tsap?: string
}

/** A connection that is configured between two devices, or with a partner that is not in the project. Key: its id. */
export interface ConfiguredConnection extends HardwareNode {
  /** S7, or what an imported file names. */
  readonly type: string
  readonly local: ConnectionEnd
  /** Absent: the partner is not in the project. */
  readonly partner?: ConnectionEnd
  /** Of a partner that is not in the project. */
  readonly partnerAddress?: string
  /** True: the local end establishes it. */
  readonly active: boolean
  /** Number that the program uses (`W#16#100`). */
  readonly localId: number
  /** Number that the program of the partner uses. */
  readonly partnerId?: number
}
