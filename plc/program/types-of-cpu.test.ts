import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../formats/source/read.ts'
import { lacksTypes, missingTypes } from './types-of-cpu.ts'

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
  const found = missingTypes(blocks[0]!.object, 'CPU 1214C')
  assert.deepEqual(
    found.map(({ member }) => member),
    ['a', 'd', 'e', 'f.h', 'f.i.j', 'k', 'm'],
  )
  assert.deepEqual(found[1], {
    ...{ code: 'type-of-cpu', severity: 'error', object: 'Meter', member: 'd' },
    message: 'd is of type LWord, which CPU 1214C does not have.',
    hint: 'S7-1200 has no types of 64 bits but LReal, no S5Time and no Date_And_Time (DTL instead).',
  })
  const families = ['S7-1200', 'SIPLUS S7-1200', 'S7-1200 G2', 'S7-1500', 'ET 200SP']
  assert.deepEqual(families.map(lacksTypes), [true, true, false, false, false])
})
