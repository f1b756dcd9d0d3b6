/** Tests that are made: from a design spec and from a recorded trace; they run as they stand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fullExample } from '../plugins/design-spec/example.ts'
import { generatePhase } from '../plugins/design-spec/generate/generate.ts'
import { phaseScripts, readDesignSpec } from '../plugins/design-spec/index.ts'
import { phaseTests } from '../plugins/plc-tests/generate/from-phase.ts'
import { readTrace, TraceError, traceTest } from '../plugins/plc-tests/generate/from-trace.ts'
import { endsOf, runProgramTests } from './program-tests.ts'

test('each row of the state table of a phase is a case; a wrong block fails in the row that it breaks', async () => {
  const read = await readDesignSpec('plant.csv', Buffer.from(fullExample))
  assert.ok('model' in read)
  const [fill] = await phaseScripts(read.model, ['fill'], 10_000)
  assert.ok(fill)
  const made = phaseTests(fill, 'plant.csv')
  assert.deepEqual([made.name, made.notes], ['FB_Fill.test.yml', []])
  const block = generatePhase(read.model, 'Fill')
  const files: Record<string, string> = { 'FB_Fill.scl': block.scl, [made.name]: made.content }
  for (const { name, scl } of block.udts) files[`${name}.udt`] = scl
  const { results, faults } = await runProgramTests(files)
  assert.deepEqual(faults, [])
  assert.deepEqual(
    results.filter(({ status }) => status !== 'passed'),
    [],
  )
  const rows = new Set(results.flatMap(({ tags }) => tags))
  for (const row of ['idle', 'start', 'entry-action', 'wait', 'transition', 'final', 'hold', 'abort', 'timeout'])
    assert.ok(rows.has(row), row)
  assert.equal(results.length, made.cases)
  const broken = block.scl.replace('IF #Valve.Opened THEN', 'IF NOT #Valve.Opened THEN')
  assert.notEqual(broken, block.scl)
  const wrong = await runProgramTests({ ...files, 'FB_Fill.scl': broken })
  const failed = wrong.results.filter(({ status }) => status !== 'passed')
  assert.ok(failed.length > 0 && failed.length < results.length)
  assert.ok(
    failed.some(({ name }) => /^(wait|transition), step 1/.test(name)),
    failed.map(({ name }) => name).join(),
  )
  await assert.rejects(phaseScripts(read.model, ['Fil'], 10), /Fill/)
})

const program = {
  'tags.xml': `<?xml version="1.0" encoding="utf-8"?>
<Document><Engineering version="V18" /><SW.Tags.PlcTagTable ID="0"><AttributeList><Name>Tags</Name></AttributeList><ObjectList>
<SW.Tags.PlcTag ID="1" CompositionName="Tags"><AttributeList><DataTypeName>Bool</DataTypeName><LogicalAddress>%I0.0</LogicalAddress><Name>Start</Name></AttributeList></SW.Tags.PlcTag>
</ObjectList></SW.Tags.PlcTagTable></Document>`,
  'p.scl': `DATA_BLOCK "D"
VAR
  count : Int;
  level : Real;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  IF "Start" THEN
    "D".count := "D".count + 1;
    "D".level := INT_TO_REAL("D".count) / 3.0;
  END_IF;
END_ORGANIZATION_BLOCK
`,
}
const trace = `cycle,time,Start,D.count,D.level
100,2026-01-01T00:00:01.000Z,0,4,1.3333334
101,2026-01-01T00:00:01.010Z,0,4,1.3333334
102,2026-01-01T00:00:01.020Z,0,4,1.3333334
103,2026-01-01T00:00:01.030Z,1,5,1.6666666
104,2026-01-01T00:00:01.040Z,1,6,2
105,2026-01-01T00:00:01.050Z,0,6,2
`

test('a recorded trace becomes a regression test', async () => {
  const options = { name: 'PLC_1', isInput: (tag: string) => tag === 'Start' }
  const made = traceTest(readTrace(trace), options)
  assert.equal(made.name, 'PLC_1.test.yml')
  assert.match(made.content, /cycle: LT#10000us/)
  const { results, faults } = await runProgramTests({ ...program, [made.name]: made.content })
  assert.deepEqual([faults, endsOf(results)], [[], ['as recorded: PLC_1: passed']])
  const changed = await runProgramTests({
    ...program,
    'p.scl': program['p.scl'].replace('+ 1', '+ 2'),
    [made.name]: made.content,
  })
  assert.match(endsOf(changed.results)[0] ?? '', /D\.count is 6; expected 5/)
  const named = traceTest(readTrace(trace), { name: 'x', inputs: ['st*'], isInput: () => false })
  assert.equal(named.content.replaceAll('PLC_1', 'x'), made.content.replaceAll('PLC_1', 'x'))
})

test('a trace that makes no test says why', () => {
  const of = (text: string, inputs?: readonly string[]) =>
    traceTest(readTrace(text), { name: 'x', isInput: () => false, ...(inputs ? { inputs } : {}) })
  assert.throws(() => of('time,value\n1,2\n'), /line 1: the columns are cycle, time/)
  assert.throws(() => of('cycle,time,a\nx,y,1\n'), /line 2: "x" and "y" are no cycle and time/)
  assert.throws(() => of(trace), /no tag of the trace is an input.*--inputs.*Start/)
  assert.throws(() => of(trace, ['*']), /nothing is left to be expected/)
  assert.throws(() => of(trace.split('\n').slice(0, 2).join('\n'), ['Start']), TraceError)
})
