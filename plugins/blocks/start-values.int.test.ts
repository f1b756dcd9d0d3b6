/** Start values of members of named types: exported in each format, imported again, and run on a controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, plc, withController, withProject } from '../../test/online.ts'

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
const blocks = ['Lines', 'Motors', 'One', 'Second_DB']
const tags = [
  ...['Lines.lines[0].first.speed', 'Lines.lines[1].first.speed', 'Lines.lines[1].rest[1].speed'],
  ...['Lines.lines[1].rest[2].speed', 'Lines.own.run', 'Lines.own.speed'],
  ...['Motors[0].speed', 'Motors[1].speed', 'One.first.speed', 'One.rest[1].speed', 'Second_DB.step'],
]
const started = [3, 21, 3, 22, true, 3, 3, 23, 3, 24, 25]

test('start values in types are in exports of every format, and on the controller that they are imported for', async (t) => {
  const at = await withProject(t)
  await at.call('blocks.import', { ...plc, content: program })
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
      const { content, warnings } = await at.call<Answer>('blocks.export', { ...plc, blockName, format })
      assert.deepEqual(
        warnings.filter((one: string) => /value/.test(one)),
        [],
        `${format} ${blockName}`,
      )
      await at.call('blocks.import', { ...plc, content, overwrite: true })
    }
    assert.deepEqual(await read(), started, format)
    const sources = await Promise.all(blocks.map(sourceOf))
    assert.deepEqual(
      sources.map((source) => [...source.matchAll(/:= (\w+);/g)].map(([, value]) => value)),
      [['21', '22', 'TRUE'], ['23'], ['24'], ['25']],
      format,
    )
    await at.call('blocks.import', { ...plc, content: sources.join('\n'), overwrite: true })
    assert.deepEqual(await read(), started, `source after ${format}`)
  }
})

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
