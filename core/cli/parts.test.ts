/** Parts of the command line that need no gateway: exit codes, the environment, and why a directory cannot be used. */
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { StoreError } from '../../store/errors.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { SecretFileError } from '../access/secrets.ts'
import { DataDirError } from '../files/data-dir.ts'
import { CliError, exitCodeOfStatus } from './exit-codes.ts'
import { dataDirectoryError } from './open-gateway.ts'
import { defaultDataDir, type RawOptions, readGatewayRun, readServeRun, unknownVariables } from './options.ts'
import { announce, findConnection, readRunning } from './running-gateway.ts'

function makeDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'gantry-parts-')
}

const failing = (run: () => unknown): [number, string] => {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof CliError, String(error))
    return [error.exitCode, error.message]
  }
  return assert.fail('it did not fail')
}

test('a status of HTTP becomes an exit code', () => {
  for (const [status, code, exitCode] of [
    [400, 'invalid_input', 2],
    [401, 'unauthorized', 4],
    [403, 'forbidden', 4],
    [404, 'not_found', 1],
    [404, 'route_not_found', 2],
    [405, undefined, 2],
    [409, 'conflict', 1],
    [415, undefined, 2],
    [500, undefined, 1],
  ] as const)
    assert.equal(exitCodeOfStatus(status, code), exitCode, `${status} ${code}`)
})

test('all settings of a run, from the command line and from the environment', () => {
  const plain = readServeRun({}, {})
  const { dataDir: _dataDir, pluginDirs: _pluginDirs, ...rest } = plain
  assert.deepEqual(rest, {
    workspace: [],
    durability: 'fsync',
    logLevel: 'info',
    withoutInstance: false,
    dev: false,
    newLog: false,
    holdJobs: false,
    blockedMs: 60_000,
    apiKey: undefined,
    host: '127.0.0.1',
    port: 9000,
  })
  const given: RawOptions = {
    ...{
      dataDir: 'd',
      pluginsDir: ['p', '', 'q'],
      workspace: ['w'],
      durability: 'os',
      logLevel: 'silent',
      noInstance: true,
    },
    ...{ dev: true, new: true, holdJobs: true, watchdog: '86400', host: '::', port: '65535' },
  }
  const { pluginDirs, ...run } = readServeRun(given, { GANTRY_API_KEY: 'a long key', GANTRY_PORT: '1' })
  assert.deepEqual(pluginDirs.slice(1), [resolve('p'), resolve('q')])
  assert.deepEqual(run, {
    dataDir: resolve('d'),
    workspace: [resolve('w')],
    durability: 'os',
    logLevel: 'silent',
    withoutInstance: true,
    dev: true,
    newLog: true,
    holdJobs: true,
    blockedMs: 86_400_000,
    apiKey: 'a long key',
    host: '::',
    port: 65_535,
  })
  for (const yes of ['1', 'true', 'YES']) {
    const { dev, withoutInstance } = readGatewayRun({}, { GANTRY_DEV: yes, GANTRY_NO_INSTANCE: yes })
    assert.deepEqual([dev, withoutInstance], [true, true], yes)
  }
  for (const no of ['', '0', 'no', 'yes please']) {
    const { dev, withoutInstance } = readGatewayRun({}, { GANTRY_DEV: no, GANTRY_NO_INSTANCE: no })
    assert.deepEqual([dev, withoutInstance], [false, false], no)
  }
  assert.equal(readGatewayRun({ watchdog: '0' }, {}).blockedMs, 0)
  for (const [raw, env, message] of [
    [{ port: '65536' }, {}, '--port must be a number from 0 to 65535, not "65536".'],
    [{ port: '-1' }, {}, '--port must be a number from 0 to 65535, not "-1".'],
    [{ watchdog: '86401' }, {}, '--watchdog must be a number from 0 to 86400, not "86401".'],
    [{}, { GANTRY_WATCHDOG: '1.5' }, 'GANTRY_WATCHDOG must be a number from 0 to 86400, not "1.5".'],
    [{ logLevel: 'loud' }, {}, '--log-level must be one of debug, info, warn, error, silent, not "loud".'],
    [{}, { GANTRY_DURABILITY: 'no' }, 'GANTRY_DURABILITY must be one of fsync, os, not "no".'],
    [{}, { GANTRY_API_KEY: ' seven77 ' }, 'GANTRY_API_KEY must have at least 8 characters.'],
  ] as const)
    assert.deepEqual(
      failing(() => readServeRun(raw, env)),
      [2, message],
    )
  assert.equal(readGatewayRun({}, { GANTRY_API_KEY: ' eight888\n' }).apiKey, 'eight888')
  assert.equal(readGatewayRun({}, { GANTRY_API_KEY: ' ' }).apiKey, undefined)
})

test('a variable that looks like one of Gantry and is none is told, with the one that may be meant', () => {
  const env = {
    GANTRY_PORT: '1',
    GANTRY_API_KEY: 'k',
    GANTRY_DIALOG_TITLE: 'given to a program',
    GANTRY_LIMITS_BODY_BYTES: '1',
    OTHER: '1',
    GANTRY_SOMETHING_ELSE_ENTIRELY: '1',
    GANTRY_PROT: '1',
    gantry_port: '1',
  }
  const note = (name: string, more = '') => `the variable ${name} is not known and has no effect${more}`
  assert.deepEqual(unknownVariables(env), [
    note('GANTRY_PROT', '; did you mean GANTRY_PORT?'),
    note('GANTRY_SOMETHING_ELSE_ENTIRELY'),
    note('gantry_port', '; did you mean GANTRY_PORT?'),
  ])
  assert.deepEqual(unknownVariables({}), [])
})

test('a running gateway is found by its file, if that is whole and its process lives', async (t) => {
  const dir = await makeDir(t)
  const gateway = { url: 'http://127.0.0.1:1/', pid: process.pid, version: '1.2.3', startedAt: 'then' }
  const withdraw = announce(dir, gateway)
  assert.deepEqual(readRunning(dir), gateway)
  const file = join(dir, 'gateway.json')
  for (const wrong of ['', '{', '{"url":"http://a"}', `{"pid":${process.pid}}`, `{"url":"http://a","pid":"1"}`]) {
    await writeFile(file, wrong)
    assert.equal(readRunning(dir), undefined, wrong)
  }
  // Another gateway has begun: its file stays.
  const parent = { ...gateway, pid: process.ppid }
  await writeFile(file, JSON.stringify(parent))
  withdraw()
  assert.deepEqual(readRunning(dir), parent)
  const at = (raw: RawOptions, env = {}) => findConnection({ dataDir: dir, ...raw }, env)
  assert.deepEqual(
    failing(() => at({})),
    [4, `There is no API key in ${dir}. Give one with GANTRY_API_KEY or --key.`],
  )
  await writeFile(join(dir, 'api-key'), ' \n')
  assert.equal(failing(() => at({}))[0], 4)
  assert.deepEqual(at({ key: 'k' }), { url: 'http://127.0.0.1:1', key: 'k' })
  assert.deepEqual(at({ url: 'https://h//' }, { GANTRY_URL: 'http://x', GANTRY_API_KEY: 'e' }), {
    url: 'https://h',
    key: 'e',
  })
  for (const url of ['ftp://h', 'h:1', 'http://'])
    assert.deepEqual(
      failing(() => at({ url, key: 'k' })),
      [2, `"${url}" is not an address like http://127.0.0.1:9000.`],
    )
  await rm(file)
  assert.deepEqual(
    failing(() => at({ key: 'k' }, { GANTRY_URL: '' })),
    [3, `No gateway runs on ${dir}. Start one with "gantry serve", or say where it is with --url or GANTRY_URL.`],
  )
})

test('why a data directory cannot be used is told with what can be done', async (t) => {
  const dir = await makeDir(t)
  const told = (error: unknown): unknown => {
    const found = dataDirectoryError(error, dir)
    if (!(found instanceof CliError)) return found
    assert.deepEqual([found.exitCode, found.cause], [5, error])
    return found.message.replaceAll(dir, '<dir>')
  }
  const locked = new StoreError('store_locked', 'It is locked.')
  assert.equal(told(locked), 'The data directory <dir> is in use. Another process has it open.')
  await mkdir(dir, { recursive: true })
  announce(dir, { url: 'http://127.0.0.1:1', pid: process.pid, version: '1', startedAt: '' })
  assert.equal(
    told(locked),
    `The data directory <dir> is in use. The gateway at http://127.0.0.1:1 (process ${process.pid}) runs on it.`,
  )
  const saved = ' What can be saved without one: gantry recover (it changes nothing by itself).'
  for (const [code, hint] of [
    ['store_truncated', saved],
    ['store_corrupt', saved],
    ['store_missing', ''],
  ] as const) {
    const error = new StoreError(code, 'Why.')
    assert.equal(told(error), `The data directory <dir> cannot be opened: Why.\n${error.advice}${hint}`)
  }
  for (const error of [new DataDirError('Others can read it.'), new SecretFileError('It holds no key.')])
    assert.equal(told(error), error.message)
  for (const code of ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC']) {
    assert.equal(
      told(Object.assign(new Error('x'), { code, path: '/p' })),
      `The data directory <dir> cannot be used: ${code} /p`,
    )
    assert.equal(told(Object.assign(new Error('x'), { code })), `The data directory <dir> cannot be used: ${code}`)
  }
  const other = Object.assign(new Error('x'), { code: 'ENOENT' })
  assert.equal(told(other), other)
})

test('data lies where the system keeps those of users', { skip: process.platform !== 'linux' }, () => {
  const before = process.env.XDG_DATA_HOME
  const own = join(homedir(), '.local/share/gantry')
  assert.equal(defaultDataDir('/'), before?.startsWith('/') ? join(before, 'gantry') : own)
})
