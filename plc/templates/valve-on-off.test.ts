import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { valveOnOff } from './valve-on-off.ts'

test('valve on/off with both switches: movements, manual, interlock, faults', () => {
  const valve = templateBench(valveOnOff)
  assert.equal(valve.after(10, { closed: true, interlockOk: true }), 'STATE_CLOSED')
  assert.deepEqual(valve.read('coil', 'isClosed', 'moving'), [0, 1, 0])
  assert.equal(valve.after(10, { openCommand: true }), 'STATE_OPENING')
  assert.deepEqual(valve.read('coil', 'isClosed', 'moving'), [1, 0, 1])
  assert.equal(valve.after(1000, { closed: false }), 'STATE_OPENING')
  assert.equal(valve.after(10, { opened: true }), 'STATE_OPEN')
  assert.equal(valve.after(10, { openCommand: false }), 'STATE_CLOSING')
  assert.equal(valve.get('coil'), 0)
  valve.after(3000, { opened: false })
  // Turned round on its way: the time begins again.
  assert.equal(valve.after(10, { openCommand: true }), 'STATE_OPENING')
  assert.equal(valve.after(4900), 'STATE_OPENING')
  assert.equal(valve.after(150), 'STATE_FAULT')
  assert.deepEqual(valve.read('coil', 'fault', 'faultCode'), [0, 1, 1])
  // The valve is closed by its spring; the command is still there.
  valve.after(10, { closed: true, openCommand: false })
  assert.equal(valve.pulse('acknowledge'), 'STATE_CLOSING')
  assert.equal(valve.after(10), 'STATE_CLOSED')

  // Manual: edges, from where it is.
  valve.after(10, { manual: true, openCommand: true })
  assert.equal(valve.state(), 'STATE_CLOSED')
  assert.equal(valve.pulse('manualOpen'), 'STATE_OPENING')
  valve.after(10, { closed: false })
  assert.equal(valve.after(10, { opened: true }), 'STATE_OPEN')
  assert.equal(valve.pulse('manualOpen', 'manualClose'), 'STATE_CLOSING')
  valve.after(10, { opened: false })
  valve.after(10, { closed: true })
  assert.equal(valve.after(10, { manual: false }), 'STATE_OPENING')
  valve.after(10, { closed: false })
  valve.after(10, { opened: true })
  // The interlock dominates both modes.
  assert.equal(valve.after(10, { interlockOk: false }), 'STATE_CLOSING')
  valve.after(10, { opened: false })
  assert.equal(valve.after(10, { closed: true }), 'STATE_CLOSED')

  assert.equal(valve.after(10, { closed: false }), 'STATE_FAULT')
  assert.equal(valve.get('faultCode'), 2)
  valve.after(10, { closed: true })
  valve.pulse('acknowledge')
  valve.after(10)
  assert.equal(valve.after(10, { opened: true }), 'STATE_FAULT')
  assert.equal(valve.get('faultCode'), 3)
  valve.assertEveryState()
})

test('valve on/off that is open without energy, with one switch or the other', () => {
  for (const [limitSwitches, there, away] of [
    ['opened', { opened: true }, { opened: false }],
    ['closed', { closed: false }, { closed: true }],
  ] as const) {
    const valve = templateBench(valveOnOff, { safePosition: 'open', limitSwitches, travelTime: 1 })
    assert.equal(valve.after(10, { interlockOk: true, openCommand: true, ...there }), 'STATE_OPEN')
    assert.equal(valve.get('coil'), 0)
    assert.equal(valve.after(10, { openCommand: false }), 'STATE_CLOSING')
    assert.equal(valve.get('coil'), 1)
    assert.equal(valve.after(1050, away), 'STATE_CLOSED')
    assert.equal(valve.after(10, { interlockOk: false }), 'STATE_OPENING')
    assert.equal(valve.get('coil'), 0)
    assert.equal(valve.after(1050, there), 'STATE_OPEN')
    assert.equal(valve.after(10, away), 'STATE_FAULT')
    assert.equal(valve.after(10, there), 'STATE_FAULT')
    assert.equal(valve.pulse('acknowledge'), 'STATE_OPENING')
    assert.equal(valve.after(1050), 'STATE_OPEN')
    valve.assertEveryState()
  }
})

test('valve on/off without switches: the travel time stands for the movement', () => {
  const valve = templateBench(valveOnOff, { limitSwitches: 'none', travelTime: 1 })
  valve.after(10, { interlockOk: true, openCommand: true })
  assert.equal(valve.after(980), 'STATE_OPENING')
  assert.equal(valve.after(40), 'STATE_OPEN')
  assert.equal(valve.after(10, { openCommand: false }), 'STATE_CLOSING')
  assert.equal(valve.after(1020), 'STATE_CLOSED')
  valve.assertEveryState()
})
