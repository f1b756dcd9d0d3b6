/** What a command sees of its files before they are put in place is what is there afterwards. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder, withSlashes } from '../../test/folder.ts'
import { isGatewayError } from '../contract/problems.ts'
import { FileTransaction, Workspace } from './files.ts'

const folders = ['a', 'a/b', 'a/b/c', 'd']
const files = ['f', 'a/f', 'a/b/f', 'a/b/c/f', 'a/b/c/g', 'd/g']
const blob = 'a text of a blob'

type Change =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'blob' | 'folder' | 'remove'; readonly path: string }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path: fc.constantFrom(...files), text: fc.string() }),
  fc.record({ kind: fc.constant('blob' as const), path: fc.constantFrom(...files) }),
  fc.record({ kind: fc.constant('folder' as const), path: fc.constantFrom(...folders) }),
  fc.record({ kind: fc.constant('remove' as const), path: fc.constantFrom(...folders, ...files) }),
)

async function workspace(t: TestContext) {
  const dir = await temporaryFolder(t, 'gantry-transaction-')
  let count = 0
  return async () => {
    const root = join(dir, String(count++))
    return { root, workspace: await Workspace.open([root]) }
  }
}

async function stage(transaction: FileTransaction, made: Change): Promise<void> {
  if (made.kind === 'write') await transaction.write(made.path, made.text)
  else if (made.kind === 'blob') await transaction.writeBlob(made.path, 'sha256:0')
  else if (made.kind === 'folder') await transaction.makeDirectory(made.path)
  else await transaction.remove(made.path)
}

/** What a reader says of all paths: of files their text, of folders the names in them. */
async function seen(reader: Pick<FileTransaction, 'read' | 'list' | 'stat'>, root: string) {
  const told: Record<string, unknown> = {}
  const orNothing = (error: unknown): undefined => {
    assert(isGatewayError(error) && error.code === 'not_found', String(error))
  }
  for (const path of ['', ...folders, ...files]) {
    const at = join(root, path)
    const info = await reader.stat(at)
    assert(!(info?.isFile && info.isDirectory))
    if (files.includes(path)) {
      const text = (await reader.read(at).catch(orNothing))?.toString()
      assert.equal(info?.size, text === undefined ? undefined : Buffer.byteLength(text), path)
      assert.equal(info?.isFile ?? false, text !== undefined, path)
      told[path] = text
    } else {
      const entries = (await reader.list(at).catch(orNothing)) as Awaited<ReturnType<Workspace['list']>> | undefined
      // The root of a workspace is there even when its folder is not.
      if (path !== '') assert.equal(info?.isDirectory ?? false, entries !== undefined, path)
      told[path] = entries?.map(({ name, path: whole, isDirectory }) => {
        assert.equal(relative(dirname(whole), whole), name)
        return `${name}${isDirectory ? '/' : ''}`
      })
    }
  }
  return told
}

async function onDisk(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return Object.fromEntries(paths.map((path, i) => [withSlashes(relative(root, path)), texts[i] ?? '']))
}

test('what is staged reads as it will be, and is so after the commit', async (t) => {
  const open = await workspace(t)
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.array(change, { maxLength: 12 }),
      async (before, changes) => {
        const { root, workspace } = await open()
        const begin = () => new FileTransaction(workspace, async () => Buffer.from(blob))
        const first = begin()
        for (const made of before) await stage(first, made)
        await first.commit()
        const transaction = begin()
        for (const made of changes) await stage(transaction, made)
        const promised = await seen(transaction, root)
        await transaction.commit()
        assert.deepEqual(await seen(begin(), root), promised)
        assert.deepEqual(await seen(workspace, root), promised)
        // An independent account: the changes done one after the other.
        const expected = new Map<string, string>()
        for (const made of [...before, ...changes]) {
          if (made.kind === 'write') expected.set(made.path, made.text)
          else if (made.kind === 'blob') expected.set(made.path, blob)
          else if (made.kind === 'remove')
            for (const path of [...expected.keys()])
              if (path === made.path || path.startsWith(`${made.path}/`)) expected.delete(path)
        }
        assert.deepEqual(await onDisk(root), Object.fromEntries(expected))
        assert.equal(begin().isEmpty, true)
      },
    ),
    { numRuns: 60 },
  )
})
