import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareTexts } from './compare-texts.ts'

test('texts are in the order of their code units, capitals first, and equal ones keep theirs', () => {
  const words = [
    ['b', 1],
    ['B', 2],
    ['', 3],
    ['ä', 4],
    ['b', 5],
    ['a1', 6],
    ['a', 7],
  ] as const
  assert.deepEqual(
    [...words].sort(([a], [b]) => compareTexts(a, b)).map(([, number]) => number),
    [3, 2, 7, 6, 1, 5, 4],
  )
  assert.deepEqual([compareTexts('a', 'b'), compareTexts('b', 'a'), compareTexts('a', 'a')], [-1, 1, 0])
})
