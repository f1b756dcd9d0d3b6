import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Operand } from '../../model/operand.ts'
import { stlOperand } from '../../testing/stl.ts'
import { scanStlOperand, stlOperandText } from './operand.ts'

function read(text: string): Operand | undefined {
  const found = scanStlOperand(text, 0)
  return found?.end === text.length ? found.operand : undefined
}

/** All spellings on a line are the same operand; it is written as the first one. */
const spellingCases: readonly (readonly [string, ...string[]])[] = [
  ['%I0.0', 'I 0.0', 'E 0.0', 'E0.0', 'e 0.0', '%E0.0'],
  ['%Q4.7', 'A 4.7', 'Q  4.7'],
  ['%MW10', 'MW 10', 'mw10'],
  ['%L24.0', 'L 24.0'],
  ['%LD8', 'LD 8'],
  ['%IW256:P', 'PIW 256', 'PEW 256', 'PEW256'],
  ['%QB3:P', 'PQB 3', 'PAB 3'],
  ['%DB5.DBX2.0', 'DB5.DBX 2.0', 'DB 5.DBX 2.0', 'DB 5 . DBX2.0'],
  ['%DBW4', 'DBW 4', 'DBW4'],
  ['%DIX2.1', 'DIX 2.1'],
  ['%DB5', 'DB 5', 'DB5'],
  ['%DI7', 'DI 7'],
  ['%T5', 'T 5', 'T5'],
  ['%C3', 'C 3', 'Z 3', 'Z3'],
  ['%FC12', 'FC 12', 'FC12'],
  ['DBW[AR1,P#2.0]', 'DBW [AR1,P#2.0]', 'DBW[ AR1, P#2.0 ]'],
  ['[AR1,P#0.0]', '[ar1,P#0.0]'],
  ['D[AR2,P#6.0]', 'D [AR2,P#6.0]'],
  ['M[%MD20]', 'M [MD 20]', 'M[MD 20]'],
  ['DB[%LW16]', 'DB [LW 16]'],
  ['DIW[#p]', 'DIW [#p]'],
  ['P#I 3.0', 'P#E 3.0'],
  ['P#Q 3.0', 'P#A 3.0'],
  ['P#DBX 0.0'],
  ['P#DB10.DBX 0.0 BYTE 20'],
  ['P##a.b', 'P# #a.b'],
  ['"Recipes".DBW4', '"Recipes".DBW 4', '"Recipes".%DBW4'],
  ['"Recipes".DBX4.1', '"Recipes".DBX 4.1'],
  ['BR', 'BIE', 'br'],
  ['<>0'],
  ['STW'],
  ['L#-5'],
  ['C#10'],
  ['-5'],
  ['+1.5e-3'],
  ['B#(1,2)'],
  ['S5T#5S'],
]

for (const [written, ...others] of spellingCases)
  test(`${written} and its other spellings`, () => {
    const operand = read(written)
    assert.ok(operand, written)
    assert.equal(stlOperandText(operand), written)
    for (const text of others) assert.deepEqual(read(text), operand, text)
  })

test('areas, types and numbers', () => {
  assert.deepEqual(read('E 1.7'), { kind: 'address', area: 'Input', type: 'Bool', bitOffset: 15 })
  assert.deepEqual(read('PAW 2'), { kind: 'address', area: 'PeripheryOutput', type: 'Word', bitOffset: 16 })
  assert.deepEqual(read('Z 3'), { kind: 'address', area: 'Counter', type: 'Counter', bitOffset: 3 })
  assert.deepEqual(read('DB 5'), { kind: 'address', area: 'DB', type: 'Block_DB', blockNumber: 5 })
  assert.deepEqual(read('L[AR1,P#0.1]'), {
    kind: 'indirect',
    width: 'Bit',
    area: 'Local',
    register: 'AR1',
    bitOffset: 1,
  })
  assert.deepEqual(read('"Recipes".DBD 4'), {
    kind: 'symbol',
    scope: 'GlobalVariable',
    path: [{ name: 'Recipes', slice: 'dbd4' }],
  })
})

test('what is no operand', () => {
  for (const text of ['', ';', 'M 1.8', 'MW 1.0', 'M 5', ':=', '[AR3,P#0.0]', 'DBX 2', '"open', '#', '-#a', 'M['])
    assert.equal(read(text), undefined, text)
})

test('names without # are the block’s own when it has them', () => {
  const names = { isLocal: (name: string) => name === 'ov' || name === 'start' }
  const symbol = (name: string): Operand => ({ kind: 'symbol', scope: 'LocalVariable', path: [{ name }] })
  assert.deepEqual(scanStlOperand('start', 0, names)?.operand, symbol('start'))
  assert.deepEqual(scanStlOperand('ov', 0, names)?.operand, symbol('ov'))
  assert.deepEqual(scanStlOperand('ov', 0)?.operand, { kind: 'status', name: 'OV' })
  assert.equal(scanStlOperand('stop', 0, names)?.operand.kind, 'symbol')
})

test('property: the text of an operand reads as that operand', () => {
  fc.assert(
    fc.property(stlOperand, (operand) => {
      assert.deepEqual(read(stlOperandText(operand)), operand)
    }),
    { numRuns: 500 },
  )
})

test('property: any text gives an operand that ends inside it, or none', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'EAMDBXW0123.[],P#"% AR1_:'), maxLength: 30 })
  fc.assert(
    fc.property(fc.oneof(letters, fc.string()), (text) => {
      const found = scanStlOperand(text, 0)
      if (found !== undefined) assert.ok(found.end > 0 && found.end <= text.length)
    }),
  )
})

test('a pointer may be read through pointers, eight at most', () => {
  const nested = (depth: number) => `MW ${'[MD '.repeat(depth)}4${']'.repeat(depth)}`
  for (const depth of [1, 2, 8]) {
    let operand = read(nested(depth))
    for (let i = 0; i < depth; i++) {
      assert.ok(operand?.kind === 'indirect' && 'pointer' in operand, `${depth}`)
      operand = operand.pointer
    }
    assert.deepEqual(operand, { kind: 'address', area: 'Memory', type: 'DWord', bitOffset: 32 })
  }
  assert.equal(read(nested(9)), undefined)
})
