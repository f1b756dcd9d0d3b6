/** docs/instructions.md is what the tables of the compiler give. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { instructionNames } from '../plc/compiler/lower/instructions.ts'
import { groupOfInstruction, instructionGroups } from '../plc/library/known-instructions.ts'
import { sclDiagnostics } from '../plc/testing/runtime.ts'
import { instructionDocumentation, supportOf } from '../scripts/instruction-docs.ts'

test('docs/instructions.md is current: scripts/instruction-docs.ts writes it', () => {
  const written = readFileSync(new URL('../docs/instructions.md', import.meta.url), 'utf8')
  assert.equal(written, instructionDocumentation())
})

test('no name stands twice', () => {
  const names = instructionGroups.flatMap((group) => group.names.map((name) => name.toUpperCase()))
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  assert.deepEqual(twice, [])
})

test('a missing instruction is told as one that TIA Portal has', () => {
  assert.equal(groupOfInstruction('mc_groupstop'), 'Kinematics')
  assert.equal(supportOf('MC_GroupStop'), 'missing')
  const [found] = sclDiagnostics({ members: {}, body: 'RH_GetPrimaryID();' })
  assert.equal(found?.code, 'unknown-instruction')
  assert.match(found?.message ?? '', /TIA Portal has the instruction RH_GetPrimaryID \(Redundant systems\)/)
})

test('what the compiler has is in the list, or is an older name', () => {
  // Instructions of S7-300 and S7-400, and names of older versions.
  assert.ok(instructionNames().filter((name) => groupOfInstruction(name) !== undefined).length > 150)
})
