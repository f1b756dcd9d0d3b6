/** The report of a verification: what is in it, that nothing in it can run, and that it is kept. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { loadSound } from '../../../test/design-spec/specs.ts'
import { fails } from '../../../test/fails.ts'
import { builtInPlugins, openTestGateway } from '../../../test/harness.ts'
import { startServer } from '../../../test/http-server.ts'
import { newProject, plc } from '../../../test/online.ts'
import { generatePhase } from '../generate/generate.ts'
import { reportPage } from './html/page.ts'
import { checkedPhase } from './phase.ts'
import { planPhase } from './plan.ts'
import { scratchOf } from './scratch.task.ts'
import { runScratch } from './verify.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')

interface Summary {
  id: string
  path: string
  actor: string
  result: string
  checks: number
  failed: number
  specHash: string
  size: number
}

const id = 'design-spec.create-verification-report'

describe('the operation', () => {
  test('an HTML file with everything that is signed for', async (t) => {
    const at = await openTestGateway(t)
    await newProject(at, 'Brewery')
    const content = fixture('tank.csv')
    await at.call('design-spec.load', { file: { fileName: 'tank.csv', content } })
    const html = await at.call<string>(id, { ...plc, customer: 'Brewery Ltd', tester: 'J. Doe' })
    const hash = createHash('sha256').update(content).digest('hex')
    const { scl } = generatePhase(await loadSound(content, 'tank.csv'), 'Batch')
    for (const part of [
      ...['Brewery', 'tank.csv', hash, 'Brewery Ltd', 'J. Doe', at.gateway.version, 'test', 'FB_Batch', 'PLC_1'],
      createHash('sha256').update(scl).digest('hex'),
      ...['1 Summary', '2 Deviations', '3 Not tested', '4 How it was tested', '5 Phase Batch', 'Signature', 'Tester'],
      ...['6 of 6', '5 of 5', 'just before MinTime', 'at Timeout: Hold', 'ErrorText', 'Level too low for heating'],
    ])
      assert.ok(html.includes(part), part)
    assert.match(html, /class="verdict good"><strong>Passed/)
  })

  test('no script, nothing from outside, and a policy that allows only its own style', async (t) => {
    const at = await openTestGateway(t)
    const evil = '<img src=x onerror=alert(1)>'
    const content = fixture('conveyor.csv')
      .replace('Jam on the belt', `"${evil}"`)
      .replace('Wait for part', `"</style><script>alert('1')</script>"`)
    await at.call('design-spec.load', { file: { fileName: `a"b'<i>.csv`, content } })
    const html = await at.call<string>(id, { customer: evil, tester: '"><b>x', projectName: '</title><script>' })
    const style = /<style>(.*?)<\/style>/s.exec(html)![1]!
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)![1]!.replaceAll('&#39;', "'")
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`), policy)
    assert.match(policy, /^default-src 'none'/)
    const rest = html.replace(style, '')
    assert.doesNotMatch(rest, /<(script|img|iframe|link|object|form|b|i)\b/i)
    assert.doesNotMatch(rest, /<[^>]*\s(on\w+|style|src|href)=/i)
    assert.ok(rest.includes('&lt;img src=x onerror=alert(1)&gt;'))
    assert.equal(html.match(/<style>/g)?.length, 1)
  })

  test('is kept with its job, listed, read again after a restart, and written to a file', async (t) => {
    const at = await openTestGateway(t)
    await at.call('design-spec.load', { file: { fileName: 'conveyor.csv', content: fixture('conveyor.csv') } })
    const summary = await at.call<Summary>(id, { phases: ['Signal'], format: 'summary', filePath: 'out/report.html' })
    assert.deepEqual([summary.result, summary.failed, summary.actor], ['passed', 0, 'test'])
    assert.equal(summary.path, `/api/design-spec/verification-reports/${summary.id}`)
    const html = await at.call<string>('design-spec.get-verification-report', { reportId: summary.id })
    assert.equal(Buffer.byteLength(html), summary.size)
    assert.match(html, /Transport<\/td><td>-<\/td><td>The phase was not chosen/)
    const [root] = at.gateway.workspace.roots
    assert.equal(await readFile(join(root!, 'out/report.html'), 'utf8'), html)
    const again = { phases: ['Signal'], format: 'summary', filePath: 'out/report.html' }
    await fails(at.call(id, again), 'conflict', /report\.html" exists already/)
    const replaced = await at.call<Summary>(id, { ...again, overwrite: true })
    const written = await at.call<string>('design-spec.get-verification-report', { reportId: replaced.id })
    assert.equal(await readFile(join(root!, 'out/report.html'), 'utf8'), written)
    const list = await at.call<{ reports: Summary[]; total: number }>('design-spec.list-verification-reports', {})
    assert.equal(list.total, 2)
    assert.equal(list.reports[1]?.id, summary.id)
    await assert.rejects(at.call('design-spec.get-verification-report', { reportId: 'none' }), /no verification report/)
  })
})

test('a block that deviates: the report says what, where, and with which values', async () => {
  const model = await loadSound(fixture('tank.csv'), 'tank.csv')
  const generated = generatePhase(model, 'Batch')
  const scl = generated.scl.replace('TIMEOUT_FILL : Time := T#20m', 'TIMEOUT_FILL : Time := T#21m')
  const scratch = await scratchOf([{ ...generated, name: 'Batch', scl }], () =>
    planPhase(checkedPhase(model, 'Batch'), 10_000),
  )
  const phases = await runScratch(scratch, new AbortController().signal, { record: { left: 1000 } })
  const facts = {
    ...{ project: 'P', units: ['U'], specFile: 'tank.csv', specHash: 'h', gantryVersion: '1', time: 0 },
    ...{ actor: 'me', leftOut: [], id: 'J1' },
  }
  const html = reportPage(phases, facts)
  assert.match(html, /class="verdict bad"><strong>Failed/)
  assert.match(html, /D1: Batch, step 20, check \d+ - Requirement timeout/)
  assert.match(html, /<code>Alarm<\/code><\/td><td>TRUE<\/td><td><span class="wrong">FALSE/)
  assert.match(html, /<span class="value mono wrong">Alarm = FALSE<\/span>/)
  assert.equal(html, reportPage(phases, facts), 'the same results give the same file')
})

test('over HTTP: at once and as a job, as text/html', async (t) => {
  const server = await startServer(t, {}, { pluginDirs: [builtInPlugins] })
  await server.post('/api/design-spec/load', { file: { fileName: 'c.csv', content: fixture('conveyor.csv') } })
  const body = { phases: ['Signal'] }
  const now = await server.post('/api/design-spec/actions/verification-report-sync', body)
  assert.equal(now.status, 200)
  assert.match(String(now.headers.get('content-type')), /^text\/html/)
  assert.match(now.text, /^<!doctype html>/)
  const later = await server.post('/api/design-spec/actions/verification-report', body)
  const { jobId } = later.json as { jobId: string }
  const job = await server.call(`/api/jobs/${jobId}?wait=20`)
  assert.equal((job.json as { status: string }).status, 'Completed')
  const again = await server.call(`/api/design-spec/verification-reports/${jobId}`)
  assert.match(String(again.headers.get('content-type')), /^text\/html/)
  assert.match(again.text, /Phase Signal/)
})
