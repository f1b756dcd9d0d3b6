/** Where the fields of an operation are sent, the words for their types, and the calls that the docs show. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRoute, Operation } from '../contract/operation.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { parametersOf, typeText, wireSchema } from './parameters.ts'
import { curlExample, exampleInput, sampleOf } from './samples.ts'

test('a type is a word or two', () => {
  for (const [schema, text] of [
    [{}, 'any'],
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'date-time' }, 'string (date-time)'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['LAD', 3, null] }, '"LAD" | 3 | null'],
    [{ const: false }, 'false'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'string' }] }, 'string | integer'],
    [{ type: 'array' }, 'array of any'],
    [{ type: 'array', items: { type: 'array', items: { enum: ['a'] } } }, 'array of array of "a"'],
    [{ type: 'object', 'x-upload': true }, 'file'],
  ] as [PlainSchema, string][])
    assert.equal(typeText(schema), text, JSON.stringify(schema))
})

test('a sample fits its schema, and says more than its type where the name does', () => {
  for (const [schema, sample, name] of [
    [{ type: 'string', example: 'own', default: 'x' }, 'own'],
    [{ type: 'string', examples: ['first', 'second'], default: 'x' }, 'first'],
    [{ type: 'string', examples: [], default: 'x', enum: ['y'] }, 'x'],
    [{ const: null, enum: ['y'] }, null],
    [{ enum: ['y', 'z'] }, 'y'],
    [{ 'x-upload': true }, { fileName: 'example.txt', content: '…' }],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'PLC_1', 'device'],
    [{ anyOf: [] }, {}],
    [{ type: ['integer', 'null'] }, 1],
    [{ type: 'number', minimum: 0 }, 0],
    [{ type: 'boolean' }, true],
    [{ type: 'null' }, null],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00.000Z', 'name'],
    [{ type: 'string' }, 'Line1', 'name'],
    [{ type: 'string' }, 'text', 'other'],
    [{ type: 'array' }, []],
    [{ type: 'array', items: { type: 'string' } }, ['Main'], 'blockName'],
    [
      {
        type: 'object',
        required: ['udtName', 'more', 'unknown'],
        properties: { udtName: { type: 'string' }, more: { type: 'object' }, left: { type: 'string' } },
      },
      { udtName: 'UDT_Motor', more: {}, unknown: {} },
    ],
    [{}, 'invalid_input', 'code'],
    [{}, {}, 'other'],
  ] as [PlainSchema, unknown, string?][])
    assert.deepEqual(sampleOf(schema, name), sample, JSON.stringify(schema))
})

test('a file is sent as text or base64 in JSON', () => {
  const file = wireSchema({ type: 'object', 'x-upload': true })
  assert.deepEqual(
    [file.required, Object.keys(file.properties ?? {}), file.description],
    [['fileName'], ['fileName', 'content', 'contentBase64'], 'A file as text (`content`) or base64 (`contentBase64`).'],
  )
  assert.deepEqual(wireSchema({ 'x-upload': true, description: 'The list.' }), { ...file, description: 'The list.' })
  const plain = { type: 'string' }
  assert.equal(wireSchema(plain), plain)
})

const operation = (fields: object) => ({ id: 'shop.sell', kind: 'command', ...fields }) as unknown as Operation
const route = (method: HttpRoute['method'], path: string, mode: HttpRoute['mode'] = 'sync') => ({ method, path, mode })
const schema: PlainSchema = {
  type: 'object',
  required: ['to'],
  properties: {
    note: { type: 'string' },
    to: { type: 'string' },
    path: { type: 'string' },
    limit: { type: 'integer' },
    cursor: { type: 'string' },
  },
}
const placesOf = (...given: Parameters<typeof parametersOf>) =>
  parametersOf(...given).map(({ name, in: place, required, aliases = [] }) =>
    [required ? `${name}!` : name, place, ...aliases].join(' '),
  )

test('fields stand in the path, else in the query or the body; what every operation takes comes last', () => {
  const own = ['limit body', 'cursor body', 'dryRun query']
  assert.deepEqual(placesOf(route('POST', '/api/shop/{path*}'), operation({ aliases: { note: ['text'] } }), schema), [
    'path! path',
    'to! body',
    'note body text',
    ...own,
  ])
  const query = operation({ kind: 'query', aliases: { note: [] } })
  const all = ['to! query', 'note query', 'path query', 'limit query', 'cursor query']
  assert.deepEqual(placesOf(route('GET', '/api/shop'), query, schema), [...all, 'fields query', 'asOf query'])
  assert.deepEqual(placesOf(route('GET', '/api/shop', 'async'), query, schema), all)
  assert.deepEqual(placesOf(route('GET', '/api/shop'), operation({ kind: 'query', live: true }), schema), [
    ...all,
    'fields query',
  ])
  assert.deepEqual(placesOf(route('DELETE', '/api/shop'), operation({}), schema), [...all, 'dryRun query'])
  const { limit: _, ...noPages } = schema.properties!
  const trial = { ...schema, properties: { ...noPages, dryRun: { type: 'string' }, fields: { type: 'string' } } }
  assert.deepEqual(placesOf(route('PUT', '/api/shop'), operation({}), trial), [
    'to! body',
    'note body',
    'path body',
    'cursor body',
    'dryRun body',
    'fields body',
  ])
  assert.deepEqual(placesOf(route('POST', '/api/shop'), query, { type: 'object' }), [])
  assert.deepEqual(placesOf(route('POST', '/api/shop/{id}'), query, { type: 'object' }), ['id! path'])
})

test('the example of an operation comes before samples, and only for fields that it has', () => {
  const parameters = parametersOf(route('GET', '/api/shop/{path*}'), operation({ kind: 'query' }), schema)
  const input = (example: unknown) => exampleInput(operation({ example }), parameters)
  assert.deepEqual(input({ note: 'own', other: 1 }), { path: 'Line1/Line1.gantry', to: 'text', note: 'own' })
  for (const nothing of [undefined, null, 'text'])
    assert.deepEqual(input(nothing), { path: 'Line1/Line1.gantry', to: 'text' })
})

test('a call with curl can be pasted into a shell', () => {
  const call = (method: HttpRoute['method'], path: string, fields: object, given = schema) =>
    curlExample(route(method, path), operation(fields), given)
  const upload: PlainSchema = {
    type: 'object',
    required: ['file', 'count', 'note'],
    properties: { file: { 'x-upload': true }, count: { type: 'integer' }, note: { type: 'string' } },
  }
  const json = "-H 'Content-Type: application/json'"
  const key = '-H "X-API-Key: $KEY"'
  assert.deepEqual(
    [
      call('GET', '/api/shop/{path*}', { kind: 'query', example: { path: 'a b/ü', to: 'c&d', limit: 0 } }),
      call('GET', '/api/shop/{to}', { kind: 'query', access: 'public', example: { to: 'a/b' } }),
      call('GET', '/api/shop', { kind: 'stream' }),
      call('POST', '/api/shop', { example: { to: "it's", note: 'n' } }),
      call('POST', '/api/shop', { streams: {} }, { type: 'object' }),
      call('POST', '/api/shop/{to}', {}),
      call('PUT', '/api/shop/{to}', { example: { note: '' } }),
      call('DELETE', '/api/shop/{to}', { example: { note: 'x' } }),
      call('POST', '/api/shop', { example: { note: "it's" } }, upload),
    ],
    [
      `curl "$GANTRY/api/shop/a%20b/%C3%BC?to=c%26d&limit=0" ${key}`,
      'curl "$GANTRY/api/shop/a%2Fb"',
      `curl -N "$GANTRY/api/shop?to=text" ${key}`,
      `curl "$GANTRY/api/shop" ${key} ${json} -d '{"to":"it'\\''s","note":"n"}'`,
      `curl -N -X POST "$GANTRY/api/shop" ${key}`,
      `curl -X POST "$GANTRY/api/shop/text" ${key}`,
      `curl -X PUT "$GANTRY/api/shop/text" ${key} ${json} -d '{"note":""}'`,
      `curl -X DELETE "$GANTRY/api/shop/text?note=x" ${key}`,
      `curl "$GANTRY/api/shop" ${key} -F 'file=@file' -F 'count=1' -F 'note=it'\\''s'`,
    ],
  )
})
