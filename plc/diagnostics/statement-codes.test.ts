import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from '../program/link-program.ts'
import { diagnosticCodes } from './codes.ts'
import { statementCodes } from './statement-codes.ts'

function codesOf(source: string): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const lowered = [...program.blocks.values()].flatMap((block) => lowerBlock(program, block).diagnostics)
  return [...program.diagnostics, ...lowered].map(({ code }) => code)
}

for (const [code, { fails, passes }] of Object.entries(statementCodes))
  test(`${code} has an example that fails with it alone and one that passes`, () => {
    assert.deepEqual(codesOf(fails), [code])
    assert.deepEqual(codesOf(passes), [])
    assert.ok(diagnosticCodes.has(code))
  })
