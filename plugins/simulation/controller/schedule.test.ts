import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testOptions } from '../../../test/controller.ts'
import { ControlBlock } from './control-block.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'
import { Schedule } from './schedule.ts'
import { VirtualTime } from './virtual-time.ts'

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
