import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command, post, put, query } from './operation.ts'
import { type GatewayError, isGatewayError } from './problems.ts'
import { compileInput } from './validation.ts'

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
