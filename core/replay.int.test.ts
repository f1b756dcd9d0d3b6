import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestGateway, type TestGateway } from '../test/harness.ts'
import { listSessions, stateAt } from './audit.ts'
import { notes } from './fixtures/replay-plugins/notes/index.ts'
import { isGatewayError } from './problems.ts'
import { differences, type ReplayReport, replaySession } from './replay.ts'
import { replayBeside } from './replay-worker.ts'

const pluginDirs = [fileURLToPath(new URL('./fixtures/replay-plugins', import.meta.url))]
const code = (expected: string) => (error: unknown) => isGatewayError(error) && error.code === expected

async function replayOf(t: TestContext, { gateway, dir }: TestGateway): Promise<ReplayReport> {
  const session = gateway.sessionSeq
  await gateway.close(2000)
  t.diagnostic(`session ${session}`)
  return replaySession({ dataDir: join(dir, 'data'), pluginDirs, version: '0.0.0-test' }, session)
}

test('a session comes out the same, although its files are gone and its secrets sealed', async (t) => {
  const first = await openTestGateway(t, { pluginDirs })
  const workspace = join(first.dir, 'workspace')
  await mkdir(join(workspace, 'texts'))
  await writeFile(join(workspace, 'texts/a.txt'), 'first')
  await first.call('notes.import', { path: 'texts/a.txt' })
  const second = await first.restart()
  await second.call('notes.import', { path: 'texts' })
  await second.call('notes.import', { path: join(workspace, 'texts/a.txt') })
  await assert.rejects(second.call('notes.import', { path: 'texts/absent.txt' }), code('not_found'))
  await assert.rejects(second.call('notes.import', { path: '../outside' }), code('path_outside_workspace'))
  await second.call('notes.seal', { token: 'swordfish' })
  await second.call('notes.large', { text: 'x'.repeat(50_000) })
  await second.call('notes.import', { path: 'texts/a.txt', dryRun: true })
  await rm(workspace, { recursive: true })
  const report = await replayOf(t, second)
  assert.deepEqual(report.differences, [])
  assert.deepEqual([report.jobs, report.same, report.different, report.skipped], [7, 7, 0, 0])
})

test('a result that came out otherwise is named with its place; durations are not', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  await opened.call('notes.careless')
  const report = await replayOf(t, opened)
  assert.equal(report.different, 1)
  assert.equal(report.differenceCount, 1)
  const [difference] = report.differences
  assert.equal(difference!.command, 'notes.careless')
  assert.equal(difference!.path, '/result/list/0/calls')
  assert.equal(difference!.replayed, (difference!.recorded as number) + 1)
})

test('what acts on processes or was cancelled is skipped, and its events count all the same', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  await opened.call('notes.live')
  await writeFile(join(opened.dir, 'workspace/a.txt'), 'a')
  // Its name is made from the number of notes, including that of `notes.live`.
  const made = await opened.call('notes.import', { path: 'a.txt' })
  assert.equal(made.name, 'note 2')
  const report = await replayOf(t, opened)
  assert.deepEqual([report.same, report.skipped], [1, 1])
  assert.match(report.skippedJobs[0]!.reason, /more than state and files/)
})

test('what a job learned from a file is kept with its end', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  await writeFile(join(opened.dir, 'workspace/a.txt'), 'a')
  await opened.call('notes.import', { path: 'a.txt' })
  const { gateway } = opened
  const records = []
  for await (const commit of gateway.store.log.read()) records.push(...commit)
  const end = records.find((record) => record.type === 'job.completed')!
  const { reads } = end.data as { reads: Record<string, string> }
  assert(Object.keys(reads).some((key) => key === join(opened.dir, 'workspace/a.txt')))
  assert.equal(reads['real a.txt'], join(opened.dir, 'workspace/a.txt'))
  assert.equal(JSON.parse(reads[`stat ${join(opened.dir, 'workspace/a.txt')}`]!).isFile, true)
})

test('a running session is replayed in a thread of its own', async (t) => {
  const { gateway, call, dir } = await openTestGateway(t, { pluginDirs })
  await writeFile(join(dir, 'workspace/a.txt'), 'text')
  await call('notes.import', { path: 'a.txt' })
  await call('notes.seal', { token: 'swordfish' })
  const progress: number[] = []
  const report = await replayBeside(gateway, gateway.sessionSeq, {
    signal: new AbortController().signal,
    onProgress: (percent) => progress.push(percent),
  })
  assert.deepEqual(report.differences, [])
  assert.equal(report.same, 2)
  // It rises with the records and ends with them.
  assert.equal(progress.at(-1), 100)
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.equal((await call<{ total: number }>('notes.list')).total, 2)
  await assert.rejects(
    replayBeside(gateway, 999_999, { signal: new AbortController().signal, onProgress() {} }),
    code('not_found'),
  )
  const aborted = AbortSignal.abort(new Error('no longer wanted'))
  await assert.rejects(
    replayBeside(gateway, gateway.sessionSeq, { signal: aborted, onProgress() {} }),
    /no longer wanted/,
  )
})

test('the state at any record is the fold up to it, and reducers see the time of the command', async (t) => {
  let now = 1_700_000_000_000
  const opened = await openTestGateway(t, { pluginDirs, clock: () => (now += 7) })
  await opened.call('notes.seal', { token: '1' })
  const before = opened.gateway.store.log.durableSeq
  await opened.call('notes.seal', { token: '22' })
  const live = (await opened.call<{ notes: unknown[] }>('notes.list')).notes
  const { store, plugins } = opened.gateway
  const slices = plugins.map(({ plugin }) => plugin)
  assert.equal((await stateAt(store, slices, before)).read(notes).get('secret')!.text, 'x')
  assert.equal((await stateAt(store, slices, 0)).read(notes).size, 0)
  assert.deepEqual([...(await stateAt(store, slices, store.log.durableSeq)).read(notes).values()], live)
  await assert.rejects(stateAt(store, slices, store.log.durableSeq + 100), code('invalid_input'))
  await opened.gateway.checkpoint()
  assert.deepEqual([...(await stateAt(store, slices, store.log.durableSeq)).read(notes).values()], live)
  const second = await opened.restart()
  assert.deepEqual((await second.call<{ notes: unknown[] }>('notes.list')).notes, live)
  await second.gateway.store.checkpoints.drop()
  const third = await second.restart()
  assert.deepEqual((await third.call<{ notes: unknown[] }>('notes.list')).notes, live)
})

test('sessions tell how they ended', async (t) => {
  const first = await openTestGateway(t, { pluginDirs })
  await first.call('notes.seal', { token: '1' })
  const second = await first.restart()
  const { store, sessionSeq } = second.gateway
  await store.log.durable(sessionSeq)
  const sessions = await listSessions(store, { limit: 10, running: sessionSeq })
  assert.deepEqual(
    sessions.map((s) => [s.state, s.jobs, s.plugins]),
    [
      ['running', 0, { notes: '1.0.0' }],
      ['stopped', 1, { notes: '1.0.0' }],
    ],
  )
  assert.equal(sessions[1]!.lastSeq, sessions[0]!.firstSeq - 1)
  assert.equal(
    (await listSessions(store, { limit: 1, before: sessions[0]!.session }))[0]!.session,
    sessions[1]!.session,
  )
  assert.equal((await listSessions(store, { limit: 10 }))[0]!.state, 'crashed')
})

test('differences are named by JSON pointers, missing values and changed kinds too', () => {
  const found: [string, unknown, unknown][] = []
  const recorded = { a: [1, { 'x/y': 1, 'm~n': null }], tookMs: 5, gone: 1, kind: [], note: 'Ms' }
  const replayed = { a: [1, { 'x/y': 2, 'm~n': {} }, 3], tookMs: 9, kind: {}, note: 'Ms' }
  differences(recorded, replayed, '', (...difference) => found.push(difference))
  assert.deepEqual(found, [
    ['/a/1/x~1y', 1, 2],
    ['/a/1/m~0n', null, {}],
    ['/a/2', undefined, 3],
    ['/gone', 1, undefined],
    ['/kind', [], {}],
  ])
})
