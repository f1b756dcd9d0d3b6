import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { LogRecord, NewRecord } from '../../store/index.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import { stateAt } from '../audit/audit.ts'
import { listSessions } from '../audit/audit-sessions.ts'
import { isGatewayError } from '../contract/problems.ts'
import { notes } from './fixtures/replay-plugins/notes/index.ts'
import { differences, type ReplayReport, type ReplaySource, replayFrom, replaySession } from './replay.ts'
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

/** A source of records that were made by hand. */
function sourceOf(
  before: readonly NewRecord[],
  session: readonly NewRecord[],
  blobs: Record<string, string> = {},
): ReplaySource {
  const records = [...before, ...session].map(
    (record, i): LogRecord => ({
      ...{
        seq: i + 1,
        time: 1000 + i,
        jobId: undefined,
        actor: undefined,
        correlationId: undefined,
        entity: undefined,
      },
      ...record,
    }),
  )
  const firstSeq = before.length + 1
  return {
    session: {
      ...{ session: firstSeq, firstSeq, lastSeq: records.length, startedAt: '2025-01-01T00:00:00.000Z' },
      ...{ state: 'stopped', jobs: 0, version: '', node: '', plugins: {} },
    },
    sealKey: undefined,
    async *records(from, to) {
      // In two parts, of which one may be empty.
      const range = records.slice(from - 1, to)
      yield range.slice(0, 3)
      yield range.slice(3)
    },
    accepted: async (jobId) => records.find((record) => record.jobId === jobId && record.type === 'job.accepted'),
    blob: async (hash) => Buffer.from(blobs[hash] ?? ''),
  }
}

test('what is replayed, skipped and different, and which records before are lost, is counted and told', async () => {
  const data = { command: 'counter.add', access: 'admin', input: { name: 'a' } }
  const accepted = (jobId: string, more: object = {}): NewRecord => ({
    ...{ type: 'job.accepted', jobId, actor: 'anna', correlationId: `c-${jobId}` },
    data: { ...data, ...more },
  })
  const ended = (jobId: string, how: string, end: object): NewRecord => ({
    type: `job.${how}`,
    jobId,
    data: { startedAt: 5, ...end },
  })
  const added = (jobId: string | undefined, by = 1): NewRecord => ({
    ...{ type: 'counter.added', entity: 'counter/a', data: { name: 'a', by } },
    ...(jobId === undefined ? {} : { jobId }),
  })
  const result = (value: number) => ({ result: { name: 'a', value } })
  const failed = (code: string) => ({ error: { code, detail: 'x' } })
  const lost = (first: number, last: number): NewRecord => ({ type: 'log.lost', data: { first, last, reason: 'x' } })
  const wrong = {
    ...{ type: '/api/errors/unacceptable_content', status: 422, detail: 'It fails as asked.' },
    code: 'unacceptable_content',
  }
  const source = sourceOf(
    [
      accepted('J1-a'),
      lost(2, 3),
      lost(2, 3),
      added(undefined, 10),
      { type: 'query.served', data: { operation: 'x' } },
    ],
    [
      { type: 'gateway.started', data: {} },
      // Accepted before the session.
      added('J1-a'),
      ended('J1-a', 'completed', result(11)),
      added(undefined, 5),
      { type: 'call.refused', data: { code: 'x' } },
      accepted('J2-a'),
      { type: 'job.started', jobId: 'J2-a', data: {} },
      { type: 'job.progress', jobId: 'J2-a', data: { progress: 5 } },
      added('J2-a'),
      ended('J2-a', 'completed', { resultBlob: 'blob' }),
      // Skipped, each with its events.
      added('J3-a', 100),
      ended('J3-a', 'completed', result(1)),
      accepted('J4-a', { command: 'counter.gone' }),
      ended('J4-a', 'completed', {}),
      accepted('J5-a'),
      ended('J5-a', 'cancelled', {}),
      accepted('J6-a'),
      ended('J6-a', 'failed', failed('shutting_down')),
      lost(40, 41),
      accepted('J7-a'),
      added('J7-a'),
      ended('J7-a', 'completed', result(118)),
      // Other ends than recorded.
      accepted('J8-a', { access: 'nonsense', dryRun: true }),
      ended('J8-a', 'completed', { result: { dryRun: true, result: { name: 'a', value: 119 }, events: [] } }),
      accepted('J9-a', { command: 'counter.add-then', input: { name: 'b', after: 'fail' } }),
      ended('J9-a', 'failed', { error: wrong }),
      accepted('Ja-a'),
      ended('Ja-a', 'failed', failed('conflict')),
    ],
    { blob: JSON.stringify({ name: 'a', value: 17 }) },
  )
  const counterPlugins = [fileURLToPath(new URL('../fixtures/plugins', import.meta.url))]
  const progress: [number, string][] = []
  const replay = (more: { maxDifferences?: number } = {}) =>
    replayFrom(source, {
      ...{ pluginDirs: counterPlugins, version: '0.0.0-test', ...more },
      onProgress: (percent, message) => progress.push([Math.round(percent), message]),
    })
  const { differences: found, ...report } = await replay()
  assert.deepEqual(report, {
    session: 6,
    startedAt: '2025-01-01T00:00:00.000Z',
    jobs: 10,
    same: 3,
    different: 3,
    skipped: 4,
    skippedJobs: [
      { jobId: 'J3-a', command: '?', reason: 'its acceptance is not in the log' },
      { jobId: 'J4-a', command: 'counter.gone', reason: 'its operation is not loaded' },
      { jobId: 'J5-a', command: 'counter.add', reason: 'it was cancelled' },
      { jobId: 'J6-a', command: 'counter.add', reason: 'it failed with shutting_down' },
    ],
    differenceCount: found.length,
    lost: [
      { first: 2, last: 3 },
      { first: 40, last: 41 },
    ],
  })
  const event = { type: 'counter.added', entity: 'counter/a', data: { name: 'a', by: 1 } }
  assert.deepEqual(found, [
    {
      ...{ jobId: 'J8-a', command: 'counter.add', path: '/result/events/0' },
      replayed: { type: 'counter.added', data: { name: 'a', by: 1 }, entity: 'counter/a' },
    },
    {
      ...{ jobId: 'J9-a', command: 'counter.add-then', path: '/error/title' },
      replayed: 'The content cannot be accepted',
    },
    { jobId: 'J9-a', command: 'counter.add-then', path: '/error/jobId', replayed: 'J9-a' },
    {
      ...{ jobId: 'J9-a', command: 'counter.add-then', path: '/error/errors' },
      replayed: [{ line: 1, message: 'here' }],
    },
    { jobId: 'Ja-a', command: 'counter.add', path: '/status', recorded: 'Failed', replayed: 'Completed' },
    { jobId: 'Ja-a', command: 'counter.add', path: '/error', recorded: failed('conflict').error },
    { jobId: 'Ja-a', command: 'counter.add', path: '/events/0', replayed: event },
    { jobId: 'Ja-a', command: 'counter.add', path: '/result', replayed: { name: 'a', value: 119 } },
  ])
  assert.deepEqual(progress, [
    [0, 'state folded up to record 3 of 5'],
    [0, 'state folded up to record 5 of 5'],
    [11, '1 jobs, 0 different'],
    [100, '10 jobs, 3 different'],
  ])
  const few = await replay({ maxDifferences: 2 })
  assert.deepEqual([few.differences, few.differenceCount], [found.slice(0, 2), found.length])
  const aborted = AbortSignal.abort(new Error('not wanted'))
  const options = { pluginDirs: counterPlugins, version: '0.0.0-test', signal: aborted }
  await assert.rejects(replayFrom(source, options), /not wanted/)
  await assert.rejects(replayFrom(sourceOf([], [accepted('J1-a')]), options), /not wanted/)
})
