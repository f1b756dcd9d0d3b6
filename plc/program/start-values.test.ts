import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkProgram } from './link-program.ts'
import { Bool, Int, Real, scalarNamed, Time, Word } from './scalars.ts'
import { startValueFault } from './start-values.ts'
import type { Member, StructType } from './type.ts'

const { typeOf } = linkProgram([])
const HwIo = scalarNamed('HW_IO') ?? assert.fail()
const member = (name: string, type: Member['type']): Member => ({
  ...{ name, type, section: 'None', isRetentive: false, comment: '' },
})
const pair: StructType = { kind: 'struct', isSystem: false, members: [member('x', Int), member('on', Bool)] }
const nested: StructType = {
  kind: 'struct',
  isSystem: false,
  members: [member('pair', pair), member('list', typeOf('Array[0..2] of Int'))],
}

test('start values of structures and arrays: the first part that does not fit is told', () => {
  const told = (text: string, type: Member['type']) => startValueFault(text, type, (name) => name) ?? 'fits'
  for (const [text, type, fault] of [
    ['(5, TRUE)', pair, 'fits'],
    ['(5)', pair, 'fits'],
    ['()', pair, 'fits'],
    ['(5, 7)', pair, '7 is not TRUE or FALSE'],
    ['(70000, TRUE)', pair, '70000 does not fit into Int (-32768 to 32767)'],
    ['(70000, 7)', pair, '70000 does not fit into Int (-32768 to 32767)'],
    ['(5, TRUE, 6)', pair, 'the list has 3 values, the structure 2 members'],
    ['(X := 5, on := FALSE)', pair, 'fits'],
    ['(x := 2.5)', pair, '2.5 is a real number, not a value of type Int'],
    ['(y := 5)', pair, 'there is no member "y"'],
    ['(x := 5, y := 5)', pair, 'there is no member "y"'],
    ['(x := 5)', Int, 'values with names are those of a structure'],
    ['[5]', Int, 'a list is the start value of an array only'],
    ['1,5', Real, 'a list is the start value of an array only; a decimal point is written: 1.5'],
    ['1,5,6', Real, 'a list is the start value of an array only'],
    ['1h30m', Time, '1h30m is no number: a duration is written T#1h30m'],
    ['5x', Time, '5x is no number'],
    ['0xFF', Int, '0xFF is no number: hexadecimal numbers are written 16#FF'],
    ['DINT#5', Int, 'fits'],
    ['DINT#70000', Int, 'DINT#70000 does not fit into Int (-32768 to 32767)'],
    ['INT#-1', Word, 'fits'],
    ['LINT#5', HwIo, 'fits'],
    ['INT#5', Time, 'INT#5 is no value of type Time'],
    ['INT#5', Real, 'fits'],
    ['WORD#16#FFFF', Int, 'fits'],
    ['DWORD#16#1_0000', Int, 'DWORD#16#1_0000 is no value of type Int'],
    ['REAL#1.5', Int, 'REAL#1.5 is no value of type Int'],
    ['BOOL#1', Int, 'BOOL#1 is no value of type Int'],
    ['INT#1', Bool, 'INT#1 is no value of type Bool'],
    ["CHAR#'a'", Word, "CHAR#'a' is no value of type Word"],
    ['((5, TRUE), [1, 2, 3])', nested, 'fits'],
    ['((5, 2), [1, 2, 3])', nested, '2 is not TRUE or FALSE'],
    ['((5, TRUE), [1, 2, 3, 4])', nested, 'the list has 4 values, the array 3 elements'],
    ['(list := [3(7)])', nested, 'fits'],
    ['(list := [4(7)])', nested, 'the list has 4 values, the array 3 elements'],
    ['(list := [1, 2.5])', nested, '2.5 is a real number, not a value of type Int'],
    ['(pair := (x := 1, on := 3))', nested, '3 is not TRUE or FALSE'],
  ] as const)
    assert.equal(told(text, type), fault, text)
})
