/** Findings as continuous integration services show them beside the code. */
import type { Severity } from '../../../plc/diagnostics/diagnostic-code.ts'
import { fingerprintOf } from '../check/baseline.ts'
import type { Outcome } from '../check/outcome.ts'
import { placeOf } from './text.ts'

const githubLevels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', information: 'notice' }
const gitlabLevels: Readonly<Record<Severity, string>> = { error: 'critical', warning: 'major', information: 'info' }

/**
 * Workflow commands of GitHub Actions, one a line.
 * @param prefix of the folder in the repository: `plc/`, or empty
 */
export function githubOf({ shown }: Outcome, prefix: string): string {
  const lines = shown.map((one) => {
    const { severity, file, line, column, code, message, hint } = one
    const place = placeOf(one)
    const text = `${place === '' ? '' : `${place}: `}${message}${hint === undefined ? '' : `\n${hint}`}`
    return `::${githubLevels[severity]} file=${property(prefix + file)},line=${line},col=${column},title=${property(code)}::${data(text)}`
  })
  return lines.map((line) => `${line}\n`).join('')
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** A code quality report of GitLab. Reports of one line must have different fingerprints. */
export function gitlabOf({ shown }: Outcome, prefix: string): unknown {
  const seen = new Map<string, number>()
  return shown.map((one) => {
    const fingerprint = fingerprintOf(one)
    const count = seen.get(fingerprint) ?? 0
    seen.set(fingerprint, count + 1)
    const place = placeOf(one)
    return {
      description: `${place === '' ? '' : `${place}: `}${one.message}`,
      check_name: one.code,
      fingerprint: count === 0 ? fingerprint : `${fingerprint}-${count}`,
      severity: gitlabLevels[one.severity],
      location: { path: prefix + one.file, lines: { begin: one.line } },
    }
  })
}
