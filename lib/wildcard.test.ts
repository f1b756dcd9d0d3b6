import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyOf, wildcard } from './wildcard.ts'

test('* stands for any characters, also for none; everything else for itself', () => {
  const cases: [pattern: string, text: string, matches: boolean][] = [
    ['blocks.delete', 'blocks.delete', true],
    ['blocks.delete', 'blocksXdelete', false],
    ['blocks.delete', 'blocks.delete-folder', false],
    ['*.delete', 'blocks.delete', true],
    ['*.delete', 'delete', false],
    ['blocks.*', 'blocks.', true],
    ['*', '', true],
    ['', 'x', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a*b', 'xab', false],
    ['a*x*c', 'a-c', false],
    ['ab*ba', 'aba', false],
    ['a**b', 'ab', true],
    ['**x**', 'axb', true],
    ['a*a', 'a', false],
    ['vs(code)*', 'vs(code)/1', true],
  ]
  for (const [pattern, text, matches] of cases) assert.equal(wildcard(pattern)(text), matches, `${pattern} ${text}`)
  assert.equal(wildcard('*a'.repeat(100))('a'.repeat(99)), false, 'and no pattern makes it slow')
})

test('of several patterns one match is enough, and none matches nothing', () => {
  const fits = anyOf(['blocks.*', 'tags.add'])
  for (const text of ['blocks.list', 'tags.add']) assert.equal(fits(text), true, text)
  for (const text of ['tags.add-all', 'types.list', '']) assert.equal(fits(text), false, text)
  assert.equal(anyOf([])('x'), false)
})
