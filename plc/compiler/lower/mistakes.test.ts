/**
 * Common mistakes and their diagnostics: the place, what is wrong, and what would be right. Every fault is reported
 * once, and none hides the next.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnosticsOf } from '../../testing/lower-source.ts'

const head = `TYPE "U"
STRUCT
  x : Int;
  y : Real;
END_STRUCT;
END_TYPE
FUNCTION "Sum" : Int
VAR_INPUT
  a : Int;
  b : Int;
END_VAR
VAR_OUTPUT
  isBig : Bool;
END_VAR
BEGIN
#Sum := #a + #b;
#isBig := #Sum > 100;
END_FUNCTION
FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool;
END_VAR
VAR_OUTPUT
  running : Bool;
END_VAR
VAR_IN_OUT
  u : "U";
END_VAR
BEGIN
#running := #start;
#u.x := 1;
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Main"
VAR_INPUT
  go : Bool;
  level : Int;
END_VAR
VAR_OUTPUT
  done : Bool;
END_VAR
VAR
  i : Int;
  r : Real;
  b : Bool;
  w : Word;
  s : String[20];
  t : Time;
  list : Array[0..9] of Int;
  grid : Array[0..2, 1..3] of Int;
  u : "U";
  m : "Motor";
  timer : TON_TIME;
END_VAR
VAR CONSTANT
  LIMIT_UP : Int := 100;
END_VAR
BEGIN
`

interface Mistake {
  readonly name: string
  readonly body: string
  /** Severity, place, code, message and hint; #nope shows that the code after a fault is still checked. */
  readonly told: readonly string[]
}

const mistakes: readonly Mistake[] = [
  {
    name: 'missing closing quote of a name',
    body: '"Motor := 1;\n#i := 2;\n#i := "nope";',
    told: [
      'error 1:1-1:13 scl-token: name without closing quote (") on its line',
      'error 3:7-3:13 undeclared: "nope" is not in the program.; Declare a tag, constant or block of this name.',
    ],
  },
  {
    name: 'missing closing quote of a text',
    body: "#s := 'hello;\n#i := 2;\n#nope := 3;",
    told: [
      "error 1:7-1:14 scl-token: string without closing apostrophe (') on its line",
      'error 3:1-3:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: '= for :=',
    body: '#i = 5;\n#nope := 1;',
    told: [
      'error 1:4-1:5 scl-not-a-statement: expected ":=" behind the operand, found "="',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: '== for =',
    body: 'IF #i == 5 THEN\n  #i := 1;\nEND_IF;\n#nope := 1;',
    told: [
      'error 1:7-1:9 scl-token: "==" is no operator here: write =',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: '!= for <>',
    body: 'IF #i != 5 THEN\n  #i := 1;\nEND_IF;\n#nope := 1;',
    told: [
      'error 1:7-1:9 scl-token: "!=" is no operator here: write <>',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'wrong type',
    body: '#i := #r;',
    told: [
      'error 1:7-1:9 type-mismatch: For #i a value of type Int is wanted; #r is of type Real.; Convert it: REAL_TO_INT(#r).',
    ],
  },
  {
    name: 'wrong type bool',
    body: '#b := #i;',
    told: [
      'error 1:7-1:9 type-mismatch: For #b a value of type Bool is wanted; #i is of type Int.; Compare it, e.g. #i <> 0.',
    ],
  },
  {
    name: 'text to int',
    body: "#i := 'five';",
    told: ["error 1:7-1:13 constant-does-not-fit: 'five' is a text, not a value of type Int."],
  },
  {
    name: 'literal too large',
    body: '#i := 70000;',
    told: ['error 1:7-1:12 constant-does-not-fit: 70000 does not fit into Int (-32768 to 32767).'],
  },
  {
    name: 'missing semicolon',
    body: '#i := 1\n#r := 2.0;\n#nope := 3;',
    told: [
      'error 1:7-1:8 scl-missing-semicolon: expected ";" behind the assignment',
      'error 3:1-3:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing semicolon at end',
    body: '#i := 1',
    told: ['error 1:7-1:8 scl-missing-semicolon: expected ";" behind the assignment'],
  },
  {
    name: 'undeclared',
    body: '#j := 1;\n#lst[1] := 2;',
    told: [
      'error 1:1-1:3 undeclared: #j is not declared in "Main".; Did you mean #i?',
      'error 2:1-2:5 undeclared: #lst is not declared in "Main".; Did you mean #list?',
    ],
  },
  {
    name: 'misspelt TRUE and FALSE',
    body: '#b := FLASE;\n#b := "FLASE";\n#b := TRU;',
    told: [
      'error 1:7-1:12 undeclared: "FLASE" is not in the program.; Did you mean FALSE?',
      'error 2:7-2:14 undeclared: "FLASE" is not in the program.; Declare a tag, constant or block of this name.',
      'error 3:7-3:10 undeclared: "TRU" is not in the program.; Did you mean TRUE?',
    ],
  },
  {
    name: 'undeclared block',
    body: '"Valve"(open := TRUE);\n"Tag_1" := 3;',
    told: [
      'error 1:1-1:8 undeclared: "Valve" is not in the program.; Declare a tag, constant or block of this name.',
      'error 2:1-2:8 undeclared: "Tag_1" is not in the program.; Declare a tag, constant or block of this name.',
    ],
  },
  {
    name: 'wrong parameter name',
    body: '#i := "Sum"(a := 1, c := 2);',
    told: ['error 1:26-1:27 unknown-parameter: "Sum" has no parameter "c".; Did you mean "a"?'],
  },
  {
    name: 'missing parameter',
    body: '#i := "Sum"(a := 1);',
    told: [
      'error 1:7-1:20 missing-parameter: Parameter "b" of "Sum" is not given.; A function needs all its inputs and in-outs.',
    ],
  },
  {
    name: 'extra parameter',
    body: '#i := "Sum"(1, 2, 3);',
    told: ['error 1:19-1:20 unknown-parameter: "Sum" has 2 inputs, more are given.'],
  },
  {
    name: 'parameter twice',
    body: '#i := "Sum"(a := 1, a := 2, b := 3);',
    told: ['error 1:26-1:27 duplicate-parameter: Parameter "a" is given twice.'],
  },
  {
    name: 'output with :=',
    body: '#i := "Sum"(a := 1, b := 2, isBig := #b);',
    told: ['error 1:38-1:40 parameter-direction: "isBig" is an output: write isBig => …'],
  },
  {
    name: 'input with =>',
    body: '#i := "Sum"(a => 1, b := 2);',
    told: ['error 1:18-1:19 parameter-direction: "a" is an input: write a := …'],
  },
  {
    name: 'missing END_IF',
    body: 'IF #b THEN\n  #i := 1;\n#r := 2.0;\n#nope := 1;',
    told: [
      'error 1:1-1:3 scl-unclosed: IF without END_IF: found the end of the text first',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing THEN',
    body: 'IF #b\n  #i := 1;\nEND_IF;\n#nope := 1;',
    told: [
      'error 2:3-2:5 scl-expected: expected THEN behind the condition, found "#i"',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing DO',
    body: 'FOR #i := 1 TO 3\n  #r := 1.0;\nEND_FOR;\n#nope := 1;',
    told: [
      'error 2:3-2:5 scl-expected: expected BY or DO behind the last value, found "#r"',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing END_FOR',
    body: 'FOR #i := 1 TO 3 DO\n  #r := 1.0;\n',
    told: ['error 1:1-1:4 scl-unclosed: FOR without END_FOR: found the end of the text first'],
  },
  {
    name: 'END_IF too many',
    body: '#i := 1;\nEND_IF;\n#nope := 1;',
    told: [
      'error 2:1-2:7 scl-stray-end: END_IF without IF',
      'error 3:1-3:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'FB without instance',
    body: '"Motor"(start := #go, u := #u);',
    told: [
      'error 1:1-1:31 no-instance: "Motor" is a function block: it is called with an instance.; Call its instance data block, or a static of its type.',
    ],
  },
  {
    name: 'FB call without in-out',
    body: '#m(start := #go);',
    told: ['error 1:1-1:17 missing-parameter: In-out "u" of "Motor" is not given.; Its type is "U".'],
  },
  {
    name: 'index out of bounds',
    body: '#list[10] := 1;\n#grid[0, 0] := 2;\n#i := #list[-1];',
    told: [
      'error 1:7-1:9 index-out-of-range: Index 10 of #list is outside 0 to 9.',
      'error 2:10-2:11 index-out-of-range: Index 0 of #grid is outside 1 to 3.',
      'error 3:13-3:15 index-out-of-range: Index -1 of #list is outside 0 to 9.',
    ],
  },
  {
    name: 'index of no array',
    body: '#i[1] := 2;',
    told: ['error 1:1-1:6 not-an-array: #i is of type Int, not an array.'],
  },
  {
    name: 'assignment to input',
    body: '#go := TRUE;',
    told: ['warning 1:1-1:4 input-assigned: #go is an input of the block.; The next call overwrites it.'],
  },
  {
    name: 'assignment to constant',
    body: '#LIMIT_UP := 5;\n5 := #i;',
    told: [
      'error 1:1-1:10 not-assignable: Nothing can be assigned to #LIMIT_UP.',
      'error 2:1-2:2 not-assignable: Nothing can be assigned to 5.',
    ],
  },
  {
    name: 'unknown member',
    body: '#u.z := 1;\n#u.xx.y := 2;',
    told: [
      'error 1:4-1:5 unknown-member: #u has no member "z".; Did you mean "x"?',
      'error 2:4-2:6 unknown-member: #u has no member "xx".; Did you mean "x"?',
    ],
  },
  {
    name: 'duplicate CASE',
    body: 'CASE #i OF\n  1: #r := 1.0;\n  2, 1: #r := 2.0;\n  1..5: #r := 3.0;\nEND_CASE;',
    told: [
      'warning 3:6-3:7 duplicate-case: 1 is chosen by an earlier label already.',
      'warning 4:3-4:7 duplicate-case: 1..5 is chosen by an earlier label already.',
    ],
  },
  {
    name: 'CASE label no constant',
    body: 'CASE #i OF\n  #level: #r := 1.0;\nEND_CASE;',
    told: ['error 2:3-2:9 no-constant: #level is no constant: labels of CASE are constants.'],
  },
  {
    name: 'unreachable',
    body: 'RETURN;\n#i := 1;',
    told: [
      'warning 2:1-2:9 unreachable: This is never reached: RETURN stands before it.; Remove it, or make the jump depend on a condition.',
    ],
  },
  {
    name: 'run variable assigned',
    body: 'FOR #i := 1 TO 3 DO\n  #i := #i + 1;\nEND_FOR;\n#i := 1;',
    told: [
      'warning 2:3-2:5 run-variable-assigned: #i is the run variable of the FOR around: TIA Portal refuses to assign it in the loop.; Leave the loop with EXIT, or use WHILE.',
    ],
  },
  {
    name: 'EXIT outside',
    body: 'EXIT;',
    told: ['error 1:1-1:6 no-loop: EXIT stands in no loop.'],
  },
  {
    name: 'condition no bool',
    body: 'IF #i THEN\n  #r := 1.0;\nEND_IF;',
    told: [
      'error 1:4-1:6 type-mismatch: As a condition a value of type Bool is wanted; #i is of type Int.; Compare it, e.g. #i <> 0.',
    ],
  },
  {
    name: 'unbalanced brackets',
    body: '#i := (#i + 1;\n#nope := 1;',
    told: [
      'error 1:14-1:15 scl-expected: expected ")", found ";"',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'unbalanced brackets 2',
    body: '#i := #i + 1);\n#nope := 1;',
    told: [
      'error 1:13-1:14 scl-missing-semicolon: expected ";" behind the assignment, found ")"',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing operand',
    body: '#i := #i + ;\n#nope := 1;',
    told: [
      'error 1:12-1:13 scl-missing-expression: expected an expression, found ";"',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'AND of ints',
    body: '#b := #i AND #b;',
    told: [
      'error 1:7-1:16 wrong-operand: AND cannot be applied to values of types Int and Bool.; A number becomes a Bool by a comparison, e.g. … <> 0.',
    ],
  },
  {
    name: 'unknown function',
    body: '#r := SINUS(#r);\n#i := ABSS(#i);',
    told: [
      'error 1:7-1:12 unknown-instruction: SINUS is no instruction that is known here.; Blocks of the program are called with quotes.',
      'error 2:7-2:11 unknown-instruction: ABSS is no instruction that is known here.; Did you mean ABS?',
    ],
  },
  {
    name: 'timer without instance',
    body: 'TON(IN := #b, PT := T#1s);',
    told: [
      'error 1:1-1:26 no-instance: TON keeps its state in an instance, which is missing here.; Declare a static of type TON and call it: #name(…).',
    ],
  },
  {
    name: 'wrong time literal',
    body: '#t := T#5x;\n#t := 5s;',
    told: [
      'error 2:8-2:9 scl-token: 5s is no number: a duration is written T#5s',
      'error 1:7-1:11 wrong-constant: T#5x is no Time constant: "5x" is no number with a unit.; Allowed: a duration such as T#5s, T#1h30m, T#250ms',
    ],
  },
  {
    name: 'a number and a word are one literal only without a blank between',
    body: '#i := 5 s;\n#i := 0xF;\n#i := 0 xF;',
    told: [
      'error 1:9-1:10 scl-missing-semicolon: expected ";" behind the assignment, found "s"',
      'error 2:8-2:10 scl-token: 0xF is no number: hexadecimal numbers are written 16#F',
      'error 3:9-3:11 scl-missing-semicolon: expected ";" behind the assignment, found "xF"',
    ],
  },
  {
    name: 'else if',
    body: 'IF #b THEN\n  #i := 1;\nELSE IF #go THEN\n  #i := 2;\nEND_IF;\n#nope := 1;',
    told: [
      'error 1:1-1:3 scl-unclosed: IF without END_IF: found the end of the text first; ELSE IF begins an IF of its own, write ELSIF to go on with this one',
      'error 6:1-6:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: '++',
    body: '#i++;\n#nope := 1;',
    told: [
      'error 1:3-1:4 scl-not-a-statement: "++" is no operator here: write += 1',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'struct for int',
    body: '#i := #u;\n#u := #i;',
    told: [
      'error 1:7-1:9 no-scalar: #u is of type "U": a single value is wanted.',
      'error 2:7-2:9 type-mismatch: For #u a value of type "U" is wanted; #i is of type Int.',
    ],
  },
  {
    name: 'arrays of different size',
    body: '#list := #grid;',
    told: [
      'error 1:10-1:15 type-mismatch: For #list a value of type Array[0..9] of Int is wanted; #grid is of type Array[0..2, 1..3] of Int.',
    ],
  },
  {
    name: 'no value from FB',
    body: '#i := #m(start := #go, u := #u);',
    told: ['error 1:7-1:32 no-value: #m gives no value.'],
  },
  {
    name: 'decimal comma',
    body: '#r := 1,5;\n#nope := 1;',
    told: [
      'error 1:8-1:9 scl-missing-semicolon: expected a decimal point: numbers have no comma, found ","',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'missing operator',
    body: '#i := #i 1;\n#nope := 1;',
    told: [
      'error 1:10-1:11 scl-missing-semicolon: expected ";" behind the assignment, found "1"',
      'error 2:1-2:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'CASE missing colon',
    body: 'CASE #i OF\n  1 #r := 1.0;\n  2: #r := 2.0;\nEND_CASE;\n#nope := 1;',
    told: [
      'error 2:5-2:7 scl-expected: expected ":" behind the values of a branch, found "#r"',
      'error 5:1-5:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'empty THEN expr',
    body: 'IF THEN\n #i := 1;\nEND_IF;',
    told: ['error 1:4-1:8 scl-missing-expression: expected an expression, found "THEN"'],
  },
  {
    name: 'NOT missing',
    body: '#b := !#b;',
    told: ['error 1:7-1:8 scl-token: "!" is no operator here: write NOT'],
  },
  {
    name: 'bits &&',
    body: '#b := #b && #go;',
    told: ['error 1:10-1:12 scl-token: "&&" is no operator here: write AND'],
  },
  {
    name: 'wrong end',
    body: 'FOR #i := 1 TO 3 DO\n#r := 1.0;\nEND_IF;\n#nope := 1;',
    told: [
      'error 3:1-3:7 scl-stray-end: END_IF stands where END_FOR belongs: it closes FOR',
      'error 4:1-4:6 undeclared: #nope is not declared in "Main".; Declare it in the interface of the block.',
    ],
  },
  {
    name: 'misspelt IF',
    body: 'IFF #b THEN\n#i := 1;\nEND_IF;',
    told: ['error 1:1-1:4 scl-not-a-statement: IFF begins no statement: did you mean IF?'],
  },
  {
    name: 'braces',
    body: 'IF (#b) {\n#i := 1;\n}',
    told: [
      'error 1:9-1:10 scl-expected: expected THEN behind the condition, found "{": statements stand behind THEN, not in braces',
    ],
  },
  {
    name: 'one index of two, assigned',
    body: '#grid[1] := 2;',
    told: [
      'error 1:1-1:9 wrong-dimensions: #grid has 2 dimensions, 1 index is given: a single value is wanted.; Its type is Array[0..2, 1..3] of Int.',
    ],
  },
  {
    name: 'one index of two, read',
    body: '#i := #grid[1];',
    told: [
      'error 1:7-1:15 wrong-dimensions: #grid has 2 dimensions, 1 index is given: a single value is wanted.; Its type is Array[0..2, 1..3] of Int.',
    ],
  },
  {
    name: 'text too long',
    body: "#s := 'a text of more than twenty characters';",
    told: [
      'warning 1:7-1:46 text-cut: The text has 37 characters, #s takes 20: the rest is cut off.; Declare it longer: String[37].',
    ],
  },
  {
    name: ':= in a condition',
    body: 'IF #i := 1 THEN\n  #i := 2;\nEND_IF;',
    told: ['error 1:7-1:9 scl-expected: ":=" assigns a value: a comparison is written "="'],
  },
  {
    name: 'misspelt THEN and AND',
    body: 'IF #go THAN\n  #i := 1;\nEND_IF;\nIF #go ANND #b THEN\n  #i := 1;\nEND_IF;',
    told: [
      'error 1:8-1:12 scl-expected: expected THEN behind the condition, found "THAN"',
      'error 4:8-4:12 scl-expected: ANND is no operator: did you mean AND?',
    ],
  },
  {
    name: 'ENDIF and END IF',
    body: 'IF #go THEN\n  #i := 1;\nENDIF;\nWHILE #i < 3 DO\n  #i := #i + 1;\nEND WHILE;',
    told: [
      'error 3:1-3:6 scl-expected: ENDIF is written END_IF here',
      'error 6:1-6:4 scl-expected: END WHILE is written END_WHILE here',
    ],
  },
  {
    name: 'the inner IF has no end: the indentation tells which',
    body: 'IF #go THEN\n  IF #b THEN\n    #i := 1;\nEND_IF;\n#i := 2;',
    told: [
      'error 2:3-2:5 scl-unclosed: IF without an end of its own: the END_IF in line 4 closes it, but stands below the IF around it',
    ],
  },
  {
    name: 'declarations between statements',
    body: 'VAR x : Int; END_VAR\n#i := 1;',
    told: ['error 1:1-1:4 scl-not-a-statement: VAR between statements: declarations stand before BEGIN'],
  },
  {
    name: 'RETURN with a value',
    body: 'RETURN 5;',
    told: ['error 1:8-1:9 scl-expected: RETURN takes no value: assign it to the name of the function before'],
  },
  {
    name: 'numbers and operators of other languages',
    body: '#w := 0xFF;\n#r := #r ^ 2.0;\n#i := #i % 2;',
    told: [
      'error 1:8-1:11 scl-token: 0xFF is no number: hexadecimal numbers are written 16#FF',
      'error 2:10-2:11 scl-token: "^" is no operator here: a power is written **',
      'error 3:10-3:11 scl-token: character "%" is not part of the language: the remainder of a division is written MOD',
    ],
  },
  {
    name: 'round brackets for an element, + for texts, CASE of a text',
    body: "#list(1) := 5;\n#s := #s + 'x';\nCASE #s OF\n  1: #i := 1;\nEND_CASE;",
    told: [
      'error 1:1-1:6 not-callable: #list cannot be called.; An element of an array is written #list[…].',
      'error 2:7-2:9 wrong-operand: + cannot be applied to texts.; Join texts with CONCAT(IN1 := …, IN2 := …).',
      'error 3:6-3:8 wrong-operand: CASE chooses by a whole number; #s is of type String[20].',
    ],
  },
  {
    name: 'a block for a text: the text beside it is no fault',
    body: '#s := CONCAT(IN1 := "Motor", IN2 := #s);',
    told: ['error 1:21-1:28 type-mismatch: For parameter "IN1" a text of type String is wanted; "Motor" is none.'],
  },
  {
    name: 'two comparisons in a row, REPEAT without UNTIL, a comma that is missing',
    body: 'IF 0 < #i < 10 THEN\n  #i := 1;\nEND_IF;\nREPEAT\n  #i := #i + 1;\nEND_REPEAT;\n#timer(IN := #go NOT #b, PT := T#1s);',
    told: [
      'error 6:1-6:11 scl-expected: expected UNTIL, found "END_REPEAT"',
      'error 7:18-7:21 scl-expected: expected "," or ")" behind the argument, found "NOT"',
      'error 1:4-1:15 wrong-operand: < cannot be applied to values of types Bool and Int.; Comparisons are joined with AND: 0 < #x AND #x < 10.',
    ],
  },
]

for (const { name, body, told } of mistakes)
  test(name, () => {
    const all = diagnosticsOf(`${head}${body}\nEND_FUNCTION_BLOCK\n`).map(
      ({ severity, line, column, endLine, endColumn, code, message, hint }) =>
        `${severity} ${line}:${column}-${endLine}:${endColumn} ${code}: ${message}${hint === undefined ? '' : `; ${hint}`}`,
    )
    assert.deepEqual(all, told)
  })
