import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asMeant, spellingsOf, withoutFence } from './meant.ts'

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
    [{ scope: 'Software' }, { scope: 'software' }],
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
