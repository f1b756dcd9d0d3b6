import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../../formats/source/read.ts'
import { linkProgram } from '../../../program/link-program.ts'
import { expressionNetwork, networkDiagnostics } from '../../../testing/lower-ladder.ts'
import { lowerBlock } from '../lower-block.ts'
import { checkProgram } from './program-checks.ts'

/** Warnings of the program as a whole: code, block, line, message. */
function found(source: string, isWhole = true): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  const lowered = [...program.blocks].map(([key, block]) => ({ key, ...lowerBlock(program, block) }))
  const isSound = !lowered.some(({ diagnostics }) => diagnostics.some(({ severity }) => severity === 'error'))
  const facts = new Map(lowered.map(({ key, facts }) => [key, facts]))
  return checkProgram(program, facts, { isWhole, isSound }).map(
    ({ code, object, line, message }) => `${code} ${object} ${line}: ${message}`,
  )
}

const fc = (name: string, body: string) => `FUNCTION "${name}" : Void\nBEGIN\n${body}\nEND_FUNCTION\n`
const ob = (number: number, body: string) => `ORGANIZATION_BLOCK OB${number}\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`

test('each block of a cycle is told with the shortest way', () => {
  const source =
    fc('A', '"B"();') + fc('B', ';\n"C"();\n"D"();') + fc('C', '"D"();') + fc('D', '"A"();') + fc('E', '"A"();')
  assert.deepEqual(found(source), [
    'recursive-call A 1: "A" calls itself: "A" > "B" > "D" > "A".',
    'recursive-call B 3: "B" calls itself: "B" > "D" > "A" > "B".',
    'recursive-call C 1: "C" calls itself: "C" > "D" > "A" > "B" > "C".',
    'recursive-call D 1: "D" calls itself: "D" > "A" > "B" > "D".',
  ])
})

test('a block that calls itself, in a condition too', () => {
  assert.deepEqual(found(fc('A', 'IF %M0.0 THEN\n"A"();\nEND_IF;')), ['recursive-call A 2: "A" calls itself.'])
  const value = 'FUNCTION "V" : Int\nBEGIN\nIF "V"() > 1 THEN\n#V := 1;\nEND_IF;\nEND_FUNCTION\n'
  assert.deepEqual(found(value), ['recursive-call V 1: "V" calls itself.'])
})

test('function blocks call each other through instances', () => {
  const source = `FUNCTION_BLOCK "Inner"\nVAR\n  x : Int;\nEND_VAR\nBEGIN\n"Outer_DB"();\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK "Outer"\nVAR\n  one : "Inner";\nEND_VAR\nBEGIN\n#one();\nEND_FUNCTION_BLOCK\nDATA_BLOCK "Outer_DB"\n"Outer"\nBEGIN\nEND_DATA_BLOCK\n`
  assert.deepEqual(found(source), [
    'recursive-call Inner 1: "Inner" calls itself: "Inner" > "Outer" > "Inner".',
    'recursive-call Outer 1: "Outer" calls itself: "Outer" > "Inner" > "Outer".',
    'never-read Inner undefined: #x is declared, but never used.',
  ])
})

test('calls that meet again are no cycle', () => {
  assert.deepEqual(found(fc('A', '"B"();\n"C"();') + fc('B', '"D"();') + fc('C', '"D"();') + fc('D', ';')), [])
})

test('a long chain of calls that ends in a ring is gone through', () => {
  const chain = Array.from({ length: 300 }, (_, i) => fc(`F${i}`, `"F${i === 299 ? 298 : i + 1}"();`)).join('')
  assert.equal(found(chain).length, 2)
})

const overlap = 'the block that runs last decides.'

test('bits, bytes and words of outputs that two blocks assign', () => {
  assert.deepEqual(found(fc('A', '%Q1.3 := TRUE;') + fc('B', ';\n%QW0 := 5;') + fc('C', '%Q1.3 := FALSE;')), [
    `overlapping-outputs B 2: %QW0 is assigned here, and %Q1.3 in "A" (network 1, line 1): ${overlap}`,
    `overlapping-outputs C 1: %Q1.3 is assigned here, and %Q1.3 in "A" (network 1, line 1): ${overlap}`,
  ])
  assert.deepEqual(found(fc('A', '%Q1.3 := TRUE;\n%Q1.3 := FALSE;') + fc('B', '%Q1.4 := TRUE;\n%QB0 := 1;')), [])
  assert.deepEqual(found(fc('A', '%M1.3 := TRUE;') + fc('B', '%M1.3 := TRUE;')), [])
  assert.deepEqual(found(fc('A', '%Q1.3 := TRUE;') + fc('B', '%Q1.3 := TRUE;'), false), [])
})

test('constants under a condition set and reset; in both branches they are assigned', () => {
  const set = fc('A', 'IF %M0.0 THEN\n%Q0.0 := TRUE;\nEND_IF;')
  const assigned = (name: string) => fc(name, 'IF %M0.1 THEN\n%Q0.0 := TRUE;\nELSE\n%Q0.0 := FALSE;\nEND_IF;')
  assert.deepEqual(found(set + assigned('B')), [])
  assert.deepEqual(found(assigned('A') + assigned('B')).length, 1)
})

test('startup and blocks that nothing calls are not meant', () => {
  const both = fc('A', '%Q0.0 := TRUE;') + fc('B', '%Q0.0 := FALSE;')
  assert.equal(found(both + ob(1, '"A"();\n"B"();')).length, 1)
  assert.deepEqual(found(both + ob(1, '"A"();')), [])
  assert.deepEqual(found(both + ob(1, '"A"();') + ob(100, '"B"();')), [])
})

test('two coils of one output in a block', () => {
  const members = { a: 'Bool', b: 'Bool' }
  const told = (...texts: readonly string[]) =>
    networkDiagnostics(
      members,
      texts.map((text) => expressionNetwork(members, text)),
    ).map(({ code, network, message }) => `${code} ${network}: ${message}`)
  assert.deepEqual(told('%Q0.0 := #a;', '%Q0.0 := #b;'), [
    'overlapping-outputs 2: %Q0.0 is assigned here, and %Q0.0 in network 1 of the same block: the last one counts.',
  ])
  assert.deepEqual(told('%Q0.0 := #a;', '%Q0.1 := #b;'), [])
  assert.deepEqual(told('S(%Q0.0) := #a;', 'R(%Q0.0) := #b;'), [])
})

test('an instance that two blocks call in one cycle', () => {
  const timer = 'DATA_BLOCK "Delay_DB"\nTON_TIME\nBEGIN\nEND_DATA_BLOCK\n'
  const call = '"Delay_DB".TON(IN := TRUE, PT := T#1s);'
  const source = (a: string, b: string, main = '"A"();\n"B"();') => timer + ob(1, main) + fc('A', a) + fc('B', b)
  assert.deepEqual(found(source(call, `;\n${call}`)), [
    'instance-called-twice B 2: "Delay_DB" is called here and in "A" (network 1, line 1), both in one cycle.',
  ])
  assert.deepEqual(found(source(call, `IF %M0.0 THEN ${call} END_IF;`)), [])
  assert.deepEqual(found(source(call, call, '"A"();')), [])
  assert.deepEqual(found(source(call, call), false), [])
})

test('statics that nothing reads, or nothing writes', () => {
  const block = (body: string, more = '') =>
    `FUNCTION_BLOCK "M"\nVAR_OUTPUT\n  y : Int;\nEND_VAR\nVAR\n  lost : Int;\n  zero : Int;\n  kept : Int := 5;\n  list : Array[0..3] of Int;\n  idle : Bool;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n${more}`
  const body = '#lost := 3;\n#y := #zero + #kept + #list[#y];\n#list[#kept] := 1;'
  const instance = 'DATA_BLOCK "M_DB"\n"M"\nBEGIN\nEND_DATA_BLOCK\n'
  assert.deepEqual(found(block(body)), [
    'never-read M undefined: #lost is assigned, but never read.',
    'never-written M undefined: #zero is read, but never written: it keeps its start value.',
    'never-read M undefined: #idle is declared, but never used.',
  ])
  const outside = fc('F', '"M_DB".zero := "M_DB".lost;\n"M_DB".idle := TRUE;')
  assert.deepEqual(found(block(body, instance + outside)), [])
  // Names are the same whatever their case.
  const capital = block(body).replace('lost : Int', 'LOST : Int').replace('idle :', 'Idle :')
  assert.equal(found(capital).length, 3)
  assert.deepEqual(found(capital + instance + outside.replace('.zero', '.Zero')), [])
  // An address may be used for both.
  assert.deepEqual(found(block(`${body}\n#y := BLKMOV(SRCBLK := #lost, DSTBLK => #zero);\n#idle := #idle;`)), [])
  assert.deepEqual(found(block(body), false), [])
  // A statement with an error may be the one that reads or writes it.
  assert.deepEqual(found(block(`${body}\n#lost := #nowhere;`)), [])
})
