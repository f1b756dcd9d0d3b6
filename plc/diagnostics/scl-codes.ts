/** Codes of diagnostics about names, operands, statements and syntax in any language; the examples are SCL. */
import type { DiagnosticCode } from './diagnostic-code.ts'

const fb = (body: string, more = '') =>
  `${more}FUNCTION_BLOCK "Motor"\nVAR_INPUT\n  enable : Bool;\nEND_VAR\nVAR\n  x : Int;\n  r : Real;\n  w : Word;\n  s : String[20];\n  list : Array[0..3] of Int;\n  drive : Struct\n    speed : Int;\n  END_STRUCT;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`
const fc = (body: string) =>
  `FUNCTION "Scale" : Int\nVAR_INPUT\n  raw : Int;\nEND_VAR\nVAR CONSTANT\n  most : Int := 9;\nEND_VAR\nBEGIN\n  ${body}\n  #Scale := #raw;\nEND_FUNCTION\n`

const openArray = (body: string) =>
  `FUNCTION "Copy" : Void\nVAR_IN_OUT\n  values : Array[*] of Int;\nEND_VAR\nVAR_TEMP\n  copy : Array[0..3] of Int;\n  i : DInt;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION\n`

const typed = (body: string) =>
  `FUNCTION_BLOCK "Ask"\nVAR_INPUT\n  v : Variant;\nEND_VAR\nVAR_OUTPUT\n  is : Bool;\nEND_VAR\nBEGIN\n  ${body}\nEND_FUNCTION_BLOCK\n`

const refers = (body: string) =>
  `FUNCTION_BLOCK "Point"\n{ S7_Optimized_Access := 'TRUE' }\nVAR\n  x : Int;\n  p : REF_TO Int;\nEND_VAR\nVAR_TEMP\n  t : Int;\nEND_VAR\nBEGIN\n  #t := 1;\n  #x := #t;\n  ${body}\nEND_FUNCTION_BLOCK\n`

function entry(
  title: string,
  explanation: string,
  fails: string,
  passes: string,
  severity: DiagnosticCode['severity'] = 'error',
): DiagnosticCode {
  const source = (text: string) => (/^(FUNCTION|DATA_BLOCK|ORGANIZATION|TYPE)/.test(text) ? text : fb(text))
  return { severity, title, explanation, fails: source(fails), passes: source(passes) }
}

/** Diagnostic codes by name. */
export const sclCodes = {
  undeclared: entry(
    'The name is not declared',
    'Names with # are members of the block itself, names in quotes are tags, constants and blocks of the program. Nothing has this name. The hint names the one that is most like it.',
    '#speed := 1;',
    '#x := 1;',
  ),
  'unknown-member': entry(
    'There is no such member',
    'The structure, PLC data type or data block has no member of this name.',
    '#drive.torque := 1;',
    '#drive.speed := 1;',
  ),
  'no-members': entry(
    'The operand has no members',
    'Only structures, instances and data blocks have members that a dot leads to.',
    '#x.speed := 1;',
    '#drive.speed := 1;',
  ),
  'no-scalar': entry(
    'A single value is wanted',
    'Structures and arrays are assigned as a whole, but nothing can be calculated with them.',
    '#x := #drive + 1;',
    '#x := #drive.speed + 1;',
  ),
  'no-value': entry(
    'The call gives no value',
    'A function of type Void cannot stand in an expression.',
    'FUNCTION "Run" : Void\nBEGIN\n  ;\nEND_FUNCTION\nFUNCTION "Use" : Int\nBEGIN\n  #Use := "Run"() + 1;\nEND_FUNCTION\n',
    'FUNCTION "Run" : Void\nBEGIN\n  ;\nEND_FUNCTION\nFUNCTION "Use" : Int\nBEGIN\n  "Run"();\n  #Use := 1;\nEND_FUNCTION\n',
  ),
  'not-an-array': entry(
    'An index stands behind what is no array',
    'Only arrays, texts and array data blocks are indexed.',
    '#x[1] := 5;',
    '#list[1] := 5;',
  ),
  'wrong-dimensions': entry(
    'The number of indices is wrong',
    'An array has one index for each of its dimensions.',
    '#list[1, 2] := 5;',
    '#list[1] := 5;',
  ),
  'index-out-of-range': entry(
    'The index lies outside the array',
    'The index is a constant, and the array has no such element.',
    '#list[4] := 5;',
    '#list[3] := 5;',
  ),
  'no-slice': entry(
    'The operand has no such part',
    'Slices %X, %B, %W, %D are taken of bit strings and whole numbers, and lie inside them.',
    '#enable := #w.%X16;\n  ;',
    '#w.%X15 := TRUE;',
  ),
  'not-assignable': entry(
    'Nothing can be assigned to this',
    'Constants and the results of calls cannot be written.',
    fc('#most := 5;'),
    fc(';'),
  ),
  'input-assigned': entry(
    'A block writes its own input',
    'The next call of the block overwrites the input.',
    '#enable := TRUE;',
    '#drive.speed := 1;',
    'warning',
  ),
  'constant-does-not-fit': entry(
    'The constant does not fit its type',
    'The value is outside the range of the type that it is assigned to, or of another kind.',
    '#x := 40000;',
    '#x := 30000;',
  ),
  'no-loop': entry(
    'EXIT or CONTINUE outside a loop',
    'EXIT and CONTINUE belong to the FOR, WHILE or REPEAT around them.',
    'IF #enable THEN EXIT; END_IF;',
    'WHILE #x < 3 DO #x := #x + 1; EXIT; END_WHILE;',
  ),
  'type-question': entry(
    'TypeOf stands outside IF and CASE',
    'TypeOf, TypeOfElements and TypeOfDB give no value: they are compared with a type in an IF, or choose in a CASE.',
    typed('#is := TypeOf(#v) = Int;'),
    typed('IF TypeOf(#v) = Int THEN #is := TRUE; END_IF;'),
  ),
  'run-variable-assigned': entry(
    'The run variable of a FOR is assigned in its loop',
    'The number of rounds is worked out once and cannot be changed; TIA Portal refuses the assignment. Leave the loop with EXIT, or use WHILE.',
    'FOR #x := 1 TO 10 DO #x := #x + 1; END_FOR;',
    'WHILE #x < 10 DO #x := #x + 2; END_WHILE;',
    'warning',
  ),
  'fixed-limits': entry(
    'The limits of an array that has fixed ones are asked',
    'TIA Portal takes only parameters of type Array[*] at LOWER_BOUND and UPPER_BOUND. The limits of other arrays are known: write them, or declare constants for them.',
    '#x := DINT_TO_INT(UPPER_BOUND(ARR := #list, DIM := 1));',
    '#x := 9;',
    'warning',
  ),
  'duplicate-label': entry(
    'A label stands twice',
    'GOTO could not tell which one is meant.',
    'a: #x := 1;\n  a: #x := 2;',
    'a: #x := 1;\n  b: #x := 2;',
  ),
  'duplicate-case': entry(
    'A label of CASE stands twice',
    'The first branch with the value is taken: the other one is never reached.',
    'CASE #x OF\n    1: #r := 1.0;\n    1: #r := 2.0;\n  END_CASE;',
    'CASE #x OF\n    1: #r := 1.0;\n    2: #r := 2.0;\n  END_CASE;',
    'warning',
  ),
  'no-constant': entry(
    'A constant is wanted',
    'Labels of CASE are known when the block is compiled.',
    'CASE #x OF\n    #w: #r := 1.0;\n  END_CASE;',
    'CASE #x OF\n    0: #r := 1.0;\n  END_CASE;',
  ),
  'empty-range': entry(
    'The range holds no value',
    'The first limit is larger than the second: the branch is never reached.',
    'CASE #x OF\n    5..1: #r := 1.0;\n  END_CASE;',
    'CASE #x OF\n    1..5: #r := 1.0;\n  END_CASE;',
    'warning',
  ),
  'not-callable': entry(
    'This cannot be called',
    'Functions are called by their names, function blocks by their instances. An organization block is called by the system.',
    'DATA_BLOCK "Data"\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  "Data"();\nEND_FUNCTION\n',
    'FUNCTION "Other" : Void\nBEGIN\n  ;\nEND_FUNCTION\nFUNCTION "Use" : Void\nBEGIN\n  "Other"();\nEND_FUNCTION\n',
  ),
  'scl-missing-semicolon': entry(
    'A semicolon is missing',
    'Every statement ends with a semicolon.',
    '#x := 1\n  #r := 2.0;',
    '#x := 1;\n  #r := 2.0;',
  ),
  'scl-missing-expression': entry(
    'A value is missing',
    'Something that has a value is wanted here: an operand, a constant, a call.',
    '#x := ;',
    '#x := 1;',
  ),
  'scl-unclosed': entry(
    'A statement is not closed',
    'IF ends with END_IF, CASE with END_CASE, FOR with END_FOR, WHILE with END_WHILE, REPEAT with END_REPEAT.',
    'IF #enable THEN #x := 1;',
    'IF #enable THEN #x := 1; END_IF;',
  ),
  'scl-stray-end': entry(
    'An end without its beginning',
    'There is no open statement that this word closes.',
    '#x := 1; END_IF;',
    'IF #enable THEN #x := 1; END_IF;',
  ),
  'scl-not-a-statement': entry(
    'This is no statement',
    'A statement is an assignment, a call, or begins with a word such as IF, CASE, FOR.',
    '5 + 3;',
    '#x := 5 + 3;',
  ),
  'scl-expected': entry(
    'Something else is wanted here',
    'The message says what would be right.',
    'IF #enable DO #x := 1; END_IF;',
    'IF #enable THEN #x := 1; END_IF;',
  ),
  'wrong-constant': entry(
    'The constant cannot be read',
    'The text begins like a constant, but its digits, unit or prefix do not make a value.',
    '#x := 2#102;',
    '#x := 2#101;',
  ),
  'wrong-index': entry(
    'The index is no whole number',
    'Elements of arrays are counted with whole numbers.',
    '#list[#r] := 5;',
    '#list[#x] := 5;',
  ),
  'wrong-address': entry(
    'The address cannot be read',
    'Addresses are written %I0.0, %QB4, %MW10, %MD20, %DB1.DBX2.3.',
    '#enable := %M0.9;',
    '%M0.7 := #enable;',
  ),
  'no-periphery': entry(
    'No input or output',
    ':P reads an input or writes an output past the process image; it stands behind addresses of these areas and tags for them.',
    '#w := %MW2:P;',
    '#w := %IW2:P;',
  ),
  'write-only': entry(
    'An output module is read',
    'What stands behind :P of an output goes to the module at once and has no value. Read the process image, without :P.',
    '#w := %QW2:P;',
    '#w := %QW2;',
  ),
  'unsupported-address': entry(
    'The address cannot be used here',
    'S5 timers and counters (%T, %C) are used with their own instructions, not as operands.',
    '#w := %T1;',
    '#w := %MW2;',
  ),
  'optimized-access': entry(
    'Data with optimized access have no addresses',
    'The members of a data block with optimized access lie where the compiler puts them. Use their names, or switch optimized access off.',
    'DATA_BLOCK "Data"\n{ S7_Optimized_Access := \'TRUE\' }\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  %DB1.DBW0 := 5;\nEND_FUNCTION\n',
    'DATA_BLOCK "Data"\n{ S7_Optimized_Access := \'FALSE\' }\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  %DB1.DBW0 := 5;\nEND_FUNCTION\n',
  ),
  'address-outside': entry(
    'The address lies outside of its area',
    'The data block with standard access has fewer bytes than that, or the inputs, outputs or bit memory of the largest CPU have: 32768, 32768, 16384 bytes.',
    'DATA_BLOCK "Data"\n{ S7_Optimized_Access := \'FALSE\' }\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  %DB1.DBW2 := 5;\nEND_FUNCTION\n',
    'DATA_BLOCK "Data"\n{ S7_Optimized_Access := \'FALSE\' }\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  %DB1.DBW0 := 5;\nEND_FUNCTION\n',
  ),
  'open-array': entry(
    'An Array[*] cannot stand here',
    'A parameter Array[*] takes arrays of any limits. Its elements are read and written, LOWER_BOUND and UPPER_BOUND give its limits, and it is passed on to another Array[*]. It cannot be copied as a whole, nor read from outside its block.',
    openArray('#copy := #values;'),
    openArray('FOR #i := LOWER_BOUND(ARR := #values, DIM := 1) TO 3 DO #copy[#i] := #values[#i]; END_FOR;'),
  ),
  'no-reference': entry(
    'No reference stands before ^',
    'A variable of type REF_TO holds the address of another variable, and ^ behind it means that variable. Nothing else can be followed.',
    '#x^ := 1;',
    refers('#p := REF(#x); #p^ := 1;'),
  ),
  'not-referable': entry(
    'Nothing can point to the operand',
    'REF() is taken of data of blocks with optimized access: inputs, outputs and statics of a function block, members of data blocks. Temporaries, parameters of functions, tags, instances, parts of values and constants have no address that lasts.',
    refers('#p := REF(#t);'),
    refers('#p := REF(#x);'),
  ),
  'no-instance': entry(
    'A function block is called without an instance',
    'A function block keeps its data in an instance: an instance data block, or a static of its type in the calling block. The call names the instance, not the function block.',
    'FUNCTION_BLOCK "Valve"\nBEGIN\n  ;\nEND_FUNCTION_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  "Valve"();\nEND_FUNCTION\n',
    'FUNCTION_BLOCK "Valve"\nBEGIN\n  ;\nEND_FUNCTION_BLOCK\nDATA_BLOCK "Valve_1"\n"Valve"\nBEGIN\nEND_DATA_BLOCK\nFUNCTION "Use" : Void\nBEGIN\n  "Valve_1"();\nEND_FUNCTION\n',
  ),
  'tag-without-address': {
    severity: 'error',
    title: 'The tag has no address',
    explanation:
      'A tag stands for an address of the inputs, outputs or flags; without one it can be declared, but not used. The first line of the example is the row of the tag: name, type, address.',
    fails: `"Start" Bool\n${fb('"Start" := #enable;')}`,
    passes: `"Start" Bool %M0.7\n${fb('"Start" := #enable;')}`,
  },
} satisfies Readonly<Record<string, DiagnosticCode>>
