/** Mistakes planted in small SCL programs, one in each (plc/testing/planted.ts). */
import { testPlanted } from '../testing/planted.ts'

interface More {
  readonly block?: 'FC'
  readonly beside?: readonly string[]
}
type Row = readonly [name: string, code: string, wrong: string, right: string, more?: More]

const declarations: Readonly<Record<string, readonly [section: string, type: string]>> = {
  a: ['INPUT', 'Bool'],
  b: ['INPUT', 'Bool'],
  x: ['INPUT', 'Int'],
  y: ['INPUT', 'Int'],
  r: ['INPUT', 'Real'],
  u: ['INPUT', 'UInt'],
  w: ['INPUT', 'Word'],
  q: ['OUTPUT', 'Bool'],
  p: ['OUTPUT', 'Bool'],
  n: ['OUTPUT', 'Int'],
  d: ['OUTPUT', 'DInt'],
  v: ['OUTPUT', 'Word'],
  f: ['OUTPUT', 'Real'],
  s: ['OUTPUT', 'String[4]'],
  delay: ['', 'TON_TIME'],
  other: ['', 'TON_TIME'],
  step: ['', 'Int'],
  next: ['', 'Int'],
  latch: ['', 'Bool'],
  list: ['', 'Array[0..9] of Int'],
  t: ['TEMP', 'Int'],
  i: ['TEMP', 'Int'],
  ok: ['TEMP', 'Bool'],
}

/** A block with the members that its body names. */
function program(body: string, block: 'FC' | 'FB'): string {
  const isUsed = (name: string) => new RegExp(`#${name}\\b`).test(body)
  const sections = ['INPUT', 'OUTPUT', '', 'TEMP'].flatMap((section) => {
    const rows = Object.entries(declarations).filter(([name, [own]]) => own === section && isUsed(name))
    const lines = rows.map(([name, [, type]]) => `  ${name} : ${type}; // for the test`)
    return rows.length === 0 ? [] : [section === '' ? 'VAR' : `VAR_${section}`, ...lines, 'END_VAR']
  })
  const [begin, end] =
    block === 'FC'
      ? [`FUNCTION "Tested" : ${isUsed('Tested') ? 'Int' : 'Void'}`, 'END_FUNCTION']
      : ['FUNCTION_BLOCK "Tested"', 'END_FUNCTION_BLOCK']
  const header = "TITLE = Tested\n{ S7_Optimized_Access := 'TRUE' }"
  return [begin, header, ...sections, 'BEGIN', body, end, ''].join('\n')
}

const outputs = "#q := #a; #d := 0; #v := 0; #f := 0.0; #s := 'a';"

const planted: readonly Row[] = [
  [
    'temporary read first',
    'uninitialised-temporary',
    '#q := #t > 1; (*!*)\n#t := #x;\n#n := #t;',
    '#t := #x;\n#q := #t > 1;\n#n := #t;',
  ],
  [
    'temporary in an IF without ELSE',
    'temporary-partly-assigned',
    'IF #a THEN\n#t := #x;\nEND_IF;\n#q := #t > 1; (*!*)',
    '#t := 0;\nIF #a THEN\n#t := #x;\nEND_IF;\n#q := #t > 1;',
  ],
  [
    'temporary in IF and ELSIF',
    'temporary-partly-assigned',
    'IF #a THEN\n#t := 1;\nELSIF #b THEN\n#t := 2;\nEND_IF;\n#q := #t > 1; (*!*)',
    'IF #a THEN\n#t := 1;\nELSIF #b THEN\n#t := 2;\nELSE\n#t := 3;\nEND_IF;\n#q := #t > 1;',
  ],
  [
    'temporary in a CASE without ELSE',
    'temporary-partly-assigned',
    'CASE #x OF\n1: #t := 1;\n2: #t := 2;\nELSE ;\nEND_CASE;\n#q := #t > 1; (*!*)',
    'CASE #x OF\n1: #t := 1;\n2: #t := 2;\nELSE\n#t := 0;\nEND_CASE;\n#q := #t > 1;',
  ],
  [
    'temporary under another condition',
    'temporary-partly-assigned',
    'IF #a THEN\n#t := #x;\nEND_IF;\nIF #b THEN\n#n := #t; (*!*)\nEND_IF;',
    'IF #a THEN\n#t := #x;\nEND_IF;\nIF #a AND #b THEN\n#n := #t;\nEND_IF;',
  ],
  [
    'temporary with the wrong flag',
    'temporary-partly-assigned',
    '#ok := TRUE;\nIF #a THEN\n#t := #x;\nELSE\n#ok := FALSE;\nEND_IF;\nIF NOT #ok THEN\n#n := #t; (*!*)\nEND_IF;',
    '#ok := TRUE;\nIF #a THEN\n#t := #x;\nELSE\n#ok := FALSE;\nEND_IF;\nIF #ok THEN\n#n := #t;\nEND_IF;',
  ],
  [
    'temporary skipped by a jump',
    'temporary-partly-assigned',
    'IF #a THEN\nGOTO done;\nEND_IF;\n#t := #x;\ndone: ;\n#q := #t > 1; (*!*)',
    '#t := 0;\nIF NOT #a THEN\n#t := #x;\nEND_IF;\n#q := #t > 1;',
    { beside: ['goto-used'] },
  ],
  [
    'value of a function in an IF',
    'result-partly-assigned',
    `${outputs}\n#n := 0;\nIF #a THEN (*!*)\n#Tested := 1;\nEND_IF;`,
    `${outputs}\n#n := 0;\n#Tested := 0;\nIF #a THEN\n#Tested := 1;\nEND_IF;`,
    { block: 'FC' },
  ],
  [
    'output of a function in an IF',
    'result-partly-assigned',
    `${outputs}\n#Tested := 0;\nIF #a THEN (*!*)\n#n := 1;\nEND_IF;`,
    `${outputs}\n#Tested := 0;\nIF #a THEN\n#n := 1;\nELSE\n#n := 2;\nEND_IF;`,
    { block: 'FC' },
  ],
  [
    'output of a function in a CASE',
    'result-partly-assigned',
    `${outputs}\n#Tested := 0;\nCASE #x OF (*!*)\n1: #n := 1;\n2: #n := 2;\nELSE ;\nEND_CASE;`,
    `${outputs}\n#Tested := 0;\nCASE #x OF\n1: #n := 1;\n2: #n := 2;\nELSE\n#n := 3;\nEND_CASE;`,
    { block: 'FC' },
  ],
  [
    'output left out by RETURN',
    'result-partly-assigned',
    `${outputs}\n#Tested := 0;\nIF #a THEN (*!*)\nRETURN;\nEND_IF;\n#n := 1;`,
    `${outputs}\n#Tested := 0;\n#n := 0;\nIF #a THEN\nRETURN;\nEND_IF;\n#n := 1;`,
    { block: 'FC' },
  ],
  [
    'timer in a FOR',
    'timer-in-loop',
    'FOR #i := 1 TO 3 DO\n#delay(IN := #a, PT := T#1s); (*!*)\nEND_FOR;',
    '#delay(IN := #a, PT := T#1s);',
  ],
  [
    'timer in a WHILE',
    'timer-in-loop',
    '#i := 0;\nWHILE #i < #x DO\n#i := #i + 1;\n#delay(IN := #a, PT := T#1s); (*!*)\nEND_WHILE;',
    '#delay(IN := #a, PT := T#1s);',
    { beside: ['while-loop'] },
  ],
  [
    'timer under an IF',
    'timer-not-always-called',
    'IF #b THEN\n#delay(IN := #a, PT := T#1s); (*!*)\nEND_IF;',
    '#delay(IN := #a AND #b, PT := T#1s);',
  ],
  [
    'timer in one branch',
    'timer-not-always-called',
    'CASE #x OF\n1: ;\n#delay(IN := #a, PT := T#1s); (*!*)\nELSE\n;\nEND_CASE;',
    'CASE #x OF\n1: #delay(IN := #a, PT := T#1s);\nELSE\n#delay(IN := FALSE, PT := T#1s);\nEND_CASE;',
  ],
  [
    'timer behind RETURN',
    'timer-not-always-called',
    'IF #b THEN\nRETURN;\nEND_IF;\n#delay(IN := #a, PT := T#1s); (*!*)',
    '#delay(IN := #a, PT := T#1s);\nIF #b THEN\nRETURN;\nEND_IF;',
  ],
  [
    'timer called twice',
    'instance-called-twice',
    '#delay(IN := #a, PT := T#1s);\n#delay(IN := #b, PT := T#1s); (*!*)',
    '#delay(IN := #a, PT := T#1s);\n#other(IN := #b, PT := T#1s);',
  ],
  [
    'timer without a time',
    'timer-without-time',
    '#delay(IN := #a, PT := T#0s); (*!*)',
    '#delay(IN := #a, PT := T#5s);',
  ],
  ['Int times 1000 into a DInt', 'narrow-product', '#d := #x * 1000; (*!*)', '#d := INT_TO_DINT(#x) * 1000;'],
  ['Int times Int into a Real', 'narrow-product', '#f := #x * #y; (*!*)', '#f := INT_TO_REAL(#x) * INT_TO_REAL(#y);'],
  ['product, then widened', 'narrow-product', '#d := INT_TO_DINT(#x * 1000); (*!*)', '#d := INT_TO_DINT(#x) * 1000;'],
  [
    'product before a division',
    'narrow-product',
    '#n := #x * 1000 / 100; (*!*)',
    '#n := DINT_TO_INT(INT_TO_DINT(#x) * 1000 / 100);',
  ],
  [
    'contradiction with AND',
    'condition-never-true',
    '#q := #x > 100 AND #x < 10; (*!*)',
    '#q := #x > 10 AND #x < 100;',
  ],
  ['two values at once', 'condition-never-true', '#q := #x = 1 AND #x = 2; (*!*)', '#q := #x = 1 OR #x = 2;'],
  [
    'contradiction of reals',
    'condition-never-true',
    '#q := #r > 100.0 AND #r < 10.0; (*!*)',
    '#q := #r > 10.0 AND #r < 100.0;',
  ],
  [
    'contradiction with an outer IF',
    'condition-never-true',
    'IF #x > 100 THEN\nIF #x < 10 THEN (*!*)\n#n := 1;\nEND_IF;\nEND_IF;',
    'IF #x > 10 THEN\nIF #x < 100 THEN\n#n := 1;\nEND_IF;\nEND_IF;',
  ],
  [
    'ELSIF that the IF includes',
    'condition-never-true',
    'IF #x > 10 THEN\n#n := 1;\nELSIF #x > 100 THEN (*!*)\n#n := 2;\nEND_IF;',
    'IF #x > 100 THEN\n#n := 1;\nELSIF #x > 10 THEN\n#n := 2;\nEND_IF;',
  ],
  ['OR of two inequalities', 'condition-always-true', '#q := #x <> 1 OR #x <> 2; (*!*)', '#q := #x <> 1 AND #x <> 2;'],
  [
    'OR of overlapping limits',
    'condition-always-true',
    '#q := #x > 10 OR #x < 100; (*!*)',
    '#q := #x < 10 OR #x > 100;',
  ],
  ['value overwritten at once', 'dead-store', '#n := #x; (*!*)\n#n := #y;', '#n := #x;\n#d := #y;'],
  ['output assigned twice', 'dead-store', '#q := #a; (*!*)\n#n := #x;\n#q := #b;', '#q := #a OR #b;\n#n := #x;'],
  [
    'value overwritten on both ways',
    'dead-store',
    '#n := #x; (*!*)\nIF #a THEN\n#n := 1;\nELSE\n#n := 2;\nEND_IF;',
    '#n := #x;\nIF #a THEN\n#n := 1;\nEND_IF;',
  ],
  [
    'last value of a temporary',
    'dead-store',
    '#t := #x;\n#n := #t;\n#t := #y; (*!*)',
    '#t := #x;\n#n := #t;\n#t := #y;\n#d := #t;',
  ],
  ['shift by the width', 'shift-too-far', '#v := SHL(IN := #w, N := 16); (*!*)', '#v := SHL(IN := #w, N := 8);'],
  ['rotation by the width', 'shift-too-far', '#v := ROL(IN := #w, N := 16); (*!*)', '#v := ROL(IN := #w, N := 4);'],
  ['division by zero', 'division-by-zero', '#n := #x / 0; (*!*)', '#n := #x / 2;'],
  [
    'division without a check',
    'division-unguarded',
    '#n := #x / #y; (*!*)',
    'IF #y <> 0 THEN\n#n := #x / #y;\nEND_IF;',
  ],
  [
    'FOR without a round',
    'empty-range',
    'FOR #i := 5 TO 1 DO (*!*)\n#n := #i;\nEND_FOR;',
    'FOR #i := 5 TO 1 BY -1 DO\n#n := #i;\nEND_FOR;',
  ],
  [
    'loop past the array',
    'loop-leaves-array',
    'FOR #i := 0 TO 10 DO\n#list[#i] := 0; (*!*)\nEND_FOR;\n#n := #list[1];',
    'FOR #i := 0 TO 9 DO\n#list[#i] := 0;\nEND_FOR;\n#n := #list[1];',
  ],
  [
    'CASE without ELSE',
    'case-without-else',
    'CASE #x OF (*!*)\n1: #n := 1;\n2: #n := 2;\nEND_CASE;',
    'CASE #x OF\n1: #n := 1;\n2: #n := 2;\nELSE\n#n := 0;\nEND_CASE;',
  ],
  [
    'branches that do the same',
    'identical-branches',
    'IF #a THEN (*!*)\n#n := #x;\nELSE\n#n := #x;\nEND_IF;',
    'IF #a THEN\n#n := #x;\nELSE\n#n := #y;\nEND_IF;',
  ],
  ['assigned to itself', 'self-assignment', '#n := #n; (*!*)', '#n := #x;'],
  ['the same on both sides', 'same-operands', '#q := #a AND #a; (*!*)', '#q := #a AND #b;'],
  ['reals compared for equality', 'real-equality', '#q := #r = 100.0; (*!*)', '#q := ABS(#r - 100.0) < 1.0;'],
  ['behind RETURN', 'unreachable', '#n := #x;\nRETURN;\n#q := #a; (*!*)', '#n := #x;\n#q := #a;\nRETURN;'],
  ['own input written', 'input-assigned', '#x := 1; (*!*)\n#n := #x;', '#n := 1 + #x;'],
  ['outside the type', 'comparison-always', '#q := #u >= 0; (*!*)', '#q := #u > 0;'],
  ['text too long', 'text-cut', "#s := 'conveyor'; (*!*)", "#s := 'conv';"],
  [
    'state that nothing leads to',
    'unreachable-state',
    'CASE #step OF\n0: IF #a THEN #step := 10; END_IF;\n10: IF #b THEN #step := 0; END_IF;\n20: #q := #a; (*!*)\nELSE #step := 0;\nEND_CASE;',
    'CASE #step OF\n0: IF #a THEN #step := 10; END_IF;\n10: IF #b THEN #step := 20; END_IF;\n20: #q := #a;\n#step := 0;\nELSE #step := 0;\nEND_CASE;',
  ],
  [
    'states that only each other lead to',
    'unreachable-state',
    'CASE #step OF\n0: IF #a THEN #step := 1; END_IF;\n1: IF #b THEN #step := 0; END_IF;\n2: #step := 10; (*!*)\n10: #step := 2; (*!*)\nELSE #step := 0;\nEND_CASE;',
    'CASE #step OF\n0: IF #a THEN #step := 1; END_IF;\n1: IF #b THEN #step := 2; END_IF;\n2: #step := 10;\n10: #step := 2;\nELSE #step := 0;\nEND_CASE;',
  ],
  [
    'state of a machine with a variable for the next',
    'unreachable-state',
    'CASE #step OF\n0: IF #a THEN #next := 1; END_IF;\n1: IF #b THEN #next := 0; END_IF;\n2: #q := #b; (*!*)\nELSE ;\nEND_CASE;\n#step := #next;\nIF #a AND #b THEN #step := 1; END_IF;',
    'CASE #step OF\n0: IF #a THEN #next := 2; END_IF;\n1: IF #b THEN #next := 0; END_IF;\n2: #q := #b;\nELSE ;\nEND_CASE;\n#step := #next;\nIF #a AND #b THEN #step := 1; END_IF;',
  ],
  [
    'latch without a reset',
    'set-without-reset',
    'IF #a THEN\n#q := TRUE; (*!*)\nEND_IF;\n#p := #b;',
    'IF #a THEN\n#q := TRUE;\nELSIF #b THEN\n#q := FALSE;\nEND_IF;\n#p := #b;',
  ],
  [
    'latch that resets another',
    'set-without-reset',
    'IF #a THEN\n#latch := TRUE; (*!*)\nEND_IF;\nIF #b THEN\n#p := FALSE;\nELSE\n#p := #latch;\nEND_IF;',
    'IF #a THEN\n#latch := TRUE;\nEND_IF;\nIF #b THEN\n#latch := FALSE;\nEND_IF;\n#p := #latch;',
  ],
  [
    'bit that holds itself',
    'set-without-reset',
    '#latch := #latch OR #a; (*!*)\n#q := #latch AND NOT #b;',
    '#latch := (#latch OR #a) AND NOT #b;\n#q := #latch;',
  ],
  [
    'timer read, not called',
    'instance-not-called',
    '#q := #delay.Q; (*!*)',
    '#delay(IN := #a, PT := T#1s);\n#q := #delay.Q;',
  ],
  [
    'the other timer called',
    'instance-not-called',
    '#delay(IN := #a, PT := T#1s);\n#q := #other.Q AND #delay.Q; (*!*)',
    '#delay(IN := #a, PT := T#1s);\n#other(IN := #b, PT := T#1s);\n#q := #other.Q AND #delay.Q;',
  ],
  [
    'constant condition',
    'constant-condition',
    'IF TRUE THEN (*!*)\n#n := 1;\nEND_IF;',
    'IF #a THEN\n#n := 1;\nEND_IF;',
  ],
]

for (const [name, code, wrong, right, { block = 'FB', beside = [] } = {}] of planted)
  testPlanted({ name, code, wrong: program(wrong, block), right: program(right, block), beside })
