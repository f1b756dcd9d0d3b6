/** Which values a load keeps when declarations have changed, on a controller. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageOf, testController } from '../../../test/controller.ts'
import { readTags, writeTags } from '../tags/index.ts'

const main = 'ORGANIZATION_BLOCK "OB1"\nBEGIN\n;\nEND_ORGANIZATION_BLOCK\n'
const block = (access: string, members: string) =>
  `DATA_BLOCK "Data"\n{ S7_Optimized_Access := '${access}' }\nVAR\n${members}\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n${main}`

/** Values that are not those of the start, by the path of the member. */
const before = {
  'Data.a': true,
  'Data.b': true,
  'Data.small': 7,
  'Data.whole': -70_000,
  'Data.text': 'abc',
  'Data.inner.bit': true,
  'Data.inner.level': 1234,
  'Data.bits[3]': true,
  'Data.rows[2].on': true,
  'Data.rows[2].list[1]': 55,
} as const
const members = `a : Bool; b : Bool; small : Int; whole : DInt; text : String[6];
  inner : Struct bit : Bool; level : Int; END_STRUCT;
  bits : Array[0..9] of Bool;
  rows : Array[1..3] of Struct on : Bool; list : Array[0..1] of Int; END_STRUCT;`
/** The same in another order, with members before, between and after. */
const moved = `first : Bool; rows : Array[1..3] of Struct more : DInt; list : Array[0..1] of Int; on : Bool; END_STRUCT;
  b : Bool; between : Bool; a : Bool; bits : Array[0..9] of Bool; whole : DInt; x : Bool; text : String[6] := 'xyz';
  inner : Struct level : Int; other : Int := 9; bit : Bool; END_STRUCT; small : Int; last : Int := 4;`

for (const access of ['TRUE', 'FALSE'])
  test(`values go with their members, bit by bit and element by element (optimized access ${access})`, async (t) => {
    const { controller, load } = await testController(t)
    await load(block(access, members))
    await writeTags(
      controller,
      Object.entries(before).map(([name, value]) => ({ name, value })),
    )
    const read = async (names: readonly string[]) => (await readTags(controller, names)).map(({ value }) => value)
    const report = await controller.load(packageOf(block(access, moved)), { inRun: false, reinitialize: false })
    assert.deepEqual(report, { added: [], removed: [], kept: ['Data'], reinitialized: [] })
    assert.deepEqual(await read(Object.keys(before)), Object.values(before))
    const fresh = ['Data.first', 'Data.between', 'Data.x', 'Data.last', 'Data.inner.other', 'Data.rows[2].more']
    assert.deepEqual(await read(fresh), [false, false, false, 4, 9, 0], 'what is new has start values')
    assert.deepEqual(await read(['Data.bits[2]', 'Data.bits[4]', 'Data.rows[1].on']), [false, false, false])
  })

test('what is gone, of another type or bounds, or in the other access is told with its reason', async (t) => {
  const { controller, load, get, set } = await testController(t)
  await load(block('TRUE', members))
  await set('Data.small', 7)
  const next = packageOf(
    block(
      'TRUE',
      `small : Int; whole : Int; text : String[7]; bits : Array[0..8] of Bool;
  inner : Struct bit : Bool; level : Real; END_STRUCT;
  rows : Array[1..3] of Struct list : Array[0..1] of Int; END_STRUCT;`,
    ),
  )
  const { reinitialized, lost } = await controller.planLoad(next, { inRun: false, reinitialize: false })
  assert.deepEqual(reinitialized, ['Data'])
  assert.deepEqual(
    lost?.map(({ dataBlock, path, reason }) => `${dataBlock}${path}: ${reason}`),
    [
      'Data.a: it is no longer there',
      'Data.b: it is no longer there',
      'Data.whole: its type was DInt and is Int',
      'Data.text: its type was String[6] and is String[7]',
      'Data.inner.level: its type was Int and is Real',
      'Data.bits: its type was Array[0..9] of Bool and is Array[0..8] of Bool',
      'Data.rows[…].on: it is no longer there',
    ],
  )
  await controller.load(next, { inRun: false, reinitialize: false })
  assert.equal(await get('Data.small'), 7)
  // Same names, types and places, but bytes in the other order.
  await load(block('TRUE', 'whole : DInt := 1;'))
  await set('Data.whole', 2)
  const standard = packageOf(block('FALSE', 'whole : DInt := 1;'))
  const report = await controller.load(standard, { inRun: false, reinitialize: false })
  assert.deepEqual(report.lost, [{ dataBlock: 'Data', path: '', reason: 'the access of its block is standard now' }])
  assert.equal(await get('Data.whole'), 1)
})

test('bits that become numbers, and numbers that become bits, keep nothing', async (t) => {
  const { controller, load } = await testController(t)
  await load(block('TRUE', 'a : Array[0..3] of Bool; b : Array[0..3] of Int; n : Int;'))
  await writeTags(controller, [
    { name: 'Data.a[1]', value: true },
    { name: 'Data.b[0]', value: 3 },
    { name: 'Data.n', value: 7 },
  ])
  const next = packageOf(block('TRUE', 'a : Array[0..3] of Int; b : Array[0..3] of Bool; n : Int;'))
  const { lost } = await controller.load(next, { inRun: false, reinitialize: false })
  assert.deepEqual(
    lost?.map(({ path, reason }) => `${path}: ${reason}`),
    ['.a[…]: its type was Bool and is Int', '.b[…]: its type was Int and is Bool'],
  )
  const read = await readTags(controller, ['Data.a[0]', 'Data.b[0]', 'Data.n'])
  assert.deepEqual(
    read.map(({ value }) => value),
    [0, false, 7],
  )
})
