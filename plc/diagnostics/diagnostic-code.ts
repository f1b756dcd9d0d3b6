/** The description of one diagnostic code, as the tables of this folder list them. */

export interface DiagnosticCode {
  readonly severity: 'error' | 'warning'
  readonly title: string
  readonly explanation: string
  /** Example sources: `fails` has the diagnostic, `passes` does not. */
  readonly fails: string
  readonly passes: string
}
