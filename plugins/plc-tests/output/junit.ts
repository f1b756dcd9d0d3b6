/**
 * Test results as JUnit XML: a suite for each test file, times in virtual seconds. Cases have no
 * attribute `file`: the schema of Jenkins refuses it there, and has it on suites.
 */
import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import { plotOf } from '../../../plc/program-tests/plot.ts'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'
import type { TestRun } from '../run.task.ts'

/** Of a file or of all; `time` in virtual seconds. */
interface Counts {
  tests: number
  failures: number
  errors: number
  skipped: number
  time: number
}

/** A fault of a test file is a case with an error. */
export function junitOf({ results, faults }: TestRun): string {
  const suites = new Map<string, string[]>()
  const counts = new Map<string, Counts>()
  const add = (file: string, text: string, status: CaseResult['status'], time: number) => {
    suites.set(file, [...(suites.get(file) ?? []), text])
    const count = counts.get(file) ?? { tests: 0, failures: 0, errors: 0, skipped: 0, time: 0 }
    counts.set(file, count)
    count.tests++
    if (status === 'failed') count.failures++
    if (status === 'error') count.errors++
    if (status === 'skipped') count.skipped++
    count.time += time
  }
  for (const one of results) add(one.file, caseXml(one), one.status, one.milliseconds / 1000)
  for (const { file, line, column, message } of faults) {
    const place = `${file}:${line}:${column}: ${message}`
    const error = `<error message="${escapeAttribute(message)}" type="test-file">${escapeText(place)}</error>`
    const name = escapeAttribute(`line ${line}, column ${column}`)
    add(
      file,
      `    <testcase name="${name}" classname="${escapeAttribute(file)}" time="0">${error}</testcase>\n`,
      'error',
      0,
    )
  }
  const total = { tests: 0, failures: 0, errors: 0, skipped: 0, time: 0 }
  for (const one of counts.values())
    for (const name of ['tests', 'failures', 'errors', 'skipped', 'time'] as const) total[name] += one[name]
  const body = [...suites].map(
    ([file, cases]) =>
      `  <testsuite name="${escapeAttribute(file)}" file="${escapeAttribute(file)}" ${attributes(counts.get(file) ?? total)} skipped="${counts.get(file)?.skipped ?? 0}">\n${cases.join('')}  </testsuite>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="gantry test" ${attributes(total)}>\n${body.join('')}</testsuites>\n`
}

function attributes({ tests, failures, errors, time }: Counts): string {
  return `tests="${tests}" failures="${failures}" errors="${errors}" time="${time.toFixed(3)}"`
}

function caseXml({ file, name, status, milliseconds, failures, trace }: CaseResult): string {
  const head = `    <testcase name="${escapeAttribute(name)}" classname="${escapeAttribute(file)}" time="${(milliseconds / 1000).toFixed(3)}"`
  if (status === 'passed') return `${head}/>\n`
  const [first] = failures
  const message = escapeAttribute(first?.message ?? status)
  if (status === 'skipped') return `${head}>\n      <skipped message="${message}"/>\n    </testcase>\n`
  const [tag, type] = status === 'failed' ? ['failure', 'assertion'] : ['error', 'error']
  const lines = failures.map(({ line, column, step, message }) => {
    const where = step === 0 ? '' : `step ${step}: `
    return `${file}:${line}:${column}: ${where}${message}`
  })
  const text = escapeText([...lines, ...plotOf(trace)].join('\n'))
  return `${head}>\n      <${tag} message="${message}" type="${type}">${text}</${tag}>\n    </testcase>\n`
}
