import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder, withSlashes } from '../../test/folder.ts'
import { noLinks } from '../../test/links.ts'
import { isGatewayError } from '../contract/problems.ts'
import { type FileFacts, FileTransaction, Workspace } from './files.ts'

async function openWorkspace(t: TestContext) {
  const dir = await temporaryFolder(t, 'gantry-files-')
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

test('each path is resolved, also when its folder was resolved before', { skip: noLinks }, async (t) => {
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

test('a folder lists its files with size and time', { skip: noLinks }, async (t) => {
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
  const dir = await temporaryFolder(t, 'gantry-files-')
  const workspace = await Workspace.open([dir])
  await assert.rejects(workspace.resolve('blocks\\Main.scl'), (error) => {
    assert.ok(isGatewayError(error))
    assert.deepEqual([error.code, error.details.suggestion], ['invalid_input', 'blocks/Main.scl'])
    return true
  })
  await writeFile(join(dir, 'odd\\name.txt'), 'x')
  assert.equal((await workspace.read('odd\\name.txt')).toString(), 'x')
})

/** What a call that must fail says. */
async function refusal(made: Promise<unknown>) {
  const error = await made.then(
    () => assert.fail('it succeeded'),
    (e: unknown) => e,
  )
  assert.ok(isGatewayError(error), String(error))
  return `${error.code}: ${error.message}`
}

test('what a path cannot be, what is not there and what is another kind of thing is told', {
  skip: noLinks,
}, async (t) => {
  const { dir, root, workspace } = await openWorkspace(t)
  await mkdir(join(root, 'folder'))
  await writeFile(join(root, 'file'), '12345')
  await symlink(join(root, 'loop'), join(root, 'loop'))
  await symlink(join(dir, 'nowhere'), join(root, 'dangling'))
  const cases: [verb: 'read' | 'list' | 'stat', path: string, said: string][] = [
    ['read', '', 'invalid_input: "" is not a path.'],
    ['read', '  ', 'invalid_input: "  " is not a path.'],
    ['stat', 'a\0b', 'invalid_input: "a\\0b" is not a path.'],
    ['read', 'none', 'not_found: There is no file "none".'],
    ['read', 'file/below', 'not_found: There is no file "file/below".'],
    ['read', 'folder', 'invalid_input: "folder" is not a file.'],
    ['list', 'none', 'not_found: There is no folder "none".'],
    ['list', 'file', 'invalid_input: "file" is not a folder.'],
    ['stat', 'loop', `path_outside_workspace: "${root}/loop" is a loop of symbolic links.`],
    ['read', 'x'.repeat(300), `invalid_input: "${'x'.repeat(80)}…" is too long for a path.`],
    ['read', '..', `path_outside_workspace: ".." is outside the workspace roots (${root}).`],
    [
      'read',
      '../workspace-2/a',
      `path_outside_workspace: "../workspace-2/a" is outside the workspace roots (${root}).`,
    ],
    [
      'stat',
      '\\\\host\\a',
      'path_outside_workspace: "\\\\host\\a" is on another computer, "host", and no workspace root is there; it was not contacted.',
    ],
  ]
  for (const [verb, path, said] of cases) assert.equal(await refusal(workspace[verb](path)), said, `${verb} ${path}`)
  for (const path of ['none', 'file/below', 'folder/none']) assert.equal(await workspace.stat(path), undefined, path)
  const { mtime } = await stat(join(root, 'file'))
  const modifiedAt = mtime.toISOString()
  assert.deepEqual(await workspace.stat('file'), { isFile: true, isDirectory: false, size: 5, modifiedAt })
  const folder = await workspace.stat('./folder/')
  assert.deepEqual([folder?.isFile, folder?.isDirectory], [false, true])
  // Names may begin with two dots.
  await writeFile(join(root, '..file'), 'dots')
  assert.equal((await workspace.read('..file')).toString(), 'dots')
  assert.equal((await workspace.read(join(root, 'folder/../file'))).toString(), '12345')
  assert.deepEqual(
    (await workspace.list('.')).map(({ name, isDirectory }) => [name, isDirectory]),
    [
      ['..file', false],
      ['file', false],
      ['folder', true],
    ],
  )
})

test('paths are looked for in all roots, relative ones in the first', async (t) => {
  const dir = await temporaryFolder(t, 'gantry-files-')
  const roots = [join(dir, 'a/deep'), join(dir, 'b')]
  await mkdir(dir, { recursive: true })
  const workspace = await Workspace.open(roots)
  assert.deepEqual(workspace.roots, roots)
  await writeFile(join(dir, 'b/file'), 'of b')
  assert.equal((await workspace.read(join(dir, 'b/file'))).toString(), 'of b')
  assert.equal(await refusal(workspace.read('file')), 'not_found: There is no file "file".')
  assert.match(await refusal(workspace.resolve(join(dir, 'a/file'))), /outside the workspace roots \(.*deep, .*b\)\.$/)
  await assert.rejects(Workspace.open([join(dir, 'b/file/below')]), /The workspace folder .*--workspace/)
})

test('a command sees what it has staged: contents, sizes, folders, and their times', async (t) => {
  const { root, begin } = await openWorkspace(t)
  await mkdir(join(root, 'old/deep'), { recursive: true })
  await writeFile(join(root, 'old/file'), 'old')
  await writeFile(join(root, 'gone'), 'gone')
  const files = begin()
  assert.equal(files.isEmpty, true)
  await files.write('new/text', 'ä')
  await files.write('new/bytes', new Uint8Array(3))
  await files.writeBlob('blob', 'sha256:0')
  await files.makeDirectory('made')
  await files.remove('gone')
  await files.remove('old/deep')
  assert.equal(files.isEmpty, false)
  assert.deepEqual(
    files.changes.map(({ path, change }) => [withSlashes(path.slice(root.length + 1)), change]),
    [
      ['new/text', 'write'],
      ['new/bytes', 'write'],
      ['blob', 'blob'],
      ['made', 'directory'],
      ['gone', 'remove'],
      ['old/deep', 'remove'],
    ],
  )
  const seen = async (path: string) => {
    const info = await files.stat(path)
    if (info === undefined) return undefined
    assert.ok(Math.abs(Date.parse(info.modifiedAt) - Date.now()) < 3_600_000, info.modifiedAt)
    return info.isFile && !info.isDirectory ? info.size : info.isDirectory && !info.isFile ? 'folder' : 'neither'
  }
  const kinds: [path: string, kind: unknown][] = [
    ['new/text', 2],
    ['new/bytes', 3],
    ['blob', 9],
    ['made', 'folder'],
    ['new', 'folder'],
    ['old', 'folder'],
    ['old/file', 3],
    ['gone', undefined],
    ['old/deep', undefined],
    ['none', undefined],
  ]
  for (const [path, kind] of kinds) assert.deepEqual(await seen(path), kind, path)
  assert.equal((await files.read('new/text')).toString(), 'ä')
  assert.deepEqual([...(await files.read('new/bytes'))], [0, 0, 0])
  assert.equal((await files.read('blob')).toString(), 'of a blob')
  assert.equal((await files.read('old/file')).toString(), 'old')
  assert.equal(await refusal(files.read('gone')), 'not_found: There is no file "gone".')
  assert.equal(await refusal(files.list('old/deep')), 'not_found: There is no folder "old/deep".')
  assert.equal(await refusal(files.list('none')), `not_found: There is no folder "${join(root, 'none')}".`)
  assert.deepEqual(await files.list('made'), [])
  const names = async (path: string) =>
    (await files.list(path)).map(({ name, isDirectory }) => `${name}${isDirectory ? '/' : ''}`)
  assert.deepEqual((await names('.')).sort(), ['blob', 'made/', 'new/', 'old/'])
  assert.deepEqual(await names('old'), ['file'])
  // A folder that is removed takes with it what was to be written into it.
  await files.remove('new')
  assert.equal(await seen('new/text'), undefined)
  await files.commit()
  assert.deepEqual(await filesIn(root), { blob: 'of a blob', 'old/file': 'old' })
})

test('what a command learns of files is told to whoever observes it, as a replay needs it', async (t) => {
  const { root, workspace } = await openWorkspace(t)
  await mkdir(join(root, 'folder'))
  await writeFile(join(root, 'folder/a'), 'text')
  const facts: FileFacts = {}
  const contents: Record<string, string> = {}
  const observer = {
    async content(path: string, content: Buffer | string) {
      contents[path] = content.toString()
    },
    fact(key: string, value: string) {
      facts[key] = value
    },
  }
  const files = new FileTransaction(workspace, async () => Buffer.from(''), observer)
  await files.read('folder/a')
  const entries = await files.list(join(root, 'folder'))
  await files.stat('none')
  const info = await files.stat('folder/a')
  await assert.rejects(files.read('none'))
  await assert.rejects(files.list('folder/a'))
  await assert.rejects(files.read('../outside'))
  await files.write('own', 'x')
  await files.read('own')
  await files.stat('own')
  const at = (path: string) => join(root, path)
  assert.deepEqual(contents, { [at('folder/a')]: 'text', [at('folder')]: JSON.stringify(entries) })
  assert.deepEqual(facts, {
    'real folder/a': at('folder/a'),
    'real none': at('none'),
    'real own': at('own'),
    [`stat ${at('none')}`]: 'null',
    [`stat ${at('folder/a')}`]: JSON.stringify(info),
    [`fail read ${at('none')}`]: JSON.stringify({ code: 'not_found', detail: `There is no file "${at('none')}".` }),
    [`fail list ${at('folder/a')}`]: JSON.stringify({
      code: 'invalid_input',
      detail: `"${at('folder/a')}" is not a folder.`,
    }),
    'fail real ../outside': JSON.stringify({
      code: 'path_outside_workspace',
      detail: `"../outside" is outside the workspace roots (${root}).`,
      suggestion: 'Use a path inside a root, or start the gateway with --workspace DIR.',
    }),
  })
})
