import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test/folder.ts'
import { renameFile, renameFileSync } from './patient-rename.ts'

/** A system that refuses a number of times. */
function refusing(times: number, code: string, platform: NodeJS.Platform) {
  const told = { renames: 0, waited: 0 }
  const parts = {
    platform,
    rename() {
      if (told.renames++ < times) throw Object.assign(new Error(code), { code })
    },
    pause(ms: number) {
      told.waited += ms
    },
  }
  const slow = { ...parts, rename: async () => parts.rename(), pause: async (ms: number) => parts.pause(ms) }
  return { told, parts, slow }
}

for (const code of ['EBUSY', 'EPERM', 'EACCES'])
  test(`a file that another program has for a moment is renamed when it is free: ${code}`, async () => {
    const { told, slow } = refusing(3, code, 'win32')
    await renameFile('a', 'b', slow)
    assert.deepEqual(told, { renames: 4, waited: 70 })
    const other = refusing(3, code, 'win32')
    renameFileSync('a', 'b', other.parts)
    assert.deepEqual(other.told, told)
  })

test('one that stays held is given up after about two seconds, with the error of the system', async () => {
  const { told, slow } = refusing(Number.POSITIVE_INFINITY, 'EPERM', 'win32')
  await assert.rejects(renameFile('a', 'b', slow), { code: 'EPERM' })
  assert.equal(told.renames, 10)
  assert.ok(told.waited > 1500 && told.waited < 2500, `${told.waited} ms`)
  const { parts } = refusing(Number.POSITIVE_INFINITY, 'EBUSY', 'win32')
  assert.throws(() => renameFileSync('a', 'b', parts), { code: 'EBUSY' })
})

test('nothing is repeated elsewhere, for other reasons, or when a folder is in the place', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-rename-')
  for (const [code, platform, to] of [
    ['EPERM', 'linux', 'b'],
    ['EBUSY', 'darwin', 'b'],
    ['ENOENT', 'win32', 'b'],
    ['ENOSPC', 'win32', 'b'],
    ['EPERM', 'win32', dir],
  ] as const) {
    const { told, slow } = refusing(1, code, platform)
    await assert.rejects(renameFile('a', to, slow), { code }, `${code} ${platform}`)
    assert.deepEqual(told, { renames: 1, waited: 0 })
  }
})

test('a file takes the place of another', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-rename-')
  const [from, to] = [join(dir, 'a'), join(dir, 'b')]
  for (const rename of [renameFile, renameFileSync]) {
    await writeFile(from, rename.name)
    await writeFile(to, 'old')
    await rename(from, to)
    assert.equal(await readFile(to, 'utf8'), rename.name)
    await assert.rejects(readFile(from), { code: 'ENOENT' })
  }
  await mkdir(join(dir, 'folder'))
  await writeFile(from, 'x')
  await assert.rejects(renameFile(from, join(dir, 'folder')), { code: /^(EISDIR|EPERM|ENOTEMPTY|EEXIST)$/ })
})
