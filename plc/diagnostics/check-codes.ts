/**
 * Codes of warnings about code that is correct but probably not intended, in one block or in the whole program. The
 * examples are sources.
 */
import type { DiagnosticCode } from './diagnostic-code.ts'

const fc = (body: string, temporaries = '') =>
  `FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\n${temporaries === '' ? '' : `VAR_TEMP\n  ${temporaries}\nEND_VAR\n`}BEGIN\n  ${body}\nEND_FUNCTION\n`

function warning(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { severity: 'warning', title, explanation, fails, passes }
}

function information(title: string, explanation: string, fails: string, passes: string): DiagnosticCode {
  return { ...warning(title, explanation, fails, passes), severity: 'information' }
}

const timers = (body: string) =>
  `FUNCTION_BLOCK "Delay"\n{ S7_Optimized_Access := 'TRUE' }\nVAR_INPUT\n  a : Bool;\n  b : Bool;\nEND_VAR\nVAR\n  delay {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\n  other {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`

/** A function with a Real as its input. */
const level = (body: string) =>
  `FUNCTION "IsAt" : Bool\nVAR_INPUT\n  level : Real;\nEND_VAR\nBEGIN\n  #IsAt := ${body};\nEND_FUNCTION\n`

const range = (any: string) =>
  `DATA_BLOCK "Data"\n{ S7_Optimized_Access := 'FALSE' }\nVAR\n  a : Array[0..9] of Byte;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Copy" : Int\nVAR_TEMP\n  bytes : Array[0..19] of Byte;\nEND_VAR\nBEGIN\n  #Copy := BLKMOV(SRCBLK := ${any}, DSTBLK => #bytes);\nEND_FUNCTION\n`

/** Diagnostic codes by name. */
export const checkCodes = {
  'unused-temporary': warning(
    'A temporary is never used',
    'The interface declares a temporary that no network names. The start information of organization blocks is not meant.',
    fc('#Scale := #raw;', 'sum : Int;'),
    fc('#sum := #raw + 1;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'uninitialised-temporary': warning(
    'A temporary is read before it has a value',
    'Temporaries hold no defined value at the beginning of a call. This one is read where nothing was assigned to it on any way that leads there; what is assigned in a loop, or between labels, counts as assigned.',
    fc('#Scale := #sum;\n  #sum := #raw;', 'sum : Int;'),
    fc('#sum := #raw;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'text-cut': warning(
    'A text is longer than its variable',
    'A text that is assigned to a String or WString is cut to its length. This constant has more characters than the variable takes.',
    fc("#name := 'conveyor';\n  #Scale := LEN(#name);", 'name : String[4];'),
    fc("#name := 'conveyor';\n  #Scale := LEN(#name);", 'name : String[8];'),
  ),
  'text-characters': warning(
    'A text has a character that a String cannot hold',
    'A String has one byte for each character, a WString two. Of a character beyond 16#FF only the lower byte is kept, which is another character.',
    fc("#Scale := LEN('5 Ω');"),
    fc("#Scale := LEN(WSTRING#'5 Ω');"),
  ),
  unreachable: warning(
    'The statement is never reached',
    'It stands behind RETURN, EXIT, CONTINUE, GOTO, BEU or JU, and no label stands between them.',
    fc('#Scale := #raw;\n  RETURN;\n  #Scale := 0;'),
    fc('#Scale := #raw;\n  IF #raw > 0 THEN\n    RETURN;\n  END_IF;\n  #Scale := 0;'),
  ),
  'recursive-call': warning(
    'A block calls itself',
    'The calls of a block lead back to it, directly or through others. That is allowed, but the depth of calls is limited. The message names the way.',
    'FUNCTION "A" : Void\nBEGIN\n  "B"();\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  "A"();\nEND_FUNCTION\n',
    'FUNCTION "A" : Void\nBEGIN\n  "B"();\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  ;\nEND_FUNCTION\n',
  ),
  'overlapping-outputs': warning(
    'An output is assigned at two places',
    'Two blocks assign the same bits of the outputs, or two coils of one block do: only the last assignment of a cycle counts. Set and reset, blocks of the startup and blocks that no organization block reaches are not meant.',
    'FUNCTION "A" : Void\nBEGIN\n  %Q0.3 := TRUE;\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  %QB0 := 16#0F;\nEND_FUNCTION\n',
    'FUNCTION "A" : Void\nBEGIN\n  %Q0.3 := TRUE;\nEND_FUNCTION\nFUNCTION "B" : Void\nBEGIN\n  %QB1 := 16#0F;\nEND_FUNCTION\n',
  ),
  'division-by-zero': warning(
    'The divisor is 0',
    'The divisor is a constant with the value 0: the division fails whenever the statement runs, its result is no use, and ENO is FALSE. A division of real numbers gives infinity.',
    fc('#Scale := #raw / 0;'),
    fc('#Scale := #raw / 2;'),
  ),
  'loop-leaves-array': warning(
    'A loop runs past the end of an array',
    'The run variable of a FOR with constant limits is an index, and in some round the array has no such element. Loops that EXIT, CONTINUE, RETURN or GOTO can leave early are not meant, nor statements under a condition.',
    fc(
      'FOR #i := 0 TO 10 DO\n    #list[#i] := #raw;\n  END_FOR;\n  #Scale := #list[1];',
      'i : Int;\n  list : Array[0..9] of Int;',
    ),
    fc(
      'FOR #i := 0 TO 9 DO\n    #list[#i] := #raw;\n  END_FOR;\n  #Scale := #list[1];',
      'i : Int;\n  list : Array[0..9] of Int;',
    ),
  ),
  'endless-loop': warning(
    'A loop never ends',
    'The condition of a WHILE or REPEAT is a constant, or depends only on temporaries and parameters that the loop does not change, and no EXIT, RETURN or GOTO leaves the loop; or the increment of a FOR is 0. The controller stops the cycle when its time is over.',
    fc('WHILE TRUE DO\n    #Scale := #raw;\n  END_WHILE;'),
    fc('WHILE TRUE DO\n    #Scale := #raw;\n    EXIT;\n  END_WHILE;'),
  ),
  'real-equality': information(
    'Real numbers are compared for equality',
    'Calculated real numbers seldom meet another number exactly. Compare their distance with a tolerance. Comparisons with 0 are not meant, nor `<>` of two variables, which is a usual test for a change.',
    level('#level = 1.5'),
    level('ABS(#level - 1.5) < 0.01'),
  ),
  'comparison-always': warning(
    'A comparison always gives the same',
    'Every value of the type of one side is on the same side of the constant, e.g. an unsigned number is never less than 0; or a variable is compared with itself.',
    fc('IF #raw <= 40000 THEN\n    #Scale := #raw;\n  END_IF;'),
    fc('IF #raw <= 30000 THEN\n    #Scale := #raw;\n  END_IF;'),
  ),
  'result-not-assigned': warning(
    'A function does not assign its result',
    'No statement assigns the value of the function, or one of its outputs. Callers get 0. Functions without any code are not meant.',
    'FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR_OUTPUT\n  ok : Bool;\nEND_VAR\nBEGIN\n  #ok := #raw > 0;\nEND_FUNCTION\n',
    'FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR_OUTPUT\n  ok : Bool;\nEND_VAR\nBEGIN\n  #ok := #raw > 0;\n  #Scale := #raw;\nEND_FUNCTION\n',
  ),
  'never-read': information(
    'A temporary or static is assigned, but never read',
    'The values that are assigned to this temporary are lost, or no block of the program reads this static of a function block. Temporaries that only take the result of a call are not meant: it has to be put somewhere. Clients (HMI, OPC UA) are not known to the compiler.',
    fc('#sum := #raw + 1;\n  #Scale := #raw;', 'sum : Int;'),
    fc('#sum := #raw + 1;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'never-written': information(
    'A static is read, but never written',
    'No block of the program assigns this static of a function block, and it has no start value: it is 0 for ever. Statics that clients write (HMI, OPC UA) are not known to the compiler.',
    'FUNCTION_BLOCK "Motor"\nVAR_OUTPUT\n  on : Bool;\nEND_VAR\nVAR\n  release : Bool;\nEND_VAR\nBEGIN\n  #on := #release;\nEND_FUNCTION_BLOCK\n',
    'FUNCTION_BLOCK "Motor"\nVAR_OUTPUT\n  on : Bool;\nEND_VAR\nVAR\n  release : Bool := TRUE;\nEND_VAR\nBEGIN\n  #on := #release;\nEND_FUNCTION_BLOCK\n',
  ),
  'instance-called-twice': warning(
    'An instance is called twice in one cycle',
    'Both calls run in the same pass through the block, or in two blocks of one cycle, and work on the same data: a timer or counter counts twice, an edge is seen once only. Calls in different branches are not meant. For a function block of the program it is an information, since it may be meant.',
    timers('#delay(IN := #a, PT := T#1s);\n  #delay(IN := #b, PT := T#2s);'),
    timers('#delay(IN := #a, PT := T#1s);\n  #other(IN := #b, PT := T#2s);'),
  ),
  'positional-parameter': warning(
    'Parameters of a function block without names',
    'In the call of a function block TIA Portal wants the name of each parameter. Here they are taken in the order of the declaration.',
    timers('#delay(#a, T#1s);\n  #other(IN := #b, PT := T#2s);'),
    timers('#delay(IN := #a, PT := T#1s);\n  #other(IN := #b, PT := T#2s);'),
  ),
  'range-outside': warning(
    'A range ends behind its data block',
    'The data block has fewer bytes than the range of an ANY pointer. Only the elements inside are used here; a CPU answers with an area length error when the block runs.',
    range('P#DB1.DBX0.0 BYTE 20'),
    range('P#DB1.DBX0.0 BYTE 10'),
  ),
} satisfies Readonly<Record<string, DiagnosticCode>>
