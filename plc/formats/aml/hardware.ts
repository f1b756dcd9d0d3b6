/**
 * The hardware that an AML file describes, as typed data: subnets, stations with racks, modules, interfaces and tags.
 * Reader and writer share it. Its terms and defaults are those of AR APC (docs/formats.md#hardware-as-aml).
 */

/** An attribute without an interpretation. */
export interface FreeAttribute {
  readonly name: string
  readonly value?: string
  /** `xs:string`, `xs:int`. */
  readonly type?: string
  readonly attributes?: readonly FreeAttribute[]
}

interface Named {
  /** GUID. */
  readonly id: string
  readonly name: string
  readonly attributes?: readonly FreeAttribute[]
  /** Line in the file it was read from. */
  readonly line?: number
}

/** Direction, seen from the controller. */
export type IoDirection = 'Input' | 'Output'

/** A subnet. `type`: Ethernet, Profibus, Mpi, Asi. */
export interface AmlSubnet extends Named {
  readonly type: string
}

/** A range of the I/O area: `start` in bytes, `length` in bits. */
export interface AmlAddress {
  readonly ioType: IoDirection
  readonly start: number
  readonly length: number
  readonly attributes?: readonly FreeAttribute[]
}

/** A channel; `number` counts within kind and direction, `length` is in bits. */
export interface AmlChannel {
  readonly kind: 'Digital' | 'Analog'
  readonly ioType: IoDirection
  readonly number: number
  readonly length: number
  readonly id?: string
  readonly attributes?: readonly FreeAttribute[]
}

/** A port of an interface. */
export interface AmlPort extends Named {
  /** `P1 R`, also of files from V19 on, which have `P1R`. */
  readonly label: string
  readonly position: number
  readonly builtIn: boolean
}

/** What connects an interface to a subnet. */
export interface AmlNode extends Named {
  readonly type: string
  readonly ipAddress?: string
  readonly subnetMask?: string
  readonly routerAddress?: string
  /** `Project`, `Dhcp`, `ViaUserProgram` … */
  readonly ipProtocol?: string
  readonly profinetDeviceName?: string
  /** Address on PROFIBUS or MPI. */
  readonly busAddress?: number
  /** Id of the subnet. */
  readonly subnet?: string
}

/** An IO system, below the interface of its controller. */
export interface AmlIoSystem extends Named {
  readonly number?: number
}

/** What makes an item a communication interface. */
export interface AmlCommunicationInterface {
  /** `X1`. */
  readonly label: string
  readonly type: string
  readonly node?: AmlNode
  readonly ioSystem?: AmlIoSystem
  /** Id of the IO system that the interface belongs to as IO device. */
  readonly memberOf?: string
  readonly ports: readonly AmlPort[]
}

/** A tag with an address of the I/O area. */
export interface AmlTag {
  readonly name: string
  /** As in TIA Portal: `Bool`, `"UDT_Motor"`. */
  readonly dataType: string
  /** `%I80.0`, `%QW42`; empty: none. */
  readonly address: string
  /** By culture; `''`: the file names none. */
  readonly comment: Readonly<Record<string, string>>
  readonly line?: number
}

/** A tag table. */
export interface AmlTagTable {
  /** Empty: it gets one when it is written. */
  readonly id: string
  readonly name: string
  readonly tags: readonly AmlTag[]
  readonly line?: number
}

/** Rack, module, submodule or interface. */
export interface AmlItem extends Named {
  readonly kind: 'rack' | 'module' | 'submodule' | 'interface'
  /** Slot, subslot or number of the rack. */
  readonly position: number
  readonly builtIn: boolean
  readonly typeIdentifier?: string
  readonly typeName?: string
  readonly firmware?: string
  readonly role?: 'CPU' | 'HeadModule'
  readonly comment?: string
  readonly addresses?: readonly AmlAddress[]
  readonly channels?: readonly AmlChannel[]
  readonly interface?: AmlCommunicationInterface
  readonly tagTables?: readonly AmlTagTable[]
  readonly items: readonly AmlItem[]
}

/** A station (role Device). */
export interface AmlStation extends Named {
  /** `System:Device.S71500`. */
  readonly typeIdentifier: string
  /** Device folders, from the outside in. */
  readonly groups: readonly string[]
  readonly comment?: string
  readonly racks: readonly AmlItem[]
}

/** A cable between two ports. */
export interface AmlPortLink {
  /** Ids of the ports. */
  readonly a: string
  readonly b: string
}

/** The hardware of a project, or a part of it. */
export interface AmlHardware {
  readonly project: { readonly id: string; readonly name: string }
  readonly subnets: readonly AmlSubnet[]
  readonly stations: readonly AmlStation[]
  readonly links: readonly AmlPortLink[]
}

/** The first item in document order that passes. */
function findItem(items: readonly AmlItem[], passes: (item: AmlItem) => boolean): AmlItem | undefined {
  for (const item of items) {
    const found = passes(item) ? item : findItem(item.items, passes)
    if (found) return found
  }
  return undefined
}

/** The item that represents a station: its CPU, else its head module, else its first module. */
export function mainItem({ racks }: Pick<AmlStation, 'racks'>): AmlItem | undefined {
  return (
    findItem(racks, ({ role }) => role === 'CPU') ??
    findItem(racks, ({ role }) => role === 'HeadModule') ??
    findItem(racks, ({ kind }) => kind === 'module') ??
    racks[0]
  )
}

/** All items with their descendants, in document order. */
export function* everyItem(items: readonly AmlItem[]): Generator<AmlItem> {
  for (const item of items) {
    yield item
    yield* everyItem(item.items)
  }
}

/**
 * The address of a channel, `%I80.3` or `%QW42`, from the addresses of its submodule; undefined when they have no room
 * for it. Digital channels follow each other bit by bit, analog ones word by word from the start of the range.
 */
export function channelAddress(addresses: readonly AmlAddress[], channel: AmlChannel): string | undefined {
  let before = channel.number * channel.length
  for (const { ioType, start, length } of addresses) {
    if (ioType !== channel.ioType) continue
    if (before + channel.length <= length) {
      const letter = ioType === 'Input' ? 'I' : 'Q'
      const byte = start + Math.floor(before / 8)
      if (channel.kind === 'Digital') return `%${letter}${byte}.${before % 8}`
      return `%${letter}${channel.length === 32 ? 'D' : channel.length === 8 ? 'B' : 'W'}${byte}`
    }
    before -= length
  }
  return undefined
}

/** The name of a channel's interface: `Channel_DI_0`, `Channel_AO_3`. */
export function channelName({ kind, ioType, number }: AmlChannel): string {
  return `Channel_${kind === 'Digital' ? 'D' : 'A'}${ioType === 'Input' ? 'I' : 'O'}_${number}`
}
