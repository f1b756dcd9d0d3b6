import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outputText } from './block-facts.ts'

test('outputs of each size have their address as text; larger ones their bytes', () => {
  const sizes = [1, 8, 16, 24, 32, 48, 64, 96, 128]
  assert.deepEqual(
    sizes.map((bits) => outputText({ first: 80, bits })),
    [
      '%Q10.0',
      '%QB10',
      '%QW10',
      '%QB10 to %QB12',
      '%QD10',
      '%QB10 to %QB15',
      '%QL10',
      '%QB10 to %QB21',
      '%QB10 to %QB25',
    ],
  )
  assert.equal(outputText({ first: 87, bits: 1 }), '%Q10.7')
})
