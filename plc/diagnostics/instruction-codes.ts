/** Codes of diagnostics about calls of instructions and their operands, with an example each. */
import type { DiagnosticCode } from './diagnostic-code.ts'

const fb = (
  body: string,
  members = 'x : Int; r : Real; w : Word; t : TON_TIME; ok : Bool; s : String; d : DTL; six : Pointer;',
) =>
  `FUNCTION_BLOCK "Motor"\nVAR\n  ${members}\n  list : Array[0..3] of Int;\n  other : Array[0..3] of Real;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`

function error(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'error', title, explanation, fails: fb(fails), passes: fb(passes) }
}

/** Diagnostic codes by name. */
export const instructionCodes = {
  'unknown-instruction': error(
    'There is no such instruction',
    'A bare name with brackets is an instruction of the system. Blocks of the program are called with their name in quotes. The hint names the instruction that is most like it.',
    '#x := LIMITT(MN := 0, IN := #x, MX := 10);',
    '#x := LIMIT(MN := 0, IN := #x, MX := 10);',
  ),
  'unknown-parameter': error(
    'The parameter does not exist',
    'A call names a parameter that the block or instruction has not, or gives more values than it has parameters.',
    '#x := ABS(IN := #x, BY := 2);',
    '#x := ABS(IN := #x);',
  ),
  'duplicate-parameter': error(
    'A parameter is given twice',
    'Every parameter of a call is given once at most.',
    '#t(IN := TRUE, IN := FALSE);',
    '#t(IN := TRUE, PT := T#1s);',
  ),
  'missing-parameter': error(
    'A parameter is missing',
    'Functions and instructions need all their inputs and in-outs; only instances keep what they were given before.',
    '#x := SEL(G := #ok, IN0 := 1);',
    '#x := SEL(G := #ok, IN0 := 1, IN1 := 2);',
  ),
  'parameter-direction': error(
    'A parameter is written in the wrong direction',
    'Inputs and in-outs are given with :=, outputs are fetched with =>.',
    '#t(IN := TRUE, Q := #ok);',
    '#t(IN := TRUE, Q => #ok);',
  ),
  'wrong-operand': error(
    'An operator or instruction cannot work on the operand',
    'The type of the operand is none that the operator or instruction takes: a text for a number, a real for a bit string.',
    'INC(#r);',
    'INC(#x);',
  ),
  'type-mismatch': error(
    'The types do not go together',
    'A value of one type stands where another one is wanted, and is not converted by itself. The block property "IEC check" decides how strict this is; the hint names the conversion.',
    'MOVE_BLK(IN := #list[0], COUNT := 2, OUT => #other[0]);',
    'MOVE_BLK(IN := #list[0], COUNT := 2, OUT => #list[2]);',
  ),
  'no-conversion': error(
    'There is no such conversion',
    'Numbers, bit strings, times and texts are converted by name, but not each into each.',
    '#s := TO_STRING(#t.PT);',
    '#s := TO_STRING(#x);',
  ),
  'no-scalar': error(
    'A single value is wanted',
    'A structure, an array or a block stands where a number, a bit or another single value is wanted.',
    '#x := ABS(#list);',
    '#x := ABS(#list[1]);',
  ),
  'constant-does-not-fit': error(
    'A constant does not fit its type',
    'The value lies outside the range of the type, or is of another kind.',
    '#t(IN := TRUE, PT := 1.5);',
    '#t(IN := TRUE, PT := T#1500ms);',
  ),
  'not-assignable': error(
    'Nothing can be assigned here',
    'Constants, results and inputs of functions cannot be written.',
    'RD_SYS_T(OUT => #d); INC(5);',
    'RD_SYS_T(OUT => #d); INC(#x);',
  ),
  unsupported: error(
    'The compiler does not support this yet',
    'The program is correct, but this compiler has no code for it. Nothing is left out silently: the block is not compiled.',
    '#x := BLKMOV(SRCBLK := #six, DSTBLK => #other);',
    '#x := BLKMOV(SRCBLK := #list, DSTBLK => #other);',
  ),
} satisfies Readonly<Record<string, DiagnosticCode>>
