/**
 * The body of a phase block with the states of ISA-88 (states.ts). A command takes effect in the call that gives it;
 * that call does nothing else, so each state is seen for at least one call. The CASE over the steps runs in Running.
 */

import { textConstant } from '../model/names.ts'
import {
  type ActingState,
  actingStates,
  doneStateOf,
  type StateCommand,
  type StateName,
  stateNames,
  transitionsOf,
} from '../model/states.ts'
import {
  alarmOff,
  checkedStart,
  commandLines,
  conditionScl,
  indent,
  initialStep,
  interlockRegion,
  type PhaseContext,
  region,
  type StepStyle,
  spaced,
  stepBranches,
  stepConstant,
  stepTimeRegion,
} from './generate-steps.ts'

/** The body: lines without the first tab. */
export function stateBody(context: PhaseContext): string[] {
  return spaced([
    stepTimeRegion(context, `#State = ${constantOf('Running')}`),
    region('States', [
      'CASE #State OF',
      ...indent(spaced([...stateNames.map((state) => stateBranch(context, state)), unknownState(context)])),
      'END_CASE;',
      '#_StartSeen := #Start;',
    ]),
    interlockRegion(context),
    region('Outputs', [
      `#Done := #State = ${constantOf('Complete')};`,
      `#Active := #State >= ${constantOf('Running')} AND #State <= ${constantOf('Aborting')};`,
      `#Held := #State = ${constantOf('Held')};`,
    ]),
  ])
}

/** How the block behaves, for its header. */
export function stateNotes({ face }: PhaseContext): string[] {
  return [
    'States     ISA-88: Idle, Running, Holding, Held, Restarting, Stopping, Aborting, Complete, Stopped, Aborted.',
    '           Commands are obeyed in the states that have them: Abort before Stop before Hold before Restart.',
    ...(face.hasLimits ? ['Start      A parameter outside its limits refuses it: Error and ErrorText.'] : []),
    'Hold       The step stays; after Restart the phase goes on in it. Its entry action is not done again.',
    ...(face.hasAlarm ? ['Timeout    Alarm and AlarmText tell a step that is not ended in time.'] : []),
    ...(face.interlocked.length > 0
      ? ['Interlock  A blocked variable has its safe value, then again what the phase wants; InterlockText tells why.']
      : []),
  ]
}

function constantOf(state: StateName): string {
  return `#STATE_${state.toUpperCase()}`
}

function goTo(state: StateName): string[] {
  const isActing = state in actingStates
  return [`#State := ${constantOf(state)};`, ...(isActing ? ['#_StateEntry := TRUE;'] : [])]
}

function commandScl(command: StateCommand): string {
  if (command === 'Start') return '#Start AND NOT #_StartSeen'
  return command === 'Restart' ? '#Restart AND NOT #Hold' : `#${command}`
}

function stateBranch(context: PhaseContext, state: StateName): string[] {
  const lines = [`${constantOf(state)}:`]
  const work = workOf(context, state)
  const commands = transitionsOf[state]
  if (commands.length === 0) return [...lines, ...indent(work)]
  const branches = commands.flatMap(([command, next], i) => [
    `${i === 0 ? 'IF' : 'ELSIF'} ${commandScl(command)} THEN`,
    ...indent(command === 'Start' ? start(context) : command === 'Reset' ? reset(context) : goTo(next)),
  ])
  const otherwise = state === 'Idle' ? idle(context) : work.length === 0 ? [] : ['ELSE', ...indent(work)]
  return [...lines, ...indent([...branches, ...otherwise, 'END_IF;'])]
}

/** What a state does when it obeys no command. */
function workOf(context: PhaseContext, state: StateName): string[] {
  if (state === 'Running') return steps(context)
  return state in actingStates ? acting(context, state as ActingState) : []
}

function clear({ face }: PhaseContext): string[] {
  const text = face.hasLimits ? [`#ErrorText := ${textConstant('')};`] : []
  return ['#Error := FALSE;', ...text, ...(face.hasAlarm ? alarmOff : [])]
}

function start(context: PhaseContext): string[] {
  const initial = initialStep(context)
  const go = [...goTo('Running'), `#_Step := ${stepConstant(context, initial.number)};`, '#_StepEntry := TRUE;']
  return [...clear(context), ...checkedStart(context, go)]
}

function reset(context: PhaseContext): string[] {
  return [...goTo('Idle'), ...clear(context)]
}

/** A refused start is reported until Start is reset. */
function idle(context: PhaseContext): string[] {
  if (!context.face.hasLimits) return []
  return ['ELSIF NOT #Start THEN', ...indent(['#Error := FALSE;', `#ErrorText := ${textConstant('')};`])]
}

function steps(context: PhaseContext): string[] {
  const style: StepStyle = {
    finish: [`#_Step := ${stepConstant(context, 0)};`, '#_StepEntry := FALSE;', ...goTo(doneStateOf.Running!)],
    react: (reaction) =>
      reaction === 'Hold'
        ? goTo('Holding')
        : reaction === 'Stop'
          ? goTo('Stopping')
          : reaction === 'Abort'
            ? ['#Error := TRUE;', ...goTo('Aborting')]
            : [],
  }
  const unknown = ['ELSE  // Unknown step', ...indent(['#Error := TRUE;', ...goTo('Aborting')])]
  return ['CASE #_Step OF', ...indent(spaced([...stepBranches(context, style), unknown])), 'END_CASE;']
}

/** Holding, Restarting, Stopping and Aborting: the action of the command once, then the condition. */
function acting(context: PhaseContext, state: ActingState): string[] {
  const name = actingStates[state]
  const command = context.phase.commands?.find((one) => one.command === name)
  const action = commandLines(context, name)
  const condition = command?.condition === undefined ? undefined : conditionScl(context, command.condition)
  const next = doneStateOf[state]!
  const done = [
    ...(next === 'Running' && context.face.hasAlarm ? alarmOff : []),
    ...(next === 'Stopped' || next === 'Aborted'
      ? [`#_Step := ${stepConstant(context, 0)};`, '#_StepEntry := FALSE;']
      : []),
    `#State := ${constantOf(next)};`,
  ]
  return [
    ...(action.length === 0
      ? ['#_StateEntry := FALSE;  // No action']
      : ['IF #_StateEntry THEN', ...indent([...action, '#_StateEntry := FALSE;']), 'END_IF;']),
    ...(condition === undefined ? done : [`IF ${condition} THEN`, ...indent(done), 'END_IF;']),
  ]
}

function unknownState(context: PhaseContext): string[] {
  return [
    'ELSE  // Unknown state',
    ...indent([
      '#Error := TRUE;',
      `#_Step := ${stepConstant(context, 0)};`,
      '#_StepEntry := FALSE;',
      `#State := ${constantOf('Aborted')};`,
    ]),
  ]
}
