/**
 * What a check of phases reports (fixtures/report.txt), and the page of it (fixtures/page.txt): phases that pass, that
 * cannot be checked in full, one whose block deviates, and one whose block does not compile.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { loadSound } from '../../../test/design-spec/specs.ts'
import { assertRecorded, fixtureText } from '../../../test/recorded.ts'
import { generatePhase } from '../generate/generate.ts'
import { programHash, reportPage } from './html/page.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import { refusedReport } from './report.ts'
import { scratchOf } from './scratch.task.ts'
import { runScratch } from './verify.ts'

/** Text with a line for each row of a table: `│` parts the cells, `✗` is before what the page shows as wrong. */
function pageText(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/\b[0-9a-f]{64}\b|(?<='sha256-)[^']+/g, '…')
    .replace(/<\/t[dh]><t[dh][^>]*>/g, ' │ ')
    .replace(/<span class="(?:value mono )?wrong">/g, ' ✗')
    .replace(/<span class="([a-z ]+)">/g, (_, kind: string) => (kind.startsWith('value') ? ' ' : ` {${kind}} `))
    .replace(/<(section|div|table|p) class="([a-z ]+)">/g, '\n<$2> ')
    .replace(/<\/?(?:span|code|td|th|thead|tbody|table|strong)\b[^>]*>/g, '')
    .replace(/<\/?tr>/g, '\n')
    .replace(/ *\n\s*/g, '\n')
}

test('the hash of a program is that of the names and hashes of its blocks', () => {
  const blocks = [{ blockName: 'FB_A', blockHash: '12ab' }, { blockName: 'FB_B' }]
  assert.equal(programHash(blocks), createHash('sha256').update('FB_A\t12ab\nFB_B\t\n').digest('hex'))
})

test('reports of phases, and their page', async () => {
  const model = await loadSound(fixtureText(import.meta.url, 'hard.csv'), 'hard.csv')
  const change = (name: string, from: string, to: string) => {
    const generated = generatePhase(model, name)
    assert.ok(generated.scl.includes(from), `${name} has ${from}`)
    return { ...generated, name, scl: generated.scl.replace(from, to) }
  }
  const sources = [
    ...['Never', 'Always', 'Waits'].map((name) => ({ ...generatePhase(model, name), name })),
    change('Kinds', "#V.Told := 'xyz'", "#V.Told := 'xy'"),
    change('Stops', '#V.Opened', '#V.Opend'),
  ]
  const scratch = await scratchOf(sources, (name) => planPhase(checkedPhase(model, name), 10_000))
  const reports = [
    // The checks of two phases are recorded.
    ...(await runScratch(scratch, new AbortController().signal, { record: { left: 40 } })),
    ...scratch.refused.map(({ phase, blockName, errors }) => refusedReport(phase, blockName, 2, errors)),
  ]
  const told = reports.flatMap(({ rows, checks, failures, steps, transitions, ...report }) => [
    JSON.stringify({ ...report, blockHash: report.blockHash?.length, checks: checks?.length }),
    ...[...steps, ...transitions, ...rows, ...failures].map((one) => `  ${JSON.stringify(one)}`),
  ])
  assertRecorded(import.meta.url, 'report.txt', `${told.join('\n')}\n`)
  const facts = {
    ...{ project: 'Plant', units: ['hard (hard, hard)'], specFile: 'hard.csv', specHash: 'abc', gantryVersion: '1.2' },
    ...{ time: Date.UTC(2026, 1, 3, 4, 5, 6), actor: 'anna', id: 'J1', leftOut: ['Another'] },
  }
  const page = reportPage(reports, { ...facts, customer: 'Brewery', tester: 'T. Ester', device: 'PLC_1' })
  assertRecorded(import.meta.url, 'page.txt', pageText(page))
  // A phase whose run was ended by the limit, with a row that nothing tells of.
  const [first] = reports
  const rows = first!.rows.map((row) =>
    row.row === 'final' ? { ...row, result: 'notChecked' as const, missing: [] } : row,
  )
  const limited = reportPage(
    [
      { ...first!, rows, limited: true },
      { ...first!, result: 'passed' },
    ],
    facts,
  )
  const [, notTested = ''] = /(3 Not tested.*?)4 How it was tested/s.exec(pageText(limited)) ?? []
  assertRecorded(import.meta.url, 'page-limited.txt', notTested)
  const passed = reportPage([{ ...reports[0]!, result: 'passed', deviceBlock: 'present' }], facts)
  assertRecorded(import.meta.url, 'page-of-one.txt', pageText(passed).replace(/.*5 Phase Never/s, '5 Phase Never'))
})
