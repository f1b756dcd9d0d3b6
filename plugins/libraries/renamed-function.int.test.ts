/** A function that comes out of a library under another name assigns its result to that name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlant } from '../../test/plant.ts'

const on = { deviceName: 'PLC_1' }
const scale = `FUNCTION "Scale" : Real
VAR_INPUT
  raw : Int;
END_VAR
BEGIN
	// #Scale is the result, 'Scale' a text
	#Scale := INT_TO_REAL(#raw) / 10.0;
	IF #Scale > 9.0 THEN Scale := 9.0; END_IF;
END_FUNCTION
`

type Made = { objects: { name: string; kind: string }[] }

test('master copies, types and updates of types rename the result of a function too', async (t) => {
  const { call } = await openPlant(t)
  const compiles = async (blockName: string) => {
    const { sourceText } = await call<{ sourceText: string }>('blocks.source', { ...on, blockName })
    assert.match(sourceText, new RegExp(`#${blockName} := INT_TO_REAL`))
    const { errorCount } = await call<{ errorCount: number }>('blocks.compile-device', on)
    assert.equal(errorCount, 0, sourceText)
  }
  await call('blocks.import', { ...on, content: scale })
  await call('libraries.create-master-copy', { ...on, objectName: 'Scale' })
  const copyOf = (more: object) => call<Made>('libraries.instantiate-master-copy', { ...on, name: 'Scale', ...more })
  await copyOf({ newName: 'Named' })
  await compiles('Named')
  // Another text of this name is in the way.
  await call('blocks.import', { ...on, content: scale.replace('9.0;', '8.0;') })
  const renamed = await copyOf({ onConflict: 'rename' })
  await compiles(renamed.objects[0]!.name)

  await call('libraries.store-type-version', { ...on, objectName: 'Scale' })
  await call('libraries.instantiate-type', { ...on, typeName: 'Scale', newName: 'Typed' })
  await compiles('Typed')
  await call('blocks.import', { ...on, content: scale.replace('10.0', '20.0') })
  await call('libraries.store-type-version', { ...on, objectName: 'Scale' })
  await call('libraries.update-instances', {})
  await compiles('Typed')
  const { sourceText } = await call<{ sourceText: string }>('blocks.source', { ...on, blockName: 'Typed' })
  assert.match(sourceText, /20\.0/)
})

test('an organization block that is renamed gets a number of its class', async (t) => {
  const { call } = await openPlant(t)
  await call('blocks.create', { ...on, name: 'Fast', type: 'OB', number: 38 })
  await call('libraries.create-master-copy', { ...on, objectName: 'Fast' })
  await call('blocks.delete', { ...on, blockName: 'Fast' })
  await call('blocks.create', { ...on, name: 'Fast', type: 'OB', number: 38, comment: 'another' })
  const { objects } = await call<Made>('libraries.instantiate-master-copy', {
    ...on,
    name: 'Fast',
    onConflict: 'rename',
  })
  const [{ number, secondaryType } = {}] = (
    await call<{ blocks: { name: string; number?: number; secondaryType?: string }[] }>('blocks.list', on)
  ).blocks.filter(({ name }) => name === objects[0]!.name)
  assert.deepEqual([number, secondaryType], [123, 'CyclicInterrupt'])
})
