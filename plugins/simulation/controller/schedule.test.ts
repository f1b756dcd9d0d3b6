import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testOptions } from '../../../test/controller.ts'
import { ControlBlock } from './control-block.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'
import { Schedule } from './schedule.ts'
import { VirtualTime } from './virtual-time.ts'

/** An organization block; 80 is the time error, 30 to 38 cyclic, 20 to 23 delay, 10 to 17 time-of-day interrupts. */
function block(number: number, more: Partial<OrganizationBlockPlan> = {}): OrganizationBlockPlan {
  const classes = ['', 'TimeOfDay', 'TimeDelayInterrupt', 'CyclicInterrupt', 'HardwareInterrupt']
  const eventClass = number === 80 ? 'TimeErrorInterrupt' : (classes[Math.floor(number / 10)] ?? '')
  return { name: `OB${number}`, number, eventClass, priority: 8, access: 'optimized', information: [], ...more }
}

const midnight = Date.UTC(2026, 0, 1)
const second = 1e9

/** A schedule in stepped time that runs from time 0, midnight UTC, on; local time is an hour ahead. */
function running(blocks: readonly OrganizationBlockPlan[], options = testOptions('')) {
  const time = new VirtualTime(new ControlBlock(), { mode: 'stepped', cycleTimeMs: 1 }, midnight, 60)
  const schedule = new Schedule(blocks, options, time)
  time.onSystemTimeSet = (skipped) => schedule.systemTimeSet(skipped)
  schedule.start(0)
  /** Takes all events until a virtual time (ns), each with its time in seconds. */
  const until = (end: number) => {
    const seen: string[] = []
    for (let next = schedule.next; next <= end; next = schedule.next) {
      time.moveTo(next)
      const event = schedule.take(next)
      if (event === undefined) break
      seen.push(`${next / second} OB${event.block.number}`)
    }
    time.moveTo(end)
    return seen
  }
  return { time, schedule, until }
}

const cyclic = fc.record({
  priority: fc.integer({ min: 2, max: 5 }),
  cycleTimeUs: fc.integer({ min: 250, max: 3000 }),
  phaseUs: fc.integer({ min: 0, max: 2000 }),
})

test('in stepped time every event of every cyclic interrupt comes once, at its time, by priority, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.array(cyclic, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 20_000 }),
      (list, endUs) => {
        const blocks = list.map(
          (one, i): OrganizationBlockPlan => ({
            ...one,
            name: `OB${30 + i}`,
            number: 30 + i,
            eventClass: 'CyclicInterrupt',
            access: 'optimized',
            information: [],
          }),
        )
        const time = new VirtualTime(new ControlBlock(), { mode: 'stepped', cycleTimeMs: 1 }, 0, 0)
        const schedule = new Schedule(blocks, testOptions(''), time)
        schedule.start(0)
        const seen: string[] = []
        for (let next = schedule.next; next < endUs * 1000; next = schedule.next) {
          time.moveTo(next)
          for (let event = schedule.take(next); event; event = schedule.take(next)) {
            seen.push(`${next / 1000} OB${event.block.number}`)
            assert.equal(event.lost, 0)
          }
        }
        const expected: { at: number; priority: number; number: number }[] = []
        for (const { cycleTimeUs = 0, phaseUs = 0, priority, number } of blocks)
          for (let at = phaseUs > 0 ? phaseUs : cycleTimeUs; at < endUs; at += cycleTimeUs)
            expected.push({ at, priority, number })
        expected.sort((a, b) => a.at - b.at || b.priority - a.priority || a.number - b.number)
        assert.deepEqual(
          seen,
          expected.map(({ at, number }) => `${at} OB${number}`),
        )
      },
    ),
  )
})

test('events that come while nothing can run are counted, and the cycle is kept', () => {
  const block: OrganizationBlockPlan = {
    name: 'OB30',
    number: 30,
    eventClass: 'CyclicInterrupt',
    priority: 8,
    cycleTimeUs: 1000,
    access: 'optimized',
    information: [],
  }
  const time = new VirtualTime(new ControlBlock(), { mode: 'stepped', cycleTimeMs: 1 }, 0, 0)
  const schedule = new Schedule([block], testOptions(''), time)
  schedule.start(0)
  time.moveTo(4_500_000)
  const event = schedule.take(4_500_000)
  assert.equal(event?.lost, 3)
  assert.deepEqual(event?.information, { INITIAL_CALL: true, EVENT_COUNT: 3 })
  assert.equal(schedule.take(4_500_000), undefined)
  assert.equal(schedule.next, 5_000_000)
})

const nanoseconds = (milliseconds: number) => BigInt(milliseconds) * 1_000_000n

test('SRT_DINT starts a delay of 1 ms to 60 s, again replaces it, CAN_DINT ends it, QRY_DINT tells', () => {
  const { schedule, until } = running([block(20), block(21), block(30, { cycleTimeUs: 0 })])
  assert.equal(schedule.startDelay(22, second as unknown as bigint, 0), 0x8090, 'no such block')
  assert.equal(schedule.startDelay(30, nanoseconds(5), 0), 0x8090, 'a block of another kind')
  assert.deepEqual(
    [999_999n, 60_000_000_001n].map((time) => schedule.startDelay(20, time, 0)),
    [0x8091, 0x8091],
  )
  assert.deepEqual(
    [1_000_000n, 60_000_000_000n].map((time) => schedule.startDelay(20, time, 0)),
    [0, 0],
  )
  assert.equal(schedule.next, 60 * second)
  assert.equal(schedule.startDelay(20, nanoseconds(2000), 7), 0)
  assert.deepEqual(
    [20, 21, 30].map((number) => schedule.queryDelay(number)),
    [
      { isLocked: false, isActive: true, isLoaded: true },
      { isLocked: false, isActive: false, isLoaded: true },
      undefined,
    ],
  )
  assert.deepEqual([schedule.cancelDelay(21), schedule.cancelDelay(22)], [0x80a0, 0x8090])
  schedule.startDelay(21, nanoseconds(1000), 1)
  assert.equal(schedule.cancelDelay(21), 0)
  assert.equal(schedule.next, 2 * second)
  assert.deepEqual(until(2 * second - 1), [])
  const event = schedule.take(2 * second)
  assert.deepEqual([event?.block.number, event?.information, event?.lost], [20, { SIGN: 7, DTIME: 0 }, 0])
  assert.equal(schedule.queryDelay(20)?.isActive, false, 'it runs once')
  assert.equal(schedule.next, Number.POSITIVE_INFINITY)
})

test('SET_TINTL, ACT_TINT, CAN_TINT and QRY_TINT: once and repeatedly, in UTC and in local time', () => {
  const { schedule, until } = running([block(10), block(11), block(20)])
  const at = (seconds: number) => BigInt(midnight + seconds * 1000) * 1_000_000n
  assert.equal(schedule.setTimeOfDay(20, at(1), false, 'minute', true), 0x8090)
  assert.deepEqual([schedule.activateTimeOfDay(20), schedule.cancelTimeOfDay(20)], [0x8090, 0x8090])
  assert.equal(schedule.queryTimeOfDay(20), undefined)
  assert.equal(schedule.activateTimeOfDay(10), 0x80a0, 'it has no time')
  assert.equal(schedule.cancelTimeOfDay(10), 0x80a0, 'it is not active')
  assert.equal(schedule.setTimeOfDay(10, at(-1), false, 'once', true), 0x80a1)
  assert.equal(schedule.setTimeOfDay(10, at(3599), true, 'once', true), 0x80a1, 'local time is an hour ahead')
  assert.equal(schedule.setTimeOfDay(10, at(3605), true, 'once', false), 0)
  const stateOf = (number: number) => schedule.queryTimeOfDay(number)
  assert.deepEqual(stateOf(10), { isLocked: false, isActive: false, isLoaded: true })
  assert.equal(schedule.next, Number.POSITIVE_INFINITY)
  assert.equal(schedule.activateTimeOfDay(10), 0)
  assert.deepEqual(stateOf(10), { isLocked: false, isActive: true, isLoaded: true })
  // Every minute from half a minute ago on.
  assert.equal(schedule.setTimeOfDay(11, at(-30), false, 'minute', true), 0)
  assert.deepEqual(until(100 * second), ['5 OB10', '30 OB11', '90 OB11'])
  assert.deepEqual([stateOf(10)?.isActive, stateOf(11)?.isActive], [false, true])
  assert.equal(schedule.activateTimeOfDay(10), 0x80a1, 'its time is past')
  assert.equal(schedule.cancelTimeOfDay(11), 0)
  assert.equal(stateOf(11)?.isActive, false)
  assert.deepEqual(until(1000 * second), [])
})

test('a time of day in the attributes of the block is local, and active from the start on', () => {
  const timeOfDay = (start: string, period: 'Once' | 'Minute') => ({ timeOfDay: { start, period } })
  const blocks = [
    block(10, timeOfDay('2026-01-01T01:00:10', 'Once')),
    block(11, timeOfDay('2025-12-01T00:00:20', 'Minute')),
  ]
  const { schedule, until } = running(blocks)
  assert.deepEqual(until(90 * second), ['10 OB10', '20 OB11', '80 OB11'])
  schedule.setTimeOfDay(11, 0n, false, 'day', false)
  schedule.stop()
  assert.equal(schedule.next, Number.POSITIVE_INFINITY)
  // STARTUP forgets what the program has set.
  schedule.reset(testOptions(''))
  schedule.start(90 * second)
  assert.deepEqual(until(200 * second), ['140 OB11', '200 OB11'])
})

test('time-of-day interrupts that a jump of the system time skips are lost, and call OB 80', () => {
  const timeOfDay = { start: '2026-01-01T01:01:00', period: 'Minute' } as const
  const { schedule, time, until } = running([
    block(10, { timeOfDay, priority: 2 }),
    block(11, { timeOfDay: { ...timeOfDay, start: '2026-01-01T01:00:30' }, isTimeErrorEnabled: false }),
    block(80, { priority: 22 }),
  ])
  time.moveTo(10 * second)
  // A jump that skips nothing.
  time.setSystemMilliseconds(midnight + 20_000)
  assert.deepEqual(until(20 * second), ['20 OB11'])
  time.setSystemMilliseconds(midnight + 90_000)
  const event = schedule.take(20 * second)
  assert.equal(event?.block.number, 80)
  assert.deepEqual(event?.information, { FAULT_ID: 5, FLT_ID: 5, CSG_OBNR: 10, CSG_PRIO: 2 })
  assert.equal(schedule.take(20 * second), undefined)
  // 01:30 is now at 20 s; both go on by the new time.
  assert.deepEqual(until(90 * second), ['50 OB10', '80 OB11'])
})

test('SET_CINT and QRY_CINT: cycles of 100 µs to 60 s and phases count from the call; 0 ends the interrupt', () => {
  const { schedule, until, time } = running([block(30, { cycleTimeUs: 2_000_000 }), block(20)])
  assert.deepEqual(until(3 * second), ['2 OB30'])
  assert.equal(schedule.setCyclic(20, 1000, 0), 0x8090)
  assert.equal(schedule.queryCyclic(20), undefined)
  assert.deepEqual(
    [
      [99, 0],
      [60_000_001, 0],
      [1000, -1],
      [1000, 60_000_001],
    ].map(([cycle = 0, phase = 0]) => schedule.setCyclic(30, cycle, phase)),
    [0x8091, 0x8091, 0x8092, 0x8092],
  )
  assert.deepEqual(schedule.queryCyclic(30), { cycleUs: 2_000_000, phaseUs: 0 })
  for (const [cycle = 0, phase = 0] of [
    [100, 0],
    [60_000_000, 60_000_000],
    [1_000_000, 250_000],
  ])
    assert.equal(schedule.setCyclic(30, cycle, phase), 0)
  assert.deepEqual(schedule.queryCyclic(30), { cycleUs: 1_000_000, phaseUs: 250_000 })
  assert.deepEqual(until(5 * second), ['3.25 OB30', '4.25 OB30'])
  assert.equal(schedule.setCyclic(30, 0, 0), 0)
  assert.deepEqual(until(100 * second), [])
  // Options of the controller override the program, and count from the last start.
  schedule.configure(testOptions('', { cyclicInterrupts: { 30: { cycleTimeMs: 4000 } } }))
  assert.equal(schedule.next, Number.POSITIVE_INFINITY, 'an interrupt that was ended stays so')
  schedule.start(time.nanoseconds)
  assert.deepEqual(until(109 * second), ['104 OB30', '108 OB30'])
  schedule.configure(testOptions('', { cyclicInterrupts: { 30: { cycleTimeMs: 5000, phaseMs: 1000 } } }))
  assert.deepEqual(until(112 * second), ['111 OB30'])
})

test('events that are raised wait in their queue, run by priority, and a lost one calls OB 80', () => {
  const { schedule } = running([
    block(40, { priority: 16, eventsToBeQueued: 2 }),
    block(41, { priority: 17 }),
    block(80, { priority: 22 }),
  ])
  assert.equal(schedule.raise(42, {}), 'no-block')
  assert.deepEqual(
    [1, 2, 3].map((LADDR) => schedule.raise(40, { LADDR })),
    ['queued', 'queued', 'lost'],
  )
  assert.equal(schedule.raise(41, { LADDR: 4 }), 'queued')
  assert.deepEqual(
    [40, 41, 42, 80].map((number) => schedule.hasBlock(number)),
    [true, true, false, true],
  )
  assert.deepEqual(
    [16, 17, 22].map((priority) => schedule.nextAbove(priority)),
    [0, 0, Number.POSITIVE_INFINITY],
  )
  assert.equal(schedule.take(0, 22), undefined)
  const seen = []
  for (let event = schedule.take(0, 15); event; event = schedule.take(0, 15))
    seen.push([event.block.number, event.information])
  assert.deepEqual(seen, [
    [80, { FAULT_ID: 7, FLT_ID: 7, CSG_OBNR: 40, CSG_PRIO: 16 }],
    [41, { LADDR: 4 }],
    [40, { LADDR: 1 }],
    [40, { LADDR: 2 }],
  ])
  assert.equal(schedule.next, Number.POSITIVE_INFINITY)
  schedule.raise(40, {})
  schedule.stop()
  assert.equal(schedule.take(0), undefined, 'STOP forgets what waits')
})

test('times of day follow the local time that a program sets, over the change to daylight saving', () => {
  const { time, schedule } = running([block(10, { timeOfDay: { start: '2026-01-01T00:00:00', period: 'Day' } })])
  const change = (month: number, hour: number) => ({ month, week: 5, weekday: 1, hour, minute: 0 })
  const minutes = (count: number) => BigInt(count) * 60_000_000_000n
  time.onTimeZoneSet = () => schedule.timeZoneSet()
  time.setTimeZone({ bias: minutes(120), daylight: { bias: minutes(60), start: change(3, 2), end: change(10, 3) } })
  const hoursUntil = () => schedule.next / 3600 / second
  assert.equal(hoursUntil(), 22)
  const march29 = Date.UTC(2026, 2, 29)
  const hours = (march29 - midnight) / 3_600_000
  time.moveTo((hours - 3) * 3600 * second)
  assert.equal(schedule.take(time.nanoseconds)?.block.number, 10)
  assert.equal(hoursUntil(), hours - 2)
  time.moveTo(schedule.next)
  schedule.take(time.nanoseconds)
  assert.equal(hoursUntil(), hours + 24 - 3, 'the day has 23 hours')
})

test('events of one priority run in the order in which they came', () => {
  const { time, schedule, until } = running([
    block(30, { cycleTimeUs: 2_000_000 }),
    ...[40, 41, 42].map((number) => block(number)),
  ])
  const raised = (...blocks: readonly number[]) => blocks.map((number) => schedule.raise(number, {}))
  raised(42, 40, 41, 42)
  assert.deepEqual(until(0), ['0 OB42', '0 OB40', '0 OB41', '0 OB42'])
  time.moveTo(2 * second)
  raised(41, 40)
  assert.deepEqual(until(2 * second), ['2 OB30', '2 OB41', '2 OB40'], 'the clock came first')
})

// TIA Portal help of DIS_IRT and EN_IRT.
test('DIS_IRT discards what comes until EN_IRT; what waits still runs', () => {
  const timeOfDay = { start: '2026-01-01T01:00:05', period: 'Once' as const }
  const blocks = [
    ...[block(10, { timeOfDay }), block(20), block(30, { cycleTimeUs: 4_000_000 }), block(40)],
    ...[block(80, { priority: 22 }), block(121)],
  ]
  const { time, schedule, until } = running(blocks)
  const raised = (...numbers: readonly number[]) => numbers.map((number) => schedule.raise(number, {}))
  assert.deepEqual([schedule.classOf(40), schedule.classOf(41)], ['HardwareInterrupt', undefined])
  schedule.startDelay(20, 3_000_000_000n, 0)
  assert.deepEqual(raised(40), ['queued'])
  assert.equal(schedule.lock(0, 0), 0)
  assert.deepEqual(raised(40, 80), ['lost', 'lost'])
  assert.deepEqual(until(9 * second), ['0 OB40'])
  const state = (one: ReturnType<typeof schedule.queryDelay>) => [one?.isLocked, one?.isActive]
  assert.deepEqual(state(schedule.queryDelay(20)), [true, false])
  assert.deepEqual(state(schedule.queryTimeOfDay(10)), [true, true])
  time.moveTo(10 * second)
  assert.equal(schedule.unlock(1, 30), 0)
  assert.deepEqual(until(17 * second), ['12 OB30', '16 OB30'])
  assert.deepEqual(raised(40), ['lost'], 'the others stay locked')
  assert.equal(schedule.unlock(0, 0), 0)
  assert.deepEqual(raised(40), ['queued'])
  assert.deepEqual(until(21 * second), ['17 OB40', '20 OB30'])
  assert.deepEqual(state(schedule.queryDelay(20)), [false, false])
  assert.deepEqual(state(schedule.queryTimeOfDay(10)), [false, false])
  assert.deepEqual([schedule.lock(2, 40), raised(40)], [0, ['lost']])
  schedule.reset(testOptions(''))
  assert.deepEqual(raised(40), ['queued'], 'a restart ends it')
  assert.deepEqual(
    [
      [3, 0],
      [1, 35],
      [1, 70],
      [2, 1],
      [2, 121],
      [2, 47],
    ].map(([mode = 0, number = 0]) => schedule.lock(mode, number)),
    [0x8091, 0x8090, 0, 0x8090, 0x8090, 0],
  )
})

test('DIS_AIRT holds interrupts back until as many EN_AIRT', () => {
  const { schedule } = running([block(40, { priority: 16 })])
  schedule.raise(40, {})
  assert.equal(schedule.releaseAll(), undefined, 'nothing is held back')
  assert.deepEqual([schedule.delayAll(), schedule.delayAll()], [1, 2])
  assert.equal(schedule.nextAbove(1), Number.POSITIVE_INFINITY)
  assert.equal(schedule.releaseAll(), 1)
  assert.equal(schedule.nextAbove(1), Number.POSITIVE_INFINITY)
  assert.equal(schedule.releaseAll(), 0)
  assert.equal(schedule.nextAbove(1), 0)
  schedule.delays = 3
  assert.equal(schedule.delays, 3)
  schedule.stop()
  assert.equal(schedule.delays, 0)
})

test('cyclic events beyond the queue of the block are lost, and call OB 80 when they are', () => {
  const { schedule, time } = running([
    block(30, { cycleTimeUs: 1000, eventsToBeQueued: 3 }),
    block(31, { cycleTimeUs: 1500, isTimeErrorEnabled: false }),
    block(80, { priority: 22 }),
  ])
  // That of OB 30 is due at 1, 2 and 3 ms; the fourth, at 4 ms, finds the queue full.
  assert.equal(schedule.nextAbove(8), 3_000_000)
  time.moveTo(3_999_999)
  assert.equal(schedule.take(3_999_999, 8), undefined)
  time.moveTo(6_000_000)
  const errors: unknown[] = []
  for (let event = schedule.take(6_000_000, 8); event; event = schedule.take(6_000_000, 8))
    errors.push([event.block.number, event.information.CSG_OBNR])
  assert.deepEqual(errors, [
    [80, 30],
    [80, 30],
    [80, 30],
  ])
  const first = schedule.take(6_000_000)
  assert.deepEqual([first?.block.number, first?.lost, first?.information.INITIAL_CALL], [30, 3, true])
  // What is due at 10 ms is taken at 15 ms: the events in between count, and are told once.
  const late = running([block(30, { cycleTimeUs: 2000 }), block(80, { priority: 22 })])
  late.until(8_000_000)
  late.time.moveTo(15_000_000)
  const taken = [10, 10, 15, 15, 15].map((ms) => late.schedule.take(ms * 1_000_000))
  assert.deepEqual(
    taken.map((event) => event && [event.block.number, event.lost]),
    [[30, 2], undefined, [80, 0], [80, 0], undefined],
  )
  assert.equal(late.schedule.next, 16_000_000)
})
