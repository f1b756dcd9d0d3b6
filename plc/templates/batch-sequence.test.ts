import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templateBench } from '../testing/template-bench.ts'
import { batchSequence } from './batch-sequence.ts'

const healthy = { holdInterlockOk: true, abortInterlockOk: true }

test('batch sequence: all steps, hold and restart, timeout, abort, reset', () => {
  const batch = templateBench(batchSequence, { stepTime: 10 })
  const active = () => batch.read('fillActive', 'heatActive', 'mixActive', 'drainActive').join('')
  // Not without its interlocks.
  assert.equal(batch.pulse('start'), 'STATE_IDLE')
  batch.after(10, healthy)
  assert.equal(batch.pulse('start'), 'STATE_RUNNING')
  assert.deepEqual([active(), batch.get('step')], ['1000', 1])
  batch.after(5000)
  assert.ok((batch.get('stepElapsed') as number) >= 4900)
  batch.pulse('fillDone')
  assert.equal(active(), '0100')
  // What ends another step does nothing.
  batch.pulse('fillDone')
  assert.equal(active(), '0100')
  batch.after(6000)
  assert.equal(batch.get('stepTimeout'), 0)
  assert.equal(batch.pulse('hold'), 'STATE_HELD')
  assert.deepEqual([active(), batch.get('step'), batch.get('held')], ['0000', 2, 1])
  // Its end does not count while it is held.
  assert.equal(batch.pulse('heatDone'), 'STATE_HELD')
  assert.equal(batch.pulse('hold', 'restart'), 'STATE_HELD')
  batch.scan()
  assert.equal(batch.pulse('restart'), 'STATE_RUNNING')
  assert.equal(active(), '0100')
  // Too long: held, reported, and begun anew.
  batch.after(9900)
  assert.equal(batch.state(), 'STATE_RUNNING')
  assert.equal(batch.after(200), 'STATE_HELD')
  assert.equal(batch.get('stepTimeout'), 1)
  batch.pulse('restart')
  batch.after(20)
  assert.deepEqual([active(), batch.get('stepTimeout')], ['0100', 0])
  batch.pulse('heatDone')
  assert.equal(batch.after(10, { holdInterlockOk: false }), 'STATE_HELD')
  assert.equal(batch.pulse('restart'), 'STATE_HELD')
  batch.after(10, healthy)
  batch.pulse('restart')
  batch.pulse('mixDone')
  assert.equal(active(), '0001')
  assert.equal(batch.pulse('drainDone'), 'STATE_COMPLETE')
  assert.deepEqual(batch.read('complete', 'step'), [1, 0])
  assert.equal(batch.pulse('start'), 'STATE_COMPLETE')
  assert.equal(batch.pulse('abort'), 'STATE_COMPLETE')
  assert.equal(batch.pulse('reset'), 'STATE_IDLE')

  batch.pulse('start')
  assert.equal(batch.pulse('abort', 'hold'), 'STATE_ABORTED')
  assert.deepEqual([active(), batch.get('step')], ['0000', 1])
  batch.pulse('reset')
  batch.pulse('start')
  batch.pulse('hold')
  assert.equal(batch.after(10, { abortInterlockOk: false }), 'STATE_ABORTED')
  batch.assertEveryState()
})

test('batch sequence of own steps that only reports a long one', () => {
  const batch = templateBench(batchSequence, { steps: ['Rinse', 'mixSlow2'], onTimeout: 'report', stepTime: 1 })
  batch.set({ ...healthy, rinseDone: true })
  batch.pulse('start')
  // The end of the first step begins the next one in the same cycle.
  batch.after(10)
  assert.deepEqual(batch.read('rinseActive', 'mixSlow2Active'), [0, 1])
  assert.equal(batch.after(1100), 'STATE_RUNNING')
  assert.equal(batch.get('stepTimeout'), 1)
  assert.equal(batch.pulse('mixSlow2Done'), 'STATE_COMPLETE')
  assert.deepEqual(
    batchSequence.check({ steps: ['1st', 'a b', 'ok', 'OK'] }).map(({ path }) => path),
    ['/steps/0', '/steps/1', '/steps/3'],
  )
})
