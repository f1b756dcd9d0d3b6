/** The floor plan of the repository (docs/architecture.md): who imports whom, and that no circle comes in. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { circles, filesBelow, importsOf, repositoryRoot } from './imports.ts'

/** What each top-level room imports of the repository. `plc/architecture.test.ts` has the rooms inside `plc/`. */
const rooms: Readonly<Record<string, readonly RegExp[]>> = {
  lib: [],
  store: [/^lib\//],
  core: [/^(lib|store)\//],
  plc: [/^lib\//],
  // Of core and of another plugin only the public surface.
  plugins: [/^(lib|plc)\//, /^core\/(index|services)\.ts$/, /^plugins\/[^/]+\/index\.ts$/],
}

/** Code that only tests run: it may import everything, and no product code imports it. */
function isTestCode(file: string): boolean {
  return file.endsWith('.test.ts') || /(^|\/)(test|testing|fixtures)\//.test(file) || file.startsWith('bench/')
}

const files = Object.keys(rooms).flatMap((room) => filesBelow(room))
const product = files.filter((file) => !isTestCode(file))

/** `plugins/tags` of `plugins/tags/store.ts`, `core` of `core/http/server.ts`. */
function houseOf(file: string): string {
  const [room = '', plugin = ''] = file.split('/')
  return room === 'plugins' ? `${room}/${plugin}` : room
}

const isOurs = (target: string) => target.endsWith('.ts') || target.endsWith('.mjs')

test('a room imports only what its row in the table names', () => {
  for (const file of product) {
    const allowed = rooms[file.split('/')[0] as string] ?? []
    for (const { target } of importsOf(file)) {
      if (!isOurs(target) || houseOf(target) === houseOf(file)) continue
      assert.ok(
        allowed.some((pattern) => pattern.test(target)),
        `${file} imports ${target}`,
      )
    }
  }
})

test('a test of a plugin imports no other plugin but by its index', () => {
  for (const file of files.filter((one) => isTestCode(one) && one.startsWith('plugins/')))
    for (const { target } of importsOf(file)) {
      if (!target.startsWith('plugins/') || houseOf(target) === houseOf(file)) continue
      assert.match(target, /^plugins\/[^/]+\/index\.ts$/, `${file} imports ${target}`)
    }
})

test('product code imports no test code', () => {
  // `gantry plugin check` opens the scratch gateway that plugin authors get as `gantry/testing`.
  const kit = (file: string, target: string) => file === 'core/cli/plugin.ts' && target === 'core/testing/index.ts'
  for (const file of product)
    for (const { target } of importsOf(file))
      assert.ok(!isTestCode(target) || kit(file, target), `${file} imports ${target}`)
})

test('no files import each other in a circle, be it for values, lazily or for types', () => {
  const pages = filesBelow('web').filter((file) => !isTestCode(file))
  assert.deepEqual([...circles(product), ...circles(pages)], [])
})

test('a product file has about 500 lines at most', () => {
  const long = product.flatMap((file) => {
    const lines = readFileSync(join(repositoryRoot, file), 'utf8').trimEnd().split('\n').length
    return lines > 530 ? [`${file}: ${lines}`] : []
  })
  assert.deepEqual(long, [])
})

test('comments fit into 120 columns', () => {
  for (const file of files) {
    const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n')
    const long = lines.findIndex((line) => /^\s*(?:\/\/|\/\*|\* )/.test(line) && [...line].length > 120)
    // Lists in the manual's Markdown begin with a star too.
    if (file.endsWith('docs.ts')) continue
    assert.equal(long, -1, `${file}:${long + 1}`)
  }
})

test('tests that share a process have no hook around a whole file and change no globals', () => {
  const tests = ['examples', 'scripts', 'test', 'web', ...Object.keys(rooms)].flatMap((room) => filesBelow(room))
  for (const file of tests.filter((one) => one.endsWith('.test.ts'))) {
    const text = readFileSync(join(repositoryRoot, file), 'utf8')
    if (/^\/\/ In a process of its own: /m.test(text)) continue
    const why = 'the tests of other files would run with it too (scripts/test.mjs)'
    assert.doesNotMatch(text, /^(?:before|after)(?:Each)?\(/m, `${file}: a hook: ${why}`)
    const change =
      /\b(?:process\.env\.\w+|globalThis\.\w+) = |delete process\.env|Object\.assign\(globalThis|process\.chdir\(/
    assert.doesNotMatch(text, change, `${file}: a global: ${why}`)
  }
})
