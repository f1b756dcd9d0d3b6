/** A data directory that is open to others, without its log, or with damaged keys. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { removeFolder } from '../../test/folder.ts'
import { SecretFileError } from '../access/secrets.ts'
import { Gateway, type GatewayOptions } from '../gateway.ts'
import { DataDirError } from './data-dir.ts'

async function dataDir(t: TestContext) {
  const dir = join(await mkdtemp(join(tmpdir(), 'gantry-data-')), 'data')
  t.after(() => removeFolder(join(dir, '..')))
  return dir
}

const open = (dir: string, more: Partial<GatewayOptions> = {}) =>
  Gateway.open({ dataDir: dir, version: '0.0.0-test', pluginDirs: [], withoutEngine: true, ...more })

async function used(t: TestContext) {
  const dir = await dataDir(t)
  const gateway = await open(dir)
  await gateway.close()
  return dir
}

test('a directory that others can read is made private, and that is told', {
  skip: process.platform === 'win32' && 'file modes',
}, async (t) => {
  const dir = await dataDir(t)
  await mkdir(dir)
  await chmod(dir, 0o755)
  const gateway = await open(dir)
  t.after(() => gateway.close())
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
  assert.match(gateway.startNotes.join(), /other users could read .*; it is private now/)
})

test('a directory that cannot be made private is refused with the command that mends it', {
  skip: process.platform === 'win32' && 'file modes',
}, async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may change every mode')
  // A folder of another user: its mode cannot be changed.
  await assert.rejects(open('/'), (error) => error instanceof DataDirError && /chmod 700 '\/'/.test(error.message))
})

test('keys without a log are refused; a new log keeps the keys', async (t) => {
  const dir = await used(t)
  await rm(join(dir, 'store/db'), { recursive: true })
  await assert.rejects(open(dir), { code: 'store_missing' })
  assert.deepEqual((await readdir(join(dir, 'store'))).sort(), ['witness'], 'nothing was made')
  const gateway = await open(dir, { newLog: true })
  t.after(() => gateway.close())
  assert.equal(gateway.createdKey, undefined)
  const names = await readdir(dir)
  assert.equal(names.filter((name) => name.startsWith('store')).length, 2, `the rest is set aside: ${names}`)
})

test('keys that are empty, cut off or damaged are refused with the remedy', async (t) => {
  const dir = await used(t)
  const refused = (file: string) =>
    assert.rejects(
      open(dir),
      (error) => error instanceof SecretFileError && error.message.includes(file) && /remove it/.test(error.message),
    )
  for (const text of ['', '\n', 'x', 'short\n']) {
    await writeFile(join(dir, 'api-key'), text)
    await refused('api-key')
  }
  await rm(join(dir, 'api-key'))
  await truncate(join(dir, 'seal-key'), 20)
  await refused('seal-key')
  await writeFile(join(dir, 'seal-key'), '?'.repeat(43))
  await refused('seal-key')
})

test('a lost seal-key is told', async (t) => {
  const dir = await used(t)
  await rm(join(dir, 'seal-key'))
  const gateway = await open(dir)
  t.after(() => gateway.close())
  assert.match(gateway.startNotes.join(), /seal-key was missing.*named API keys .* entered again/)
})

test('an emptied witness is told', async (t) => {
  const dir = await used(t)
  await truncate(join(dir, 'store/witness'), 0)
  const gateway = await open(dir)
  t.after(() => gateway.close())
  assert.match(gateway.startNotes.join(), /witness is empty/)
  assert.match(gateway.store.health.detail ?? '', /witness is empty/)
})

test('a data directory or workspace that cannot be made is refused and named', async (t) => {
  const dir = await dataDir(t)
  await writeFile(join(dir, '..', 'file'), '')
  const refused = (named: RegExp) => (error: unknown) => error instanceof DataDirError && named.test(error.message)
  const below = join(dir, '../file/data')
  await assert.rejects(
    open(below),
    refused(/^The data directory .*file[\\/]data cannot be used: (ENOTDIR|EEXIST).*--data-dir/),
  )
  await assert.rejects(
    open(dir, { workspace: [below] }),
    refused(/^The workspace folder .* (ENOTDIR|EEXIST).*--workspace/),
  )
  if (!existsSync('/proc/1')) return
  // A recursive mkdir of Node does not end here.
  await assert.rejects(open('/proc/nope'), refused(/^The data directory \/proc\/nope cannot be used/))
  await assert.rejects(open(dir, { workspace: ['/proc/1/nope'] }), refused(/^The workspace folder \/proc\/1\/nope/))
})
