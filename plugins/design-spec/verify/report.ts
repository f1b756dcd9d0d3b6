/** The report of a check of a phase. */
import type { Check, Failure, PhaseRun } from './run-script.ts'
import type { ScratchError } from './scratch.task.ts'
import { type PhaseScript, ROWS, type RowName, type StepPlan } from './script.ts'

/**
 * Result of the check of a phase:
 * - `passed`: every row of the state table was checked in every step and is correct.
 * - `incomplete`: what was checked is correct, but some checks were not possible.
 * - `failed`: a row is not correct.
 * - `notCompiled`: the block does not compile.
 */
export type PhaseResult = 'passed' | 'incomplete' | 'failed' | 'notCompiled'

/** The result of one row of the state table. */
export interface RowReport {
  readonly row: RowName
  readonly rule: string
  readonly result: 'passed' | 'failed' | 'incomplete' | 'notChecked'
  /** Number of scans of this row that were compared; `failed`: those that were wrong. */
  readonly checks: number
  readonly failed: number
  /** Steps in which the row was not checked, and why. */
  readonly missing: { readonly step: number; readonly reason: string }[]
}

/** The result of checking one phase. */
export interface PhaseReport {
  readonly phase: string
  readonly blockName: string
  /** SHA-256 of the block's source text; absent when it does not compile. */
  readonly blockHash?: string
  readonly result: PhaseResult
  readonly scans: number
  readonly coverage: { readonly reached: number; readonly total: number; readonly percent: number }
  readonly rows: RowReport[]
  readonly steps: { readonly number: number; readonly name: string; readonly reached: boolean }[]
  readonly transitions: {
    readonly from: number
    readonly to: number
    readonly condition: string
    readonly taken: boolean
    /** The values written so that the condition is TRUE. */
    readonly inputs: Readonly<Record<string, unknown>>
    /** The Out variables among them: the phase itself does not write these values, so the check writes them. */
    readonly presets: string[]
  }[]
  readonly unreachable: { readonly number: number; readonly name: string; readonly reason: string }[]
  readonly failures: Failure[]
  readonly errors: ScratchError[]
  /** The limit of scans ended the check. */
  readonly limited: boolean
  /** Every comparison, when they are recorded. */
  readonly checks?: readonly Check[]
}

/** Combines the plan with the results of the run. */
export function reportOf(blockName: string, script: PhaseScript, run: PhaseRun): PhaseReport {
  const rows = rowsOf(script, run)
  const unreachable = script.steps.filter(({ number }) => !run.reached.has(number))
  const isWhole = run.isWhole && !script.isCut && rows.every(({ result }) => result === 'passed')
  const reached = script.steps.length - unreachable.length
  const total = script.steps.length
  return {
    phase: script.phase,
    blockName,
    result: run.failures.length > 0 ? 'failed' : isWhole ? 'passed' : 'incomplete',
    scans: run.scans,
    coverage: { reached, total, percent: Math.floor((1000 * reached) / total) / 10 },
    rows,
    steps: script.steps.map(({ number, name }) => ({ number, name, reached: run.reached.has(number) })),
    transitions: script.transitions.map((transition) => {
      const step = script.steps.find(({ number }) => number === transition.from)
      return {
        ...transition,
        taken: run.left.has(transition.from),
        inputs: step?.inputs ?? {},
        presets: step?.presets ?? [],
      }
    }),
    unreachable: unreachable.map(({ number, name, reason }) => ({ number, name, reason: whyNot(script, run, reason) })),
    failures: run.failures,
    errors: [],
    limited: script.isCut,
    ...(run.checks.length > 0 ? { checks: run.checks } : {}),
  }
}

/** The report of a phase that does not compile. */
export function refusedReport(phase: string, blockName: string, total: number, errors: ScratchError[]): PhaseReport {
  return {
    phase,
    blockName,
    result: 'notCompiled',
    scans: 0,
    coverage: { reached: 0, total, percent: 0 },
    rows: [],
    steps: [],
    transitions: [],
    unreachable: [],
    failures: [],
    errors,
    limited: false,
  }
}

/** A planned step is not reached because of a failure; others because of the last step that could not be left. */
function whyNot({ steps }: PhaseScript, run: PhaseRun, reason: string | undefined): string {
  if (run.failures.length > 0) return 'the check failed before'
  const stuck = steps.find((step) => step.isReached && !step.leaves)
  if (stuck) return `step ${stuck.number} ${stuck.name} is not left: ${stuck.reason ?? ''}`
  return reason ?? 'it was not reached'
}

function rowsOf(script: PhaseScript, run: PhaseRun): RowReport[] {
  return (Object.keys(ROWS) as RowName[])
    .filter((row) => script.rows.includes(row) || alwaysTold.has(row))
    .map((row) => {
      const { checks, failed } = run.rows.get(row) ?? { checks: 0, failed: 0 }
      const missing = [
        ...script.missing.filter((one) => one.row === row).map(({ reason }) => ({ step: 0, reason })),
        ...script.steps.flatMap((step) => {
          const reason = missingReason(row, step, script, run)
          return reason === undefined ? [] : [{ step: step.number, reason }]
        }),
      ]
      const result =
        failed > 0 ? 'failed' : checks === 0 ? none(row, missing) : missing.length > 0 ? 'incomplete' : 'passed'
      return { row, rule: ROWS[row], result, checks, failed, missing }
    })
}

/** Rows of every phase, even when they apply to none of its steps. */
const alwaysTold: ReadonlySet<RowName> = new Set(['entry-action', 'wait', 'transition', 'final'])

/** A row that applies to no step is passed; a row that could not be checked is not. */
function none(row: RowName, missing: readonly unknown[]): 'passed' | 'notChecked' {
  return missing.length === 0 && ofSteps.has(row) ? 'passed' : 'notChecked'
}

/** Rows that do not apply to some phases: those without entry actions, or with one step only. */
const ofSteps: ReadonlySet<RowName> = new Set(['entry-action', 'wait', 'transition', 'unknown-step'])

/** Why a row was not checked in a step; undefined when it was, or when it does not apply. */
function missingReason(row: RowName, step: StepPlan, script: PhaseScript, run: PhaseRun): string | undefined {
  if (!step.due.includes(row)) return undefined
  const told = step.missed[row]
  if (told !== undefined && run.reached.has(step.number)) return told
  const isSeen = row === 'transition' ? run.left.has(step.number) : run.rows.get(row)?.steps.has(step.number)
  if (isSeen) return undefined
  return run.reached.has(step.number) ? (step.reason ?? 'the check failed before') : whyNot(script, run, step.reason)
}
