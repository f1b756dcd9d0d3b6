import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testController } from './testing.ts'

const counter = `DATA_BLOCK "Data"
VAR
  count : DInt := 5;
END_VAR
BEGIN
END_DATA_BLOCK
ORGANIZATION_BLOCK "Main"
BEGIN
  "Data".count := "Data".count + 1;
END_ORGANIZATION_BLOCK
`

test('a program runs in cycles', async (t) => {
  const { controller, load, get } = await testController(t)
  await load(counter)
  assert.equal(await get('Data.count'), 5)
  assert.equal(await controller.change('run'), 'Run')
  assert.deepEqual((await controller.advance({ cycles: 10 })).cycles, 10)
  assert.equal(await get('Data.count'), 15)
  assert.equal(await controller.change('stop'), 'Stop')
  assert.equal(await get('Data.count'), 15)
  assert.equal(await controller.change('powerOff'), 'Off')
})
