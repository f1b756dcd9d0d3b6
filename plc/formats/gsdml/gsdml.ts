/**
 * A GSDML file: the description of a PROFINET device by its maker (docs/formats.md#gsdml; GSDML specification of PI,
 * IEC 61158-6-10 for the lengths of data types).
 */

/** A text by language; `''` is the primary language of the file (English by the specification). */
export type GsdText = Readonly<Record<string, string>>

/** Numbers of slots or subslots: ranges with both ends, in ascending order. */
export type SlotRanges = readonly (readonly [first: number, last: number])[]

/** A submodule: its place in the module, and its cyclic data. */
export interface GsdSubmodule {
  readonly id: string
  readonly name: GsdText
  /** Subslots where it is built in; empty for one that is plugged. */
  readonly fixedIn: SlotRanges
  /** `0x00000001`. */
  readonly identNumber: string
  /** Bits of cyclic data, without status bytes. */
  readonly inputBits: number
  readonly outputBits: number
  /** Number of the maker. */
  readonly orderNumber?: string
  /** Data types of items that are in neither, since their length is not known; absent: none. */
  readonly unknownLengths?: readonly string[]
}

/** Where a module or submodule may be. */
export interface GsdUse {
  readonly target: string
  readonly allowed: SlotRanges
  /** Built in there. */
  readonly fixed: SlotRanges
  /** Plugged there in a new device. */
  readonly used: SlotRanges
}

/** What modules and access points have in common. */
export interface GsdModule {
  readonly id: string
  readonly identNumber: string
  readonly name: GsdText
  readonly info: GsdText
  readonly orderNumber?: string
  readonly hardwareRelease?: string
  readonly softwareRelease?: string
  /** Built-in submodules. */
  readonly submodules: readonly GsdSubmodule[]
  /** Submodules that can be plugged. */
  readonly useableSubmodules: readonly GsdUse[]
  /** Line in the file. */
  readonly line: number
}

/** A device access point: the head module. */
export interface GsdAccessPoint extends GsdModule {
  /** Slots of the device. */
  readonly physicalSlots: SlotRanges
  /** Slots of the access point itself. */
  readonly ownSlots: SlotRanges
  readonly useableModules: readonly GsdUse[]
  readonly dnsCompatibleName?: string
  /** Most bytes of cyclic data; absent: the file does not say. */
  readonly maxInputLength?: number
  readonly maxOutputLength?: number
  /** Subslot and label of the interface (usually 32768, `X1`), and of its ports. */
  readonly interface?: { readonly subslot: number; readonly label: string; readonly name: GsdText }
  readonly ports: readonly { readonly subslot: number; readonly label: string; readonly name: GsdText }[]
}

/** A file. */
export interface GsdFile {
  /** In capitals, as type identifiers name it: `GSDML-V2.33-MAKER-DEVICE-20170626.XML`. */
  readonly fileName: string
  readonly vendorId: string
  readonly deviceId: string
  readonly vendorName: string
  readonly mainFamily: string
  readonly productFamily: string
  /** Languages besides the primary one. */
  readonly languages: readonly string[]
  readonly accessPoints: readonly GsdAccessPoint[]
  readonly modules: readonly GsdModule[]
  readonly submodules: readonly GsdSubmodule[]
  /** What is strange in the file and does not hinder. */
  readonly warnings: readonly string[]
}

/** The kinds of type identifiers that a GSD file gives (Openness manual, TypeIdentifier of GSD devices). */
export type GsdIdentifierKind = 'D' | 'R' | 'DAP' | 'M' | 'SM'

/** `GSD:<FILE>.XML/M/<id>`; of the device itself `GSD:<FILE>.XML/D`. */
export function gsdIdentifier(fileName: string, kind: GsdIdentifierKind, id?: string): string {
  return `GSD:${fileName}/${kind}${id === undefined ? '' : `/${id}`}`
}

/** A type identifier taken apart; undefined for others. */
export function parseGsdIdentifier(
  text: string,
): { readonly fileName: string; readonly kind: GsdIdentifierKind; readonly id: string } | undefined {
  const [, fileName, kind, id = ''] = /^GSD:([^/]+\.XML)\/(D|R|DAP|M|SM)(?:\/(.*))?$/i.exec(text.trim()) ?? []
  if (fileName === undefined || kind === undefined) return undefined
  return { fileName: fileName.toUpperCase(), kind: kind.toUpperCase() as GsdIdentifierKind, id }
}

/** A text in a language, else in the primary one. */
export function gsdText(text: GsdText, language = ''): string {
  return text[language] ?? text[language.split('-')[0] as string] ?? text[''] ?? Object.values(text)[0] ?? ''
}

/** The numbers that two lists of ranges have in common, at most `most` of them. */
export function commonSlots(one: SlotRanges, other: SlotRanges, most = 4096): number[] {
  const slots: number[] = []
  let [i, j] = [0, 0]
  while (i < one.length && j < other.length) {
    const [a, b] = [one[i] as readonly [number, number], other[j] as readonly [number, number]]
    for (let n = Math.max(a[0], b[0]); n <= Math.min(a[1], b[1]) && slots.length < most; n++) slots.push(n)
    if (a[1] < b[1]) i++
    else j++
  }
  return slots
}
