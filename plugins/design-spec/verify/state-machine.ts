/**
 * What a phase block with the states of ISA-88 must do, scan by scan: a command changes the state in the scan that
 * gives it, and nothing else is done in that scan.
 */

import { type Effort, isTrue } from '../expressions/evaluate.ts'
import { actingStates, doneStateOf, type StateName, stateNames, transitionsOf } from '../model/states.ts'
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
} from './phase-state.ts'

const cleared = { Error: false, ErrorText: '', ...noAlarm }

/** Number of a state. */
export function numberOf(state: StateName): number {
  return stateNames.indexOf(state)
}

/** Calculates one scan, without step time and interlocks. @throws Unpredictable */
export function stateScan(phase: CheckedPhase, before: PhaseState, commands: Commands, effort: Effort): PhaseState {
  const { State, ...rest } = next(phase, before, commands, effort)
  const name = stateNames[State]
  return {
    ...rest,
    State,
    _StartSeen: commands.Start === true,
    Done: name === 'Complete',
    Held: name === 'Held',
    Active: State >= numberOf('Running') && State <= numberOf('Aborting'),
  }
}

function next(phase: CheckedPhase, before: PhaseState, commands: Commands, effort: Effort): PhaseState {
  const state = stateNames[before.State]
  if (!state) return { ...atRest(before), Error: true, State: numberOf('Aborted') }
  const obeyed = transitionsOf[state].find(([command]) => isGiven(command, before, commands))
  if (obeyed) return obey(phase, before, obeyed)
  if (state === 'Idle')
    return phase.limits.length > 0 && !commands.Start ? { ...before, Error: false, ErrorText: '' } : before
  if (state === 'Running') return running(phase, before, effort)
  return state in actingStates ? acting(phase, before, state as keyof typeof actingStates, effort) : before
}

type Obeyed = (typeof transitionsOf)[StateName][number]

function isGiven(command: Obeyed[0], { _StartSeen }: PhaseState, commands: Commands): boolean {
  if (command === 'Start') return commands.Start === true && !_StartSeen
  if (command === 'Restart') return commands.Restart === true && !commands.Hold
  return commands[command] === true
}

function obey(phase: CheckedPhase, before: PhaseState, [command, follows]: Obeyed): PhaseState {
  const State = numberOf(follows)
  if (command === 'Reset') return { ...before, ...cleared, State }
  if (command !== 'Start') return { ...before, State, _StateEntry: true }
  const text = refusal(phase, before.values)
  if (text !== undefined) return { ...before, ...cleared, Error: true, ErrorText: text }
  return { ...before, ...cleared, State, _Step: phase.initial.number, _StepEntry: true }
}

function running(phase: CheckedPhase, before: PhaseState, effort: Effort): PhaseState {
  const aborting = { State: numberOf('Aborting'), _StateEntry: true, Error: true }
  const step = phase.steps.get(before._Step)
  if (!step) return { ...before, ...aborting }
  const after = stepScan(phase, step, before, effort)
  if (after === 'final') return { ...atRest(finished(phase, step, before, effort)), State: numberOf('Complete') }
  if (!after.isLate || step.onTimeout === 'Alarm') return after.state
  if (step.onTimeout === 'Abort') return { ...after.state, ...aborting }
  const State = numberOf(step.onTimeout === 'Hold' ? 'Holding' : 'Stopping')
  return { ...after.state, State, _StateEntry: true }
}

function acting(phase: CheckedPhase, before: PhaseState, state: keyof typeof actingStates, effort: Effort): PhaseState {
  const name = actingStates[state]
  const values = before._StateEntry ? afterCommand(phase, name, before.values, effort) : before.values
  const done = { ...before, values, _StateEntry: false }
  const condition = phase.commands.get(name)?.condition
  if (condition && !isTrue(condition, environmentOf(phase, values), effort)) return done
  const follows = doneStateOf[state]!
  const State = numberOf(follows)
  if (follows === 'Running') return { ...done, ...noAlarm, State }
  return follows === 'Held' ? { ...done, State } : { ...atRest(done), State }
}

function atRest(state: PhaseState): PhaseState {
  return { ...state, _Step: 0, _StepEntry: false }
}
