/** Results in words, and the numbers of a report. */

import { stateNames } from '../../model/states.ts'
import type { PhaseReport, PhaseResult, RowReport } from '../report.ts'
import { type Html, html } from './html.ts'

/** A phase of the report. */
export interface ReportedPhase extends PhaseReport {
  /** Whether the PLC has the block; only with a device. */
  readonly deviceBlock?: string
}

/** Numbers of some phases. */
export interface Counts {
  readonly checks: number
  readonly failed: number
  readonly reached: number
  readonly steps: number
  readonly taken: number
  readonly transitions: number
}

/** Adds up the numbers of phases. */
export function countsOf(phases: readonly PhaseReport[]): Counts {
  const sum = (read: (phase: PhaseReport) => number) => phases.reduce((total, phase) => total + read(phase), 0)
  const rows = (phase: PhaseReport, key: 'checks' | 'failed') => phase.rows.reduce((total, row) => total + row[key], 0)
  return {
    checks: sum((phase) => rows(phase, 'checks')),
    failed: sum((phase) => rows(phase, 'failed')),
    reached: sum(({ coverage }) => coverage.reached),
    steps: sum(({ coverage }) => coverage.total),
    taken: sum(({ transitions }) => transitions.filter(({ taken }) => taken).length),
    transitions: sum(({ transitions }) => transitions.length),
  }
}

/** The result of the whole report. */
export function verdictOf(phases: readonly PhaseReport[]): {
  kind: 'good' | 'bad' | 'open'
  title: string
  text: string
} {
  const failed = phases.filter(({ result }) => result === 'failed' || result === 'notCompiled').length
  const open = phases.filter(({ result }) => result === 'incomplete').length
  const all = phases.length === 1 ? 'The phase' : `All ${phases.length} phases`
  if (failed > 0) {
    const of = phases.length === 1 ? 'The phase deviates' : `${failed} of ${phases.length} phases deviate`
    return { kind: 'bad', title: 'Failed', text: `${of} from the design spec: see Deviations.` }
  }
  if (open > 0) {
    const text = `What was tested fulfils the design spec; ${open} of ${phases.length} phases could not be tested in full: see Not tested.`
    return { kind: 'open', title: 'Passed with open points', text }
  }
  return {
    kind: 'good',
    title: 'Passed',
    text: `${all} fulfil${phases.length === 1 ? 's' : ''} every requirement of the design spec in every step.`,
  }
}

const results: Readonly<Record<PhaseResult | RowReport['result'], readonly [kind: string, word: string]>> = {
  passed: ['good', 'passed'],
  incomplete: ['open', 'incomplete'],
  notChecked: ['open', 'not tested'],
  failed: ['bad', 'FAILED'],
  notCompiled: ['bad', 'NOT COMPILED'],
}

/** A result as a coloured word. */
export function resultText(result: PhaseResult | RowReport['result']): Html {
  const [kind, word] = results[result]
  return html`<span class="result ${kind}">${word}</span>`
}

/** A value as SCL writes it: Bool in capitals, texts in quotes, a Real with the digits that it has. */
function valueText(value: unknown): string {
  if (typeof value === 'boolean') return String(value).toUpperCase()
  if (typeof value === 'number')
    return Number.isInteger(value) || Math.fround(value) !== value
      ? String(value)
      : String(Number(value.toPrecision(7)))
  if (typeof value !== 'string') return String(value)
  return /^(?:[A-Z5_]+|16)#\S*$/i.test(value) || /^-?\d+$/.test(value) ? value : `'${value}'`
}

/** Names of the steps of a phase, by number. */
export type StepNames = ReadonlyMap<number, string>

/** Names of the steps of a phase, by number. */
export function stepNamesOf({ steps }: PhaseReport): StepNames {
  return new Map(steps.map(({ number, name }) => [number, name]))
}

/** A value, with the name of the step or state that it is. */
export function meaning(name: string, value: unknown, steps: StepNames): string {
  if (name === '_Step' && typeof value === 'number') {
    const step = value === 0 ? 'none' : steps.get(value)
    return step === undefined ? String(value) : `${value} (${step})`
  }
  if (name === 'State' && typeof value === 'number') return `${value} (${stateNames[value] ?? 'unknown'})`
  return valueText(value)
}
