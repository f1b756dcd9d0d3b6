/** Renaming and deleting members of interfaces with whatever uses them, through the gateway. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fails, openPlant } from '../../../test/plant.ts'
import type { User } from '../../program-objects/index.ts'

const on = { deviceName: 'PLC_1' }

const PROGRAM = `TYPE "UDT_set"
   STRUCT
      speed : Real;
      state : Int;
   END_STRUCT;
END_TYPE
FUNCTION_BLOCK "Drive"
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
   VAR_INPUT
      speed : Real;   // kept
   END_VAR
   VAR
      state : Struct
         step : Int;
      END_STRUCT;
      set : "UDT_set";
      word AT speed : DWord;
   END_VAR
   VAR_TEMP
      step : Int;
   END_VAR
BEGIN
	(* #speed *)
	#set.speed := #speed + speed;
	IF #state.step > #step THEN
	  #state.step := 0; // #state.step
	END_IF;
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Line"
   VAR
      left : "Drive";
      many : Array[0..3] of "Drive";
      speed : Real;
   END_VAR
BEGIN
	#left(speed := #speed);
	#many[#left.state.step](speed := "Drive_DB".speed);
	#speed := #many[1].speed + "Line_DB".left.speed + "Data".speed;
END_FUNCTION_BLOCK
FUNCTION "Calc" : Real
   VAR_INPUT
      speed : Real;
   END_VAR
   VAR_IN_OUT
      drive : "Drive";
   END_VAR
BEGIN
	"Calc" := #speed * #drive.speed;
END_FUNCTION
FUNCTION "List" : Void
BEGIN
NETWORK
TITLE = first
      CALL "Drive", "Drive_DB"
      (  speed := "Data".speed );
NETWORK
TITLE =
      L     "Drive_DB".speed;
      T     "Data".speed;
      A(;
      O     "Drive_DB".state.step;
      );
END_FUNCTION
DATA_BLOCK "Data"
   VAR
      speed : Real;
      sets : Array[0..1] of "UDT_set";
   END_VAR
BEGIN
   speed := 5.0; sets[0].speed := 1.0;
END_DATA_BLOCK
DATA_BLOCK "Drive_DB"
"Drive"
BEGIN
   speed := 2.0;
   set.speed := 3.0;
END_DATA_BLOCK
DATA_BLOCK "Line_DB"
"Line"
BEGIN
   left.speed := 1.5;
END_DATA_BLOCK
`

async function open(t: Parameters<typeof openPlant>[0]) {
  const plant = await openPlant(t)
  const { call } = plant
  await call('blocks.import', { ...on, content: PROGRAM })
  await call('blocks.create', {
    ...on,
    name: 'Ladder',
    type: 'FC',
    language: 'LAD',
    networks: [
      { expressions: '"Drive_DB"."Drive"(speed := "Data".speed)' },
      { expressions: '"Data".speed := Move("Drive_DB".speed)' },
      {
        language: 'SCL',
        code: '"Data".speed := "Drive_DB".speed;\n"Drive_DB"(speed := "Calc"(speed := 1.0, drive := #x));',
      },
    ],
  })
  await call('watch-tables.create', { ...on, name: 'Watch' })
  await call('watch-tables.add-entries', {
    ...on,
    tableName: 'Watch',
    entries: [{ name: '"Drive_DB".speed' }, { name: '"Line_DB".many[2].speed' }, { name: '"Data".speed' }],
  })
  const text = async (blockName: string) => {
    const { sourceText, rawXml } = await call<{ sourceText?: string; rawXml?: string }>('blocks.content', {
      ...on,
      blockName,
    })
    return sourceText ?? rawXml ?? ''
  }
  return {
    ...plant,
    text,
    rename: (blockName: string, memberName: string, newName: string) =>
      call<{ updated: User[] }>('blocks.update-member', { ...on, blockName, memberName, newName }),
    remove: (blockName: string, memberName: string, force?: boolean) =>
      call<{ users: User[] }>('blocks.delete-member', { ...on, blockName, memberName, ...(force ? { force } : {}) }),
  }
}

const names = ['Drive', 'Line', 'Calc', 'List', 'Data', 'Drive_DB', 'Line_DB', 'Ladder']

test('an input of a function block is renamed wherever it is used, and nothing else', async (t) => {
  const { call, text, rename } = await open(t)
  const before = await Promise.all(names.map(text))
  const { updated } = await rename('Drive', 'SPEED', 'set point')
  assert.deepEqual(updated.map(({ name }) => name).sort(), [
    'Calc',
    'Drive',
    'Drive_DB',
    'Ladder',
    'Line',
    'Line_DB',
    'List',
    'Watch',
  ])
  assert.deepEqual(updated.find(({ name }) => name === 'List')?.places, ['Network 1, line 2', 'Network 2, line 1'])
  const after = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await text(name)])))
  assert.equal(
    after.Drive,
    before[0]
      ?.replace('      speed : Real;   // kept', '      "set point" : Real;   // kept')
      .replace('word AT speed', 'word AT "set point"')
      .replace('#set.speed := #speed + speed;', '#set.speed := #"set point" + #"set point";'),
  )
  assert.match(after.Line, /#left\("set point" := #speed\);/)
  assert.match(after.Line, /#many\[#left\.state\.step\]\("set point" := "Drive_DB"\."set point"\);/)
  assert.match(after.Line, /#speed := #many\[1\]\."set point" \+ "Line_DB"\.left\."set point" \+ "Data"\.speed;/)
  assert.match(after.Calc, /#speed \* #drive\."set point";/)
  assert.match(after.List, /\( {2}"set point" := "Data"\.speed \);/)
  assert.match(after.List, /L {5}"Drive_DB"\."set point";\n {6}T {5}"Data"\.speed;/)
  assert.equal(after.Data, before[4])
  assert.match(after.Drive_DB, /"set point" := 2\.0;\n {3}set\.speed := 3\.0;/)
  assert.match(after.Line_DB, /left\."set point" := 1\.5;/)
  const { networks } = await call<{ networks: { expression?: string; text?: string }[] }>('blocks.content', {
    ...on,
    blockName: 'Ladder',
  })
  assert.match(networks[0]?.expression ?? '', /\('set point' := "Data"\.speed\)/)
  assert.match(networks[1]?.expression ?? '', /"Drive_DB"\.["']set point["']/)
  assert.equal(
    networks[2]?.text,
    '"Data".speed := "Drive_DB"."set point";\n"Drive_DB"("set point" := "Calc"(speed := 1.0, drive := #x));',
  )
  const { entries } = await call<{ entries: { name: string }[] }>('watch-tables.get', { ...on, tableName: 'Watch' })
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['"Drive_DB"."set point"', '"Line_DB".many[2]."set point"', '"Data".speed'],
  )
  await rename('Drive', '"set point"', 'speed')
  // Where it had no # it keeps that.
  const back = await Promise.all(names.slice(1).map(text))
  assert.deepEqual(back, before.slice(1))
})

test('members of structures, data blocks, functions; local names of the same spelling stay', async (t) => {
  const { text, rename } = await open(t)
  await rename('Drive', 'state.step', 'place')
  assert.match(await text('Drive'), /IF #state\.place > #step THEN\n\t {2}#state\.place := 0; \/\/ #state\.step/)
  assert.match(await text('List'), /O {5}"Drive_DB"\.state\.place;/)
  assert.match(await text('Line'), /#many\[#left\.state\.place\]/)
  const { updated } = await rename('Data', 'speed', 'rpm')
  assert.deepEqual(updated.map(({ name }) => name).sort(), ['Ladder', 'Line', 'List', 'Watch'])
  assert.match(await text('Data'), /rpm : Real;[\s\S]*BEGIN\n {3}rpm := 5\.0; sets\[0\]\.speed := 1\.0;/)
  assert.match(await text('Line'), /"Line_DB"\.left\.speed \+ "Data"\.rpm;/)
  await rename('Calc', 'speed', 'x')
  assert.match(await text('Calc'), /x : Real;[\s\S]*"Calc" := #x \* #drive\.speed;/)
  assert.match(await text('Ladder'), /Parameter Name="x"/)
})

test('a member that is used is not deleted, and the users are named; force deletes it', async (t) => {
  const { text, remove } = await open(t)
  const before = await text('Drive')
  const error = await fails(
    remove('Drive', 'speed'),
    'conflict',
    /Member speed of "Drive" is used by FB 1 \(SCL\) "Drive" .*"Line" \(Network 1, line 1\)/,
  )
  assert.deepEqual(error.details.errors?.map(({ value }) => value).sort(), ['Calc', 'Drive', 'Ladder', 'Line', 'List'])
  assert.match(JSON.stringify(error.details.errors), /Network 3, line 1; Network 3, line 2/)
  assert.equal(await text('Drive'), before)
  const { users } = await remove('Drive', 'speed', true)
  assert.equal(users.length, 5)
  assert.doesNotMatch(await text('Drive'), /speed : Real;/)
  // What nobody names goes without a question; values and copies of it are no uses.
  assert.deepEqual((await remove('Data', 'sets')).users, [])
  await fails(remove('Drive', 'step'), 'conflict', /\(Network 1, line 3\)/)
})

test('nothing is changed when the new name is not free, or for a trial', async (t) => {
  const { call, text, rename } = await open(t)
  const before = await Promise.all(names.map(text))
  await fails(rename('Drive', 'speed', 'STATE'), 'unacceptable_content', /has a member STATE already/)
  await fails(rename('Calc', 'Ret_Val', 'x'), 'unacceptable_content', /always called Ret_Val/)
  await fails(rename('Drive_DB', 'speed', 'x'), 'unacceptable_content', /that of its type "Drive"/)
  await fails(rename('Drive', 'speed', 'a"b'), 'unacceptable_content')
  await call('blocks.update-member', { ...on, blockName: 'Drive', memberName: 'speed', newName: 'x', dryRun: true })
  assert.deepEqual(await Promise.all(names.map(text)), before)
})
