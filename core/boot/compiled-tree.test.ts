import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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
    "import { answer } from '../index.ts'\nimport { readFileSync } from 'node:fs'\nimport { two } from '../../core/two'\nimport five from './five'\nexport default [answer, readFileSync(new URL('./a.txt', import.meta.url), 'utf8'), two, five]\n",
  'plugins/a/a.txt': 'text',
  'plugins/a/five/index.ts': 'enum Numbers { five = 5 }\nexport default Numbers.five\n',
  'plugins/a/five/index.js': 'export default 6\n',
  'plugins/plain/index.js': "import { answer } from '../index.ts'\nexport default answer\n",
  'plugins/package/index.ts': 'export default 1\n',
  'plugins/package/package.json': '{}',
  'plugins/packages/index.ts': 'export default 1\n',
  'plugins/packages/node_modules/five/package.json': '{ "name": "five", "type": "module", "main": "five.js" }',
  'plugins/packages/node_modules/five/five.js': 'export default 5\n',
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

test('the tree runs as the sources do, with its data files', async (t) => {
  const { from, to, load } = await makePackage(t)
  assert.equal(await compiledTree(from, to), to)
  assert.deepEqual((await load('plugins/a/index.mjs')).default, [42, 'text', 2, 5])
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

/** Arguments of Node that bring the tree up to date in a process of its own. */
function startArguments(from: string, to: string): string[] {
  const [module, ...places] = [new URL('./compiled-tree.mjs', import.meta.url).href, from, to].map((text) =>
    JSON.stringify(text),
  )
  const code = `process.stdout.write(String(await (await import(${module})).compiledTree(${places.join(', ')})))`
  return ['--input-type=module', '--eval', code]
}

test('starts at once make one whole tree', async (t) => {
  const { from, to, load } = await makePackage(t)
  const starts = Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, startArguments(from, to)))
  for (const { stdout } of await Promise.all(starts)) assert.equal(stdout, to)
  assert.equal((await load('core/index.js')).answer, 42)
  assert.deepEqual(await readdir(join(to, '.drafts')), [])
})

test('a start that is killed while it compiles leaves nothing that the next one would take for whole', async (t) => {
  const { from, to, write, load } = await makePackage(t)
  for (let n = 0; n < 200; n += 1) await write(`store/${n}.ts`, `export const n: number = ${n}\n`)
  const child = spawn(process.execPath, startArguments(from, to), { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  while (child.exitCode === null && !(await isThere(join(to, 'store/0.js'))))
    await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  await ended
  await compiledTree(from, to)
  for (const n of [0, 99, 199]) assert.equal((await load(`store/${n}.js`)).n, n)
})

test('what is a package of its own is left where it stands', async (t) => {
  const { from, to } = await makePackage(t)
  await mkdir(join(from, 'elsewhere'))
  await writeFile(join(from, 'elsewhere/index.ts'), 'export default 1\n')
  await symlink(join(from, 'elsewhere'), join(from, 'plugins/linked'))
  await symlink('a.txt', join(from, 'plugins/a/link.txt'))
  await symlink('..', join(from, 'plugins/a/loop'))
  assert.equal(await compiledTree(from, to), to)
  for (const name of ['package', 'packages', 'linked'])
    assert.equal(await isThere(join(to, 'plugins', name)), false, name)
  assert.equal(await readFile(join(to, 'plugins/a/link.txt'), 'utf8'), 'text')
})

test('a plugin that becomes a package leaves no copy behind', async (t) => {
  const { from, to, write } = await makePackage(t)
  await compiledTree(from, to)
  await write('plugins/a/package.json', '{}')
  await rm(join(to, 'stamp.json'))
  await compiledTree(from, to)
  assert.equal(await isThere(join(to, 'plugins/a')), false)
  assert.equal(await isThere(join(to, 'plugins/plain/index.js')), true)
})

test('a source that changes its text but neither time nor size is compiled again', async (t) => {
  const { from, to, write, load } = await makePackage(t)
  const npmTime = new Date('1985-10-26T08:15:00Z')
  const put = async (text: string) => {
    await write('core/two.ts', text)
    await utimes(join(from, 'core/two.ts'), npmTime, npmTime)
  }
  await put('export const two: number = 2\n')
  await compiledTree(from, to)
  await put('export const two: number = 3\n')
  await compiledTree(from, to)
  assert.equal((await load('core/index.js')).answer, 63)
})

test('the version of the code follows the code alone', async (t) => {
  const { from, to, write } = await makePackage(t)
  const versionNow = async () => {
    await compiledTree(from, to)
    return readFile(join(to, 'code-version'), 'utf8')
  }
  const first = await versionNow()
  await write('plugins/a/a.txt', 'another text')
  assert.equal(await versionNow(), first)
  await write('core/two.ts', 'export const two: number = 3\n')
  const second = await versionNow()
  assert.notEqual(second, first)
  await write('core/two.ts', files['core/two.ts'])
  await rm(join(to, 'stamp.json'))
  assert.equal(await versionNow(), first)
})

test('a source that only looks new is not compiled again', async (t) => {
  const { from, to, write } = await makePackage(t)
  await compiledTree(from, to)
  const old = new Date(1e12)
  await utimes(join(to, 'core/two.js'), old, old)
  await write('core/two.ts', files['core/two.ts'])
  await utimes(join(from, 'core/two.ts'), old, new Date(2e12))
  assert.equal(await compiledTree(from, to), to)
  assert.equal((await stat(join(to, 'core/two.js'))).mtimeMs, 1e12)
})

test('a damaged tree is mended', async (t) => {
  const { from, to, load } = await makePackage(t)
  const path = (name: string) => join(to, name)
  const damages: (() => Promise<unknown>)[] = [
    () => writeFile(path('core/two.js'), ''),
    () => rm(path('core'), { recursive: true }),
    () => writeFile(path('stamp.json'), '{'),
    () => writeFile(path('stamp.json'), '{ "format": 2 }'),
    () => writeFile(path('stamp.json'), 'null'),
    () => rm(path('core/index.js')).then(() => mkdir(path('core/index.js/x'), { recursive: true })),
    () => rm(path('plugins/a/a.txt')).then(() => mkdir(path('plugins/a/a.txt/x'), { recursive: true })),
    () => rm(path('core'), { recursive: true }).then(() => writeFile(path('core'), 'a file')),
    () => rm(to, { recursive: true }).then(() => writeFile(to, 'a file')),
  ]
  await compiledTree(from, to)
  for (const [n, damage] of damages.entries()) {
    await damage()
    assert.equal(await compiledTree(from, to), to, `damage ${n}`)
    assert.equal((await load('core/index.js')).answer, 42, `damage ${n}`)
    assert.equal((await load('plugins/a/index.mjs')).default[1], 'text', `damage ${n}`)
  }
})

test('a copy of the folder elsewhere makes its own tree', async (t) => {
  const { from, to } = await makePackage(t)
  await compiledTree(from, to)
  const copy = await mkdtemp(join(tmpdir(), 'gantry-copy-'))
  t.after(() => rm(copy, { recursive: true, force: true }))
  await cp(from, copy, { recursive: true, preserveTimestamps: true })
  const copiedTree = join(copy, 'node_modules/.cache/gantry')
  await compiledTree(copy, copiedTree)
  const map = Buffer.from((await readFile(join(copiedTree, 'core/two.js'), 'utf8')).split('base64,')[1]!, 'base64')
  assert.deepEqual(JSON.parse(map.toString()).sources, [pathToFileURL(join(copy, 'core/two.ts')).href])
})

test('where nothing can be written there is no tree', async (t) => {
  const { from } = await makePackage(t)
  assert.equal(await compiledTree(from, join(from, 'package.json', 'cache')), undefined)
})
