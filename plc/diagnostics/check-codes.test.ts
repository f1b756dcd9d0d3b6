import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkProgram } from '../compiler/lower/checks/program-checks.ts'
import { lowerBlock } from '../compiler/lower/lower-block.ts'
import { readSource } from '../formats/source/read.ts'
import { linkProgram } from '../program/link-program.ts'
import { checkCodes } from './check-codes.ts'
import { diagnosticCodes } from './codes.ts'

/** Diagnostics of a source: `severity code`. */
function found(source: string): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const lowered = [...program.blocks].map(([key, block]) => ({ key, ...lowerBlock(program, block) }))
  const together = checkProgram(program, new Map(lowered.map(({ key, facts }) => [key, facts])), {
    isWhole: true,
    isSound: true,
  })
  const all = [...program.diagnostics, ...lowered.flatMap(({ diagnostics }) => diagnostics), ...together]
  return all.map(({ severity, code }) => `${severity} ${code}`)
}

for (const [code, { severity, fails, passes }] of Object.entries(checkCodes))
  test(`${code} has an example that has it alone and one that has nothing`, () => {
    assert.deepEqual([...new Set(found(fails))], [`${severity} ${code}`])
    assert.deepEqual(found(passes), [])
    assert.ok(diagnosticCodes.has(code))
  })
