/** Rules for the rows of one phase: numbers, flags, transitions, reachability. */

import { compileActions, compileCondition } from '../expressions/typing.ts'
import type { FaultCollector } from '../model/faults.ts'
import type { PhaseStep } from '../model/model.ts'
import type { Scope } from '../model/scope.ts'
import type { SpecRow } from './csv.ts'
import { cellOf, reportExpression } from './fields.ts'
import { readTimes, type Times } from './step-times.ts'

/** Maximum step number: `_Step` is an Int. */
const STEP_MAX = 32767

const STEP_RULE = `a whole number from 1 to ${STEP_MAX}`

/** A step with its row. A field that could not be read is undefined. */
interface StepRow {
  readonly row: SpecRow
  readonly number: number | undefined
  readonly name: string
  readonly isInitial: boolean
  readonly isFinal: boolean
  /** It may be final: IsFinal cannot be read. */
  readonly isUnclear: boolean
  readonly nextStep: number | undefined
  readonly hasNextStep: boolean
}

/**
 * Checks all rows of a phase and builds its steps.
 * @param scope undefined when [CmTypes] could not be read: then expressions are checked for syntax only
 */
export function buildSteps(
  phase: string,
  rows: readonly SpecRow[],
  scope: Scope | undefined,
  faults: FaultCollector,
  options: { readonly states?: 'ISA88' } = {},
): PhaseStep[] {
  const steps = rows.map((row) => readStep(phase, row, faults))
  checkUnique(phase, steps, faults)
  for (const step of steps) checkExpressions(step, scope, faults)
  const times = new Map(steps.map((step) => [step, readTimes(step, scope, options.states, faults)]))
  checkFlags(phase, steps, faults)
  checkTransitions(phase, steps, faults)
  return steps
    .filter((step) => step.number !== undefined)
    .map((step) => toPhaseStep(step, step.number!, times.get(step)!))
    .sort((a, b) => a.number - b.number)
}

function readStep(phase: string, row: SpecRow, faults: FaultCollector): StepRow {
  const number = readNumber(row, 'Step', cellOf(row, 'Step'), faults)
  const name = cellOf(row, 'StepName')
  if (name === '')
    faults.add(row, 'value_missing', `A step of ${phase} has no StepName.`, { column: 'StepName', allowed: 'a name' })
  const isFinal = readFlag(row, 'IsFinal', faults)
  const isUnclear = !isFinal && cellOf(row, 'IsFinal') !== ''
  const next = cellOf(row, 'NextStep')
  // NextStep 0 on a final step describes what happens anyway: the phase becomes idle, which is step 0.
  const toIdle = isFinal && /^0+$/.test(next)
  const hasNextStep = next !== '' && !toIdle
  const nextStep = hasNextStep ? readNumber(row, 'NextStep', next, faults) : undefined
  const isInitial = readFlag(row, 'IsInitial', faults)
  return { row, number, name, isInitial, isFinal, isUnclear, nextStep, hasNextStep }
}

function readNumber(
  row: SpecRow,
  column: 'Step' | 'NextStep',
  value: string,
  faults: FaultCollector,
): number | undefined {
  if (value === '') {
    faults.add(row, 'value_missing', `${column} is empty.`, { column, allowed: STEP_RULE })
    return undefined
  }
  if (!/^[+-]?[0-9]+$/.test(value)) {
    faults.add(row, 'step_not_integer', `${column} is ${value}, which is no whole number.`, {
      column,
      value,
      allowed: STEP_RULE,
    })
    return undefined
  }
  const number = Number(value)
  if (number >= 1 && number <= STEP_MAX) return number
  const idle = number === 0 ? ' Step 0 is idle; a phase goes there by a final step or by Abort.' : ''
  // A NextStep of 0 refers to a step that does not exist; a Step of 0 is a number that is not allowed.
  const code = column === 'NextStep' ? 'next_step_unknown' : 'step_out_of_range'
  faults.add(row, code, `${column} is ${value}; it must be ${STEP_RULE}.${idle}`, { column, value, allowed: STEP_RULE })
  return undefined
}

function readFlag(row: SpecRow, column: 'IsInitial' | 'IsFinal', faults: FaultCollector): boolean {
  const value = cellOf(row, column)
  if (value === '') return false
  if (/^true$/i.test(value)) return true
  faults.add(row, 'flag_invalid', `${column} is ${value}; it must be TRUE or empty.`, {
    column,
    value,
    allowed: ['TRUE', ''],
  })
  return false
}

function checkUnique(phase: string, steps: readonly StepRow[], faults: FaultCollector): void {
  const numbers = new Map<number, StepRow>()
  const names = new Map<string, StepRow>()
  for (const step of steps) {
    const sameNumber = step.number === undefined ? undefined : numbers.get(step.number)
    if (sameNumber !== undefined) {
      const message = `${phase} has step ${step.number} twice; it already stands on line ${sameNumber.row.line}.`
      faults.add(step.row, 'step_duplicate', message, {
        column: 'Step',
        value: String(step.number),
        allowed: 'each step number once in a phase',
      })
    } else if (step.number !== undefined) numbers.set(step.number, step)
    const sameName = step.name === '' ? undefined : names.get(step.name)
    // A repeated row is reported once.
    if (sameName !== undefined && sameName !== sameNumber) {
      const message = `${phase} has the step name ${step.name} twice; it already stands on line ${sameName.row.line}.`
      faults.add(step.row, 'step_name_duplicate', message, {
        column: 'StepName',
        value: step.name,
        allowed: 'each step name once in a phase',
      })
    } else if (sameName === undefined && step.name !== '') names.set(step.name, step)
  }
}

function checkExpressions(step: StepRow, scope: Scope | undefined, faults: FaultCollector): void {
  const action = step.row.values.EntryAction ?? ''
  reportExpression(step.row, 'EntryAction', compileActions(action, scope).faults, faults)
  for (const column of ['WhileAction', 'ExitAction'])
    reportExpression(step.row, column, compileActions(cellOf(step.row, column), scope).faults, faults)
  const condition = step.row.values.Condition ?? ''
  if (condition.trim() === '') {
    if (!step.isFinal && !step.isUnclear) {
      const message = `Step ${step.number ?? ''} ${step.name} has no Condition.`.replace('  ', ' ')
      faults.add(step.row, 'condition_missing', message, { column: 'Condition', allowed: 'a Bool expression, or TRUE' })
    }
    return
  }
  reportExpression(step.row, 'Condition', compileCondition(condition, scope).faults, faults)
  if (step.isFinal && !/^"?\s*true\s*"?$/i.test(condition.trim())) {
    const message = `The Condition of final step ${step.name} has no effect: a final step ends the phase when it is evaluated.`
    faults.add(step.row, 'final_condition_ignored', message, {
      column: 'Condition',
      value: condition,
      allowed: ['TRUE', ''],
    })
  }
}

function checkFlags(phase: string, steps: readonly StepRow[], faults: FaultCollector): void {
  const first = steps[0]!.row
  const initial = steps.filter((step) => step.isInitial)
  // A flag that could not be read may be the missing one.
  const unreadable = (column: string) =>
    steps.some((step) => cellOf(step.row, column) !== '' && !/^true$/i.test(cellOf(step.row, column)))
  if (initial.length === 0 && !unreadable('IsInitial')) {
    faults.add(first, 'initial_missing', `${phase} has no initial step.`, {
      column: 'IsInitial',
      allowed: 'TRUE on exactly one step',
    })
  }
  for (const step of initial.slice(1)) {
    const message = `${phase} has ${initial.length} initial steps; the first stands on line ${initial[0]!.row.line}.`
    faults.add(step.row, 'initial_several', message, {
      column: 'IsInitial',
      value: 'TRUE',
      allowed: 'TRUE on exactly one step',
    })
  }
  if (!steps.some((step) => step.isFinal) && !unreadable('IsFinal')) {
    faults.add(first, 'final_missing', `${phase} has no final step.`, {
      column: 'IsFinal',
      allowed: 'TRUE on at least one step',
    })
  }
}

function checkTransitions(phase: string, steps: readonly StepRow[], faults: FaultCollector): void {
  const byNumber = new Map<number, StepRow>()
  for (const step of steps) {
    if (step.number !== undefined && !byNumber.has(step.number)) byNumber.set(step.number, step)
  }
  const numbers = [...byNumber.keys()].sort((a, b) => a - b).map(String)
  let broken = steps.some((step) => step.number === undefined)
  for (const step of steps) {
    const next = step.nextStep
    if (next !== undefined && !byNumber.has(next)) {
      broken = true
      const message = `NextStep is ${next}, but ${phase} has no step ${next}.`
      faults.add(step.row, 'next_step_unknown', message, { column: 'NextStep', value: String(next), allowed: numbers })
    } else if (step.isFinal && next !== undefined) {
      const message = `The NextStep of final step ${step.name} has no effect: after a final step the phase is idle.`
      faults.add(step.row, 'final_next_step_ignored', message, {
        column: 'NextStep',
        value: String(next),
        allowed: [''],
      })
    } else if (!step.isFinal && !step.hasNextStep) {
      broken = true
      if (step.isUnclear) continue
      const message = `Step ${step.name} is not final and has no NextStep.`
      faults.add(step.row, 'next_step_missing', message, { column: 'NextStep', allowed: numbers })
    } else if (!step.isFinal && next === undefined) broken = true
  }
  const initial = steps.filter((step) => step.isInitial)
  // With a broken link, or without exactly one start, "unreachable" would repeat that fault for each later step.
  if (broken || initial.length !== 1) {
    reportOrphans(phase, steps, initial, faults)
    return
  }
  const reached = new Set<StepRow>()
  let step: StepRow | undefined = initial[0]
  while (step !== undefined && !reached.has(step)) {
    reached.add(step)
    step = step.isFinal || step.nextStep === undefined ? undefined : byNumber.get(step.nextStep)
  }
  for (const other of byNumber.values()) {
    if (reached.has(other)) continue
    reportUnreachable(phase, other, initial[0]!, faults)
  }
}

/**
 * With other faults in the links, only a step to which no row leads is certainly unreachable. A link that could not be
 * read may lead to it, so nothing is reported when there are at least as many such links as such steps.
 */
function reportOrphans(
  phase: string,
  steps: readonly StepRow[],
  initial: readonly StepRow[],
  faults: FaultCollector,
): void {
  const start = initial[0]
  if (start === undefined || initial.length > 1) return
  const named = new Set(steps.filter((step) => !step.isFinal).map((step) => step.nextStep))
  const known = new Set(steps.map((step) => step.number))
  const lostLinks = steps.filter(
    (step) => !step.isFinal && (step.nextStep === undefined || !known.has(step.nextStep)),
  ).length
  const orphans = steps.filter((step) => step.number !== undefined && !step.isInitial && !named.has(step.number))
  if (orphans.length <= lostLinks) return
  for (const orphan of orphans) reportUnreachable(phase, orphan, start, faults)
}

function reportUnreachable(phase: string, step: StepRow, initial: StepRow, faults: FaultCollector): void {
  const message = `${phase}: no NextStep leads from initial step ${initial.number ?? initial.name} to step ${step.number} ${step.name}.`
  faults.add(step.row, 'step_unreachable', message, {
    column: 'Step',
    value: String(step.number),
    allowed: 'a step that is initial or is the NextStep of a reachable step',
  })
}

function toPhaseStep({ row, name, isInitial, isFinal, nextStep }: StepRow, number: number, times: Times): PhaseStep {
  const optional = { whileAction: 'WhileAction', exitAction: 'ExitAction', comment: 'Comment' } as const
  const given = Object.entries(optional).filter(([, column]) => cellOf(row, column) !== '')
  return {
    number,
    name,
    isInitial,
    isFinal,
    entryAction: cellOf(row, 'EntryAction'),
    condition: cellOf(row, 'Condition'),
    nextStep: nextStep ?? null,
    ...Object.fromEntries(given.map(([key, column]) => [key, cellOf(row, column)])),
    ...times,
  }
}
