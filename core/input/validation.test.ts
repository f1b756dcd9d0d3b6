import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command, post, put, query } from '../contract/operation.ts'
import { type GatewayError, isGatewayError } from '../contract/problems.ts'
import { assertOutput, compileInput, fromText } from './validation.ts'

const operation = command({
  id: 'test.write',
  title: 'Write',
  input: (t) =>
    t.Object({
      deviceName: t.String({ minLength: 1 }),
      limit: t.Optional(t.Integer({ minimum: 1 })),
      force: t.Optional(t.Boolean()),
      kinds: t.Optional(t.Array(t.String())),
      members: t.Optional(t.Array(t.Object({ name: t.String(), dataType: t.String() }))),
      filePath: t.Optional(t.String()),
      version: t.Optional(t.String({ pattern: '^V[0-9]+$', description: 'Version such as V19.' })),
    }),
  output: (t) => t.Object({}),
  aliases: { filePath: ['importFilePath'] },
  http: [post('/api/test/{deviceName}')],
  mcp: false,
  run: () => ({}),
})

function faultsOf(run: () => unknown): GatewayError {
  try {
    run()
  } catch (error) {
    assert(isGatewayError(error))
    return error
  }
  throw new assert.AssertionError({ message: 'no error was thrown' })
}

test('names are matched in any case, at every depth, and through aliases', async () => {
  const reader = await compileInput(operation)
  assert.deepEqual(reader.read({ devicename: 'PLC_1', MEMBERS: [{ NAME: 'a', datatype: 'Bool' }] }), {
    deviceName: 'PLC_1',
    members: [{ name: 'a', dataType: 'Bool' }],
  })
  assert.deepEqual(
    reader.read({ DeviceName: 'PLC_1', Members: [{ Name: 'a', DataType: 'Bool' }], ImportFilePath: 'x.xml' }),
    { deviceName: 'PLC_1', members: [{ name: 'a', dataType: 'Bool' }], filePath: 'x.xml' },
  )
})

test('names are matched in what a union offers, and in lists through the same aliases', async () => {
  const reader = await compileInput(
    query({
      id: 'x.rows',
      title: 'Rows',
      input: (t) =>
        t.Object({
          tableName: t.Optional(t.String()),
          rows: t.Optional(
            t.Array(
              t.Union([t.String(), t.Object({ name: t.String(), at: t.Optional(t.Object({ x: t.Integer() })) })]),
            ),
          ),
          texts: t.Optional(t.Record(t.String(), t.String())),
        }),
      output: (t) => t.Object({}),
      http: [],
      mcp: false,
      aliases: { name: ['tagName'], tableName: ['table'] },
      run: () => ({}),
    }),
  )
  assert.deepEqual(reader.read({ Rows: ['a', { Name: 'b', At: { X: 1 } }, { TagName: 'c' }], Table: 't' }), {
    rows: ['a', { name: 'b', at: { x: 1 } }, { name: 'c' }],
    tableName: 't',
  })
  assert.deepEqual(reader.read({ Texts: { De: 'x' } }), { texts: { De: 'x' } }, 'keys of a map are what they are')
})

test('names are matched in the values of maps and in lists of lists; null is no value where none is allowed', async () => {
  const declared = query({
    id: 'x.maps',
    title: 'Maps',
    input: (t) => {
      const part = () => t.Object({ partName: t.String(), size: t.Optional(t.Integer()) })
      return t.Object({
        parts: t.Optional(t.Record(t.String(), part())),
        deep: t.Optional(t.Record(t.String(), t.Record(t.String(), t.String()))),
        cells: t.Optional(t.Array(t.Array(part()))),
        loose: t.Optional(t.Record(t.String(), t.Union([t.String(), t.Null()]))),
        any: t.Optional(t.Unknown()),
        choice: t.Optional(t.Union([t.Literal('a'), t.Null()])),
      })
    },
    output: (t) => t.Object({}),
    http: [],
    mcp: false,
    run: () => ({}),
  })
  const reader = await compileInput(declared)
  const cases: [given: Record<string, unknown>, read: Record<string, unknown>][] = [
    [{ Parts: { One: { PARTNAME: 'x', Size: null }, Two: null } }, { parts: { One: { partName: 'x' } } }],
    [{ deep: { A: { B: 'c', D: null }, E: null } }, { deep: { A: { B: 'c' } } }],
    [{ cells: [[{ PARTNAME: 'x' }], []] }, { cells: [[{ partName: 'x' }], []] }],
    [{ loose: { A: null } }, { loose: { A: null } }],
    [
      { any: null, choice: null },
      { any: null, choice: null },
    ],
    [{ Any: { Some: [{ Thing: null }] } }, { any: { Some: [{ Thing: null }] } }],
    [{ parts: undefined }, {}],
  ]
  for (const [given, read] of cases) assert.deepEqual(reader.read(given), read, JSON.stringify(given))
  const own = reader.read(JSON.parse('{"loose":{"__proto__":"x"}}')) as { loose: object }
  assert.deepEqual(Object.entries(own.loose), [['__proto__', 'x']])
  // What replaces an object keeps its nulls, and is refused with them.
  const replacing = await compileInput({ ...declared, http: [put('/api/test')] })
  const refused = (given: Record<string, unknown>) =>
    faultsOf(() => replacing.read(given)).details.errors?.map(({ path, code }) => `${path} ${code}`)
  assert.deepEqual(refused({ parts: { One: { partName: 'x', size: null } } }), ['/parts/One/size wrong_type'])
  assert.deepEqual(refused({ deep: { A: { B: null } } }), ['/deep/A/B wrong_type'])
})

test('a result that JSON would lose or change is named with its place', async () => {
  const declared = query({
    id: 'x.result',
    title: 'Result',
    input: (t) => t.Object({}),
    output: (t) => t.Unknown(),
    http: [],
    mcp: false,
    run: () => ({}),
  })
  const itself: Record<string, unknown> = {}
  itself.a = itself
  class Held {
    value = 1
  }
  const bare = Object.assign(Object.create(null), { a: 1 })
  for (const right of [
    null,
    undefined,
    'x',
    true,
    0,
    [],
    { a: [{ b: null }] },
    bare,
    Buffer.from('x'),
    new Uint8Array(1),
  ])
    await assertOutput(declared, right)
  const wrong: [unknown, string][] = [
    [Number.NaN, '/ (NaN)'],
    [{ a: [1, Number.POSITIVE_INFINITY] }, '/a/1 (Infinity)'],
    [{ a: new Map() }, '/a (a Map)'],
    [new Date(0), '/ (a Date)'],
    [[new Held()], '/0 (a Held)'],
    [{ a: () => 1 }, '/a (a function)'],
    [{ a: { b: 5n } }, '/a/b (a bigint)'],
    [Symbol('x'), '/ (a symbol)'],
    [{ a: Buffer.from('x') }, '/a (a object)'],
  ]
  for (const [result, place] of wrong)
    await assert.rejects(assertOutput(declared, result), {
      message: `the result of x.result is not plain JSON: ${place} is lost or changed when it is sent`,
    })
  await assert.rejects(assertOutput(declared, itself), /not plain JSON: (\/a){40}… \(it contains itself\)/)
  const typed = { ...declared, output: (t: Parameters<typeof declared.output>[0]) => t.Object({ a: t.Integer() }) }
  await assertOutput(typed, { a: 1 })
  await assert.rejects(
    assertOutput(typed, { a: 'x' }),
    /^Error: the result of x\.result does not fit its output schema: \[\{.*"must be integer"/,
  )
})

test('text becomes a number, a truth or a list where the schema has one, and stays text where it does not fit', () => {
  const cases: [schema: Parameters<typeof fromText>[1], texts: Record<string, unknown>][] = [
    [undefined, { 5: '5' }],
    [{ type: 'string' }, { 5: '5', true: 'true' }],
    [{ type: 'integer' }, { 5: 5, '+5': 5, '-5': -5, '5.0': '5.0', '': '', ' 5': ' 5', '5 ': '5 ' }],
    [{ type: 'number' }, { 5: 5, '-1.5e3': -1500, '': '', ' ': ' ', Infinity: 'Infinity', x: 'x' }],
    [
      { type: 'boolean' },
      { true: true, TRUE: true, 1: true, '': true, false: false, False: false, 0: false, yes: 'yes', 2: '2' },
    ],
    [{ type: ['integer', 'null'] }, { 5: 5, null: 'null' }],
    [{ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, { 5: 5, true: true, 1: 1, x: 'x' }],
    [{ anyOf: [{ type: 'string' }] }, { 5: '5' }],
    [{}, { 5: '5' }],
    [
      { type: 'array', items: { type: 'integer' } },
      { '1,2': [1, 2], 3: [3], '': [''], 'a,1': ['a', 1] },
    ],
    [{ type: 'array' }, { 'a,b': ['a', 'b'] }],
  ]
  for (const [schema, texts] of cases)
    for (const [text, value] of Object.entries(texts))
      assert.deepEqual(fromText(text, schema), value, `${JSON.stringify(schema)} ${JSON.stringify(text)}`)
  // A parameter that is given several times, and what is no text any more.
  assert.deepEqual(fromText(['1', '2,3'], { type: 'array', items: { type: 'integer' } }), [1, '2,3'])
  assert.deepEqual(fromText(4, { type: 'array', items: { type: 'integer' } }), [4])
  assert.equal(fromText(true, { type: 'integer' }), true)
})

test('an operation without input takes none, and says which names it was given', async () => {
  const reader = await compileInput({ input: (t) => t.Object({}), http: [] })
  assert.deepEqual(reader.read({}), {})
  assert.deepEqual(reader.read({ a: undefined }), {})
  const error = faultsOf(() => reader.read({ a: 1 }, { b: '2' }))
  assert.equal(error.message, '/a: unknown property (this operation takes none) (and 1 more)')
  const many = faultsOf(() => reader.read(Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`n${i}`, i]))))
  assert.match(many.message, /^\/n0: unknown property \(this operation takes none\) \(and 59 more\)$/)
  assert.equal(many.details.errors?.[49]?.path, '/n49')
  assert.deepEqual(many.details.errors?.slice(50), [{ message: 'and 10 more' }])
})

test('text of path and query becomes what the schema says', async () => {
  const reader = await compileInput(operation)
  assert.deepEqual(reader.read({}, { deviceName: '12', limit: '5', force: 'true', kinds: 'a,b' }), {
    deviceName: '12',
    limit: 5,
    force: true,
    kinds: ['a', 'b'],
  })
})

test('every wrong field is named, with what would be right', async () => {
  const reader = await compileInput(operation)
  const error = faultsOf(() => reader.read({ deviceNmae: 'x', limit: 0, members: [{ name: 1 }], lmit: 3 }))
  assert.equal(error.code, 'invalid_input')
  const faults = Object.fromEntries((error.details.errors ?? []).map((f) => [f.path, f.message]))
  assert.match(faults['/lmit']!, /did you mean "limit"/)
  assert.match(faults['/deviceNmae']!, /did you mean "deviceName"/)
  assert.match(faults['/deviceName']!, /missing/)
  assert.match(faults['/limit']!, />= 1/)
  assert.match(faults['/members/0/name']!, /string/)
  assert.match(faults['/members/0/dataType']!, /missing/)
})

test('a text of the wrong form is told what the field is', async () => {
  const reader = await compileInput(operation)
  const error = faultsOf(() => reader.read({ deviceName: 'PLC_1', version: '19' }))
  assert.match(error.message, /^\/version: must match pattern .* \(Version such as V19\)$/)
})

test('__proto__ is an unknown property, not a prototype', async () => {
  const reader = await compileInput(operation)
  const error = faultsOf(() => reader.read(JSON.parse('{"deviceName":"a","__proto__":{"force":true}}')))
  assert.match(error.message, /__proto__/)
  assert.equal(({} as Record<string, unknown>).force, undefined)
})

test('null stands for a field that is not given, but not in what replaces something', async () => {
  const reader = await compileInput(operation)
  const paths = (input: Record<string, unknown>, by = reader) =>
    faultsOf(() => by.read(input)).details.errors?.map(({ path, code }) => `${path} ${code}`)
  assert.deepEqual(reader.read({ deviceName: 'PLC_1', limit: null, members: null, version: null }), {
    deviceName: 'PLC_1',
  })
  assert.deepEqual(paths({ deviceName: null, limit: null }), ['/deviceName missing'])
  assert.deepEqual(paths({ deviceName: 'PLC_1', kinds: [null] }), ['/kinds/0 wrong_type'])
  assert.deepEqual(paths({ deviceName: 'PLC_1', members: [{ name: null, dataType: 'Bool' }] }), [
    '/members/0/name missing',
  ])
  const replacing = await compileInput({ ...operation, http: [put('/api/test/{deviceName}')] })
  assert.deepEqual(paths({ deviceName: 'PLC_1', version: null }, replacing), ['/version wrong_type'])
})

test('a field that is given twice with different values is refused, not chosen', async () => {
  const reader = await compileInput(operation)
  assert.deepEqual(reader.read({ device: 'PLC_1' }), { deviceName: 'PLC_1' })
  assert.deepEqual(reader.read({ device: 'PLC_1', deviceName: 'PLC_1' }), { deviceName: 'PLC_1' })
  assert.deepEqual(reader.read({ device: 'PLC_1', limit: 5 }, { deviceName: 'PLC_1', limit: '5' }), {
    deviceName: 'PLC_1',
    limit: 5,
  })
  const refused = (raw: Record<string, unknown>, strings?: Record<string, string>) =>
    faultsOf(() => reader.read(raw, strings)).message
  assert.match(refused({ device: 'PLC_1', deviceName: 'PLC_2' }), /^\/deviceName: is given twice with different values/)
  assert.match(refused({ deviceName: 'PLC_2', device: 'PLC_1' }), /^\/device: is given twice with different values/)
  assert.match(refused({ device: 'PLC_1' }, { deviceName: 'PLC_2' }), /in the address and in the body/)
})

test('an input that is nested too deep is refused, also one that comes as JSON in a text', async () => {
  const reader = await compileInput(operation)
  let deep: unknown = 'x'
  for (let i = 0; i < 100_000; i++) deep = [deep]
  const text = `[{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}]`
  for (const members of [deep, text]) {
    const { code, message } = faultsOf(() => reader.read({ deviceName: 'PLC_1', members }))
    assert.equal(code, 'invalid_input')
    assert.match(message, /deeper than 200 levels/)
  }
})
