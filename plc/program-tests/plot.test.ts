/** Traces as lines of text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestValue } from './model.ts'
import { plotOf, rangeOf } from './plot.ts'

const drawn = (...values: TestValue[]) => plotOf([{ path: 'a', values }])[0]

test('Bool is low or high', () => {
  assert.equal(drawn(false, true, true, false), 'a  ▁██▁  FALSE')
  assert.equal(drawn(true), 'a  █  TRUE')
})

test('numbers and times are drawn between their lowest and highest value, which are told', () => {
  assert.equal(drawn(10, 20, 30, 80), 'a  ▁▂▃█  10 .. 80, now 80')
  assert.equal(drawn(80, -4, 10, 38), 'a  █▁▂▅  -4 .. 80, now 38')
  assert.equal(drawn('T#1S', 'T#3S', 'T#2S'), 'a  ▁█▅  T#1S .. T#3S, now T#2S')
})

test('a value that stays is a line at the bottom', () => {
  assert.equal(drawn(7, 7, 7), 'a  ▁▁▁  7')
})

test('other values are marked where they change', () => {
  assert.equal(drawn('x', 'x', 'y', 'y', 'x'), 'a  ..|.|  x')
  assert.equal(drawn([1, 2], [1, 2], [1, 3]), 'a  ..|  [1,3]')
  assert.equal(drawn(1, 'NaN', 2), 'a  .||  2')
})

test('names stand below each other', () => {
  const lines = plotOf([
    { path: 'long.name', values: [true] },
    { path: 'b', values: [1, 2] },
  ])
  assert.deepEqual(lines, ['long.name  █  TRUE', 'b          ▁█  1 .. 2, now 2'])
  assert.deepEqual(plotOf([]), [])
})

test('the range of Bools is both levels, that of others from the lowest to the highest', () => {
  assert.deepEqual(rangeOf([true, true]), [0, 1])
  assert.deepEqual(rangeOf([3, -1, 2]), [-1, 3])
})
