import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControlBlock } from './control-block.ts'
import { VirtualTime } from './virtual-time.ts'

const start = Date.UTC(2026, 0, 1)
const second = 1e9
const timeOf = (mode: ConstructorParameters<typeof VirtualTime>[1]) =>
  new VirtualTime(new ControlBlock(), mode, start, -90)

test('stepped time goes on by steps alone; system time with it, local time beside it', () => {
  const time = timeOf({ mode: 'stepped', cycleTimeMs: 1 })
  assert.deepEqual([time.nanoseconds, time.factor, time.systemMilliseconds], [0, 0, start])
  time.moveTo(2 * second)
  time.moveTo(second)
  assert.deepEqual([time.nanoseconds, time.now(), time.systemMilliseconds], [2 * second, 2_000_000_000n, start + 2000])
  assert.equal(time.systemTime(), BigInt(start + 2000) * 1_000_000n)
  assert.deepEqual([time.localOffsetMs, time.localOffset()], [-5_400_000, -5_400_000_000_000n])
  assert.equal(time.whenSystemTimeIs(start + 5000), 5 * second)
  assert.deepEqual([time.restartedAt, time.restart(), time.restartedAt], [0n, undefined, 2_000_000_000n])
})

test('local time with daylight saving; a time that the clock skips is as if it were standard time', () => {
  const time = timeOf({ mode: 'stepped', cycleTimeMs: 1 })
  let told = 0
  time.onTimeZoneSet = () => told++
  const change = (month: number, hour: number) => ({ month, week: 5, weekday: 1, hour, minute: 0 })
  const minutes = (count: number) => BigInt(count) * 60_000_000_000n
  assert.equal(time.systemMillisecondsOf(start), start + 5_400_000)
  time.setTimeZone({
    bias: minutes(60),
    daylight: { bias: minutes(60), start: change(3, 2), end: change(10, 3) },
  })
  assert.deepEqual([told, time.localOffsetMs], [1, 3_600_000])
  assert.deepEqual(
    [
      [0, 15, 12],
      [2, 29, 2.5],
      [6, 1, 12],
      [9, 25, 2.5],
    ].map(([month = 0, day = 0, hour = 0]) => {
      const local = Date.UTC(2026, month, day) + hour * 3_600_000
      return (local - time.systemMillisecondsOf(local)) / 3_600_000
    }),
    [1, 1, 2, 2],
  )
  time.setSystemMilliseconds(Date.UTC(2026, 6, 1))
  assert.equal(time.localOffsetMs, 7_200_000)
})

test('the system time is set: virtual time stays, and whoever follows is told once', () => {
  const time = timeOf({ mode: 'stepped', cycleTimeMs: 1 })
  time.setSystemMilliseconds(start + 1)
  const told: number[] = []
  time.onSystemTimeSet = (skipped) => void told.push(skipped & 0xff)
  time.moveTo(3 * second)
  time.setSystemMilliseconds(start + 60_000.5)
  assert.deepEqual([time.nanoseconds, time.systemMilliseconds], [3 * second, start + 60_000.5])
  assert.equal(time.whenSystemTimeIs(start + 61_000.5), 4 * second)
  time.moveTo(4 * second)
  assert.equal(time.systemTime(), (BigInt(start + 61_000) * 1000n + 500n) * 1000n)
  time.setSystemTime(0n)
  assert.deepEqual([time.systemTime(), time.nanoseconds, told], [0n, 4 * second, [5, 5]])
})

test('HOLD stops virtual time, and tells when it ends, for the clock went on', () => {
  const time = timeOf({ mode: 'stepped', cycleTimeMs: 1 })
  const told: number[] = []
  time.onSystemTimeSet = (skipped) => void told.push(skipped & 0xff)
  time.hold(false)
  assert.deepEqual(told, [])
  time.hold(true)
  time.hold(true)
  assert.deepEqual(told, [])
  time.hold(false)
  assert.deepEqual(told, [6])
  const real = timeOf({ mode: 'real', factor: 1000 })
  real.hold(true)
  const held = real.nanoseconds
  assert.deepEqual([real.factor, real.nanoseconds], [0, held])
  assert.ok(real.systemMilliseconds >= start + held / 1e6)
  const before = real.systemMilliseconds
  real.hold(false)
  assert.ok(real.systemMilliseconds >= before, 'the system time does not go back')
  assert.ok(real.nanoseconds >= held)
})

test('real time by its factor; frozen it stands still, and goes on from there', () => {
  const time = timeOf({ mode: 'real', factor: 10 })
  assert.equal(time.factor, 10)
  const first = time.nanoseconds
  time.freeze(true)
  const frozen = time.nanoseconds
  assert.ok(frozen >= first)
  assert.deepEqual([time.factor, time.nanoseconds, time.systemMilliseconds], [0, frozen, start + frozen / 1e6])
  time.setMode({ mode: 'real', factor: 2 })
  assert.equal(time.factor, 0, 'it stays frozen')
  time.freeze(false)
  assert.equal(time.factor, 2)
  assert.ok(time.nanoseconds >= frozen)
  time.setMode({ mode: 'stepped', cycleTimeMs: 5 })
  const stepped = time.nanoseconds
  assert.ok(stepped >= frozen)
  assert.deepEqual([time.mode, time.factor, time.nanoseconds], [{ mode: 'stepped', cycleTimeMs: 5 }, 0, stepped])
})
