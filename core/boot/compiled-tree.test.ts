import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { compiledTree } from './compiled-tree.mjs'

/** A package of two modules, a plugin with a data file and packages of its own, and what must not be taken. */
const files = {
  'package.json': '{ "name": "p", "type": "module", "exports": { ".": "./core/index.ts" } }',
  'core/index.ts':
    "import { two } from './two.ts'\nexport const answer: number = two * 21\nexport const url = new URL('./two.ts', import.meta.url).href\n",
  'core/two.ts': 'export const two: number = 2\n',
  'core/two.test.ts': 'this is not compiled',
  'store/index.ts': 'export {}\n',
  'plugins/a/index.mts':
    "import { answer } from '../../core/index.ts'\nimport { readFileSync } from 'node:fs'\nimport five from 'five'\nexport default [answer, readFileSync(new URL('./a.txt', import.meta.url), 'utf8'), five]\n",
  'plugins/a/a.txt': 'text',
  'plugins/plain/index.js': "import { answer } from '../../core/index.ts'\nexport default answer\n",
  'plugins/a/node_modules/five/package.json': '{ "name": "five", "type": "module", "main": "five.js" }',
  'plugins/a/node_modules/five/five.js': 'export default 5\n',
}

async function makePackage(t: TestContext) {
  const from = await mkdtemp(join(tmpdir(), 'gantry-sources-'))
  t.after(() => rm(from, { recursive: true, force: true }))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(from, path)), { recursive: true })
    await writeFile(join(from, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  const to = join(from, 'node_modules/.cache/gantry')
  return { from, to, write, load: (path: string) => import(`${pathToFileURL(join(to, path)).href}?${Math.random()}`) }
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

test('the tree runs as the sources do, with its data files and packages', async (t) => {
  const { from, to, load } = await makePackage(t)
  assert.equal(await compiledTree(from, to), to)
  assert.deepEqual((await load('plugins/a/index.mjs')).default, [42, 'text', 5])
  assert.equal((await load('plugins/plain/index.js')).default, 42)
  assert.match((await load('core/index.js')).url, /core\/two\.js$/, 'names of modules in URLs too: workers and tasks')
  assert.equal(await isThere(join(to, 'core/two.test.js')), false)
  assert.match(await readFile(join(to, 'package.json'), 'utf8'), /"\.\/core\/index\.js"/)
})

test('only what has changed is compiled again, and what is gone goes', async (t) => {
  const { from, to, write, load } = await makePackage(t)
  await compiledTree(from, to)
  const old = new Date(1e12)
  for (const path of ['core/index.js', 'core/two.js', 'store/index.js']) await utimes(join(to, path), old, old)
  await write('core/two.ts', 'export const two: number = 2.5\n')
  await rm(join(from, 'store/index.ts'))
  await compiledTree(from, to)
  assert.equal((await load('core/index.js')).answer, 52.5)
  assert.equal((await stat(join(to, 'core/index.js'))).mtimeMs, 1e12, 'not written again')
  assert.notEqual((await stat(join(to, 'core/two.js'))).mtimeMs, 1e12)
  assert.equal(await isThere(join(to, 'store/index.js')), false)
  const stamp = (await stat(join(to, 'stamp.json'))).mtimeMs
  await compiledTree(from, to)
  assert.equal((await stat(join(to, 'stamp.json'))).mtimeMs, stamp, 'nothing to do, nothing written')
})

test('a source that cannot be compiled says where when it is loaded, and harms no other', async (t) => {
  const { from, to, write, load } = await makePackage(t)
  await write('plugins/b/index.ts', 'export default {\n  name: = 3\n}\n')
  await compiledTree(from, to)
  await assert.rejects(load('plugins/b/index.js'), /plugins\/b\/index\.ts:2:9: Unexpected "="/)
  assert.equal((await load('core/index.js')).answer, 42)
})

test('two starts at once make one whole tree', async (t) => {
  const { from, to, load } = await makePackage(t)
  assert.deepEqual(await Promise.all([compiledTree(from, to), compiledTree(from, to)]), [to, to])
  assert.equal((await load('core/index.js')).answer, 42)
})

test('where nothing can be written there is no tree', async (t) => {
  const { from } = await makePackage(t)
  assert.equal(await compiledTree(from, join(from, 'package.json', 'cache')), undefined)
})
