/** The JSON Schemas of what an operation's schema function builds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildSchema, definitionOf, type Lazy, noInput, type PlainSchema, type TSchema } from './schema.ts'

/** As plain data, without what the schema library keeps for itself. */
const built = async (lazy: Lazy<TSchema>) => JSON.parse(JSON.stringify(await buildSchema(lazy))) as unknown

test('what the gateway adds to the schema library is JSON Schema', async () => {
  assert.deepEqual(await built((t) => t.DateTime()), { type: 'string', format: 'date-time' })
  assert.deepEqual(await built((t) => t.DateTime({ description: 'When.' })), {
    type: 'string',
    format: 'date-time',
    description: 'When.',
  })
  const upload = {
    type: 'object',
    'x-upload': true,
    required: ['fileName', 'blob', 'size'],
    additionalProperties: false,
    properties: {
      fileName: { type: 'string', minLength: 1 },
      blob: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
      size: { type: 'integer', minimum: 0 },
    },
    description: 'The file (multipart part, or { fileName, content } / { fileName, contentBase64 }).',
  }
  assert.deepEqual(await built((t) => t.Upload()), upload)
  assert.deepEqual(await built((t) => t.Upload({ description: 'A table.' })), { ...upload, description: 'A table.' })
  assert.deepEqual(await built((t) => t.Secret('seal', { minLength: 8 })), {
    type: 'string',
    'x-secret': 'seal',
    writeOnly: true,
    minLength: 8,
  })
  assert.deepEqual(await built((t) => t.Object({ ...t.paging(), name: t.String() })), {
    type: 'object',
    required: ['name'],
    additionalProperties: false,
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 10_000, description: 'At most this many entries.' },
      cursor: { type: 'string', description: '`nextCursor` of the page before.' },
      q: { type: 'string', description: 'Only entries whose name contains this text.' },
      name: { type: 'string' },
    },
  })
  assert.deepEqual(await built(noInput), { type: 'object', properties: {}, additionalProperties: false })
})

test('objects take no other fields at any depth, unless they say so', async () => {
  const inner = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } }, additionalProperties: false }
  assert.deepEqual(
    await built((t) => {
      const one = () => t.Object({ a: t.Integer() })
      return t.Object({
        list: t.Array(one()),
        map: t.Record(t.String(), one()),
        either: t.Union([one(), t.String()]),
        open: t.Object({ inside: one() }, { additionalProperties: true }),
      })
    }),
    {
      type: 'object',
      required: ['list', 'map', 'either', 'open'],
      additionalProperties: false,
      properties: {
        list: { type: 'array', items: inner },
        map: { type: 'object', patternProperties: { '^.*$': inner } },
        either: { anyOf: [inner, { type: 'string' }] },
        open: { type: 'object', required: ['inside'], properties: { inside: inner }, additionalProperties: true },
      },
    },
  )
})

test('a schema function is called once', async () => {
  let calls = 0
  const lazy: Lazy<TSchema> = (t) => {
    calls++
    return t.String()
  }
  assert.equal(await buildSchema(lazy), await buildSchema(lazy))
  assert.equal(calls, 1)
})

test('named types are definitions of the root, and may contain themselves', async () => {
  const lazy: Lazy<TSchema> = (t) => {
    const place = () => t.Named('Place', () => t.Object({ line: t.Integer() }))
    const node = t.Named('Node', (self) => t.Object({ place: t.Optional(place()), children: t.Array(self) }))
    return t.Object({ nodes: t.Array(node), by: t.Record(t.String(), place()), first: t.Union([place(), t.Null()]) })
  }
  const place = { $ref: '#/$defs/Place' }
  const node = { $ref: '#/$defs/Node' }
  const schema = await built(lazy)
  assert.deepEqual(schema, {
    type: 'object',
    required: ['nodes', 'by', 'first'],
    additionalProperties: false,
    properties: {
      nodes: { type: 'array', items: node },
      by: { type: 'object', patternProperties: { '^.*$': place } },
      first: { anyOf: [place, { type: 'null' }] },
    },
    $defs: {
      Place: {
        type: 'object',
        required: ['line'],
        properties: { line: { type: 'integer' } },
        additionalProperties: false,
      },
      Node: {
        type: 'object',
        required: ['children'],
        properties: { place, children: { type: 'array', items: node } },
        additionalProperties: false,
      },
    },
  })
  const root = schema as PlainSchema
  assert.equal(definitionOf(node, root), root.$defs?.Node)
  assert.equal(definitionOf({ $ref: '#/$defs/Other' }, root).$ref, '#/$defs/Other')
  assert.equal(definitionOf(root, root), root)
  const twice: Lazy<TSchema> = (t) => t.Object({ a: t.Named('A', () => t.String()), b: t.Named('A', () => t.Null()) })
  await assert.rejects(buildSchema(twice), /"A" names two different types/)
})
