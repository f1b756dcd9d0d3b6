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
      { $ref: '#/components/schemas/Node' },
      { $ref: '#/components/schemas/Leaf' },
      { $ref: '#/components/schemas/Leaf' },
      { $ref: '#/components/schemas/Else' },
    ],
    required: ['Leaf', 'Node'],
    title: 'Leaf',
    default: null,
  })
  assert.deepEqual(schemas, {
    other: {},
    Node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    },
    Leaf: { enum: ['a', null, 1], examples: [{ $ref: 3 }] },
  })
  const plain = { $id: 'as it is', type: 'object' }
  assert.equal(hoist(plain, 'x', schemas), plain)
})

test('definitions with the name of another schema have the name of their place', () => {
  const leaf = { type: 'string' }
  const schemas: Record<string, unknown> = { Leaf: leaf, Node: { type: 'object' } }
  hoist({ $defs: { Leaf: { ...leaf } }, $ref: '#/$defs/Leaf' }, 'one', schemas)
  assert.deepEqual(Object.keys(schemas), ['Leaf', 'Node'], 'an equal one is the same')
  const tree = { $defs: { Leaf: leaf, Node: { items: { $ref: '#/$defs/Leaf' } } }, $ref: '#/$defs/Node' }
  assert.deepEqual(hoist(tree, 'two', schemas), { $ref: '#/components/schemas/two.Node' })
  assert.deepEqual(schemas, {
    Leaf: leaf,
    Node: { type: 'object' },
    'two.Leaf': leaf,
    'two.Node': { items: { $ref: '#/components/schemas/two.Leaf' } },
  })
})
