/** What a client is told of an input that does not fit: every fault whole, and of many the first with their number. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { command, post } from '../contract/operation.ts'
import { type Fault, isGatewayError } from '../contract/problems.ts'
import { assertOutput, compileInput } from './validation.ts'

const operation = command({
  id: 'test.faults',
  title: 'Faults',
  input: (t) =>
    t.Object({
      name: t.String({ maxLength: 5 }),
      kind: t.Optional(t.Enum(['FB', 'FC'])),
      mode: t.Optional(t.Literal('fast')),
      number: t.Optional(t.Integer({ minimum: 1, maximum: 9 })),
      key: t.Optional(t.Secret('seal')),
      keys: t.Optional(t.Array(t.Union([t.Secret('seal', { minLength: 3 }), t.Null()]))),
      version: t.Optional(t.String({ pattern: '^V[0-9]+$' })),
      target: t.Optional(t.Union([t.String(), t.Integer()])),
      list: t.Optional(t.Array(t.Integer(), { maxItems: 3 })),
      distinct: t.Optional(t.Array(t.String(), { uniqueItems: true })),
      rows: t.Optional(t.Array(t.Object({ name: t.String(), size: t.Optional(t.Integer()) }))),
      texts: t.Optional(t.Record(t.String(), t.String())),
    }),
  output: (t) => t.Object({}),
  http: [post('/api/test/faults')],
  mcp: false,
  run: () => ({}),
})

async function told(input: Record<string, unknown>) {
  const reader = await compileInput(operation)
  try {
    reader.read(input)
  } catch (error) {
    assert(isGatewayError(error))
    const { message, details } = error
    return { message, faults: details.errors as readonly Fault[] }
  }
  return assert.fail('it is taken')
}

const faultsOf = async (input: Record<string, unknown>) => (await told({ name: 'a', ...input })).faults

test('each kind of fault says where, what would be right and what was given', async () => {
  const faults: [given: Record<string, unknown>, fault: Fault][] = [
    [
      { name: 'abcdef' },
      { path: '/name', message: 'must NOT have more than 5 characters', code: 'maxLength', value: 'abcdef' },
    ],
    [{ name: 5 }, { path: '/name', message: 'must be string', code: 'wrong_type', value: 5 }],
    [
      { kind: 'OB' },
      { path: '/kind', message: 'must be one of FB, FC', code: 'not_allowed', value: 'OB', allowed: ['FB', 'FC'] },
    ],
    [{ mode: 'slow' }, { path: '/mode', message: 'must be "fast"', code: 'not_allowed', value: 'slow' }],
    [{ number: 0 }, { path: '/number', message: 'must be >= 1', code: 'minimum', value: 0 }],
    [{ number: 10 }, { path: '/number', message: 'must be <= 9', code: 'maximum', value: 10 }],
    [{ version: '19' }, { path: '/version', message: 'must match pattern "^V[0-9]+$"', code: 'pattern', value: '19' }],
    [{ list: {} }, { path: '/list', message: 'must be array', code: 'wrong_type', value: '[object]' }],
    [
      { list: [1, 2, 3, 4] },
      { path: '/list', message: 'must NOT have more than 3 items', code: 'maxItems', value: '[array]' },
    ],
    [{ list: [1, []] }, { path: '/list/1', message: 'must be integer', code: 'wrong_type', value: '[array]' }],
    [
      { rows: [{ name: 'r', szie: 1 }] },
      { path: '/rows/0/szie', message: 'unknown property (did you mean "size"?)', code: 'unknown_property' },
    ],
    [{ rows: [{}] }, { path: '/rows/0/name', message: 'is missing', code: 'missing' }],
    [{ texts: { 'a/b~c': 1 } }, { path: '/texts/a~1b~0c', message: 'must be string', code: 'wrong_type', value: 1 }],
  ]
  for (const [given, fault] of faults) assert.deepEqual(await faultsOf(given), [fault], JSON.stringify(given))
  const { message, faults: twice } = await told({ name: 'a', distinct: ['x', 'y', 'x'] })
  assert.equal(message, '/distinct: must NOT have duplicate items (items ## 2 and 0 are identical)')
  assert.equal(twice.length, 1)
})

test('what fits none of several forms is told each of them', async () => {
  assert.deepEqual(
    (await faultsOf({ target: true })).map(({ path, message }) => `${path} ${message}`),
    ['/target must be string', '/target must be integer'],
  )
})

test('a name that is like no other is answered with all that are known', async () => {
  const [fault] = await faultsOf({ rows: [{ name: 'r', comment: '' }] })
  assert.equal(fault?.message, 'unknown property (known: name, size)')
})

test('long values and names are told by their beginning, secrets not at all', async () => {
  const long = 'x'.repeat(101)
  const [value] = await faultsOf({ name: long })
  assert.equal(value?.value, `${'x'.repeat(100)}…`)
  const [whole] = await faultsOf({ name: 'x'.repeat(100) })
  assert.equal(whole?.value, 'x'.repeat(100))
  const [name] = await faultsOf({ texts: { [long]: 1 } })
  assert.equal(name?.path, `/texts/${'x'.repeat(100)}…`)
  assert.deepEqual(await faultsOf({ key: 12 }), [{ path: '/key', message: 'must be string', code: 'wrong_type' }])
  // Not either where there may be none.
  assert.deepEqual(await faultsOf({ keys: ['long', null, 'no'] }), [
    { path: '/keys/2', message: 'must NOT have fewer than 3 characters', code: 'minLength' },
    { path: '/keys/2', message: 'must be null', code: 'wrong_type' },
  ])
})

test('of many faults fifty are told and the others counted, wherever they are', async () => {
  const many = Array.from({ length: 60 }, (_, i) => i)
  const inputs: [Record<string, unknown>, number][] = [
    [{ rows: many.map(() => ({ name: 1 })) }, 60],
    [{ rows: many.map(() => ({})) }, 60],
    [Object.fromEntries(many.map((i) => [`property${i}`, i])), 60],
    [{ rows: [Object.fromEntries([['name', 'r'], ...many.map((i) => [`property${i}`, i])])] }, 60],
    [{ texts: Object.fromEntries(many.map((i) => [i, i])) }, 60],
    [{ texts: Object.fromEntries(many.slice(0, 30).map((i) => [i, i])), rows: many.slice(0, 30).map(() => ({})) }, 60],
  ]
  for (const [input, count] of inputs) {
    const { message, faults } = await told({ name: 'a', ...input })
    const about = JSON.stringify(input).slice(0, 60)
    assert.deepEqual([faults.length, faults.at(-1)], [51, { message: `and ${count - 50} more` }], about)
    assert.match(message, new RegExp(`\\(and ${count - 1} more\\)$`), about)
  }
  const exactly = await told({ name: 'a', rows: many.slice(0, 50).map(() => ({})) })
  assert.deepEqual([exactly.faults.length, exactly.faults.at(-1)?.path], [50, '/rows/49/name'])
  // A list that is too long is looked at as far as it may go.
  const { faults } = await told({ name: 'a', list: ['a', 'b', 'c', 'd', 'e'] })
  assert.deepEqual(faults.map(({ path }) => path).sort(), ['/list', '/list/0', '/list/1', '/list/2'])
})

test('results that JSON would change are refused by the check of answers', async () => {
  const loose = { ...operation, id: 'test.loose', output: (t: Parameters<typeof operation.output>[0]) => t.Any() }
  for (const fine of [null, 1, 'a', true, { a: [1, { b: null, c: undefined }] }, Object.create(null)])
    await assertOutput(loose, fine)
  const lost: [unknown, string][] = [
    [{ a: Number.NaN }, '/a (NaN)'],
    [Number.POSITIVE_INFINITY, '/ (Infinity)'],
    [{ a: [0, new Map()] }, '/a/1 (a Map)'],
    [{ a: 1n }, '/a (a bigint)'],
    [{ a: () => 1 }, '/a (a function)'],
    [{ a: new Uint8Array() }, '/a (a object)'],
  ]
  for (const [result, place] of lost)
    await assert.rejects(
      assertOutput(loose, result),
      new Error(`the result of test.loose is not plain JSON: ${place} is lost or changed when it is sent`),
    )
  const loop: Record<string, unknown> = {}
  loop.a = loop
  await assert.rejects(assertOutput(loose, loop), /… \(it contains itself\) is lost/)
  await assert.rejects(assertOutput(operation, { a: 1 }), /does not fit its output schema/)
})
