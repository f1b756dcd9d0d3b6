import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { InterruptPeriod } from '../../../plc/runtime/interrupts.ts'
import { nextOccurrence } from './time-of-day.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const next = (start: string, period: InterruptPeriod, now: string) => {
  const time = nextOccurrence(at(start), period, at(now))
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 19)
}

test('periods follow the calendar', () => {
  assert.equal(next('2026-01-01T10:00:00', 'once', '2026-01-01T09:00:00'), '2026-01-01T10:00:00')
  assert.equal(next('2026-01-01T10:00:00', 'once', '2026-01-01T10:00:00'), undefined)
  assert.equal(next('2026-01-01T10:00:30', 'minute', '2026-01-01T12:00:30'), '2026-01-01T12:01:30')
  assert.equal(next('2026-01-01T10:00:30', 'hour', '2026-01-01T12:00:31'), '2026-01-01T13:00:30')
  assert.equal(next('2026-01-01T10:00:00', 'day', '2026-02-28T11:00:00'), '2026-03-01T10:00:00')
  assert.equal(next('2026-01-01T10:00:00', 'week', '2026-01-02T10:00:00'), '2026-01-08T10:00:00')
  assert.equal(next('2026-01-31T10:00:00', 'month', '2026-01-31T10:00:00'), '2026-03-31T10:00:00')
  assert.equal(next('2024-02-29T10:00:00', 'year', '2024-03-01T00:00:00'), '2028-02-29T10:00:00')
  assert.equal(next('2026-01-15T23:00:00', 'endOfMonth', '2026-01-15T23:00:00'), '2026-01-31T23:00:00')
  assert.equal(next('2026-01-15T23:00:00', 'endOfMonth', '2026-01-31T23:00:00'), '2026-02-28T23:00:00')
})

test('the next time lies behind now and behind the start, and there is none between', () => {
  const periods = ['minute', 'hour', 'day', 'week', 'month', 'year', 'endOfMonth'] as const
  const time = fc.integer({ min: 0, max: Date.UTC(2150, 0) })
  fc.assert(
    fc.property(time, fc.constantFrom(...periods), time, (start, period, now) => {
      const found = nextOccurrence(start, period, now)
      assert.ok(found !== undefined && found > now && found >= start)
      // Directly before the result, the result is the same.
      assert.equal(nextOccurrence(start, period, Math.max(now, found - 1)), found)
      assert.equal((found - start) % 60_000 === 0, true)
    }),
  )
})
