import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { controlValve } from './control-valve.ts'

const options = { main: '"Dut"(manualSetpoint := #byHand);', members: 'byHand : Real;' }

test('control valve: safe position, automatic, manual without a bump, ramp, faults', () => {
  const valve = templateBench(controlValve, { safePosition: 10 }, options)
  const near = (path: string, value: number, by = 0.5) =>
    assert.ok(Math.abs((valve.get(path) as number) - value) <= by, `${path}: ${valve.get(path)}`)
  /** The valve follows its demand at once. */
  const follow = (milliseconds: number, values = {}) => {
    valve.set(values)
    for (let i = 0; i < milliseconds / 10; i++) {
      valve.after(10, { positionRaw: Math.round((valve.get('demand') as number) * 276.48) })
    }
    return valve.state()
  }
  assert.equal(follow(50, { setpoint: 60 }), 'STATE_SAFE')
  assert.deepEqual(valve.read('demand', 'output', 'automatic'), [10, 2765, 0])
  assert.equal(follow(1000, { interlockOk: true }), 'STATE_AUTOMATIC')
  near('demand', 30)
  follow(3000)
  assert.deepEqual(valve.read('demand', 'automatic'), [60, 1])
  assert.equal(valve.getMain('byHand'), 60)
  assert.equal(follow(50, { manual: true, setpoint: 0 }), 'STATE_MANUAL')
  assert.equal(valve.get('demand'), 60)
  valve.setMain({ byHand: 300 })
  follow(3000, { highLimit: 95 })
  assert.deepEqual(valve.read('demand', 'output'), [95, 26_266])
  near('position', 95, 0.1)
  // The interlock does not wait for the ramp.
  assert.equal(follow(10, { interlockOk: false }), 'STATE_SAFE')
  assert.equal(valve.get('demand'), 10)
  follow(20, { interlockOk: true, manual: false, setpoint: 50 })
  follow(5000)

  // It does not follow any more.
  valve.after(10, { setpoint: 70 })
  assert.equal(valve.after(9000), 'STATE_AUTOMATIC')
  assert.equal(valve.get('deviation'), 1)
  assert.equal(valve.after(2000), 'STATE_FAULT')
  assert.deepEqual(valve.read('demand', 'faultCode'), [10, 1])
  assert.equal(valve.pulse('acknowledge'), 'STATE_FAULT')
  follow(20)
  valve.pulse('acknowledge')
  assert.equal(follow(10), 'STATE_AUTOMATIC')
  assert.equal(valve.after(10, { positionRaw: -32_768 }), 'STATE_FAULT')
  assert.equal(valve.get('faultCode'), 2)
  valve.assertEveryState()
})

test('control valve that closes with the signal, without feedback', () => {
  const valve = templateBench(controlValve, { feedback: false, action: 'reverse', ramp: 10_000 }, options)
  assert.equal(valve.after(20), 'STATE_SAFE')
  assert.equal(valve.get('output'), 27_648)
  assert.equal(valve.after(100, { interlockOk: true, setpoint: 75 }), 'STATE_AUTOMATIC')
  assert.equal(valve.get('output'), 6912)
  valve.setMain({ byHand: 20 })
  assert.equal(valve.after(10, { manual: true }), 'STATE_MANUAL')
  valve.assertEveryState()
})
