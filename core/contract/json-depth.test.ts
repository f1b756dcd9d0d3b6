import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeeper } from './json-depth.ts'

const nested = (levels: number, around: (value: unknown) => unknown) => {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = around(value)
  return value
}

test('levels of arrays and objects are counted, however many there are', () => {
  for (const around of [(value: unknown) => [1, value, 'x'], (value: unknown) => ({ a: 1, b: value })]) {
    assert.equal(isDeeper(nested(0, around), 0), false)
    assert.equal(isDeeper(nested(64, around), 64), false)
    assert.equal(isDeeper(nested(65, around), 64), true)
    assert.equal(isDeeper(nested(100_000, around), 64), true)
  }
  assert.equal(isDeeper(null, 0), false)
  assert.equal(isDeeper([new Uint8Array(5)], 1), false)
})
