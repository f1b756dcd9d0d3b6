/**
 * Moving, filling and reading memory. A value is passed as four numbers: its address, the address of its type
 * (program/type-code.ts), 1 when it has standard layout, and the number of the element (`whole`: all of it).
 */
import type { Access, ScalarType, Type } from '../../program/type.ts'
import { openTypeMark, typeAt, typeCode } from '../../program/type-code.ts'
import { type Cell, copyCell, countElements, elementAt, isSameShape, partsOf, readBits, writeBits } from '../cells.ts'
import type { RoutineFamily, RuntimeContext } from '../context.ts'

/** A value as the four numbers of a routine. */
export type Four = [number, number, number, number]

/** Types by the address of their bytes: constants of a program never move. */
const types = new WeakMap<ArrayBufferLike, Map<number, Type>>()

/** Types that are made at run time have no bytes: their addresses are beyond all memory. */
const firstMade = 0x7f00_0000
const made = new WeakMap<ArrayBufferLike, Map<string, number>>()

/** Returns an address that means a type for `typeOfAddress`. Equal types have one address. */
export function giveTypeAddress({ bytes: { buffer } }: RuntimeContext, type: Type): number {
  const all = made.get(buffer) ?? new Map<string, number>()
  made.set(buffer, all)
  const key = String.fromCharCode(...typeCode(type))
  const address = all.get(key) ?? firstMade + all.size
  all.set(key, address)
  const known = types.get(buffer) ?? new Map<number, Type>()
  types.set(buffer, known)
  known.set(address, type)
  return address
}

export function typeOfAddress(context: RuntimeContext, address: number): Type {
  const { bytes, view } = context
  if (address >= firstMade) return types.get(bytes.buffer)?.get(address) ?? { kind: 'void' }
  const mark = view.getUint32(address, true)
  if (mark > openTypeMark && mark <= openTypeMark + 6) {
    // The limits of an Array[*], which every call passes again.
    const limit = (number: number) => view.getInt32(address + 8 + 4 * number, true)
    const dimensions = Array.from({ length: mark - openTypeMark }, (_one, i) => ({
      low: limit(2 * i),
      high: limit(2 * i + 1),
    }))
    return { kind: 'array', dimensions, element: typeOfAddress(context, view.getUint32(address + 4, true)) }
  }
  let known = types.get(bytes.buffer)
  if (!known) {
    known = new Map()
    types.set(bytes.buffer, known)
  }
  let type = known.get(address)
  if (!type) {
    // An address that an instance kept from an earlier call points to a frame that other calls use now: it is not a
    // variable any more.
    if (!context.program.constants.some((one) => one.address === address)) return { kind: 'void' }
    type = typeAt(bytes, address)
    known.set(address, type)
  }
  return type
}

/** Means no element, but all of a value. */
export const whole = -0x8000_0000

/** Returns the number of the first element for counting. */
export function firstOf(number: number): number {
  return number === whole ? 0 : number
}

/** A value and the number of an element. */
export interface Region {
  readonly cell: Cell
  /** `whole`: all of it. Negative numbers come from wrong indices. */
  readonly number: number
}

export function regionOf(
  context: RuntimeContext,
  address: number,
  type: number,
  isStandard: number,
  number: number,
): Region {
  // A Variant without a target.
  if (type === 0) return { cell: { type: { kind: 'void' }, address: 0, isStandard: false }, number: whole }
  return { cell: { type: typeOfAddress(context, type), address, isStandard: isStandard !== 0 }, number }
}

/** Elements of an array, 0 of another type; those of Bool with the bits that fill their last byte. */
export function countFilled(type: Type): number {
  if (type.kind !== 'array') return 0
  const filled = type.element.kind === 'scalar' && type.element.bits === 1 ? 8 : 1
  return type.dimensions.reduce((count, { low = 0, high = -1 }, i) => {
    const length = high - low + 1
    return count * (i === type.dimensions.length - 1 ? Math.ceil(length / filled) * filled : length)
  }, 1)
}

/** Returns the element, or the whole value. */
export function meant({ cell, number }: Region): Cell | undefined {
  if (number === whole) return cell
  return number >= 0 && number < countElements(cell) ? elementAt(cell, number) : undefined
}

/** Returns `count` elements beginning with the given one; `undefined` when there are fewer. */
export function elements({ cell, number }: Region, count: number, skip = 0): Cell[] | undefined {
  const first = firstOf(number) + skip
  if (count < 0 || skip < 0 || first < skip || first + count > countElements(cell)) return undefined
  return Array.from({ length: count }, (_one, i) => elementAt(cell, first + i))
}

/**
 * What FILL_BLK fills: elements of an array, or members from one on of a structure whose members all have its type (TIA
 * help V19, "FILL_BLK").
 */
function filled({ cell, number }: Region, count: number): Cell[] | undefined {
  if (cell.type.kind !== 'struct' || number === whole) return elements({ cell, number }, count)
  const members = partsOf(cell)
  const isAlike = members.every(({ type }) => type === members[number]?.type)
  return (isAlike || count === 1) && count >= 0 && number + count <= members.length
    ? members.slice(number, number + count)
    : undefined
}

export function elementType({ cell: { type } }: Region): Type {
  return type.kind === 'array' ? type.element : type
}

/** Copies elements as if at once: they may overlap. Returns false when the types differ. */
export function copyElements(view: DataView, from: readonly Cell[], to: readonly Cell[]): boolean {
  const [first, target] = [from[0], to[0]]
  if (!first || !target) return true
  if (!isSameShape(first.type, target.type)) return false
  const backwards =
    target.address > first.address || (target.address === first.address && (target.bit ?? 0) > (first.bit ?? 0))
  const order = Array.from(from.keys())
  for (const i of backwards ? order.reverse() : order) copyCell(view, from[i] as Cell, to[i] as Cell)
  return true
}

/** The scalars of a value, in order. */
function scalarsOf(cell: Cell): ScalarCell[] {
  if (cell.type.kind === 'scalar') return [{ ...cell, type: cell.type }]
  return partsOf(cell).flatMap(scalarsOf)
}

type ScalarCell = Cell & { readonly type: ScalarType }

/** The Bools of a region from its element on; `undefined`: it is not of Bools, or no bit string begins there. */
function boolsFrom({ cell, number }: Region, pattern: ScalarCell | undefined): ScalarCell[] | undefined {
  const first = firstOf(number)
  const bools = scalarsOf(cell)
  const isAligned = pattern !== undefined && first >= 0 && first % pattern.type.bits === 0
  return isAligned && bools.every(({ type }) => type.bits === 1) ? bools.slice(first) : undefined
}

/** How many of the bit strings have a Bool for each of their bits. */
function wholeNumber(patterns: readonly ScalarCell[], bools: readonly ScalarCell[]): number {
  const [first] = patterns
  return first ? Math.min(patterns.length, Math.floor(bools.length / first.type.bits)) : 0
}

interface Area {
  readonly address: number
  readonly size: number
  readonly access: Access
}

const areaNames: Readonly<Record<number, 'I' | 'Q' | 'M'>> = { 129: 'I', 130: 'Q', 131: 'M' }

/** Periphery, which PEEK reads and POKE writes; POKE_BLK has neither (TIA help V19). */
const peripheryNames = { read: { 1: 'PI' }, write: { 2: 'PQ' }, move: {} } as const

type AccessKind = keyof typeof peripheryNames

/**
 * Area codes of PEEK and POKE: 16#81 I, 16#82 Q, 16#83 M, 16#84 DB of standard access, 16#1 and 16#2 periphery. Outside
 * of data blocks the number of the block is 0, else the access is invalid (TIA help V19, "PEEK").
 */
function areaOf(
  { program, blockOfNumber }: RuntimeContext,
  kind: AccessKind,
  area: number,
  block: number,
): Area | undefined {
  if (area === 0x84) {
    const found = blockOfNumber(block)
    return found?.access === 'standard' ? found : undefined
  }
  const periphery: Readonly<Record<number, 'PI' | 'PQ'>> = peripheryNames[kind]
  const name = periphery[area] ?? areaNames[area]
  return name === undefined || block !== 0 ? undefined : { ...program.areas[name], access: 'standard' }
}

export const memoryRoutines: RoutineFamily = (context) => {
  const { view, bytes, fail } = context
  /** Only the lower 16 bits of an offset count. */
  const at = (kind: AccessKind, area: number, block: number, given: number, size: number): number | undefined => {
    const found = areaOf(context, kind, area, block)
    const offset = given & 0xffff
    if (found && size >= 0 && offset + size <= found.size) return found.address + offset
    fail()
    return undefined
  }
  const gather = ([a, b, c, d, count, e, f, g, h]: [...Four, number, ...Four], isWhole: boolean): undefined => {
    const target = regionOf(context, e, f, g, h)
    const there = Math.min(count, countElements(target.cell) - firstOf(target.number))
    const to = elements(target, there)?.flatMap(scalarsOf) ?? []
    const found = boolsFrom(regionOf(context, a, b, c, d), to[0])
    const bools = isWhole && found?.length !== to[0]?.type.bits ? undefined : found
    const moved = bools ? wholeNumber(to, bools) : 0
    if (moved < to.length || there < count || to.length === 0) fail()
    let next = 0
    for (const one of to.slice(0, moved)) {
      let value = 0n
      for (let i = 0; i < one.type.bits; i++) {
        const bool = bools?.[next++]
        if (bool) value |= readBits(view, bool.type, bool) << BigInt(i)
      }
      writeBits(view, one.type, one, value)
    }
    return undefined
  }
  return {
    'block.move': (...[a, b, c, d, count, e, f, g, h]: [...Four, number, ...Four]) => {
      const from = elements(regionOf(context, a, b, c, d), count)
      const to = elements(regionOf(context, e, f, g, h), count)
      if (!from || !to || count === 0 || !copyElements(view, from, to)) fail()
      return undefined
    },
    /** Fills with the value at the first address. */
    'block.fill': (...[a, b, c, d, count, e, f, g, h]: [...Four, number, ...Four]) => {
      const value = meant(regionOf(context, a, b, c, d))
      const to = filled(regionOf(context, e, f, g, h), count)
      if (!value || !to || count === 0 || !isSameShape(value.type, (to[0] as Cell).type)) fail()
      else for (const one of to) copyCell(view, value, one)
      return undefined
    },
    /**
     * Bits of bit strings to single Bools; of several as many as there is room for. The first Bool begins a bit string
     * (TIA help V19, "SCATTER_BLK").
     */
    'bits.scatter': (...[a, b, c, d, count, e, f, g, h]: [...Four, number, ...Four]) => {
      const from = elements(regionOf(context, a, b, c, d), count)?.flatMap(scalarsOf) ?? []
      const bools = boolsFrom(regionOf(context, e, f, g, h), from[0])
      const moved = bools ? wholeNumber(from, bools) : 0
      if (moved < from.length || from.length === 0) fail()
      let next = 0
      for (const one of from.slice(0, moved)) {
        const value = readBits(view, one.type, one)
        for (let i = 0; i < one.type.bits; i++) {
          const bool = bools?.[next++]
          if (bool) writeBits(view, bool.type, bool, (value >> BigInt(i)) & 1n)
        }
      }
      return undefined
    },
    /** Single Bools to the bits of bit strings, likewise. */
    'bits.gather': (...given: [...Four, number, ...Four]) => gather(given, false),
    /** To one bit string, which has as many bits as there are Bools, not fewer (TIA help V19, "GATHER"). */
    'bits.gather.whole': (...given: [...Four, number, ...Four]) => gather(given, true),
    peek: (area: number, block: number, offset: number, size: number) => {
      const address = at('read', area, block, offset, size)
      if (address === undefined) return 0n
      return [1, 2, 4, 8].includes(size)
        ? BigInt.asIntN(
            64,
            bytes.slice(address, address + size).reduce((sum, one) => (sum << 8n) | BigInt(one), 0n),
          )
        : 0n
    },
    poke: (area: number, block: number, offset: number, value: bigint, size: number) => {
      const address = at('write', area, block, offset, size)
      if (address !== undefined)
        for (let i = 0; i < size; i++) bytes[address + i] = Number((value >> BigInt(8 * (size - 1 - i))) & 0xffn)
      return undefined
    },
    'peek.bit': (area: number, block: number, offset: number, bit: number) => {
      const address = at('read', area, block, offset, 1)
      if (address === undefined) return 0
      if (bit < 0 || bit > 7) {
        fail()
        return 0
      }
      return ((bytes[address] as number) >> bit) & 1
    },
    'poke.bit': (area: number, block: number, offset: number, bit: number, value: number) => {
      const address = at('write', area, block, offset, 1)
      if (address === undefined) return undefined
      if (bit < 0 || bit > 7) fail()
      else bytes[address] = ((bytes[address] as number) & ~(1 << bit)) | ((value & 1) << bit)
      return undefined
    },
    'poke.block': (
      area: number,
      block: number,
      offset: number,
      toArea: number,
      toBlock: number,
      toOffset: number,
      count: number,
    ) => {
      const from = at('move', area, block, offset, count)
      const to = at('move', toArea, toBlock, toOffset, count)
      if (from !== undefined && to !== undefined) bytes.copyWithin(to, from, from + count)
      return undefined
    },
    'swap.32': (value: number) => {
      const unsigned = value >>> 0
      return ((unsigned & 0xff) << 24) | ((unsigned & 0xff00) << 8) | ((unsigned >>> 8) & 0xff00) | (unsigned >>> 24)
    },
    'swap.64': (value: bigint) => {
      let result = 0n
      for (let i = 0n; i < 8n; i++) result = (result << 8n) | ((BigInt.asUintN(64, value) >> (8n * i)) & 0xffn)
      return BigInt.asIntN(64, result)
    },
  }
}
