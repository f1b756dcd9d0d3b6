/** What a run of the check is about to say. */
import type { Severity } from '../../../plc/diagnostics/diagnostic-code.ts'
import type { PlacedFinding } from '../../../plc/review/check.ts'
import type { CheckResult } from './check.ts'

export interface Outcome {
  readonly result: CheckResult
  /** Findings that are new and of the severities that are shown. */
  readonly shown: readonly PlacedFinding[]
  /** New, and not shown. */
  readonly hidden: readonly PlacedFinding[]
  /** Left out because the baseline has them. */
  readonly known: number
  /** There are findings that fail the check. */
  readonly failed: boolean
}

const ranks: Readonly<Record<Severity | 'never', number>> = { never: -1, error: 0, warning: 1, information: 2 }

/**
 * Divides findings.
 * @param show the lowest severity that is shown
 */
export function outcomeOf(
  result: CheckResult,
  fresh: readonly PlacedFinding[],
  show: Severity,
  known = result.findings.length - fresh.length,
): Outcome {
  const isShown = ({ severity }: PlacedFinding) => ranks[severity] <= ranks[show]
  return {
    result,
    shown: fresh.filter(isShown),
    hidden: fresh.filter((one) => !isShown(one)),
    known,
    failed: fresh.some(({ severity }) => ranks[severity] <= ranks[result.failOn]),
  }
}
