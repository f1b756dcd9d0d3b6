/**
 * What a block does with memory that outlives its call: variables of the program, and the data of its instance. Rules
 * over the whole program put these facts together (review/memory.ts).
 */
import type { Expression, SourceSite, Statement } from '../../../ir/ir.ts'
import { type Visitor, visitOwnExpressions } from '../../../ir/walk.ts'
import { extentOf } from '../../../program/layout.ts'
import type { BlockContext } from '../block-context.ts'
import { isTimerUpdate } from '../system-functions.ts'
import { type FactRange, keyOf, type MemoryMap } from './memory-map.ts'
import { keepsTrue, Values, type Written } from './written-values.ts'

/** A value of a CASE that leads here: nothing else does. */
export interface FactCondition {
  /** `keyOf` of the selector. */
  readonly key: string
  readonly ranges: readonly (readonly [low: string, high: string])[]
}

/** An assignment to a variable. */
export interface FactWrite extends FactRange, Written, SourceSite {
  /** The variable as it is written. */
  readonly text: string
  /** A Bool that stays or becomes TRUE, never FALSE. */
  readonly onlySets?: true
  /** Not in each call of the block. */
  readonly isConditional?: true
  readonly when?: FactCondition
}

/** A CASE over a variable. */
export interface FactMachine extends FactRange {
  readonly text: string
  readonly branches: readonly (SourceSite & { readonly ranges: FactCondition['ranges'] })[]
}

/** An instance that is called, or whose data are read. */
export interface FactInstance extends FactRange, SourceSite {
  readonly text: string
  readonly isCalled: boolean
}

export interface FactMemory {
  readonly writes: readonly FactWrite[]
  /** What may be written in another way: through an address, as a part of a structure, by an index. */
  readonly touched: readonly FactRange[]
  readonly machines: readonly FactMachine[]
  readonly instances: readonly FactInstance[]
}

/** Collects the facts. Call it after lowering a whole block without errors. */
export function factMemory(context: BlockContext, body: readonly Statement[]): FactMemory {
  const finder = new Finder(context, new Values(context, body))
  finder.list(body)
  return finder.facts()
}

class Finder {
  readonly #context: BlockContext
  readonly #values: Values
  readonly #map: MemoryMap
  readonly #writes = new Map<string, FactWrite>()
  readonly #touched = new Map<string, FactRange>()
  readonly #machines: FactMachine[] = []
  readonly #instances = new Map<string, FactInstance>()
  /** Addresses of instances for their calls: the code of the function block has facts of its own. */
  readonly #calls = new Set<Expression>()
  #depth = 0
  #mayHaveLeft = false
  #when: FactCondition | undefined
  readonly #visitor: Visitor = {
    statement: (one) => this.#statement(one),
    expression: (one) => this.#expression(one),
  }

  constructor(context: BlockContext, values: Values) {
    this.#context = context
    this.#values = values
    this.#map = values.map
  }

  facts(): FactMemory {
    // Of the own instance only Bools and what a CASE chooses by is asked for.
    const chosen = new Set(this.#machines.map(({ area }) => area))
    const writes = [...this.#writes.values()].filter(({ area, bits }) => area !== '#' || bits === 1 || chosen.has('#'))
    return {
      writes,
      touched: [...this.#touched.values()],
      machines: this.#machines,
      instances: [...this.#instances.values()],
    }
  }

  list(statements: readonly Statement[]): void {
    for (const statement of statements) {
      this.#statement(statement)
      // What is behind is never reached.
      if (/^(?:leave|repeat|goto|return)$/.test(statement.kind)) return
    }
  }

  #statement(statement: Statement): void {
    if (statement.kind === 'call') {
      if (isTimerUpdate(statement.block)) return
      if (statement.instance) this.#calls.add(statement.instance)
    } else if (statement.kind === 'setLocal' && this.#values.instances.has(statement.local))
      this.#calls.add(statement.value)
    visitOwnExpressions(statement, this.#visitor)
    switch (statement.kind) {
      case 'if': {
        const truth = this.#values.truthOf(statement.condition)
        if (truth !== undefined) this.list(truth ? statement.whenTrue : statement.otherwise)
        else
          this.#inBranch(() => {
            this.list(statement.whenTrue)
            this.list(statement.otherwise)
          })
        return
      }
      case 'switch':
        this.#switch(statement)
        return
      case 'loop':
      case 'group': {
        const before = this.#mayHaveLeft
        this.list(statement.body)
        this.#mayHaveLeft = before
        return
      }
      case 'sections':
        for (const section of statement.sections) this.list(section)
        return
      case 'store':
        this.#store(statement)
        return
      case 'copy':
        this.#touch(this.#map.rangeOf(statement.to, 8 * extentOf(statement.type, accessOf(statement.to)).size))
        return
      case 'clear':
        this.#touch(this.#map.rangeOf(statement.place, 8 * statement.size))
        return
      case 'leave':
      case 'repeat':
      case 'goto':
      case 'return':
        this.#mayHaveLeft = true
    }
  }

  #inBranch(work: () => void): void {
    this.#depth++
    work()
    this.#depth--
  }

  #switch(statement: Extract<Statement, { kind: 'switch' }>): void {
    const { watch } = this.#context
    const selector = this.#map.variableOf(statement.selector)
    const isOwn = watch.places.has(statement) && selector !== undefined
    const shown = statement.branches.map(({ ranges }) => ranges.map(([low, high]) => [`${low}`, `${high}`] as const))
    if (isOwn)
      this.#machines.push({
        ...selector,
        text: watch.places.get(statement.selector)?.text ?? '',
        branches: statement.branches.flatMap((branch, i) => {
          const at = watch.places.get(branch)?.at
          return at === undefined ? [] : [{ ...siteOf(at), ranges: shown[i]! }]
        }),
      })
    const around = this.#when
    this.#inBranch(() => {
      for (const [i, { body }] of statement.branches.entries()) {
        if (isOwn) this.#when = { key: keyOf(selector), ranges: shown[i]! }
        this.list(body)
      }
      this.#when = around
      this.list(statement.otherwise)
    })
  }

  #store(statement: Extract<Statement, { kind: 'store' }>): void {
    const { place, type, value, site } = statement
    const range = this.#map.rangeOf(place, type.bits)
    if (range === undefined) return
    const noted = this.#context.watch.places.get(statement)
    if (place.indices.length > 0 || noted === undefined) {
      this.#touch(range)
      return
    }
    const at = siteOf(noted.at ?? this.#context.sites[site] ?? { network: 1 })
    const isConditional = this.#depth > 0 || this.#mayHaveLeft
    const got = this.#values.of(value)
    const onlySets = type.bits === 1 && keepsTrue(value, range, this.#values)
    const write: FactWrite = {
      ...range,
      text: noted.text,
      ...got,
      ...(onlySets ? { onlySets } : {}),
      ...(isConditional ? { isConditional } : {}),
      ...(this.#when ? { when: this.#when } : {}),
      ...at,
    }
    const [, ...inside] = this.#map.levelsOf(range)
    for (const level of inside) this.#touched.set(keyOf(level.range), level.range)
    const key = JSON.stringify([keyOf(range), got, onlySets, isConditional, this.#when])
    if (!this.#writes.has(key)) this.#writes.set(key, write)
  }

  #expression(node: Expression): void {
    if (node.kind === 'address') {
      const range = this.#map.rangeOf(node.place, 1)
      for (const { instance } of range ? this.#map.levelsOf(range) : [])
        if (instance) this.#instance(instance, '', true, { network: this.#context.network })
      if (!this.#calls.has(node)) this.#touch(this.#map.memberAt(node.place))
    } else if (node.kind === 'load') {
      const range = this.#map.rangeOf(node.place, 1)
      const instance = range && this.#map.levelsOf(range)[0]!.instance
      const noted = instance && this.#context.watch.places.get(node)
      if (instance && noted) this.#instance(instance, noted.text, false, siteOf(noted.at))
    }
  }

  #instance(range: FactRange, text: string, isCalled: boolean, at: SourceSite): void {
    const key = `${keyOf(range)} ${isCalled}`
    if (!this.#instances.has(key)) this.#instances.set(key, { ...range, text, isCalled, ...at })
  }

  #touch(range: FactRange | undefined): void {
    for (const level of range ? this.#map.levelsOf(range) : []) this.#touched.set(keyOf(level.range), level.range)
  }
}

function siteOf({ network, line, column, uId }: SourceSite): SourceSite {
  return {
    network,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(uId === undefined ? {} : { uId }),
  }
}

function accessOf({ isStandard }: { readonly isStandard: boolean }): 'standard' | 'optimized' {
  return isStandard ? 'standard' : 'optimized'
}
