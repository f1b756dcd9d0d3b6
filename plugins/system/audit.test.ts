import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AuditEntry,
  type AuditFilter,
  AuditReader,
  type Job,
  type ReplayReport,
  type Session,
} from '../../core/services.ts'
import { actor, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { openSystem, problemOf } from '../../test/system.ts'
import { until } from '../../test/until.ts'

interface Page {
  readonly entries: readonly AuditEntry[]
  readonly nextCursor?: string
}

/** All pages, with one entry for each page. */
async function all({ call }: TestGateway, filter: Record<string, unknown>, limit = 1): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let cursor: string | undefined
  do {
    const page: Page = await call('audit.list', { ...filter, limit, ...(cursor ? { cursor } : {}) })
    entries.push(...page.entries)
    cursor = page.nextCursor
  } while (cursor)
  return entries
}
const seqs = (entries: readonly AuditEntry[]) => entries.map(({ seq }) => seq)

async function withHistory(opened: TestGateway) {
  const anna = { actor: actor('engineer', 'anna/editor/1.0') }
  await opened.call('counter.add', { name: 'a' }, anna)
  await opened.call('counter.add', { name: 'b' })
  await opened.call('counter.get', { name: 'a' }, anna)
  await assert.rejects(opened.call('counter.add-then', { name: 'a', after: 'fail' }, anna))
  await opened.call('counter.remove', { name: 'b' })
  // Calls that only read are written within a second, or together with the next command.
  await opened.call('counter.add', { name: 'end' })
}

test('the audit tells who called what, with the records of a job belonging to its operation and actor', async (t) => {
  const opened = await openSystem(t)
  await withHistory(opened)
  const { entries } = await opened.call<Page>('audit.list', { operation: 'counter.add', actor: 'anna', order: 'asc' })
  assert.deepEqual(
    entries.map(({ type }) => type),
    ['job.accepted', 'counter.added', 'job.completed'],
  )
  for (const { operation, actor: name } of entries)
    assert.deepEqual([operation, name], ['counter.add', 'anna/editor/1.0'])
  const served = await opened.call<Page>('audit.list', { types: ['query.served'], operation: 'counter.get' })
  assert.deepEqual(
    served.entries.map(({ actor: name, data }) => [name, (data as { input: unknown }).input]),
    [['anna/editor/1.0', { name: 'a' }]],
  )
  const failed = await opened.call<Page>('audit.list', { types: ['job.failed'] })
  assert.equal(failed.entries[0]!.operation, 'counter.add-then')
})

test('every filter finds the same page by page, forwards and backwards', async (t) => {
  const opened = await openSystem(t)
  await withHistory(opened)
  const whole = await all(opened, { order: 'asc' }, 1000)
  const jobId = whole.find(({ operation }) => operation === 'counter.remove')!.jobId
  const middle = whole[Math.floor(whole.length / 2)]!
  const cases: [Record<string, unknown>, (entry: AuditEntry) => boolean][] = [
    [{}, () => true],
    [{ operation: 'counter.*' }, ({ operation }) => operation?.startsWith('counter.') === true],
    [{ actor: 'test' }, (entry) => entry.actor === 'test'],
    [{ entity: 'counter/a' }, ({ entity }) => entity === 'counter/a'],
    [{ entity: 'counter/*' }, ({ entity }) => entity !== undefined],
    [{ types: ['job.accepted'] }, ({ type }) => type === 'job.accepted'],
    [
      { types: ['job.accepted'], operation: 'counter.add' },
      (e) => e.type === 'job.accepted' && e.operation === 'counter.add',
    ],
    [
      { types: ['job.accepted'], actor: 'anna' },
      (e) => e.type === 'job.accepted' && e.actor?.startsWith('anna/') === true,
    ],
    [
      { types: ['job.accepted'], actor: 'anna/editor/1.0' },
      (e) => e.type === 'job.accepted' && e.actor === 'anna/editor/1.0',
    ],
    [{ types: ['counter.*', 'job.failed'] }, ({ type }) => type.startsWith('counter.') || type === 'job.failed'],
    [{ jobId }, (entry) => entry.jobId === jobId],
    [{ from: middle.time }, ({ time }) => time >= middle.time],
    [{ to: middle.time }, ({ time }) => time < middle.time],
  ]
  const last = whole[whole.length - 1]!.seq
  for (const [filter, fits] of cases) {
    const wanted = seqs(whole.filter(fits))
    const upToLast = (found: AuditEntry[]) => seqs(found).filter((seq) => seq <= last)
    assert.deepEqual(upToLast(await all(opened, { ...filter, order: 'asc' })), wanted, JSON.stringify(filter))
    assert.deepEqual(upToLast(await all(opened, { ...filter, order: 'asc' }, 1000)), wanted, JSON.stringify(filter))
    wanted.reverse()
    assert.deepEqual(upToLast(await all(opened, filter)), wanted, JSON.stringify(filter))
    assert.deepEqual(upToLast(await all(opened, filter, 1000)), wanted, JSON.stringify(filter))
  }
})

test('a range has its first and its last record, with a filter that the index answers', async (t) => {
  const opened = await openSystem(t)
  await withHistory(opened)
  const whole = await all(opened, { order: 'asc' }, 1000)
  const reader = new AuditReader(opened.gateway.store)
  const firstOf = async (filter: AuditFilter, order: { reverse: boolean; cursor: number }) => {
    for await (const { seq } of reader.entries(filter, order)) return seq
    return undefined
  }
  for (const { seq, entity, type } of whole) {
    const filter = entity === undefined ? { types: ['job.accepted'] } : { entity }
    if (entity === undefined && type !== 'job.accepted') continue
    assert.equal(await firstOf(filter, { reverse: true, cursor: seq + 1 }), seq, `the last of ..${seq}`)
    assert.equal(await firstOf(filter, { reverse: false, cursor: seq - 1 }), seq, `the first of ${seq}..`)
  }
})

test('format=ndjson gives one entry a line', async (t) => {
  const opened = await openSystem(t)
  await withHistory(opened)
  const text = (await opened.call('audit.list', { format: 'ndjson', types: ['counter.*'] })) as unknown as string
  const { entries } = await opened.call<Page>('audit.list', { types: ['counter.*'] })
  assert(entries.length > 0)
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    entries,
  )
})

test('wrong filters are named', async (t) => {
  const { call } = await openSystem(t)
  await assert.rejects(call('audit.list', { from: 'yesterday' }), problemOf('invalid_input', /\/from: "yesterday"/))
  await assert.rejects(call('audit.list', { cursor: '-1' }), problemOf('invalid_input', /cursor/))
  await assert.rejects(call('audit.list', { jobId: 'J1-x' }), problemOf('not_found'))
  await assert.rejects(call('audit.list', { session: 7_000_000 }), problemOf('not_found', /session 7000000/))
  await assert.rejects(call('audit.list', { operatoin: 'x' }), problemOf('invalid_input', /operation/))
})

test('sessions are listed and narrow the audit', async (t) => {
  const first = await openSystem(t)
  await first.call('counter.add', { name: 'a' })
  const second = await first.restart()
  await second.call('counter.add', { name: 'b' })
  const { sessions, nextCursor } = await second.call<{ sessions: Session[]; nextCursor?: string }>('audit.sessions', {
    limit: 1,
  })
  assert.deepEqual([sessions.length, sessions[0]!.state, sessions[0]!.jobs], [1, 'running', 1])
  const older = await second.call<{ sessions: Session[]; nextCursor?: string }>('audit.sessions', {
    cursor: nextCursor,
  })
  assert.deepEqual(
    older.sessions.map(({ state, jobs }) => [state, jobs]),
    [['stopped', 1]],
  )
  assert.equal(older.nextCursor, undefined)
  const { entries } = await second.call<Page>('audit.list', {
    session: older.sessions[0]!.session,
    entity: 'counter/*',
  })
  assert.deepEqual(
    entries.map(({ entity }) => entity),
    ['counter/a'],
  )
})

test('the log verifies, at once and as a job', async (t) => {
  const { call } = await openSystem(t)
  await call('counter.add', { name: 'a' })
  const report = await call<{ ok: boolean; records: number; faults: unknown[] }>('audit.verify', { blobs: 'whole' })
  assert.deepEqual([report.ok, report.faults], [true, []])
  const { jobId } = await call<{ jobId: string }>('audit.verify', {}, { mode: 'async' })
  const job = await call<Job>('jobs.get', { jobId, wait: 60 })
  assert.equal((job.result as { ok: boolean }).ok, true)
})

test('a verification as a job tells its progress and lets commands pass', async (t) => {
  const { call, gateway } = await openSystem(t)
  for (let i = 0; i < 300; i++) await call('counter.add', { name: 'a' })
  // Pages without a limit.
  assert.equal((await call<Page>('audit.list')).entries.length, 100)
  const { jobs, total } = await call<{ jobs: Job[]; total: number }>('jobs.list')
  assert.deepEqual([jobs.length, total], [50, 300])
  let told: number[] = []
  gateway.bus.on('job', (job) => {
    if (job.operation.id === 'audit.verify') told.push(job.progress)
  })
  // A verification can be as quick as a command.
  await until(async () => {
    told = []
    const { jobId } = await call<{ jobId: string }>('audit.verify', { blobs: 'whole' }, { mode: 'async' })
    await call('counter.add', { name: 'during' })
    const { status } = await call<Job>('jobs.get', { jobId })
    assert.equal((await call<Job>('jobs.get', { jobId, wait: 60 })).status, 'Completed')
    return status !== 'Completed'
  }, 'a command does not wait for a verification')
  assert.ok(told.length >= 3, JSON.stringify(told))
  assert.deepEqual(
    told,
    told.toSorted((a, b) => a - b),
  )
})

test('the state of any record can be read', async (t) => {
  const { call, gateway } = await openSystem(t)
  await call('counter.add', { name: 'a', by: 2 })
  const seq = gateway.store.log.durableSeq
  await call('counter.add', { name: 'a', by: 40 })
  await call('counter.add', { name: 'b' })
  const collection = 'counter.counters'
  const then = await call('audit.state', { seq, collection })
  assert.deepEqual(then.entries, [{ key: 'a', value: { name: 'a', value: 2 } }])
  const now = gateway.store.log.durableSeq
  assert.deepEqual((await call('audit.state', { seq: now, collection, key: 'a' })).value, { name: 'a', value: 42 })
  assert.equal((await call('audit.state', { seq: now, collection, limit: 1 })).total, 2)
  const { collections } = await call<{ collections: { id: string; entries: number }[] }>('audit.state', { seq: now })
  assert.deepEqual(
    collections.find(({ id }) => id === collection),
    { id: collection, entries: 2 },
  )
  assert.deepEqual(await call('counter.get', { name: 'a' }), { name: 'a', value: 42 })
  await assert.rejects(call('audit.state', { seq, collection: 'counter.counter' }), problemOf('not_found', /counters/))
  await assert.rejects(call('audit.state', { seq, collection, key: 'b' }), problemOf('not_found', /"b"/))
  await assert.rejects(call('audit.state', { seq: now + 1000 }), problemOf('invalid_input', /last record/))
  await assert.rejects(call('audit.state', { seq, key: 'a' }), problemOf('invalid_input'))
})

test('a session is replayed as a job, and what changes the gateway itself is skipped', async (t) => {
  const first = await openSystem(t)
  await withHistory(first)
  await first.call('system.checkpoint')
  const session = first.gateway.sessionSeq
  const second = await first.restart()
  await second.call('counter.add', { name: 'a', by: 100 })
  const { jobId } = await second.call<{ jobId: string }>('audit.replay', { session }, { mode: 'async' })
  const job = await second.call<Job>('jobs.get', { jobId, wait: 60 })
  const report = job.result as ReplayReport
  assert.deepEqual(report.differences, [])
  assert.deepEqual([report.jobs, report.same, report.different, report.skipped], [6, 5, 0, 1])
  assert.equal(report.skippedJobs[0]!.command, 'system.checkpoint')
  assert.deepEqual(await second.call('counter.get', { name: 'a' }), { name: 'a', value: 101 })
  await assert.rejects(second.call('audit.replay', { session: session + 1 }), problemOf('not_found', /latest/))
})

test('a query is asked about the state at a record: the content of a block as it was then', async (t) => {
  const { call, gateway } = await openTestGateway(t)
  await call('projects.create', { name: 'P' })
  await call('devices.add', { deviceName: 'PLC_1', typeIdentifier: 'OrderNumber:6ES7 511-1AK02-0AB0/V2.9' })
  const on = { deviceName: 'PLC_1' }
  const source = (value: number) =>
    `FUNCTION "Answer" : Int\r\nVERSION : 0.1\r\nBEGIN\r\n\t#Answer := ${value};\r\nEND_FUNCTION\r\n`
  await call('blocks.import-and-generate', { ...on, content: source(41) })
  const seq = gateway.store.log.durableSeq
  await call('blocks.import-and-generate', { ...on, content: source(42), overwrite: true })
  const ask = (at: number) =>
    call<{ answer: unknown }>('audit.answer', {
      seq: at,
      operation: 'blocks.content',
      input: { ...on, blockName: 'Answer', view: 'text' },
    })
  assert.match(JSON.stringify((await ask(seq)).answer), /:= 41;/)
  assert.match(JSON.stringify((await ask(gateway.store.log.durableSeq)).answer), /:= 42;/)
  await assert.rejects(ask(1))
  const refused = (operation: string, code: string, detail: RegExp) =>
    assert.rejects(call('audit.answer', { seq, operation, input: {} }), problemOf(code, detail))
  await refused('blocks.delete', 'invalid_input', /does not answer from the state alone/)
  await refused('health.get', 'invalid_input', /does not answer from the state alone/)
  await refused('blocks.contents', 'not_found', /blocks\.contents/)
})
