/** What an edited folder holds when its files change faster than they are read. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { EditedFolder } from './folder.ts'

async function folderOf(files: Record<string, string>) {
  const dir = await mkdtemp(join(tmpdir(), 'gantry-folder-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), text)
  const failures: string[] = []
  const folder = new EditedFolder(dir, { checked: () => {}, failed: (message) => failures.push(message) })
  return {
    dir,
    folder,
    failures,
    async [Symbol.asyncDispose]() {
      folder.end()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
const dataBlock = (text: string) =>
  `DATA_BLOCK "A"\nTITLE = '${text}'\nVAR\n  a : Int;\nEND_VAR\nBEGIN\nEND_DATA_BLOCK\n`

test('of two readings of a file the later one counts, however long the first takes', async () => {
  await using edited = await folderOf({ 'a.scl': dataBlock('x'.repeat(5_000_000)) })
  const { dir, folder } = edited
  const path = join(dir, 'a.scl')
  await folder.load()
  for (let round = 0; round < 5; round++) {
    await writeFile(path, dataBlock('x'.repeat(5_000_000)))
    const first = folder.reread('a.scl')
    // By now the first reading is on its way.
    await new Promise(setImmediate)
    await rm(path)
    await Promise.all([folder.reread('a.scl'), first])
    assert.equal(folder.service.files.textOf('a.scl')?.length, undefined)
  }
})

test('a file that is deleted while the folder is read is gone, and one that is written is there', async () => {
  await using edited = await folderOf({ 'a.scl': dataBlock('x'.repeat(5_000_000)) })
  const { dir, folder } = edited
  const first = folder.load()
  await rm(join(dir, 'a.scl'))
  await writeFile(join(dir, 'b.scl'), dataBlock('b'))
  await Promise.all([folder.reread('a.scl'), folder.reread('b.scl'), first])
  assert.deepEqual([...folder.service.files.paths], ['b.scl'])
})

test('only what is in the folder belongs to it, however its name begins; not what is on another drive', async () => {
  await using edited = await folderOf({ 'a.scl': dataBlock('a') })
  const { dir, folder } = edited
  const uri = (...names: string[]) => pathToFileURL(join(dir, ...names)).href
  assert.equal(folder.pathOf(uri('sub', 'b.scl')), 'sub/b.scl')
  assert.equal(folder.pathOf(uri('..b.scl')), '..b.scl')
  for (const other of [uri(), uri('..', 'b.scl'), `${uri()}2/b.scl`, 'untitled:b.scl', 'file:///%00'])
    assert.equal(folder.pathOf(other), undefined, other)
  if (process.platform !== 'win32') return
  const drive = dir.toLowerCase().startsWith('c:') ? 'D:' : 'C:'
  // As editors write a drive.
  for (const other of [drive, `${drive[0]!.toLowerCase()}%3A`])
    assert.equal(folder.pathOf(`file:///${other}/plant/b.scl`), undefined, other)
  assert.equal(
    folder.pathOf(uri('b.scl').replace(/^file:\/\/\/(\w):/, (_, own: string) => `file:///${own.toLowerCase()}%3A`)),
    'b.scl',
  )
})

test('a folder that cannot be read is told', async () => {
  await using edited = await folderOf({ 'a.scl': dataBlock('a') })
  const { dir, folder, failures } = edited
  await rm(dir, { recursive: true })
  await folder.load()
  assert.equal(failures.length, 1)
  assert.match(failures[0]!, /gantry-folder-.*: /)
})
