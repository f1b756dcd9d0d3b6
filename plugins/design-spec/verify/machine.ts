/**
 * What a phase block must do, scan by scan: the state table of docs/design.md#design-specs, and the details of its
 * documentation (edge of Execute, entry actions during Hold, Done and Error, times, interlocks). It is written from
 * these texts and does not depend on the generated code. Phases with the states of ISA-88: state-machine.ts.
 */
import { type Effort, isTrue } from '../expressions/evaluate.ts'
import { timeType } from '../expressions/value.ts'
import type { CheckedPhase } from './phase.ts'
import {
  afterCommand,
  type Commands,
  environmentOf,
  finished,
  noAlarm,
  type PhaseState,
  refusal,
  stepScan,
  told,
} from './phase-state.ts'
import { stateScan } from './state-machine.ts'

/**
 * Calculates one scan.
 * @param elapsed milliseconds since the scan before
 * @throws Unpredictable when a condition is evaluated whose value cannot be predicted
 */
export function scan(
  phase: CheckedPhase,
  before: PhaseState,
  commands: Commands,
  elapsed: bigint,
  effort: Effort,
): PhaseState {
  const measured = measure(phase, before, elapsed)
  const after = phase.isStates
    ? stateScan(phase, measured, commands, effort)
    : basicScan(phase, measured, commands, effort)
  return interlock(phase, after, effort)
}

/** The time in a step begins with its first scan, and again after Hold. */
function measure({ face, isStates }: CheckedPhase, before: PhaseState, elapsed: bigint): PhaseState {
  if (!face.isTimed) return before
  const isActive = isStates ? before.State === 1 : before.Active && !before.Held
  if (!isActive || before._StepEntry) return { ...before, isMeasured: false, StepTime: 0n }
  const most = timeType.range![1]
  const time = before.isMeasured ? before.StepTime + elapsed : 0n
  return { ...before, isMeasured: true, StepTime: time > most ? most : time }
}

/** Variables with interlocks have their safe value, or what the phase wants. */
function interlock(phase: CheckedPhase, state: PhaseState, effort: Effort): PhaseState {
  if (phase.interlocks.length === 0) return state
  const values = new Map(state.values)
  let isBlocked: boolean | undefined = false
  let text = ''
  for (const { key, request, safe, rules } of phase.interlocks) {
    const env = environmentOf(phase, values)
    const rule = told(() => rules.find(({ condition }) => isTrue(condition, env, effort)) ?? 'none')
    if (rule === undefined) {
      values.set(key, undefined)
      isBlocked = undefined
    } else if (rule === 'none') values.set(key, values.get(request))
    else {
      values.set(key, safe)
      if (isBlocked === false) {
        isBlocked = true
        text = rule.reason
      }
    }
  }
  return { ...state, values, Interlocked: isBlocked, InterlockText: text }
}

function basicScan(phase: CheckedPhase, before: PhaseState, commands: Commands, effort: Effort): PhaseState {
  const { Execute = false, Hold = false, Abort = false } = commands
  const isStill = Hold || Abort || (waitsAfterHold(phase) && before.Held)
  let state = before
  if (!(before.Active && isStill))
    state = before._Step === 0 ? inIdle(phase, before, Execute) : inStep(phase, before, Execute, effort)
  if (Hold) state = { ...state, _TimeoutHold: false }
  if ((Hold || state._TimeoutHold) && state.Active) {
    if (!state.Held && !Abort) state = { ...state, values: afterCommand(phase, 'Hold', state.values, effort) }
    state = { ...state, Held: true }
  } else {
    if (state.Held && state.Active && !Abort) {
      const values = afterCommand(phase, 'Restart', state.values, effort)
      state = { ...state, ...(phase.face.hasAlarm ? noAlarm : {}), values }
    }
    state = { ...state, Held: false }
  }
  if (!((Abort || state._TimeoutAbort) && state.Active)) return state
  const values = afterCommand(phase, 'Abort', state.values, effort)
  const isFault = state._TimeoutAbort || state.Error
  const left = { ...ended(state, Execute), values, Held: false, _TimeoutHold: false, _TimeoutAbort: false }
  return { ...left, Error: isFault }
}

/** Whether the scan after Hold evaluates no step: it does the action of Restart, and takes an alarm back. */
export function waitsAfterHold({ face, commands }: CheckedPhase): boolean {
  return face.hasAlarm || (commands.get('Restart')?.actions.length ?? 0) > 0
}

const cleared = { Done: false, Error: false, ErrorText: '', ...noAlarm }

function inIdle(phase: CheckedPhase, before: PhaseState, Execute: boolean): PhaseState {
  if (Execute && !before.needsRelease) {
    const text = refusal(phase, before.values)
    if (text !== undefined) return { ...before, ...cleared, needsRelease: true, Error: true, ErrorText: text }
    return { ...before, ...cleared, _Step: phase.initial.number, _StepEntry: true, Active: true }
  }
  return before.needsRelease && !Execute ? { ...before, ...cleared, needsRelease: false } : before
}

function inStep(phase: CheckedPhase, before: PhaseState, Execute: boolean, effort: Effort): PhaseState {
  const step = phase.steps.get(before._Step)
  if (!step) return { ...ended(before, Execute), Error: true }
  const after = stepScan(phase, step, before, effort)
  if (after === 'final') return { ...ended(finished(phase, step, before, effort), Execute), Done: true }
  if (!after.isLate) return after.state
  const reaction = step.onTimeout
  if (reaction === 'Hold') return { ...after.state, _TimeoutHold: true }
  return reaction === 'Abort' ? { ...after.state, _TimeoutAbort: true } : after.state
}

/** Returns to idle: an Execute that is still TRUE does not start the phase again. */
function ended(state: PhaseState, Execute: boolean): PhaseState {
  return { ...state, _Step: 0, _StepEntry: false, Active: false, needsRelease: Execute }
}
