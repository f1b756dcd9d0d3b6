import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { totaliser } from './totaliser.ts'

const near = (value: unknown, wanted: number, by = 1e-6) =>
  assert.ok(Math.abs((value as number) - wanted) <= by, `${value} instead of ${wanted}`)

test('totaliser of a flow: counts with time, whatever the cycle, up to a preset quantity', () => {
  for (const cycle of [1, 10, 250]) {
    const meter = templateBench(totaliser, { cutOff: 1 }, { cycle })
    assert.equal(meter.after(1000, { flow: 3600, inputOk: true }), 'STATE_STOPPED')
    assert.equal(meter.get('total'), 0)
    assert.equal(meter.after(10_000, { enable: true, presetQuantity: 15, lead: 0.5 }), 'STATE_COUNTING')
    near(meter.get('batchTotal'), 10)
    near(meter.get('remaining'), 5)
    assert.equal(meter.after(5000), 'STATE_REACHED')
    assert.deepEqual([meter.get('reached'), meter.get('remaining')], [1, 0])
    near(meter.get('batchTotal'), 15)
    // Below the cut-off, and unmeasured: nothing.
    meter.after(5000, { flow: 0.9 })
    assert.equal(meter.after(5000, { flow: 3600, inputOk: false }), 'STATE_BAD_SIGNAL')
    near(meter.get('batchTotal'), 15)
    meter.pulse('reset')
    near(meter.get('batchTotal'), 0)
    near(meter.get('total'), 15)
    assert.equal(meter.after(1000, { inputOk: true }), 'STATE_COUNTING')
    near(meter.get('total'), 16)
    meter.set({ enable: false })
    meter.pulse('resetTotal')
    assert.deepEqual(meter.read('total', 'reached'), [0, 0])
    meter.assertEveryState()
  }
})

test('totaliser of pulses without preset', () => {
  const meter = templateBench(totaliser, { source: 'pulse', pulseValue: 0.25, preset: false })
  meter.pulse('pulse')
  assert.equal(meter.after(20, { enable: true }), 'STATE_COUNTING')
  for (let i = 0; i < 8; i++) {
    meter.pulse('pulse')
    meter.scan()
  }
  // A pulse that stays counts once.
  meter.after(100, { pulse: true })
  assert.deepEqual(meter.read('batchTotal', 'total'), [2.25, 2.25])
  meter.assertEveryState()
})
