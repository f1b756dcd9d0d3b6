import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../test/folder.ts'
import { noLinks } from '../test/links.ts'
import { makeDirectory } from './make-directory.ts'

test('a directory is made with those above it; what cannot be is the error of the system', {
  skip: noLinks,
}, async (t) => {
  const dir = await temporaryFolder(t, 'gantry-make-')
  assert.equal(await makeDirectory(join(dir, 'a/b/c'), { mode: 0o700 }), join(dir, 'a'))
  assert.equal(await makeDirectory(join(dir, 'a/b/c')), undefined)
  assert.equal(await makeDirectory(join(dir, 'a/b/d')), join(dir, 'a/b/d'))
  if (process.platform !== 'win32') assert.equal((await stat(join(dir, 'a'))).mode & 0o777, 0o700)
  const several = await Promise.all([1, 2, 3].map(() => makeDirectory(join(dir, 'x/y'))))
  assert.ok(several.some((first) => first === join(dir, 'x')))
  await writeFile(join(dir, 'file'), '')
  await assert.rejects(makeDirectory(join(dir, 'file')), { code: 'EEXIST' })
  await assert.rejects(makeDirectory(join(dir, 'file/a')), { code: 'ENOTDIR' })
  await symlink(join(dir, 'gone'), join(dir, 'link'))
  await assert.rejects(makeDirectory(join(dir, 'link/a')), { code: 'EEXIST' })
  // Node's own did not come back here.
  if (existsSync('/proc/1'))
    await assert.rejects(makeDirectory('/proc/1/nope/deep'), { code: /^(ENOENT|EACCES|EPERM)$/ })
})
