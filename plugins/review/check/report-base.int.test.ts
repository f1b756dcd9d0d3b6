/** Where reports name files from: repositories, work trees, no repository, links. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { removeFolder } from '../../../test/folder.ts'
import { noLinks } from '../../../test/links.ts'
import { reportBase } from './report-base.ts'

test('paths count from the root of the repository, wherever the command runs', { skip: noLinks }, async (t) => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'gantry-base-')))
  t.after(() => removeFolder(dir))
  await mkdir(join(dir, 'repo/.git'), { recursive: true })
  await mkdir(join(dir, 'repo/plc/v1.2'), { recursive: true })
  await mkdir(join(dir, 'repo/module'))
  await writeFile(join(dir, 'repo/module/.git'), 'gitdir: ../.git/modules/module\n')
  await writeFile(join(dir, 'repo/plc/Main.scl'), '')
  assert.deepEqual(await reportBase(join(dir, 'repo')), { prefix: '' })
  assert.deepEqual(await reportBase(join(dir, 'repo/plc/v1.2')), { prefix: 'plc/v1.2/' })
  assert.deepEqual(await reportBase(join(dir, 'repo/plc/Main.scl')), { prefix: 'plc/' }, 'of a file: its folder')
  assert.deepEqual(await reportBase(join(dir, 'repo/module')), { prefix: '' }, 'a submodule is a repository')
  if (process.platform !== 'win32') {
    await symlink(join(dir, 'repo/plc'), join(dir, 'link'))
    assert.deepEqual(await reportBase(join(dir, 'link')), { prefix: 'plc/' })
  }
})

test('without a repository paths count from a folder whose URI is told', async (t) => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'gantry-base-')))
  t.after(() => removeFolder(dir))
  await mkdir(join(dir, 'my plant'))
  const found = await reportBase(join(dir, 'my plant'))
  assert.equal(found.prefix, '')
  assert.equal(found.uri, `${pathToFileURL(join(dir, 'my plant')).href}/`)
  assert.match(found.uri ?? '', /my%20plant\/$/)
})
