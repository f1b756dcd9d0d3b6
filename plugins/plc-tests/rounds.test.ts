/** A loop without end is told; work that ends is not, however often it is done. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endsOf, runProgramTests } from '../../test/program-tests.ts'

/** Half as many rounds as a run may have. */
const long = `  "D".i := 0;
  WHILE "D".i < 100000000 DO
    "D".i := "D".i + 1;
    IF "D".stay THEN
      "D".i := 0;
    END_IF;
  END_WHILE;
  "D".runs := "D".runs + 1;`

const program = `DATA_BLOCK "D"
VAR
  i : DInt;
  runs : Int;
  stay : Bool;
END_VAR
BEGIN
END_DATA_BLOCK
// Gantry { Number := '100'; SecondaryType := 'Startup' }
ORGANIZATION_BLOCK "Start"
BEGIN
${long}
END_ORGANIZATION_BLOCK
// Gantry { Number := '40'; SecondaryType := 'HardwareInterrupt' }
ORGANIZATION_BLOCK "Often"
BEGIN
${long}
END_ORGANIZATION_BLOCK
// Gantry { Number := '30'; SecondaryType := 'CyclicInterrupt'; CyclicTime := '100000' }
ORGANIZATION_BLOCK "Cyclic"
BEGIN
  IF "D".runs > 1 THEN
${long}
  END_IF;
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  ;
END_ORGANIZATION_BLOCK
`

test('rounds are counted in each run of a block, not in all of a case', async () => {
  const { results, faults } = await runProgramTests({
    'p.scl': program,
    'a.test.yml': `program: true
cases:
  - name: without end
    steps:
      - { run: 1 cycle, set: { D.stay: true }, event: Often }
  - name: start after it
    steps:
      - { run: 1 cycle, expect: { D.runs: 1 } }
  - name: events
    steps:
      - { run: 1 cycle, event: [Often, Often, Often], expect: { D.runs: 4 } }
  - name: waiting
    steps:
      - { run: 1 cycle, event: Often, expect: { D.runs: 2 } }
      - { wait: T#310ms, run: 1 cycle, expect: { D.runs: 5 } }
`,
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(endsOf(results), [
    'without end: error; 5: The cycle does not end: it is in a loop in "Often", network 1, line 2.',
    'start after it: passed',
    'events: passed',
    'waiting: passed',
  ])
})

test('a block that calls itself without end is told, whichever stack ends first', async () => {
  const source = `FUNCTION "Again" : Void
BEGIN
  "Again"();
END_FUNCTION
// Gantry { Number := '40'; SecondaryType := 'HardwareInterrupt' }
ORGANIZATION_BLOCK "Alarm"
BEGIN
  "Again"();
END_ORGANIZATION_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  ;
END_ORGANIZATION_BLOCK
`
  const { results } = await runProgramTests({
    'p.scl': source,
    'a.test.yml': 'program: true\ncases:\n  - name: deep\n    steps: [{ event: Alarm, run: 1 cycle }]\n',
  })
  assert.match(endsOf(results)[0] ?? '', /^deep: error; 4: Calls are nested too deep in "\w+": .*itself without end\.$/)
})
