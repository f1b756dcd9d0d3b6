import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { modeHandling } from './mode-handling.ts'

test('mode handling: requests, run, switches, faults', () => {
  const unit = templateBench(modeHandling, { maintenance: true })
  /** Presses buttons for one cycle, and lets them go. */
  const press = (...inputs: string[]) => {
    const state = unit.pulse(...inputs)
    const pulses = unit.read('modeChanged', 'requestRefused')
    unit.scan()
    return [state, ...pulses]
  }
  assert.deepEqual(press('requestManual'), ['STATE_OFF', 0, 1])
  unit.set({ changeAllowed: true })
  assert.deepEqual(press('requestManual'), ['STATE_MANUAL', 1, 0])
  assert.deepEqual(press('start'), ['STATE_MANUAL', 0, 1])
  assert.deepEqual(press('requestAutomatic'), ['STATE_MANUAL', 0, 1])
  unit.set({ automaticAllowed: true })
  assert.deepEqual(press('requestAutomatic'), ['STATE_AUTOMATIC', 1, 0])
  assert.deepEqual(press('start'), ['STATE_RUNNING', 1, 0])
  assert.deepEqual(unit.read('isAutomatic', 'isRunning', 'isManual'), [1, 1, 0])
  // A second request does not end the run; a refused one neither.
  assert.deepEqual(press('requestAutomatic'), ['STATE_RUNNING', 0, 0])
  unit.set({ changeAllowed: false })
  assert.deepEqual(press('requestManual'), ['STATE_RUNNING', 0, 1])
  assert.deepEqual(press('start', 'stop'), ['STATE_AUTOMATIC', 1, 0])
  press('start')
  assert.equal(unit.after(10, { faultPresent: true }), 'STATE_AUTOMATIC')
  press('start')
  assert.equal(unit.after(10, { faultPresent: false }), 'STATE_AUTOMATIC')
  press('start')
  assert.equal(unit.after(10, { automaticAllowed: false }), 'STATE_OFF')
  unit.after(10, { automaticAllowed: true, changeAllowed: true })
  press('requestAutomatic')
  // Switches dominate, and end in off.
  assert.equal(unit.after(10, { localSwitch: true }), 'STATE_LOCAL')
  assert.deepEqual(press('requestAutomatic'), ['STATE_LOCAL', 0, 0])
  assert.equal(unit.after(10, { maintenanceKey: true }), 'STATE_MAINTENANCE')
  assert.equal(unit.after(10, { maintenanceKey: false }), 'STATE_LOCAL')
  assert.equal(unit.after(10, { localSwitch: false }), 'STATE_OFF')
  press('requestAutomatic')
  assert.deepEqual(press('requestOff', 'requestManual', 'start'), ['STATE_OFF', 1, 1])
  unit.assertEveryState()
})

test('mode handling without switches, off at a fault or not at all', () => {
  for (const [onFault, expected] of [
    ['off', 'STATE_OFF'],
    ['none', 'STATE_RUNNING'],
  ] as const) {
    const unit = templateBench(modeHandling, { local: false, onFault })
    unit.set({ changeAllowed: true, automaticAllowed: true })
    unit.pulse('requestManual')
    unit.pulse('requestAutomatic')
    unit.pulse('start')
    assert.equal(unit.after(10, onFault === 'off' ? { faultPresent: true } : {}), expected)
    unit.pulse('requestOff')
    unit.assertEveryState()
  }
})
