/**
 * Plans the check of a phase: steps through it with inputs that solve the conditions, and checks every row of the state
 * table on the way. What differs between the two kinds of blocks is in plan-basic.ts and plan-states.ts.
 */

import { isTrue } from '../expressions/evaluate.ts'
import type { Assignment } from '../expressions/expression.ts'
import { Unpredictable, type Value } from '../expressions/value.ts'
import type { KindPlan } from './kind-plan.ts'
import { type CheckedPhase, type CheckedStep, keyOf, targetOf } from './phase.ts'
import { afterActions, afterEntry, environmentOf, type PhaseState, timeOf } from './phase-state.ts'
import { BasicPlan } from './plan-basic.ts'
import { StatesPlan } from './plan-states.ts'
import type { PhaseScript, RowName, StepPlan } from './script.ts'
import { type Must, otherValue, ScriptWriter } from './script-writer.ts'
import { type Values, variablesIn } from './solve.ts'

/**
 * Plans the script of a phase. Each scan contains the expected result; the values of conditions and actions are
 * calculated here.
 * @param maxScans maximum number of scans in the script
 */
export function planPhase(phase: CheckedPhase, maxScans: number): PhaseScript {
  return new Planner(phase, maxScans).plan()
}

/** Notes of one step while it is planned. */
interface StepNotes {
  readonly missed: Partial<Record<RowName, string>>
  readonly reasons: string[]
  leaves: boolean
  inputs: StepPlan['inputs']
  presets: string[]
}

class Planner {
  readonly #writer: ScriptWriter
  readonly #kind: KindPlan
  readonly #phase: CheckedPhase
  readonly #notes = new Map<number, StepNotes>()
  readonly #checkedRules = new Set<string>()
  readonly #missing: { row: RowName; reason: string }[] = []

  constructor(phase: CheckedPhase, maxScans: number) {
    this.#phase = phase
    this.#writer = new ScriptWriter(phase, maxScans)
    const note = (row: RowName, reason: string) => void this.#missing.push({ row, reason })
    this.#kind = phase.isStates ? new StatesPlan(this.#writer, note) : new BasicPlan(this.#writer, note)
  }

  plan(): PhaseScript {
    const isCut = this.#writer.run(() => {
      this.#kind.begin()
      this.#walk()
    })
    const { name, steps, variables, face, interlocks } = this.#phase
    for (const { key, rules } of interlocks)
      for (const { text } of rules)
        if (!this.#checkedRules.has(`${key} ${text}`)) {
          const reason = `no step was reached in which ${variables.get(key)!.name} can be blocked by "${text}"`
          this.#missing.push({ row: 'interlock', reason })
        }
    const all = [...steps.values()]
    const applied = new Set<RowName>([...this.#kind.rows, ...all.flatMap((step) => this.#due(step))])
    if (interlocks.length > 0) applied.add('interlock')
    return {
      phase: name,
      rows: [...applied],
      items: this.#writer.items,
      scans: this.#writer.scans,
      steps: all.map((step) => this.#planOf(step, isCut)),
      transitions: all.flatMap(({ number, nextStep, isFinal, text }) =>
        isFinal ? [] : [{ from: number, to: nextStep!, condition: text }],
      ),
      missing: this.#missing,
      inputs: face.inputs.filter(({ type }) => !type.startsWith('"')).map(({ name: input }) => input),
      outputs: [...face.statics, ...face.outputs]
        .map(({ name: output }) => output)
        .filter((one) => one !== '_StepTimer'),
      ...(face.isTimed ? { timer: '_StepTimer' } : {}),
      members: [...variables.values()].map(({ path }) => path),
      isCut,
    }
  }

  /** Rows that apply to a step. */
  #due({ isFinal, actions, whileActions, exitActions, minTime, timeout, condition }: CheckedStep): RowName[] {
    const isDue: Partial<Record<RowName, boolean>> = {
      'entry-action': actions.length > 0,
      'while-action': whileActions.length > 0,
      wait: !isFinal && !isAlways(condition),
      'min-time': minTime !== undefined,
      timeout: timeout !== undefined,
      'exit-action': exitActions.length > 0,
      transition: !isFinal,
      final: isFinal,
    }
    return [...this.#kind.stepRows, ...(Object.keys(isDue) as RowName[]).filter((row) => isDue[row])]
  }

  #planOf(step: CheckedStep, isCut: boolean): StepPlan {
    const { number, name, isFinal } = step
    const notes = this.#notes.get(number)
    const unreached = isCut ? 'more scans than allowed would be needed' : 'no step before it is left'
    const isOpen = isCut && !isFinal && notes?.leaves === false
    const reason = notes ? [...notes.reasons, ...(isOpen ? [unreached] : [])].join('; ') : unreached
    return {
      number,
      name,
      isFinal,
      isReached: notes !== undefined,
      leaves: isFinal || (notes?.leaves ?? false),
      inputs: notes?.inputs ?? {},
      presets: notes?.presets ?? [],
      due: this.#due(step),
      missed: notes?.missed ?? {},
      ...(reason === '' ? {} : { reason }),
    }
  }

  #walk(): void {
    const visited = new Set<number>()
    for (let at: number | undefined = this.#phase.initial.number; at !== undefined; ) {
      const step: CheckedStep = this.#phase.steps.get(at)!
      if (visited.has(at)) return
      visited.add(at)
      const notes: StepNotes = { missed: {}, reasons: [], leaves: false, inputs: {}, presets: [] }
      this.#notes.set(at, notes)
      at = step.isFinal ? this.#finish(step, notes) : this.#pass(step, notes)
    }
  }

  #finish(step: CheckedStep, notes: StepNotes): undefined {
    this.#tellActions(step, notes)
    this.#kind.disturbBefore(step, undefined)
    if (step.actions.length > 0) {
      const values = this.#others(step.actions, step, true)
      const told = this.#writer.aside(() =>
        this.#kind.go({ row: 'entry-action', values, must: { _Step: 0, Done: true } }),
      )
      if (told !== undefined) notes.missed['entry-action'] = told
    }
    const reason = this.#kind.finish(step)
    if (reason !== undefined) notes.missed.final = reason
    return undefined
  }

  /** From the first scan in a step to the next step; undefined when the step cannot be left. */
  #pass(step: CheckedStep, notes: StepNotes): number | undefined {
    const writer = this.#writer
    const { values } = writer.state
    const after = this.#entered(step, values)
    const assigned = new Set([...step.actions, ...step.whileActions].map((action) => targetOf(this.#phase, action)))
    // In the scan that does the action, inputs that the action reads or writes are not chosen, when there are others.
    const busy = new Set([...assigned, ...keysRead([...step.actions, ...step.whileActions])])
    const cold = this.#cold(step, after, assigned, busy)
    const free = (key: string) => cold !== undefined || !busy.has(key)
    const hot = this.#hot(step, cold ? this.#entered(step, new Map([...values, ...cold])) : after, free)
    this.#tellActions(step, notes)
    this.#doubts(step, notes, after, cold, hot)
    this.#kind.disturbBefore(step, hot)
    // A step whose condition is always TRUE stays until MinTime is over.
    const stay = cold ?? (step.minTime ? hot : undefined)
    if (stay) {
      const reason = this.#stay(step, stay, cold, hot, notes)
      if (reason !== undefined) {
        notes.reasons.push(`the step does not stay: ${reason}`)
        return undefined
      }
    } else {
      for (const row of ['while-action', 'timeout'] as const) notes.missed[row] = 'its condition was not FALSE'
      if (hot && step.actions.length > 0) {
        const must: Must = { ...this.#kind.inStep, _Step: step.nextStep!, _StepEntry: true }
        const values = new Map([...this.#others(step.actions, step, true, hot), ...hot])
        const reason = writer.aside(() => this.#kind.go({ row: 'entry-action', values, must }))
        if (reason !== undefined) notes.missed['entry-action'] = reason
      }
    }
    const last = (stay ? this.#hot(step, writer.state.values, () => true) : undefined) ?? hot
    // What was written before may hold already, but it belongs to the answer.
    return last ? this.#leave(step, new Map([...(hot ?? []), ...last]), notes) : undefined
  }

  /** What is checked while the step stays. @returns why it does not stay */
  #stay(
    step: CheckedStep,
    stay: Values,
    cold: Values | undefined,
    hot: Values | undefined,
    notes: StepNotes,
  ): string | undefined {
    const stays: Must = { ...this.#kind.inStep, _Step: step.number, _StepEntry: false }
    const row = step.actions.length > 0 ? 'entry-action' : cold ? 'wait' : 'min-time'
    const others = this.#others(step.actions, step, false, stay)
    const reason =
      this.#kind.go({ row, values: new Map([...others, ...stay]), must: stays }) &&
      this.#kind.go({ row, values: stay, must: stays })
    if (reason !== undefined) return reason
    this.#onlyOnce(step, stays)
    this.#everyTime(step, stays, notes)
    if (cold) {
      const waits = this.#writer.scan({ row: 'wait', must: stays })
      if (waits !== undefined) notes.missed.wait = waits
    }
    this.#interlocks()
    this.#kind.disturbAfter(step, hot)
    if (step.timeout && cold) this.#timeout(step, stays, notes)
    return undefined
  }

  #leave(step: CheckedStep, hot: Values, notes: StepNotes): number | undefined {
    const writer = this.#writer
    const next = step.nextStep!
    notes.inputs = writer.named(hot)
    notes.presets = [...hot.keys()]
      .filter((key) => !writer.isInput(key))
      .map((key) => this.#phase.variables.get(key)!.name)
    const left: Must = { ...this.#kind.inStep, _Step: next, _StepEntry: true }
    if (step.minTime) {
      const reason = this.#minTime(step, hot, notes)
      if (reason !== undefined) {
        notes.missed['min-time'] = reason
        notes.reasons.push(reason)
        return undefined
      }
    }
    const scan = (row: RowName, values: PhaseState['values']) => this.#kind.go({ row, values, must: left })
    if (step.exitActions.length > 0) {
      // Other values before, so that each assignment is seen.
      const others = this.#others(step.exitActions, step, true, hot)
      const reason = writer.aside(() => scan('exit-action', new Map([...others, ...hot])))
      if (reason !== undefined) notes.missed['exit-action'] = reason
    }
    const reason = scan('transition', hot)
    if (reason !== undefined) {
      notes.reasons.push(reason)
      return undefined
    }
    notes.leaves = true
    return next
  }

  /** The condition is TRUE: the step stays until MinTime is over. */
  #minTime(step: CheckedStep, hot: Values, notes: StepNotes): string | undefined {
    const writer = this.#writer
    const stays: Must = { ...this.#kind.inStep, _Step: step.number, _StepEntry: false }
    const first = this.#kind.go({ row: 'min-time', values: hot, must: stays, note: 'Condition TRUE before MinTime' })
    if (first !== undefined) return first
    const least = this.#time(step.minTime!)
    // One scan just before the time is over; the scan after it leaves the step.
    writer.elapse(least - writer.state.StepTime - 2n)
    const reason = writer.scan({ row: 'min-time', must: stays, note: 'just before MinTime' })
    if (reason !== undefined) notes.missed['min-time'] = reason
    return undefined
  }

  /** The condition stays FALSE until Timeout. */
  #timeout(step: CheckedStep, stays: Must, notes: StepNotes): void {
    const writer = this.#writer
    const cold = writer.choose(step.condition!, false, (key) => writer.isInput(key))
    if (!cold) {
      notes.missed.timeout = 'its condition was not FALSE'
      return
    }
    writer.aside(() => {
      const first = this.#kind.go({ row: 'wait', values: cold, must: stays })
      if (first !== undefined) {
        notes.missed.timeout = first
        return
      }
      const most = this.#time(step.timeout!)
      writer.elapse(most - writer.state.StepTime - 2n)
      const before: Must = { ...this.#kind.inStep, _Step: step.number, Alarm: false }
      const late: Must = { ...this.#kind.lateMust(step), Alarm: true, AlarmText: step.alarmText }
      const reason = writer.all(
        { row: 'timeout', must: before, note: 'just before Timeout' },
        { row: 'timeout', must: late, note: `at Timeout: ${step.onTimeout}` },
      )
      if (reason !== undefined) notes.missed.timeout = reason
      else
        this.#kind.afterTimeout(
          step,
          cold,
          this.#hot(step, writer.state.values, () => true),
        )
    })
  }

  /** A time of a step: a constant or a parameter, which nothing but the check writes. */
  #time(time: NonNullable<CheckedStep['timeout']>): bigint {
    return timeOf(this.#phase, time, this.#writer.state.values, this.#writer.effort)
  }

  // ── Inputs ────────────────────────────────────────────────────────────────────────────────────────────────────────

  #entered(step: CheckedStep, values: PhaseState['values']): PhaseState['values'] {
    return afterEntry(this.#phase, step, values, this.#writer.effort)
  }

  /** Inputs for which the condition is FALSE in the scan that does the entry action. */
  #cold(
    step: CheckedStep,
    after: PhaseState['values'],
    assigned: ReadonlySet<string>,
    busy: ReadonlySet<string>,
  ): Values | undefined {
    const writer = this.#writer
    const condition = step.condition!
    const clear = writer.choose(condition, false, (key) => writer.isInput(key) && !busy.has(key), after)
    if (clear) return clear
    // The action writes values that depend on these inputs: the condition must be FALSE with them as well.
    const other = writer.choose(condition, false, (key) => writer.isInput(key) && !assigned.has(key), after)
    if (!other) return undefined
    const entered = this.#entered(step, new Map([...writer.state.values, ...other]))
    return writer.choose(condition, false, () => false, entered) ? other : undefined
  }

  #hot(step: CheckedStep, values: PhaseState['values'], isFree: (key: string) => boolean): Values | undefined {
    const writer = this.#writer
    const inputs = writer.choose(step.condition!, true, (key) => writer.isInput(key) && isFree(key), values)
    return inputs ?? writer.choose(step.condition!, true, (key) => writer.isSettable(key) && isFree(key), values)
  }

  #tellActions(step: CheckedStep, { missed }: StepNotes): void {
    const after = this.#entered(step, this.#writer.state.values)
    const isTold = (actions: readonly Assignment[]) =>
      actions.every((action) => after.get(targetOf(this.#phase, action)) !== undefined)
    if (!isTold(step.actions)) missed['entry-action'] = 'the value that is assigned cannot be told for certain'
  }

  #doubts(
    { text, condition }: CheckedStep,
    { reasons, missed }: StepNotes,
    values: PhaseState['values'],
    cold: Values | undefined,
    hot: Values | undefined,
  ): void {
    if (!hot) reasons.push(`no values of variables were found that make "${text}" TRUE`)
    if (!cold && !isAlways(condition)) {
      const reason = `no values of In variables were found that make "${text}" FALSE`
      reasons.push(reason)
      missed.wait = reason
    }
    if (hot || cold) return
    try {
      isTrue(condition!, environmentOf(this.#phase, values), this.#writer.effort)
    } catch (error) {
      if (!(error instanceof Unpredictable)) throw error
      reasons.push(error.message)
    }
  }

  // ── Actions and interlocks ────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Other values for what actions write, so that each assignment is seen. Those that would change the condition are
   * left out, if it has the wanted value without them: before MinTime is over it may be TRUE in a step that stays.
   */
  #others(actions: readonly Assignment[], step: CheckedStep, want: boolean, given: Values = new Map()): Values {
    const writer = this.#writer
    const values = new Map([...writer.state.values, ...given])
    const after = afterActions(this.#phase, actions, values, writer.effort)
    const others = new Map<string, Value>()
    const isWanted = () =>
      step.condition === undefined ||
      writer.choose(step.condition, want, () => false, new Map([...values, ...others, ...given])) !== undefined
    const isKept = isWanted()
    for (const key of new Set(actions.map((action) => targetOf(this.#phase, action)))) {
      const other = otherValue(after.get(key), this.#phase.variables.get(key)!.type)
      if (other === undefined) continue
      others.set(key, other)
      if (isKept && !isWanted()) others.delete(key)
    }
    return others
  }

  /** Writes other values to the variables of the entry action: they must not be overwritten. */
  #onlyOnce(step: CheckedStep, must: Must): void {
    const others = this.#others(step.actions, step, false)
    if (others.size === 0) return
    this.#writer.aside(() =>
      this.#writer.scan({ row: 'entry-action', values: others, must, note: 'The action is not done again' }),
    )
  }

  /** Writes other values to the variables of the while action: they must be overwritten. */
  #everyTime(step: CheckedStep, must: Must, { missed }: StepNotes): void {
    if (step.whileActions.length === 0) return
    const others = this.#others(step.whileActions, step, false)
    const reason = this.#writer.aside(() => this.#writer.scan({ row: 'while-action', values: others, must }))
    if (reason !== undefined) missed['while-action'] = reason
  }

  /** Every interlock that can be seen here: the phase wants another value than the safe one. */
  #interlocks(): void {
    const writer = this.#writer
    for (const { key, request, safe, rules } of this.#phase.interlocks) {
      const wanted = writer.state.values.get(request)
      if (wanted === undefined || wanted === safe) continue
      for (const { condition, text, reason } of rules) {
        if (this.#checkedRules.has(`${key} ${text}`)) continue
        const isFree = (one: string) => writer.isInput(one)
        const blocked = writer.choose(condition, true, isFree)
        const clear = blocked && writer.choose(condition, false, isFree, new Map([...writer.state.values, ...blocked]))
        if (!clear) continue
        const missed = writer.aside(() =>
          writer.all(
            { row: 'interlock', values: blocked, must: { Interlocked: true }, note: reason },
            { row: 'interlock', values: clear, must: {}, note: 'the cause is gone' },
          ),
        )
        if (missed === undefined) this.#checkedRules.add(`${key} ${text}`)
      }
    }
  }
}

/** Whether a condition is the constant TRUE, for which a step need not wait. */
function isAlways(condition: CheckedStep['condition']): boolean {
  return condition?.kind === 'bool' && condition.value
}

/** Variables that actions read. */
function keysRead(actions: readonly Assignment[]): string[] {
  return actions.flatMap(({ value }) => [...variablesIn(value)].map(({ cmType, variable }) => keyOf(cmType, variable)))
}
