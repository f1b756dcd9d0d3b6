import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted } from './counted.ts'

test('one has no s', () => {
  assert.equal(counted(1, 'cycle'), '1 cycle')
  assert.equal(counted(0, 'cycle'), '0 cycles')
  assert.equal(counted(2, 'with an error', 'with errors'), '2 with errors')
})
