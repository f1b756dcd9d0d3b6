import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortened } from './shortened.ts'

test('a text is told whole up to the length, and cut behind it', () => {
  assert.deepEqual(
    ['', 'a', 'abcd', 'abcde', 'abcdef'].map((text) => shortened(text, 4)),
    ['', 'a', 'abcd', 'abcd…', 'abcd…'],
  )
})

test('a character of two units is kept whole or left out', () => {
  assert.equal(shortened('abc😀', 5), 'abc😀')
  assert.equal(shortened('abc😀d', 5), 'abc😀…')
  assert.equal(shortened('abc😀d', 4), 'abc…')
  assert.equal(shortened('\ud7ffb', 1), '\ud7ff…')
  assert.equal(shortened('\udc00b', 1), '\udc00…')
  assert.equal(shortened('\udbff\udfffb', 1), '…')
})
