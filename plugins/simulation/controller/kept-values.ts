/**
 * Which values of a data block a load keeps when its declaration has changed: those of members that are still there by
 * name and type, wherever they are now. So a block is extended while it runs, as with the memory reserve of an S7-1500.
 * Names of types do not count, as in `DataBlockSymbol.layout`.
 */

import type { ProgramSymbols, SymbolMember, SymbolType, TypeNumber } from '../../../plc/program/program-symbols.ts'
import { elementsOf, typeText } from '../../../plc/program/symbol-rows.ts'
import type { Access } from '../../../plc/program/type.ts'
import type { Copy } from './messages.ts'

/** A value that cannot be kept: its path inside the data block (`''`: all of it), and why. */
export interface LostMember {
  readonly path: string
  readonly reason: string
}

/** What becomes of a value. Places are from the beginning of the value. */
export interface Kept {
  readonly copies: readonly Copy[]
  readonly lost: readonly LostMember[]
}

type Symbols = Pick<ProgramSymbols, 'types'>
type ArrayType = Extract<SymbolType, { kind: 'array' }>
type StructType = Extract<SymbolType, { kind: 'struct' }>

const nothing: Kept = { copies: [], lost: [] }
const bytes = (size: number): Kept => ({ copies: [{ from: 0, to: 0, size }], lost: [] })
const lostAs = (reason: string): Kept => ({ copies: [], lost: [{ path: '', reason }] })

/** Compares the types of two programs. Each pair is compared once, so an array of structures costs one of them. */
export class KeptValues {
  readonly #before: Symbols
  readonly #next: Symbols
  readonly #known = new Map<string, Kept>()

  constructor(before: Symbols, next: Symbols) {
    this.#before = before
    this.#next = next
  }

  /** What is kept of a value of type `from` in one of type `to`, both in data with this access. */
  of(from: TypeNumber, to: TypeNumber, access: Access): Kept {
    const key = `${from}.${to}.${access}`
    const known = this.#known.get(key)
    if (known) return known
    const kept = this.#compare(this.#before.types[from], this.#next.types[to], access)
    this.#known.set(key, kept)
    return kept
  }

  #compare(from: SymbolType | undefined, to: SymbolType | undefined, access: Access): Kept {
    if (from?.kind === 'array' && to?.kind === 'array' && isSameSize(from, to)) return this.#array(from, to, access)
    if (from?.kind === 'struct' && to?.kind === 'struct') return this.#structure(from, to, access)
    // An address means nothing in other memory.
    if (from?.kind === 'opaque' && to?.kind === 'opaque') return nothing
    const size = from && to && sizeOfSame(from, to)
    return size === undefined ? lostAs(this.#change(from, to)) : bytes(size)
  }

  #change(from: SymbolType | undefined, to: SymbolType | undefined): string {
    const text = (symbols: Symbols, type: SymbolType | undefined) => (type ? typeText(symbols, type) : 'nothing')
    return `its type was ${text(this.#before, from)} and is ${text(this.#next, to)}`
  }

  #array(from: ArrayType, to: ArrayType, access: Access): Kept {
    const count = elementsOf(to)
    // Bits lie side by side, from the first bit of a byte on.
    if (from.isBits && to.isBits) return bytes(Math.ceil(count / 8))
    const { copies, lost } = this.of(from.element, to.element, access)
    const [only] = copies
    const isWhole = copies.length === 1 && only !== undefined && 'size' in only && only.from === 0 && only.to === 0
    const isDense = isWhole && from.stride === only.size && to.stride === only.size
    const each = { count, fromStride: from.stride, toStride: to.stride, each: copies }
    return {
      copies: isDense
        ? [{ from: 0, to: 0, size: count * to.stride }]
        : copies.length > 0
          ? [{ from: 0, to: 0, ...each }]
          : [],
      lost: lost.map(({ path, reason }) => ({ path: `[…]${path}`, reason })),
    }
  }

  #structure(from: StructType, to: StructType, around: Access): Kept {
    const access = to.access ?? around
    if ((from.access ?? around) !== access) return lostAs(accessReason(access))
    const next = new Map(to.members.map((member) => [member.name.toLowerCase(), member]))
    const copies: Copy[] = []
    const lost: LostMember[] = []
    for (const member of from.members) {
      const same = next.get(member.name.toLowerCase())
      if (!same) {
        if (!member.isHidden) lost.push({ path: `.${member.name}`, reason: 'it is no longer there' })
        continue
      }
      const kept = this.of(member.type, same.type, access)
      for (const { path, reason } of kept.lost) lost.push({ path: `.${same.name}${path}`, reason })
      for (const copy of kept.copies) add(copies, placed(copy, member, same))
    }
    return { copies, lost }
  }
}

/** Why nothing of a block is kept whose access is another now: its bytes are in another order. */
export function accessReason(access: Access): string {
  return `the access of its block is ${access} now`
}

/** Bytes of a value, when both types are the same one; a Bool is copied as what it is at its place. */
function sizeOfSame(from: SymbolType, to: SymbolType): number | undefined {
  if (from.kind === 'scalar' && to.kind === 'scalar')
    return from.scalar.name === to.scalar.name ? Math.max(1, from.scalar.bits / 8) : undefined
  if (from.kind === 'dateAndTime' && to.kind === 'dateAndTime') return 8
  if (from.kind !== 'string' || to.kind !== 'string') return undefined
  const { isWide, length } = to.string
  if (from.string.isWide !== isWide || from.string.length !== length) return undefined
  return isWide ? 4 + 2 * length : 2 + length
}

function isSameSize(from: ArrayType, to: ArrayType): boolean {
  return (
    from.dimensions.length === to.dimensions.length &&
    from.dimensions.every(({ low, high }, i) => low === to.dimensions[i]?.low && high === to.dimensions[i]?.high)
  )
}

/** The copy of a member's value, from the beginning of its structure. */
function placed(copy: Copy, from: SymbolMember, to: SymbolMember): Copy {
  const moved = { ...copy, from: copy.from + from.byte, to: copy.to + to.byte }
  return from.bit === undefined || to.bit === undefined ? moved : { ...moved, fromBit: from.bit, toBit: to.bit }
}

/** Adds a copy; bytes that follow the bytes before, on both sides, are one copy with them. */
function add(copies: Copy[], copy: Copy): void {
  const last = copies.at(-1)
  const isPlain = (one: Copy | undefined) => one !== undefined && 'size' in one && one.fromBit === undefined
  if (last && 'size' in last && 'size' in copy && isPlain(last) && isPlain(copy))
    if (last.from + last.size === copy.from && last.to + last.size === copy.to) {
      copies[copies.length - 1] = { ...last, size: last.size + copy.size }
      return
    }
  copies.push(copy)
}
