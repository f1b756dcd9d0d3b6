/** The conditions of a block that are worth following: those that are asked twice, and flags that get constants. */

import type { Expression } from '../ir/ir.ts'
import type { Beside, FlowEvent, Step, Way } from './graph.ts'
import { type Aliases, branchConditions, type Decided, decidedBy, placeKey, truthWith, variablesIn } from './guards.ts'

/** Conditions that are followed at most: the work for each step grows with them. */
const mostGuards = 256

/** What an event does to a condition: makes it TRUE or FALSE, or changes what it depends on. */
export interface GuardChange {
  readonly guard: number
  readonly truth: boolean | undefined
}

export class GuardTable {
  readonly #guards: readonly Decided[]
  readonly #numbers: ReadonlyMap<string, number>
  /** Guards that depend on a variable. */
  readonly #byVariable = new Map<string, number[]>()
  /** Of each CASE the guards of its branches. */
  readonly #branches = new Map<object, readonly (readonly [branch: number, guard: number])[]>()

  readonly #aliases: Aliases

  private constructor(guards: readonly Decided[], aliases: Aliases) {
    this.#guards = guards
    this.#aliases = aliases
    this.#numbers = new Map(guards.map(({ key }, i) => [key, i]))
    for (const [i, { node }] of guards.entries())
      for (const variable of variablesIn(node)) {
        const list = this.#byVariable.get(variable)
        if (list) list.push(i)
        else this.#byVariable.set(variable, [i])
      }
  }

  static readonly none = new GuardTable([], new Map())

  static of(steps: readonly Step[]): GuardTable {
    const asked = new Map<string, { readonly decided: Decided; count: number; by: object }>()
    const note = (decided: Decided, by: object) => {
      const known = asked.get(decided.key)
      if (known === undefined) asked.set(decided.key, { decided, count: 1, by })
      else if (known.by !== by) {
        known.count++
        known.by = by
      }
    }
    const constants = new Set<string>()
    const aliases = aliasesIn(steps)
    for (const { events, out } of steps) {
      for (const { outcome } of out) {
        if (outcome === undefined) continue
        if ('isTrue' in outcome)
          for (const one of decidedBy(outcome.of.condition, outcome.isTrue, aliases)) note(one, outcome.of)
        else if (outcome.branch === undefined)
          for (const one of branchConditions(outcome.of)) if (one !== undefined) note(one, outcome.of)
      }
      for (const event of events) {
        const written = writtenBy(event)
        if (written?.constant !== undefined) constants.add(written.key)
        if (event.kind === 'read' && event.beside !== undefined)
          for (const one of decidedBy(event.beside.node, event.beside.isTrue, aliases)) note(one, event.beside.node)
      }
    }
    const isFlag = ({ node }: Decided) => {
      const [variable, ...others] = variablesIn(node)
      return variable !== undefined && others.length === 0 && constants.has(variable)
    }
    const kept = [...asked.values()].filter(({ count, decided }) => count > 1 || isFlag(decided))
    return new GuardTable(
      kept.slice(0, mostGuards).map(({ decided }) => decided),
      aliases,
    )
  }

  get size(): number {
    return this.#guards.length
  }

  /** What is decided where a way is taken. */
  decidedOn({ outcome }: Way): readonly (readonly [guard: number, isTrue: boolean])[] {
    if (outcome === undefined || this.size === 0) return []
    if ('isTrue' in outcome) return this.#decided(outcome.of.condition, outcome.isTrue)
    let branches = this.#branches.get(outcome.of)
    if (branches === undefined) {
      branches = branchConditions(outcome.of).flatMap((one, i) => {
        const guard = one && this.#numbers.get(one.key)
        return guard === undefined ? [] : [[i, guard] as const]
      })
      this.#branches.set(outcome.of, branches)
    }
    return branches.map(([branch, guard]) => [guard, (branch === outcome.branch) === this.#guards[guard]!.isTrue])
  }

  /** What is decided where a value matters. */
  decidedBeside(beside: Beside | undefined): (readonly [guard: number, isTrue: boolean])[] {
    const found: (readonly [guard: number, isTrue: boolean])[] = []
    if (this.size === 0) return found
    for (let at = beside; at !== undefined; at = at.around) found.push(...this.#decided(at.node, at.isTrue))
    return found
  }

  #decided(condition: Expression, wanted: boolean): (readonly [guard: number, isTrue: boolean])[] {
    return decidedBy(condition, wanted, this.#aliases).flatMap(({ key, isTrue }) => {
      const guard = this.#numbers.get(key)
      return guard === undefined ? [] : [[guard, this.#guards[guard]!.isTrue === isTrue] as const]
    })
  }

  /** What an event does to the conditions. */
  changesBy(event: FlowEvent): GuardChange[] {
    const written = writtenBy(event)
    const keys = written ? [written.key] : touchedBy(event)
    return keys.flatMap((key) =>
      (this.#byVariable.get(key) ?? []).map((guard) => {
        const truth =
          written?.constant === undefined ? undefined : truthWith(this.#guards[guard]!, key, written.constant)
        return { guard, truth: truth === undefined ? undefined : truth === this.#guards[guard]!.isTrue }
      }),
    )
  }
}

/** Bool registers that are assigned once. */
function aliasesIn(steps: readonly Step[]): Aliases {
  const found = new Map<number, Expression | undefined>()
  const note = (local: number, value: Expression | undefined) => found.set(local, found.has(local) ? undefined : value)
  for (const { events } of steps)
    for (const { kind, node } of events) {
      if (kind !== 'run') continue
      if (node.kind === 'setLocal') note(node.local, isBool(node.value) ? node.value : undefined)
      else if (node.kind === 'call') for (const local of node.results) note(local, undefined)
    }
  return new Map([...found].flatMap(([local, value]) => (value === undefined ? [] : [[local, value] as const])))
}

function isBool(node: Expression): boolean {
  return 'type' in node && node.type !== 'address' && node.type.bits === 1
}

/** The variable that an event assigns, with its value when that is a constant. */
function writtenBy({ kind, node }: FlowEvent): { readonly key: string; readonly constant?: bigint } | undefined {
  if (kind !== 'run' || (node.kind !== 'setLocal' && node.kind !== 'store')) return undefined
  const key = node.kind === 'setLocal' ? `#${node.local}` : placeKey(node.place)
  if (key === undefined) return undefined
  const { value } = node
  // What runs only where a box before it succeeded is taken to run: a box seldom fails.
  if (value.kind === 'eno' || value.kind === 'calleeEno') return { key, constant: 1n }
  return value.kind === 'constant' && typeof value.value === 'bigint' ? { key, constant: value.value } : { key }
}

/** Variables that an event may change in another way. */
function touchedBy({ kind, node }: FlowEvent): string[] {
  if (kind === 'run' && node.kind === 'call') return node.results.map((local) => `#${local}`)
  const place =
    kind === 'read' ? (node.kind === 'address' ? node.place : undefined) : node.kind === 'copy' ? node.to : undefined
  const key = place && placeKey(place)
  return key === undefined ? [] : [key]
}
