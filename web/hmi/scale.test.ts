/** Marks of scales. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marks, onArc } from './scale.tsx'

test('marks are round values within the range, as many as have room', () => {
  assert.deepEqual(marks(0, 100, 6), [0, 20, 40, 60, 80, 100])
  assert.deepEqual(marks(0, 100, 11), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  assert.deepEqual(marks(-50, 50, 5), [-50, 0, 50])
  assert.deepEqual(marks(0, 0.3, 4), [0, 0.1, 0.2, 0.3])
  assert.deepEqual(marks(3, 17, 4), [5, 10, 15])
  assert.deepEqual(marks(100, 0, 3), [0, 50, 100])
  for (const [low, high] of [
    [1, 1],
    [Number.NaN, 5],
    [0, Number.POSITIVE_INFINITY],
  ] as const)
    assert.deepEqual(marks(low, high, 5), [])
  for (const most of [2, 5, 12])
    for (const high of [1, 7, 250, 27_648]) assert.ok(marks(0, high, most).length <= most, `${high} ${most}`)
})

test('the arc of a gauge goes from below on the left over the top to below on the right', () => {
  const rounded = (part: number) => Object.values(onArc(0, 0, 10, part)).map((one) => Math.round(one) + 0)
  assert.deepEqual(
    [rounded(0), rounded(0.5), rounded(1)],
    [
      [-7, 7],
      [0, -10],
      [7, 7],
    ],
  )
})
