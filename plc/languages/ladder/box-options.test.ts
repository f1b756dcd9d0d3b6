import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boxOptions, type KnownTypes } from './box-options.ts'

const nothing: KnownTypes = { inputs: new Map(), outputs: [] }

function options(name: string, entries: Readonly<Record<string, string>>, words: readonly string[], types = nothing) {
  return boxOptions({ name, at: 3 }, { at: 4, entries: new Map(Object.entries(entries)), words }, types)
}

test('what stands in the braces of a box: templates of every kind, version, ENO, hidden pins', () => {
  const given = { Version: '2.1', Card: '3', DestType: 'Real', 'Operator relation': 'EQ', DisabledENO: 'true' }
  assert.deepEqual(options('Own', { ...given, Invisible: 'in2 in3', BlockType: 'FB' }, ['Int']), {
    templates: [
      { name: 'Card', type: 'Cardinality', value: '3' },
      { name: 'DestType', type: 'Type', value: 'Real' },
      { name: 'relation', type: 'Operator', value: 'EQ' },
      { name: 'SrcType', type: 'Type', value: 'Int' },
    ],
    automaticTyped: [],
    version: '2.1',
    disabledEno: true,
    invisible: ['in2', 'in3'],
  })
  assert.deepEqual(options('Own', { DisabledENO: 'false' }, []), {
    templates: [],
    automaticTyped: [],
    disabledEno: false,
  })
})

test('types that are found by TIA Portal, by name or as usual, and those that nobody knows', () => {
  assert.deepEqual(options('Own', { auto: 'DestType' }, ['auto']).automaticTyped, ['DestType', 'SrcType'])
  assert.deepEqual(options('Add', {}, []).automaticTyped, ['SrcType'])
  assert.throws(() => options('Gt', {}, []), { at: 3 })
})
