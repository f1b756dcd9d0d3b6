import assert from 'node:assert/strict'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actor, openTestGateway } from '../test/harness.ts'
import { until } from '../test/until.ts'
import { isGatewayError } from './contract/problems.ts'
import type { GatewayOptions } from './gateway.ts'

const pluginDirs = [fileURLToPath(new URL('./fixtures/plugins', import.meta.url))]
const open = (t: TestContext, options: Partial<GatewayOptions> = {}) => openTestGateway(t, { pluginDirs, ...options })
const code = (expected: string) => (error: unknown) => isGatewayError(error) && error.code === expected

test('a command changes the state, and the state survives a restart', async (t) => {
  const first = await open(t)
  assert.deepEqual(await first.call('counter.add', { name: 'a', by: 2 }), { name: 'a', value: 2 })
  assert.deepEqual(await first.call('counter.add', { Name: 'a' }), { name: 'a', value: 3 })
  const second = await first.restart()
  assert.deepEqual(await second.call('counter.get', { name: 'a' }), { name: 'a', value: 3 })
  await second.gateway.store.checkpoints.drop()
  const third = await second.restart()
  assert.deepEqual(await third.call('counter.get', { name: 'a' }), { name: 'a', value: 3 })
})

test('what was wrong with the data directory and could be made good is in the log', async (t) => {
  const warnings: unknown[] = []
  const ignore = () => {}
  const log = { debug: ignore, info: ignore, error: ignore, warn: (fields: object) => warnings.push(fields) }
  const first = await open(t, { log })
  await first.call('counter.add', { name: 'a', by: 2 })
  await first.gateway.close()
  assert.deepEqual(warnings, [])
  await rm(join(first.dir, 'data/store/witness'))
  await first.restart()
  assert.deepEqual(warnings, [{ detail: 'the file witness is missing; a new one is written' }])
})

test('a command that fails after emitting changes nothing, and says only what it should', async (t) => {
  const { call, gateway } = await open(t)
  await assert.rejects(call('counter.add-then', { name: 'a', after: 'fail' }), code('unacceptable_content'))
  await assert.rejects(call('counter.add-then', { name: 'a', after: 'throw' }), (error: unknown) => {
    assert(isGatewayError(error))
    assert.equal(error.code, 'internal_error')
    assert.doesNotMatch(error.message, /secret internals/)
    return true
  })
  await assert.rejects(call('counter.get', { name: 'a' }), code('not_found'))
  assert.equal(gateway.jobs.running, undefined)
})

test('dryRun runs the command, returns result, events and files, and keeps nothing', async (t) => {
  const { call, dir } = await open(t)
  const tried = await call('counter.add-then', { name: 'a', after: 'write', path: 'out/x.txt', dryRun: true })
  assert.equal(tried.dryRun, true)
  assert.deepEqual(tried.events, [{ type: 'counter.added', data: { name: 'a', by: 1 }, entity: 'counter/a' }])
  assert.equal((tried.files as { change: string }[])[0]!.change, 'write')
  await assert.rejects(call('counter.get', { name: 'a' }), code('not_found'))
  await assert.rejects(stat(join(dir, 'workspace/out')))
  await call('counter.add-then', { name: 'a', after: 'write', path: 'out/x.txt' })
  assert.equal(await readFile(join(dir, 'workspace/out/x.txt'), 'utf8'), 'written by a\n')
})

test('paths outside the workspace are refused, and a command that fails leaves no file', async (t) => {
  const { call, dir } = await open(t)
  await assert.rejects(
    call('counter.add-then', { name: 'a', after: 'write', path: '../x.txt' }),
    code('path_outside_workspace'),
  )
  await assert.rejects(
    call('counter.add-then', { name: 'a', after: 'write', path: '/etc/x.txt' }),
    code('path_outside_workspace'),
  )
  await assert.rejects(call('counter.get', { name: 'a' }), code('not_found'))
  await assert.rejects(stat(join(dir, 'x.txt')))
})

test('commands run one after the other in the order they were accepted', async (t) => {
  const { call } = await open(t)
  const results = await Promise.all(
    Array.from({ length: 50 }, () => call<{ value: number }>('counter.add', { name: 'a' })),
  )
  assert.deepEqual(
    results.map((r) => r.value),
    Array.from({ length: 50 }, (_, i) => i + 1),
  )
})

test('progress only rises, and a job that has ended does not tell what it did last', async (t) => {
  const first = await open(t)
  const told: [number, string | undefined][] = []
  first.gateway.bus.on('job', ({ progress, message }) => told.push([progress, message]))
  await assert.rejects(first.call('counter.add-then', { name: 'a', after: 'report' }), code('unacceptable_content'))
  assert.deepEqual(told.slice(-3), [
    [70, 'the first step'],
    [70, 'the second step, which counts for itself'],
    [70, undefined],
  ])
})

test('an async job is polled to its end, and an old job is read from the log', async (t) => {
  // A clock that never repeats a time: equal answers before and after a restart come from the same records.
  let now = 1e12
  const first = await open(t, { clock: () => now++ })
  const { jobId } = await first.call<{ jobId: string }>(
    'counter.add-then',
    { name: 'a', after: 'sleep', ms: 80 },
    { mode: 'async' },
  )
  const active = first.gateway.jobs.peek(jobId)!
  assert.equal(active.status === 'Pending' || active.status === 'Running', true)
  await active.settled
  const job = (await first.gateway.jobs.find(jobId))!
  assert.equal(job.status, 'Completed')
  assert.equal(job.progress, 100)
  const second = await first.restart()
  const read = (await second.gateway.jobs.find(jobId))!
  assert.deepEqual(read, job)
  assert.equal(job.message, undefined, 'what it did last is over')
  assert.equal(await second.gateway.jobs.find('Jzzzz-abc'), undefined)
  assert.equal(await second.gateway.jobs.find('nonsense'), undefined)
})

test('large inputs and results are kept as blobs and come back whole', async (t) => {
  const first = await open(t)
  const { jobId } = await first.call<{ jobId: string }>(
    'counter.add-then',
    { name: 'b'.repeat(100_000), after: 'large' },
    { mode: 'async' },
  )
  // A job that has already ended is only in the log.
  await first.gateway.jobs.peek(jobId)?.settled
  const second = await first.restart()
  const job = (await second.gateway.jobs.find(jobId))!
  assert.equal((job.result as { text: string }).text.length, 200_000)
  assert.equal((job.input as { name: string }).name.length, 100_000)
})

test('a pending job is cancelled at once, a running one at its next look', async (t) => {
  const { call, gateway } = await open(t)
  const running = await call<{ jobId: string }>(
    'counter.add-then',
    { name: 'a', after: 'sleep', ms: 60_000 },
    { mode: 'async' },
  )
  const pending = await call<{ jobId: string }>('counter.add', { name: 'b' }, { mode: 'async' })
  await gateway.jobs.cancel(pending.jobId)
  assert.equal((await gateway.jobs.find(pending.jobId))!.status, 'Cancelled')
  await gateway.jobs.cancel(running.jobId)
  await gateway.jobs.peek(running.jobId)?.settled
  assert.equal((await gateway.jobs.find(running.jobId))!.status, 'Cancelled')
  await assert.rejects(call('counter.get', { name: 'a' }), code('not_found'))
  await assert.rejects(gateway.jobs.cancel(running.jobId), code('job_finished'))
  await assert.rejects(gateway.jobs.cancel('J1-none'), code('not_found'))
})

test('an idempotency key stands for one job, also after a restart', async (t) => {
  const first = await open(t)
  const idempotencyKey = 'k1'
  assert.deepEqual(await first.call('counter.add', { name: 'a' }, { idempotencyKey }), { name: 'a', value: 1 })
  assert.deepEqual(await first.call('counter.add', { name: 'a' }, { idempotencyKey }), { name: 'a', value: 1 })
  await assert.rejects(first.call('counter.add', { name: 'b' }, { idempotencyKey }), code('idempotency_mismatch'))
  const second = await first.restart()
  assert.deepEqual(await second.call('counter.add', { name: 'a' }, { idempotencyKey }), { name: 'a', value: 1 })
  await assert.rejects(second.call('counter.add', { name: 'b' }, { idempotencyKey }), code('idempotency_mismatch'))
  assert.deepEqual(
    await second.call('counter.add', { name: 'a' }, { idempotencyKey, actor: actor('admin', 'other') }),
    { name: 'a', value: 2 },
  )
})

test('secrets reach the command, and nothing that is written', async (t) => {
  const { call, gateway } = await open(t)
  const result = await call('counter.keep-secret', { password: 'correct horse', token: 'battery staple' })
  assert.match(String(result.password), /^scrypt:/)
  assert.equal(result.tokenLength, 14)
  let text = ''
  for await (const records of gateway.store.log.read()) text += JSON.stringify(records)
  assert.match(text, /"sealed:/)
  assert.doesNotMatch(text, /correct horse|battery staple/)
})

test('access levels are checked before anything else', async (t) => {
  const { call } = await open(t)
  await assert.rejects(call('counter.add', { name: 'a' }, { actor: actor('viewer') }), code('forbidden'))
  await call('counter.add', { name: 'a' }, { actor: actor('engineer') })
  await call('counter.get', { name: 'a' }, { actor: actor('viewer') })
})

test('uploads of JSON clients become blobs', async (t) => {
  const { call } = await open(t)
  assert.deepEqual(await call('counter.take-file', { file: { fileName: 'a.csv', content: 'x;y' } }), {
    fileName: 'a.csv',
    size: 3,
    text: 'x;y',
  })
  const contentBase64 = Buffer.from('x;y').toString('base64')
  assert.deepEqual(await call('counter.take-file', { File: { FileName: 'a.csv', ContentBase64: contentBase64 } }), {
    fileName: 'a.csv',
    size: 3,
    text: 'x;y',
  })
  const blob = `sha256:${'0'.repeat(64)}`
  await assert.rejects(call('counter.take-file', { file: { fileName: 'a', blob, size: 1 } }), code('invalid_input'))
})

test('ETags tell whether what a query read has changed', async (t) => {
  const { call, gateway } = await open(t)
  await call('counter.add', { name: 'a' })
  const get = async () => {
    const reply = await gateway.invoke(gateway.registry.operation('counter.get')!, { name: 'a' }, { actor: actor() })
    return reply.kind === 'result' ? reply.etag : undefined
  }
  const before = await get()
  assert.equal(await get(), before)
  await call('counter.add', { name: 'a' })
  assert.notEqual(await get(), before)
})

test('waiting jobs of a shut-down gateway run at the next start, in order', async (t) => {
  const first = await open(t)
  const running = await first.call<{ jobId: string }>(
    'counter.add-then',
    { name: 'x', after: 'sleep', ms: 60_000 },
    { mode: 'async' },
  )
  await until(() => first.gateway.jobs.running?.jobId === running.jobId, 'the first job runs')
  for (let by = 1; by <= 3; by++) await first.call('counter.add', { name: 'a', by }, { mode: 'async' })
  await first.gateway.close(50)
  const second = await first.restart()
  await second.call('counter.add', { name: 'a', by: 10 })
  assert.deepEqual(await second.call('counter.get', { name: 'a' }), { name: 'a', value: 16 })
  assert.equal((await second.gateway.jobs.find(running.jobId))!.status, 'Cancelled')
})
