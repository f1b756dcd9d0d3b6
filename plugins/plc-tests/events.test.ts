/** Several controllers, interrupts, time without cycles, and cases that go on from others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsOf, runProgramTests } from '../../test/program-tests.ts'

const data = (...members: string[]) =>
  `DATA_BLOCK "D"\nVAR\n${members.map((one) => `  ${one};\n`).join('')}END_VAR\nBEGIN\nEND_DATA_BLOCK\n`
const block = (name: string, body: string, event = '') =>
  `${event}ORGANIZATION_BLOCK "${name}"\nBEGIN\n${body}\nEND_ORGANIZATION_BLOCK\n`

test('controllers run in one time, and connections carry values after each cycle', async () => {
  const { results, faults } = await runProgramTests({
    'line/main.scl': data('count : Int') + block('Main', '  "D".count := "D".count + 1;'),
    'store/main.scl': data('seen : Int', 'twice : Int') + block('Main', '  "D".twice := "D".seen * 2;'),
    'two.test.yml': `controllers: { line: line, store: store }
connect:
  - { from: 'line/D.count', to: 'store/D.seen' }
cases:
  - name: arrives
    given: { 'line/D.count': 10 }
    steps:
      - { run: 3 cycles, expect: { 'store/D.seen': 13, 'store/D.twice': 24 } }
  - name: wrong name
    steps:
      - { run: 1 cycle, expect: { 'stor/D.seen': 1 } }
`,
  })
  assert.deepEqual(faults, [])
  assert.equal(endsOf(results)[0], 'arrives: passed')
  assert.match(endsOf(results)[1] ?? '', /wrong name: error; .*begins with no controller; do you mean "store\/"/)
})

const interrupts = {
  'p.scl':
    data('count : Int', 'hardware : Int', 'delayed : Int', 'status : Int', 'first : Bool') +
    block(
      'Main',
      '  "D".count := "D".count + 1;\n  IF "D".count = 1 THEN\n    "D".status := SRT_DINT(OB_NR := 20, DTIME := T#35ms, SIGN := 16#AB);\n  END_IF;',
    ) +
    block(
      'Delay',
      '  "D".delayed := "D".count;',
      "// Gantry { Number := '20'; SecondaryType := 'TimeDelayInterrupt' }\n",
    ) +
    block(
      'Alarm',
      '  "D".hardware := "D".hardware + 1;',
      "// Gantry { Number := '40'; SecondaryType := 'HardwareInterrupt' }\n",
    ),
}

test('interrupts of the program and those that a step triggers', async () => {
  const { results, notes } = await runProgramTests({
    ...interrupts,
    'a.test.yml': `program: true
cases:
  - name: hardware
    steps:
      - { event: Alarm, run: 1 cycle, expect: { D.hardware: 1, D.count: 1 } }
      - { event: [OB40, 40], run: 1 cycle, expect: { D.hardware: 3 } }
  - name: no such block
    steps: [{ event: OB41, run: 1 cycle }]
`,
  })
  assert.deepEqual(notes, [])
  const ends = endsOf(results)
  assert.equal(ends[0], 'hardware: passed')
  assert.match(
    ends[1] ?? '',
    /no such block: error; .*no organization block "OB41".*"Alarm" \(OB40, HardwareInterrupt\)/,
  )
})

test('a delay runs when it is over, between two cycles', async () => {
  const { results } = await runProgramTests({
    ...interrupts,
    'a.test.yml': `program: true
cases:
  - name: delay
    steps:
      - { run: 4 cycles, expect: { D.status: 0, D.delayed: 0 } }
      - { run: 1 cycle, expect: { D.delayed: 4, D.count: 5 } }
`,
  })
  assert.deepEqual(endsOf(results), ['delay: passed'])
})

test('time passes without cycles, and a case goes on from another', async () => {
  const files = {
    'f.scl': `FUNCTION_BLOCK "F"
VAR_INPUT
  on : Bool;
END_VAR
VAR
  timer : TON_TIME;
  calls : Int;
END_VAR
BEGIN
  #timer(IN := #on, PT := T#1m);
  #calls := #calls + 1;
END_FUNCTION_BLOCK
`,
  }
  const cases = `cases:
  - name: started
    given: { on: true }
    steps: [{ run: 1 cycle }]
  - name: a minute later
    after: started
    steps: [{ wait: T#1m, run: 1 cycle, expect: { timer.Q: true, calls: 2 } }]
  - name: later still
    after: a minute later
    steps: [{ run: 1 cycle, expect: { calls: 3 } }]
`
  const { results } = await runProgramTests({ ...files, 'f.test.yml': `block: F\n${cases}` })
  assert.deepEqual(endsOf(results), ['started: passed', 'a minute later: passed', 'later still: passed'])
  const wrong = await runProgramTests({
    ...files,
    'f.test.yml': `block: F\n${cases}`.replace('after: started', 'after: startet'),
  })
  assert.match(wrong.faults[0]?.message ?? '', /no case "startet" stands before this one; do you mean "started"/)
})

test('faults of controllers and connections have a place', async () => {
  const fault = async (text: string) => {
    const { faults } = await runProgramTests({
      'a.test.yml': `${text}\ncases:\n  - { name: it, steps: [{ run: 1 cycle }] }\n`,
    })
    return faults.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n')
  }
  assert.match(await fault('controllers: { a: nowhere }'), /^1:16 there is no program in "nowhere"/)
  assert.match(await fault('program: true\nconnect: [{ from: a/b, to: c/d }]'), /^2:10 "connect" needs "controllers"/)
  assert.match(await fault('controllers: { a: x }\nconnect: [{ from: a/b }]'), /2:11 a connection needs "to"/)
  assert.match(await fault('program: true\nblock: x'), /^1:1 a test file has either/)
})

test('time that several controllers wait passes in each of them', async () => {
  const timer = `DATA_BLOCK "T"\nVAR\n  t {InstructionName := 'TON_TIME'; LibVersion := '1.0'} : TON_TIME;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`
  const main = block('Main', '  "T".t(IN := TRUE, PT := T#1s);\n  "D".late := "T".t.Q;')
  const { results, faults } = await runProgramTests({
    'line/main.scl': timer + data('late : Bool') + main,
    'store/main.scl': timer + data('late : Bool') + main,
    'two.test.yml': `controllers: { line: line, store: store }
cases:
  - name: waits
    steps:
      - { run: 2 cycles, expect: { 'line/D.late': false, 'store/D.late': false } }
      - { wait: T#2s, run: 1 cycle, expect: { 'line/D.late': true, 'store/D.late': true } }
`,
  })
  assert.deepEqual([faults, endsOf(results)], [[], ['waits: passed']])
})
