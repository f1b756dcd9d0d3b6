/**
 * What is computed of a loaded program once and kept with the program: names of tags and data blocks, sizes and counts
 * of types, codecs, resolved tags, and what searches have found.
 */

import { LRUCache } from 'lru-cache'
import type {
  DataBlockSymbol,
  ProgramTagSymbol,
  SymbolMember,
  SymbolType,
  TypeNumber,
} from '../../../plc/program/program-symbols.ts'
import { scalarNamed } from '../../../plc/program/scalars.ts'
import { elementsOf, typeText } from '../../../plc/program/symbol-rows.ts'
import type { Access, ScalarType } from '../../../plc/program/type.ts'
import type { LoadedProgram } from '../controller/contract.ts'
import { codecOf } from './codec.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import type { Codec } from './scalar-codec.ts'
import { roomOf } from './text-codec.ts'

/** What the first name of a tag can be. */
export type Root =
  | { readonly kind: 'tag'; readonly tag: ProgramTagSymbol }
  | { readonly kind: 'block'; readonly block: DataBlockSymbol }

/** Maximum number of cached resolved tags of a program. */
const mostResolved = 20_000

const indexes = new WeakMap<LoadedProgram['compiled'], ProgramIndex>()

/** Returns the index of a program; it is created by the first call. */
export function indexOf(program: LoadedProgram): ProgramIndex {
  const known = indexes.get(program.compiled)
  if (known) return known
  const index = new ProgramIndex(program)
  indexes.set(program.compiled, index)
  return index
}

/** The computed values of one program. */
export class ProgramIndex {
  readonly types: readonly SymbolType[]
  readonly linked: LoadedProgram['compiled']['linked']
  readonly blocks: readonly DataBlockSymbol[]
  readonly tags: readonly ProgramTagSymbol[]
  readonly resolved = new LRUCache<string, ResolvedTag>({ max: mostResolved })
  /** How many entries of the list of tags a search has found, by its text. */
  readonly found = new LRUCache<string, number>({ max: 100 })
  readonly #roots = new Map<string, Root>()
  readonly #byNumber: ReadonlyMap<number, DataBlockSymbol>
  readonly #codecs = new Map<number, Codec>()
  readonly #counts = new Map<TypeNumber, number>()
  readonly #sizes = new Map<TypeNumber, number>()
  readonly #members = new Map<SymbolType, ReadonlyMap<string, SymbolMember>>()

  constructor({ compiled, symbols }: LoadedProgram) {
    this.linked = compiled.linked
    this.blocks = symbols.dataBlocks
    this.tags = symbols.tags
    // A scalar that was read from a file is not the same object as the constant with which it is compared.
    this.types = symbols.types.map((type) => {
      const scalar = type.kind === 'scalar' ? scalarNamed(type.scalar.name) : undefined
      return scalar ? { kind: 'scalar', scalar } : type
    })
    for (const tag of symbols.tags) this.#roots.set(tag.name.toLowerCase(), { kind: 'tag', tag })
    for (const block of symbols.dataBlocks) this.#roots.set(block.name.toLowerCase(), { kind: 'block', block })
    this.#byNumber = new Map(symbols.dataBlocks.map((block) => [block.number, block]))
  }

  root(name: string): Root | undefined {
    return this.#roots.get(name.toLowerCase())
  }

  *rootNames(): Generator<string> {
    for (const { name } of this.tags) yield name
    for (const { name } of this.blocks) yield name
  }

  blockNumbered(number: number): DataBlockSymbol | undefined {
    return this.#byNumber.get(number)
  }

  type(number: TypeNumber): SymbolType {
    return this.types[number] ?? { kind: 'opaque', text: 'An unknown type' }
  }

  /** Returns the visible members of a structure by their names in lower case. */
  members(type: Extract<SymbolType, { kind: 'struct' }>): ReadonlyMap<string, SymbolMember> {
    const known = this.#members.get(type)
    if (known) return known
    const seen = type.members.filter(({ isHidden }) => !isHidden)
    const members = new Map(seen.map((member) => [member.name.toLowerCase(), member]))
    this.#members.set(type, members)
    return members
  }

  codec(number: TypeNumber, around: Access, isBit: boolean): Codec {
    const key = number * 4 + (around === 'standard' ? 2 : 0) + (isBit ? 1 : 0)
    const known = this.#codecs.get(key)
    if (known) return known
    const codec = codecOf(this.type(number), around, isBit, (of, access, bit) => this.codec(of, access, bit))
    this.#codecs.set(key, codec)
    return codec
  }

  /** Number of entries of a value in the list of tags: itself, its members and elements; 0 when it has no value. */
  entries(number: TypeNumber): number {
    const known = this.#counts.get(number)
    if (known !== undefined) return known
    const type = this.type(number)
    let count = 1
    if (type.kind === 'opaque') count = 0
    else if (type.kind === 'struct')
      for (const member of type.members) count += member.isHidden ? 0 : this.entries(member.type)
    else if (type.kind === 'array') count += elementsOf(type) * this.entries(type.element)
    this.#counts.set(number, count)
    return count
  }

  /** Bytes from the first to the last of a value; 1 for a Bool, also when it is a single bit. */
  size(number: TypeNumber): number {
    const known = this.#sizes.get(number)
    if (known !== undefined) return known
    const size = this.#sizeOf(this.type(number))
    this.#sizes.set(number, size)
    return size
  }

  #sizeOf(type: SymbolType): number {
    switch (type.kind) {
      case 'scalar':
        return scalarSize(type.scalar)
      case 'string':
        return type.string.isWide ? 4 + 2 * roomOf(type.string) : 2 + roomOf(type.string)
      case 'dateAndTime':
        return 8
      case 'opaque':
        return 0
      case 'array': {
        const count = elementsOf(type)
        return type.isBits ? Math.ceil(count / 8) : (count - 1) * type.stride + this.size(type.element)
      }
      case 'struct': {
        let end = 0
        for (const member of type.members) end = Math.max(end, member.byte + this.size(member.type))
        return end
      }
    }
  }

  /** Returns a type as TIA Portal writes it. */
  typeText(number: TypeNumber): string {
    return typeText(this, this.type(number))
  }
}

/** Bytes of a scalar; 1 for a Bool. */
export function scalarSize({ bits }: ScalarType): number {
  return bits === 1 ? 1 : bits / 8
}

/**
 * Returns the `EPrimitiveDataType` of PLCSIM Advanced (function manual A5E37039512, tables 7-359 and 7-361), which says
 * how its interface represents the values of a type. A type that is not a single register is `Struct` when it has
 * parts, otherwise `Unspecific`.
 */
export function primitiveType(type: SymbolType): string {
  if (type.kind === 'struct' || type.kind === 'array') return 'Struct'
  if (type.kind !== 'scalar') return 'Unspecific'
  const { family, bits, isSigned } = type.scalar
  switch (family) {
    case 'bool':
      return 'Bool'
    case 'real':
      return bits === 32 ? 'Float' : 'Double'
    case 'character':
      return bits === 8 ? 'Char' : 'WChar'
    default:
      return `${isSigned ? 'Int' : 'UInt'}${bits}`
  }
}
