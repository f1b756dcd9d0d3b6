import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { motorReversing } from './motor-reversing.ts'

const healthy = { enable: true, interlockOk: true, protectionOk: true, forwardAllowed: true, reverseAllowed: true }
const idle = { forwardFeedback: false, reverseFeedback: false }

test('motor reversing: both directions, the pause between them, faults', () => {
  const motor = templateBench(motorReversing)
  assert.equal(motor.after(10), 'STATE_FAULT')
  motor.after(10, healthy)
  // After a fault the motor may still turn.
  assert.equal(motor.pulse('acknowledge'), 'STATE_PAUSE')
  assert.equal(motor.after(3020), 'STATE_OFF')
  assert.equal(motor.pulse('startForward', 'startReverse'), 'STATE_OFF')
  motor.scan()
  assert.equal(motor.pulse('startForward'), 'STATE_FORWARD')
  assert.deepEqual(motor.read('contactorForward', 'contactorReverse'), [1, 0])
  motor.after(100, { forwardFeedback: true })
  assert.equal(motor.pulse('startReverse'), 'STATE_PAUSE')
  assert.deepEqual(motor.read('contactorForward', 'contactorReverse', 'running'), [0, 0, 0])
  motor.after(10, idle)
  assert.equal(motor.after(2970), 'STATE_PAUSE')
  assert.equal(motor.after(40), 'STATE_REVERSE')
  motor.after(100, { reverseFeedback: true })
  assert.deepEqual(motor.read('contactorForward', 'contactorReverse', 'running'), [0, 1, 1])
  // Its end switch stops it, and blocks this direction only.
  assert.equal(motor.after(10, { reverseAllowed: false }), 'STATE_PAUSE')
  motor.after(3100, idle)
  assert.equal(motor.pulse('startReverse'), 'STATE_OFF')
  assert.equal(motor.pulse('startForward'), 'STATE_FORWARD')
  motor.after(50, { forwardFeedback: true, reverseAllowed: true })
  // A stop within the pause drops the wish.
  motor.pulse('startReverse')
  motor.after(50, idle)
  assert.equal(motor.pulse('stop'), 'STATE_PAUSE')
  assert.equal(motor.after(3100), 'STATE_OFF')
  // A start within the pause after a stop is remembered.
  motor.pulse('startReverse')
  motor.after(50, { reverseFeedback: true })
  assert.equal(motor.pulse('stop'), 'STATE_PAUSE')
  motor.after(50, idle)
  motor.pulse('startForward')
  assert.equal(motor.after(3100), 'STATE_FORWARD')
  // Its contactor has not followed within the time.
  assert.equal(motor.state(), 'STATE_FORWARD')
  assert.equal(motor.after(2000), 'STATE_FAULT')
  assert.equal(motor.get('faultCode'), 2)
  motor.pulse('acknowledge')
  motor.after(3100)
  motor.pulse('startReverse')
  assert.equal(motor.after(2100), 'STATE_FAULT')
  assert.equal(motor.get('faultCode'), 3)
  // Both on.
  motor.pulse('acknowledge')
  assert.equal(motor.after(10, { forwardFeedback: true, reverseFeedback: true }), 'STATE_FAULT')
  assert.equal(motor.get('faultCode'), 4)
  assert.equal(motor.pulse('acknowledge'), 'STATE_FAULT')
  motor.assertEveryState()
})

test('motor reversing without feedback', () => {
  const motor = templateBench(motorReversing, { feedback: false, reversingPause: 0.5 })
  motor.after(10, healthy)
  assert.equal(motor.after(600), 'STATE_OFF')
  motor.pulse('startReverse')
  assert.equal(motor.pulse('startForward'), 'STATE_PAUSE')
  assert.equal(motor.after(520), 'STATE_FORWARD')
  assert.equal(motor.pulse('startReverse'), 'STATE_PAUSE')
  assert.equal(motor.after(520), 'STATE_REVERSE')
  assert.equal(motor.after(10, { protectionOk: false }), 'STATE_FAULT')
  assert.deepEqual(motor.read('contactorForward', 'contactorReverse'), [0, 0])
  motor.assertEveryState()
})
