/**
 * What a module is before it is plugged: kind, place, I/O. It is derived from its row of the catalog, mostly from the
 * type name (`DI 16x24VDC ST`: 16 digital inputs); the few sizes that no name contains are in a table. Other sources of
 * modules (GSD files) make the same type.
 */
import { type CommandContext, defined, extensionPoint, type QueryContext } from '../../../core/index.ts'
import type { CatalogEntry } from '../../devices/index.ts'
import type { Channel, DeviceItem, IoType } from '../model.ts'

/** I/O of a submodule in one direction. */
export interface IoSize {
  readonly ioType: IoType
  /** Bits of its address; a multiple of 8. */
  readonly length: number
  readonly kind: 'Digital' | 'Analog' | 'Other'
  /** Channels that have an address each; none for bytes that a technology module defines. */
  readonly channels: number
  /** First byte, where it is the same in each station; absent: the next free one of its class. */
  readonly start?: number
}

/** A built-in submodule. */
export interface SubmoduleType {
  readonly position: number
  /** Absent: named like its module. */
  readonly name?: string
  readonly io: readonly IoSize[]
  /** Not built in: it comes with the module, and can be unplugged. */
  readonly plugged?: { readonly typeIdentifier: string; readonly typeName: string; readonly kind: string }
}

/** An interface that a module brings with it. */
export interface InterfaceType {
  readonly label: string
  readonly type: 'Ethernet' | 'Profibus' | 'Mpi' | 'Asi'
  /** Absent: as its type says, `PROFINET interface`. */
  readonly name?: string
  readonly ports: number
}

/** A module that can be plugged, or a CPU or head module. */
export interface ModuleType {
  /** Without firmware: `OrderNumber:6ES7 131-6BH01-0BA0`, `GSD:….XML/M/ID`. */
  readonly typeIdentifier: string
  /** `6ES7 131-6BH01-0BA0`; for a GSD module its identifier. */
  readonly orderNumber: string
  readonly typeName: string
  /** Without `SIPLUS`; for a GSD module the name of its file. */
  readonly family: string
  /** Kind in the catalog: DI, PS, CM … */
  readonly kind: string
  /** Known versions, oldest first. */
  readonly firmware: readonly string[]
  readonly submodules: readonly SubmoduleType[]
  readonly interfaces: readonly InterfaceType[]
  /** What is not known for sure, as a sentence for users; absent: nothing. */
  readonly assumption?: string
  /**
   * Of a module of a GSD file: the access points that take it, by type identifier in capitals, with the slots behind
   * each; absent: the rules of the family decide.
   */
  readonly behind?: ReadonlyMap<string, readonly number[]>
  /** Of a submodule (GSD): the modules that take it, by type identifier, with the subslots in each. */
  readonly inModules?: ReadonlyMap<string, readonly number[]>
}

/** Another source of module types than the catalog, e.g. GSD files of the workspace. */
export interface ModuleSource {
  /** The type of an identifier that it knows. */
  find(
    ctx: Pick<QueryContext | CommandContext, 'read' | 'extensions' | 'files' | 'gateway'>,
    identifier: string,
  ): Promise<ModuleType | undefined>
  /** The modules that could be plugged into a station with this type identifier. */
  modulesFor(
    ctx: Pick<QueryContext | CommandContext, 'read' | 'extensions' | 'files' | 'gateway'>,
    stationType: string,
  ): Promise<readonly ModuleType[]>
}

/** Sources of module types beside the catalog. */
export const moduleSource = extensionPoint<ModuleSource>('hardware.module-sources', {
  title: 'Sources of module types',
  description:
    'Modules beside those of the catalog, e.g. of GSD files. Sources are asked as they were loaded; the first with a type gives it.',
  constant: 'moduleSource',
  check: {
    find: 'function',
    modulesFor: 'function',
  },
  example: '{ find: async () => undefined, modulesFor: async () => [] }',
  formerly: 'hardware.module-source',
})

/** The family without the prefix of hardened variants. */
export function familyOf(family: string): string {
  return family.replace(/^SIPLUS /, '')
}

/** Rounds up to whole bytes, bits. */
const inBytes = (bits: number) => Math.ceil(bits / 8) * 8

const digital = (ioType: IoType, channels: number): IoSize => ({
  ioType,
  length: inBytes(channels),
  kind: 'Digital',
  channels,
})
const analog = (ioType: IoType, channels: number): IoSize => ({
  ioType,
  length: channels * 16,
  kind: 'Analog',
  channels,
})
const other = (ioType: IoType, bytes: number): IoSize => ({ ioType, length: bytes * 8, kind: 'Other', channels: 0 })

/**
 * I/O bytes that the name does not contain: [input bytes, output bytes]. They are general knowledge of the manuals (of
 * the address space of the modules) and are told as assumed; only those of `confirmed` were seen in a real export.
 */
const sizes: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/^TM Count 2x24V/, [32, 24]],
  [/^TM Count 1x24V/, [16, 12]],
  [/^TM PosInput 2/, [32, 24]],
  [/^TM PosInput 1/, [16, 12]],
  [/^TM Timer DIDQ 16x24V/, [50, 34]],
  [/^TM Timer DIDQ 10x24V/, [26, 32]],
  [/^TM PTO 4/, [72, 40]],
  [/^F-DI 16x24VDC/, [9, 5]],
  [/^F-DI 8x24VDC HF/, [7, 5]],
  [/^F-DQ 8x24VDC\/0.5A PP HF/, [6, 6]],
  [/^SM 1226 F-DI 16/, [8, 4]],
  [/^SM 1226 F-DQ/, [6, 6]],
  [/^SM 1238 Energy Meter/, [112, 12]],
  [/^(SM 1278 |CM )4x ?IO-Link|CM 4x IO-Link/, [32, 32]],
  [/CM 8x IO-Link/, [64, 64]],
]

const confirmed = /^TM Timer DIDQ 10x24V/

const plainName = (typeName: string) => typeName.replace(/^SIPLUS \S+ /, '')
const sizeOf = (typeName: string) => sizes.find(([pattern]) => pattern.test(plainName(typeName)))?.[1]

/** What is assumed of the I/O of a module, or not known; undefined: its name says it, or it has none. */
function assumptionOf(typeName: string, kind: string, io: readonly IoSize[]): string | undefined {
  const size = sizeOf(typeName)
  if (size && !confirmed.test(plainName(typeName)))
    return `The I/O of ${typeName} (${size[0]} bytes of inputs, ${size[1]} of outputs) is assumed: no export or file that was seen confirms it. Check it before you use the addresses.`
  if (io.length > 0 || kind === 'Server' || !isIoKind(kind)) return undefined
  return `The catalog does not tell the I/O of ${typeName}: it gets no addresses.`
}

/** The I/O in a type name. */
function ioOf(typeName: string): IoSize[] {
  const name = plainName(typeName)
  const known = sizeOf(typeName)
  if (known) return [other('Input', known[0]), other('Output', known[1])].filter(({ length }) => length > 0)
  // `8DI`, `16DO`, `4AO`, `8AI` of ET 200eco PN; `DI 16x24VDC`, `AI 4xU/I`, `RQ 4x120VDC` elsewhere.
  const eco = /^ET200ecoPN\W\s*(\d+) ?(DI|DO|DIO|AI|AO)\b/.exec(name)
  if (eco) return ioOfKind(eco[2] as string, Number(eco[1]))
  return [...name.matchAll(/\b(DIQ|DI|DQ|DO|RQ|AI|AQ|AO) (\d+)x/g)].flatMap(([, kind, count]) =>
    ioOfKind(kind as string, Number(count)),
  )
}

function ioOfKind(kind: string, count: number): IoSize[] {
  switch (kind) {
    case 'DI':
      return [digital('Input', count)]
    case 'DQ':
    case 'DO':
    case 'RQ':
      return [digital('Output', count)]
    case 'DIQ':
    case 'DIO':
      return [digital('Input', count), digital('Output', count)]
    case 'AI':
      return [analog('Input', count)]
    default:
      return [analog('Output', count)]
  }
}

/** Submodules that are built into a compact CPU: onboard I/O (manuals of the CPUs, technical specifications). */
const onboard: readonly (readonly [RegExp, readonly SubmoduleType[]])[] = [
  [/\bCPU 1211C/, compact([6, 4], [2, 0])],
  [/\bCPU 1212F?C/, compact([8, 6], [2, 0])],
  [/\bCPU 1214F?C/, compact([14, 10], [2, 0])],
  [/\bCPU 121[57]F?C/, compact([14, 10], [2, 2])],
  [/\bCPU 1511C/, compact1500([5, 2], [16, 16])],
  [/\bCPU 1512C/, compact1500([5, 2], [32, 32])],
  [/\bCPU 314C/, compact1500([5, 2], [24, 16])],
]

/**
 * High-speed counters and pulse generators of an S7-1200 CPU from V4 on: places, addresses and order of hardware
 * identifiers as in projects of TIA Portal V17 with a CPU 1214C and 1215C.
 */
const countersAndPulses: readonly SubmoduleType[] = [
  ...Array.from({ length: 6 }, (_, i) => ({
    ...{ position: 16 + i, name: `HSC_${i + 1}` },
    io: [{ ...other('Input', 4), start: 1000 + 4 * i }],
  })),
  ...Array.from({ length: 4 }, (_, i) => ({
    ...{ position: 32 + i, name: `Pulse_${i + 1}` },
    io: [{ ...other('Output', 2), start: 1000 + 2 * i }],
  })),
]

/** What an item is of {@link countersAndPulses}, also when it is called otherwise; undefined: something else. */
export function counterKind(
  { position, builtIn, interface: one }: DeviceItem,
  module: DeviceItem,
): 'HSC' | 'Pulse' | undefined {
  const isCompact = module.role === 'CPU' && /^OrderNumber:6(ES7|AG1) 21\d-/.test(module.typeIdentifier ?? '')
  if (!isCompact || !builtIn || one !== undefined) return undefined
  if (position >= 16 && position <= 21) return 'HSC'
  return position >= 32 && position <= 35 ? 'Pulse' : undefined
}

function compact([di, dq]: readonly [number, number], [ai, aq]: readonly [number, number]): SubmoduleType[] {
  return [
    { position: 1, name: `DI ${di}/DQ ${dq}_1`, io: [digital('Input', di), digital('Output', dq)] },
    {
      position: 2,
      name: aq === 0 ? `AI ${ai}_1` : `AI ${ai}/AQ ${aq}_1`,
      io: [analog('Input', ai), ...(aq === 0 ? [] : [analog('Output', aq)])],
    },
  ]
}

function compact1500([ai, aq]: readonly [number, number], [di, dq]: readonly [number, number]): SubmoduleType[] {
  return [
    { position: 17, name: `AI ${ai}/AQ ${aq}_1`, io: [analog('Input', ai), analog('Output', aq)] },
    { position: 18, name: `DI ${di}/DQ ${dq}_1`, io: [digital('Input', di), digital('Output', dq)] },
  ]
}

/**
 * Interfaces of a type. CPUs: `labels` are those of `profinetLabels`; the ports of the catalog are all on the first
 * interface but one on each further. `-n PN/DP`: the last of n interfaces is PROFIBUS.
 */
function interfacesOf(entry: Row, labels: readonly string[]): InterfaceType[] {
  const { kind, typeName, pnPorts } = entry
  const family = familyOf(entry.family)
  if (kind === 'CM' || kind === 'CP') {
    if (/-5\b|DP\b/.test(typeName) && !/SP-1|1243-1\b/.test(typeName))
      return [{ label: 'X1', type: 'Profibus', ports: 0 }]
    if (/AS-i/.test(typeName)) return [{ label: 'X1', type: 'Asi', ports: 0 }]
    if (/^CM (1241|PtP|CAN)|CB 1241|1242-7|1243-7/.test(typeName)) return []
    if (/1542-1\b/.test(typeName)) return [{ label: 'X1', type: 'Ethernet', ports: 2 }]
    return [{ label: 'X1', type: 'Ethernet', ports: 1 }]
  }
  // PROFIBUS interface modules (IM 155-5 DP, IM 151-1) have no PROFINET port.
  const isBusOnly = kind === 'IM' && pnPorts === 0
  const ofEthernet = isBusOnly ? [] : labels
  const ethernet = ofEthernet.map((label, i): InterfaceType => {
    // Without the catalog: the first interface has two ports, but for the small S7-1200 CPUs.
    const total = pnPorts ?? (/\bCPU 121[124]F?C/.test(typeName) ? 1 : labels.length + 1)
    const first = Math.max(1, total - (labels.length - 1))
    return { label, type: 'Ethernet', ports: i === 0 ? first : 1 }
  })
  if (isBusOnly) return [{ label: 'X1', type: 'Profibus', ports: 0 }]
  if (kind === 'CPU' && /S7-[34]00/.test(family)) return [...busesOf(typeName), ...ethernet]
  if (!/\bDP\b/.test(typeName) || (kind !== 'CPU' && kind !== 'IM' && kind !== 'HMI')) return ethernet
  const label = kind === 'HMI' ? 'X2' : `X${labels.length + 1}`
  return [...ethernet, { label, type: 'Profibus', ports: 0 }]
}

/**
 * The interfaces of S7-300 and S7-400 CPUs besides PROFINET: MPI/DP on X1, and on larger ones DP on X2. Modules for the
 * slots IF1 and IF2 are not in the catalog (manuals "CPU 31xC and CPU 31x" and "S7-400 CPU specifications").
 */
function busesOf(typeName: string): InterfaceType[] {
  const first: InterfaceType = { label: 'X1', type: 'Profibus', name: 'MPI/DP interface', ports: 0 }
  const hasTwo = /\bCPU 319/.test(typeName) || (!/\bPN\b/.test(typeName) && !/\bCPU 412-1\b/.test(typeName))
  return hasTwo ? [first, { label: 'X2', type: 'Profibus', ports: 0 }] : [first]
}

/** What a type is derived from: a row of the catalog, or what a device says of itself. */
type Row = Pick<CatalogEntry, 'orderNumber' | 'typeName' | 'family' | 'firmware' | 'pnPorts'> & {
  readonly kind: string
}

/** The module type of a row of the catalog; `labels`: of its PROFINET interfaces, for CPUs and devices. */
export function moduleTypeOf(entry: Row, labels: readonly string[] = []): ModuleType {
  const { orderNumber, typeName, kind, firmware } = entry
  const built = kind === 'CPU' ? onboard.find(([pattern]) => pattern.test(typeName))?.[1] : undefined
  const counting = kind === 'CPU' && /^6(ES7|AG1) 21\d-\w{3}40-/.test(orderNumber) ? countersAndPulses : []
  const io = kind === 'CPU' ? [] : ioOf(typeName)
  return {
    typeIdentifier: `OrderNumber:${orderNumber}`,
    orderNumber,
    typeName,
    family: familyOf(entry.family),
    kind,
    firmware,
    submodules: [...(built ?? (io.length > 0 || isIoKind(kind) ? [{ position: 1, io }] : [])), ...counting],
    interfaces: interfacesOf(entry, labels),
    ...defined({ assumption: assumptionOf(typeName, kind, io) }),
  }
}

function isIoKind(kind: string): boolean {
  return /^(F-)?(DI|DQ)$|^(DIQ|AI|AQ|AIQ|TM|IO-Link|Server)$/.test(kind)
}

/** The channels of I/O in one direction. */
export function channelsOf({ kind, channels, ioType }: IoSize): Channel[] {
  if (kind === 'Other') return []
  return Array.from({ length: channels }, (_, number) => ({
    kind,
    ioType,
    number,
    length: kind === 'Digital' ? 1 : 16,
  }))
}
