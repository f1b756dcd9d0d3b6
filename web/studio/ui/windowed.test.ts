import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowAfterKey } from './windowed.ts'

test('keys lead from row to row and not beyond the ends', () => {
  const cases: readonly [key: string, row: number, count: number, next: number | undefined][] = [
    ['ArrowDown', 0, 100, 1],
    ['ArrowDown', 98, 100, 99],
    ['ArrowDown', 99, 100, 99],
    ['ArrowDown', -1, 100, 0],
    ['ArrowUp', 1, 100, 0],
    ['ArrowUp', 0, 100, 0],
    ['PageDown', 10, 100, 30],
    ['PageDown', 90, 100, 99],
    ['PageUp', 30, 100, 10],
    ['PageUp', 10, 100, 0],
    ['Home', 50, 100, 0],
    ['End', 50, 100, 99],
    ['Enter', 50, 100, undefined],
    ['', 50, 100, undefined],
  ]
  for (const [key, row, count, next] of cases) assert.equal(rowAfterKey(key, row, count), next, `${key} at ${row}`)
})
