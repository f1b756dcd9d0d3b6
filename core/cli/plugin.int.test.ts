/** `gantry plugin`, `gantry serve --watch` and `gantry inspect` as a user runs them, with all that they say. */
// In a process of its own: it starts one process after another.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { commandLine } from '../../test/command-line.ts'
import { removeFolder } from '../../test/folder.ts'
import { assertRecorded } from '../../test/recorded.ts'
import { until } from '../../test/until.ts'
import { pluginApiVersion } from '../plugins/plugin-check.ts'
import { CliError } from './exit-codes.ts'
import { inspect } from './inspect.ts'
import { checkPlugins, newPlugin } from './plugin.ts'

const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GANTRY_|NODE_OPTIONS$)/.test(name)))

async function makeDir(t: TestContext): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'gantry-plugin-')))
  t.after(() => removeFolder(dir))
  return dir
}

/** Runs a command in a folder; what it says names that folder `<dir>`. */
function gantry(cwd: string, ...args: string[]): Promise<{ code: number; out: string; notes: string }> {
  const named = (text: string) => text.replaceAll(cwd, '<dir>')
  return new Promise((resolve) =>
    execFile(process.execPath, [...commandLine, ...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, out: named(stdout), notes: named(stderr) }),
    ),
  )
}

/** What a command throws, without a process of its own: it has not printed anything. */
async function fails(promise: Promise<void>, exitCode: number, message: string) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof CliError, String(error))
    assert.deepEqual([error.exitCode, error.message], [exitCode, message])
    return true
  })
}

test('a new plugin is a folder with its test, which the check loads', async (t) => {
  const dir = await makeDir(t)
  const made = await gantry(dir, 'plugin', 'new', 'pump')
  assert.deepEqual(made, {
    code: 0,
    out: [
      'made <dir>/plugins/pump: index.ts, index.test.mjs',
      'check it:  gantry plugin check <dir>/plugins/pump',
      'test it:   node --test <dir>/plugins/pump/index.test.mjs',
      'serve it:  gantry serve --plugins-dir <dir>/plugins --watch',
      '',
    ].join('\n'),
    notes: '',
  })
  assert.equal((await gantry(dir, 'plugin', 'new', 'pump-2', '--js', '--dir', 'more/own')).code, 0)
  const files: string[] = []
  for (const path of ['plugins/pump/index.ts', 'plugins/pump/index.test.mjs', 'more/own/pump-2/index.js'])
    files.push(`// ${path}\n${(await readFile(join(dir, path), 'utf8')).replaceAll(pluginApiVersion, '<api>')}`)
  assert.deepEqual(await readdir(join(dir, 'more/own/pump-2')), ['index.js', 'index.test.mjs'])
  assertRecorded(import.meta.url, 'new-plugin.txt', files.join('\n'))
  await fails(newPlugin('pump', { dir: join(dir, 'plugins') }), 2, `${dir}/plugins/pump exists already.`)
  for (const name of ['Pump', '2pump', 'pump-', 'a/b'])
    await fails(newPlugin(name, {}), 2, `"${name}" is not the name of a plugin: lower-case words with hyphens.`)
  const second = join(dir, 'more/own/pump-2/index.js')
  const text = await readFile(second, 'utf8')
  await writeFile(second, text.replace("http: [get('/api/plugins/pump-2')]", 'http: []'))
  const { code, out, notes } = await gantry(dir, 'plugin', 'check', 'plugins/pump', 'more/own/pump-2')
  assert.deepEqual([code, notes], [0, ''])
  const own = (name: string, list: string) => [
    `  command ${name}.add: POST /api/plugins/${name}`,
    `  query ${name}.list: ${list}`,
    `  event ${name}.added`,
  ]
  const [total, ...lines] = out.trimEnd().split('\n').reverse()
  assert.deepEqual(lines.reverse(), [
    'pump 0.1.0 (<dir>/plugins/pump) loads',
    ...own('pump', 'GET /api/plugins/pump'),
    'pump-2 0.1.0 (<dir>/more/own/pump-2) loads',
    ...own('pump-2', 'no route'),
  ])
  assert.match(total ?? '', /^\d{3,} operations in all$/)
})

test('the check says what is wrong with plugins', async (t) => {
  const dir = await makeDir(t)
  await mkdir(join(dir, 'bad'))
  await writeFile(join(dir, 'bad/index.js'), "export default { name: 'bad', version: '1.0.0', operations: 1 }")
  await fails(checkPlugins([join(dir, 'bad')]), 1, 'plugin "bad" is not loaded: operations must be a list, not 1')
  for (const path of ['nowhere', 'bad/index.js'])
    await fails(
      checkPlugins([join(dir, path)]),
      2,
      `${dir}/${path} is not a folder; a plugin is a folder with an index.ts or index.js.`,
    )
})

test('a gateway that watches starts again with each change of a plugin, also after it has ended', async (t) => {
  const dir = await makeDir(t)
  assert.deepEqual(await gantry(dir, 'serve', '--watch'), {
    code: 2,
    out: '',
    notes: 'gantry: --watch needs --plugins-dir: the directory whose plugins you work on.\n',
  })
  const nowhere = await gantry(dir, 'serve', '--watch', '--plugins-dir', 'nowhere')
  assert.deepEqual([nowhere.code, nowhere.out], [2, ''])
  assert.match(nowhere.notes, /^gantry: <dir>\/nowhere cannot be watched: ENOENT/)

  const plugin = join(dir, 'plugins/pump')
  await mkdir(plugin, { recursive: true })
  const write = (text: string) => writeFile(join(plugin, 'index.js'), text)
  const source = (title: string) => `export default ({ definePlugin, query, get }) => definePlugin({
    name: 'pump', version: '1.0.0', operations: [query({ id: 'pump.list', title: '${title}', input: (t) => t.Object({}),
    output: (t) => t.Object({}), http: [get('/api/pump')], mcp: false, access: 'public', run: () => ({ a: '${title}' }) })],
  })`
  await write(source('one'))
  const args = ['serve', '--watch', '--plugins-dir', 'plugins', '--data-dir', 'data', '--port', '0', '--no-instance']
  const child = spawn(process.execPath, [...commandLine, ...args], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
  const urls = () => [...told.matchAll(/Gantry \S+ at (\S+) /g)].map(([, url]) => url!)
  await until(() => urls().length === 1 && told.includes('gateway started'), 'it serves')
  // `--dev` comes with it: the answer does not fit the schema, which is checked.
  const answer = await fetch(`${urls()[0]}/api/pump`)
  assert.equal(answer.status, 500)
  /** The gateway of the last start answers so. */
  const answers = (text: string) =>
    until(async () => {
      const heard = await fetch(`${urls().at(-1)}/api/pump`).catch(() => undefined)
      return heard?.ok && ((await heard.json()) as { a?: string }).a === text
    }, `it answers ${text}`)
  await write(source('two').replace('t.Object({}), http', 't.Object({ a: t.String() }), http'))
  await answers('two')
  assert.ok(told.includes('gantry: a plugin has changed; the gateway starts again.\n'), told)
  // A gateway that ends by itself is started again with the next change only.
  await write('process.exit(3)')
  await until(() => told.includes('gantry: the gateway has ended; it starts again when a plugin changes.\n'), 'it ends')
  await write(source('three').replace('t.Object({}), http', 't.Object({ a: t.String() }), http'))
  await answers('three')
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
  await assert.rejects(fetch(`${urls().at(-1)}/api/pump`))
})

test('what cannot be inspected is told', async (t) => {
  const dir = await makeDir(t)
  const file = join(dir, 'text.zap19')
  await writeFile(file, 'no archive')
  await fails(inspect(join(dir, 'nowhere.zap19'), {}), 2, `${dir}/nowhere.zap19 is not a file.`)
  await fails(inspect(dir, {}), 2, `${dir} is not a file.`)
  for (const asOfSave of ['0', '1.5', 'last'])
    await fails(inspect(file, { asOfSave }), 2, '--as-of-save is the number of a save, from 1.')
  for (const compare of [file, join(dir, 'nowhere')])
    await fails(inspect(file, { compare }), 2, `${compare} is not a folder.`)
  await fails(
    inspect(file, { asOfSave: '1', compare: dir }),
    1,
    'The file is no zip archive, or it was cut off: its directory, the end of every zip, is missing.',
  )
})
