/** Entry actions and conditions: their text in SCL, and exact faults. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseElementaryType } from '../../../plc/model/data-type.ts'
import type { Scope, ScopeVariable } from '../model/scope.ts'
import { EXPRESSION_LENGTH } from './expression.ts'
import { compileActions, compileCondition } from './typing.ts'

const TYPES = {
  b: 'Bool',
  c: 'Bool',
  by8: 'Byte',
  w: 'Word',
  dw: 'DWord',
  si: 'SInt',
  i: 'Int',
  di: 'DInt',
  li: 'LInt',
  ui: 'UInt',
  uli: 'ULInt',
  r: 'Real',
  lr: 'LReal',
  t: 'Time',
  lt: 'LTime',
  s5: 'S5Time',
  d: 'Date',
  td: 'TOD',
  dti: 'DT',
  ch: 'Char',
  s: 'String[5]',
  ws: 'WString',
  'End Pos': 'Bool',
  Type: 'Bool',
}
const variables = new Map<string, ScopeVariable>(
  Object.entries(TYPES).map(([name, type]) => [
    name.toLowerCase(),
    { name, direction: 'Out', dataType: parseElementaryType(type) },
  ]),
)
const SCOPE: Scope = { cmTypes: new Map([['x', { name: 'X', variables }]]) }

function scl(condition: string): string {
  const result = compileCondition(condition, SCOPE)
  assert.deepEqual(result.faults, [], condition)
  return result.scl
}

function assigned(action: string): string {
  const result = compileActions(action, SCOPE)
  assert.deepEqual(result.faults, [], action)
  return result.statements.join('; ')
}

/** `position:code` of each fault. */
function faults(text: string): string[] {
  const { faults: found } = text.includes(':=') ? compileActions(text, SCOPE) : compileCondition(text, SCOPE)
  return found.map((fault) => `${fault.at + 1}:${fault.code}`)
}

describe('conditions in SCL', () => {
  const cases: Record<string, string> = {
    TRUE: 'TRUE',
    ' false ': 'FALSE',
    'X.b': '#X.b',
    'x.B=TRUE': '#X.b = TRUE',
    'X.r>=80': '#X.r >= 80.0',
    '80<=X.r': '80.0 <= #X.r',
    'X.r>1e3': '#X.r > 1.0E3',
    'X.i>=80': '#X.i >= 80',
    'X.i >= -5': '#X.i >= (-5)',
    'X.i<>16#ff': '#X.i <> 16#FF',
    'NOT X.b AND X.c': 'NOT #X.b AND #X.c',
    'X.b AND X.c OR X.b': '(#X.b AND #X.c) OR #X.b',
    'X.b OR X.c AND X.b': '#X.b OR (#X.c AND #X.b)',
    'X.b & X.c & X.b': '#X.b AND #X.c AND #X.b',
    'X.b XOR (X.c OR X.b)': '#X.b XOR (#X.c OR #X.b)',
    'NOT (X.i > 3)': 'NOT (#X.i > 3)',
    'X.i + 2 * X.i - 1 > 10': '((#X.i + (2 * #X.i)) - 1) > 10',
    'X.i - (X.i - 1) = 1': '(#X.i - (#X.i - 1)) = 1',
    'X.i MOD 2 = 0': '(#X.i MOD 2) = 0',
    'X.r * 2 > X.i': '(#X.r * 2.0) > #X.i',
    'X.t >= T#1h30m': '#X.t >= T#1h30m',
    'X.t + T#5s < X.t * 2': '(#X.t + T#5s) < (#X.t * 2)',
    'X.lt > X.t': '#X.lt > #X.t',
    "X.s = 'ab$'c'": "#X.s = 'ab$'c'",
    "X.ws <> 'ab'": "#X.ws <> WSTRING#'ab'",
    "X.ch = 'a'": "#X.ch = 'a'",
    '(X.w AND 16#0F) = 16#03': '(#X.w AND 16#0F) = 16#03',
    'X.d >= D#2024-02-29': '#X.d >= D#2024-02-29',
    'X.dti < DT#2030-01-01-12:00:00': '#X.dti < DT#2030-01-01-12:00:00',
    'X.i > INT#5': '#X.i > INT#5',
    'X.r > 10 / 4': '#X.r > 2.5',
    'X.b = (X.i > 3) ': '#X.b = (#X.i > 3)',
    // `=` binds less tightly than `<`.
    'X.i < 3 = X.b': '(#X.i < 3) = #X.b',
    'X.b = X.i < 3': '#X.b = (#X.i < 3)',
    'X."End Pos" AND X."Type" AND X.Type': '#X."End Pos" AND #X."Type" AND #X."Type"',
    '"X.b=TRUE"': '#X.b = TRUE',
  }
  for (const [condition, expected] of Object.entries(cases))
    test(condition, () => assert.equal(scl(condition), expected))
})

describe('entry actions in SCL', () => {
  const cases: Record<string, string> = {
    '': '',
    ' ; ': '',
    'X.b:=TRUE': '#X.b := TRUE',
    'X.b := NOT X.c; X.r:=5;': '#X.b := NOT #X.c; #X.r := 5.0',
    'X.r:=-5': '#X.r := -5.0',
    'X.si := -128': '#X.si := -128',
    'X.di := X.i * 100 + X.ui': '#X.di := (#X.i * 100) + #X.ui',
    'X.lr := X.di': '#X.lr := #X.di',
    'X.by8 := 16#FF': '#X.by8 := 16#FF',
    'X.dw := X.w OR 16#1': '#X.dw := #X.w OR 16#1',
    'X.t := T#-5s': '#X.t := T#-5s',
    'X.s5 := S5T#2h46m30s': '#X.s5 := S5T#2h46m30s',
    "X.s := 'a;b'": "#X.s := 'a;b'",
    "X.s := 'ab$N1'": "#X.s := 'ab$N1'",
    'X.td := TOD#23:59:59.999': '#X.td := TOD#23:59:59.999',
  }
  for (const [action, expected] of Object.entries(cases))
    test(action || '(empty)', () => assert.equal(assigned(action), expected))
})

describe('faults with their position', () => {
  const cases: Record<string, string[]> = {
    '   ': ['4:expression_syntax'],
    'X.b = ': ['7:expression_syntax'],
    'X.b == TRUE': ['5:expression_syntax'],
    'X.b && X.c': ['5:expression_syntax'],
    'X.b ? X.c': ['5:expression_syntax'],
    'X.b X.c': ['5:expression_syntax'],
    'X.b; X.c': ['4:expression_syntax'],
    'b = TRUE': ['3:expression_syntax'],
    'X. = TRUE': ['4:expression_syntax'],
    'X.b = TRUE)': ['11:expression_unbalanced'],
    '((X.b) OR X.c': ['1:expression_unbalanced'],
    "X.s = 'ab": ['7:expression_unbalanced'],
    'X."b = TRUE': ['3:expression_unbalanced'],
    '3Way.b': ['1:literal_invalid'],
    'X.t > T#5': ['7:literal_invalid'],
    'X.t > T#5s3h': ['7:literal_invalid'],
    'X.t > T#': ['7:literal_invalid'],
    'X.t > T#25d': ['7:value_out_of_range'],
    'X.d > D#2023-02-29': ['7:literal_invalid'],
    'X.d > D#1989-12-31': ['7:value_out_of_range'],
    'X.i > FOO#5': ['7:literal_invalid'],
    'X.i > INT#40000': ['7:value_out_of_range'],
    "X.s = 'a$q'": ['7:literal_invalid'],
    'Y.b = TRUE OR X.zz': ['1:cm_type_unknown', '17:variable_unknown'],
    'X.b = 1': ['5:type_mismatch'],
    'X.b > FALSE': ['5:type_mismatch'],
    'X.i = TRUE': ['5:type_mismatch'],
    'X.r AND X.b': ['5:type_mismatch'],
    'X.si > 300': ['8:value_out_of_range'],
    'X.i / 0 = 1': ['7:value_out_of_range'],
    'X.t > 5': ['5:type_mismatch'],
    'X.t * X.t > T#1s': ['5:type_mismatch'],
    'X.r MOD 2 = 0': ['5:type_mismatch'],
    'NOT X.i > 3': ['1:type_mismatch'],
    'X.li > X.uli': ['6:type_mismatch'],
    'X.s > 5': ['5:type_mismatch'],
    'X.i': ['1:condition_not_boolean'],
    '5': ['1:condition_not_boolean'],
    'X.b:=': ['6:expression_syntax'],
    'X.b:=TRUE X.c:=TRUE': ['11:expression_syntax'],
    'X.si:=300': ['7:value_out_of_range'],
    'X.by8:=-1': ['8:value_out_of_range'],
    'X.i:=1.5': ['6:type_mismatch'],
    'X.i:=X.di': ['6:type_mismatch'],
    'X.r:=1e39': ['6:value_out_of_range'],
    "X.s:='abcdef'": ['6:value_out_of_range'],
    "X.ch:='ab'": ['7:type_mismatch'],
    'X.t:=5': ['6:type_mismatch'],
    'X.lr:=1e308*10': ['7:value_out_of_range'],
    '1 < 99999999999999999999': ['5:value_out_of_range'],
    'TRUE:=X.b': ['5:expression_syntax'],
  }
  for (const [text, expected] of Object.entries(cases)) test(text, () => assert.deepEqual(faults(text), expected))

  test('= in an entry action', () => {
    const [fault] = compileActions('X.b=TRUE', SCOPE).faults
    assert.deepEqual([fault!.at, fault!.suggestion], [3, ':='])
  })

  test('very long and very deep expressions', () => {
    assert.deepEqual(faults('X.b OR '.repeat(EXPRESSION_LENGTH)), ['1:expression_too_long'])
    assert.deepEqual(faults(`${'NOT '.repeat(200)}X.b`), ['257:expression_too_long'])
    assert.deepEqual(faults(`${'X.b OR '.repeat(1000)}X.b`), [])
  })
})
