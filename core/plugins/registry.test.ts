/** What is known of the loaded plugins, and which plugins are refused whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coreProblems } from '../contract/problems.ts'
import { collection, command, del, domainEvent, get, on, post, query } from '../plugin-api.ts'
import { Registry } from './registry.ts'

const declared = {
  title: 'X',
  input: (t: { Object: (fields: object) => never }) => t.Object({}),
  output: (t: { Object: (fields: object) => never }) => t.Object({}),
  mcp: false,
  run: () => ({}),
} as never as Omit<Parameters<typeof query>[0], 'id' | 'http'>

const tanks = collection('plant.tanks')
const filled = domainEvent('plant.filled', 'A tank was filled')
const ended = domainEvent('plant.ended', 'A tank is gone')
const sent = domainEvent('plant.sent', 'Something was sent')
const problems = {
  plant_full: { status: 409, title: 'Full', meaning: 'It is full.', remedy: 'Empty it.', example: 'Tank 1 is full.' },
}
const page = { name: 'plant', title: 'Plant', text: 'Text.' }
const wire = { method: 'GET', path: '/api/plant/wire', title: 'Wire', answers: 'bytes' } as const
const read = query({
  ...declared,
  id: 'plant.get',
  http: [get('/api/plant/{tank}'), get('/api/plant/{tank}/async', 'async')],
})
const list = query({ ...declared, id: 'plant.list', http: [get('/api/plant')], access: 'public' })
const fill = command({ ...declared, id: 'plant.fill', http: [post('/api/plant/{name}/actions/fill')] })
const live = query({ ...declared, id: 'plant.live', http: [get('/api/live')], live: true })
const stop = command({ ...declared, id: 'plant.stop', http: [del('/api/live')] })
const plant = {
  name: 'plant',
  version: '1.0.0',
  operations: [read, list, fill, live, stop],
  slice: {
    version: 1,
    collections: [tanks],
    reductions: [on(filled, () => {})],
    endings: [{ event: ended, owner: { id: 'tank' }, idOf: () => undefined }],
  },
  events: [sent, { ...filled, title: 'The first declaration counts' }],
  extensions: [
    { point: 'plant.point', value: 1 },
    { point: 'plant.point', value: 2 },
  ],
  problems,
  docs: [page],
  wireRoutes: [wire],
}

test('what a plugin has is found by its name, with the plugin that it is of', () => {
  const registry = new Registry()
  registry.add(plant)
  registry.add({ name: 'other', version: '1.0.0', extensions: [{ point: 'plant.point', value: 3 }] })
  assert.deepEqual(
    registry.plugins.map(({ name }) => name),
    ['plant', 'other'],
  )
  assert.deepEqual(registry.operations, plant.operations)
  assert.equal(registry.operation('plant.get'), read)
  assert.equal(registry.operation('plant.none'), undefined)
  assert.equal(registry.pluginOf(read), 'plant')
  assert.equal(registry.pluginOf({ ...read }), 'core')
  assert.deepEqual(
    registry.routes.map(({ method, path, mode, operation, plugin }) => [
      `${method} ${path}`,
      mode,
      operation.id,
      plugin,
    ]),
    [
      ['GET /api/plant/{tank}', 'sync', 'plant.get', 'plant'],
      ['GET /api/plant/{tank}/async', 'async', 'plant.get', 'plant'],
      ['GET /api/plant', 'sync', 'plant.list', 'plant'],
      ['POST /api/plant/{name}/actions/fill', 'sync', 'plant.fill', 'plant'],
      ['GET /api/live', 'sync', 'plant.live', 'plant'],
      ['DELETE /api/live', 'sync', 'plant.stop', 'plant'],
    ],
  )
  assert.deepEqual(registry.wireRoutes, [{ ...wire, plugin: 'plant' }])
  assert.deepEqual(registry.docs, [{ ...page, plugin: 'plant' }])
  assert.deepEqual(
    registry.events.map(({ type, title }) => [type, title]),
    [
      ['plant.sent', 'Something was sent'],
      ['plant.filled', 'The first declaration counts'],
      ['plant.ended', 'A tank is gone'],
    ],
  )
  assert.deepEqual(registry.extensions({ id: 'plant.point' } as never), [1, 2, 3])
  assert.deepEqual(registry.extensions({ id: 'plant.none' } as never), [])
  assert.deepEqual(Object.fromEntries(registry.problems), { ...coreProblems, ...problems })
})

test('a command changes what is read at its address or above it', () => {
  const registry = new Registry()
  registry.add(plant)
  assert.deepEqual(registry.targetOf(fill), { query: read, path: '/api/plant/{tank}', parameters: [['tank', 'name']] })
  assert.deepEqual(
    [read, list, live].map((one) => registry.isTarget(one)),
    [true, false, false],
  )
  assert.equal(registry.targetOf(stop), undefined, 'what is only now so is no object')
  // A plugin that comes later can have what is read.
  const tagged = query({ ...declared, id: 'later.live', http: [get('/api/later/{x}')], live: true, tagged: true })
  const change = command({ ...declared, id: 'later.change', http: [post('/api/elsewhere')], changes: '/api/later/{y}' })
  registry.add({ name: 'later', version: '1.0.0', operations: [change, tagged] })
  assert.deepEqual(registry.targetOf(change), { query: tagged, path: '/api/later/{x}', parameters: [['x', 'y']] })
  assert.equal(registry.isTarget(tagged), true)
})

test('a plugin that takes what another has is refused, and nothing of it is kept', () => {
  const registry = new Registry()
  registry.add(plant)
  const own = { ...fill, id: 'b.fill', http: [post('/api/b')] }
  const refused: [plugin: object, message: string][] = [
    [{ name: 'plant' }, 'a plugin "plant" is loaded already'],
    [{ name: 'Plant' }, '"Plant" is not a plugin name (lower-case words with hyphens)'],
    [{ name: 'a--b' }, '"a--b" is not a plugin name (lower-case words with hyphens)'],
    [{ operations: [{ ...own, id: 'fill' }] }, '"fill" is not an operation id (plugin.verb-noun)'],
    [{ operations: [{ ...own, id: 'plant.fill' }] }, 'operation "plant.fill" exists already'],
    [{ operations: [own, { ...own, http: [] }] }, 'operation "b.fill" exists already'],
    [{ operations: [{ ...own, access: 'root' }] }, 'operation "b.fill": "root" is no access level'],
    [
      { operations: [own, { ...own, id: 'b.get', http: [get('/api/plant/{other}')] }] },
      'route GET /api/plant/{other} of "b.get" is taken by "plant.get"',
    ],
    [{ operations: [own, { ...own, id: 'b.more' }] }, 'route POST /api/b of "b.more" is taken'],
    [{ operations: [{ ...own, http: [get('/b')] }] }, 'route /b of "b.fill" must start with /api/ or /mcp/'],
    [{ problems: { conflict: problems.plant_full } }, 'problem code "conflict" exists already'],
    [{ problems }, 'problem code "plant_full" exists already'],
  ]
  for (const [plugin, message] of refused)
    assert.throws(() => registry.add({ name: 'b', version: '1.0.0', ...plugin }), { message })
  assert.deepEqual([registry.plugins.length, registry.operations.length, registry.routes.length], [1, 5, 6])
  registry.add({ name: 'b', version: '1.0.0', operations: [{ ...own, http: [del('/api/plant/{tank}')] }] })
})
