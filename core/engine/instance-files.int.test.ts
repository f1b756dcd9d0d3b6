import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isProcessAlive } from '../../lib/is-process-alive.ts'
import { temporaryFolder } from '../../test/folder.ts'
import {
  lastLines,
  listenAddress,
  newInstanceId,
  prepareInstancesDir,
  readInstanceEntries,
  removeInstanceFiles,
  removeOrphans,
  tailLines,
  writeInstanceFile,
} from './instance-files.ts'

const posix = process.platform !== 'win32'
const id = 'ab'.repeat(12)

function makeDir(t: TestContext): Promise<string> {
  return temporaryFolder(t, 'engine-files-')
}

test('an instance is published whole, for its user only, and read again', { skip: !posix }, async (t) => {
  const dir = join(await makeDir(t), 'a/b')
  prepareInstancesDir(dir)
  assert.equal((await stat(dir)).mode & 0o777, 0o700)
  assert.match(newInstanceId(), /^[0-9a-f]{24}$/)
  const file = { id, pid: 7, startedAt: 'then', address: join(dir, `${id}.sock`), token: 't', protocol: 1 }
  writeInstanceFile(dir, file)
  assert.equal((await stat(join(dir, '7.json'))).mode & 0o777, 0o600)
  assert.equal(await readFile(join(dir, '7.json'), 'utf8'), `${JSON.stringify(file, undefined, 2)}\n`)
  for (const name of ['07.json', '8.json.x', 'x.json', '9.txt']) await writeFile(join(dir, name), '{}')
  for (const [pid, more] of [
    [10, { id: 'short' }],
    [11, { token: '' }],
    [12, { protocol: 1.5 }],
    [13, { address: 3 }],
    [14, { pid: 15 }],
    [16, { startedAt: undefined }],
  ] as const)
    await writeFile(join(dir, `${pid}.json`), JSON.stringify({ ...file, pid, ...more }))
  const entries = (await readInstanceEntries(dir)).sort((a, b) => a.pid - b.pid)
  assert.deepEqual(entries, [{ pid: 7, file }, ...[10, 11, 12, 13, 14, 16].map((pid) => ({ pid, file: undefined }))])
  assert.deepEqual(await readInstanceEntries(join(dir, 'none')), [])
  await assert.rejects(readInstanceEntries(join(dir, '7.json')), { code: 'ENOTDIR' })
})

test('what an instance published is removed, and nothing of another one', { skip: !posix }, async (t) => {
  const dir = await makeDir(t)
  const own = [`7.json`, `${id}.log`, `${id}.sock`]
  const other = ['8.json', 'other.sock']
  const fill = async () => {
    for (const name of [...own, ...other]) await writeFile(join(dir, name), '')
  }
  const left = async () => (await readdir(dir)).sort()
  await fill()
  removeInstanceFiles(dir, { id, pid: 7, address: join(dir, `${id}.sock`) }, { keepLog: true })
  assert.deepEqual(await left(), ['8.json', `${id}.log`, 'other.sock'])
  await fill()
  removeInstanceFiles(dir, { id, pid: 7, address: join(dir, 'other.sock') }, { keepLog: false })
  assert.deepEqual(await left(), ['8.json', `${id}.sock`, 'other.sock'])
  // A socket in a private directory goes with it; any other directory stays.
  const far = listenAddress(join(dir, 'x'.repeat(100)), id)
  removeInstanceFiles(dir, { id, pid: 7, address: far }, { keepLog: false })
  await assert.rejects(stat(join(far, '..')), { code: 'ENOENT' })
  const kept = join(dir, 'kept')
  await mkdir(kept)
  removeInstanceFiles(dir, { id, pid: 7, address: join(kept, id) }, { keepLog: false })
  assert.ok((await stat(kept)).isDirectory())
  // A path of just as many bytes as fit is used as it is.
  const base = 100 - `/${id}.sock`.length
  assert.equal(listenAddress('d'.repeat(base), id), join('d'.repeat(base), `${id}.sock`))
  const longer = listenAddress('d'.repeat(base + 1), id)
  await rm(join(longer, '..'), { recursive: true })
  assert.ok(longer.startsWith(tmpdir()) && longer.endsWith(`/${id}`))
})

test('sockets and logs that no live instance owns are removed when they are old', async (t) => {
  const dir = await makeDir(t)
  const names = ['ab', 'cd', 'ef'].flatMap((two) => [`${two.repeat(12)}.log`, `${two.repeat(12)}.sock`])
  const others = ['readme.log', `${'ab'.repeat(12)}.txt`, `${'ab'.repeat(13)}.log`]
  for (const name of [...names, ...others]) {
    await writeFile(join(dir, name), '')
    if (!name.startsWith('ef')) await utimes(join(dir, name), new Date(0), new Date(0))
  }
  await removeOrphans(dir, new Set([id]))
  const left = [...names.filter((name) => !name.startsWith('cd')), ...others]
  assert.deepEqual((await readdir(dir)).sort(), left.sort())
  await removeOrphans(join(dir, 'none'), new Set())
})

test('the end of a log is its last lines, at most 8 KiB', async (t) => {
  const dir = await makeDir(t)
  const file = join(dir, 'log')
  assert.deepEqual(await tailLines(file, 3), [])
  await writeFile(file, '')
  assert.deepEqual(await tailLines(file, 3), [])
  await writeFile(file, 'one\r\n\n  \ntwo\nthree\nfour\n')
  assert.deepEqual(await tailLines(file, 3), ['two', 'three', 'four'])
  assert.deepEqual(await tailLines(file, 9), ['one', 'two', 'three', 'four'])
  await writeFile(file, `${'x'.repeat(10_000)}\nlast`)
  assert.deepEqual(await tailLines(file, 9), ['x'.repeat(8192 - 5), 'last'])
  assert.deepEqual(lastLines('', 2), [])
})

test('a process is alive until it has ended', () => {
  assert.equal(isProcessAlive(process.pid), true)
  // Process ids do not go this high.
  assert.equal(isProcessAlive(2 ** 30), false)
})
