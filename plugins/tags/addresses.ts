/**
 * Absolute addresses of tags: `%I0.0`, `%QB4`, `%MW10`, `%MD20`, `%ML8`, `%T1`, `%C1` (international mnemonics,
 * docs/formats.md#objects-and-attributes), and which of them share memory.
 */
import { defined } from '../../core/index.ts'

/** Areas of memory: inputs, outputs, bit memory, timers, counters. */
export type AddressArea = 'I' | 'Q' | 'M' | 'T' | 'C'

/** An address in parts. */
export interface Address {
  readonly area: AddressArea
  /** Width as written: one bit, byte, word, double word, long word; `number` for timers and counters. */
  readonly width: 'bit' | 'B' | 'W' | 'D' | 'L' | 'number'
  /** First byte, or the number of a timer or counter. */
  readonly start: number
  /** 0 when the width is not `bit`. */
  readonly bit: number
}

const germanAreas: Readonly<Record<string, AddressArea>> = { E: 'I', A: 'Q', Z: 'C' }
const widthBits = { bit: 1, B: 8, W: 16, D: 32, L: 64, number: 1 } as const
/**
 * Largest byte of an area, and largest number of a timer or counter, of the largest S7-1500 and S7-400 CPUs. Smaller
 * CPUs have less; the compiler, which knows the hardware, checks that.
 */
const lastOf: Readonly<Record<AddressArea, number>> = { I: 32_767, Q: 32_767, M: 16_383, T: 2047, C: 2047 }

/**
 * Reads an address. Case is ignored; a missing `%`, German mnemonics (`E0.0`, `AW4`, `Z1`), `X` before bits (`%IX0.0`)
 * and blanks (`M 750.0`, STEP 7 classic) are accepted.
 * @returns undefined when the text does not have the form of an address
 */
export function parseAddress(text: string): Address | undefined {
  const match = /^%?([IQMEATCZ])(?:X?(\d+)\.([0-7])|([BWDL])(\d+)|(\d+))$/.exec(text.replace(/\s+/g, '').toUpperCase())
  if (!match) return undefined
  const [, letter = '', bitByte, bit, width, start, number] = match
  const area = germanAreas[letter] ?? (letter as AddressArea)
  const isNumbered = area === 'T' || area === 'C'
  if (isNumbered !== (number !== undefined)) return undefined
  if (number !== undefined) return { area, width: 'number', start: Number(number), bit: 0 }
  if (bitByte !== undefined) return { area, width: 'bit', start: Number(bitByte), bit: Number(bit) }
  return { area, width: width as Address['width'], start: Number(start), bit: 0 }
}

/** The address as written by TIA Portal. */
function addressText({ area, width, start, bit }: Address): string {
  if (width === 'bit') return `%${area}${start}.${bit}`
  return `%${area}${width === 'number' ? '' : width}${start}`
}

/** The address in TIA Portal's spelling: `e0.0` becomes `%I0.0`. Any other text is only trimmed. */
export function normalizedAddress(text: string): string {
  const address = parseAddress(text)
  return address ? addressText(address) : text.trim()
}

/** The fault in the form of an address, or undefined. An empty text is allowed: a tag without address. */
export function addressFormFault(text: string): string | undefined {
  if (text === '' || parseAddress(text)) return undefined
  const compact = text.replace(/\s+/g, '').toUpperCase()
  const examples = 'e.g. %I0.0, %QB4, %MW10, %MD20, %ML8, %T1, %C1'
  const beyond = /^%?([IQMEA])X?(\d+)\.(\d+)$/.exec(compact)
  if (beyond) return `is not an address: there is no bit ${beyond[3]}, a byte has the bits 0 to 7; ${examples}`
  const peripheral = /^%?P?([IQEA][BWD]?\d+(?:\.[0-7])?)(:P)?$/.exec(compact)
  if (peripheral?.[1] !== undefined) {
    const tag = normalizedAddress(peripheral[1])
    return `is not an address of a tag: the tag has ${tag}, the program reads past the process image with ${tag}:P`
  }
  if (/^%?DB?\d|^%?DB/.test(compact))
    return `is not an address of a tag: data blocks have names of their own; ${examples}`
  if (/^%?[IQMEA]\d+$/.test(compact)) return `is not an address: the bit is missing; ${examples}`
  return `is not an address; ${examples}`
}

/**
 * Widths of elementary data types. Types that are not in the table (structures, strings, hardware types) are not
 * checked.
 */
const typesOfWidth: Readonly<Record<'bit' | 'B' | 'W' | 'D' | 'L', readonly string[]>> = {
  bit: ['bool'],
  B: ['byte', 'char', 'sint', 'usint'],
  W: ['word', 'int', 'uint', 'wchar', 'date', 's5time'],
  D: ['dword', 'dint', 'udint', 'real', 'time', 'time_of_day'],
  L: ['lword', 'lint', 'ulint', 'lreal', 'ltime', 'ltime_of_day', 'ldt'],
}
const widthOfType = new Map(
  Object.entries(typesOfWidth).flatMap(([width, types]) => types.map((type) => [type, width as Address['width']])),
)

/** The fault in the address of a tag with this data type (form, range, width), or undefined. */
export function addressFault(text: string, dataType: string): string | undefined {
  const form = addressFormFault(text)
  const address = text === '' ? undefined : parseAddress(text)
  return form ?? (address && addressFitFault(address, dataType))
}

/** The fault in an address with the right form (range, width for the data type), or undefined. */
export function addressFitFault(address: Address, dataType: string): string | undefined {
  const { area, width, start, bit } = address
  const type = dataType.toLowerCase()
  const last = lastOf[area]
  const lastByte = width === 'number' ? start : start + Math.ceil(widthBits[width] / 8) - 1
  if (lastByte > last) {
    const what = { I: 'inputs', Q: 'outputs', M: 'bit memory', T: 'timers', C: 'counters' }[area]
    return `is out of range: ${what} end${what.endsWith('s') ? '' : 's'} at ${width === 'number' ? '' : 'byte '}${last}`
  }
  if (width === 'number') {
    const wanted = area === 'T' ? 'timer' : 'counter'
    return type === wanted ? undefined : `is a ${wanted}, the data type is ${dataType}`
  }
  if (type === 'timer' || type === 'counter')
    return `does not fit data type ${dataType}: ${type === 'timer' ? '%T1' : '%C1'} is of it`
  const wanted = widthOfType.get(type)
  if (wanted === undefined || wanted === width) return undefined
  // TIA Portal itself shows the address of 64 bits as that of the first bit.
  if (wanted === 'L' && width === 'bit' && bit === 0) return undefined
  const right = addressText({ ...address, width: wanted, bit: 0 })
  return `does not fit data type ${dataType}: an address such as ${right} is needed`
}

/** Size of a data type in bits; undefined for PLC data types and arrays, whose layout is unknown here. */
function bitsOf(dataType: string): number | undefined {
  const type = dataType.toLowerCase()
  const width = widthOfType.get(type)
  if (width !== undefined) return widthBits[width]
  const text = /^(w?)string(?:\[(\d+)\])?$/.exec(type)
  if (text) return (Number(text[2] ?? 254) + 2) * (text[1] === 'w' ? 16 : 8)
  return { date_and_time: 64, dtl: 96, timer: 1, counter: 1 }[type]
}

/** The fields of a tag that define its place in memory. */
export interface Addressed {
  readonly name: string
  readonly dataType: string
  readonly logicalAddress: string
}

/** A tag and its table. */
export interface Placed {
  readonly tag: Addressed
  readonly tableName: string
}

/** The bits of an area that a tag occupies; for timers and counters its number. `end` is exclusive. */
export interface Extent {
  readonly area: AddressArea
  readonly start: number
  readonly end: number
}

/** Two tags that share memory. */
export interface Overlap {
  readonly tag: Placed
  readonly other: Placed
  /** True when both have the same address. */
  readonly isSame: boolean
  /** The one of both that the other is a part of. */
  readonly whole?: Placed
}

/**
 * What a tag occupies; undefined for one without a valid address. A PLC data type counts with its first bit: only the
 * compiler knows its layout.
 */
export function extentOf({ logicalAddress, dataType }: Addressed): Extent | undefined {
  const address = logicalAddress === '' ? undefined : parseAddress(logicalAddress)
  return address && extentFrom(address, dataType)
}

/** Rows of tables are immutable, so the extent of a row can be cached. */
const extents = new WeakMap<Addressed, Extent | null>()

function cachedExtentOf(tag: Addressed): Extent | undefined {
  let extent = extents.get(tag)
  if (extent === undefined) {
    extent = extentOf(tag) ?? null
    extents.set(tag, extent)
  }
  return extent ?? undefined
}

function extentFrom({ area, width, start, bit }: Address, dataType: string): Extent {
  if (width === 'number') return { area, start, end: start + 1 }
  const first = start * 8 + bit
  return { area, start: first, end: first + Math.max(widthBits[width], bitsOf(dataType) ?? 1) }
}

interface Span extends Extent {
  readonly placed: Placed
  readonly isNew: boolean
}

/**
 * Finds pairs of tags that share memory, of which at least one is new. Overlaps are often intended (a byte and its
 * bits), so they are reported as warnings.
 * @param isNew selects the new tags; pairs of two other tags are omitted
 * @param most maximum number of pairs; the result contains one more when there are more
 */
export function overlapsOf(tags: Iterable<Placed>, isNew: (tag: Placed) => boolean, most: number): Overlap[] {
  const areas = new Map<AddressArea, Span[]>()
  for (const placed of tags) {
    const extent = cachedExtentOf(placed.tag)
    if (!extent) continue
    const spans = areas.get(extent.area) ?? []
    areas.set(extent.area, spans)
    spans.push({ ...extent, placed, isNew: isNew(placed) })
  }
  const found: Overlap[] = []
  for (const spans of areas.values()) {
    spans.sort((a, b) => a.start - b.start || b.end - a.end)
    // Kept separately, so that an area full of old tags takes no time when there are no new ones.
    let openNew: Span[] = []
    let openOld: Span[] = []
    for (const span of spans) {
      const isOpen = (other: Span) => other.end > span.start
      openNew = openNew.filter(isOpen)
      if (span.isNew) openOld = openOld.filter(isOpen)
      for (const other of span.isNew ? [...openNew, ...openOld] : openNew) {
        found.push(span.isNew ? overlap(span, other) : overlap(other, span))
        if (found.length > most) return found
      }
      ;(span.isNew ? openNew : openOld).push(span)
    }
  }
  return found
}

/** The same as `overlapsOf` for one tag, without sorting the others. */
export function overlapsWith(tag: Placed, others: Iterable<Placed>, most: number): Overlap[] {
  const extent = cachedExtentOf(tag.tag)
  if (!extent) return []
  const found: Overlap[] = []
  for (const placed of others) {
    const other = placed.tag === tag.tag ? undefined : cachedExtentOf(placed.tag)
    if (!other || other.area !== extent.area || other.end <= extent.start || other.start >= extent.end) continue
    found.push(overlap({ ...extent, placed: tag }, { ...other, placed }))
    if (found.length > most) return found
  }
  return found
}

function overlap(one: Extent & { placed: Placed }, other: Extent & { placed: Placed }): Overlap {
  const isSame = one.start === other.start && one.end === other.end
  const holds = (a: Extent, b: Extent) => !isSame && a.start <= b.start && a.end >= b.end
  const whole = holds(one, other) ? one.placed : holds(other, one) ? other.placed : undefined
  return { tag: one.placed, other: other.placed, isSame, ...defined({ whole }) }
}

/** How many tags of one address, or in one tag, are told in one sentence rather than pair by pair. */
const manyTags = 3
/** How many of them are named. */
const mostNamed = 8

/**
 * Describes overlaps in words. A byte and its bits, as clock and system bytes have, or many tags of one address are one
 * sentence: pair by pair they would bury all others.
 */
export function overlapTexts(overlaps: readonly Overlap[]): string[] {
  const groups = new Map<unknown, Set<Placed>>()
  const groupOf = ({ tag, isSame, whole }: Overlap) => {
    const { area, start, end } = cachedExtentOf(tag.tag) as Extent
    return isSame ? `${area} ${start} ${end}` : whole
  }
  for (const one of overlaps) {
    const group = groupOf(one)
    if (group === undefined) continue
    const inside = groups.get(group) ?? new Set()
    groups.set(group, inside)
    for (const placed of [one.other, one.tag]) if (placed !== one.whole) inside.add(placed)
  }
  const told = new Set<unknown>()
  return overlaps.flatMap((one) => {
    const group = groupOf(one)
    const inside = [...(groups.get(group) ?? [])]
    if (inside.length < manyTags) return [overlapText(one)]
    if (told.has(group)) return []
    told.add(group)
    return [groupText(one, inside)]
  })
}

const nameOf = ({ tag: { name, logicalAddress }, tableName }: Placed) =>
  `"${name}" (${logicalAddress}, table "${tableName}")`

function overlapText({ tag, other, isSame }: Overlap): string {
  return isSame ? `${nameOf(tag)} has the address of ${nameOf(other)}` : `${nameOf(tag)} overlaps ${nameOf(other)}`
}

function groupText({ tag, whole }: Overlap, inside: readonly Placed[]): string {
  const name = ({ tag: { name, logicalAddress } }: Placed) => `"${name}"${whole ? ` (${logicalAddress})` : ''}`
  const names = inside.slice(0, mostNamed).map(name)
  const more = inside.length - names.length
  const list =
    more > 0 ? `${names.join(', ')} and ${more} more` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return whole
    ? `${inside.length} tags share memory with ${nameOf(whole)}: ${list}`
    : `${inside.length} tags have the address ${tag.tag.logicalAddress}: ${list}`
}
