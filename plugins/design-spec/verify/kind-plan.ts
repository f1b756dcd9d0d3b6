/** What the checks of the two kinds of phase blocks have in common. */
import type { CheckedStep } from './phase.ts'
import type { RowName } from './script.ts'
import type { Must, ScanPlan } from './script-writer.ts'
import type { Values } from './solve.ts'

/** What a kind of block does in its own way. */
export interface KindPlan {
  /** Rows that apply beside those of steps, and those of each step. */
  readonly rows: readonly RowName[]
  readonly stepRows: readonly RowName[]
  /** What holds while the phase is in a step and nothing disturbs it. */
  readonly inStep: Must
  /** From the start of the controller to the first step. */
  begin(): void
  /** Commands in a step before it is evaluated; afterwards it is not evaluated yet. */
  disturbBefore(step: CheckedStep, hot: Values | undefined): void
  /** A scan that evaluates the step, after what disturbed it is taken back. */
  go(plan: Omit<ScanPlan, 'set'>): string | undefined
  /** Commands after the step was evaluated. */
  disturbAfter(step: CheckedStep, hot: Values | undefined): void
  /** After an alarm: what the reaction of a step leads to. */
  afterTimeout(step: CheckedStep, cold: Values, hot: Values | undefined): void
  /** What the state is when a timeout has just come. */
  lateMust(step: CheckedStep): Must
  /** The final step, to idle. */
  finish(step: CheckedStep): string | undefined
}
