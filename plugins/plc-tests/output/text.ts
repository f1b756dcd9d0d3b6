/** Test results for people. */
import { counted } from '../../../lib/counted.ts'
import { plotOf } from '../../../plc/program-tests/plot.ts'
import type { CaseResult } from '../../../plc/program-tests/run-case.ts'
import { type CoveredBlock, totalsOf } from '../coverage.ts'
import type { TestRun } from '../run.task.ts'
import { shareText } from './coverage-html.ts'

/** One case: a line, and what failed below it. */
export function caseText(result: CaseResult): string {
  const { status, file, name, cycles, milliseconds, failures, trace } = result
  if (status === 'skipped') return `${marks.skipped} ${file}: ${name}\n${skipText(result)}`
  const head = `${marks[status]} ${file}: ${name}  (${counted(cycles, 'cycle')}, ${timeText(milliseconds)})\n`
  if (status === 'passed') return head
  const details = failures.map(({ line, column, step, message, milliseconds: at = milliseconds }) => {
    const where = step === 0 ? '' : ` step ${step}`
    return `    ${file}:${line}:${column}:${where} at ${timeText(at)}\n      ${message}\n`
  })
  const plot = plotOf(trace).map((line) => `      ${line}\n`)
  const title =
    plot.length === 0
      ? ''
      : `    the last ${(trace[0]?.values.length ?? 0) === 1 ? 'cycle' : `${trace[0]?.values.length} cycles`}:\n`
  return [head, ...details, title, ...plot].join('')
}

/** Why a block does not run. */
function skipText({ file, failures }: CaseResult): string {
  return failures.map(({ line, column, message }) => `    ${file}:${line}:${column}:\n      ${message}\n`).join('')
}

const marks = { passed: 'ok   ', failed: 'FAIL ', error: 'ERROR', skipped: 'SKIP ' } as const

export function timeText(milliseconds: number): string {
  return milliseconds < 1000 ? `T#${milliseconds}ms` : `T#${milliseconds / 1000}s`
}

/** What the tests ran of each block. */
export function coverageText(blocks: readonly CoveredBlock[]): string {
  const rows = [...blocks.map((one) => [one.block, totalsOf([one])] as const), ['all', totalsOf(blocks)] as const]
  const width = Math.max(5, ...rows.map(([name]) => name.length))
  const cells = (name: string, ...columns: readonly string[]) =>
    `${[name.padEnd(width), ...columns.map((one) => one.padStart(20))].join('  ')}\n`
  return [
    '\n',
    cells('block', 'statements', 'branches', 'conditions'),
    ...rows.map(([name, { statements, branches, conditions }]) =>
      cells(name, ...[statements, branches, conditions].map(shareText)),
    ),
  ].join('')
}

/** Faults of files, and the counts. */
export function summaryText({ results, faults, skipped }: TestRun): string {
  const count = (wanted: CaseResult['status']) => results.filter(({ status }) => status === wanted).length
  const lines = faults.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}\n`)
  const parts = [
    `${count('passed')} passed`,
    `${count('failed')} failed`,
    counted(count('error'), 'with an error', 'with errors'),
  ]
  if (count('skipped') > 0) parts.push(`${count('skipped')} skipped`)
  if (skipped > 0) parts.push(`${skipped} not selected`)
  if (faults.length > 0) parts.push(`${counted(new Set(faults.map(({ file }) => file)).size, 'test file')} not read`)
  return `${lines.join('')}${parts.join(', ')}\n`
}
