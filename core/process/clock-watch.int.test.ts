/** A clock that was ahead, is set back, or stands still: what health, log and durations say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSystem } from '../../test/system.ts'
import type { Session } from '../audit/audit-sessions.ts'
import type { ActiveJob } from '../log/active-job.ts'
import type { Job } from '../log/job.ts'

const day = 86_400_000
const start = Date.UTC(2026, 0, 31, 14)

interface Health {
  readonly status: string
  readonly reasons: readonly string[]
  readonly uptimeMs: number
}

test('health and the log say that the log is ahead of the clock, until the clock has reached it', async (t) => {
  let now = start + 3 * day
  const warnings: unknown[] = []
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: (fields: object, message: string) => void (message.includes('ahead') && warnings.push(fields)),
  }
  const opened = await openSystem(t, { clock: () => now, log })
  const clockReasons = async (on = opened) =>
    (await on.call<Health>('health.get')).reasons.filter((reason) => reason.startsWith('clock:'))
  await opened.call('counter.add', { name: 'a' })
  assert.deepEqual([await clockReasons(), warnings], [[], []])
  const firstAhead = opened.gateway.store.log.headSeq
  now = start
  await opened.call('counter.add', { name: 'a' })
  const [reason = '', ...others] = await clockReasons()
  assert.deepEqual(others, [])
  assert.match(
    reason,
    /^clock: the log is 3 days ahead of the clock: all records since record \d+ carry 2026-02-03T14:00/,
  )
  const since = Number(/since record (\d+)/.exec(reason)?.[1])
  assert.ok(since <= firstAhead, reason)
  assert.deepEqual(warnings, [{ aheadMs: 3 * day, lastTime: '2026-02-03T14:00:00.000Z' }], 'told once')
  now += 60_000
  const next = await opened.restart()
  assert.equal(warnings.length, 2, 'and at each start')
  assert.ok(next.gateway.startNotes.some((note) => /2 days 23 h ahead of the clock/.test(note)))
  assert.equal((await clockReasons(next)).length, 1)
  assert.equal((await next.call<Health>('health.get')).status, 'degraded')
  now = start + 2 * day
  assert.match((await clockReasons(next))[0] ?? '', /^clock: the log is 1 day ahead of the clock:/)
  // A moment is none: clocks are disciplined all the time.
  now = start + 3 * day - 500
  assert.deepEqual(await clockReasons(next), [])
  now = start + 4 * day
  const { jobId } = await next.call<{ jobId: string }>('counter.add', { name: 'a' }, { mode: 'async' })
  await next.gateway.jobs.peek(jobId)?.settled
  assert.equal((await next.call<Job>('jobs.get', { jobId })).createdAt, '2026-02-04T14:00:00.000Z')
})

test('durations come from a clock that nobody sets', async (t) => {
  let [now, steps] = [start, 0]
  const times = { clock: () => now, ticks: () => steps }
  const opened = await openSystem(t, times)
  steps += 5000
  now -= day
  assert.equal((await opened.call<Health>('health.get')).uptimeMs, 5000)
  const { gateway } = opened
  /** The job while it is remembered, and as the log has it. */
  const jobOf = async (setClock: () => void) => {
    const set = (job: ActiveJob) => {
      if (job.status === 'Running') setClock()
    }
    gateway.bus.on('job', set)
    const { jobId } = await opened.call<{ jobId: string }>('counter.add', { name: 'a' }, { mode: 'async' })
    await gateway.jobs.peek(jobId)?.settled
    gateway.bus.off('job', set)
    return jobId
  }
  const ids = [
    await jobOf(() => {
      steps += 700
      now -= day
    }),
    await jobOf(() => {
      steps += 300
      now += 10 * day
    }),
  ]
  const durations = async (on: typeof opened) =>
    Promise.all(ids.map(async (jobId) => (await on.call<Job>('jobs.get', { jobId })).durationMs))
  assert.deepEqual(await durations(opened), [700, 300])
  const next = await opened.restart(times)
  assert.deepEqual(await durations(next), [700, 300])
  await next.gateway.close()
  const stopped = await opened.restart(times)
  const { sessions } = await stopped.call<{ sessions: Session[] }>('audit.sessions')
  assert.ok(sessions.length >= 3)
  const { entries } = await stopped.call<{ entries: { data: { uptimeMs: number } }[] }>('audit.list', {
    types: ['gateway.stopped'],
  })
  for (const { data } of entries) assert.ok(data.uptimeMs >= 0, JSON.stringify(data))
})
