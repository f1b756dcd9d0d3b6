/** Absolute addresses as they are written in both sets of mnemonics, and what is not one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './absolute-address.ts'

const shown = (text: string): string => {
  const found = readAddress(text)
  if (found === undefined) return 'none'
  const { area, byte, bits, bit, block } = found
  return `${area}${block ?? ''} ${byte}${bit === undefined ? '' : `.${bit}`} ${bits}`
}

test('addresses', () => {
  for (const [text, expected] of [
    ['%I0.0', 'I 0.0 1'],
    ['E1.7', 'I 1.7 1'],
    ['%IX1.7', 'I 1.7 1'],
    [' %qb4 ', 'Q 4 8'],
    ['AW10', 'Q 10 16'],
    ['%MD8', 'M 8 32'],
    ['%ML16', 'M 16 64'],
    ['%IW2:P', 'PI 2 16'],
    ['%E0.1:P', 'PI 0.1 1'],
    ['%QD4:P', 'PQ 4 32'],
    ['%A0.1:P', 'PQ 0.1 1'],
    ['%T5', 'T 5 16'],
    ['C3', 'C 3 16'],
    ['Z3', 'C 3 16'],
    ['%DB1.DBX2.3', 'DB1 2.3 1'],
    ['DB12.DBB0', 'DB12 0 8'],
    ['DB1.DBW2', 'DB1 2 16'],
    ['DB1.DBD4', 'DB1 4 32'],
    ['DB1.DBL8', 'DB1 8 64'],
    // A bit has its number, and only a bit.
    ['%I0', 'none'],
    ['%M1.8', 'none'],
    ['%MW4.1', 'none'],
    ['DB1.DBX2', 'none'],
    ['DB1.DBW2.3', 'none'],
    // Only inputs and outputs are read directly.
    ['%M0.0:P', 'none'],
    ['%T5:P', 'none'],
    ['DB1.DBW2:P', 'none'],
    ['%L0.0', 'none'],
    ['DB1', 'none'],
    ['%MW', 'none'],
    ['MW-1', 'none'],
    ['%%I0.0', 'none'],
    ['"Motor"', 'none'],
    ['', 'none'],
  ] as const)
    assert.equal(shown(text), expected, text)
})
