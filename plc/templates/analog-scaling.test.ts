import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { analogScaling } from './analog-scaling.ts'

test('analog value: scaling, limits with delay and hysteresis, bad signals', () => {
  const input = templateBench(analogScaling, { filter: false, rangeLow: -50, rangeHigh: 150 })
  /** Raw value of a scaled one. */
  const raw = (value: number) => Math.round(((value + 50) / 200) * 27_648)
  assert.equal(input.after(100, { raw: raw(50) }), 'STATE_BAD_SIGNAL')
  assert.equal(input.after(1900, { signalOk: true }), 'STATE_BAD_SIGNAL')
  assert.equal(input.after(200), 'STATE_NORMAL')
  assert.ok(Math.abs((input.get('value') as number) - 50) < 0.01)
  assert.equal(input.get('quality'), 1)
  // Limits by default: 90 %, 95 %, 10 %, 5 % of the range; back by 1 %.
  assert.equal(input.after(1900, { raw: raw(131) }), 'STATE_NORMAL')
  assert.equal(input.after(200), 'STATE_HIGH')
  assert.equal(input.after(3000, { raw: raw(128.5) }), 'STATE_HIGH')
  assert.equal(input.after(10, { raw: raw(127.5) }), 'STATE_NORMAL')
  assert.equal(input.after(2100, { raw: raw(141) }), 'STATE_HIGH_HIGH')
  assert.deepEqual(input.read('highHigh', 'high', 'low', 'lowLow'), [1, 1, 0, 0])
  assert.equal(input.after(10, { raw: raw(135) }), 'STATE_HIGH')
  assert.equal(input.after(2100, { raw: raw(-31) }), 'STATE_LOW')
  assert.equal(input.after(2100, { raw: raw(-41) }), 'STATE_LOW_LOW')
  assert.equal(input.after(10, { raw: raw(-28.5) }), 'STATE_LOW')
  assert.equal(input.after(10, { raw: raw(-27.5) }), 'STATE_NORMAL')
  // A peak shorter than the delay is none.
  input.after(1000, { raw: raw(149) })
  assert.equal(input.after(3000, { raw: raw(60) }), 'STATE_NORMAL')
  for (const broken of [32_767, -32_768]) {
    assert.equal(input.after(10, { raw: broken }), 'STATE_BAD_SIGNAL')
    assert.ok(Math.abs((input.get('value') as number) - 60) < 0.01)
    assert.equal(input.get('quality'), 0)
    assert.equal(input.after(2100, { raw: raw(60) }), 'STATE_NORMAL')
  }
  input.assertEveryState()
})

test('analog value: filter and substitute value of a bipolar signal', () => {
  const input = templateBench(analogScaling, {
    signal: 'bipolar',
    onBadSignal: 'substitute',
    rangeLow: -10,
    rangeHigh: 10,
  })
  input.after(10, { raw: -27_648, signalOk: true })
  // The first value is taken as it is.
  assert.ok(Math.abs((input.get('value') as number) + 10) < 1e-3)
  input.after(1000, { raw: 27_648 })
  const value = input.get('value') as number
  // One time constant: 63 % of the way.
  assert.ok(Math.abs(value - (-10 + 20 * 0.632)) < 0.1, `${value}`)
  input.after(20_000, { raw: 0 })
  assert.ok(Math.abs(input.get('value') as number) < 1e-3)
  input.after(10, { raw: 32_767 })
  assert.equal(input.get('value'), -10)
  input.after(10, { raw: 0 })
  assert.ok(Math.abs(input.get('value') as number) < 1e-3)
  assert.equal(input.state(), 'STATE_BAD_SIGNAL')
})
