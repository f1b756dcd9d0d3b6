/** Blocks of tests: assertions of every type, cycles, time, stubs, and what is wrong with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsOf, runProgramTests } from '../../test/program-tests.ts'

const program = `FUNCTION_BLOCK "Motor"
VAR_INPUT
  start : Bool;
END_VAR
VAR_OUTPUT
  running : Bool;
  count : Int;
  name : String[20];
END_VAR
VAR
  timer : TON_TIME;
END_VAR
BEGIN
  #timer(IN := #start, PT := T#1s);
  #running := #timer.Q;
  #count := #count + 1;
  #name := 'motor';
  "Valve"(open := #running);
END_FUNCTION_BLOCK
FUNCTION "Valve" : Void
VAR_INPUT
  open : Bool;
END_VAR
BEGIN
  "Data".valve := #open;
END_FUNCTION
FUNCTION "Valve_Stub" : Void
VAR_INPUT
  open : Bool;
END_VAR
BEGIN
  "Data".stubbed := "Data".stubbed + 1;
END_FUNCTION
DATA_BLOCK "Data"
VAR
  valve : Bool;
  stubbed : Int;
  cycles : Int;
  interrupts : Int;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".cycles := "Data".cycles + 1;
END_ORGANIZATION_BLOCK
`
const testBlock = (name: string, body: string, members = '  m : "Motor";\n') =>
  `FUNCTION_BLOCK "${name}"\nFAMILY : fast\nVAR\n${members}END_VAR\nBEGIN\n${body}\nEND_FUNCTION_BLOCK\n`
const run = (body: string, members?: string) =>
  runProgramTests({ 'program.scl': program, 'test.scl': testBlock('Test_it', body, members) })

test('assertions, cycles of the program and time', async () => {
  const { results, faults } = await run(`  #m(start := TRUE);
  Assert_Equal(EXPECTED := 1, ACTUAL := #m.count);
  Assert_False(#m.running);
  Run_Cycles(3);
  "Assert_Equal"(3, "Data".cycles);
  Advance(T#1s);
  #m(start := TRUE);
  Assert_True(#m.running, 'runs after the delay');
  Assert_True("Data".valve);`)
  assert.deepEqual([endsOf(results), faults], [['Test_it: passed'], []])
  assert.deepEqual([results[0]?.cycles, results[0]?.milliseconds, results[0]?.tags], [3, 1030, ['fast']])
})

test('an assertion that does not hold is told with its line, values and trace; the others go on', async () => {
  const { results } = await run(
    `  Run_Cycles(2);
  #m(start := TRUE);
  Assert_Equal(EXPECTED := 2, ACTUAL := #m.count, MESSAGE := 'counts');
  Assert_Equal('motors', #m.name);
  #b[1] := 7;
  Assert_Equal(#a, #b);
  Assert_Near(1.0, INT_TO_REAL(#m.count) + 0.5, 0.1);
  Assert_Near(T#1s, T#1s5ms, T#10ms);
  Assert_Near(T#1s, #m.timer.ET, T#10ms);
  Assert_Equal(16#FF, INT_TO_WORD(#m.count));
  Assert_Equal(D#2024-01-01, #d);
  Assert_True(#m.running);`,
    '  m : "Motor";\n  a : Array[0..2] of Int;\n  b : Array[0..2] of Int;\n  d : Date := D#2024-01-02;\n',
  )
  assert.deepEqual(endsOf(results)[0]?.split('; ').slice(0, 2), ['Test_it: failed', '12: #m.count is 1'])
  assert.deepEqual(
    results[0]?.failures.map(({ line, message }) => `${line}: ${message}`),
    [
      '12: #m.count is 1; expected 2. counts',
      "13: #m.name is 'motor'; expected 'motors'.",
      '15: #b is [0,7,0]; expected [0,0,0].',
      '16: Assert_Near: is 1.5; expected 1.0 +/- 0.1.',
      '18: #m.timer.ET is T#0ms; expected T#1s +/- T#10ms.',
      '19: Assert_Equal: is 1; expected 16#FF.',
      '20: #d is D#2024-01-02; expected D#2024-01-01.',
      '21: #m.running is FALSE; expected TRUE.',
    ],
  )
  assert.deepEqual(results[0]?.trace.find(({ path }) => path === '#m.count')?.values, [0, 0, 1])
})

test('every elementary type is equal to itself and not to another value', async () => {
  const values: Readonly<Record<string, readonly [string, string]>> = {
    ...{ Bool: ['TRUE', 'FALSE'], Byte: ['16#1', '16#2'], Word: ['16#1', '16#2'], DWord: ['16#1', '16#2'] },
    ...{ LWord: ['16#1', '16#2'], SInt: ['-1', '2'], Int: ['-1', '2'], DInt: ['-1', '2'], LInt: ['-1', '2'] },
    ...{ USInt: ['1', '2'], UInt: ['1', '2'], UDInt: ['1', '2'], ULInt: ['1', '2'], Real: ['1.5', '2.5'] },
    ...{ LReal: ['1.5', '2.5'], Time: ['T#1s', 'T#2s'], LTime: ['LT#1s', 'LT#2s'], Char: ["'a'", "'b'"] },
    ...{ Date: ['D#2024-01-01', 'D#2024-01-02'], Time_Of_Day: ['TOD#01:00:00', 'TOD#02:00:00'] },
    ...{
      LTime_Of_Day: ['LTOD#01:00:00', 'LTOD#02:00:00'],
      LDT: ['LDT#2024-01-01-00:00:00', 'LDT#2024-01-02-00:00:00'],
    },
    ...{ DTL: ['DTL#2024-01-01-00:00:00', 'DTL#2024-01-02-00:00:00'], WChar: ["WCHAR#'a'", "WCHAR#'b'"] },
    ...{ 'String[5]': ["'a'", "'b'"], 'WString[5]': ["WSTRING#'a'", "WSTRING#'b'"] },
    Date_And_Time: ['DT#2024-01-01-00:00:00', 'DT#2024-01-02-00:00:00'],
  }
  const entries = Object.entries(values)
  const members = entries
    .map(
      ([type, [one, other]], i) =>
        `  a${i} : ${type} := ${one};\n  b${i} : ${type} := ${one};\n  c${i} : ${type} := ${other};\n`,
    )
    .join('')
  const body = entries.map((_one, i) => `  Assert_Equal(#a${i}, #b${i});\n  Assert_Equal(#a${i}, #c${i});`).join('\n')
  const { results } = await run(body, members)
  assert.equal(results[0]?.status, 'failed', endsOf(results).join())
  const failed = results[0]?.failures.map(({ path }) => path)
  // The report has the first twenty.
  assert.deepEqual(
    failed,
    entries.slice(0, 20).map((_one, i) => `#c${i}`),
  )
  const rest = await run(
    entries
      .slice(20)
      .map((_one, i) => `  Assert_Equal(#a${i + 20}, #b${i + 20});\n  Assert_Equal(#a${i + 20}, #c${i + 20});`)
      .join('\n'),
    members,
  )
  assert.deepEqual(
    rest.results[0]?.failures.map(({ path }) => path),
    entries.slice(20).map((_one, i) => `#c${i + 20}`),
  )
})

test('functions are tests as function blocks are, with their own variables', async () => {
  const { results } = await runProgramTests({
    'program.scl': program,
    'test.scl': `FUNCTION "Test_valve" : Void
VAR_TEMP
  t : Int;
END_VAR
BEGIN
  "Valve"(open := TRUE);
  #t := 4;
  Assert_True("Data".valve);
  "Assert_Equal"(EXPECTED := 5, ACTUAL := #t, MESSAGE := 'temporary');
END_FUNCTION
FUNCTION "Test_open" : Int
VAR_INPUT
  a : Int := 1;
END_VAR
BEGIN
  Run_Cycles(2);
  Assert_Equal(0, #a);
  Assert_Equal(2, "Data".cycles);
  #Test_open := 1;
END_FUNCTION
`,
  })
  assert.deepEqual(endsOf(results), ['Test_valve: failed; 9: #t is 4; expected 5. temporary', 'Test_open: passed'])
})

test('what only has the name of a test is skipped with the reason, and alone it is no run', async () => {
  const alone = await runProgramTests({
    'test.scl': `FUNCTION "Test_it" : Void\nBEGIN\n  // Assert_True(TRUE);\n  ;\nEND_FUNCTION\n`,
  })
  assert.deepEqual(
    [alone.results.map(({ status, line }) => [status, line]), alone.notes],
    [[['skipped', 1]], ['No test ran: 1 block named Test_… executed no assertion.']],
  )
  const unwanted = await runProgramTests(
    { 'test.scl': testBlock('Test_it', '  Assert_True(TRUE);', '') },
    { tags: ['x'] },
  )
  assert.deepEqual([unwanted.results, unwanted.notes], [[], ['No case ran: none of the 1 has the tag "x".']])
})

test('a stub takes the place of a block in its test only', async () => {
  const { results } = await runProgramTests({
    'program.scl': program,
    'test.scl':
      testBlock(
        'Test_with',
        "  Stub(BLOCK := 'Valve', BY := 'Valve_Stub');\n  #m();\n  Assert_Equal(1, \"Data\".stubbed);",
      ) + testBlock('Test_without', '  #m();\n  Assert_Equal(0, "Data".stubbed);'),
  })
  assert.deepEqual(endsOf(results).sort(), ['Test_with: passed', 'Test_without: passed'])
})

test('what is wrong is named, and the other tests run', async () => {
  const found = await runProgramTests({
    'program.scl': program,
    'test.scl':
      testBlock('Test_missing', "  Stub('Valve', 'No_Such');\n  Assert_True(TRUE);") +
      testBlock('Test_of_none', "  Stub('No_Such', 'Valve_Stub');\n  Assert_True(TRUE);") +
      testBlock('Test_twice', "  Stub('None', 'Valve');\n  Stub('Valve', 'None');\n  Assert_True(TRUE);") +
      testBlock('Test_named', "  Stub('Valve', 'Named_Stub');\n  Assert_True(TRUE);") +
      'FUNCTION "Named_Stub" : Int\nVAR_INPUT\n  Valve : Bool;\nEND_VAR\nBEGIN\n  #Named_Stub := 1;\nEND_FUNCTION\n' +
      testBlock('Test_nothing', '  Run_Cycles(1);') +
      testBlock('Test_traps', '  Assert_Equal(0, #list[#i + 9]);', '  list : Array[0..1] of Int;\n  i : Int;\n') +
      testBlock('Test_faulty', '  Assert_Equal(1, #nothing);') +
      testBlock('Test_good', '  Assert_True(TRUE);') +
      // A block of the plant that only has such a name.
      testBlock('Test_Lamp', '  #m();'),
  })
  assert.deepEqual(
    found.faults.map(({ file, message }) => `${file}: ${message}`),
    [
      'test.scl: "Test_missing": the stub "No_Such" is not in the folder.',
      'test.scl: "Test_of_none": there is no block "No_Such" to be replaced by a stub.',
      'test.scl: "Test_twice": there is no block "None" to be replaced by a stub.',
      'test.scl: "Test_twice": the stub "None" is not in the folder.',
      'test.scl: "Test_named": "Named_Stub" cannot take the place of "Valve": FC "Named_Stub" declares "Valve" itself (Input), and the name of a function is that of its result: choose another name, or rename the member first.',
    ],
  )
  const ends = endsOf(found.results)
  assert.equal(ends.length, 5)
  assert.match(ends[0] ?? '', /^Test_nothing: error; .*asserts nothing/)
  assert.match(ends[1] ?? '', /^Test_traps: error; .*Programming error in "Test_traps", network 1, line 1/)
  assert.match(ends[2] ?? '', /^Test_faulty: error; .*does not compile.*nothing/)
  assert.equal(ends[3], 'Test_good: passed')
  assert.match(ends[4] ?? '', /^Test_Lamp: skipped; .*"Test_Lamp" is no test, no assertion was executed: it calls no/)
  // What is of the whole test is of no step.
  assert.deepEqual(
    found.results.map(({ failures }) => failures.map(({ step }) => step)),
    [[0], [0], [0], [], [0]],
  )
})

test('functions of GantryTest stand in blocks of tests only', async () => {
  const { results } = await runProgramTests({
    'a.scl': 'FUNCTION "Plain" : Void\nBEGIN\n  Assert_True(TRUE);\nEND_FUNCTION\n',
    'a.test.yml': 'block: Plain\ncases:\n  - { name: it, steps: [{ run: 1 cycle }] }\n',
  })
  assert.match(
    endsOf(results)[0] ?? '',
    /Assert_True is a function of GantryTest: it stands in function blocks and functions/,
  )
})
