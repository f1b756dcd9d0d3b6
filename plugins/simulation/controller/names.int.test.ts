import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from '../../../test/controller.ts'

test('programs are told paths of their instances', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`TYPE "Point"
VERSION : 0.1
STRUCT x : Int; END_STRUCT;
END_TYPE
DATA_BLOCK "One"
{ S7_Optimized_Access := 'TRUE' }
"Point"
BEGIN
x := 7;
END_DATA_BLOCK
FUNCTION_BLOCK "Drive"
VAR_OUTPUT isIt : Bool; END_VAR
BEGIN
#isIt := GetInstancePath(SIZE := 0) = WSTRING#'"Line".b';
END_FUNCTION_BLOCK
FUNCTION_BLOCK "Station"
VAR a : "Drive"; b : "Drive"; END_VAR
BEGIN
#a();
#b();
END_FUNCTION_BLOCK
DATA_BLOCK "Line"
"Station"
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
"Line"();
END_ORGANIZATION_BLOCK
`)
  await controller.change('run')
  await controller.advance({ cycles: 2 })
  const seen = await Promise.all(['a.isIt', 'b.isIt'].map((name) => get(`Line.${name}`)))
  assert.deepEqual(seen.map(Boolean), [false, true])
})

test('a data block that is known by its number tells its type', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(`TYPE "Point"
VERSION : 0.1
STRUCT x : Int; END_STRUCT;
END_TYPE
DATA_BLOCK "One"
{ S7_Optimized_Access := 'TRUE' }
"Point"
BEGIN
END_DATA_BLOCK
DATA_BLOCK "Seen"
{ S7_Optimized_Access := 'TRUE' }
VAR isPoint : Bool; err : Int; END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
VAR_TEMP db : DB_ANY; v : Variant; END_VAR
BEGIN
#db := "One";
#v := DB_ANY_TO_VARIANT(IN := #db, ERR => "Seen".err);
IF TypeOf(#v) = "Point" THEN "Seen".isPoint := TRUE; END_IF;
END_ORGANIZATION_BLOCK
`)
  await controller.change('run')
  await controller.advance({ cycles: 1 })
  assert.deepEqual([Boolean(await get('Seen.isPoint')), await get('Seen.err')], [true, 0])
})
