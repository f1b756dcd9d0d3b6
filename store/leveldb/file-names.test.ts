import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableHolding } from './file-names.ts'

test('the table that holds a key is found by its first and last key, as LevelDB prints them', () => {
  const tables = [
    '--- level 0 ---',
    " 12:4711['b\\x00\\x1f' @ 5 : 1 .. 'b\\xff' @ 9 : 1]",
    '--- level 1 ---',
    " 7:99['c' @ 1 : 1 .. 'czz' @ 2 : 0]",
    ' 8:1[broken]',
  ].join('\n')
  const found = (hex: string) => tableHolding(Buffer.from(hex, 'hex'), tables)
  const [b, c] = ['62', '63']
  assert.equal(found(`${b}001f`), '000012.ldb')
  assert.equal(found(`${b}001e`), undefined)
  assert.equal(found(`${b}80`), '000012.ldb')
  assert.equal(found(`${b}ff`), '000012.ldb')
  assert.equal(found(`${b}ff00`), undefined)
  assert.equal(found(c), '000007.ldb')
  assert.equal(found(`${c}7a7a`), '000007.ldb')
  assert.equal(found(`${c}7a7a00`), undefined)
  assert.equal(tableHolding(Buffer.from('b'), ''), undefined)
})
