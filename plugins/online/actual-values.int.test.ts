/** Snapshots of actual values, and their way into the start values of data blocks, on a real controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails } from '../../test/fails.ts'
import type { TestGateway } from '../../test/harness.ts'
import { type Answer, plc, withController, withDownload, withProject } from '../../test/online.ts'

const on = { ...plc, blockName: 'Recipe' }

/** Every elementary type, in structures, arrays and a PLC data type; some retentive, some setpoints. */
const recipe = (access: string) => `
DATA_BLOCK "Recipe"
{ S7_Optimized_Access := '${access}' }
VERSION : 0.1
  VAR RETAIN
    kept : Int := 4;
  END_VAR
  VAR
    limit { S7_SetPoint := 'True'} : Real := 1.5;
    flag : Bool;
    word : Word := 16#10;
    letter : Char := 'a';
    text : String[20] := 'abc';
    wide : WString[10];
    pause : Time := T#2s;
    day : Date;
    clock : Time_Of_Day;
    moment : DTL;
    long : LInt;
    "my value" : UInt;
    list : Array[1..4] of Int := [1, 2, 3, 4];
    grid : Array[0..1, 0..1] of DInt;
    motor : "Motor";
    motors : Array[0..2] of "Motor";
    inner : Struct
      level { S7_SetPoint := 'True'} : Int := 7;
      deep : Array[0..1] of Struct on : Bool; END_STRUCT;
    END_STRUCT;
  END_VAR
BEGIN
  motor.speed := 30;
  list[2] := 22;
END_DATA_BLOCK
`

const written = {
  'Recipe.kept': 40,
  'Recipe.limit': -2.25,
  'Recipe.flag': true,
  'Recipe.word': 0xbeef,
  'Recipe.letter': "'",
  'Recipe.text': "it's $5\n",
  'Recipe.wide': 'Größe',
  'Recipe.pause': 'T#1h5s',
  'Recipe.day': 'D#2026-03-04',
  'Recipe.clock': 'TOD#12:34:56.789',
  'Recipe.moment': 'DTL#2026-01-02-03:04:05.6',
  'Recipe.long': '-9007199254740993',
  'Recipe.my value': 65_535,
  'Recipe.list[2]': 222,
  'Recipe.list[4]': 444,
  'Recipe.grid[1,0]': -1,
  'Recipe.motor.speed': 31,
  'Recipe.motor.run': true,
  'Recipe.motors[2].speed': 99,
  'Recipe.inner.level': 70,
  'Recipe.inner.deep[1].on': true,
}

async function read(at: TestGateway): Promise<unknown[]> {
  const { tags } = await at.call<Answer>('simulation.read-tags', { name: 'Sim', tags: Object.keys(written) })
  return tags.map(({ value }: Answer) => value)
}

async function withRecipe(at: TestGateway, access: string, asXml: boolean): Promise<void> {
  await at.call('blocks.import', { ...plc, content: recipe(access) })
  if (asXml) {
    const { content } = await at.call<Answer>('blocks.export', { ...on, format: 'xml' })
    await at.call('blocks.delete', { ...on, force: true })
    await at.call('blocks.import', { ...plc, content })
  }
  await at.call('online.download', { ...plc, compile: true, stopModules: true })
}

for (const [access, asXml] of [
  ['TRUE', false],
  ['FALSE', false],
  ['TRUE', true],
  ['FALSE', true],
] as const)
  test(`a snapshot becomes start values: ${asXml ? 'SimaticML' : 'source'}, optimized access ${access}`, async (t) => {
    const at = await withProject(t)
    await withController(at)
    await withRecipe(at, access, asXml)
    const tags = Object.entries(written).map(([name, value]) => ({ name, value }))
    await at.call('simulation.write-tags', { name: 'Sim', tags })
    const actual = await read(at)
    const taken = await at.call<Answer>('online.snapshot-actual-values', on)
    assert.deepEqual([taken.total, taken.snapshots[0].blockName], [1, 'Recipe'])
    const applied = await at.call<Answer>('online.apply-snapshot', on)
    assert.deepEqual([applied.warnings, applied.blocks[0].copied, applied.blocks[0].changed], [[], tags.length, true])
    assert.deepEqual(await read(at), actual, 'actual values stay')
    await at.call('online.download', { ...plc, compile: true, reinitialize: true })
    assert.deepEqual(await read(at), actual, 'and are the start values now')
    const { tags: others } = await at.call<Answer>('simulation.read-tags', {
      name: 'Sim',
      tags: ['Recipe.list', 'Recipe.grid[0,0]', 'Recipe.motors[1].speed', 'Recipe.inner.deep[0].on'],
    })
    assert.deepEqual(
      others.map(({ value }: Answer) => value),
      [[1, 222, 3, 444], 0, 3, false],
      'other start values are as they were',
    )
    // Once more: nothing is left to copy.
    await at.call('online.snapshot-actual-values', on)
    const again = await at.call<Answer>('online.apply-snapshot', on)
    assert.deepEqual([again.blocks[0].copied, again.blocks[0].changed], [0, false])
  })

test('only setpoints, or only retentive values; instance data blocks; all blocks at once', async (t) => {
  const { at } = await withDownload(t)
  await withRecipe(at, 'TRUE', false)
  const tags = [...Object.entries(written), ['Counter_DB.total', 5], ['Data.limit', 77]].map(([name, value]) => ({
    name,
    value,
  }))
  await at.call('simulation.write-tags', { name: 'Sim', tags })
  const actual = await read(at)
  const { total } = await at.call<Answer>('online.snapshot-actual-values', plc)
  assert.equal(total, 3)
  const start = async (values: string) => {
    await at.call('online.apply-snapshot', { ...on, values })
    await at.call('online.download', { ...plc, compile: true, reinitialize: true })
    const now = await read(at)
    return Object.keys(written).filter((_, i) => JSON.stringify(now[i]) === JSON.stringify(actual[i]))
  }
  assert.deepEqual(await start('setpoints'), ['Recipe.limit', 'Recipe.inner.level'])
  assert.deepEqual(await start('retain'), ['Recipe.kept', 'Recipe.limit', 'Recipe.inner.level'])
  const all = await at.call<Answer>('online.apply-snapshot', plc)
  assert.deepEqual(
    all.blocks.map(({ blockName, copied }: Answer) => [blockName, copied > 0]),
    [
      ['Counter_DB', true],
      ['Data', true],
      ['Recipe', true],
    ],
  )
  assert.deepEqual(all.warnings, [], 'applying a part of a snapshot is no change that it does not know of')
  const again = await at.call<Answer>('online.apply-snapshot', plc)
  assert.deepEqual(
    again.blocks.map(({ copied, changed }: Answer) => [copied, changed]),
    all.blocks.map(() => [0, false]),
    'nothing is left to copy',
  )
  await at.call('blocks.add-members', { ...on, name: 'late', dataType: 'Int' })
  const late = await at.call<Answer>('online.apply-snapshot', on)
  assert.match(late.warnings.join(), /"Recipe" has changed since the snapshot was taken/)
  await at.call('online.download', { ...plc, compile: true, reinitialize: true })
  assert.deepEqual(await read(at), actual)
  const { tags: rest } = await at.call<Answer>('simulation.read-tags', {
    name: 'Sim',
    tags: ['Counter_DB.total', 'Data.limit'],
  })
  assert.deepEqual(
    rest.map(({ value }: Answer) => value),
    [5, 77],
  )
})

test('the values of a snapshot are listed; what stands in the way is named', async (t) => {
  const { at } = await withDownload(t)
  const data = { ...plc, blockName: 'Data' }
  await fails(at.call('online.list-snapshot-values', data), 'not_found', /no snapshot of the actual values of "Data"/)
  await fails(at.call('online.apply-snapshot', plc), 'not_found', /No data block of "PLC_1" has a snapshot/)
  await fails(
    at.call('online.snapshot-actual-values', { ...plc, blockName: 'Main' }),
    'conflict',
    /no data block but an OB/,
  )
  await at.call('simulation.write-tag', { name: 'Sim', tagName: 'Data.limit', value: 11 })
  await at.call('online.snapshot-actual-values', { ...data, dryRun: true })
  await fails(at.call('online.list-snapshot-values', data), 'not_found')
  await at.call('online.snapshot-actual-values', data)
  const { values, isCurrent, total } = await at.call<Answer>('online.list-snapshot-values', data)
  assert.deepEqual([isCurrent, total], [true, 4])
  assert.deepEqual(
    values.map(({ path, dataType, value, isStartValue }: Answer) => [path, dataType, value, isStartValue]),
    [
      ['count', 'DInt', '0', true],
      ['limit', 'Int', '11', false],
      ['motor.run', 'Bool', 'FALSE', true],
      ['motor.speed', 'Int', '3', true],
    ],
  )
  await at.call('blocks.update-member', { ...data, memberName: 'limit', startValue: '20' })
  await fails(at.call('online.snapshot-actual-values', data), 'conflict', /has changed since it was downloaded/)
  assert.equal((await at.call<Answer>('online.list-snapshot-values', data)).isCurrent, false)
})
