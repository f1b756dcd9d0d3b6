import assert from 'node:assert/strict'
import { test } from 'node:test'
import { satisfies } from 'semver'
import { assertRecorded } from '../../test/recorded.ts'
import { collection, command, domainEvent, get, on, query } from '../index.ts'
import { pluginApiVersion, pluginFaults } from './plugin-check.ts'

const items = collection('good.items')
const added = domainEvent('good.added', 'An item was added')
const operation = command({
  id: 'good.add',
  title: 'Add an item',
  input: (t) => t.Object({}),
  output: (t) => t.Object({}),
  http: [get('/api/plugins/good/{name}/{rest*}')],
  mcp: { toolset: 'good', essential: true },
  run: () => ({}),
})
const good = {
  name: 'good',
  version: '1.0.0',
  api: `^${pluginApiVersion}`,
  slice: { version: 1, collections: [items], reductions: [on(added, () => {})] },
  operations: [operation, query({ ...operation, id: 'good.get', mcp: false })],
  hooks: [{ on: '*.delete', before() {} }],
  docs: [{ name: 'good', title: 'Good', text: 'Good.' }],
}

test('a plugin that fits has no faults', () => {
  assert.deepEqual(pluginFaults(good, satisfies), [])
})

test('each fault is told with its place, and what would be right', () => {
  const withOperation = (changed: object) => ({ ...good, operations: [{ ...operation, ...changed }] })
  const cases: [unknown, RegExp][] = [
    [{ ...good, version: undefined }, /^version is missing$/],
    [{ ...good, name: 3 }, /^name must be text that is not empty, not 3$/],
    [{ ...good, operation: [] }, /^operation is not known \(did you mean "operations"\?\)$/],
    [{ ...good, api: '^2.0.0' }, /^it is made for version "\^2\.0\.0" of the plugin API; this gateway has 1\./],
    [{ ...good, slice: { ...good.slice, version: 1.5 } }, /^slice\.version must be an integer, not 1\.5$/],
    [{ ...good, slice: { ...good.slice, collections: [{}] } }, /^slice\.collections\[0\] must be made with collection/],
    [{ ...good, slice: { ...good.slice, reductions: [added] } }, /^slice\.reductions\[0\] must be made with on\(/],
    [{ ...good, operations: {} }, /^operations must be a list, not an object$/],
    [{ ...good, operations: [{ id: 'x.y' }] }, /^operations\[0\] must be made with command/],
    [withOperation({ mcp: undefined }), /^operation "good\.add"\.mcp is missing$/],
    [withOperation({ mcp: true }), /^operation "good\.add"\.mcp must be false, or \{ toolset \}/],
    [withOperation({ title: ' ' }), /^operation "good\.add"\.title must be text that is not empty/],
    [withOperation({ input: {} }), /^operation "good\.add"\.input must be a function, not an object$/],
    [withOperation({ http: [{ method: 'get', path: '/api/x', mode: 'sync' }] }), /\.method must be one of GET, POST/],
    [withOperation({ http: [get('/x')] }), /\.path must start with \/api\/ or \/mcp\/, not "\/x"$/],
    [withOperation({ http: [get('/api/{a}/{a}')] }), /names a parameter twice$/],
    [withOperation({ http: [get('/api/{a*}/b')] }), /is not a path: segments are words or \{name\}/],
    [
      withOperation({ access: 'root' }),
      /\.access must be one of viewer, engineer, operator, admin, public, not "root"/,
    ],
    [withOperation({ aliases: { name: 'n' } }), /\.aliases\.name must be a list, not "n"$/],
    [withOperation({ aliase: {} }), /\.aliase is not known \(did you mean "aliases"\?\)$/],
    [
      { ...good, problems: { taken: { status: '409' } } },
      /^problems\.taken\.title is missing|status must be an integer/,
    ],
    [[], /^it must be an object, not a list$/],
  ]
  for (const [plugin, expected] of cases) {
    const faults = pluginFaults(plugin, satisfies)
    assert(
      faults.some((fault) => expected.test(fault)),
      `${expected}: ${faults.join('; ')}`,
    )
  }
})

test('faults are collected, and their number is limited', () => {
  const faults = pluginFaults({ ...good, operations: Array.from({ length: 50 }, () => ({})) }, satisfies)
  assert.equal(faults.length, 21)
  assert.equal(faults.at(-1), 'and 30 more')
})

const text = 'Text.'
const call = () => ({})
const own = { type: 'full.added', title: 'Added', schema: call, description: text }
const every = {
  ...operation,
  description: text,
  access: 'viewer',
  needsInstance: true,
  whenDamaged: false,
  besideLane: false,
  quietMs: 5,
  aliases: { name: ['other'] },
  example: { name: 'a' },
  live: false,
  tagged: true,
  changes: 'full.items',
  produces: 'text/plain',
  accepts: { 'text/plain': { field: 'text' } },
  mcp: { toolset: 'full', essential: true, destructive: false, defaults: { limit: 5 } },
}
const { output: _output, ...withoutOutput } = operation
/** A plugin that has every field which a plugin may have. */
const full = {
  name: 'full',
  version: '1.0.0',
  api: '^1.0.0',
  description: text,
  requires: ['other'],
  slice: {
    version: 2,
    collections: [{ id: 'full.items', indexes: {}, owners: [] }],
    reductions: [{ event: own, reduce: call }],
    endings: [{ event: own, owner: { id: 'device' }, idOf: call }],
    putBack: call,
  },
  operations: [
    { ...every, admit: call, streams: { progress: text }, sealsResult: ['key'], lasting: text },
    { ...withoutOutput, kind: 'stream', id: 'full.follow', mcp: false, http: [get('/mcp/full')] },
  ],
  wireRoutes: [
    {
      method: 'GET',
      path: '/api/full/wire',
      title: 'Wire',
      answers: 'bytes',
      description: text,
      takes: 'bytes',
      parameters: [{ name: 'a', description: text, required: true }],
    },
  ],
  events: [own],
  extensions: [{ point: 'full.point', value: 1 }],
  hooks: [{ on: '*.delete', perJob: true, before: call, after: call }],
  problems: { full: { status: 409, title: 'Full', meaning: text, remedy: text, example: text } },
  docs: [{ name: 'full', title: 'Full', text: call }],
  start: call,
  stop: call,
}

/** The paths of all values in a value, each with a copy in which one is there instead; undefined: nothing. */
function* replaced(value: unknown, by: unknown, path = ''): Generator<[path: string, copy: unknown]> {
  yield [path, by]
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    for (const [place, copy] of replaced(inner, by, at))
      yield [place, Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy }]
  }
}

test('every field is checked: which kinds of values are refused at each place, and what is said of the first', () => {
  assert.deepEqual(pluginFaults(full, satisfies), [])
  const lasting = { ...full, operations: [{ ...full.operations[0], lasting: false }] }
  assert.deepEqual(pluginFaults(lasting, satisfies), [])
  const refused = new Map<string, { wrong: string[]; said: string }>()
  for (const wrong of [undefined, null, '', 'text', 1.5, true, {}, [], call])
    for (const [path, copy] of replaced(full, wrong)) {
      const faults = pluginFaults(copy, satisfies)
      if (faults.length === 0) continue
      const at = refused.get(path) ?? { wrong: [], said: faults.join('; ') }
      at.wrong.push(wrong === undefined ? 'none' : typeof wrong === 'function' ? 'function' : JSON.stringify(wrong))
      refused.set(path, at)
    }
  const lines = [...refused].map(([path, { wrong, said }]) => `${path || '(all)'}: ${wrong.join(' ')}: ${said}`)
  assertRecorded(import.meta.url, 'plugin-faults.txt', `${lines.join('\n')}\n`)
})

test('what a value is, is told in words', () => {
  const values = [undefined, null, '', 'x'.repeat(100), 5, true, {}, [], () => 1]
  assert.deepEqual(
    values.map((name) => pluginFaults({ ...full, name }, satisfies)[0]),
    [
      'name is missing',
      'name must be text that is not empty, not null',
      'name must be text that is not empty, not empty text',
      undefined,
      'name must be text that is not empty, not 5',
      'name must be text that is not empty, not true',
      'name must be text that is not empty, not an object',
      'name must be text that is not empty, not a list',
      'name must be text that is not empty, not a function',
    ],
  )
  const [long] = pluginFaults({ ...full, start: 'x'.repeat(100) }, satisfies)
  assert.equal(long, `start must be a function, not "${'x'.repeat(79)}`)
})

test('fields that only commands, or only commands and queries have, are not known of the others', () => {
  const only = { admit: call, streams: {}, sealsResult: [], lasting: 'text' }
  const { id, input, title, run } = operation
  const plain = { id, input, title, run, http: [], mcp: false }
  const faultsOf = (fields: object) => pluginFaults({ ...full, operations: [{ ...plain, ...fields }] }, satisfies)
  const unknown = (fields: object) => Object.keys(fields).map((name) => `operation "good.add".${name} is not known`)
  assert.deepEqual(faultsOf({ kind: 'command', output: call, ...only }), [])
  assert.deepEqual(faultsOf({ kind: 'query', output: call, ...only }), unknown(only))
  const answers = { output: call, live: true, tagged: true, changes: 'a', produces: 'a', accepts: {} }
  assert.deepEqual(faultsOf({ kind: 'query', ...answers }), [])
  // `accepts` is near to `access`.
  const near = unknown({ ...answers, ...only }).map((fault) =>
    fault.replace(/accepts.*/, '$& (did you mean "access"?)'),
  )
  assert.deepEqual(faultsOf({ kind: 'stream', ...answers, ...only }), near)
})

test('of many faults the first twenty are told', () => {
  const withFaults = (count: number) =>
    pluginFaults({ ...full, requires: Array.from({ length: count }, () => '') }, satisfies)
  assert.equal(withFaults(20).length, 20)
  assert.deepEqual(withFaults(21).slice(19), [withFaults(20)[19], 'and 1 more'])
})

test('paths of routes: words and {name}, with {name*} at the end', () => {
  const faultsOf = (path: string) =>
    pluginFaults({ ...full, operations: [{ ...operation, http: [get(path)] }] }, satisfies)
  for (const path of ['/api/a', '/mcp/a', '/api/a.b/{c}/d', '/api/{a}', '/api/{a}/{b*}', '/api/a-b/~c'])
    assert.deepEqual(faultsOf(path), [], path)
  const told = [
    '/api/',
    '/apia',
    'api/a',
    '/x/api/a',
    '/api/a/',
    '/api//a',
    '/api/a b',
    '/api/{a',
    '/api/{a*}/b',
    '/api/a{b}',
  ]
  assertRecorded(
    import.meta.url,
    'plugin-paths.txt',
    `${told.map((path) => `${path}: ${faultsOf(path)}`).join('\n')}\n`,
  )
})
