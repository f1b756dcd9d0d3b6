/**
 * What a phase block must do, scan by scan: the state table of docs/design.md#design-specs, and the details of its
 * documentation (edge of Execute, entry actions during Hold, Done and Error). It is written from these texts and does
 * not depend on the generated code.
 */
import type { Effort, Environment } from './evaluate.ts'
import { assignedValue, isTrue } from './evaluate.ts'
import { type CheckedPhase, type CheckedStep, keyOf, type ModuleVariable } from './phase.ts'
import { startValue, Unpredictable, type Value } from './value.ts'

/** Inputs of the block other than the control modules. */
export interface Commands {
  readonly Execute: boolean
  readonly Hold: boolean
  readonly Abort: boolean
}

/** The visible state of the block; `_StepEntry` counts only while a step is active. */
export interface Visible {
  readonly _Step: number
  readonly _StepEntry: boolean
  readonly Active: boolean
  readonly Done: boolean
  readonly Held: boolean
  readonly Error: boolean
}

/** State of a phase between scans. The value `undefined` in `values` means that it cannot be predicted. */
export interface PhaseState extends Visible {
  /** In idle: Execute has not been FALSE since the end of the phase. */
  readonly needsRelease: boolean
  readonly values: ReadonlyMap<string, Value | undefined>
}

/** The idle state, as after the start of the controller. */
export const idle: Omit<PhaseState, 'values'> = {
  _Step: 0,
  _StepEntry: false,
  Active: false,
  Done: false,
  Held: false,
  Error: false,
  needsRelease: false,
}

/** All variables with their start values. */
export function startValues({ variables }: CheckedPhase): Map<string, Value> {
  return new Map([...variables].map(([key, { type }]) => [key, startValue(type)]))
}

/** The variables of a state, as expressions read them. */
export function environmentOf({ variables }: CheckedPhase, values: PhaseState['values']): Environment {
  const find = (cmType: string, variable: string): [string, ModuleVariable] => {
    const key = keyOf(cmType, variable)
    return [key, variables.get(key)!]
  }
  return {
    typeOf: ({ cmType, variable }) => find(cmType, variable)[1].type,
    valueOf: ({ cmType, variable }) => {
      const [key, { name }] = find(cmType, variable)
      const value = values.get(key)
      if (value === undefined) throw new Unpredictable(`the value of ${name} is not known`)
      return value
    },
  }
}

/** The values after the entry action of a step; `undefined` for a value that cannot be predicted. */
export function afterActions(
  phase: CheckedPhase,
  { actions }: CheckedStep,
  values: PhaseState['values'],
  effort: Effort,
): Map<string, Value | undefined> {
  const next = new Map(values)
  for (const { target, value } of actions) {
    const key = keyOf(target.cmType, target.variable)
    next.set(
      key,
      told(() => assignedValue(value, phase.variables.get(key)!.type, environmentOf(phase, next), effort)),
    )
  }
  return next
}

function told(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unpredictable) return undefined
    throw error
  }
}

/**
 * Calculates one scan.
 * @throws Unpredictable when a condition is evaluated whose value cannot be predicted
 */
export function scan(phase: CheckedPhase, before: PhaseState, commands: Commands, effort: Effort): PhaseState {
  let state = before
  if (!(before.Active && (commands.Hold || commands.Abort)))
    state = before._Step === 0 ? inIdle(phase, before, commands) : inStep(phase, before, commands, effort)
  state = { ...state, Held: commands.Hold && state.Active }
  return commands.Abort && state.Active ? { ...ended(state, commands), Held: false } : state
}

function inIdle({ initial }: CheckedPhase, before: PhaseState, { Execute }: Commands): PhaseState {
  if (Execute && !before.needsRelease)
    return { ...before, _Step: initial.number, _StepEntry: true, Active: true, Done: false, Error: false }
  return before.needsRelease && !Execute ? { ...before, needsRelease: false, Done: false, Error: false } : before
}

function inStep(phase: CheckedPhase, before: PhaseState, commands: Commands, effort: Effort): PhaseState {
  const step = phase.steps.get(before._Step)
  if (!step) return { ...ended(before, commands), Error: true }
  const values = before._StepEntry ? afterActions(phase, step, before.values, effort) : before.values
  const entered: PhaseState = { ...before, values, _StepEntry: false }
  if (step.isFinal) return { ...ended(entered, commands), Done: true }
  return isTrue(step.condition!, environmentOf(phase, values), effort)
    ? { ...entered, _Step: step.nextStep!, _StepEntry: true }
    : entered
}

/** Returns to idle: an Execute that is still TRUE does not start the phase again. */
function ended(state: PhaseState, { Execute }: Commands): PhaseState {
  return { ...state, _Step: 0, _StepEntry: false, Active: false, needsRelease: Execute }
}
