/**
 * Which variables have a value where: for each variable whether every way to a place assigns it, and whether any way
 * does. Conditions that hang together are followed: what is assigned under a condition is assigned where the same
 * condition, or a flag that is set beside it, is asked again. That a loop has a round is taken for granted.
 *
 * Each step has facts as bits, one bit for each variable: that it is assigned; for each condition, that it is assigned
 * if the condition is TRUE, and if it is FALSE. Where ways come together the facts of all of them hold.
 */
import type { FlowEvent, FlowGraph, Outcome, Step, Way, Whole } from './graph.ts'
import { type GuardChange, GuardTable } from './guard-table.ts'
import { inFlowOrder, Pending } from './order.ts'

/** What an event does to a variable that is followed. */
export interface Effect {
  readonly variable: number
  readonly access: 'read' | 'write'
}

/** Gives what an event does to the variables, which are numbered from 0. */
export type EffectsOf = (event: FlowEvent) => readonly Effect[]

/** A read of a variable that some way reaches without an assignment. */
export interface EarlyRead {
  readonly variable: number
  readonly event: FlowEvent
  /** No way to it assigns the variable. */
  readonly isNever: boolean
  /** Where the way without an assignment parts from those with one. */
  readonly missing: Outcome | undefined
}

/** A variable that some way to the end of the block does not assign. */
export interface OpenResult {
  readonly variable: number
  readonly missing: Outcome | undefined
}

export interface AssignmentFindings {
  /** The first of each variable in the order of the flow. */
  readonly earlyReads: readonly EarlyRead[]
  readonly open: readonly OpenResult[]
}

type Action = {
  readonly event: FlowEvent
  readonly effects: readonly Effect[]
  readonly changes: readonly GuardChange[]
}

/** An event that does something to variables or conditions. `at` counts all events in the order of the flow. */
interface Touch extends Action {
  readonly step: Step
  readonly at: number
}

/** The events by the variables that they touch, and those that change conditions. */
class Touches {
  readonly #byVariable = new Map<number, Touch[]>()
  readonly #changes: readonly Touch[]

  constructor(order: readonly Step[], effectsOf: EffectsOf, guards: GuardTable) {
    const changing: Touch[] = []
    let at = 0
    for (const step of order)
      for (const event of step.events) {
        const touch: Touch = { step, at: at++, event, effects: effectsOf(event), changes: guards.changesBy(event) }
        if (touch.changes.length > 0) changing.push(touch)
        for (const { variable } of touch.effects) {
          const known = this.#byVariable.get(variable)
          if (known === undefined) this.#byVariable.set(variable, [touch])
          else if (known.at(-1) !== touch) known.push(touch)
        }
      }
    this.#changes = changing
  }

  /** Those of some variables, in the order of the flow. */
  of(variables: readonly number[]): Touch[] {
    const found = new Set(this.#changes)
    for (const variable of variables) for (const touch of this.#byVariable.get(variable) ?? []) found.add(touch)
    return [...found].sort((a, b) => a.at - b.at)
  }
}

/** Variables that are followed together: the bits of a number. */
const width = 31

/**
 * Looks at the variables `0 … count - 1` of a block.
 * @param results those that have to be assigned at the end of the block
 */
export function assignmentFindings(
  graph: FlowGraph,
  count: number,
  effectsOf: EffectsOf,
  results: ReadonlySet<number>,
): AssignmentFindings {
  const order = inFlowOrder(graph)
  const all = Array.from({ length: count }, (_one, i) => i)
  // Conditions are followed only for variables that need it.
  const touches = new Touches(order, effectsOf, GuardTable.none)
  const doubtful = inGroups(all).flatMap((group) =>
    new Analysis(graph, order, touches, GuardTable.none, group, results).doubtful(),
  )
  if (doubtful.length === 0) return { earlyReads: [], open: [] }
  const guards = GuardTable.of(order)
  const guarded = new Touches(order, effectsOf, guards)
  const found = inGroups(doubtful).map((group) => new Analysis(graph, order, guarded, guards, group, results))
  return { earlyReads: found.flatMap((one) => one.earlyReads()), open: found.flatMap((one) => one.open()) }
}

function inGroups(variables: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(variables.length / width) }, (_one, i) =>
    variables.slice(i * width, (i + 1) * width),
  )
}

class Analysis {
  readonly #graph: FlowGraph
  readonly #order: readonly Step[]
  readonly #guards: GuardTable
  readonly #variables: readonly number[]
  readonly #results: ReadonlySet<number>
  readonly #bits: ReadonlyMap<number, number>
  readonly #actions = new Map<Step, Action[]>()
  /** What a loop, or a branch of the compiler, assigns anywhere. */
  readonly #inLoops = new Map<Whole, number>()
  /** The facts at the beginning of each step: row 0 of what is assigned, then two rows for each condition. */
  readonly #states = new Map<Step, Int32Array>()
  /** What some way to the beginning of the step assigns. */
  readonly #some = new Map<Step, number>()
  readonly #rows: number

  constructor(
    graph: FlowGraph,
    order: readonly Step[],
    touches: Touches,
    guards: GuardTable,
    variables: readonly number[],
    results: ReadonlySet<number>,
  ) {
    this.#graph = graph
    this.#order = order
    this.#guards = guards
    this.#variables = variables
    this.#results = results
    this.#rows = 1 + 2 * guards.size
    this.#bits = new Map(variables.map((variable, i) => [variable, 1 << i]))
    for (const touch of touches.of(variables)) this.#prepare(touch)
    this.#solve()
  }

  /** Variables with an early read, and results that are open at the end. */
  doubtful(): number[] {
    const found = new Set([...this.#earlyReads()].map(({ variable }) => variable))
    for (const variable of this.#openAtEnd()) found.add(variable)
    return this.#variables.filter((variable) => found.has(variable))
  }

  earlyReads(): EarlyRead[] {
    const first = new Map<number, EarlyRead>()
    this.#solveSome()
    for (const { variable, event, step, assigned } of this.#earlyReads()) {
      const known = first.get(variable)
      if (known?.isNever === true) continue
      const isNever = (assigned & this.#bits.get(variable)!) === 0
      if (known === undefined || isNever)
        first.set(variable, { variable, event, isNever, missing: isNever ? undefined : this.#missing(variable, step) })
    }
    return [...first.values()]
  }

  open(): OpenResult[] {
    return this.#openAtEnd().map((variable) => ({ variable, missing: this.#missing(variable, this.#graph.end) }))
  }

  #prepare({ step, event, effects: all, changes }: Touch): void {
    const effects = all.filter(({ variable }) => this.#bits.has(variable))
    const actions = this.#actions.get(step)
    if (actions === undefined) this.#actions.set(step, [{ event, effects, changes }])
    else actions.push({ event, effects, changes })
    for (const { variable, access } of effects)
      if (access === 'write')
        for (const loop of step.inside)
          this.#inLoops.set(loop, (this.#inLoops.get(loop) ?? 0) | this.#bits.get(variable)!)
  }

  #solve(): void {
    this.#states.set(this.#graph.start, new Int32Array(this.#rows))
    const pending = new Pending(this.#order)
    pending.add(this.#graph.start)
    pending.run((step, rank) => {
      const behind = this.#behind(step)
      for (const way of step.out) {
        const next = this.#along(way, behind)
        const before = this.#states.get(way.to)
        let isChanged = before === undefined
        if (before === undefined) this.#states.set(way.to, next)
        else
          for (let i = 0; i < next.length; i++) {
            const both = before[i]! & next[i]!
            if (both !== before[i]) isChanged = true
            before[i] = both
          }
        if (isChanged) pending.add(way.to, rank)
      }
    })
  }

  #solveSome(): void {
    this.#some.set(this.#graph.start, 0)
    const pending = new Pending(this.#order)
    pending.add(this.#graph.start)
    pending.run((step, rank) => {
      let assigned = this.#some.get(step)!
      for (const { effects } of this.#actions.get(step) ?? [])
        for (const { variable, access } of effects) if (access === 'write') assigned |= this.#bits.get(variable)!
      for (const { to } of step.out) {
        const before = this.#some.get(to)
        const all = (before ?? 0) | assigned
        if (all === before) continue
        this.#some.set(to, all)
        pending.add(to, rank)
      }
    })
  }

  /** The facts at the end of a step. */
  #behind(step: Step): Int32Array {
    const state = this.#states.get(step)!.slice()
    this.#enter(step, state)
    for (const action of this.#actions.get(step) ?? []) this.#apply(action, state)
    return state
  }

  #enter({ after }: Step, state: Int32Array): void {
    const assigned = after === undefined ? 0 : (this.#inLoops.get(after) ?? 0)
    if (assigned !== 0) for (let i = 0; i < state.length; i++) state[i]! |= assigned
  }

  #apply({ effects, changes }: Action, state: Int32Array): void {
    for (const { variable, access } of effects) {
      if (access !== 'write') continue
      const bit = this.#bits.get(variable)!
      for (let i = 0; i < state.length; i++) state[i]! |= bit
    }
    const assigned = state[0]!
    for (const { guard, truth } of changes) {
      state[1 + 2 * guard] = truth === false ? -1 : assigned
      state[2 + 2 * guard] = truth === true ? -1 : assigned
    }
  }

  /** The facts behind a way, from those before it. */
  #along(way: Way, behind: Int32Array): Int32Array {
    const state = behind.slice()
    const decided = this.#guards.decidedOn(way)
    if (decided.length === 0) return state
    for (const [guard, isTrue] of decided) {
      state[0]! |= state[(isTrue ? 1 : 2) + 2 * guard]!
      state[(isTrue ? 2 : 1) + 2 * guard] = -1
    }
    for (let i = 1; i < state.length; i++) state[i]! |= state[0]!
    return state
  }

  *#earlyReads() {
    for (const step of this.#order) {
      const actions = this.#actions.get(step)
      const before = this.#states.get(step)
      if (actions === undefined || before === undefined) continue
      const state = before.slice()
      this.#enter(step, state)
      let assigned = this.#some.get(step) ?? 0
      for (const action of actions) {
        for (const { variable, access } of action.effects) {
          const bit = this.#bits.get(variable)!
          if (access === 'write') assigned |= bit
          else if ((this.#beside(action.event, state) & bit) === 0 && !this.#isLaterRound(step, bit))
            yield { variable, event: action.event, step, assigned }
        }
        this.#apply(action, state)
      }
    }
  }

  /** What is assigned where a value that is read matters. */
  #beside(event: FlowEvent, state: Int32Array): number {
    let assigned = state[0]!
    if (event.kind !== 'read' || event.beside === undefined) return assigned
    for (const [guard, isTrue] of this.#guards.decidedBeside(event.beside))
      assigned |= state[(isTrue ? 1 : 2) + 2 * guard]!
    return assigned
  }

  /** In a loop a read under a condition may be one of a later round, and an earlier one has assigned the variable. */
  #isLaterRound({ loops, depth }: Step, bit: number): boolean {
    return loops.some((loop, i) => ((this.#inLoops.get(loop) ?? 0) & bit) !== 0 && (depth > 0 || i < loops.length - 1))
  }

  #openAtEnd(): number[] {
    const state = this.#states.get(this.#graph.end)
    if (state === undefined) return []
    return this.#variables.filter((one) => this.#results.has(one) && (state[0]! & this.#bits.get(one)!) === 0)
  }

  /**
   * The outcome that a way to a step without an assignment takes, of the branch nearest before it that assigns the
   * variable in another way.
   */
  #missing(variable: number, to: Step): Outcome | undefined {
    const bit = this.#bits.get(variable)!
    const seen = new Set<Step>([to])
    let first: Outcome | undefined
    let ways: readonly Way[] = to.in
    while (ways.length > 0) {
      const next: Way[] = []
      for (const way of ways) {
        const { from, outcome } = way
        if (seen.has(from) || !this.#states.has(from)) continue
        if ((this.#along(way, this.#behind(from))[0]! & bit) !== 0) continue
        seen.add(from)
        if (outcome !== undefined && this.#isAssignedOtherwise(way, bit)) return outcome
        first ??= outcome
        next.push(...from.in)
      }
      ways = next
    }
    return first
  }

  /** Whether another way out of the same branch leads to an assignment inside it. */
  #isAssignedOtherwise(way: Way, bit: number): boolean {
    const writes = (step: Step) =>
      (this.#actions.get(step) ?? []).some(({ effects }) =>
        effects.some(({ access, variable }) => access === 'write' && this.#bits.get(variable) === bit),
      )
    return way.from.out.some(({ to: first }) => {
      if (first === way.to) return false
      const isInside = ({ depth, loops }: Step) =>
        loops.length > first.loops.length || (loops.length === first.loops.length && depth >= first.depth)
      const seen = new Set<Step>([first])
      for (const step of seen) {
        if (writes(step)) return true
        for (const { to } of step.out) if (isInside(to)) seen.add(to)
      }
      return false
    })
  }
}
