/**
 * Codes of diagnostics about LAD and FBD networks. The examples are network expressions (ladder/expression.ts) in a block with the members
 * `a b q : Bool; x y : Int; d : DInt`, for they have no form as a source.
 */
import type { DiagnosticCode } from './codes.ts'

function error(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'error', title, explanation, fails, passes }
}

/** By code. */
export const ladderCodes: Readonly<Record<string, DiagnosticCode>> = {
  'open-pin': error(
    'Nothing is connected to an input',
    'Contacts, coils, gates and boxes need all their inputs but EN, which may be left open. Connect an operand, the power rail or another element.',
    '#q := A(???, #b);',
    '#q := A(#a, #b);',
  ),
  'connection-ring': error(
    'Connections lead round in a ring',
    'The value of an element depends on itself. Write it to an operand and read that: it then has the value of the cycle before.',
    'wire#1 := #a OR wire#1; #q := wire#1;',
    '#q := #a OR #q;',
  ),
  'wrong-connection': error(
    'A connection leads to something that cannot take it',
    'An input has two sources, or an operand is connected with an operand. Every input is fed from one place.',
    'CONNECT(#a, #q);',
    '#q := #a;',
  ),
  'unknown-part': error(
    'The instruction cannot be compiled',
    'The network uses an instruction that is not supported here, or one that stands only in the conditions of GRAPH blocks.',
    'TrCoil() := #a;',
    '#q := #a;',
  ),
  'wrong-part': error(
    'The instruction is not complete',
    'A box lacks what it needs beside its pins: the types it converts between, or its formula.',
    "#x := Calc{Int}('', #y);",
    "#x := Calc{Int}('IN1 + 1', #y);",
  ),
  'wrong-expression': error(
    'The formula of a Calc box cannot be read',
    'A formula is one SCL expression of IN1, IN2 … with functions such as ABS or SQRT.',
    "#x := Calc{Int}('IN1 +', #y);",
    "#x := Calc{Int}('IN1 + 1', #y);",
  ),
  'lossy-conversion': {
    severity: 'warning',
    title: 'A number may not fit where it goes',
    explanation:
      'A pin converts a number to a smaller type, a real to a whole number, or a whole number to a time. What does not fit is cut off or rounded, and ENO becomes FALSE. With the block property "IEC check" this is an error.',
    fails: '#x := #d ={DInt} 1; #x := #d + 1;',
    passes: '#d := #d + 1;',
  },
}
