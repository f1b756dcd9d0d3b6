/**
 * Walks through the symbols of a compiled program and gives a row for everything that has a name and a place in memory.
 */
import { defined } from '../../lib/optional.ts'
import type { DataBlockSymbol, ProgramSymbols, SymbolMember, SymbolType, TypeNumber } from './program-symbols.ts'
import type { Access } from './type.ts'

export interface SymbolRow {
  /**
   * `Start`, `Data.list[1,2].speed`: names without quotes, as simulators list them (PLCSIM Advanced manual, tag list).
   */
  readonly name: string
  readonly type: SymbolType
  readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C' | 'DB'
  /** Name of the data block. */
  readonly block?: string
  /** Offset in bytes from the beginning of the area or block. */
  readonly byte: number
  /** Bit of a Bool in standard layout. */
  readonly bit?: number
  /** Layout of its bytes. */
  readonly access: Access
  readonly isRetentive: boolean
  readonly comment: string
}

export interface RowOptions {
  /** Whether array elements are rows of their own. Otherwise an array is one row. */
  readonly expandsArrays: boolean
}

/**
 * Yields the rows of all tags and data blocks, one by one: an array of a million elements costs nothing until it is
 * walked through.
 */
export function* symbolRows(symbols: ProgramSymbols, options: RowOptions): Generator<SymbolRow> {
  for (const { name, type, area, byte, bit, comment } of symbols.tags) {
    const base = { area, access: 'standard' as const, isRetentive: false, comment }
    yield* new Walk(symbols, options).value(name, type, { byte, bit }, base)
  }
  for (const block of symbols.dataBlocks) yield* symbolsOfBlock(symbols, block, options)
}

/**
 * Whether all bytes of a data block are retentive. In standard access they are when any is; an array block has no
 * members to state it.
 */
export function isRetentiveWhole({ retentive: [first], size }: DataBlockSymbol): boolean {
  return first !== undefined && first[0] === 0 && first[1] >= size
}

/** Yields the rows of one data block. */
export function symbolsOfBlock(
  symbols: ProgramSymbols,
  block: DataBlockSymbol,
  options: RowOptions,
): Generator<SymbolRow> {
  const { name, access, type } = block
  const isRetentive = isRetentiveWhole(block)
  return new Walk(symbols, options).value(
    name,
    type,
    { byte: 0 },
    { area: 'DB', block: name, access, isRetentive, comment: '' },
  )
}

/**
 * Yields the rows inside a row that is an array: its elements, or the members of each. An array in them is again one
 * row.
 */
export function* rowsInside(symbols: ProgramSymbols, row: SymbolRow): Generator<SymbolRow> {
  const { name, type, byte, bit, ...base } = row
  if (type.kind === 'array')
    yield* new Walk(symbols, { expandsArrays: false }).elements(name, type, { byte, bit }, base)
}

interface Place {
  readonly byte: number
  readonly bit?: number | undefined
}
type Base = Pick<SymbolRow, 'area' | 'block' | 'access' | 'isRetentive' | 'comment'>

class Walk {
  readonly #types: readonly SymbolType[]
  readonly #options: RowOptions

  constructor({ types }: ProgramSymbols, options: RowOptions) {
    this.#types = types
    this.#options = options
  }

  *value(name: string, number: TypeNumber, at: Place, base: Base): Generator<SymbolRow> {
    const type = this.#types[number]
    if (type === undefined || type.kind === 'opaque') return
    if (type.kind === 'struct') {
      const inside = { ...base, access: type.access ?? base.access }
      for (const member of type.members) yield* this.#member(name, member, at.byte, inside)
    } else if (type.kind === 'array' && this.#options.expandsArrays) yield* this.elements(name, type, at, base)
    else yield { name, type, ...base, byte: at.byte, ...defined({ bit: at.bit }) }
  }

  *#member(above: string, member: SymbolMember, begin: number, base: Base): Generator<SymbolRow> {
    if (member.isHidden) return
    const isRetentive = base.isRetentive || member.isRetentive
    const comment = member.comment === '' ? base.comment : member.comment
    const at = { byte: begin + member.byte, bit: member.bit }
    yield* this.value(`${above}.${member.name}`, member.type, at, { ...base, isRetentive, comment })
  }

  *elements(name: string, type: Extract<SymbolType, { kind: 'array' }>, at: Place, base: Base): Generator<SymbolRow> {
    const { dimensions, element, stride, isBits } = type
    const count = elementsOf(type)
    for (let i = 0; i < count; i++) {
      const bits = (at.bit ?? 0) + i * stride
      const place = isBits ? { byte: at.byte + (bits >> 3), bit: bits & 7 } : { byte: at.byte + i * stride }
      yield* this.value(`${name}[${indexText(dimensions, i)}]`, element, place, base)
    }
  }
}

/** The number of elements over all dimensions. */
export function elementsOf({ dimensions }: Extract<SymbolType, { kind: 'array' }>): number {
  return dimensions.reduce((all, { low, high }) => all * Math.max(0, high - low + 1), 1)
}

/** The indices of the element at a position; the last dimension changes first. */
export function indexText(
  dimensions: readonly { readonly low: number; readonly high: number }[],
  position: number,
): string {
  const indices: number[] = []
  let rest = position
  for (const { low, high } of dimensions.toReversed()) {
    const length = high - low + 1
    indices.unshift(low + (rest % length))
    rest = Math.floor(rest / length)
  }
  return indices.join(',')
}

/** Returns the type as it is written: `Int`, `Array[0..9] of "Motor"`, `String[20]`. */
export function typeText({ types }: Pick<ProgramSymbols, 'types'>, type: SymbolType): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar.name
    case 'string':
      return `${type.string.isWide ? 'WString' : 'String'}[${type.string.length}]`
    case 'dateAndTime':
      return 'Date_And_Time'
    case 'array': {
      const limits = type.dimensions.map(({ low, high }) => `${low}..${high}`).join(', ')
      const element = types[type.element]
      return `Array[${limits}] of ${element === undefined ? '' : typeText({ types }, element)}`
    }
    case 'struct':
      return type.name ?? 'Struct'
    case 'opaque':
      return type.text
  }
}
