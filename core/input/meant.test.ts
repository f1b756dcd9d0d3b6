import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asMeant, gathered, listField, spellingsOf, withoutFence } from './meant.ts'

const schema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    share: { type: 'number' },
    on: { type: 'boolean' },
    scope: { enum: ['all', 'hardware', 'software'] },
    text: { type: 'string' },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    list: { type: 'array', items: { type: 'integer' } },
    names: { type: 'array', items: { type: 'string' } },
    entry: { type: 'object', properties: { count: { type: 'integer' } } },
    entries: { type: 'array', items: { anyOf: [{ type: 'object', properties: { scope: { const: 'All' } } }] } },
  },
}

test('what has one reading is read', () => {
  const cases: [object, object][] = [
    [{ count: '5' }, { count: 5 }],
    [{ count: ' -5 ' }, { count: -5 }],
    [{ share: '1.5e3' }, { share: 1500 }],
    [{ on: 'TRUE' }, { on: true }],
    [{ on: 'Override' }, { on: true }],
    [{ on: 'None' }, { on: false }],
    [{ scope: 'Software' }, { scope: 'software' }],
    [{ names: 'a b' }, { names: ['a b'] }],
    [{ list: '[1, "2"]' }, { list: [1, 2] }],
    [{ list: ['1', 2] }, { list: [1, 2] }],
    [{ entry: '```json\n{ "count": "3" }\n```' }, { entry: { count: 3 } }],
    [{ entries: [{ scope: 'ALL' }] }, { entries: [{ scope: 'All' }] }],
  ]
  for (const [given, meant] of cases) assert.deepEqual(asMeant(given, schema), meant)
})

test('what may mean something else stays as it is', () => {
  for (const given of [
    { count: '5 pieces' },
    { count: '' },
    { count: '1.5' },
    { on: 'yes' },
    { scope: 'soft' },
    { text: '5' },
    { text: '{"a": 1}' },
    { either: '5' },
    { list: '1, 2' },
    { entry: '{ broken' },
    { unknown: '5' },
  ])
    assert.deepEqual(asMeant(given, schema), given)
})

test('a code fence is taken off a text that is all inside of it', () => {
  assert.equal(withoutFence('```scl\n#a := 1;\n```\n'), '#a := 1;')
  assert.equal(withoutFence('#a := 1; // ``` is no fence'), '#a := 1; // ``` is no fence')
})

const text = { type: 'string' }

test('a field has the other names that models and scripts send', () => {
  const properties = { deviceName: text, tableName: text, tagName: text, newName: text, limit: { type: 'integer' } }
  const required = ['deviceName', 'tableName', 'tagName', 'newName']
  assert.deepEqual(spellingsOf({ properties, required }, { tableName: ['tagTableName'] }), {
    tableName: ['tagTableName', 'table'],
    deviceName: ['device'],
    tagName: ['tag', 'name'],
    newName: ['new'],
  })
  assert.deepEqual(spellingsOf({ properties: { device: text }, required: ['device'] }), { device: ['deviceName'] })
})

test('no name of a field, and none that is declared, gets another meaning', () => {
  const properties = { deviceName: text, device: text, name: text, block: text }
  const spellings = spellingsOf({ properties, required: ['deviceName'] }, { name: ['blockName'] })
  assert.deepEqual(spellings, { name: ['blockName'] })
})

test('a description without its wrapper is put into it', () => {
  const wrapped = {
    properties: {
      deviceName: { type: 'string' },
      specification: { type: 'object', properties: { name: { type: 'string' }, kind: { type: 'string' } } },
    },
    required: ['deviceName', 'specification'],
  }
  assert.deepEqual(gathered({ deviceName: 'PLC_1', name: 'A', type: 'FB' }, wrapped), {
    deviceName: 'PLC_1',
    specification: { name: 'A', type: 'FB' },
  })
  // `name` is the name of what is described, not that of the device.
  assert.equal(Object.values(spellingsOf(wrapped)).flat().includes('name'), false)
  for (const given of [{ deviceName: 'PLC_1' }, { deviceName: 'PLC_1', other: 1 }, { specification: {}, name: 'A' }])
    assert.deepEqual(gathered(given, wrapped), given)
  const upload = { properties: { file: { type: 'object', 'x-upload': true as const, properties: { size: {} } } } }
  assert.deepEqual(gathered({ size: 1 }, { ...upload, required: ['file'] }), { size: 1 })
})

test('a body that is a list stands for the one list of an input', () => {
  const list = { type: 'array', items: { type: 'string' } }
  assert.equal(
    listField({ properties: { name: { type: 'string' }, tags: { anyOf: [list, { type: 'object' }] } } }, []),
    'tags',
  )
  assert.equal(listField({ properties: { tags: list, entries: list } }, ['/api/rows']), undefined)
  assert.equal(listField({ properties: { tags: list, entries: list } }, ['/api/rows', '/api/entries/x']), 'entries')
})
