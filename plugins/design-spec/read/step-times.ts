/** The times of a step: MinTime, Timeout, and what happens when a step does not end in time. */
import { defined, nearest } from '../../../core/index.ts'
import { elementaryType } from '../../../plc/model/data-type.ts'
import { parseCondition } from '../expressions/expression.ts'
import { compileValue } from '../expressions/typing.ts'
import type { FaultCollector } from '../model/faults.ts'
import type { PhaseStep, TimeoutReaction } from '../model/model.ts'
import type { Scope } from '../model/scope.ts'
import { constantValue } from './constants.ts'
import type { SpecRow } from './csv.ts'
import { cellOf, reportExpression } from './fields.ts'
import { textLimit } from './phase-parts.ts'

/** The times of a step. */
export type Times = Pick<PhaseStep, 'minTime' | 'timeout' | 'onTimeout' | 'alarmText'>

const time = elementaryType('Time')
const reactions: readonly TimeoutReaction[] = ['Alarm', 'Hold', 'Stop', 'Abort']
/** A step cannot last longer: the largest value of Time. */
const mostMs = time.range![1]

/** Columns that have a meaning only for a step that waits for its Condition. */
const waitingColumns = ['WhileAction', 'ExitAction', 'MinTime', 'Timeout', 'OnTimeout', 'AlarmText'] as const

/**
 * Reads and checks the times of a step.
 * @param scope undefined when the names are not known
 */
export function readTimes(
  { row, name, isFinal }: { readonly row: SpecRow; readonly name: string; readonly isFinal: boolean },
  scope: Scope | undefined,
  states: 'ISA88' | undefined,
  faults: FaultCollector,
): Times {
  if (isFinal) {
    for (const column of waitingColumns)
      if (cellOf(row, column) !== '') {
        const message = `Final step ${name} has ${column}; a final step ends the phase when it is evaluated.`
        const details = { column, value: cellOf(row, column), allowed: [''] }
        faults.add(row, 'final_step_waits', message, details)
      }
    return {}
  }
  const minTime = readTime(row, 'MinTime', scope, faults)
  const timeout = readTime(row, 'Timeout', scope, faults)
  const onTimeout = readReaction(row, states, faults)
  const alarmText = cellOf(row, 'AlarmText')
  if (alarmText.length > textLimit) {
    const message = `AlarmText has ${alarmText.length} characters.`
    const details = { column: 'AlarmText', value: alarmText, allowed: `at most ${textLimit} characters` }
    faults.add(row, 'text_too_long', message, details)
  }
  if (timeout === undefined) {
    for (const column of ['OnTimeout', 'AlarmText'])
      if (cellOf(row, column) !== '' && cellOf(row, 'Timeout') === '') {
        const message = `Step ${name} has ${column}, but no Timeout.`
        faults.add(row, 'timeout_missing', message, { column: 'Timeout', allowed: 'a duration such as T#30s' })
      }
    return minTime === undefined ? {} : { minTime }
  }
  checkOrder(row, minTime, timeout, faults)
  return {
    ...defined({ minTime }),
    timeout,
    onTimeout: onTimeout ?? 'Alarm',
    ...(alarmText === '' ? {} : { alarmText }),
  }
}

/** Reads a duration or the name of a parameter of the type Time; undefined when there is none, or it is wrong. */
function readTime(
  row: SpecRow,
  column: 'MinTime' | 'Timeout',
  scope: Scope | undefined,
  faults: FaultCollector,
): string | undefined {
  const text = cellOf(row, column)
  if (text === '') return undefined
  const allowed = 'a duration such as T#30s, or a parameter of type Time'
  const parsed = parseCondition(text)
  if ('fault' in parsed) {
    reportExpression(row, column, [parsed.fault], faults)
    return undefined
  }
  const { expression } = parsed
  if (expression.kind !== 'literal' && !(expression.kind === 'variable' && expression.cmType === '')) {
    faults.add(row, 'time_invalid', `${column} is ${text}; it must be ${allowed}.`, { column, value: text, allowed })
    return undefined
  }
  if (scope === undefined && expression.kind === 'variable') return undefined
  const before = faults.count
  reportExpression(row, column, compileValue(text, time, scope ?? { cmTypes: new Map() }).faults, faults)
  if (faults.count > before) return undefined
  const value = expression.kind === 'literal' ? constantValue(text, time) : undefined
  if (typeof value === 'bigint' && (value <= 0n || value > mostMs)) {
    faults.add(row, 'time_invalid', `${column} is ${text}; it must be longer than nothing.`, {
      column,
      value: text,
      allowed,
    })
    return undefined
  }
  return text
}

function readReaction(row: SpecRow, states: 'ISA88' | undefined, faults: FaultCollector): TimeoutReaction | undefined {
  const value = cellOf(row, 'OnTimeout')
  if (value === '') return undefined
  const column = 'OnTimeout'
  const reaction = reactions.find((one) => one.toLowerCase() === value.toLowerCase())
  const allowed = states === undefined ? reactions.filter((one) => one !== 'Stop') : reactions
  if (reaction === 'Stop' && states === undefined) {
    const message = 'OnTimeout is Stop, but only a phase with the states of ISA-88 can be stopped.'
    faults.add(row, 'needs_isa88', message, { column, value, allowed })
  } else if (!reaction) {
    const suggestion = nearest(value, allowed)
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
    const message = `OnTimeout is ${value}; it must be one of ${allowed.join(', ')}.${hint}`
    faults.add(row, 'reaction_unknown', message, { column, value, allowed, suggestion })
  }
  return reaction
}

function checkOrder(row: SpecRow, minTime: string | undefined, timeout: string, faults: FaultCollector): void {
  if (minTime === undefined) return
  const [least, most] = [constantValue(minTime, time), constantValue(timeout, time)]
  if (typeof least !== 'bigint' || typeof most !== 'bigint' || most > least) return
  const message = `Timeout ${timeout} is not longer than MinTime ${minTime}: the step could never end in time.`
  const details = { column: 'Timeout', value: timeout, allowed: `longer than ${minTime}` }
  faults.add(row, 'time_order', message, details)
}
