import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { pumpAlternation } from './pump-alternation.ts'

const all = { 'available[1]': true, 'available[2]': true, 'available[3]': true }

test('pump alternation in order: staging, rotation, failure, shortage', () => {
  const group = templateBench(pumpAlternation)
  const runs = () => group.read('run[1]', 'run[2]', 'run[3]').join('')
  assert.equal(group.after(50, { ...all, demand: 2 }), 'STATE_OFF')
  assert.equal(runs(), '000')
  // The first one at once, the second after its delay.
  assert.equal(group.after(10, { enable: true }), 'STATE_STAGING')
  assert.equal(runs(), '100')
  assert.equal(group.after(9900), 'STATE_STAGING')
  assert.equal(group.after(200), 'STATE_STEADY')
  assert.equal(runs(), '110')
  // The one that has run longest stops.
  assert.equal(group.after(19_900, { demand: 1 }), 'STATE_STAGING')
  assert.equal(group.after(200), 'STATE_STEADY')
  assert.equal(runs(), '010')
  group.after(11_000, { demand: 2 })
  assert.equal(runs(), '011')
  // A pump fails: another takes over.
  group.after(10, { 'available[2]': false })
  assert.equal(runs(), '001')
  group.after(11_000)
  assert.equal(runs(), '101')
  assert.equal(group.after(10, { 'available[1]': false }), 'STATE_SHORTAGE')
  assert.deepEqual([runs(), group.get('availableCount'), group.get('shortage')], ['001', 1, 1])
  group.after(10, all)
  assert.equal(group.after(21_000, { demand: 0 }), 'STATE_IDLE')
  assert.equal(runs(), '000')
  // Demands outside.
  assert.equal(group.after(100, { demand: -5 }), 'STATE_IDLE')
  assert.equal(group.after(40_000, { demand: 99 }), 'STATE_SHORTAGE')
  assert.equal(runs(), '111')
  assert.equal(group.after(10, { enable: false }), 'STATE_OFF')
  assert.equal(runs(), '000')
  group.assertEveryState()
})

test('pump alternation by operating hours', () => {
  const group = templateBench(pumpAlternation, { rotation: 'hours' })
  const runs = () => group.read('run[1]', 'run[2]', 'run[3]').join('')
  const cycle = () => {
    group.after(60_000, { demand: 1 })
    const seen = runs()
    group.after(21_000, { demand: 0 })
    return seen
  }
  group.set({ ...all, enable: true })
  assert.deepEqual([cycle(), cycle(), cycle()], ['100', '010', '001'])
  // Hours from elsewhere: the second has the fewest, the third the most.
  group.set({ 'statSeconds[1]': 7200, 'statSeconds[2]': 3600, 'statSeconds[3]': 10_800 })
  group.scan()
  assert.deepEqual(group.read('hours[1]', 'hours[2]', 'hours[3]'), [2, 1, 3])
  group.after(11_000, { demand: 2 })
  assert.equal(runs(), '110')
  group.after(11_000, { demand: 3 })
  assert.equal(runs(), '111')
  group.after(21_000, { demand: 2 })
  assert.equal(runs(), '110')
  group.after(21_000, { demand: 1 })
  assert.equal(runs(), '010')
  assert.ok(Math.abs((group.get('hours[2]') as number) - (3600 + 64) / 3600) < 1e-3, `${group.get('hours[2]')}`)
})
