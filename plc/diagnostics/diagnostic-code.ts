/** One code of a diagnostic, as the tables of this folder list them. */

export interface DiagnosticCode {
  readonly severity: 'error' | 'warning'
  readonly title: string
  readonly explanation: string
  /** Sources. */
  readonly fails: string
  readonly passes: string
}
