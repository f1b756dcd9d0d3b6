import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerBound } from './lower-bound.ts'

test('the first entry that is not before a value is found, among equal ones too', () => {
  for (const list of [[], [3], [1, 3], [1, 3, 3, 5], [3, 3, 3], [1, 2, 3, 4, 5, 6, 7]])
    for (let value = 0; value <= 8; value++) {
      const first = list.findIndex((one) => one >= value)
      assert.equal(
        lowerBound(list, (one) => one < value),
        first < 0 ? list.length : first,
        `${value} in ${list}`,
      )
    }
})
