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

const timers = (body: string, more = '') =>
  `FUNCTION_BLOCK "Delay"\n{ S7_Optimized_Access := 'TRUE' }\nVAR_INPUT\n  a : Bool;\n  b : Bool;\nEND_VAR\nVAR\n  delay {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\n  other {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\n${more}END_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`

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
    'Temporaries hold no defined value at the beginning of a call. This one is read where nothing was assigned to it on any way that leads there. The place is that of the read.',
    fc('#Scale := #sum + #raw;', 'sum : Int;'),
    fc('#sum := #raw;\n  #Scale := #sum;', 'sum : Int;'),
  ),
  'temporary-partly-assigned': warning(
    'A temporary is read that some way does not assign',
    'Temporaries hold no defined value at the beginning of a call. This one is assigned under a condition, and read where the condition need not have been met: the message names the way. Where the same condition is asked again, or a flag that was set beside the assignment, the read is sound. A loop is taken to have a round.',
    fc('IF #raw > 0 THEN\n    #sum := #raw;\n  END_IF;\n  #Scale := #sum;', 'sum : Int;'),
    fc('IF #raw > 0 THEN\n    #sum := #raw;\n  ELSE\n    #sum := 0;\n  END_IF;\n  #Scale := #sum;', 'sum : Int;'),
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
    fc('#Scale := 0;\n  IF #raw <= 40000 THEN\n    #Scale := #raw;\n  END_IF;'),
    fc('#Scale := 0;\n  IF #raw <= 30000 THEN\n    #Scale := #raw;\n  END_IF;'),
  ),
  'result-not-assigned': warning(
    'A function does not assign its result',
    'No statement assigns the value of the function, or one of its outputs. Callers get 0. Functions without any code are not meant.',
    'FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR_OUTPUT\n  ok : Bool;\nEND_VAR\nBEGIN\n  #ok := #raw > 0;\nEND_FUNCTION\n',
    'FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR_OUTPUT\n  ok : Bool;\nEND_VAR\nBEGIN\n  #ok := #raw > 0;\n  #Scale := #raw;\nEND_FUNCTION\n',
  ),
  'result-partly-assigned': warning(
    'A function does not assign its result on every way',
    'The value of the function, or one of its outputs, is assigned under a condition only: the message names the way that leaves it out. A function keeps nothing from one call to the next, so callers then get what no statement chose. Outputs of function blocks keep their value and are not meant.',
    fc('IF #raw > 0 THEN\n    #Scale := #raw;\n  END_IF;'),
    fc('#Scale := 0;\n  IF #raw > 0 THEN\n    #Scale := #raw;\n  END_IF;'),
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
  'timer-in-loop': warning(
    'A timer is called in a loop',
    'Every round works on the same timer: its input changes several times in a cycle, and only the last call counts. Elements of an array that the loop chooses are not meant.',
    timers('FOR #i := 1 TO 3 DO\n    #delay(IN := #a, PT := T#1s);\n  END_FOR;', '  i : Int;\n'),
    timers('#delay(IN := #a, PT := T#1s);'),
  ),
  'timer-not-always-called': information(
    'A timer is not called in every cycle',
    'Some way through the block leaves the call out: then the outputs stay as they are, and the timer does not see that its input has fallen. In the steps of a sequence that may be meant.',
    timers('IF #b THEN\n    #delay(IN := #a, PT := T#1s);\n  END_IF;'),
    timers('#delay(IN := #a AND #b, PT := T#1s);'),
  ),
  'dead-store': warning(
    'A value is overwritten before anything reads it',
    'Nothing reads what the statement assigns: on every way behind it the variable is assigned again, or given up. A constant that a later branch replaces is a value for the beginning and not meant, nor are results of calls.',
    fc('#Scale := #raw * 2;\n  #Scale := #raw + 1;'),
    fc('#Scale := #raw * 2;\n  #Scale := #Scale + 1;'),
  ),
  'condition-never-true': warning(
    'A condition is never TRUE',
    'The condition beside it, one that was asked before, or an assignment leaves no value for which it is TRUE: what depends on it never runs.',
    fc('#Scale := 0;\n  IF #raw > 10 AND #raw < 5 THEN\n    #Scale := 1;\n  END_IF;'),
    fc('#Scale := 0;\n  IF #raw > 5 AND #raw < 10 THEN\n    #Scale := 1;\n  END_IF;'),
  ),
  'condition-always-true': warning(
    'An OR is always TRUE',
    'The two comparisons cover every value, so the condition chooses nothing. AND is probably meant.',
    fc('#Scale := 0;\n  IF #raw <> 1 OR #raw <> 2 THEN\n    #Scale := 1;\n  END_IF;'),
    fc('#Scale := 0;\n  IF #raw <> 1 AND #raw <> 2 THEN\n    #Scale := 1;\n  END_IF;'),
  ),
  'narrow-product': warning(
    'A product leaves its type before it is widened',
    'The types of the factors decide how a product is calculated, not where it goes: Int times Int is an Int, and wraps beyond 32767, also when the result is put into a DInt or Real, or divided afterwards. A constant factor is meant when even a percentage times it leaves the type (beyond 327 for Int); of two variables it is an information, and only where the product is widened. Types of 32 and 64 bits are not meant.',
    'FUNCTION "Scale" : DInt\nVAR_INPUT\n  raw : Int;\nEND_VAR\nBEGIN\n  #Scale := #raw * 1000;\nEND_FUNCTION\n',
    'FUNCTION "Scale" : DInt\nVAR_INPUT\n  raw : Int;\nEND_VAR\nBEGIN\n  #Scale := INT_TO_DINT(#raw) * 1000;\nEND_FUNCTION\n',
  ),
  'shift-too-far': warning(
    'A shift or rotation by the whole width',
    'A shift by the number of bits, or by more, leaves 0; a rotation by it changes nothing.',
    fc('#Scale := WORD_TO_INT(SHR(IN := INT_TO_WORD(#raw), N := 16));'),
    fc('#Scale := WORD_TO_INT(SHR(IN := INT_TO_WORD(#raw), N := 8));'),
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
