import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { pidLoop } from './pid-loop.ts'

/** A first-order process: it settles at gain * output. */
const options = (gain: number, ambient = 0) => ({
  main: `"Dut"(processValue := #x, manualValue := #byHand);
#x := #x + (${ambient}.0 + ${gain.toFixed(1)} * "Dut".output - #x) * 0.02;`,
  members: `x : Real := ${ambient}.0; byHand : Real;`,
  cycle: 100,
})

test('PID loop: off, automatic with ramp, manual without a bump, fault, deviation', () => {
  const loop = templateBench(pidLoop, { deviationTime: 10 }, options(1))
  const value = (path: string) => loop.get(path) as number
  assert.equal(loop.after(200, { setpoint: 50 }), 'STATE_OFF')
  assert.deepEqual(loop.read('output', 'automatic'), [0, 0])
  assert.equal(loop.after(100, { enable: true }), 'STATE_FAULT')
  loop.set({ 'instPid.Retain.CtrlParams.Gain': 2, 'instPid.Retain.CtrlParams.Ti': 5 })
  assert.equal(loop.after(100, { inputOk: true }), 'STATE_AUTOMATIC')
  // The ramp: one unit in a second.
  loop.after(10_000)
  assert.ok(Math.abs(value('activeSetpoint') - 10) < 0.3, `${value('activeSetpoint')}`)
  assert.equal(loop.get('deviation'), 1)
  loop.after(100_000)
  assert.equal(value('activeSetpoint'), 50)
  assert.ok(Math.abs((loop.getMain('x') as number) - 50) < 0.2, `${loop.getMain('x')}`)
  assert.equal(loop.get('deviation'), 0)

  const before = value('output')
  assert.equal(loop.after(500, { manual: true }), 'STATE_MANUAL')
  assert.ok(Math.abs(value('output') - before) < 1)
  loop.setMain({ byHand: 30 })
  loop.after(30_000)
  assert.equal(value('output'), 30)
  assert.ok(Math.abs((loop.getMain('x') as number) - 30) < 0.5)
  // Back in automatic it begins where the process is.
  assert.equal(loop.after(200, { manual: false }), 'STATE_AUTOMATIC')
  assert.ok(Math.abs(value('output') - 30) < 3, `${value('output')}`)
  loop.after(60_000)
  assert.ok(Math.abs((loop.getMain('x') as number) - 50) < 0.5)

  assert.equal(loop.after(100, { inputOk: false }), 'STATE_FAULT')
  assert.deepEqual(loop.read('output', 'fault'), [0, 1])
  // By hand also without a process value.
  assert.equal(loop.after(100, { manual: true }), 'STATE_MANUAL')
  assert.equal(loop.after(100, { manual: false, inputOk: true }), 'STATE_AUTOMATIC')
  assert.equal(loop.after(100, { setpoint: 1e6 }), 'STATE_AUTOMATIC')
  loop.after(60_000)
  assert.equal(value('activeSetpoint'), 100)
  // An error of the controller: the output is off until it is over.
  loop.after(100, { 'instPid.Config.InputUpperLimit': 100 })
  assert.equal(loop.state(), 'STATE_AUTOMATIC')
  loop.setMain({ x: 500 })
  assert.equal(loop.after(300), 'STATE_FAULT')
  assert.notEqual(loop.get('errorBits'), 0)
  loop.setMain({ x: 50 })
  loop.after(300)
  loop.pulse('acknowledge')
  assert.equal(loop.after(300), 'STATE_AUTOMATIC')
  loop.assertEveryState()
})

test('PID loop that cools, without ramp', () => {
  const loop = templateBench(pidLoop, { invert: true, ramp: false }, options(-0.5, 60))
  loop.set({ 'instPid.Retain.CtrlParams.Gain': 3, 'instPid.Retain.CtrlParams.Ti': 5 })
  loop.after(100_000, { enable: true, inputOk: true, setpoint: 40 })
  assert.ok(Math.abs((loop.getMain('x') as number) - 40) < 0.5, `${loop.getMain('x')}`)
  assert.ok(Math.abs((loop.get('output') as number) - 40) < 2)
})
