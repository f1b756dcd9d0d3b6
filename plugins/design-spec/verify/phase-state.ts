/**
 * The state of a phase between scans, and what both kinds of blocks do with it: actions, times, steps. It is written
 * from the documentation and does not depend on the generated code.
 */

import type { Effort, Environment } from '../expressions/evaluate.ts'
import { assignedValue, isTrue } from '../expressions/evaluate.ts'
import type { Assignment, Expression } from '../expressions/expression.ts'
import { timeType, Unpredictable, type Value } from '../expressions/value.ts'
import type { CommandName } from '../model/model.ts'
import { type CheckedPhase, type CheckedStep, keyOf, type ModuleVariable, targetOf } from './phase.ts'

/** Inputs of the block other than control modules and parameters. */
export type CommandInput = 'Execute' | 'Hold' | 'Abort' | 'Start' | 'Restart' | 'Stop' | 'Reset'
export type Commands = Readonly<Partial<Record<CommandInput, boolean>>>

/** The visible state of the block; `_StepEntry` counts only while a step is active. */
export interface Visible {
  readonly _Step: number
  readonly _StepEntry: boolean
  readonly Active: boolean
  readonly Done: boolean
  readonly Held: boolean
  readonly Error: boolean
  readonly ErrorText: string
  /** Milliseconds. */
  readonly StepTime: bigint
  readonly Alarm: boolean
  readonly AlarmText: string
  /** `undefined`: it cannot be predicted. */
  readonly Interlocked: boolean | undefined
  readonly InterlockText: string
  readonly _TimeoutHold: boolean
  readonly _TimeoutAbort: boolean
  /** Of ISA-88: a place in `stateNames`. */
  readonly State: number
  readonly _StateEntry: boolean
  readonly _StartSeen: boolean
}

/** State of a phase between scans. The value `undefined` in `values` means that it cannot be predicted. */
export interface PhaseState extends Visible {
  /** In idle: Execute has not been FALSE since the end of the phase. */
  readonly needsRelease: boolean
  /** Whether the timer of the step runs. */
  readonly isMeasured: boolean
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
  ErrorText: '',
  StepTime: 0n,
  Alarm: false,
  AlarmText: '',
  Interlocked: false,
  InterlockText: '',
  _TimeoutHold: false,
  _TimeoutAbort: false,
  State: 0,
  _StateEntry: false,
  _StartSeen: false,
  needsRelease: false,
  isMeasured: false,
}

/** All variables with their start values. */
export function startValues({ variables }: CheckedPhase): Map<string, Value> {
  return new Map([...variables].map(([key, { start }]) => [key, start]))
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

/** The values after an action; `undefined` for a value that cannot be predicted. */
export function afterActions(
  phase: CheckedPhase,
  actions: readonly Assignment[],
  values: PhaseState['values'],
  effort: Effort,
): PhaseState['values'] {
  if (actions.length === 0) return values
  const next = new Map(values)
  for (const action of actions) {
    const key = targetOf(phase, action)
    const { type } = phase.variables.get(key)!
    next.set(
      key,
      told(() => assignedValue(action.value, type, environmentOf(phase, next), effort)),
    )
  }
  return next
}

/** The values after the entry action and the while action of a step. */
export function afterEntry(
  phase: CheckedPhase,
  { actions, whileActions }: CheckedStep,
  values: PhaseState['values'],
  effort: Effort,
): PhaseState['values'] {
  return afterActions(phase, whileActions, afterActions(phase, actions, values, effort), effort)
}

/** The values after the action of a command. */
export function afterCommand(
  phase: CheckedPhase,
  command: CommandName,
  values: PhaseState['values'],
  effort: Effort,
): PhaseState['values'] {
  return afterActions(phase, phase.commands.get(command)?.actions ?? [], values, effort)
}

/** The result of some work; undefined when it cannot be predicted. */
export function told<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Unpredictable) return undefined
    throw error
  }
}

/** A time of a step, ms. @throws Unpredictable */
export function timeOf(phase: CheckedPhase, time: Expression, values: PhaseState['values'], effort: Effort): bigint {
  return assignedValue(time, timeType, environmentOf(phase, values), effort) as bigint
}

/** The text of the first parameter outside its limits; undefined when there is none. */
export function refusal({ limits, variables }: CheckedPhase, values: PhaseState['values']): string | undefined {
  const isOutside = (key: string): boolean => {
    const { min, max } = variables.get(key)!
    const value = values.get(key)
    return value !== undefined && !((min === undefined || value >= min) && (max === undefined || value <= max))
  }
  return limits.find(({ key }) => isOutside(key))?.text
}

/** No alarm of a timeout. */
export const noAlarm = { Alarm: false, AlarmText: '' }
/** The state after the entry action of a final step. */
export function finished(
  phase: CheckedPhase,
  { actions }: CheckedStep,
  before: PhaseState,
  effort: Effort,
): PhaseState {
  const values = before._StepEntry ? afterActions(phase, actions, before.values, effort) : before.values
  return { ...before, values, _StepEntry: false }
}

/** One scan in a step: it stays, is left, or is late; `final` for a final step. */
export function stepScan(
  phase: CheckedPhase,
  step: CheckedStep,
  before: PhaseState,
  effort: Effort,
): { readonly state: PhaseState; readonly isLate: boolean } | 'final' {
  if (step.isFinal) return 'final'
  const entered = before._StepEntry ? afterActions(phase, step.actions, before.values, effort) : before.values
  const values = afterActions(phase, step.whileActions, entered, effort)
  const stays: PhaseState = { ...before, values, _StepEntry: false }
  const least = step.minTime ? timeOf(phase, step.minTime, values, effort) : 0n
  if (stays.StepTime >= least && isTrue(step.condition!, environmentOf(phase, values), effort)) {
    const left = afterActions(phase, step.exitActions, values, effort)
    const alarm = step.timeout ? noAlarm : {}
    return { state: { ...stays, ...alarm, values: left, _Step: step.nextStep!, _StepEntry: true }, isLate: false }
  }
  const isLate = step.timeout !== undefined && stays.StepTime >= timeOf(phase, step.timeout, values, effort)
  return { state: isLate ? { ...stays, Alarm: true, AlarmText: step.alarmText } : stays, isLate }
}
