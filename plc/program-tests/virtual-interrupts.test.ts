/** Interrupts of a controller in virtual time; dates of the Gregorian calendar, written out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OrganizationBlock } from '../program/program-symbols.ts'
import { VirtualClock } from '../runtime/clock.ts'
import { type InterruptPeriod, interruptStatus } from '../runtime/interrupts.ts'
import { VirtualInterrupts } from './virtual-interrupts.ts'

const { wrongTime, wrongPhase, notStarted, past, wrongBlock } = interruptStatus

function organizationBlock(number: number, eventClass: string, more: Partial<OrganizationBlock> = {}) {
  return {
    name: `OB${number}`,
    number,
    eventClass,
    priority: 8,
    startInformation: [],
    access: 'optimized',
    ...more,
  } as const
}

const nanoseconds = (date: string) => BigInt(Date.parse(date)) * 1_000_000n
const ms = (count: number) => BigInt(count) * 1_000_000n

/** A controller that is switched on at a date. */
function switchedOn(date: string, ...blocks: readonly OrganizationBlock[]) {
  const clock = new VirtualClock(nanoseconds(date))
  const interrupts = new VirtualInterrupts(clock, blocks)
  /** What runs until a time after switch-on; the clock moves on to it. */
  const until = (end: bigint) => {
    const seen: { at: bigint; block: string; sign?: number }[] = []
    for (let due = interrupts.take(end); due; due = interrupts.take(end)) {
      if (due.at > clock.now()) clock.advance(due.at - clock.now())
      const { sign } = due
      seen.push({ at: clock.now(), block: due.block.name, ...(sign === undefined ? {} : { sign }) })
    }
    clock.advance(end - clock.now())
    return seen
  }
  return {
    clock,
    interrupts,
    /** Milliseconds since switch-on, block, and the sign of a delay. */
    run: (milliseconds: number) =>
      until(ms(milliseconds)).map(({ at, block, sign }) => [
        Number(at) / 1e6,
        block,
        ...(sign === undefined ? [] : [sign]),
      ]),
    /** The dates at which something runs until a date. */
    datesUntil: (last: string) =>
      until(nanoseconds(last) - nanoseconds(date)).map(({ at }) =>
        new Date(Number((at + nanoseconds(date)) / 1_000_000n)).toISOString().replace('.000Z', ''),
      ),
  }
}

describe('cyclic interrupts', () => {
  test('run every cycle from the phase on, at once those of higher priority first', () => {
    const { run } = switchedOn(
      '2026-01-01T00:00:00Z',
      organizationBlock(30, 'CyclicInterrupt', { cycleTimeUs: 40_000, phaseUs: 10_000, priority: 8 }),
      organizationBlock(31, 'CyclicInterrupt', { cycleTimeUs: 50_000, priority: 9 }),
      organizationBlock(32, 'CyclicInterrupt', { priority: 7 }),
    )
    assert.deepEqual(run(100), [
      [10, 'OB30'],
      [50, 'OB31'],
      [50, 'OB30'],
      [90, 'OB30'],
      [100, 'OB31'],
      [100, 'OB32'],
    ])
    assert.deepEqual(run(149), [[130, 'OB30']])
  })

  test('SET_CINT sets cycle and phase, 0 switches off, QRY_CINT tells', () => {
    const { interrupts, run } = switchedOn(
      '2026-01-01T00:00:00Z',
      organizationBlock(30, 'CyclicInterrupt', { cycleTimeUs: 40_000, phaseUs: 10_000 }),
      organizationBlock(20, 'TimeDelayInterrupt'),
    )
    const told = () => {
      const { cycleUs, phaseUs } = interrupts.queryCyclic(30) ?? {}
      return [cycleUs, phaseUs]
    }
    assert.deepEqual(told(), [40_000, 10_000])
    assert.deepEqual(run(25), [[10, 'OB30']])
    assert.equal(interrupts.setCyclic(30, 20_000, 3000), 0)
    assert.deepEqual(told(), [20_000, 3000])
    assert.deepEqual(run(70), [
      [43, 'OB30'],
      [63, 'OB30'],
    ])
    assert.equal(interrupts.setCyclic(30, 0, 0), 0)
    assert.deepEqual(told(), [0, 0])
    assert.deepEqual(run(500), [])
    assert.equal(interrupts.setCyclic(30, 1000, 0), 0)
    assert.deepEqual(run(502), [
      [501, 'OB30'],
      [502, 'OB30'],
    ])
    assert.equal(interrupts.setCyclic(30, -1, 0), wrongTime)
    assert.equal(interrupts.setCyclic(30, 1000, -1), wrongPhase)
    // Numbers of no block, and of one of another kind.
    for (const number of [31, 20]) {
      assert.equal(interrupts.setCyclic(number, 1000, 0), wrongBlock)
      assert.equal(interrupts.queryCyclic(number), undefined)
    }
  })
})

describe('delays', () => {
  const state = (isActive: boolean) => ({ isLocked: false, isActive, isLoaded: true })

  test('run once, after their time, with their sign; a new start replaces the pending one', () => {
    const { interrupts, run } = switchedOn(
      '2026-01-01T00:00:00Z',
      organizationBlock(20, 'TimeDelayInterrupt'),
      organizationBlock(21, 'TimeDelayInterrupt'),
    )
    assert.deepEqual(interrupts.queryDelay(20), state(false))
    assert.equal(interrupts.startDelay(20, ms(30), 0), 0)
    assert.equal(interrupts.startDelay(21, ms(10), 7), 0)
    assert.deepEqual(interrupts.queryDelay(20), state(true))
    assert.deepEqual(run(5), [])
    assert.equal(interrupts.startDelay(20, ms(3), 5), 0)
    assert.deepEqual(run(100), [
      [8, 'OB20', 5],
      [10, 'OB21', 7],
    ])
    assert.deepEqual(interrupts.queryDelay(20), state(false))
  })

  test('CAN_DINT cancels what is pending; 1 ms to 60 s are allowed', () => {
    const { interrupts, run } = switchedOn('2026-01-01T00:00:00Z', organizationBlock(20, 'TimeDelayInterrupt'))
    assert.equal(interrupts.cancelDelay(20), notStarted)
    interrupts.startDelay(20, ms(30), 1)
    assert.equal(interrupts.cancelDelay(20), 0)
    assert.equal(interrupts.cancelDelay(20), notStarted)
    assert.deepEqual(run(100), [])
    for (const wrong of [0n, -1n, ms(60_000) + 1n]) assert.equal(interrupts.startDelay(20, wrong, 0), wrongTime)
    assert.equal(interrupts.startDelay(20, ms(60_000), 0), 0)
    assert.deepEqual(run(60_100), [[60_100, 'OB20', 0]])
    assert.deepEqual(
      [interrupts.startDelay(22, 1n, 0), interrupts.cancelDelay(22), interrupts.queryDelay(22)],
      [wrongBlock, wrongBlock, undefined],
    )
  })

  test('DIS_AIRT holds all interrupts until as many EN_AIRT', () => {
    const { interrupts, run } = switchedOn('2026-01-01T00:00:00Z', organizationBlock(20, 'TimeDelayInterrupt'))
    interrupts.startDelay(20, ms(10), 1)
    assert.deepEqual([interrupts.delayAll(), interrupts.delayAll()], [1, 2])
    assert.deepEqual(run(20), [])
    assert.equal(interrupts.releaseAll(), 1)
    assert.deepEqual(run(30), [])
    assert.equal(interrupts.releaseAll(), 0)
    assert.deepEqual(run(40), [[30, 'OB20', 1]])
    assert.equal(interrupts.releaseAll(), undefined)
  })
})

describe('times of day', () => {
  const block = organizationBlock(10, 'TimeOfDay')

  const periods: readonly (readonly [
    InterruptPeriod,
    start: string,
    on: string,
    until: string,
    dates: readonly string[],
  ])[] = [
    ['once', '2026-01-02T06:00:00Z', '2026-01-01T00:00:00Z', '2028-01-01T00:00:00Z', ['2026-01-02T06:00:00']],
    [
      'minute',
      '2026-01-01T00:00:30Z',
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:02:40Z',
      ['2026-01-01T00:00:30', '2026-01-01T00:01:30', '2026-01-01T00:02:30'],
    ],
    // What begins in the past goes on: its next occurrence counts, that of this moment too.
    [
      'hour',
      '2025-12-24T12:30:00Z',
      '2026-01-01T00:30:00Z',
      '2026-01-01T03:00:00Z',
      ['2026-01-01T00:30:00', '2026-01-01T01:30:00', '2026-01-01T02:30:00'],
    ],
    [
      'day',
      '2025-12-24T12:30:00Z',
      '2026-02-27T13:00:00Z',
      '2026-03-02T12:00:00Z',
      ['2026-02-28T12:30:00', '2026-03-01T12:30:00'],
    ],
    [
      'week',
      '2025-12-31T23:00:00Z',
      '2026-01-01T00:00:00Z',
      '2026-01-22T00:00:00Z',
      ['2026-01-07T23:00:00', '2026-01-14T23:00:00', '2026-01-21T23:00:00'],
    ],
    [
      'month',
      '2025-11-30T10:00:00Z',
      '2026-01-01T00:00:00Z',
      '2026-05-01T00:00:00Z',
      ['2026-01-30T10:00:00', '2026-02-28T10:00:00', '2026-03-30T10:00:00', '2026-04-30T10:00:00'],
    ],
    [
      'endOfMonth',
      '2026-01-15T10:00:00Z',
      '2026-01-01T00:00:00Z',
      '2026-05-01T00:00:00Z',
      ['2026-01-31T10:00:00', '2026-02-28T10:00:00', '2026-03-31T10:00:00', '2026-04-30T10:00:00'],
    ],
    [
      'year',
      '2024-02-29T10:00:01Z',
      '2026-01-01T00:00:00Z',
      '2029-01-01T00:00:00Z',
      ['2026-02-28T10:00:01', '2027-02-28T10:00:01', '2028-02-29T10:00:01'],
    ],
  ]
  for (const [period, start, on, until, dates] of periods)
    test(`${period}, set by the program and set in the block`, () => {
      const byProgram = switchedOn(on, block)
      assert.equal(byProgram.interrupts.setTimeOfDay(10, nanoseconds(start), true, period, true), 0)
      assert.deepEqual(byProgram.datesUntil(until), dates)
      const named = `${period.charAt(0).toUpperCase()}${period.slice(1)}` as 'Once'
      for (const text of [start, start.slice(0, -1), start.slice(0, -1).replace('T', ' ')]) {
        const byBlock = switchedOn(on, { ...block, timeOfDay: { start: text, period: named } })
        assert.deepEqual(byBlock.datesUntil(until), dates, text)
      }
    })

  test('the nanoseconds of the start count in every occurrence', () => {
    const { interrupts } = switchedOn('2026-01-01T00:00:00Z', block)
    interrupts.setTimeOfDay(10, nanoseconds('2026-01-31T00:00:00Z') + 5n, false, 'month', true)
    const [first, second] = ['2026-01-31', '2026-02-28'].map((day) => nanoseconds(day) - nanoseconds('2026-01-01') + 5n)
    assert.equal(interrupts.take(first as bigint)?.at, first)
    assert.equal(interrupts.take((second as bigint) - 1n), undefined)
    assert.equal(interrupts.take(second as bigint)?.at, second)
  })

  test('a start that is no date sets nothing', () => {
    const { interrupts, datesUntil } = switchedOn('2026-01-01T00:00:00Z', {
      ...block,
      timeOfDay: { start: 'soon', period: 'Day' },
    })
    assert.equal(interrupts.queryTimeOfDay(10)?.isActive, false)
    assert.deepEqual(datesUntil('2026-02-01T00:00:00Z'), [])
  })

  test('SET_TINT waits for ACT_TINT; CAN_TINT ends it; QRY_TINT tells', () => {
    const { interrupts, run } = switchedOn('2026-01-01T00:00:00Z', block)
    const isActive = () => interrupts.queryTimeOfDay(10)?.isActive
    assert.deepEqual(interrupts.queryTimeOfDay(10), { isLocked: false, isActive: false, isLoaded: true })
    assert.deepEqual([interrupts.activateTimeOfDay(10), interrupts.cancelTimeOfDay(10)], [notStarted, notStarted])
    assert.equal(interrupts.setTimeOfDay(10, nanoseconds('2026-01-01T00:00:01Z'), false, 'minute', false), 0)
    assert.equal(isActive(), false)
    assert.deepEqual(run(900), [])
    assert.equal(interrupts.activateTimeOfDay(10), 0)
    assert.deepEqual(interrupts.queryTimeOfDay(10), { isLocked: false, isActive: true, isLoaded: true })
    assert.deepEqual(run(2000), [[1000, 'OB10']])
    assert.equal(interrupts.cancelTimeOfDay(10), 0)
    assert.equal(isActive(), false)
    assert.deepEqual(run(200_000), [])
    // What is past while nothing is active does not occur.
    assert.equal(interrupts.setTimeOfDay(10, nanoseconds('2026-01-01T00:03:21Z'), false, 'minute', false), 0)
    run(400_000)
    assert.equal(interrupts.activateTimeOfDay(10), 0)
    assert.deepEqual(run(500_000), [[441_000, 'OB10']])
    for (const number of [11, 20]) {
      assert.equal(interrupts.setTimeOfDay(number, 0n, false, 'day', true), wrongBlock)
      assert.deepEqual(
        [interrupts.activateTimeOfDay(number), interrupts.cancelTimeOfDay(number)],
        [wrongBlock, wrongBlock],
      )
      assert.equal(interrupts.queryTimeOfDay(number), undefined)
    }
  })

  test('what occurs once cannot be in the past, and is not active afterwards', () => {
    const { interrupts, run } = switchedOn('2026-01-01T00:00:00Z', block)
    const at = nanoseconds('2026-01-01T00:00:00Z')
    assert.equal(interrupts.setTimeOfDay(10, at - 1n, false, 'once', true), past)
    assert.equal(interrupts.setTimeOfDay(10, at, false, 'once', true), 0)
    assert.deepEqual(run(1000), [[0, 'OB10']])
    assert.equal(interrupts.queryTimeOfDay(10)?.isActive, false)
    assert.equal(interrupts.setTimeOfDay(10, at + ms(2000), false, 'once', false), 0)
    assert.deepEqual(run(2000), [])
    // Now is not past yet.
    assert.equal(interrupts.activateTimeOfDay(10), 0)
    assert.deepEqual(run(2500), [[2000, 'OB10']])
    assert.equal(interrupts.setTimeOfDay(10, at + ms(2600), false, 'once', false), 0)
    assert.deepEqual(run(3000), [])
    assert.equal(interrupts.activateTimeOfDay(10), past)
    assert.deepEqual(run(9000), [])
  })
})

test('DIS_IRT discards events until EN_IRT (TIA Portal help)', () => {
  const start = { timeOfDay: { start: '2026-01-01T00:00:00', period: 'Minute' as const } }
  const { interrupts, run } = switchedOn(
    '2025-12-31T23:59:59Z',
    organizationBlock(30, 'CyclicInterrupt', { cycleTimeUs: 400_000 }),
    organizationBlock(20, 'TimeDelayInterrupt'),
    organizationBlock(10, 'TimeOfDay', start),
  )
  interrupts.startDelay(20, ms(500), 1)
  assert.equal(interrupts.lock(0, 0), 0)
  assert.deepEqual(run(1100), [])
  assert.equal(interrupts.unlock(0, 0), 0)
  assert.deepEqual(run(1700), [
    [1200, 'OB30'],
    [1600, 'OB30'],
  ])
  assert.deepEqual([interrupts.lock(2, 30), interrupts.queryDelay(20)?.isLocked, run(60_999)], [0, false, []])
  assert.deepEqual(run(61_000), [[61_000, 'OB10']])
  interrupts.startDelay(20, ms(500), 1)
  interrupts.lock(1, 20)
  interrupts.lock(1, 10)
  assert.deepEqual([interrupts.queryDelay(20)?.isLocked, interrupts.queryTimeOfDay(10)?.isLocked], [true, true])
})
