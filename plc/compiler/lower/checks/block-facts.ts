/** What rules over the whole program have to know of a block: whom it calls, and what it writes into the outputs. Small: it is kept with its code. */
import type { SourceSite, Statement } from '../../../ir/ir.ts'
import { innerLists, type Visitor, visitOwnExpressions } from '../../../ir/walk.ts'
import { extentOf } from '../../../program/layout.ts'
import type { ScalarType } from '../../../program/type.ts'

export interface BlockFacts {
  /** Blocks it calls, each once, where it is called first. */
  readonly calls: readonly FactCall[]
  /** What it assigns to outputs, each address once, where it is assigned first. */
  readonly outputs: readonly OutputAssignment[]
}

export interface FactCall extends SourceSite {
  readonly block: string
}

/** Bits in the process image of the outputs that an assignment writes, from the lowest one of byte 0. */
export interface OutputBits {
  readonly first: number
  readonly bits: number
}

export interface OutputAssignment extends SourceSite, OutputBits {}

/** An assignment to an output as it stands in the code. */
export interface FoundOutput extends OutputAssignment {
  /** It is done at each call of the block. */
  readonly isAlways: boolean
}

/** What a block calls and writes, in the order of its code. */
export interface FoundFacts {
  readonly calls: readonly FactCall[]
  readonly outputs: readonly FoundOutput[]
}

/**
 * Goes through the code of a block. A constant that is written only under a condition is left out of the outputs: that sets or resets, as
 * S and R do, unless the other branch of the condition writes the same address.
 */
export function findFacts(body: readonly Statement[], sites: readonly SourceSite[]): FoundFacts {
  const finder = new Finder(sites)
  finder.list(body, true)
  return { calls: finder.calls, outputs: finder.outputs }
}

/** Each call and address once. */
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
  /** Constants that were written under a condition, by list. */
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
        // Something may leave it in between.
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
    // Written in both: that is an assignment.
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

/** `%Q0.3`, `%QW4`; what is no scalar as the bytes that it takes. */
export function outputText({ first, bits }: OutputBits): string {
  const byte = Math.floor(first / 8)
  const letter = { 8: 'B', 16: 'W', 32: 'D', 64: 'L' }[bits]
  if (bits === 1) return `%Q${byte}.${first % 8}`
  return letter === undefined ? `%QB${byte} to %QB${byte + Math.ceil(bits / 8) - 1}` : `%Q${letter}${byte}`
}

/** A place in the source as messages name it. */
export function placeText({ network, line }: SourceSite): string {
  return line === undefined ? `network ${network}` : `network ${network}, line ${line}`
}
