/**
 * Plans the check of a phase: steps through it with inputs that solve the conditions, and checks every row of the state
 * table on the way.
 */
import { type Effort, isTrue, TooMuchEffort } from './evaluate.ts'
import {
  afterActions,
  type Commands,
  environmentOf,
  idle,
  type PhaseState,
  scan,
  startValues,
  type Visible,
} from './machine.ts'
import { type CheckedPhase, type CheckedStep, keyOf } from './phase.ts'
import type { JsonScalar, MemberValue, PhaseScript, RowName, ScriptItem, StepPlan } from './script.ts'
import { solve, type Values, variablesIn } from './solve.ts'
import { fitted, toJson, Unpredictable, type Value } from './value.ts'

/** Maximum number of expression nodes evaluated for one phase. */
const effortOfPhase = 20_000_000

/** The limit of scans is reached. */
class Cut extends Error {}

type Changes = Partial<Commands>
type Must = Partial<Visible>

/**
 * Plans the script of a phase. Each scan contains the expected result; the values of conditions and actions are
 * calculated here.
 * @param maxScans maximum number of scans in the script
 */
export function planPhase(phase: CheckedPhase, maxScans: number): PhaseScript {
  return new Planner(phase, maxScans).plan()
}

interface Situation {
  readonly state: PhaseState
  readonly commands: Commands
}

class Planner {
  readonly #phase: CheckedPhase
  readonly #maxScans: number
  readonly #effort: Effort = { left: effortOfPhase }
  readonly #items: ScriptItem[] = []
  readonly #steps = new Map<number, StepPlan>()
  #scans = 0
  #commands: Commands = { Execute: false, Hold: false, Abort: false }
  #state: PhaseState

  constructor(phase: CheckedPhase, maxScans: number) {
    this.#phase = phase
    this.#maxScans = maxScans
    this.#state = { ...idle, values: startValues(phase) }
  }

  plan(): PhaseScript {
    let isCut = false
    try {
      this.#inIdle()
      this.#walk()
    } catch (error) {
      // The search for inputs is limited, and so is the script: what was planned so far is kept.
      if (!(error instanceof Cut || error instanceof TooMuchEffort)) throw error
      isCut = true
    }
    const { name, steps } = this.#phase
    const reason = isCut ? 'more scans than allowed would be needed' : undefined
    return {
      phase: name,
      items: this.#closed(),
      scans: this.#scans,
      steps: [...steps.values()].map((step) => this.#steps.get(step.number) ?? this.#notReached(step, reason)),
      transitions: [...steps.values()].flatMap(({ number, nextStep, isFinal, text }) =>
        isFinal ? [] : [{ from: number, to: nextStep!, condition: text }],
      ),
      members: [...this.#phase.variables.values()].map(({ path }) => path),
      isCut,
    }
  }

  /** Ends a script that was cut within a save and restore: the missing restores are added. */
  #closed(): ScriptItem[] {
    const open = this.#items.reduce((depth, { kind }) => depth + (kind === 'save' ? 1 : kind === 'restore' ? -1 : 0), 0)
    return [...this.#items, ...Array.from({ length: open }, () => ({ kind: 'restore' }) as const)]
  }

  #notReached({ number, name, isFinal, actions }: CheckedStep, reason = 'no step before it is left'): StepPlan {
    return {
      number,
      name,
      isFinal,
      isReached: false,
      hasAction: actions.length > 0,
      isActionTold: false,
      waits: false,
      leaves: false,
      inputs: {},
      presets: [],
      reason,
    }
  }

  // ── Idle ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  #inIdle(): void {
    const { initial, steps } = this.#phase
    this.#scan(
      'idle',
      { Execute: false, Hold: false, Abort: false },
      this.#state.values,
      { _Step: 0, Active: false },
      true,
    )
    this.#aside(() => {
      this.#scan('hold', { Hold: true }, undefined, { _Step: 0, Active: false, Held: false })
      this.#scan('hold', { Execute: true }, undefined, { _Step: initial.number, Active: true, Held: true })
    })
    this.#aside(() => {
      this.#scan('abort', { Abort: true }, undefined, { _Step: 0, Active: false })
      this.#scan('abort', { Execute: true }, undefined, { _Step: 0, Active: false })
      this.#scan('restart', { Abort: false }, undefined, { _Step: 0, Active: false })
    })
    const unknown = [...Array(steps.size + 1).keys()].map((i) => i + 1).find((number) => !steps.has(number))
    if (unknown !== undefined && unknown <= 32_767)
      this.#aside(() => {
        this.#state = { ...this.#state, _Step: unknown }
        const must = { _Step: 0, Active: false, Error: true }
        this.#scan('unknown-step', {}, undefined, must, false, [[['_Step'], unknown]])
      })
    this.#scan('start', { Execute: true }, undefined, { _Step: initial.number, Active: true, Done: false })
  }

  // ── Steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  #walk(): void {
    const visited = new Set<number>()
    for (let at: number | undefined = this.#phase.initial.number; at !== undefined; ) {
      const step: CheckedStep = this.#phase.steps.get(at)!
      if (visited.has(at)) return
      visited.add(at)
      at = step.isFinal ? this.#finish(step) : this.#pass(step)
    }
  }

  /** From the first scan in a step to the next step; undefined when the step cannot be left. */
  #pass(step: CheckedStep): number | undefined {
    const next = step.nextStep!
    const values = afterActions(this.#phase, step, this.#state.values, this.#effort)
    const assigned = new Set(step.actions.map(({ target }) => keyOf(target.cmType, target.variable)))
    // In the scan that does the action, inputs that the action reads or writes are not chosen, when there are others.
    const busy = new Set([...assigned, ...keysRead(step)])
    const cold = this.#cold(step, values, assigned, busy)
    const free = (key: string) => cold !== undefined || !busy.has(key)
    const waiting = cold ? this.#entered(step, cold) : values
    const inputs = this.#choose(step, true, waiting, (key) => this.#isInput(key) && free(key))
    const hot = inputs ?? this.#choose(step, true, waiting, free)
    this.#note(step, values, assigned, cold, hot)
    this.#holdAndAbort(step, hot)
    if (cold) {
      this.#scan('entry-action', { Hold: false }, cold, { _Step: step.number, _StepEntry: false, Active: true })
      this.#onlyOnce(step, assigned)
      this.#scan('wait', {}, undefined, { _Step: step.number, Active: true })
      this.#scan('hold', { Hold: true }, hot, { _Step: step.number, Active: true, Held: true })
      this.#aside(() => {
        this.#scan('abort', { Hold: false, Abort: true }, undefined, { _Step: 0, Active: false, Held: false })
      })
    }
    if (!hot) return undefined
    this.#scan('transition', { Hold: false }, hot, { _Step: next, _StepEntry: true, Active: true, Held: false })
    return next
  }

  /** Inputs for which the condition is FALSE in the scan that does the entry action. */
  #cold(
    step: CheckedStep,
    values: PhaseState['values'],
    assigned: ReadonlySet<string>,
    busy: ReadonlySet<string>,
  ): Values | undefined {
    const clear = this.#choose(step, false, values, (key) => this.#isInput(key) && !busy.has(key))
    if (clear) return clear
    // The action writes values that depend on these inputs: the condition must be FALSE with them as well.
    const other = this.#choose(step, false, values, (key) => this.#isInput(key) && !assigned.has(key))
    return other && this.#choose(step, false, this.#entered(step, other), () => false) ? other : undefined
  }

  /** The values after the entry action, when the inputs are written before it. */
  #entered(step: CheckedStep, inputs: Values): Map<string, Value | undefined> {
    return afterActions(this.#phase, step, new Map([...this.#state.values, ...inputs]), this.#effort)
  }

  /** The checks in each step before it is evaluated. Hold is TRUE after them. */
  #holdAndAbort({ number }: CheckedStep, hot: Values | undefined): void {
    this.#aside(() => {
      this.#scan('abort', { Abort: true }, hot, { _Step: 0, Active: false, Held: false })
      this.#scan('restart', { Abort: false }, undefined, { _Step: 0, Active: false })
      this.#scan('restart', { Execute: false }, undefined, { _Step: 0, Active: false })
      const start = { _Step: this.#phase.initial.number, Active: true }
      this.#scan('restart', { Execute: true }, undefined, start)
    })
    this.#aside(() => {
      this.#scan('abort', { Abort: true, Hold: true }, hot, { _Step: 0, Active: false, Held: false })
    })
    this.#aside(() => {
      this.#scan('hold', { Hold: true }, hot, { _Step: number, _StepEntry: true, Active: true, Held: true })
    })
    this.#scan('hold', { Hold: true }, undefined, { _Step: number, _StepEntry: true, Active: true, Held: true })
  }

  /** Writes other values to the variables of the entry action: they must not be overwritten. */
  #onlyOnce(step: CheckedStep, assigned: ReadonlySet<string>): void {
    const others = new Map<string, Value>()
    for (const key of assigned) {
      const other = otherValue(this.#state.values.get(key), this.#phase.variables.get(key)!.type)
      if (other === undefined) continue
      others.set(key, other)
      // They must not make the condition TRUE, because then the step would be left.
      const stays = this.#choose(step, false, new Map([...this.#state.values, ...others]), () => false)
      if (!stays) others.delete(key)
    }
    if (others.size === 0) return
    this.#aside(() => this.#scan('entry-action', {}, others, { _Step: step.number, _StepEntry: false, Active: true }))
  }

  #finish(step: CheckedStep): undefined {
    const values = afterActions(this.#phase, step, this.#state.values, this.#effort)
    this.#note(step, values, new Set(step.actions.map(({ target }) => keyOf(target.cmType, target.variable))))
    this.#holdAndAbort(step, undefined)
    const done = { _Step: 0, Active: false, Done: true, Held: false }
    this.#aside(() => {
      this.#scan('final', { Hold: false, Execute: false }, undefined, done)
      this.#scan('restart', {}, undefined, { _Step: 0, Done: true })
      const again = { _Step: this.#phase.initial.number, Active: true, Done: false }
      this.#scan('restart', { Execute: true }, undefined, again)
    })
    this.#scan('final', { Hold: false }, undefined, done)
    this.#scan('restart', {}, undefined, { _Step: 0, Active: false, Done: true })
    this.#scan('restart', { Execute: false }, undefined, { _Step: 0, Active: false, Done: false })
    return undefined
  }

  #note(
    step: CheckedStep,
    values: PhaseState['values'],
    assigned: ReadonlySet<string>,
    cold?: Values,
    hot?: Values,
  ): void {
    const { number, name, isFinal, actions } = step
    const names = [...(hot ?? [])].map(([key, value]) => {
      const { name: variable, type } = this.#phase.variables.get(key)!
      return [variable, toJson(value, type)] as const
    })
    const presets = [...(hot?.keys() ?? [])].filter((key) => !this.#isInput(key))
    const reasons = isFinal
      ? []
      : [
          ...(hot ? [] : [`no values of variables were found that make "${step.text}" TRUE`]),
          ...(cold ? [] : [`no values of In variables were found that make "${step.text}" FALSE`]),
          ...(hot || cold ? [] : this.#doubt(step, values)),
        ]
    this.#steps.set(number, {
      number,
      name,
      isFinal,
      isReached: true,
      hasAction: actions.length > 0,
      isActionTold: [...assigned].every((key) => values.get(key) !== undefined),
      waits: cold !== undefined,
      leaves: isFinal || hot !== undefined,
      inputs: Object.fromEntries(names),
      presets: presets.map((key) => this.#phase.variables.get(key)!.name),
      ...(reasons.length === 0 ? {} : { reason: reasons.join('; ') }),
    })
  }

  /** Reasons why the value of a condition cannot be predicted. */
  #doubt({ condition }: CheckedStep, values: PhaseState['values']): string[] {
    try {
      isTrue(condition!, environmentOf(this.#phase, values), this.#effort)
      return []
    } catch (error) {
      if (error instanceof Unpredictable) return [error.message]
      throw error
    }
  }

  #isInput(key: string): boolean {
    return this.#phase.variables.get(key)!.direction === 'In'
  }

  #choose(
    { condition }: CheckedStep,
    want: boolean,
    values: PhaseState['values'],
    isFree: (key: string) => boolean,
  ): Values | undefined {
    const question = {
      condition: condition!,
      want,
      env: environmentOf(this.#phase, values),
      keyOf: (variable: { cmType: string; variable: string }) => keyOf(variable.cmType, variable.variable),
      isFree: (variable: { cmType: string; variable: string }) => isFree(keyOf(variable.cmType, variable.variable)),
    }
    return solve(question, this.#effort)
  }

  // ── Scans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Adds a scan.
   * @param must what the row of the table requires; it must agree with the machine
   * @param isWhole true: all members are expected, not only those that change
   */
  #scan(
    row: RowName,
    changes: Changes,
    values: PhaseState['values'] | undefined,
    must: Must,
    isWhole = false,
    alsoWritten: readonly MemberValue[] = [],
  ): void {
    if (this.#scans >= this.#maxScans) throw new Cut()
    this.#scans++
    const from = this.#state
    this.#commands = { ...this.#commands, ...changes }
    const given = values ? new Map([...from.values, ...values]) : from.values
    const before = { ...from, values: given }
    const after = scan(this.#phase, before, this.#commands, this.#effort)
    for (const [name, value] of Object.entries(must))
      if (after[name as keyof Visible] !== value)
        throw new Error(
          `${this.#phase.name}, step ${from._Step}, ${row}: ${name} would be ${after[name as keyof Visible]}`,
        )
    const written: MemberValue[] = [
      ...alsoWritten,
      ...Object.entries(changes).map(([name, value]) => [[name], value] as const),
      ...[...(values ?? [])].flatMap(([key, value]) => this.#member(key, value)),
    ]
    this.#items.push({
      kind: 'scan',
      row,
      step: from._Step,
      write: written,
      expect: this.#expected(before, after, isWhole),
      open: this.#open(after),
    })
    this.#state = after
  }

  #member(key: string, value: Value | undefined): MemberValue[] {
    const { path, type } = this.#phase.variables.get(key)!
    return value === undefined ? [] : [[path, toJson(value, type)]]
  }

  #expected(before: PhaseState, after: PhaseState, isWhole: boolean): MemberValue[] {
    const found: MemberValue[] = []
    for (const name of ['_Step', '_StepEntry', 'Active', 'Done', 'Held', 'Error'] as const) {
      if (name === '_StepEntry' && after._Step === 0) continue
      // In idle it may have any value, so its previous value is unknown.
      const isNew = name === '_StepEntry' && before._Step === 0
      if (isWhole || isNew || before[name] !== after[name]) found.push([[name], after[name] as JsonScalar])
    }
    if (after.values !== before.values)
      for (const [key, value] of after.values)
        if (before.values.get(key) !== value) found.push(...this.#member(key, value))
    return found
  }

  #open({ _Step, values }: PhaseState): string[][] {
    const found: string[][] = _Step === 0 ? [['_StepEntry']] : []
    for (const [key, value] of values) if (value === undefined) found.push([...this.#phase.variables.get(key)!.path])
    return found
  }

  /** Does some work between a save and a restore of the instance. */
  #aside(work: () => void): void {
    const before: Situation = { state: this.#state, commands: this.#commands }
    this.#items.push({ kind: 'save' })
    work()
    this.#items.push({ kind: 'restore' })
    this.#state = before.state
    this.#commands = before.commands
  }
}

/** Variables that the entry action of a step reads. */
function keysRead({ actions }: CheckedStep): string[] {
  return actions.flatMap(({ value }) => [...variablesIn(value)].map(({ cmType, variable }) => keyOf(cmType, variable)))
}

/** A value that differs from the given one. */
function otherValue(value: Value | undefined, type: Parameters<typeof fitted>[1]): Value | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return value === 'x' ? 'y' : 'x'
  const step = type.name === 'S5Time' ? 10n : 1n
  const others = typeof value === 'bigint' ? [value + step, value - step] : [value === 0 ? 1 : value / 2]
  for (const other of others)
    try {
      const held = fitted(other, type)
      if (held !== value) return held
    } catch (error) {
      if (!(error instanceof Unpredictable)) throw error
    }
  return undefined
}
