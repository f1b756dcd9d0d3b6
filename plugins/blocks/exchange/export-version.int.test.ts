import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlant } from '../../../test/plant.ts'

const on = { deviceName: 'PLC_1' }

interface Exported {
  readonly content: string
  readonly warnings: readonly string[]
}

/** A data block as V21 exports it; its name needs care in paths and in XML. */
const NAME = 'Anlage/Süd & <1>'
const DB = `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<Document>
  <Engineering version="V21" />
  <SW.Blocks.GlobalDB ID="0">
    <AttributeList>
      <DBAccessibleFromWebserver>false</DBAccessibleFromWebserver>
      <Interface><Sections xmlns="http://www.siemens.com/automation/Openness/SW/Interface/v5"><Section Name="Static"><Member Name="größe" Datatype="Int" /></Section></Sections></Interface>
      <Name>Anlage/Süd &amp; &lt;1&gt;</Name>
      <Namespace />
      <Number>7</Number>
      <ProgrammingLanguage>DB</ProgrammingLanguage>
    </AttributeList>
  </SW.Blocks.GlobalDB>
</Document>`

test('an export for an older version says what it leaves out; for its own version it is the file', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: DB })
  const own = await call<Exported>('blocks.export', { ...on, blockName: NAME, version: 'V21' })
  assert.deepEqual(own.warnings, [])
  assert.equal(own.content, DB.slice(1))
  const old = await call<Exported>('blocks.export', { ...on, blockName: NAME, version: 'V16' })
  assert.deepEqual(old.warnings, [
    `"${NAME}" /SW.Blocks.GlobalDB/AttributeList/DBAccessibleFromWebserver: the attribute DBAccessibleFromWebserver (false) exists since V17: left out`,
  ])
  assert.match(old.content, /<Engineering version="V16" \/>/)
  assert.match(old.content, /Interface\/v4"/)
  assert.doesNotMatch(old.content, /Namespace|DBAccessible/)
})

test('an exported file is imported again: the same block, nothing changed', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.import', { ...on, content: DB })
  const { exportPath } = await call<{ exportPath: string }>('blocks.export', {
    ...on,
    blockName: NAME,
    version: 'V21',
    exportPath: 'out/',
  })
  const again = await call<{ unchanged: number; failed: number }>('blocks.import', { ...on, filePath: exportPath })
  assert.deepEqual([again.unchanged, again.failed], [1, 0])
})
