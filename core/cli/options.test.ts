import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/folder.ts'
import { builtInPlugins, packageDir } from '../boot/running-code.ts'
import { defaultDataDir, perUserDataDir, readDataDir, readServeRun } from './options.ts'
import { announce, findConnection, readRunning } from './running-gateway.ts'

test('the command line comes before the environment, and the environment before the default', () => {
  const env = {
    GANTRY_HOST: '0.0.0.0',
    GANTRY_PORT: '9100',
    GANTRY_DATA_DIR: 'here',
    GANTRY_DURABILITY: 'os',
    GANTRY_API_KEY: '',
  }
  const run = readServeRun({ port: '0', logLevel: 'warn' }, env)
  assert.deepEqual(
    [run.host, run.port, run.dataDir, run.durability, run.logLevel, run.apiKey, run.withoutInstance],
    ['0.0.0.0', 0, resolve('here'), 'os', 'warn', undefined, false],
  )
  const plain = readServeRun({}, {})
  assert.deepEqual([plain.host, plain.port, plain.durability, plain.logLevel], ['127.0.0.1', 9000, 'fsync', 'info'])
  assert.deepEqual([plain.pluginDirs, plain.workspace], [[builtInPlugins], []])
  assert.equal(readServeRun({ instance: false }, {}).withoutInstance, true)
  assert.equal(readServeRun({}, { GANTRY_NO_INSTANCE: '1' }).withoutInstance, true)
})

test('directories are lists: repeated on the command line, a path list in the environment', () => {
  const env = { GANTRY_WORKSPACE: ['a', 'b'].join(delimiter), GANTRY_PLUGINS_DIR: 'p' }
  assert.deepEqual(readServeRun({}, env).workspace, [resolve('a'), resolve('b')])
  assert.deepEqual(readServeRun({ workspace: ['c'] }, env).workspace, [resolve('c')])
  assert.deepEqual(readServeRun({}, env).pluginDirs, [builtInPlugins, resolve('p')])
})

test('data lies in ./data in the package folder, elsewhere where the system keeps users data', () => {
  assert.equal(defaultDataDir(packageDir), join(packageDir, 'data'))
  assert.match(defaultDataDir(tmpdir()), /gantry$/i)
  assert.equal(readDataDir({ dataDir: 'x' }, { GANTRY_DATA_DIR: 'y' }), resolve('x'))
})

test('a gateway is found as long as its process lives', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-run-')
  const raw = { dataDir: dir }
  assert.throws(() => findConnection(raw, {}), /No gateway runs on/)
  const withdraw = announce(dir, { url: 'http://127.0.0.1:1234', pid: process.pid, version: '0', startedAt: '' })
  assert.throws(() => findConnection(raw, {}), /There is no API key in/)
  await writeFile(join(dir, 'api-key'), 'gty_a\n')
  assert.deepEqual(findConnection(raw, {}), { url: 'http://127.0.0.1:1234', key: 'gty_a' })
  assert.deepEqual(findConnection({ ...raw, url: 'https://host/', key: 'k' }, {}), { url: 'https://host', key: 'k' })
  assert.deepEqual(findConnection(raw, { GANTRY_URL: 'http://h:1', GANTRY_API_KEY: 'e' }), {
    url: 'http://h:1',
    key: 'e',
  })
  const file = join(dir, 'gateway.json')
  const content = JSON.parse(await readFile(file, 'utf8'))
  // Process ids do not go this high: no process has it.
  await writeFile(file, JSON.stringify({ ...content, pid: 2 ** 30 }))
  assert.equal(readRunning(dir), undefined)
  await writeFile(file, JSON.stringify(content))
  withdraw()
  assert.equal(readRunning(dir), undefined)
})

test('the data directory of a user, on each system and without its variables', () => {
  const of = (env: Record<string, string>, platform: NodeJS.Platform, home: string) =>
    perUserDataDir(env, platform, home)
  const home = 'C:\\Users\\anna'
  for (const [env, wanted] of [
    [{ LOCALAPPDATA: 'D:\\Local' }, 'D:\\Local\\Gantry'],
    [{ LOCALAPPDATA: '' }, 'C:\\Users\\anna\\AppData\\Local\\Gantry'],
    [{ LOCALAPPDATA: 'Local' }, 'C:\\Users\\anna\\AppData\\Local\\Gantry'],
    [{}, 'C:\\Users\\anna\\AppData\\Local\\Gantry'],
  ] as const)
    assert.equal(of({ ...env }, 'win32', home), wanted)
  assert.equal(of({}, 'darwin', '/Users/anna'), join('/Users/anna', 'Library', 'Application Support', 'Gantry'))
  assert.equal(
    of({ XDG_DATA_HOME: 'relative' }, 'linux', '/home/anna'),
    join('/home/anna', '.local', 'share', 'gantry'),
  )
})
