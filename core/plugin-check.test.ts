import assert from 'node:assert/strict'
import { test } from 'node:test'
import { satisfies } from 'semver'
import { collection, command, domainEvent, get, on, query } from './index.ts'
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
