/** Everything that has a name and a place in memory, down to what has a single value: tags, members of data blocks, elements of arrays. */
import { accessInside, countOf, extentOf, layoutOf, type Offset, strideOf } from './layout.ts'
import type { AbsoluteAddress, Program, ProgramBlock } from './program.ts'
import type { Access, Dimension, Member, Type } from './type.ts'

export interface MemorySymbol {
  /** `Start`, `Data.list[1,2].speed`: names without quotes, as simulators list them (PLCSIM Advanced manual, tag list). */
  readonly name: string
  /** Of a single value: scalars, texts, dates. */
  readonly type: Type
  readonly area: AbsoluteAddress['area']
  /** Name of the data block. */
  readonly block?: string
  readonly byte: number
  /** Of a Bool in standard layout. */
  readonly bit?: number
  /** How its bytes stand. */
  readonly access: Access
  readonly isRetentive: boolean
  readonly comment: string
}

/** All symbols, one by one: an array of a million elements costs nothing until it is walked through. */
export function* symbolTable(program: Program): Generator<MemorySymbol> {
  for (const { name, type, address, comment } of program.tags.values()) {
    if (!address || address.area === 'T' || address.area === 'C') continue
    const base = { area: address.area, access: 'standard' as const, isRetentive: false, comment }
    yield* walk(name, type, { byte: address.byte, ...(address.bit === undefined ? {} : { bit: address.bit }) }, base)
  }
  for (const block of program.blocks.values()) if (block.kind.endsWith('DB')) yield* symbolsOfBlock(block)
}

/** Symbols of one data block. */
export function* symbolsOfBlock(block: ProgramBlock): Generator<MemorySymbol> {
  const { name, type, access, members } = block
  if (!type) return
  const base: Base = { area: 'DB', block: name, access, isRetentive: false, comment: '' }
  if (type.kind !== 'struct' && type.kind !== 'instance') {
    yield* walk(name, type, { byte: 0 }, { ...base, isRetentive: members[0]?.isRetentive ?? false })
    return
  }
  const { offsets } = layoutOf(type.members, access)
  // What is retentive may be the data block's own choice: its members say it, those of the type say where they lie.
  for (const [i, member] of type.members.entries()) {
    const own = members[i]?.name === member.name ? members[i] : member
    yield* walkMember(name, { ...member, isRetentive: own?.isRetentive ?? false }, offsets[i] ?? { byte: 0 }, base)
  }
}

type Base = Pick<MemorySymbol, 'area' | 'block' | 'access' | 'isRetentive' | 'comment'>

function* walkMember(above: string, member: Member, at: Offset, base: Base): Generator<MemorySymbol> {
  if (member.isHidden || (member.section === 'InOut' && member.type.kind !== 'scalar')) return
  const isRetentive = base.isRetentive || member.isRetentive
  const comment = member.comment === '' ? base.comment : member.comment
  yield* walk(`${above}.${member.name}`, member.type, at, { ...base, isRetentive, comment })
}

function* walk(name: string, type: Type, at: Offset, base: Base): Generator<MemorySymbol> {
  const { access } = base
  switch (type.kind) {
    case 'struct':
    case 'instance': {
      const inside = accessInside(type, access)
      const { offsets } = layoutOf(type.members, inside)
      for (const [i, member] of type.members.entries()) {
        const { byte, bit } = offsets[i] ?? { byte: 0 }
        yield* walkMember(
          name,
          member,
          { byte: at.byte + byte, ...(bit === undefined ? {} : { bit }) },
          { ...base, access: inside },
        )
      }
      return
    }
    case 'array': {
      const { size, isBits } = strideOf(type, access)
      const count = countOf(type)
      for (let i = 0; i < count; i++) {
        const bits = (at.bit ?? 0) + i
        const element = isBits ? { byte: at.byte + (bits >> 3), bit: bits & 7 } : { byte: at.byte + i * size }
        yield* walk(`${name}[${indexText(type.dimensions, i)}]`, type.element, element, base)
      }
      return
    }
    case 'void':
    case 'unknown':
      return
    default: {
      const { isBit } = extentOf(type, access)
      yield { name, type, ...base, byte: at.byte, ...(isBit ? { bit: at.bit ?? 0 } : {}) }
    }
  }
}

/** Indices of the element at a position, the last dimension first to change. */
function indexText(dimensions: readonly Dimension[], position: number): string {
  const indices: number[] = []
  let rest = position
  for (let d = dimensions.length - 1; d >= 0; d--) {
    const { low = 0, high = 0 } = dimensions[d] ?? { low: 0, high: 0 }
    const length = high - low + 1
    indices.unshift(low + (rest % length))
    rest = Math.floor(rest / length)
  }
  return indices.join(',')
}
