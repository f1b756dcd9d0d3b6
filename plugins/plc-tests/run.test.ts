/** Each kind of step, by its effect, and each kind of bad test, without a gateway. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTests } from '../../plc/program-tests/read-tests.ts'
import { runProgramTests as run } from '../../test/program-tests.ts'
import type { Selection } from './prepare.ts'

const motor = `FUNCTION_BLOCK "Motor"
{ S7_Optimized_Access := 'TRUE' }
VAR_INPUT
  Start : Bool;
  Delay : Time := T#50ms;
  Raw : Int;
  Title : String[10];
END_VAR
VAR_OUTPUT
  Running : Bool;
  Value : Real;
END_VAR
VAR_IN_OUT
  Count : Int;
END_VAR
VAR
  timer {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;
  list : Array[1..3] of Int;
  point : Struct
    x : Int;
    y : LInt;
  END_STRUCT;
END_VAR
BEGIN
  #timer(IN := #Start, PT := #Delay);
  #Running := #timer.Q;
  #Value := INT_TO_REAL(#Raw) / 276.48;
  #Count := #Count + 1;
END_FUNCTION_BLOCK
FUNCTION "Add" : Int
VAR_INPUT
  a : Int;
  b : Int;
END_VAR
BEGIN
  #Add := #a + #b;
END_FUNCTION
`

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: columns of tables are written so.
/** The cases of one file for the motor, `name: status` each, and the messages of their failures. */
async function ofMotor(cases: string, more: Readonly<Record<string, string>> = {}) {
  const found = await run({ 'Motor.scl': motor, 'm.test.yml': `block: Motor\n${cases}`, ...more })
  assert.deepEqual(found.faults, [])
  return found.results
}

const one = (steps: string) => `cases:\n  - name: it\n    steps:\n${steps.replace(/^/gm, '      ')}`

/** The messages of a case that consists of these steps. */
async function messages(steps: string, more?: Readonly<Record<string, string>>): Promise<string[]> {
  const [result] = await ofMotor(one(steps), more)
  return result!.failures.map(({ message }) => message)
}

test('given, when, then: one cycle between them unless they say how long', async () => {
  const text = (when: string, then: string) =>
    `cases:\n  - name: it\n    given: { Delay: T#0s, Raw: 27648 }\n${when && `    when: ${when}\n`}    then: ${then}\n`
  const of = async (when: string, then: string) => {
    const [found] = await ofMotor(text(when, then))
    return [found?.status, found?.cycles]
  }
  assert.deepEqual(await of('{ Start: true }', '{ Running: true, Count: 1 }'), ['passed', 1])
  assert.deepEqual(await of('{ Start: true }', '{ Running: false }'), ['failed', 1])
  assert.deepEqual(await of('', '{ Value: { near: 100, by: 0.001 } }'), ['passed', 1])
  const steps = '[{ set: { Start: true }, run: 3 cycles }, { set: { Start: false } }]'
  assert.deepEqual(await of(steps, '{ expect: { Running: false }, within: T#1s }'), ['passed', 4])
  assert.deepEqual(await of('{ run: 2 cycles }', '[{ Count: 2 }, { run: 1 cycle, expect: { Count: 3 } }]'), [
    'passed',
    3,
  ])
  const faults = (lines: string) => readTests('a.test.yml', `block: A\ncases:\n  - name: it\n${lines}`).faults
  assert.match(faults('    when: { a: 1 }\n')[0]!.message, /"when" needs "then"/)
  assert.match(faults('    steps: [{ run: 1 cycle }]\n    then: { a: 1 }\n')[0]!.message, /either "steps", or "when"/)
  assert.match(faults('    then: []\n')[0]!.message, /no step/)
  assert.match(faults('    when: { run: 1 cycle, a: 2 }\n    then: { b: 1 }\n')[0]!.message, /no field "a"/)
})

test('set, run by cycles and by virtual time, expect', async () => {
  const [result] = await ofMotor(
    one(
      '- set: { Start: true }\n  run: 3 cycles\n  expect: { Running: false, Count: 3 }\n- run: T#30ms\n  expect: { Running: true, Count: 6, timer.ET: T#50ms }',
    ),
  )
  assert.deepEqual([result?.status, result?.cycles, result?.milliseconds], ['passed', 6, 50])
  const [late] = await ofMotor(one('- set: { Start: true }\n  run: 5 cycles\n  expect: { Running: true }'))
  assert.equal(late?.status, 'failed')
  assert.deepEqual(late?.failures[0], {
    ...{ line: 7, column: 19, step: 1, path: 'Running', expected: 'TRUE', actual: 'FALSE' },
    message: 'Running is FALSE; expected TRUE.',
  })
  assert.deepEqual(late?.trace.find(({ path }) => path === 'Start')?.values, [true, true, true, true, true])
})

test('the cycle time is that of the file', async () => {
  const [result] = await ofMotor(`cycle: T#1ms\n${one('- run: T#20ms\n  expect: { Count: 20 }')}`)
  assert.equal(result?.status, 'passed')
})

test('each case begins with the start image, and given is written before it', async () => {
  const results = await ofMotor(
    'cases:\n  - name: a\n    given: { Count: 10, "list[2]": 7, point: { y: 9007199254740993 } }\n    steps:\n      - run: 1 cycle\n        expect: { Count: 11, list: [0, 7, 0], point: { x: 0, y: 9007199254740993 } }\n' +
      '  - name: b\n    steps:\n      - run: 1 cycle\n        expect: { Count: 1, list: [0, 0, 0], point: { y: 0 } }\n',
  )
  assert.deepEqual(
    results.map(({ status, failures }) => [status, failures]),
    [
      ['passed', []],
      ['passed', []],
    ],
  )
})

test('comparisons', async () => {
  const after = (expect: string) => messages(`- set: { Raw: 13824, Title: "> 3" }\n  run: 1 cycle\n  expect: ${expect}`)
  const right = [
    '{ Value: { near: 50.05, by: 0.1 } }',
    '{ Value: "> 49.9" }',
    '{ Value: { "<=": 50 } }',
    '{ Value: { between: [49, 51] }, Raw: 16#3600 }',
    '{ Raw: { oneOf: [1, 13824] } }',
    '{ Raw: { not: 3 }, Count: "<> 0" }',
    '{ Delay: "< T#51ms", Title: { is: "> 3" } }',
    '{ Delay: { near: T#49ms, by: T#1ms } }',
  ]
  for (const text of right) assert.deepEqual(await after(text), [], text)
  const wrong = [
    ['{ Value: { near: 50.2, by: 0.1 } }', 'Value is 49.999996; expected 50.2 +/- 0.1.'],
    ['{ Value: "> 50" }', 'Value is 49.999996; expected > 50.'],
    ['{ Raw: { between: [1, 5] } }', 'Raw is 13824; expected 1 to 5.'],
    ['{ Raw: { oneOf: [1, 2] } }', 'Raw is 13824; expected one of 1, 2.'],
    ['{ Raw: { not: 13824 } }', 'Raw is 13824; expected not 13824.'],
    ['{ Delay: { near: T#40ms, by: T#1ms } }', 'Delay is T#50ms; expected T#40ms +/- T#1ms.'],
  ] as const
  for (const [text, message] of wrong) assert.deepEqual(await after(text), [message], text)
})

test('within ends when all is true, and never is watched in each cycle', async () => {
  const [result] = await ofMotor(one('- set: { Start: true }\n- expect: { Running: true }\n  within: T#1s'))
  assert.deepEqual([result?.status, result?.cycles], ['passed', 6])
  assert.deepEqual(await messages('- set: { Start: true }\n- expect: { Running: true }\n  within: T#20ms'), [
    'Running is FALSE; expected TRUE within 20 ms.',
  ])
  assert.deepEqual(await messages('- set: { Start: true }\n  run: T#1s\n  never: { Running: true }'), [
    'Running TRUE: must never be, and is in cycle 6.',
  ])
  assert.deepEqual(await messages('- set: { Start: true }\n  run: T#1s\n  never: { Running: true, Start: false }'), [])
  assert.equal((await messages('- run: 9 cycles\n  never: [{ Running: true }, { Count: "> 4" }]')).length, 1)
})

test('a table makes a case of each row', async () => {
  const results = await ofMotor(
    'cases:\n  - name: scale ${raw}\n    table: [{ raw: 0, v: 0 }, { raw: 27648, v: 100 }, { raw: 5, v: 5 }]\n    steps:\n      - set: { Raw: "${raw}" }\n        run: 1 cycle\n        expect: { Value: { near: "${v}", by: 0.01 } }\n',
  )
  assert.deepEqual(
    results.map(({ name, status }) => `${name} ${status}`),
    ['scale 0 passed', 'scale 27648 passed', 'scale 5 failed'],
  )
})

test('a stimulus writes its rows at their times', async () => {
  const curve = 'time ms;Raw;Start\n0;100;\n20;200;TRUE\n40;;FALSE\n'
  const steps =
    '- stimulus: in/curve.csv\n  never: { Raw: 200, Count: "< 3" }\n  expect: { Count: 5, Raw: 200, Start: false }'
  assert.deepEqual(await messages(steps, { 'in/curve.csv': curve }), [])
  assert.deepEqual(
    await messages(`${steps.replace('Raw: 200, Start', 'Raw: 100, Start')}`, { 'in/curve.csv': curve }),
    ['Raw is 200; expected 100.'],
  )
})

test('functions, programs with startup and cyclic interrupts, and tags', async () => {
  const program = `${motor}
DATA_BLOCK "D"
{ S7_Optimized_Access := 'TRUE' }
VAR
  starts : Int;
  cycles : Int;
  ticks : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Startup"
{ EventClass := 'Startup' }
BEGIN
  "D".starts := "D".starts + 1;
END_ORGANIZATION_BLOCK
// Gantry { Number := '30'; SecondaryType := 'CyclicInterrupt'; CyclicTime := '5000' }
ORGANIZATION_BLOCK "Often"
BEGIN
  "D".ticks := "D".ticks + 1;
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "D".cycles := "D".cycles + 1;
  %Q0.1 := %I0.0;
END_ORGANIZATION_BLOCK
`
  const { results, faults } = await run({
    'P.scl': program,
    'add.test.yml':
      'block: Add\ncases:\n  - name: adds\n    given: { a: 2, b: 3 }\n    steps: [{ run: 1 cycle, expect: { Return: 5 } }]\n',
    'p.test.yml':
      'program: true\ncases:\n  - name: runs\n    steps:\n      - set: { "%I0.0": true }\n        run: 3 cycles\n        expect: { "D.cycles": 3, D.starts: 1, D.ticks: 4, "%Q0.1": true, "%I0.0": true }\n',
    'ob.test.yml':
      'block: Main\ncases:\n  - name: alone\n    steps: [{ run: 2 cycles, expect: { \'"D".cycles\': 2, D.starts: 0 } }]\n',
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(
    results.map(({ name, failures }) => [name, ...failures.map(({ message }) => message)]),
    [['adds'], ['alone'], ['runs']],
  )
})

test('a program that traps, does not end or misses blocks is named; the other cases run', async () => {
  const program = `${motor}
FUNCTION "Trap" : Void
VAR_INPUT i : Int; END_VAR
VAR_TEMP x : Array[0..3] of Int; END_VAR
BEGIN
  #x[#i] := 5;
END_FUNCTION
FUNCTION "Endless" : Void
VAR_TEMP x : Int; END_VAR
BEGIN
  WHILE TRUE DO
    #x := 5;
  END_WHILE;
END_FUNCTION
FUNCTION "Open" : Void
VAR_INPUT v : Variant; END_VAR
VAR_IN_OUT a : Array[*] of Int; END_VAR
BEGIN
  ;
END_FUNCTION
FUNCTION "Needs" : Int
BEGIN
  #Needs := "Missing"();
END_FUNCTION
`
  const step = (block: string, more = '') =>
    `block: ${block}\n${more}cases:\n  - name: ${block}\n    steps: [{ run: 1 cycle }]\n`
  const { results } = await run({
    'P.scl': program,
    'a.test.yml': 'block: Trap\ncases:\n  - name: Trap\n    given: { i: 9 }\n    steps: [{ run: 1 cycle }]\n',
    'b.test.yml': step('Endless'),
    'c.test.yml': step('Needs'),
    'd.test.yml':
      'block: Needs\nstubs: stubs/Missing.scl\ncases:\n  - name: stubbed\n    steps: [{ run: 1 cycle, expect: { Return: 42 } }]\n',
    'e.test.yml': step('Nothing'),
    'f.test.yml': `block: Motor\nlimits: { cycles: 100 }\n${one('- run: T#10h')}`,
    'h.test.yml': step('Open'),
    'g.test.yml': 'program: true\ncases:\n  - name: whole\n    steps: [{ run: 1 cycle }]\n',
    'stubs/Missing.scl': 'FUNCTION "Missing" : Int\nBEGIN\n  #Missing := 42;\nEND_FUNCTION\n',
  })
  const byName = new Map(results.map((one) => [one.name, `${one.status}: ${one.failures[0]?.message ?? ''}`]))
  assert.match(byName.get('Trap')!, /^error: Programming error in "Trap", network 1, line \d: write outside/)
  assert.match(byName.get('Endless')!, /^error: The cycle does not end: it is in a loop in "Endless"/)
  assert.match(byName.get('Needs')!, /^error: .*"Missing" is not in the program.*stub/)
  assert.match(byName.get('Open')!, /^error: "Open" cannot be called alone/)
  assert.equal(byName.get('stubbed'), 'passed: ')
  assert.equal(byName.get('Nothing'), 'error: There is no FB, FC or OB "Nothing" in the folder.')
  assert.match(byName.get('it')!, /^error: The case has run 100 cycles/)
  assert.match(byName.get('whole')!, /^error: The program does not compile\. "Needs"/)
})

test('wrong names and values in a case are named with their place', async () => {
  const [name] = await ofMotor(one('- run: 1 cycle\n- expect: { Runing: true }'))
  assert.deepEqual(
    [name?.status, name?.cycles, name?.failures[0]?.line, name?.failures[0]?.message],
    ['error', 0, 6, '"Motor" has no parameter or static member "Runing", nor is it a tag. Do you mean "Running"?'],
  )
  assert.match((await messages('- set: { Raw: 99999 }'))[0]!, /^Raw: 99999 is no value of Int \(-32768 to 32767\)/)
  assert.match((await messages('- expect: { Title: { between: [a, b] } }'))[0]!, /have no order/)
})

test('cases are selected by name and tag', async () => {
  const files = {
    'Motor.scl': motor,
    'm.test.yml':
      'block: Motor\ntags: [all]\ncases:\n  - name: First one\n    tags: [x]\n    steps: [{ run: 1 cycle }]\n  - name: Second\n    steps: [{ run: 1 cycle }]\n',
  }
  const names = async (selection: Selection) => (await run(files, selection)).results.map((one) => one.name)
  assert.deepEqual(await names({ names: ['first'] }), ['First one'])
  assert.deepEqual(await names({ names: ['s*d'] }), ['Second'])
  assert.deepEqual(await names({ tags: ['X'] }), ['First one'])
  assert.deepEqual(await names({ tags: ['all'] }), ['First one', 'Second'])
  assert.deepEqual(await names({ names: ['second'], tags: ['x'] }), [])
})

test('faults of test files have line and column, and say what is allowed', () => {
  const head = 'block: A\ncases:\n  - name: a\n    steps:\n      - '
  const wrong: [text: string, line: number, column: number, message: RegExp][] = [
    ['block: [', 1, 9, /./],
    ['', 1, 1, /no mapping; allowed are the fields block, program/],
    ['cases: []', 1, 1, /either `block/],
    [
      'block: A\ncase: 1\ncases: [{ name: a, steps: [{ run: 1 cycle }] }]',
      2,
      1,
      /no field "case"; do you mean "cases"/,
    ],
    ['block: A\ncases:\n  - steps: [{ run: 1 cycle }]', 3, 5, /a case needs a name/],
    ['block: A\ncases:\n  - name: a', 3, 5, /"steps" is a list of at least one step/],
    [`${head}run: 3 times`, 5, 14, /"3 times" is no "run": allowed are cycles/],
    [`${head}expects: { a: 1 }`, 5, 9, /no field "expects"; do you mean "expect"/],
    [`${head}within: T#1s`, 5, 17, /"within" needs "expect"/],
    [`${head}never: { a: 1 }`, 5, 16, /"never" needs "run"/],
    [`${head}expect: { a: { near: 1 } }`, 5, 19, /\{ near: value, by: tolerance \}/],
    [`${head}expect: { a: { between: [1] } }`, 5, 33, /lowest and the highest/],
    ['block: A\ncycle: 5\ncases: [{ name: a, steps: [{ run: 1 cycle }] }]', 2, 8, /"5" is no "cycle"/],
    [
      'block: A\ncases:\n  - { name: a, steps: [{ run: 1 cycle }] }\n  - { name: a, steps: [{ run: 1 cycle }] }',
      4,
      5,
      /two cases "a"/,
    ],
    [
      'block: A\ncases:\n  - name: "${b}"\n    table: [{ a: 1 }]\n    steps: [{ run: 1 cycle }]',
      3,
      11,
      /no column "b"/,
    ],
  ]
  for (const [text, line, column, message] of wrong) {
    const { file, faults } = readTests('a.test.yml', text)
    const [fault] = faults
    assert.equal(file, undefined, text)
    assert.deepEqual([fault?.line, fault?.column], [line, column], `${text}: ${JSON.stringify(faults)}`)
    assert.match(fault?.message ?? '', message)
  }
})

test('what is wrong in a case with a table is told once, also when only a later row shows it', () => {
  const lines = (rows: string, step: string) =>
    readTests(
      'a.test.yml',
      `block: A\ncases:\n  - name: x\n    table: [${rows}]\n    steps:\n      - ${step}\n`,
    ).faults.map(({ line }) => line)
  assert.deepEqual(lines('{ a: 1 }, { a: 2 }', '{ run: "${a} cycles" }'), [])
  assert.deepEqual(lines('{ a: 1 }, { a: 2 }, { a: 3 }', '{ run: 1 cycle, walk: 1, swim: 2 }'), [6, 6])
  assert.deepEqual(lines('{ a: 1 }, { a: x }', '{ run: "${a} cycles" }'), [6])
  assert.deepEqual(lines('{ a: x }, { a: 2 }, { a: y }', '{ run: "${a} cycles" }'), [6])
})

test('files that a test names and that are not there or wrong are faults of the test file', async () => {
  const file = `block: Motor\n${one('- stimulus: c.csv')}`
  const absent = await run({ 'Motor.scl': motor, 'm.test.yml': file })
  assert.deepEqual(
    absent.faults.map(({ line, message }) => [line, message]),
    [[5, 'there is no file "c.csv" in the folder.']],
  )
  const faults = async (csv: string) =>
    (await run({ 'Motor.scl': motor, 'm.test.yml': file, 'c.csv': csv })).faults[0]?.message
  assert.match((await faults('when,a\n1,2\n'))!, /line 1: the columns are "time"/)
  assert.match((await faults('time,Raw\n1,2\n1,3\n'))!, /line 3: "1" is no time above/)
  assert.match((await faults('time,Raw\n1,2,3\n'))!, /c\.csv: /)
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above.
