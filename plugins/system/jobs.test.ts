import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeJobId } from '../../core/log/job.ts'
import type { Job } from '../../core/services.ts'
import type { NewRecord } from '../../store/index.ts'
import { actor } from '../../test/harness.ts'
import { openStream, openSystem, problemOf, rest, take } from '../../test/system.ts'
import { becomes } from '../../test/until.ts'

interface JobList {
  readonly jobs: readonly Job[]
  readonly total?: number
  readonly nextCursor?: string
}
const sleepForever = { name: 'x', after: 'sleep', ms: 600_000 }

test('a job is read from memory and, after a restart, from the log', async (t) => {
  const first = await openSystem(t)
  const { jobId } = await first.call<{ jobId: string }>('counter.add', { name: 'a', by: 3 }, { mode: 'async' })
  const job = await first.call<Job>('jobs.get', { jobId, wait: 30 })
  assert.equal(job.status, 'Completed')
  assert.deepEqual(job.result, { name: 'a', value: 3 })
  assert.deepEqual(job.input, { name: 'a', by: 3 })
  const second = await first.restart()
  const later = await second.call<Job>('jobs.get', { jobId })
  assert.deepEqual(later.result, job.result)
  assert.deepEqual(later.input, job.input)
  await assert.rejects(second.call('jobs.get', { jobId: 'J1-nothing' }), problemOf('not_found'))
  await assert.rejects(second.call('jobs.get', { jobId: '../x' }), problemOf('not_found'))
})

test('waiting ends with the job, or with the time', async (t) => {
  const { call } = await openSystem(t)
  const { jobId } = await call<{ jobId: string }>('counter.add-then', sleepForever, { mode: 'async' })
  await becomes(async () => (await call<Job>('jobs.get', { jobId, wait: 0.05 })).status, 'Running')
  const waiting = call<Job>('jobs.get', { jobId, wait: 60 })
  assert.equal((await call<Job>('jobs.cancel', { jobId })).jobId, jobId)
  assert.equal((await waiting).status, 'Cancelled')
  await assert.rejects(call('jobs.cancel', { jobId }), problemOf('job_finished', /Cancelled/))
  await assert.rejects(call('jobs.get', { jobId, wait: 61 }), problemOf('invalid_input'))
})

test('secrets, also their hashes, are in no job record', async (t) => {
  const first = await openSystem(t)
  const input = { password: 'correct horse battery', token: 'swordfish' }
  const { jobId } = await first.call<{ jobId: string }>('counter.keep-secret', input, { mode: 'async' })
  const job = await first.call<Job>('jobs.get', { jobId, wait: 30 })
  assert.deepEqual(job.input, { password: '(secret)', token: '(secret)' })
  const second = await first.restart()
  assert.deepEqual((await second.call<Job>('jobs.get', { jobId })).input, job.input)
})

test('a viewer cancels only its own jobs', async (t) => {
  const { call } = await openSystem(t)
  const viewer = { actor: actor('viewer', 'eve/client/1') }
  await call('counter.add', { name: 'a' })
  const blocker = await call<{ jobId: string }>('counter.add-then', sleepForever, { mode: 'async' })
  await assert.rejects(call('jobs.cancel', { jobId: blocker.jobId }, viewer), problemOf('forbidden', /"test"/))
  const own = await call<{ jobId: string }>('counter.get', { name: 'a' }, { ...viewer, mode: 'async' })
  const sameKey = { actor: actor('viewer', 'eve/another-client') }
  assert.equal((await call<Job>('jobs.cancel', { jobId: own.jobId }, sameKey)).status, 'Cancelled')
  await call('jobs.cancel', { jobId: blocker.jobId }, { actor: actor('engineer', 'anna') })
  assert.equal((await call<Job>('jobs.get', { jobId: blocker.jobId, wait: 30 })).status, 'Cancelled')
})

test('jobs are listed newest first, page by page, by command and by status', async (t) => {
  const first = await openSystem(t)
  for (let i = 0; i < 5; i++) await first.call('counter.add', { name: `c${i}` })
  await assert.rejects(first.call('counter.add-then', { name: 'a', after: 'fail' }))
  const all = await first.call<JobList>('jobs.list')
  assert.equal(all.total, 6)
  assert.equal(all.jobs[0]!.status, 'Failed')
  assert.equal((all.jobs[0]!.error as { code: string }).code, 'unacceptable_content')
  assert.equal('result' in all.jobs[1]!, false)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: JobList = await first.call('jobs.list', {
      command: 'counter.add',
      limit: 2,
      ...(cursor ? { cursor } : {}),
    })
    assert.equal(page.total, 5)
    seen.push(...page.jobs.map(({ jobId }) => jobId))
    cursor = page.nextCursor
  } while (cursor)
  assert.deepEqual(
    seen,
    all.jobs.slice(1).map(({ jobId }) => jobId),
  )
  const some = await first.call<JobList>('jobs.list', { command: '*add-*' })
  assert.deepEqual([some.jobs.map(({ command }) => command), some.total], [['counter.add-then'], 1])
  assert.equal((await first.call<JobList>('jobs.list', { command: 'counter.*', limit: 2 })).jobs.length, 2)
  const second = await first.restart()
  const failed = await second.call<JobList>('jobs.list', { status: 'Failed' })
  assert.deepEqual(
    failed.jobs.map(({ jobId }) => jobId),
    [all.jobs[0]!.jobId],
  )
  assert.equal(failed.total, 1)
  await second.call('counter.add', { name: 'new' })
  assert.equal((await second.call<JobList>('jobs.list')).total, 7)
  assert.equal((await second.call<JobList>('jobs.list', { limit: 1 })).total, 7)
  await assert.rejects(second.call('jobs.list', { cursor: 'x' }), problemOf('invalid_input'))
})

test('a page of few jobs out of many looks at a bounded part of the log, and the pages have them all', async (t) => {
  const { call, gateway } = await openSystem(t)
  const { log } = gateway.store
  const failed: string[] = []
  const rare: string[] = []
  const open: NewRecord[] = []
  const error = { type: 'about:blank', title: 'x', status: 500, detail: 'x', code: 'internal_error' }
  for (let i = 0; i < 9000; i++) {
    const jobId = makeJobId(log.nextSeq(), 'made')
    const isFailed = i % 3000 === 5
    const isRare = i % 4000 === 7
    if (isFailed) failed.unshift(jobId)
    if (isRare) rare.unshift(jobId)
    const command = isRare ? 'counter.remove' : 'counter.add'
    log.append([{ type: 'job.accepted', jobId, actor: 'made', data: { command, access: 'admin' } }])
    const data = { startedAt: 1, late: true }
    const end = isFailed
      ? { type: 'job.failed', jobId, data: { ...data, error } }
      : { type: 'job.completed', jobId, data }
    // Some end long after others that were accepted later.
    if (isFailed || isRare) open.push(end)
    else log.append([end])
    if (i % 3000 === 1500) log.append(open.splice(0))
    if (i % 100 === 0) await log.flush()
  }
  log.append(open)
  await log.flush()
  const { read } = log
  let looked = 0
  t.mock.method(log, 'read', async function* (range: Parameters<typeof read>[0]) {
    for await (const records of read.call(log, range)) {
      looked += records.length
      yield records
    }
  })
  const pages = async (input: object) => {
    const found: string[] = []
    let cursor: string | undefined
    let count = 0
    do {
      looked = 0
      const page: JobList = await call('jobs.list', { limit: 2, ...input, ...(cursor ? { cursor } : {}) })
      // The last commit that it looks at counts whole.
      assert(looked <= 10_000 + 300, `${looked} records`)
      found.push(...page.jobs.map(({ jobId }) => jobId))
      cursor = page.nextCursor
      count++
    } while (cursor !== undefined)
    assert(count >= 2, `${count} pages`)
    return found
  }
  assert.deepEqual(await pages({ status: 'Failed' }), failed)
  assert.deepEqual(await pages({ command: '*.remove' }), rare)
  assert.deepEqual(await pages({ command: 'counter.remove', limit: 1 }), rare)
  assert.deepEqual(await pages({ command: 'counter.*', status: 'Failed', limit: 1 }), failed)
  assert.deepEqual(await pages({ command: 'counter.add', status: 'Failed' }), failed)
  assert.equal((await pages({ status: 'Completed', limit: 1000 })).length, 9000 - failed.length)
  assert.equal((await call<JobList>('jobs.list', { limit: 1000 })).jobs.length, 1000)
  assert.equal((await call<JobList>('jobs.list', { limit: 1 })).total, 9000)
})

test('pending and running jobs are listed with their number', async (t) => {
  const { call } = await openSystem(t)
  const running = await call<{ jobId: string }>('counter.add-then', sleepForever, { mode: 'async' })
  const runs = async () => (await call<JobList>('jobs.list', { status: 'Running' })).jobs[0]?.jobId
  await becomes(runs, running.jobId)
  const pending: string[] = []
  for (let i = 0; i < 3; i++)
    pending.unshift((await call<{ jobId: string }>('counter.add', { name: `${i}` }, { mode: 'async' })).jobId)
  const list = await call<JobList>('jobs.list', { status: 'Pending', limit: 2 })
  assert.equal(list.total, 3)
  assert.deepEqual(
    list.jobs.map(({ jobId }) => jobId),
    pending.slice(0, 2),
  )
  const more = await call<JobList>('jobs.list', { status: 'Pending', limit: 2, cursor: list.nextCursor })
  assert.deepEqual([more.jobs.map(({ jobId }) => jobId), more.nextCursor], [pending.slice(2), undefined])
  assert.equal(await runs(), running.jobId)
  await call('jobs.cancel', { jobId: running.jobId })
})

test('execute-sync runs any operation with the access of its caller, and never waits for itself', async (t) => {
  const { call } = await openSystem(t)
  const job = await call<Job>('jobs.execute-sync', { command: 'counter.add', input: { Name: 'a' } })
  assert.deepEqual([job.status, job.command, job.result], ['Completed', 'counter.add', { name: 'a', value: 1 }])
  const read = await call<Job>('jobs.execute-sync', { command: 'counter.get', input: { name: 'a' } })
  assert.deepEqual(read.result, { name: 'a', value: 1 })
  const tried = await call<Job>('jobs.execute-sync', { command: 'counter.add', input: { name: 'a' }, dryRun: true })
  assert.equal((tried.result as { dryRun: boolean }).dryRun, true)
  assert.deepEqual(await call('counter.get', { name: 'a' }), { name: 'a', value: 1 })
  const viewer = { actor: actor('viewer') }
  await assert.rejects(
    call('jobs.execute-sync', { command: 'counter.add', input: { name: 'a' } }, viewer),
    problemOf('forbidden'),
  )
  await assert.rejects(
    call('jobs.execute-sync', { command: 'counter.ad' }),
    problemOf('not_found', /Did you mean "counter.add"/),
  )
  await assert.rejects(call('jobs.execute-sync', { command: 'jobs.execute-sync' }), problemOf('invalid_input'))
  await assert.rejects(call('jobs.execute-sync', { command: 'events.follow' }), problemOf('invalid_input'))
  await assert.rejects(call('jobs.execute-sync', { command: 'counter.add', input: {} }), problemOf('invalid_input'))
  await assert.rejects(
    call('jobs.execute-sync', { command: 'counter.add-then', input: { name: 'a', after: 'fail' } }),
    (error: unknown) => {
      assert(problemOf('unacceptable_content')(error))
      const { extra, errors } = (error as { details: { extra: { jobId: string }; errors: unknown[] } }).details
      assert.match(extra.jobId, /^J/)
      assert.equal(errors.length, 1)
      return true
    },
  )
  const asJob = await call<{ jobId: string }>(
    'jobs.execute-sync',
    { command: 'counter.add', input: { name: 'a' } },
    { mode: 'async' },
  )
  const ended = await call<Job>('jobs.get', { jobId: asJob.jobId, wait: 30 })
  assert.equal(ended.status, 'Failed')
  assert.equal(ended.error!.code, 'conflict')
})

test('reading a job as a job does not wait in the lane', async (t) => {
  const { call } = await openSystem(t)
  const waiting = await call<{ jobId: string }>('jobs.get', { jobId: 'J1-x', wait: 60 }, { mode: 'async' })
  const pending = await call<{ jobId: string }>('counter.add', { name: 'a' }, { mode: 'async' })
  assert.equal((await call<Job>('jobs.get', { jobId: pending.jobId, wait: 30 })).status, 'Completed')
  assert.equal((await call<Job>('jobs.get', { jobId: waiting.jobId, wait: 30 })).status, 'Failed')
})

test('the stream of a job gives its past, its progress and its end, and then ends', async (t) => {
  const opened = await openSystem(t)
  const { call } = opened
  const stop = new AbortController()
  t.after(() => stop.abort())
  // The job begins when its stream is open: no progress is missed.
  const blocker = await call<{ jobId: string }>('counter.add-then', sleepForever, { mode: 'async' })
  const input = { name: 'a', after: 'sleep', ms: 200 }
  const { jobId } = await call<{ jobId: string }>('counter.add-then', input, { mode: 'async' })
  const stream = await openStream(opened, 'jobs.events', { jobId }, stop.signal)
  const [accepted] = await take(stream, 1)
  await call('jobs.cancel', blocker)
  const events = [...(accepted ? [accepted] : []), ...(await rest(stream))]
  const numbered = events.filter(({ id }) => id !== undefined)
  assert.deepEqual(
    numbered.map(({ event }) => event).filter((type) => type !== 'job.started'),
    ['job.accepted', 'counter.added', 'job.completed'],
  )
  const progress = events.filter(({ event }) => event === 'job.progress')
  assert(progress.length > 0)
  for (const { id, data } of progress) {
    assert.equal(id, undefined)
    assert.equal((data as { jobId: string }).jobId, jobId)
  }
  const again = await rest(
    await openStream(opened, 'jobs.events', { jobId, lastEventId: numbered[0]!.id }, stop.signal),
  )
  assert.deepEqual(
    again.map(({ id }) => id),
    numbered.slice(1).map(({ id }) => id),
  )
  const none = await openStream(
    opened,
    'jobs.events',
    { jobId, lastEventId: numbered[numbered.length - 1]!.id },
    stop.signal,
  )
  assert.deepEqual(await rest(none), [])
  await assert.rejects(openStream(opened, 'jobs.events', { jobId: 'J1-x' }, stop.signal), problemOf('not_found'))
})

test('a stream that is opened while a job runs begins with its progress, and tells that of no other job', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const input = { name: 'a', after: 'sleep', ms: 600_000 }
  const { jobId } = await opened.call<{ jobId: string }>('counter.add-then', input, { mode: 'async' })
  const told = async () => (await opened.call<Job>('jobs.get', { jobId })).message !== undefined
  await becomes(told, true)
  const [first, second] = await take(await openStream(opened, 'jobs.events', { jobId }, stop.signal), 2)
  const { progress, message, ...now } = first!.data as { progress: number; message: string }
  assert.deepEqual(
    [first!.event, first!.id, now],
    ['job.progress', undefined, { jobId, command: 'counter.add-then', status: 'Running' }],
  )
  assert.match(message, /^waited \d+ ms$/)
  assert.ok(progress >= 0 && progress < 100)
  assert.equal(second!.event, 'job.accepted')
  const follow = (more: object) =>
    openStream(opened, 'events.follow', { types: ['job.progress', 'job.accepted'], ...more }, stop.signal)
  const own = await follow({ jobId })
  const [one] = await take(own, 1)
  assert.deepEqual([one!.event, (one!.data as { jobId: string }).jobId], ['job.progress', jobId])
  // Of another job, or of an object, there is no progress: the next thing told is what was asked for.
  const other = await follow({ jobId: 'J1-other' })
  const byEntity = await follow({ entity: 'counter/*', types: ['*'] })
  const heard = Promise.race([take(other, 1), take(byEntity, 1)])
  await opened.call('jobs.cancel', { jobId })
  await opened.call('counter.add', { name: 'b' })
  const [next] = await heard
  assert.equal(next!.event, 'counter.added')
  // Nobody listens on behalf of a stream that has ended.
  const listening = () => (['records', 'job', 'health'] as const).map((name) => opened.gateway.bus.listenerCount(name))
  const before = listening()
  stop.abort()
  await becomes(() => listening().every((count, i) => count < before[i]!), true)
})

test('the stream of events resumes without gap or repetition, also across a restart', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const live = await openStream(opened, 'events.follow', { types: ['counter.*'] }, stop.signal)
  for (let i = 0; i < 50; i++) await opened.call('counter.add', { name: `c${i}` })
  const seen = await take(live, 20)
  const second = await opened.restart()
  for (let i = 50; i < 80; i++) await second.call('counter.add', { name: `c${i}` })
  const lastEventId = seen[19]!.id
  const resumed = await openStream(second, 'events.follow', { types: ['counter.*'], lastEventId }, stop.signal)
  const behind = take(resumed, 80)
  for (let i = 80; i < 100; i++) await second.call('counter.add', { name: `c${i}` })
  const names = [...seen, ...(await behind)].map(({ data }) => (data as { data: { name: string } }).data.name)
  assert.deepEqual(
    names,
    Array.from({ length: 100 }, (_, i) => `c${i}`),
  )
})

test('progress is told of jobs whose acceptance was, and only while they run', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const events = await openStream(opened, 'events.follow', { types: ['job.*'] }, stop.signal)
  const seen: { event?: string; jobId: string; status?: string }[] = []
  const reading = (async () => {
    for (let ends = 0; ends < 21; ) {
      const [event] = await take(events, 1)
      seen.push({ event: event!.event!, ...(event!.data as { jobId: string; status?: string }) })
      if (event!.event === 'job.completed') ends++
    }
  })()
  await opened.call('counter.add-then', { name: 'a', after: 'sleep', ms: 100 })
  for (let i = 0; i < 20; i++) await opened.call('counter.add', { name: 'b' })
  await reading
  assert(seen.some(({ event }) => event === 'job.progress'))
  for (const [i, { event, jobId, status }] of seen.entries()) {
    if (event !== 'job.progress') continue
    assert.equal(status, 'Running')
    const accepted = seen.findIndex((other) => other.event === 'job.accepted' && other.jobId === jobId)
    const ended = seen.findIndex((other) => other.event === 'job.completed' && other.jobId === jobId)
    assert(accepted >= 0 && accepted < i && i < ended)
  }
})

test('a reader that is slow misses nothing', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const events = await openStream(opened, 'events.follow', { types: ['counter.added'] }, stop.signal)
  await opened.call('counter.add', { name: 'first' })
  await take(events, 1)
  // More than the feed keeps in memory: three records for each of these.
  for (let i = 0; i < 40; i++)
    await Promise.all(Array.from({ length: 50 }, (_, k) => opened.call('counter.add', { name: `${i * 50 + k}` })))
  const ids = (await take(events, 2000)).map(({ data }) => (data as { data: { name: string } }).data.name)
  assert.deepEqual(
    ids.map(Number).sort((a, b) => a - b),
    Array.from({ length: 2000 }, (_, i) => i),
  )
})

test('streams filter by entity and type, tell no secrets, and refuse what they never gave', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  t.after(() => stop.abort())
  const byEntity = await openStream(opened, 'events.follow', { entity: 'counter/b*' }, stop.signal)
  const secrets = await openStream(
    opened,
    'events.follow',
    { types: 'counter.secret-kept,query.served' },
    stop.signal,
  ).catch((error) => error)
  assert(problemOf('invalid_input')(secrets))
  const kept = await openStream(
    opened,
    'events.follow',
    { types: ['counter.secret-kept', 'query.served'] },
    stop.signal,
  )
  await opened.call('counter.add', { name: 'a' })
  await opened.call('counter.add', { name: 'b1' })
  await opened.call('counter.get', { name: 'a' })
  await opened.call('counter.keep-secret', { password: 'correct horse', token: 'x' })
  assert.equal(((await take(byEntity, 1))[0]!.data as { entity: string }).entity, 'counter/b1')
  const [one, two] = await take(kept, 2)
  assert.deepEqual([one!.event, two!.event].sort(), ['counter.secret-kept', 'query.served'])
  const secret = [one!, two!].find(({ event }) => event === 'counter.secret-kept')!
  assert.deepEqual((secret.data as { data: unknown }).data, { hash: '(secret)' })
  for (const lastEventId of ['9999999', '-1', 'x'])
    await assert.rejects(openStream(opened, 'events.follow', { lastEventId }, stop.signal), problemOf('invalid_input'))
})

test('a stream ends with its signal and leaves no listener behind', async (t) => {
  const opened = await openSystem(t)
  const stop = new AbortController()
  const before = opened.gateway.bus.listenerCount('job')
  const events = await openStream(opened, 'events.follow', {}, stop.signal)
  const next = events.next()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(opened.gateway.bus.listenerCount('job'), before + 1)
  stop.abort()
  assert.equal((await next).done, true)
  assert.equal(opened.gateway.bus.listenerCount('job'), before)
})
