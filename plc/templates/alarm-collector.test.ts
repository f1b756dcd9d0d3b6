import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { alarmCollector } from './alarm-collector.ts'

test('alarm collector: four states, horn, lamp, first alarm, suppression', () => {
  const alarms = templateBench(alarmCollector, { alarms: 4 })
  const summary = () => alarms.read('active', 'unacknowledged', 'horn', 'lamp', 'firstAlarm', 'activeCount')
  assert.equal(alarms.after(400, { 'conditions[1]': true }), 'STATE_NORMAL')
  // Too short: nothing.
  assert.equal(alarms.after(200, { 'conditions[1]': false }), 'STATE_NORMAL')
  alarms.after(10, { 'conditions[3]': true })
  assert.equal(alarms.after(600, { 'conditions[1]': true, flashClock: true }), 'STATE_UNACKNOWLEDGED')
  assert.deepEqual(summary(), [1, 1, 1, 1, 3, 2])
  alarms.after(10, { flashClock: false })
  assert.deepEqual(summary(), [1, 1, 1, 0, 3, 2])
  alarms.pulse('silence')
  assert.deepEqual(summary(), [1, 1, 0, 0, 3, 2])
  // One by one.
  alarms.set({ selected: 1 })
  assert.equal(alarms.pulse('acknowledgeOne'), 'STATE_ACKNOWLEDGED')
  assert.equal(alarms.state('alarmState[3]'), 'STATE_UNACKNOWLEDGED')
  assert.equal(alarms.get('unacknowledgedCount'), 1)
  alarms.pulse('acknowledge')
  assert.deepEqual(summary(), [1, 0, 0, 1, 3, 2])
  assert.equal(alarms.after(10, { 'conditions[1]': false }), 'STATE_NORMAL')
  alarms.after(10, { 'conditions[3]': false })
  assert.deepEqual(summary(), [0, 0, 0, 0, 0, 0])

  // Gone before it was acknowledged, and there again.
  alarms.after(600, { 'conditions[1]': true })
  alarms.pulse('silence')
  assert.equal(alarms.after(10, { 'conditions[1]': false }), 'STATE_RETURNED')
  assert.deepEqual(summary(), [0, 1, 0, 0, 1, 0])
  assert.equal(alarms.after(600, { 'conditions[1]': true }), 'STATE_UNACKNOWLEDGED')
  assert.equal(alarms.get('horn'), 1)
  alarms.after(10, { 'conditions[1]': false })
  assert.equal(alarms.pulse('acknowledge'), 'STATE_NORMAL')
  // A held button acknowledges nothing that comes later.
  alarms.after(600, { acknowledge: true, 'conditions[1]': true })
  assert.equal(alarms.state(), 'STATE_UNACKNOWLEDGED')

  alarms.after(600, { 'suppressed[4]': true, 'conditions[4]': true })
  assert.deepEqual([alarms.state('alarmState[4]'), alarms.get('suppressedCount')], ['STATE_NORMAL', 1])
  alarms.assertEveryState()
})
