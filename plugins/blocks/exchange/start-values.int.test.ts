/** Start values of members of named types: exported in each format, imported again, and run on a controller. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answer, plc, withController, withProject } from '../../../test/online.ts'

const program = `
TYPE "Line"
VERSION : 0.1
  STRUCT
    first : "Motor";
    rest : Array[1..2] of "Motor";
  END_STRUCT;
END_TYPE
DATA_BLOCK "Lines"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    lines : Array[0..1] of "Line";
    own : "Motor";
  END_VAR
BEGIN
  lines[1].first.speed := 21;
  lines[1].rest[2].speed := 22;
  own.run := TRUE;
END_DATA_BLOCK
DATA_BLOCK "Motors"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
Array[0..2] of "Motor"
BEGIN
  [1].speed := 23;
END_DATA_BLOCK
DATA_BLOCK "One"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Line"
BEGIN
  rest[1].speed := 24;
END_DATA_BLOCK
DATA_BLOCK "Second_DB"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
"Counter"
BEGIN
  step := 25;
END_DATA_BLOCK
`
const ofProgram = {
  content: program,
  blocks: ['Lines', 'Motors', 'One', 'Second_DB'],
  tags: [
    ...['Lines.lines[0].first.speed', 'Lines.lines[1].first.speed', 'Lines.lines[1].rest[1].speed'],
    ...['Lines.lines[1].rest[2].speed', 'Lines.own.run', 'Lines.own.speed'],
    ...['Motors[0].speed', 'Motors[1].speed', 'One.first.speed', 'One.rest[1].speed', 'Second_DB.step'],
  ],
  started: [3, 21, 3, 22, true, 3, 3, 23, 3, 24, 25] as unknown[],
  values: [['21', '22', 'TRUE'], ['23'], ['24'], ['25']],
}

const ofSystem: typeof ofProgram = {
  content: `
TYPE "Delayed"
VERSION : 0.1
  STRUCT
    since : DTL;
    delay : IEC_TIMER;
  END_STRUCT;
END_TYPE
DATA_BLOCK "Times"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
  VAR
    moment : DTL;
    one : TON_TIME;
    many : Array[0..2] of IEC_TIMER;
    count : CTU_INT;
    partner : TCON_IP_v4;
    inside : "Delayed";
    rising : R_TRIG;
  END_VAR
BEGIN
  moment.YEAR := 2020;
  one.PT := T#5s;
  many[1].PT := T#6s;
  count.PV := 7;
  partner.RemoteAddress.ADDR[1] := 192;
  partner.RemotePort := 2000;
  inside.since.MONTH := 8;
  inside.delay.PT := T#9s;
  rising.CLK := TRUE;
END_DATA_BLOCK
DATA_BLOCK "Timer"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
TON_TIME
BEGIN
  PT := T#10s;
END_DATA_BLOCK
DATA_BLOCK "Heater"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
PID_Compact
BEGIN
  Setpoint := 21.5;
END_DATA_BLOCK
`,
  blocks: ['Times', 'Timer', 'Heater'],
  tags: [
    ...['Times.moment.YEAR', 'Times.one.PT', 'Times.many[0].PT', 'Times.many[1].PT', 'Times.count.PV'],
    ...['Times.partner.RemoteAddress.ADDR[1]', 'Times.partner.RemotePort', 'Times.inside.since.MONTH'],
    ...['Times.inside.delay.PT', 'Times.rising.CLK', 'Timer.PT', 'Heater.Setpoint'],
  ],
  started: [2020, 'T#5s', 'T#0ms', 'T#6s', 7, 192, 2000, 8, 'T#9s', true, 'T#10s', 21.5],
  values: [['2020', 'T#5s', 'T#6s', '7', '192', '2000', '8', 'T#9s', 'TRUE'], ['T#10s'], ['21.5']],
}

/**
 * Exports blocks in each format, imports them again, and expects the same values on a controller.
 * @param values the values that the blocks assign, as their sources show them
 */
async function expectSameEverywhere(
  t: TestContext,
  { content, blocks, tags, started, values }: typeof ofProgram,
): Promise<void> {
  const at = await withProject(t)
  await at.call('blocks.import', { ...plc, content })
  await withController(at)
  const read = async () => {
    await at.call('online.download', { ...plc, compile: true })
    const { tags: rows } = await at.call<Answer>('simulation.read-tags', { name: 'Sim', tags })
    return rows.map(({ value }: Answer) => value)
  }
  const sourceOf = async (blockName: string) =>
    (await at.call<Answer>('blocks.export', { ...plc, blockName, format: 'source' })).content
  assert.deepEqual(await read(), started)
  for (const format of ['xml', 'sd']) {
    for (const blockName of blocks) {
      const exported = await at.call<Answer>('blocks.export', { ...plc, blockName, format })
      assert.deepEqual(
        exported.warnings.filter((one: string) => /value/.test(one)),
        [],
        `${format} ${blockName}`,
      )
      const { warnings } = await at.call<Answer>('blocks.import', {
        ...plc,
        content: exported.content,
        overwrite: true,
      })
      assert.deepEqual(warnings, [], `${format} ${blockName}`)
    }
    assert.deepEqual(await read(), started, format)
    const sources = await Promise.all(blocks.map(sourceOf))
    assert.deepEqual(
      sources.map((source) => [...source.matchAll(/:= ([\w#.]+);/g)].map(([, value]) => value)),
      values,
      format,
    )
    await at.call('blocks.import', { ...plc, content: sources.join('\n'), overwrite: true })
    assert.deepEqual(await read(), started, `source after ${format}`)
  }
}

test('start values in types are in exports of every format, and on the controller that they are imported for', (t) =>
  expectSameEverywhere(t, ofProgram))

test('so are start values in types of the system', (t) => expectSameEverywhere(t, ofSystem))

test('values of members of a type that is not there are told', async (t) => {
  const at = await withProject(t)
  const content = program.replaceAll('"Line"', '"Gone"').replace('TYPE "Gone"', 'TYPE "Line"')
  await at.call('blocks.import', { ...plc, content })
  const { warnings } = await at.call<Answer>('blocks.export', { ...plc, blockName: 'Lines', format: 'xml' })
  assert.deepEqual(warnings, [
    'lines[1].first.speed: the start value 21 is left out',
    'lines[1].rest[2].speed: the start value 22 is left out',
  ])
})
