/**
 * Facts of a block that rules over the whole program need: the blocks it calls, and the outputs it writes. They are
 * small and stored with its code.
 */
import type { SourceSite, Statement } from '../../../ir/ir.ts'
import { innerLists, type Visitor, visitOwnExpressions } from '../../../ir/walk.ts'
import { extentOf } from '../../../program/layout.ts'
import type { ScalarType } from '../../../program/type.ts'
import type { FactMemory } from './memory-facts.ts'

export interface BlockFacts {
  /** Blocks that it calls, each once, with the place of the first call. */
  readonly calls: readonly FactCall[]
  /** Outputs that it assigns, each address once, with the place of the first assignment. */
  readonly outputs: readonly OutputAssignment[]
  /** Instances in data blocks that it calls whenever it runs. */
  readonly instances?: readonly FactInstanceCall[]
  /** Statics of a function block that its own code does not both read and write. */
  readonly statics?: readonly FactStatic[]
  /** Names of members that it accesses by a path, in lower case. */
  readonly members?: readonly string[]
  /** What it does with memory that outlives its call; absent when that is not known as a whole. */
  readonly memory?: FactMemory
}

/** A call of an instance that lies in a data block. */
export interface FactInstanceCall extends SourceSite {
  /** The instance as it is written: `"Delay_DB"`, `"Line".delay`. */
  readonly instance: string
  /** For timers, counters and edges. */
  readonly instruction?: string
}

/** What the code of a function block does with one of its statics. */
export interface FactStatic {
  readonly name: string
  readonly isRead: boolean
  readonly isWritten: boolean
}

export interface FactCall extends SourceSite {
  readonly block: string
}

/** Bits in the process image of the outputs that an assignment writes, counted from bit 0 of byte 0. */
export interface OutputBits {
  readonly first: number
  readonly bits: number
}

export interface OutputAssignment extends SourceSite, OutputBits {}

/** An assignment to an output in the code. */
export interface FoundOutput extends OutputAssignment {
  /** It runs at each call of the block. */
  readonly isAlways: boolean
}

/** The calls and assignments of a block, in the order of its code. */
export interface FoundFacts {
  readonly calls: readonly FactCall[]
  readonly outputs: readonly FoundOutput[]
}

/**
 * Collects the calls and output assignments in the code of a block. A constant that is written only under a condition
 * does not count as an assignment: it sets or resets the output, as S and R do, unless the other branch of the
 * condition writes the same address.
 */
export function findFacts(body: readonly Statement[], sites: readonly SourceSite[]): FoundFacts {
  const finder = new Finder(sites)
  finder.list(body, true)
  return { calls: finder.calls, outputs: finder.outputs }
}

/** Reduces the facts to one entry for each call and address. */
export function factsOf({ calls, outputs }: FoundFacts): BlockFacts {
  const called = new Map<string, FactCall>()
  for (const call of calls) if (!called.has(call.block.toLowerCase())) called.set(call.block.toLowerCase(), call)
  const written = new Map<string, OutputAssignment>()
  for (const { isAlways: _isAlways, ...output } of outputs) {
    const key = `${output.first} ${output.bits}`
    if (!written.has(key)) written.set(key, output)
  }
  return { calls: [...called.values()], outputs: [...written.values()] }
}

class Finder {
  readonly calls: FactCall[] = []
  readonly outputs: FoundOutput[] = []
  readonly #sites: readonly SourceSite[]
  /** Constants that are written under a condition, in the current list. */
  #set: FoundOutput[] = []

  constructor(sites: readonly SourceSite[]) {
    this.#sites = sites
  }

  list(statements: readonly Statement[], isAlways: boolean): void {
    const visitor: Visitor = { statement: (statement) => this.#statement(statement, isAlways, visitor) }
    for (const statement of statements) visitor.statement(statement)
  }

  #statement(statement: Statement, isAlways: boolean, visitor: Visitor): void {
    visitOwnExpressions(statement, visitor)
    switch (statement.kind) {
      case 'call':
        this.calls.push({ block: statement.block, ...(this.#sites[statement.site] ?? { network: 1 }) })
        return
      case 'store':
        this.#store(statement, isAlways)
        return
      case 'copy': {
        const { to, type, site } = statement
        if (to.base.kind === 'area' && to.base.area === 'Q' && to.indices.length === 0)
          this.outputs.push({
            first: to.offset * 8,
            bits: extentOf(type, 'standard').size * 8,
            isAlways,
            ...(this.#sites[site] ?? { network: 1 }),
          })
        return
      }
      case 'if':
        this.#branches(statement.whenTrue, statement.otherwise)
        return
      case 'group':
        // A `leave` may end the group early.
        this.list(statement.body, false)
        return
      default:
        for (const list of innerLists(statement)) this.list(list, false)
    }
  }

  #store({ place, type, value, site }: Extract<Statement, { kind: 'store' }>, isAlways: boolean): void {
    if (place.base.kind !== 'area' || place.base.area !== 'Q' || place.indices.length > 0) return
    const found = { ...bitsOf(place, type), isAlways, ...(this.#sites[site] ?? { network: 1 }) }
    if (isAlways || value.kind !== 'constant') this.outputs.push(found)
    else this.#set.push(found)
  }

  #branches(whenTrue: readonly Statement[], otherwise: readonly Statement[]): void {
    const outer = this.#set
    this.#set = []
    this.list(whenTrue, false)
    const first = this.#set
    this.#set = []
    this.list(otherwise, false)
    const second = new Set(this.#set.map(keyOf))
    // Written in both branches, which is an assignment.
    const both = first.filter((one) => second.has(keyOf(one)))
    this.outputs.push(...both)
    this.#set = [...outer, ...first, ...this.#set]
  }
}

function keyOf({ first, bits }: OutputBits): string {
  return `${first} ${bits}`
}

function bitsOf({ offset, bit }: { readonly offset: number; readonly bit?: number }, type: ScalarType): OutputBits {
  return { first: offset * 8 + (bit ?? 0), bits: type.bits }
}

/** Returns an address as text, `%Q0.3` or `%QW4`; other sizes are given as the bytes they take. */
export function outputText({ first, bits }: OutputBits): string {
  const byte = Math.floor(first / 8)
  const letter = { 8: 'B', 16: 'W', 32: 'D', 64: 'L' }[bits]
  if (bits === 1) return `%Q${byte}.${first % 8}`
  return letter === undefined ? `%QB${byte} to %QB${byte + bits / 8 - 1}` : `%Q${letter}${byte}`
}

/** Returns a place in the source as text for messages. */
export function placeText({ network, line }: SourceSite): string {
  return line === undefined ? `network ${network}` : `network ${network}, line ${line}`
}
