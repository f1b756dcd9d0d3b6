/** Makes the symbols of a compiled program (program-symbols.ts) from the linked one. */

import { defined } from '../../lib/optional.ts'
import { extentOf } from './layout.ts'
import { framedTemporaries } from './local-addresses.ts'
import { scheduleOf, startInformationMembers } from './organization-blocks.ts'
import type { Program, ProgramBlock } from './program.ts'
import type {
  CodeBlockSymbol,
  DataBlockSymbol,
  OrganizationBlock,
  ProgramSymbols,
  ProgramTagSymbol,
  RegisterSymbol,
  SymbolMember,
  TypeNumber,
} from './program-symbols.ts'
import { dataMembers, retentiveRanges } from './retentive.ts'
import type { TemporaryPlace } from './temporary-place.ts'
import type { Member } from './type.ts'
import { TypeTable } from './type-table.ts'

/** The compiled form of a code block. */
export interface CodeFacts {
  /** Hash of its code, and its size in bytes. */
  readonly hash: string
  readonly size: number
  readonly temporaries: readonly TemporaryPlace[]
}

/**
 * Returns the symbols of a program without errors. The symbols of a block are the same object as the last time when
 * neither the block nor a declaration changed.
 * @param codeOf the compiled form of a code block, by its name as it is written; `undefined`: it has no code, and no
 *   symbols
 */
export function programSymbols(program: Program, codeOf: (name: string) => CodeFacts | undefined): ProgramSymbols {
  const declared = declarationsOf(program)
  const dataBlocks: DataBlockSymbol[] = []
  const codeBlocks: CodeBlockSymbol[] = []
  const organizationBlocks: OrganizationBlock[] = []
  for (const block of program.blocks.values()) {
    if (block.kind.endsWith('DB')) {
      dataBlocks.push(declared.dataBlock(block))
      continue
    }
    const code = codeOf(block.name)
    if (code === undefined) continue
    codeBlocks.push(declared.codeBlock(block, code))
    if (block.kind === 'OB') organizationBlocks.push(declared.organizationBlock(block))
  }
  return { types: declared.types, tags: declared.tags, dataBlocks, codeBlocks, organizationBlocks }
}

const known = new WeakMap<Program['tags'], Declarations>()

/**
 * Returns the symbols of the declarations. A program keeps its tags, types and members while nothing but code changes
 * (compiler/relink.ts).
 */
function declarationsOf(program: Program): Declarations {
  const before = known.get(program.tags)
  if (before) return before
  const declared = new Declarations(program)
  known.set(program.tags, declared)
  return declared
}

/**
 * Symbols of what a program declares. Every type gets its number at once, so the numbers do not depend on the order of
 * compilation.
 */
class Declarations {
  readonly #table = new TypeTable()
  readonly tags: readonly ProgramTagSymbol[]
  /** Places of temporaries by the members of their block. */
  readonly #temporaries = new Map<readonly Member[], ReadonlyMap<string, Omit<RegisterSymbol, 'name'>>>()
  readonly #startInformation = new Map<readonly Member[], readonly SymbolMember[]>()
  readonly #dataBlocks = new WeakMap<ProgramBlock, DataBlockSymbol>()
  readonly #codeBlocks = new WeakMap<ProgramBlock, { readonly code: CodeFacts; readonly symbol: CodeBlockSymbol }>()
  readonly #organizationBlocks = new WeakMap<readonly Member[], OrganizationBlock>()

  constructor(program: Program) {
    this.tags = this.#tagsOf(program)
    for (const block of program.blocks.values())
      if (block.kind.endsWith('DB')) this.dataBlock(block)
      else this.#declareCode(block)
  }

  get types(): ProgramSymbols['types'] {
    return this.#table.types
  }

  #tagsOf({ tags }: Program): ProgramTagSymbol[] {
    return [...tags.values()].flatMap(({ name, type, address, comment, table = '' }): ProgramTagSymbol[] => {
      if (address === undefined || address.area === 'DB') return []
      const { area, byte, bit } = address
      const place = { area, byte, ...defined({ bit }) }
      return [{ name, type: this.#table.numberOf(type, 'standard'), ...place, comment, table }]
    })
  }

  dataBlock(block: ProgramBlock): DataBlockSymbol {
    const before = this.#dataBlocks.get(block)
    if (before) return before
    const { name, number, access, type, instanceOf, document } = block
    const of = this.#typeOfData(block)
    const symbol: DataBlockSymbol = {
      name,
      number,
      kind: block.kind as DataBlockSymbol['kind'],
      access,
      size: type ? extentOf(type, access).size : 0,
      type: of,
      ...defined({ instanceOf }),
      retentive: retentiveRanges(block),
      // The same places hold other bytes in the other access: big-endian, and little-endian.
      layout: `${access === 'standard' ? 'standard-' : ''}${this.#table.layoutOf(of)}`,
      document,
      ...(block.isReadOnly ? { isReadOnly: true } : {}),
      ...(block.isOnlyLoaded ? { isOnlyLoaded: true } : {}),
    }
    this.#dataBlocks.set(block, symbol)
    return symbol
  }

  #typeOfData(block: ProgramBlock): TypeNumber {
    const { type = { kind: 'unknown', text: '' }, access } = block
    const members = dataMembers(block)
    const isOwn = (type.kind === 'struct' || type.kind === 'instance') && members && members !== type.members
    return isOwn ? this.#table.structure(type, access, members) : this.#table.numberOf(type, access)
  }

  #declareCode(block: ProgramBlock): void {
    const { members, access } = block
    const overlaid = new Set(framedTemporaries(block))
    const temporaries = new Map<string, Omit<RegisterSymbol, 'name'>>()
    for (const member of members) {
      const { name, type, section, comment } = member
      if (section !== 'Temp' && (block.kind !== 'OB' || section !== 'Input')) continue
      const number = this.#table.numberOf(type, overlaid.has(member) ? 'standard' : 'optimized')
      temporaries.set(name, { type: number, section, comment })
    }
    this.#temporaries.set(members, temporaries)
    if (block.kind !== 'OB') return
    const information = startInformationMembers(block).flatMap(
      ({ member, at: { byte, bit } }) => this.#table.memberOf(member, access, byte, bit) ?? [],
    )
    this.#startInformation.set(members, information)
  }

  codeBlock(block: ProgramBlock, code: CodeFacts): CodeBlockSymbol {
    const before = this.#codeBlocks.get(block)
    if (before?.code === code) return before.symbol
    const { name, number, kind, language, document, members } = block
    const declared = this.#temporaries.get(members)
    const temporaries: SymbolMember[] = []
    const registers: RegisterSymbol[] = []
    for (const { name: temporary, byte, bit } of code.temporaries) {
      const one = declared?.get(temporary)
      if (one === undefined) continue
      if (byte === undefined) registers.push({ name: temporary, ...one })
      else {
        const place = { byte, ...defined({ bit }) }
        temporaries.push({ name: temporary, ...one, ...place, isRetentive: false })
      }
    }
    const symbol: CodeBlockSymbol = {
      name,
      number,
      kind: kind as CodeBlockSymbol['kind'],
      language,
      document,
      code: code.hash,
      codeSize: code.size,
      temporaries,
      registers,
    }
    this.#codeBlocks.set(block, { code, symbol })
    return symbol
  }

  organizationBlock(block: ProgramBlock): OrganizationBlock {
    const { name, number, access, members } = block
    const before = this.#organizationBlocks.get(members)
    if (before) return before
    const startInformation = this.#startInformation.get(members) ?? []
    const symbol: OrganizationBlock = { name, number, ...scheduleOf(block), startInformation, access }
    this.#organizationBlocks.set(members, symbol)
    return symbol
  }
}
