/** The floor plan of the engine (README.md): which room loads which, and that none is in a circle. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { filesBelow, type Import, importsOf, repositoryRoot } from '../test/imports.ts'

/** Each room, and each file beside the rooms, with those it loads, from the lowest on. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  boot: [],
  contract: [],
  access: ['contract'],
  files: ['contract'],
  engine: ['boot', 'files'],
  input: ['contract', 'access'],
  log: ['contract', 'access'],
  plugins: ['boot', 'contract'],
  state: ['contract', 'log'],
  calls: ['contract', 'files', 'input', 'log'],
  http: ['contract', 'input', 'calls'],
  docs: ['contract', 'input', 'calls', 'http'],
  mcp: ['boot', 'contract', 'input', 'log', 'http'],
  toolbox: ['contract', 'docs', 'mcp'],
  process: ['boot', 'contract', 'engine', 'log'],
  audit: ['contract', 'access', 'input', 'log', 'plugins', 'state', 'calls'],
  undo: ['contract', 'access', 'log', 'audit'],
  'plugin-api': ['boot', 'contract', 'access', 'input'],
  index: ['plugin-api'],
  jobs: ['contract', 'access', 'engine', 'input', 'log', 'state', 'calls', 'undo'],
  gateway: ['contract', 'access', 'files', 'input', 'log', 'plugins', 'state', 'calls', 'process', 'audit', 'jobs'],
  recovery: ['boot', 'contract', 'access', 'log', 'plugins', 'state', 'audit', 'gateway'],
  services: ['boot', 'contract', 'access', 'files', 'engine', 'input', 'log', 'audit', 'undo', 'jobs', 'recovery'],
  cli: [
    'boot',
    'contract',
    'access',
    'files',
    'input',
    'log',
    'plugins',
    'state',
    'http',
    'docs',
    'mcp',
    'process',
    'jobs',
    'gateway',
    'recovery',
  ],
}

/** Types and late imports that go up, each with its reason. */
const upward: Readonly<Record<string, string>> = {
  'contract > engine': '`ctx.engine` runs a task of the instance',
  'contract > log': 'the bus tells of jobs in memory',
  'http > docs': 'the manual is loaded with its first reader',
  'http > gateway': 'an adapter serves a gateway',
  'http > jobs': 'an adapter serves a gateway',
  'index > cli': 'a plugin can add commands to the command line',
  'index > gateway': 'plugins get the gateway that loads them',
  'log > calls': 'a job in memory has the context that it runs with',
  'mcp > gateway': 'an adapter serves a gateway',
  'plugins > plugin-api': 'a plugin that is a function gets the API as its argument',
  'plugins > state': 'plugins add their rules to the state',
}

/** `jobs` of `core/jobs/lane.ts`, `gateway` of `core/gateway.ts`. */
const roomOf = (file: string) => file.replace(/^core\//, '').replace(/(\.ts$|\/.*)/, '')
const isTestCode = (file: string) => file.endsWith('.test.ts') || /^core\/(.*\/)?(testing|fixtures)\//.test(file)

const product = filesBelow('core').filter((file) => !isTestCode(file))

/** The rooms that each room imports, by some kinds of import. */
function arrows(...kinds: Import['kind'][]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const file of product) {
    const from = roomOf(file)
    const to = found.get(from) ?? new Set<string>()
    found.set(from, to)
    for (const { target, kind } of importsOf(file))
      if (target.startsWith('core/') && !isTestCode(target) && kinds.includes(kind) && roomOf(target) !== from)
        to.add(roomOf(target))
  }
  return found
}

test('a room loads only the rooms that its row in the table names, and the table names no others', () => {
  const found = arrows('value')
  assert.deepEqual([...found.keys()].sort(), Object.keys(rooms).sort())
  for (const [room, below] of Object.entries(rooms))
    assert.deepEqual([...found.get(room)!].sort(), [...below].sort(), room)
})

test('rooms stand above all rooms they load', () => {
  const order = Object.keys(rooms)
  for (const [room, below] of Object.entries(rooms))
    for (const one of below) assert.ok(order.indexOf(one) < order.indexOf(room), `${one} stands above ${room}`)
})

test('what goes up is a type or a late import, and listed with its reason', () => {
  const order = Object.keys(rooms)
  const up = [...arrows('type', 'lazy')].flatMap(([from, targets]) =>
    [...targets].filter((to) => order.indexOf(to) > order.indexOf(from)).map((to) => `${from} > ${to}`),
  )
  assert.deepEqual(up.sort(), Object.keys(upward).sort())
})

test('README.md has a row for each room', () => {
  const readme = readFileSync(join(repositoryRoot, 'core/README.md'), 'utf8')
  const folders = new Set(
    filesBelow('core')
      .filter((file) => file.split('/').length > 2)
      .map(roomOf),
  )
  folders.delete('fixtures')
  const rows = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room]) => room)
  assert.deepEqual([...folders].sort(), rows.sort())
})
