/** Array data blocks as sources: the type alone, and the values of single elements and in dimensions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from './read.ts'
import { sourceTextOf } from './write.ts'

for (const [type, assignments] of [
  ['Array[0..9] of Int', ['[3] := 5', '[7] := -2']],
  ['Array[-2..2, 1..3] of Real', ['[-2,3] := 1.5', '[2,1] := 2.5']],
  ['Array[0..1] of Bool', []],
] as const)
  test(`an array data block of ${type} keeps its values`, () => {
    const body = assignments.map((one) => `   ${one};\n`).join('')
    const { blocks, faults } = readSource(`DATA_BLOCK "A"\nRETAIN\n${type}\nBEGIN\n${body}END_DATA_BLOCK\n`)
    assert.deepEqual(faults, [])
    const { text: _text, ...object } = blocks[0]!.object
    const written = sourceTextOf(object) ?? ''
    const [head = '', values = ''] = written.split('BEGIN\n')
    assert.match(head, /\nRETAIN\n/)
    assert.ok(head.includes(`\n${type}\n`), head)
    assert.deepEqual(
      values.split('\n').flatMap((line) => (line.includes(':=') ? [line.trim().replace(/;$/, '')] : [])),
      assignments,
    )
    const again = readSource(written)
    assert.deepEqual(again.faults, [])
    assert.deepEqual(again.blocks[0]?.object.interface, object.interface)
  })
