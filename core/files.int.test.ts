import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { FileTransaction, Workspace } from './files.ts'
import { isGatewayError } from './problems.ts'

async function openWorkspace(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-files-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const root = join(dir, 'workspace')
  const workspace = await Workspace.open([root])
  const begin = () => new FileTransaction(workspace, async () => Buffer.from('of a blob'))
  return { dir, root, workspace, begin }
}

/** All files below a folder with their texts. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = async (path: string) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const
  return Object.fromEntries((await Promise.all(files.map(read))).sort())
}

test('many files in new folders are put in place together, with their times', async (t) => {
  const { root, begin } = await openWorkspace(t)
  const transaction = begin()
  const wanted: Record<string, string> = {}
  const modifiedAt = Date.UTC(2020, 1, 2, 3, 4, 5, 678)
  for (let i = 0; i < 100; i++) {
    wanted[`a/${i % 7}/${i}`] = `text ${i}`
    await transaction.write(`a/${i % 7}/${i}`, `text ${i}`, { modifiedAt })
  }
  await transaction.writeBlob('b', 'sha256:0')
  await transaction.makeDirectory('empty/folder')
  assert.deepEqual(await filesIn(root), {})
  await transaction.commit()
  assert.deepEqual(await filesIn(root), Object.fromEntries(Object.entries({ ...wanted, b: 'of a blob' }).sort()))
  assert.equal((await stat(join(root, 'a/3/3'))).mtime.getTime(), modifiedAt)
  assert.ok((await stat(join(root, 'empty/folder'))).isDirectory())
})

test('a folder is removed and written into again', async (t) => {
  const { root, begin } = await openWorkspace(t)
  await mkdir(join(root, 'a/deep'), { recursive: true })
  await writeFile(join(root, 'a/deep/old'), 'old')
  const transaction = begin()
  await transaction.remove('a')
  await transaction.write('a/deep/new', 'new')
  await transaction.write('a/deep/more', 'more')
  await transaction.commit()
  assert.deepEqual(await filesIn(root), { 'a/deep/more': 'more', 'a/deep/new': 'new' })
})

test('when one of many files cannot be written, all stay as they were, and nothing is left behind', async (t) => {
  const { root, begin } = await openWorkspace(t)
  await writeFile(join(root, 'file'), 'a file')
  for (let i = 0; i < 50; i++) await writeFile(join(root, `${i}`), 'old')
  const before = await filesIn(root)
  const transaction = begin()
  for (let i = 0; i < 50; i++) {
    await transaction.write(`${i}`, 'new')
    if (i === 20) await transaction.write('file/below', 'cannot be')
  }
  await assert.rejects(transaction.commit(), { code: 'conflict' })
  assert.deepEqual(await filesIn(root), before)
})

test('each path is resolved, also when its folder was resolved before', async (t) => {
  const { dir, root, begin } = await openWorkspace(t)
  await mkdir(join(dir, 'outside'))
  await mkdir(join(root, 'real/inner'), { recursive: true })
  await symlink(join(root, 'real'), join(root, 'link'))
  await symlink(join(dir, 'outside'), join(root, 'real/out'))
  const transaction = begin()
  assert.equal(await transaction.resolve('link/new'), join(root, 'real/new'))
  assert.equal(await transaction.resolve('link/inner'), join(root, 'real/inner'))
  assert.equal(await transaction.resolve('link/missing/deep/new'), join(root, 'real/missing/deep/new'))
  assert.equal(await transaction.resolve('link/missing/deep/other'), join(root, 'real/missing/deep/other'))
  for (const path of ['link/out', 'link/out/new', 'real/out/new', '../outside/new', 'link/../../outside'])
    await assert.rejects(transaction.resolve(path), { code: 'path_outside_workspace' }, path)
  assert.equal(await transaction.resolve(root), root)
  for (const path of ['C:\\exports\\a.xml', 'C:/exports/a.xml', '\\\\host\\share\\a.xml', 'file:///exports/a.xml'])
    await assert.rejects(transaction.resolve(path), { code: 'path_outside_workspace' }, path)
})

test('a folder lists its files with size and time', async (t) => {
  const { root, workspace } = await openWorkspace(t)
  await mkdir(join(root, 'folder'))
  await writeFile(join(root, 'file'), '12345')
  await symlink(join(root, 'file'), join(root, 'link'))
  const modifiedAt = (await stat(join(root, 'file'))).mtime.toISOString()
  assert.deepEqual(await workspace.list('.', { withStats: true }), [
    { name: 'file', path: join(root, 'file'), isDirectory: false, size: 5, modifiedAt },
    { name: 'folder', path: join(root, 'folder'), isDirectory: true },
  ])
})

test('a path with \\ between its names is refused where / divides them; a file with such a name is reached', async (t) => {
  if (process.platform === 'win32') return t.skip('there it divides names')
  const dir = await mkdtemp(join(tmpdir(), 'gantry-files-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const workspace = await Workspace.open([dir])
  await assert.rejects(workspace.resolve('blocks\\Main.scl'), (error) => {
    assert.ok(isGatewayError(error))
    assert.deepEqual([error.code, error.details.suggestion], ['invalid_input', 'blocks/Main.scl'])
    return true
  })
  await writeFile(join(dir, 'odd\\name.txt'), 'x')
  assert.equal((await workspace.read('odd\\name.txt')).toString(), 'x')
})
