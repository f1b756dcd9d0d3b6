import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOptions } from '../../../test/controller.ts'
import { ControlBlock, monotonic } from './control-block.ts'
import { hasHung } from './hang.ts'

test('a block hangs after ten seconds, or four times the maximum cycle time where that is more', () => {
  const control = new ControlBlock()
  const options = testOptions('')
  assert.equal(hasHung(control, options), false, 'none runs')
  control.runningSince = monotonic() - 9000
  assert.equal(hasHung(control, options), false)
  control.runningSince = monotonic() - 11_000
  assert.equal(hasHung(control, options), true)
  assert.equal(hasHung(control, { ...options, maximumCycleTimeMs: 6000 }), false)
  const fast = { ...options, maximumCycleTimeMs: 6000, time: { mode: 'real', factor: 10 } } as const
  assert.equal(hasHung(control, fast), true, 'virtual time passes faster')
})
