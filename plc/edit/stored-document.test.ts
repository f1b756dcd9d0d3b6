import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeSimaticMl } from '../formats/simaticml/write.ts'
import { readSource } from '../formats/source/read.ts'
import { FormatError } from '../model/fault.ts'
import type { InterfaceMember } from '../model/object.ts'
import { calleeOf, interfacesOf, objectOf } from './stored-document.ts'

const member = (name: string): InterfaceMember => ({ name, dataType: 'Int', comment: {}, attributes: [], members: [] })
const types = [
  { name: 'Motor', kind: 'UDT', interface: [{ section: 'None' as const, members: [member('speed')] }] },
  { name: 'Valve', kind: 'FB', interface: [{ section: 'Input' as const, members: [member('open')] }] },
]

test('a stored source is completed with its number and class, and with the types that came with it', () => {
  const text = 'DATA_BLOCK "D"\nSTRUCT\nm : "motor";\nEND_STRUCT;\nBEGIN\n  m.speed := 5;\nEND_DATA_BLOCK\n'
  const document = { name: 'D', format: 'source' as const, kind: 'GlobalDB', culture: 'de-DE', text }
  const object = objectOf({ ...document, types, number: 7, secondaryType: 'Other' })
  assert.deepEqual([object.name, object.number, object.secondaryType], ['D', 7, 'Other'])
  assert.equal(object.interface[0]?.members[0]?.sections?.[0]?.members[0]?.startValue, '5')
  const alone = objectOf(document)
  assert.deepEqual(['number' in alone && alone.number !== undefined, 'secondaryType' in alone], [false, false])
  assert.throws(
    () => objectOf({ ...document, text: 'DATA_BLOCK "D"\nSTRUCT\nm Int;\nEND_STRUCT;\nEND_DATA_BLOCK\n' }),
    FormatError,
  )
  assert.throws(() => objectOf({ ...document, text: '// nothing\n' }), FormatError)
})

test('a stored export is read as it is', () => {
  const block = readSource('FUNCTION "F" : Void\nBEGIN\nEND_FUNCTION\n').blocks[0]!.object
  const { text } = writeSimaticMl(block, { version: 'V18' })
  const root = /<SW\.[\s\S]*<\/SW\.Blocks\.FC>/.exec(text)?.[0] ?? ''
  const document = { name: 'F', format: 'simaticml' as const, kind: 'FC', culture: 'en-US', text: root }
  const object = objectOf({ ...document, engineeringVersion: 'V18', number: 99 })
  assert.deepEqual([object.kind, object.name, object.engineeringVersion, object.xml], ['FC', 'F', 'V18', root])
  assert.notEqual(object.number, 99)
})

test('types are found by their names, case ignored', () => {
  const find = interfacesOf({ types })
  assert.equal(find('MOTOR')?.kind, 'UDT')
  assert.deepEqual(find('valve')?.sections, types[1]?.interface)
  assert.equal(find('none'), undefined)
  assert.equal(interfacesOf({})('Motor'), undefined)
})

test('a name that is called as a data block stands for its function block', () => {
  const { callee } = calleeOf({ callees: { MOTOR_DB: { kind: 'FB', name: 'Motor' } } })
  assert.deepEqual([callee?.('Motor_db'), callee?.('other')], [{ kind: 'FB', name: 'Motor' }, undefined])
  assert.deepEqual(calleeOf({}), {})
})
