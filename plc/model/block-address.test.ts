import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockAddressSlice, readBlockAddress, sliceType } from './block-address.ts'

test('addresses in a data block are read, and written as slices', () => {
  assert.deepEqual(readBlockAddress('%DBX2.7'), { type: 'Bool', bits: 1, byte: 2, bit: 7 })
  assert.deepEqual(readBlockAddress('dbl8'), { type: 'LWord', bits: 64, byte: 8 })
  for (const wrong of ['dbx2', 'dbx2.8', 'dbw2.0', 'dbw', 'x7', 'db5', 'dbi4', 'dbw2x'])
    assert.equal(readBlockAddress(wrong), undefined, wrong)
  assert.deepEqual(
    [blockAddressSlice('Bool', 23), blockAddressSlice('Byte', 8), blockAddressSlice('DWord', 64)],
    ['dbx2.7', 'dbb1', 'dbd8'],
  )
  for (const [type, bits] of [
    ['Word', 3],
    ['Int', 16],
    ['Word', -8],
    ['Word', Number.NaN],
  ] as const)
    assert.equal(blockAddressSlice(type, bits), undefined, `${type} ${bits}`)
})

test('a slice has the type of its letter', () => {
  assert.deepEqual(['x7', 'b0', 'W1', 'd0', 'dbw4', 'dbx0.0', 'dbd4'].map(sliceType), [
    'Bool',
    'Byte',
    'Word',
    'DWord',
    'Word',
    'Bool',
    'DWord',
  ])
})
