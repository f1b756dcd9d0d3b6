import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { motorDirect } from './motor-direct.ts'

const healthy = { enable: true, interlockOk: true, protectionOk: true }

test('motor direct: off, starting, running, stopping, faults and their acknowledgement', () => {
  const motor = templateBench(motorDirect)
  // Fail-safe: without its signals it has a fault and nothing starts.
  assert.equal(motor.after(10, { start: true }), 'STATE_FAULT')
  assert.deepEqual(motor.read('contactor', 'faultCode'), [0, 1])
  motor.after(10, { ...healthy, start: false })
  assert.equal(motor.pulse('acknowledge'), 'STATE_OFF')
  assert.equal(motor.get('ready'), 1)
  assert.equal(motor.pulse('start'), 'STATE_STARTING')
  assert.deepEqual(motor.read('contactor', 'running', 'startCount'), [1, 0, 1])
  assert.equal(motor.after(100, { runFeedback: true }), 'STATE_RUNNING')
  assert.equal(motor.after(3_600_000 / 100, {}), 'STATE_RUNNING')
  assert.ok(Math.abs((motor.get('operatingHours') as number) - 0.01) < 1e-4)
  assert.equal(motor.after(10, { stop: true }), 'STATE_STOPPING')
  assert.equal(motor.get('contactor'), 0)
  assert.equal(motor.after(10, { runFeedback: false }), 'STATE_OFF')
  // Stop dominates.
  assert.equal(motor.pulse('start'), 'STATE_OFF')
  motor.after(10, { stop: false })

  // The contactor does not pull in.
  motor.pulse('start')
  assert.equal(motor.after(1980), 'STATE_STARTING')
  assert.equal(motor.after(30), 'STATE_FAULT')
  assert.deepEqual(motor.read('contactor', 'fault', 'faultCode'), [0, 1, 2])
  assert.equal(motor.pulse('acknowledge'), 'STATE_OFF')

  // Its contact sticks.
  assert.equal(motor.after(2020, { runFeedback: true }), 'STATE_FAULT')
  assert.equal(motor.get('faultCode'), 3)
  assert.equal(motor.pulse('acknowledge'), 'STATE_FAULT')
  motor.after(20, { runFeedback: false })
  assert.equal(motor.pulse('acknowledge'), 'STATE_OFF')

  // Lost releases stop without a fault; they are not remembered.
  for (const release of ['enable', 'interlockOk']) {
    motor.pulse('start')
    motor.after(10, { runFeedback: true })
    assert.equal(motor.after(10, { [release]: false }), 'STATE_STOPPING')
    motor.after(10, { runFeedback: false, [release]: true })
    assert.equal(motor.after(100), 'STATE_OFF')
  }
  motor.pulse('start')
  assert.equal(motor.after(10, { stop: true }), 'STATE_STOPPING')
  motor.after(20, { stop: false })

  // The protection trips while it runs: no restart while start is held.
  motor.pulse('start')
  motor.after(10, { runFeedback: true, start: true })
  assert.equal(motor.after(10, { protectionOk: false }), 'STATE_FAULT')
  assert.equal(motor.get('contactor'), 0)
  motor.after(10, { runFeedback: false, protectionOk: true })
  motor.pulse('acknowledge')
  assert.equal(motor.after(1000), 'STATE_OFF')
  motor.assertEveryState()
})

test('motor direct without feedback and counters', () => {
  const motor = templateBench(motorDirect, { feedback: false, counters: false })
  motor.after(10, healthy)
  assert.equal(motor.state(), 'STATE_OFF')
  assert.equal(motor.pulse('start'), 'STATE_RUNNING')
  assert.equal(motor.after(10, { stop: true }), 'STATE_OFF')
  motor.after(10, { stop: false })
  motor.pulse('start')
  assert.equal(motor.after(10, { protectionOk: false }), 'STATE_FAULT')
  motor.after(10, { protectionOk: true })
  assert.equal(motor.pulse('acknowledge'), 'STATE_OFF')
  motor.assertEveryState()
})
