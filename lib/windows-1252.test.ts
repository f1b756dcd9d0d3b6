import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromWindows1252, windows1252CodeOf } from './windows-1252.ts'

test('all 256 codes come back, and those of the euro, dashes and quotation marks are what Windows has', () => {
  const all = Uint8Array.from({ length: 256 }, (_, i) => i)
  const text = fromWindows1252(all)
  assert.equal(text.length, 256)
  assert.deepEqual([...text].map(windows1252CodeOf), [...all])
  assert.equal(fromWindows1252(Uint8Array.of(0x80, 0x84, 0x93, 0x96, 0xe4, 0x41)), '€„“–äA')
})

test('a character that the code page does not have has no code', () => {
  for (const one of ['Ω', 'ł', '\u0100']) assert.equal(windows1252CodeOf(one), undefined)
})
