/** The description of one diagnostic code, as the tables of this folder list them. */

/** Only errors keep a block from being compiled; information is no fault, and not counted. */
export type Severity = 'error' | 'warning' | 'information'

export interface DiagnosticCode {
  readonly severity: Severity
  readonly title: string
  readonly explanation: string
  /** Example sources: `fails` has the diagnostic, `passes` does not. */
  readonly fails: string
  readonly passes: string
}
