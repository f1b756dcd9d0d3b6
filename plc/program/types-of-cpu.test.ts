import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { cpuFamily, familyOfTypes } from './cpu-family.ts'
import { missingTypes } from './types-of-cpu.ts'

test('what S7-1200 has not: types of 64 bits but LReal, S5Time and Date_And_Time, at any depth', () => {
  const source = `FUNCTION_BLOCK "Meter"
VAR_INPUT
  a : LInt; b : LReal; c : DTL; d : Array[0..3] of LWord; e : LTIME;
END_VAR
VAR
  f : Struct
    g : DInt; h : Date_And_Time; i : Array[1..2] of Struct
      j : S5TIME;
    END_STRUCT;
  END_STRUCT;
END_VAR
VAR_TEMP
  k : ULInt; l : Time; m : LDT; n : Time_Of_Day; o : "LInt";
END_VAR
BEGIN
END_FUNCTION_BLOCK
`
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const found = missingTypes(blocks[0]!.object, 'CPU 1214C', 'S7-1200')
  assert.deepEqual(
    found.map(({ member }) => member),
    ['a', 'd', 'e', 'f.h', 'f.i.j', 'k', 'm'],
  )
  assert.deepEqual(found[1], {
    ...{ code: 'type-of-cpu', severity: 'error', object: 'Meter', member: 'd' },
    message: 'd is of type LWord, which CPU 1214C does not have.',
    hint: 'S7-1200 has no types of 64 bits but LReal, no S5Time, no Date_And_Time (DTL instead) and no pointers but Variant.',
  })
  const families = ['S7-1200', 'SIPLUS S7-1200', 'S7-1200 G2', 'S7-1500', 'ET 200SP']
  assert.deepEqual([...families, 'S7-300', 'S7-400H', 'SINUMERIK'].map(cpuFamily), [
    ...['S7-1200', 'S7-1200', 'S7-1200 G2', 'S7-1500', 'S7-1500', 'S7-300/400', 'S7-300/400', 'S7-1500'],
  ])
})

test('without a device the declared types say what family a program is for', () => {
  const of = (members: string, types: readonly string[] = []) =>
    familyOfTypes(
      [readSource(`DATA_BLOCK "D"\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`).blocks[0]!.object],
      types,
    )
  assert.equal(of('a : DTL;'), 'S7-1200')
  assert.equal(of('a : Struct\n b : Array[0..3] of DTL;\nEND_STRUCT;'), 'S7-1200')
  assert.equal(of('a : Int;'), 'S7-1500')
  assert.equal(of('a : DTL; b : Array[0..1] of LTime;'), 'S7-1500')
  assert.equal(of('a : DTL;', ['LInt']), 'S7-1500')
})
