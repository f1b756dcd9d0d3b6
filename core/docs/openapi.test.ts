import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoist } from './openapi.ts'

test('definitions of a schema become components of the document, and references lead to them', () => {
  const schemas: Record<string, unknown> = { other: {} }
  const node = {
    $id: 'Node',
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node' } } },
  }
  const schema = {
    $defs: { Node: node, Leaf: { enum: ['a', null, 1], examples: [{ $ref: 3 }] } },
    $id: 'Tree',
    anyOf: [{ $ref: '#/$defs/Node' }, { $ref: 'Leaf' }, { $ref: '#Leaf' }, { $ref: '#/components/schemas/Else' }],
    required: ['Leaf', 'Node'],
    title: 'Leaf',
    default: null,
  }
  assert.deepEqual(hoist(schema, 'things.list.result', schemas), {
    anyOf: [
      { $ref: '#/components/schemas/things.list.result.Node' },
      { $ref: '#/components/schemas/things.list.result.Leaf' },
      { $ref: '#/components/schemas/things.list.result.Leaf' },
      { $ref: '#/components/schemas/Else' },
    ],
    required: ['Leaf', 'Node'],
    title: 'Leaf',
    default: null,
  })
  assert.deepEqual(schemas, {
    other: {},
    'things.list.result.Node': {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/things.list.result.Node' } },
      },
    },
    'things.list.result.Leaf': { enum: ['a', null, 1], examples: [{ $ref: 3 }] },
  })
  const plain = { $id: 'as it is', type: 'object' }
  assert.equal(hoist(plain, 'x', schemas), plain)
})
