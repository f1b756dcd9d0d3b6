/** `dist/`: how the build makes it, and that all of a gateway runs from it. */
// In a process of its own: it has TypeScript loaded into its process.
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { builtModule, launcher, root, serve } from '../../test/built.ts'
import { temporaryFolder } from '../../test/folder.ts'

const run = promisify(execFile)
const buildScript = join(root, 'scripts/build.mjs')

async function makeFolder(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await temporaryFolder(t, 'gantry-dist-')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

test('the build makes what changed, copies what the code reads and removes what has no source', async (t) => {
  const { compilerOptions, include, exclude } = JSON.parse(await readFile(join(root, 'tsconfig.build.json'), 'utf8'))
  const own = { ...compilerOptions, rootDir: '.', outDir: 'dist', module: 'NodeNext', target: 'ES2022', types: [] }
  const dir = await makeFolder(t, {
    'package.json': '{ "type": "module" }',
    'tsconfig.build.json': JSON.stringify({ compilerOptions: own, include, exclude }),
    'core/a.ts':
      "import { two } from './deep/two.ts'\nexport const lazy = () => import('./deep/two.ts')\nconsole.log(two)\n",
    'core/a.test.ts': 'export {}\n',
    'core/deep/two.ts': 'export const two: number = 2\n',
    'core/deep/facts.tsv': 'a\tb\n',
    'core/fixtures/data.tsv': 'a\tb\n',
    'core/old/gone.ts': 'export {}\n',
    'core/old/gone.md': '',
  })
  const build = () =>
    run(process.execPath, [buildScript], { cwd: dir }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    )
  const read = (path: string) => readFile(join(dir, 'dist', path), 'utf8')
  assert.equal(await build(), '')
  assert.equal(execFileSync(process.execPath, [join(dir, 'dist/core/a.js')], { encoding: 'utf8' }), '2\n')
  assert.match(await read('core/a.js'), /import\('\.\/deep\/two\.js'\)/)
  assert.equal(await read('core/deep/facts.tsv'), 'a\tb\n')
  assert(!existsSync(join(dir, 'dist/core/a.test.js')))
  assert(!existsSync(join(dir, 'dist/core/fixtures')))
  assert(existsSync(join(dir, 'dist/core/old/gone.js')))

  const [version, { mtimeMs }] = [await read('code-version'), await stat(join(dir, 'dist/core/a.js'))]
  assert.equal(await build(), '')
  assert.equal(await read('code-version'), version)
  assert.equal((await stat(join(dir, 'dist/core/a.js'))).mtimeMs, mtimeMs, 'nothing changed, so nothing is written')

  await rm(join(dir, 'core/old'), { recursive: true })
  await rm(join(dir, 'core/deep/facts.tsv'))
  await writeFile(join(dir, 'core/deep/two.ts'), 'export const two: number = 3\n')
  assert.equal(await build(), '')
  assert(!existsSync(join(dir, 'dist/core/old')), 'a deleted source takes its output with it')
  assert(!existsSync(join(dir, 'dist/core/deep/facts.tsv')))
  assert.notEqual(await read('code-version'), version)

  await mkdir(join(dir, 'plugins/faulty'), { recursive: true })
  await writeFile(join(dir, 'plugins/faulty/index.ts'), 'export default {\n  name: = 3\n}\n')
  await writeFile(join(dir, 'core/deep/two.ts'), 'export const two: number = 4\n')
  assert.match(await build(), /plugins\/faulty\/index\.ts\(2,9\): error TS1109/)
  assert.match(await read('core/deep/two.js'), /two = 4/, 'a faulty plugin keeps nothing else from being built')
})

test('engine, virtual controllers and replay run from dist/', async (t) => {
  const dir = await makeFolder(t, {})
  const api = await serve(t, [launcher], join(dir, 'data'))
  const content = await readFile(join(root, 'examples/tank.scl'), 'utf8')
  await api('POST', 'projects/actions/create-sync', { name: 'First' })
  await api('POST', 'projects/actions/simulation-support', {})
  const device = { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' }
  const { ipAddress } = await api('POST', 'projects/devices/actions/add-sync', device)
  const imported = await api('POST', 'devices/PLC_1/external-sources/import-and-generate', { content })
  assert.equal(imported.compileStatus, 'success', JSON.stringify(imported))
  await api('POST', 'simulation/instances/create', { name: 'sim', cpuType: '1515', ipAddress })
  const started = await api('POST', 'simulation/start', { instanceName: 'sim', deviceName: 'PLC_1' })
  assert.equal(started.state, 'Run', JSON.stringify(started))
  const replayed = await api('POST', 'audit/actions/replay-sync', { session: 1 })
  assert.equal(replayed.differenceCount, 0, JSON.stringify(replayed))
  const { plugins } = await api<{ plugins: { loaded: { folder: string }[]; skipped: object[] } }>(
    'GET',
    'health/diagnostics',
  )
  assert.deepEqual(plugins.skipped, [])
  for (const { folder } of plugins.loaded) assert(folder.startsWith(join(root, 'dist/plugins')), folder)
})

test('what fails in a thread names the line of the source', async () => {
  const built: typeof import('./running-code.ts') = await import(builtModule('core/boot/running-code.ts').href)
  // It needs settings and gets none.
  const thread = built.startThread(builtModule('core/engine/worker.ts'), {})
  const [error] = (await once(thread, 'error').catch((failure: unknown) => [failure])) as [Error]
  assert.match(error.stack!, /[\\/]core[\\/]engine[\\/]worker\.ts:\d+/)
  assert.doesNotMatch(error.stack!, /worker\.js/)
})

test('the package holds what runs and the types of plugins, and no tests', async (t) => {
  execFileSync(process.execPath, [buildScript, '--types'], { cwd: root, stdio: 'inherit' })
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await run('npm', pack, { cwd: root, shell: process.platform === 'win32' })
  const paths = (JSON.parse(stdout) as { files: { path: string }[] }[])[0]!.files.map(({ path }) => path)
  for (const path of [
    'core/cli/gantry.mjs',
    'dist/code-version',
    'dist/core/index.d.ts',
    'dist/plugins/system/index.js',
  ])
    assert(paths.includes(path), path)
  for (const path of paths) assert.doesNotMatch(path, /\.test\.|fixtures|tsbuildinfo|^dist\/[^/]+\/.*[^d]\.ts$/)

  const dir = await makeFolder(t, {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        module: 'NodeNext',
        skipLibCheck: true,
        types: [],
      },
    }),
    'notes/index.ts': /```ts\n([\s\S]*?)```/.exec(await readFile(join(root, 'README.md'), 'utf8'))![1]!,
    'notes.ts': `import { openTestGateway } from 'gantry/testing'
const gantry = await openTestGateway({ plugins: [new URL('./notes', import.meta.url)] })
const { id } = await gantry.call<{ id: string }>('notes.write', { text: 'Hello' })
console.log(typeof id, (await (await gantry.restart()).call('notes.list')).total)
await gantry.close()
`,
  })
  await mkdir(join(dir, 'node_modules'))
  await symlink(root, join(dir, 'node_modules/gantry'), 'junction')
  const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']
  const check = () => run(process.execPath, tsc, { cwd: dir }).catch((error: { stdout: string }) => error)
  assert.equal((await check()).stdout, '')
  const js = (await readFile(join(dir, 'notes.ts'), 'utf8')).replace('<{ id: string }>', '')
  await writeFile(join(dir, 'notes.mjs'), js)
  assert.equal((await run(process.execPath, ['notes.mjs'], { cwd: dir })).stdout, 'string 1\n')
  await writeFile(
    join(dir, 'wrong.ts'),
    "import { openTestGateway } from 'gantry/testing'\nopenTestGateway({ plugin: 1 })\n",
  )
  assert.match((await check()).stdout, /wrong\.ts\(2,19\)/)
})
