import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lowerBlock } from '../lower/lower-block.ts'
import { readSource } from '../source/read.ts'
import { checkCodes } from './check-codes.ts'
import { diagnosticCodes } from './codes.ts'
import { linkProgram } from './link-program.ts'

/** Diagnostics of a source: `severity code`. */
function found(source: string): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const lowered = [...program.blocks.values()].flatMap((block) => lowerBlock(program, block).diagnostics)
  return [...program.diagnostics, ...lowered].map(({ severity, code }) => `${severity} ${code}`)
}

for (const [code, { fails, passes }] of Object.entries(checkCodes))
  test(`${code} has an example that has it alone and one that has nothing`, () => {
    assert.deepEqual(found(fails), [`warning ${code}`])
    assert.deepEqual(found(passes), [])
    assert.ok(diagnosticCodes.has(code))
  })
