/**
 * What a plugin author does: an empty folder outside the repository, the package as `npm pack` makes it, and the
 * commands and code of the plugin guide as they stand.
 */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { repositoryPages } from '../core/docs/repository-pages.ts'
import { root } from './built.ts'
import { temporaryFolder } from './folder.ts'

const run = promisify(execFile)
/** The variables of this process, without those that would change what a child does. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$|NODE_TEST_CONTEXT$)/.test(name)),
)

const packed = await mkdtemp(join(tmpdir(), 'gantry-packed-'))
after(() => rm(packed, { recursive: true, force: true }))
await run('npm', ['pack', '--ignore-scripts', '--pack-destination', packed], { cwd: root, env })

/** A folder with the packed package in `node_modules`; the packages that it needs are the repository's. */
async function emptySite(t: TestContext) {
  const site = await temporaryFolder(t, 'gantry-site-')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await mkdir(join(site, 'node_modules'))
  await run('tar', ['-xf', join(packed, `gantry-${version}.tgz`)], { cwd: site })
  await run('mv', ['package', 'node_modules/gantry'], { cwd: site })
  await symlink(join(root, 'node_modules'), join(site, 'node_modules/gantry/node_modules'), 'junction')
  const launcher = join(site, 'node_modules/gantry/core/cli/gantry.mjs')
  const gantry = (...args: string[]) =>
    run(process.execPath, [launcher, ...args], { cwd: site, env }).then(
      ({ stdout }) => ({ code: 0, output: stdout }),
      (error) => ({ code: error.code as number, output: `${error.stdout}${error.stderr}` }),
    )
  return { site, launcher, gantry }
}

test('plugin new, check and its test work with the packed package; check names every fault', async (t) => {
  const { site, gantry } = await emptySite(t)
  for (const flags of [[], ['--js']]) {
    const name = flags.length === 0 ? 'pump' : 'pump-js'
    const made = await gantry('plugin', 'new', name, ...flags)
    assert.equal(made.code, 0, made.output)
    const again = await gantry('plugin', 'new', name)
    assert.equal(again.code, 2)
    assert.match(again.output, /exists already/)
    const tested = await run(process.execPath, ['--test', `plugins/${name}/index.test.mjs`], { cwd: site, env })
    assert.match(tested.stdout, /pass 1/)
  }
  const checked = await gantry('plugin', 'check', 'plugins/pump', 'plugins/pump-js')
  assert.equal(checked.code, 0, checked.output)
  assert.match(checked.output, /command pump-js\.add: POST \/api\/plugins\/pump-js/)
  await mkdir(join(site, 'plugins/bad'))
  await writeFile(
    join(site, 'plugins/bad/index.js'),
    "export default { name: 'bad', version: '1.0.0', operations: [{ kind: 'query', id: 'bad.get' }], sclice: {} }",
  )
  for (const { file } of repositoryPages)
    assert.ok((await stat(join(site, 'node_modules/gantry/dist', file))).isFile(), `${file} is in the package`)
  // The guide, as it stands.
  const guide = await readFile(join(site, 'node_modules/gantry/dist/plugins/system/docs/plugin-guide.md'), 'utf8')
  const [plugin = '', , check = ''] = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  await mkdir(join(site, 'bookmarks'))
  await writeFile(join(site, 'bookmarks/index.ts'), plugin)
  assert.equal((await gantry('plugin', 'check', 'bookmarks')).code, 0)
  await writeFile(join(site, 'check.mjs'), check)
  await run(process.execPath, ['check.mjs'], { cwd: site, env })
  const bad = await gantry('plugin', 'check', 'plugins/bad')
  assert.equal(bad.code, 1)
  assert.match(bad.output, /title is missing.*mcp is missing.*sclice is not known \(did you mean "slice"\?\)/)
  assert.equal((await gantry('plugin', 'check', 'nowhere')).code, 2)
})

test('a rule, a format, a view and a driver are begun by a command; an uploader and a generator by the guide', async (t) => {
  const { site, gantry } = await emptySite(t)
  const kinds = ['rule', 'format', 'view', 'driver']
  for (const kind of kinds) {
    const made = await gantry('plugin', 'new', `plant-${kind}`, '--kind', kind)
    assert.equal(made.code, 0, made.output)
    const tested = await run(process.execPath, ['--test', `plugins/plant-${kind}/index.test.mjs`], { cwd: site, env })
    assert.match(tested.stdout, /pass [1-9][\s\S]*fail 0/)
  }
  const guide = await readFile(join(site, 'node_modules/gantry/dist/plugins/system/docs/plugin-guide.md'), 'utf8')
  const codes = [...guide.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code]) => code!)
  const names = ['plant-notes', 'block-set']
  for (const name of names) {
    await mkdir(join(site, 'plugins', name))
    const code = codes.find((one) => one.includes(`name: '${name}'`))
    await writeFile(join(site, 'plugins', name, 'index.mjs'), code!)
  }
  const folders = [...kinds.map((kind) => `plant-${kind}`), ...names].map((name) => `plugins/${name}`)
  const checked = await gantry('plugin', 'check', ...folders)
  assert.equal(checked.code, 0, checked.output)
  const source = (name: string) => `FUNCTION "${name}" : Void\nBEGIN\nEND_FUNCTION\n`
  const check = `
    import assert from 'node:assert/strict'
    import { openTestGateway } from 'gantry/testing'
    const plugins = ${JSON.stringify(folders)}.map((path) => new URL('./' + path, import.meta.url))
    const gantry = await openTestGateway({ plugins })
    const file = { fileName: 'a.txt', content: 'one\\ntwo\\n' }
    assert.deepEqual(await gantry.call('plant-notes.count', { file }), { fileName: 'a.txt', lines: 2 })
    await gantry.call('projects.create', { name: 'Plant' })
    await gantry.call('devices.add', { orderNumber: '6ES7 515-2AM02-0AB0', name: 'PLC_1' })
    const sources = ${JSON.stringify([source('A'), source('B')])}
    const made = await gantry.call('block-set.import', { deviceName: 'PLC_1', sources })
    assert.deepEqual(made, { imported: 2, blocks: 2 })
    await gantry.close()`
  await writeFile(join(site, 'check.mjs'), check)
  await run(process.execPath, ['check.mjs'], { cwd: site, env })
})

test('serve --watch starts again when a plugin changes, and ends with its signal', async (t) => {
  const { site, launcher, gantry } = await emptySite(t)
  await gantry('plugin', 'new', 'pump', '--js')
  const args = ['serve', '--watch', '--plugins-dir', 'plugins', '--data-dir', 'data', '--port', '0', '--no-instance']
  const child = spawn(process.execPath, [launcher, ...args], { cwd: site, env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  const shown = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(output)
        if (found) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.once('exit', () => reject(new Error(output)))
      look()
    })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await shown(/data directory/)
  const file = join(site, 'plugins/pump/index.js')
  await writeFile(file, (await readFile(file, 'utf8')).replace("'/api/plugins/pump')],", "'/api/plugins/pumps')],"))
  await shown(/a plugin has changed/)
  const [, url] = await shown(/starts again\.\n(?:.*\n)*?Gantry \S+ at (\S+)/)
  const key = (await readFile(join(site, 'data/api-key'), 'utf8')).trim()
  const answer = await fetch(`${url}/api/plugins/pumps`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"text":"x"}',
  })
  assert.equal(answer.status, 200)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  await assert.rejects(fetch(url!))
})
