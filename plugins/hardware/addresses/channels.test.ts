import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ioRange } from './channels.ts'

test('addresses of I/O in bits, in each spelling; others are none', () => {
  const table: [text: string, range: string | undefined][] = [
    ['%I4.3', 'Input 35 to 36'],
    ['i4.3', 'Input 35 to 36'],
    ['%IX4.3', 'Input 35 to 36'],
    ['%Q0.7:P', 'Output 7 to 8'],
    ['%IB1', 'Input 8 to 16'],
    ['%qw10', 'Output 80 to 96'],
    ['%ED4', 'Input 32 to 64'],
    ['a w 2 :p', 'Output 16 to 32'],
    ['%IL2', 'Input 16 to 80'],
    ['%I4.8', undefined],
    ['%I4', undefined],
    ['%IW4.0', undefined],
    ['%MW4', undefined],
    ['%DB1.DBW0', undefined],
    ['x%I4.3', undefined],
    ['', undefined],
  ]
  for (const [text, range] of table) {
    const found = ioRange(text)
    assert.equal(found && `${found.ioType} ${found.from} to ${found.to}`, range, text)
  }
})
