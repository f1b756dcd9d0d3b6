/** All that is told of cases that go wrong: places, values, times, traces (`fixtures/whole-answers.txt`). */
import { test } from 'node:test'
import { runProgramTests } from '../../test/program-tests.ts'
import { assertRecorded } from '../../test/recorded.ts'

const program = `FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  Start : Bool;
  Step : Int := 2;
  Span : Time := T#50ms;
  Title : String[10] := 'old';
END_VAR
VAR_OUTPUT
  Value : Int;
  Level : Real;
END_VAR
VAR
  list : Array[1..3] of Int;
  point : Struct
    x : Int;
    y : LReal;
  END_STRUCT;
  word : Word := 16#FF;
  day : Date := D#2026-01-01;
  long : LInt := 9007199254740993;
END_VAR
BEGIN
  #Value := #Value + #Step;
  #Level := INT_TO_REAL(#Value) / 4.0;
  IF #Start THEN
    #list[#Value] := #Value;
  END_IF;
END_FUNCTION_BLOCK
FUNCTION "Same"
VAR_INPUT
  v : Int;
END_VAR
BEGIN
END_FUNCTION
FUNCTION "Open"
VAR_IN_OUT
  v : Array[*] of Int;
END_VAR
BEGIN
END_FUNCTION
FUNCTION "Double" : Int
VAR_INPUT
  a : Int;
END_VAR
BEGIN
  #Double := #a * 2;
END_FUNCTION
DATA_BLOCK "D"
VAR
  n : Int;
  stop : Bool;
END_VAR
BEGIN
END_DATA_BLOCK
// Gantry { Number := '40'; SecondaryType := 'HardwareInterrupt' }
ORGANIZATION_BLOCK "Alarm"
BEGIN
  "D".n := "D".n + 100;
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "D".n := "D".n + 1;
  IF "D".n > 10 AND "D".stop THEN
    STP();
  END_IF;
END_ORGANIZATION_BLOCK
`

const steps: Readonly<Record<string, readonly string[]>> = {
  Motor: [
    'expect: { Value: 3 }, run: 1 cycle',
    'expect: { Value: { not: 2 } }, run: 1 cycle',
    "expect: { Value: '> 2' }, run: 1 cycle",
    "expect: { Value: '>= 2', Level: '< 0.5' }, run: 1 cycle",
    "expect: { Level: '<= 0.5', Span: '> T#50ms' }, run: 1 cycle",
    'expect: { Value: { between: [3, 4] } }, run: 1 cycle',
    'expect: { Value: { between: [2, 2] }, Level: { near: 0.6, by: 0.05 } }, run: 1 cycle',
    'expect: { Level: { near: 0.6, by: 0.1 }, Span: { near: T#60ms, by: T#9ms } }, run: 1 cycle',
    'expect: { long: { near: 9007199254740995, by: 1 }, Span: { near: T#60ms, by: T#10ms } }, run: 1 cycle',
    'expect: { Value: { oneOf: [1, 3] }, Title: { oneOf: [new, old] } }, run: 1 cycle',
    "expect: { Title: { not: old }, word: 254, day: '> D#2026-01-01' }, run: 1 cycle",
    "expect: { Title: '> new' }, run: 1 cycle",
    'expect: { list: [0, 1, 0], point: { x: 1 } }, run: 1 cycle',
    'expect: { list: [0, 0] }, run: 1 cycle',
    'expect: { point: { z: 1 } }, run: 1 cycle',
    'expect: { Value: 99999 }, run: 1 cycle',
    'expect: { Valu: 1 }, run: 1 cycle',
    'expect: { Nothing_like_it: 1 }, run: 1 cycle',
    'expect: { "point.z": 1 }, run: 1 cycle',
    'expect: { "list[4]": 1 }, run: 1 cycle',
    'set: { Step: 1.5 }, run: 1 cycle',
    'set: { Title: a text that is long }, run: 1 cycle',
    'set: { Step: 1 }, expect: { Value: 5 }, within: T#45ms',
    'set: { Step: 1 }, expect: { Value: 6 }, within: T#45ms',
    'set: { Step: 1 }, run: 2 cycles, expect: { Value: 4 }, within: T#10ms',
    'never: { Value: 4 }, run: 3 cycles',
    "never: [{ Value: '> 3', Level: 1 }, { Value: '> 5' }], run: 2 cycles",
    "never: [{ Value: '> 3', Level: 2 }, { Value: '> 5' }], run: 3 cycles",
    'never: { Value: 6 }, expect: { Value: 10 }, within: T#1s',
    'set: { Start: true, Step: 1 }, run: 3 cycles, expect: { list: [1, 2, 4] }',
    'set: { Start: true, Step: 1 }, run: 4 cycles',
    'wait: T#25ms, run: 1 cycle, expect: { Value: 9 }',
    'event: Alarm, run: 1 cycle',
    'stimulus: s.csv, expect: { Value: 0 }',
    'stimulus: s.csv, run: 1 cycle, expect: { Value: 0 }',
    'stimulus: wrong.csv',
    'run: 90 cycles',
    'run: T#799ms, expect: { Value: 0 }',
  ],
  Double: ['set: { a: 4 }, run: 1 cycle, expect: { Double: 9 }', 'set: { b: 4 }, run: 1 cycle', 'run: 1 cycle'],
  Same: ["set: { 'Gone.x': 4 }, run: 1 cycle"],
  Open: ['run: 1 cycle'],
  '': [
    'event: Alarm, run: 1 cycle, expect: { D.n: 100 }',
    'event: [OB40, "40"], run: 2 cycles, expect: { D.n: 0 }',
    'event: Main',
    'set: { D.stop: true }, run: 20 cycles',
    'set: { D.m: true }',
    'expect: { Motor: 1 }',
  ],
}

test('every answer about a case', async () => {
  const files = Object.fromEntries(
    Object.entries(steps).map(([block, list], i) => [
      `${i}.test.yml`,
      [
        block === '' ? 'program: true' : `block: ${block}`,
        'limits: { cycles: 80 }',
        'cases:',
        ...list.map((step, k) => `  - { name: c${k}, steps: [{ ${step} }] }`),
      ].join('\n'),
    ]),
  )
  const { results, faults, notes } = await runProgramTests({
    'p.scl': program,
    ...files,
    's.csv': 'time;Step;Start\n0;1;FALSE\nT#15ms;5;\nT#40ms;;FALSE\n',
    'wrong.csv': 'time;Speed\n0;1\n',
  })
  const told = results.map((one) => {
    const step = steps[Object.keys(steps)[Number(one.file[0])]!]?.[Number(one.name.slice(1))]
    const trace = one.trace.map(
      ({ path, values }) => `  ${path}: ${values.map((value) => JSON.stringify(value)).join(' ')}`,
    )
    return [
      `── ${step}`,
      `  ${one.status} after ${one.cycles} cycles, ${one.milliseconds} ms`,
      ...one.failures.map(
        ({ line, column, step: number, path, expected, actual, message }) =>
          `  ${line}:${column} step ${number}${path === undefined ? '' : ` [${path} | ${expected} | ${actual}]`} ${message}`,
      ),
      ...trace,
    ].join('\n')
  })
  const others = [...faults, ...notes].map((one) => JSON.stringify(one))
  assertRecorded(import.meta.url, 'whole-answers.txt', `${[...told, ...others].join('\n')}\n`)
})
