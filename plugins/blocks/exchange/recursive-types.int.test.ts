/** Imported programs whose types contain themselves: every operation ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlant } from '../../../test/plant.ts'

const PROGRAM = `TYPE "A"
STRUCT
  a : "A";
  b : "B";
END_STRUCT;
END_TYPE
TYPE "B"
STRUCT
  x : "A";
  n : Int;
END_STRUCT;
END_TYPE
FUNCTION_BLOCK "F"
VAR
  f : "F";
  g : "A";
END_VAR
BEGIN
  #f();
  #g.a.a.b.x.b.n := 1;
  #f.f.g.b.n := "D".v.a.a.b.n;
END_FUNCTION_BLOCK
DATA_BLOCK "D"
VAR
  v : "A";
END_VAR
BEGIN
END_DATA_BLOCK
DATA_BLOCK "F_DB"
"F"
BEGIN
END_DATA_BLOCK
`

test('types that contain themselves are read, exported, searched and renamed', async (t) => {
  const { call } = await openPlant(t)
  const on = { deviceName: 'PLC_1' }
  const { warnings } = await call<{ warnings: string[] }>('blocks.import', { ...on, content: PROGRAM })
  assert.match(warnings.join(), /"A" and "B" contain each other.*"F" contains itself/)
  for (const blockName of ['F', 'D', 'F_DB']) {
    await call('blocks.content', { ...on, blockName })
    await call('blocks.export-xml', { ...on, blockName })
    await call('blocks.cross-references', { ...on, blockName })
  }
  await call('types.cross-references', { ...on, udtName: 'A' })
  const { totalReferenceCount } = await call<{ totalReferenceCount: number }>('blocks.find-references', {
    ...on,
    name: '"D".v.a.a',
  })
  assert.equal(totalReferenceCount, 1)
  await call('blocks.update-member', { ...on, blockName: 'F', memberName: 'f', newName: 'inner' })
  await call('blocks.add-networks', { ...on, blockName: 'F', code: '#g.a.a.b.n := 3;' })
  const lad = { name: 'L', type: 'FC', language: 'LAD', networks: [{ expressions: '"D".v.a.a.b.n := Move(1)' }] }
  await call('blocks.create', { ...on, ...lad })
  await call('types.rename', { ...on, udtName: 'A', newName: 'A2' })
  const { sourceText } = await call<{ sourceText: string }>('blocks.source', { ...on, blockName: 'F' })
  assert.match(sourceText, /#inner\(\);\s+#g\.a\.a\.b\.x\.b\.n := 1;\s+#inner\.inner\.g\.b\.n := "D"\.v\.a\.a\.b\.n;/)
})
