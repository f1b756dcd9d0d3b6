/** Test results as TAP 14: https://testanything.org/tap-version-14-specification.html */
import type { TestRun } from '../run.task.ts'

/** A fault of a test file is a test that is not ok. */
export function tapOf({ results, faults }: TestRun): string {
  const lines = ['TAP version 14', `1..${results.length + faults.length}`]
  let number = 0
  for (const { file, name, status, failures, milliseconds } of results) {
    number++
    if (status === 'skipped') {
      lines.push(`ok ${number} - ${described(`${file}: ${name}`)} # SKIP ${described(failures[0]?.message ?? '')}`)
      continue
    }
    lines.push(`${status === 'passed' ? 'ok' : 'not ok'} ${number} - ${described(`${file}: ${name}`)}`)
    if (status === 'passed') continue
    const [first] = failures
    lines.push(
      ...diagnostic({
        message: failures.map(({ message }) => message).join(' '),
        severity: status === 'failed' ? 'fail' : 'error',
        at: `${file}:${first?.line ?? 1}:${first?.column ?? 1}`,
        time: `T#${milliseconds}ms`,
        ...(first?.expected === undefined ? {} : { wanted: first.expected, found: first.actual ?? '' }),
      }),
    )
  }
  for (const { file, line, column, message } of faults) {
    number++
    lines.push(`not ok ${number} - ${described(`${file}:${line}:${column}`)}`)
    lines.push(...diagnostic({ message, severity: 'error', at: `${file}:${line}:${column}` }))
  }
  return `${lines.join('\n')}\n`
}

/** `#` begins a directive; line breaks would begin a line. */
function described(text: string): string {
  return text.replace(/[\\#]/g, '\\$&').replace(/\s+/g, ' ')
}

/** A block of YAML; JSON texts are YAML texts. */
function diagnostic(fields: Readonly<Record<string, string>>): string[] {
  return ['  ---', ...Object.entries(fields).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`), '  ...']
}
