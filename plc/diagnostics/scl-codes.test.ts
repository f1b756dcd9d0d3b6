import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from '../program/link-program.ts'
import { sclCodes } from './scl-codes.ts'
import { syntaxCodes } from './syntax-codes.ts'

/** Diagnostics of linking and lowering a source, which may begin with the row of a tag: `severity code`. */
function found(example: string): string[] {
  const [row = '', name = '', dataType = '', logicalAddress = ''] = /^"(\w+)" (\w+) ?(\S*)\n/.exec(example) ?? []
  const tags = row === '' ? [] : [{ name, dataType, logicalAddress }]
  const { blocks } = readSource(example.slice(row.length))
  const program = linkProgram(
    blocks.map(({ object }) => ({ object })),
    [{ name: 'Tags', tags, constants: [] }],
  )
  const lowered = [...program.blocks.values()].flatMap((block) => lowerBlock(program, block).diagnostics)
  return [...program.diagnostics, ...lowered].map(({ severity, code }) => `${severity} ${code}`)
}

for (const [code, { fails, passes, severity }] of Object.entries({ ...sclCodes, ...syntaxCodes }))
  test(`${code}: one example has it, the other has nothing`, () => {
    assert.ok(found(fails).includes(`${severity} ${code}`), found(fails).join(', '))
    assert.deepEqual(found(passes), [])
  })
