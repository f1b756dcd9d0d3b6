/** Data of a plugin that JSON cannot hold: the plugin's fault, which harms neither the log nor other jobs. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { openTestGateway } from '../../test/harness.ts'
import { served } from '../../test/hmi.ts'
import type { GatewayError } from '../contract/problems.ts'

const source = `
const values = () => { const circle = {}; circle.self = circle; return { bigint: 1n, circle, map: new Map([[1, 2]]), nan: NaN, plain: { a: 1 } } }
export default ({ command, definePlugin, domainEvent, get, on, collection, query }) => {
  const said = domainEvent('odd.said', 'Something was said')
  const kept = collection('odd.kept')
  const input = (t) => t.Object({ kind: t.String() })
  const output = (t) => t.Object({ value: t.Unknown() })
  return definePlugin({
    name: 'odd',
    version: '1.0.0',
    slice: { version: 1, collections: [kept], reductions: [on(said, (write, { kind }) => write(kept).set(kind, { kind }))] },
    operations: [
      command({ id: 'odd.emit', title: 'Emit it', input, output, http: [], mcp: false,
        run({ kind }, ctx) { ctx.emit(said, { kind, value: values()[kind] }); return { value: 1 } } }),
      command({ id: 'odd.answer', title: 'Answer it', input, output, http: [], mcp: false,
        run({ kind }) { return { value: values()[kind] } } }),
      query({ id: 'odd.ask', title: 'Ask for it', input, output, http: [get('/api/odd/{kind}')], mcp: false,
        run({ kind }) { return { value: values()[kind] } } }),
      query({ id: 'odd.kept', title: 'List what is kept', input: (t) => t.Object({}), output, http: [], mcp: false,
        run(_, ctx) { return { value: [...ctx.read(kept).keys()] } } }),
    ],
  })
}`

async function open(t: TestContext, checkOutputs: boolean) {
  const dir = await temporaryFolder(t, 'gantry-odd-')
  await mkdir(join(dir, 'odd'))
  await writeFile(join(dir, 'odd/index.js'), source)
  return openTestGateway(t, { pluginDirs: [dir], checkOutputs })
}

test('an event or a result that is not JSON fails its job, durably, and changes nothing', async (t) => {
  const gantry = await open(t, false)
  for (const kind of ['bigint', 'circle']) {
    for (const id of ['odd.emit', 'odd.answer']) {
      const error: GatewayError = await gantry.call(id, { kind }).then(
        () => assert.fail(`${id} ${kind} was accepted`),
        (reason) => reason,
      )
      assert.equal(error.code, 'internal_error')
      const jobId = String(error.details.extra?.jobId)
      assert.equal((await gantry.gateway.jobs.find(jobId))?.status, 'Failed')
    }
  }
  await gantry.call('odd.emit', { kind: 'plain' })
  assert.equal(gantry.gateway.store.health.state, 'ok')
  const { call } = await gantry.restart()
  assert.deepEqual(await call('odd.kept'), { value: ['plain'] })
})

test('a result that is not JSON fails the call, which the answer names', async (t) => {
  const { gateway } = await open(t, false)
  const { url, key } = await served(t, gateway)
  const answers: unknown[] = []
  for (const kind of ['circle', 'bigint', 'plain']) {
    const answer = await fetch(`${url}/api/odd/${kind}`, { headers: { 'X-API-Key': key } })
    const { detail, value } = (await answer.json()) as { detail?: string; value?: unknown }
    answers.push([answer.status, detail?.replace(/ \(.*/, '') ?? value])
  }
  assert.deepEqual(answers, [
    [500, 'Operation GET /api/odd/circle failed unexpectedly'],
    [500, 'Operation GET /api/odd/bigint failed unexpectedly'],
    [200, { a: 1 }],
  ])
})

test('in development, what JSON would lose in a result is told', async (t) => {
  const { call } = await open(t, true)
  for (const kind of ['map', 'nan']) await assert.rejects(call('odd.answer', { kind }), { code: 'internal_error' })
  assert.deepEqual(await call('odd.answer', { kind: 'plain' }), { value: { a: 1 } })
})
