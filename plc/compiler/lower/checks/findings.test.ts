/** Rules about divisors, loops, comparisons, results, instances and parameters: what they find, and what they leave. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSource } from '../../../formats/source/read.ts'
import { linkProgram } from '../../../program/link-program.ts'
import { expressionNetwork, networkDiagnostics } from '../../../testing/lower-ladder.ts'
import { lowerBlock } from '../lower-block.ts'

/** The small bodies below assign one output again and again. */
const otherSubjects = new Set<string>(['dead-store', 'timer-not-always-called', 'result-partly-assigned'])

/** Diagnostics of a source: code, and the member or line. */
function found(source: string): string[] {
  const { blocks, faults } = readSource(source)
  assert.deepEqual(faults, [])
  const program = linkProgram(blocks.map(({ object }) => ({ object })))
  return [...program.blocks.values()].flatMap((block) =>
    lowerBlock(program, block)
      .diagnostics.filter(({ code }) => !otherSubjects.has(code))
      .map(({ code, member, line }) => `${code} ${member ?? line}`),
  )
}

const fb = (body: string) =>
  `FUNCTION_BLOCK "Valve"\nVAR_INPUT\n  a : Bool;\nEND_VAR\nBEGIN\n  ;\nEND_FUNCTION_BLOCK\nFUNCTION_BLOCK "F"\n{ S7_Optimized_Access := 'TRUE' }\nVAR_INPUT\n  a : Bool;\n  n : Int;\n  u : UInt;\n  by : Byte;\n  r : Real;\nEND_VAR\nVAR_OUTPUT\n  q : Bool;\n  y : Int;\nEND_VAR\nVAR\n  list : Array[0..9] of Int;\n  old : Real;\n  t1 {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\n  valve : "Valve";\n  valves : Array[0..3] of "Valve";\n  s : Int;\nEND_VAR\nVAR_TEMP\n  i : Int;\n  j : Int;\nEND_VAR\nVAR CONSTANT\n  zero : Int := 0;\n  last : Int := 9;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`

/** The lines of a body with what is found there; unused temporaries are not the subject. */
const inBody = (body: string): string[] => found(fb(body)).filter((one) => !one.startsWith('unused-temporary'))

const cases: readonly (readonly [body: string, ...expected: string[]])[] = [
  // Divisors
  ['#y := #n / 0;', 'division-by-zero 1'],
  ['#y := #n MOD #zero;', 'division-by-zero 1'],
  ['#old := #r / 0.0;', 'division-by-zero 1'],
  ['#y := #n;\n#y /= 0;', 'division-by-zero 2'],
  ['#y := #n / #s;\n#y := 0 / #n;'],
  // Run variables that leave an array
  ['FOR #i := 0 TO 10 DO\n#list[#i] := 0;\nEND_FOR;', 'loop-leaves-array 2'],
  ['FOR #i := 1 TO #last DO\n#list[#i] := #list[#i - 1];\nEND_FOR;'],
  ['FOR #i := 0 TO #last DO\n#list[#i] := #list[#i + 1];\nEND_FOR;', 'loop-leaves-array 2'],
  ['FOR #i := 9 TO 0 BY -2 DO\n#list[#i - 1] := 0;\nEND_FOR;'],
  ['FOR #i := 8 TO 0 BY -2 DO\n#list[#i - 1] := 0;\nEND_FOR;', 'loop-leaves-array 2'],
  ['FOR #i := 0 TO 9 DO\nIF #i < 9 THEN\n#list[#i] := #list[#i + 1];\nEND_IF;\nEND_FOR;'],
  ['FOR #i := 0 TO 100 DO\nIF #list[#i] = 0 THEN\nEXIT;\nEND_IF;\nEND_FOR;'],
  ['FOR #i := 0 TO 100 DO\nIF #i > 9 THEN\nCONTINUE;\nEND_IF;\n#list[#i] := 0;\nEND_FOR;'],
  ['FOR #i := 0 TO #n DO\n#list[#i] := 0;\nEND_FOR;'],
  ['FOR #i := 0 TO 4 DO\nFOR #j := 0 TO 2 DO\n#list[#i * 2 + #j] := 0;\nEND_FOR;\nEND_FOR;', 'loop-leaves-array 3'],
  ['FOR #i := 0 TO 3 DO\nFOR #j := 0 TO 2 DO\n#list[#i * 3 + #j] := 0;\nEND_FOR;\nEND_FOR;', 'loop-leaves-array 3'],
  ['FOR #i := 0 TO 2 DO\nFOR #j := 0 TO 2 DO\n#list[#i * 3 + #j] := 0;\nEND_FOR;\nEND_FOR;'],
  ['FOR #s := 0 TO 10 DO\n#list[#s] := 0;\nEND_FOR;', 'loop-leaves-array 2'],
  ['FOR #i := 0 TO 20 DO\n;\nEND_FOR;\n#list[#i - 20] := 0;'],
  // Loops
  ['FOR #i := 9 TO 0 DO\n;\nEND_FOR;', 'empty-range 1'],
  ['FOR #i := 0 TO 9 BY 0 DO\n;\nEND_FOR;', 'endless-loop 1'],
  ['WHILE TRUE DO\n#y := 1;\nEND_WHILE;', 'endless-loop 1'],
  ['REPEAT\n#y := 1;\nUNTIL FALSE END_REPEAT;', 'endless-loop 3'],
  ['REPEAT\n#y := 1;\nUNTIL TRUE END_REPEAT;'],
  ['WHILE TRUE DO\nIF #a THEN\nRETURN;\nEND_IF;\nEND_WHILE;'],
  ['WHILE TRUE DO\nWHILE #y < 3 DO\nEXIT;\nEND_WHILE;\nEND_WHILE;', 'endless-loop 1'],
  ['#i := 0;\nWHILE #i < 10 DO\n#y := #y + 1;\nEND_WHILE;', 'endless-loop 2'],
  ['#i := 0;\nWHILE #i < 10 DO\n#i := #i + 1;\nEND_WHILE;'],
  ['WHILE #y < 10 DO\n#s := #s + 1;\nEND_WHILE;'],
  ['WHILE %I0.0 DO\n#y := 1;\nEND_WHILE;'],
  // Comparisons
  ['#q := #r = 1.5;', 'real-equality 1'],
  ['#q := #r * 2.0 <> #old;', 'real-equality 1'],
  ['#q := #r = 0.0;\n#q := #r <> #old;\n#old := #r;\n#q := #r > 1.5;\n#q := #r <> #r;'],
  ['#q := #u >= 0;', 'comparison-always 1'],
  ['#q := 0 > #u;', 'comparison-always 1'],
  ['#q := #u > 0;\n#q := 0 < #u;\n#q := #n >= 0;\n#q := #u < 1;'],
  ['#q := #n > 40000;', 'comparison-always 1'],
  ['#q := #by > 255;', 'comparison-always 1'],
  ['#q := #n = #n;', 'comparison-always 1'],
  ['#q := #list[#n] = #list[#s];\n#q := #n = 16#FFFF;\n#q := 1 = 1;'],
  // Instances
  ['#t1(IN := #a, PT := T#1s);\n#t1(IN := #q, PT := T#1s);', 'instance-called-twice 2'],
  ['#t1(IN := #a, PT := T#1s);\nIF #a THEN\n#t1(IN := #q, PT := T#1s);\nEND_IF;', 'instance-called-twice 3'],
  ['IF #a THEN\n#t1(IN := #a, PT := T#1s);\nELSE\n#t1(IN := #q, PT := T#1s);\nEND_IF;'],
  ['IF #a THEN\n#t1(IN := #a, PT := T#1s);\nEND_IF;\nIF NOT #a THEN\n#t1(IN := #q, PT := T#1s);\nEND_IF;'],
  ['IF #a THEN\n#t1(IN := #a, PT := T#1s);\nRETURN;\nEND_IF;\n#t1(IN := #q, PT := T#1s);'],
  ['CASE #n OF\n1: #t1(IN := #a, PT := T#1s);\n2: #t1(IN := #q, PT := T#1s);\nEND_CASE;'],
  ['#valve(a := #a);\n#valve(a := #q);', 'instance-called-twice 2'],
  ['#valves[#n](a := #a);\n#valves[#s](a := #q);'],
  // Parameters
  ['#valve(#a);', 'positional-parameter 1'],
  ['#t1(#a, T#1s);', 'positional-parameter 1'],
  // Temporaries
  ['#i := #n;', 'never-read i'],
  ['#i := #n;\n#y := #i;'],
  ['#i := ABS(#n);\n#i := #i + 1;'],
]

for (const [body, ...expected] of cases)
  test(body.replaceAll('\n', ' '), () => assert.deepEqual(inBody(body), expected))

test('hints: ELSEIF, a bit of a number, a text in double quotes', () => {
  const told = (body: string) => {
    const { blocks } = readSource(fb(body))
    const program = linkProgram(blocks.map(({ object }) => ({ object })))
    return [...program.blocks.values()].flatMap((block) =>
      lowerBlock(program, block).diagnostics.map(({ line, message, hint }) => `${line} ${message} ${hint ?? ''}`),
    )
  }
  assert.deepEqual(told('IF #a THEN\n#y := 1;\nELSEIF #q THEN\n#y := 2;\nELSE\n#y := 3;\nEND_IF;'), [
    '3 ELSEIF is written ELSIF here ',
  ])
  assert.deepEqual(told('#q := #by.3;'), ['1 #by is of type Byte: it has no member "3". Bit 3 is written #by.%X3.'])
  assert.match(told('#q := \'x\' = "hello";')[0] ?? '', /A text stands between single quotes: 'hello'\.$/)
  assert.doesNotMatch(told('"hello"();')[0] ?? '', /single quotes/)
})

test('a result that nothing assigns: the value of a function, its outputs; a function without code is not meant', () => {
  const fc = (body: string) =>
    `FUNCTION "F" : Int\nVAR_INPUT\n  a : Int;\nEND_VAR\nVAR_OUTPUT\n  o : Int;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION\n`
  assert.deepEqual(found(fc('#o := #a;')), ['result-not-assigned Ret_Val'])
  assert.deepEqual(found(fc('#F := #a;')), ['result-not-assigned o'])
  assert.deepEqual(found(fc('IF #a > 1 THEN\n#F := #a;\n#o := 1;\nEND_IF;')), [])
  assert.deepEqual(found(fc(';')), [])
})

test('a block with a single temporary, and a function with a single result', () => {
  const block = (body: string) =>
    `FUNCTION_BLOCK "F"\nVAR\n  y : Int;\nEND_VAR\nVAR_TEMP\n  i : Int;\nEND_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
  assert.deepEqual(found(block('#i := #y;')), ['never-read i'])
  assert.deepEqual(found(block('#y := #i;')), ['uninitialised-temporary i'])
  assert.deepEqual(found(block('#i := 1;\n#y := #i;')), [])
  const value = (body: string) => `FUNCTION "F" : Int\nBEGIN\n${body}\nEND_FUNCTION\n`
  assert.deepEqual(found(value('%M0.0 := TRUE;')), ['result-not-assigned Ret_Val'])
  assert.deepEqual(found(value('#F := 1;')), [])
})

test('LAD: a box that compares and divides, two boxes of one instance', () => {
  const members = { u: 'UInt', q: 'Bool', y: 'UInt' }
  const told = (...texts: readonly string[]) =>
    networkDiagnostics(
      members,
      texts.map((text) => expressionNetwork(members, text)),
    ).flatMap(({ code, network }) => (otherSubjects.has(code) ? [] : [`${code} ${network}`]))
  assert.deepEqual(told('#q := #u >= 0;'), ['comparison-always 1'])
  assert.deepEqual(told('#q := #u > 0;', '#q := #u <> 0;'), [])
  // A limit of a range that is that of the type is no comparison of the program.
  assert.deepEqual(told('#q := InRange(0, #u, 10);', '#q := OutRange(0, #u, 10);'), [])
  assert.deepEqual(told('#q := InRange(10, #u, 65535);', '#q := OutRange(10, #u, 65535);'), [])
  assert.deepEqual(told('#y := #u / 0;'), ['division-by-zero 1'])
})
