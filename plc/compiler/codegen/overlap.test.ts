import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Expression, Place, PlaceIndex } from '../../ir/ir.ts'
import { DInt } from '../../program/scalars.ts'
import { mayBeOne, reach } from './overlap.ts'

const value: Expression = { kind: 'constant', type: DInt, value: 0n }
const index = (given: Partial<PlaceIndex>): PlaceIndex => ({ value, low: 0, high: 0, stride: 1, site: 0, ...given })
const place = (indices: readonly PlaceIndex[], bit?: number): Place => ({
  base: { kind: 'area', area: 'M' },
  offset: 0,
  indices,
  isStandard: true,
  ...(bit === undefined ? {} : { bit }),
})

test('a place reaches to the end of the last element, in bytes and in bits', () => {
  assert.equal(reach(place([]), 4), 4)
  assert.equal(reach(place([index({ low: 1, high: 4, stride: 2 })]), 2), 8)
  assert.equal(reach(place([index({ low: -1, high: 1, stride: 10 }), index({ high: 4, stride: 2 })]), 2), 30)
  assert.equal(reach(place([index({ high: 16, isBits: true })], 0), 0), 2)
  assert.equal(reach(place([index({ high: 16, isBits: true })], 1), 0), 3)
})

test('a place with a limit that is known at run time only reaches anywhere', () => {
  for (const limits of [{ low: value }, { high: value }])
    assert.equal(reach(place([index({ high: 3 }), index(limits)]), 1), Number.POSITIVE_INFINITY)
})

test('an instance may be a data block, and nothing else', () => {
  assert.deepEqual([mayBeOne('instance', 'block data'), mayBeOne('block data', 'instance')], [true, true])
  for (const other of ['block $probes', 'area M', 'frame', 'instance'])
    assert.deepEqual([mayBeOne('instance', other), mayBeOne(other, 'instance')], [false, false], other)
  assert.equal(mayBeOne('block data', 'block other'), false)
})
