/**
 * The body of a phase block with the interface of docs/design.md#design-specs.
 *
 * How it implements each rule with the two internal variables that the rules fix:
 *
 *    _Step       0 is idle, otherwise the number of the active step.
 *    _StepEntry  in a step: the entry action is pending.
 *                in idle:   Execute has not been FALSE since the last end of the phase, so it does not start it.
 *
 * "Execute becomes true" is an edge. In idle _StepEntry is free to store it: the phase starts when Execute is TRUE and
 * _StepEntry is FALSE. Each transition to idle (final step, Abort, unknown step) copies Execute to _StepEntry, so an
 * Execute that stays TRUE does not start the phase again. When Execute is FALSE, _StepEntry, Done and Error are reset.
 * When Execute was only a pulse, Done and Error stay until the next start, so that a slow caller can read them.
 *
 * While Hold or Abort is TRUE in an active phase, the CASE is not evaluated: the step stays, no action runs, and a
 * pending entry action runs after Hold. Held and the transition to idle are set after the CASE. A phase with timeouts
 * or an action of Restart goes on one call after Hold, so that nothing is issued before that action.
 */

import { textConstant } from '../model/names.ts'
import {
  alarmOff,
  checkedStart,
  commandLines,
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
export function basicBody(context: PhaseContext): string[] {
  return spaced([
    stepTimeRegion(context, '#Active AND NOT #Held'),
    stepsRegion(context),
    holdRegion(context),
    abortRegion(context),
    interlockRegion(context),
  ])
}

/** How the block behaves, for its header. */
export function basicNotes({ phase, face }: PhaseContext): string[] {
  const has = (command: string) => phase.commands?.some((one) => one.command === command && one.action !== '')
  return [
    'Start      Execute becomes TRUE in idle. Done and Error stay until Execute is FALSE or the next start.',
    ...(face.hasLimits ? ['           A parameter outside its limits refuses the start: Error and ErrorText.'] : []),
    'Hold       The active step stays and issues nothing; Held is TRUE. The phase goes on when Hold is FALSE.',
    ...(has('Abort')
      ? ['Abort      The action of Abort, then back to idle at once.']
      : [
          'Abort      Back to idle at once. Outputs keep their last value: the caller takes the modules to their safe',
          '           state when Active becomes FALSE without Done.',
        ]),
    ...(face.hasAlarm ? ['Timeout    Alarm and AlarmText tell a step that is not ended in time.'] : []),
    ...(phase.steps.some(({ onTimeout }) => onTimeout === 'Hold')
      ? ['           A phase that a timeout holds goes on when Hold was TRUE and is FALSE again.']
      : []),
    ...(face.interlocked.length > 0
      ? ['Interlock  A blocked variable has its safe value, then again what the phase wants; InterlockText tells why.']
      : []),
  ]
}

function hasReaction({ phase }: PhaseContext, reaction: 'Hold' | 'Abort'): boolean {
  return phase.steps.some(({ onTimeout }) => onTimeout === reaction)
}

function stepsRegion(context: PhaseContext): string[] {
  const { face } = context
  const waitsForRestart = face.hasAlarm || commandLines(context, 'Restart').length > 0
  const style: StepStyle = {
    finish: [
      `#_Step := ${stepConstant(context, 0)};`,
      '#_StepEntry := #Execute;',
      '#Done := TRUE;',
      '#Active := FALSE;',
    ],
    react: (reaction) =>
      reaction === 'Hold' ? ['#_TimeoutHold := TRUE;'] : reaction === 'Abort' ? ['#_TimeoutAbort := TRUE;'] : [],
  }
  return region('Steps', [
    '// A held or aborted phase does nothing; what follows from Hold and Abort is set below.',
    `IF NOT (#Active AND (#Hold OR ${waitsForRestart ? '#Held OR ' : ''}#Abort)) THEN`,
    ...indent([
      'CASE #_Step OF',
      ...indent(spaced([idleBranch(context), ...stepBranches(context, style), unknownBranch(context)])),
      'END_CASE;',
    ]),
    'END_IF;',
  ])
}

function idleBranch(context: PhaseContext): string[] {
  const { face } = context
  const initial = initialStep(context)
  const start = [
    `#_Step := ${stepConstant(context, initial.number)};`,
    ...(face.hasLimits ? [] : ['#_StepEntry := TRUE;']),
    '#Active := TRUE;',
    ...(face.hasLimits ? [] : ['#Done := FALSE;', '#Error := FALSE;', ...(face.hasAlarm ? alarmOff : [])]),
  ]
  const clear = ['#Done := FALSE;', '#Error := FALSE;', ...errorTextOff(context), ...(face.hasAlarm ? alarmOff : [])]
  return [
    `${stepConstant(context, 0)}:  // Idle`,
    ...indent([
      'IF #Execute AND NOT #_StepEntry THEN',
      ...indent(
        face.hasLimits
          ? [
              '#_StepEntry := TRUE;  // Also when the start is refused: Execute must be FALSE once',
              ...clear,
              ...checkedStart(context, start),
            ]
          : start,
      ),
      'ELSIF #_StepEntry AND NOT #Execute THEN',
      ...indent(['#_StepEntry := FALSE;', ...clear]),
      'END_IF;',
    ]),
  ]
}

function errorTextOff({ face }: PhaseContext): string[] {
  return face.hasLimits ? [`#ErrorText := ${textConstant('')};`] : []
}

function unknownBranch(context: PhaseContext): string[] {
  return [
    'ELSE  // Unknown step',
    ...indent([
      `#_Step := ${stepConstant(context, 0)};`,
      '#_StepEntry := #Execute;',
      '#Error := TRUE;',
      '#Active := FALSE;',
    ]),
  ]
}

function holdRegion(context: PhaseContext): string[] {
  const { face } = context
  const byTimeout = hasReaction(context, 'Hold')
  const hold = commandLines(context, 'Hold')
  const restart = commandLines(context, 'Restart')
  const after = [...(face.hasAlarm ? alarmOff : []), ...restart]
  return region('HOLD', [
    ...(byTimeout
      ? ['IF #Hold THEN', ...indent(['#_TimeoutHold := FALSE;  // From now on Hold holds the phase']), 'END_IF;']
      : []),
    `IF ${byTimeout ? '(#Hold OR #_TimeoutHold)' : '#Hold'} AND #Active THEN`,
    ...indent([
      ...(hold.length > 0 ? ['IF NOT #Held AND NOT #Abort THEN', ...indent(hold), 'END_IF;'] : []),
      '#Held := TRUE;',
    ]),
    'ELSE',
    ...indent([
      ...(after.length > 0 ? ['IF #Held AND #Active AND NOT #Abort THEN', ...indent(after), 'END_IF;'] : []),
      '#Held := FALSE;',
    ]),
    'END_IF;',
  ])
}

function abortRegion(context: PhaseContext): string[] {
  const [byHold, byAbort] = [hasReaction(context, 'Hold'), hasReaction(context, 'Abort')]
  return region('ABORT', [
    `IF ${byAbort ? '(#Abort OR #_TimeoutAbort)' : '#Abort'} AND #Active THEN`,
    ...indent([
      ...commandLines(context, 'Abort'),
      `#_Step := ${stepConstant(context, 0)};`,
      '#_StepEntry := #Execute;',
      '#Active := FALSE;',
      '#Held := FALSE;',
      ...(byHold ? ['#_TimeoutHold := FALSE;'] : []),
      ...(byAbort ? ['#Error := #_TimeoutAbort;', '#_TimeoutAbort := FALSE;'] : []),
    ]),
    'END_IF;',
  ])
}
