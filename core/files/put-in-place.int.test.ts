/** A command's files are put in their place all together, or everything is as it was, and what was refused is named. */
import assert from 'node:assert/strict'
import { closeSync, constants, openSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { renameFile } from '../../lib/patient-rename.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { isGatewayError } from '../contract/problems.ts'
import { FileTransaction, Workspace } from './files.ts'
import { type PlaceOptions, putInPlace, type Staged } from './put-in-place.ts'

const isWindows = process.platform === 'win32'
/** Of libuv: nobody else may open the file meanwhile. Other systems have no such thing. */
const exclusive = 0x10000000

async function folder(t: TestContext) {
  const root = await temporaryFolder(t, 'gantry-place-')
  return { root, at: (path: string) => join(root, ...path.split('/')) }
}

/** Everything in a folder: of files the text, of folders nothing. */
async function allOf(root: string): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {}
  const walk = async (folder: string, above: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const [path, full] = [above + entry.name, join(folder, entry.name)]
      found[path] = entry.isDirectory() ? null : await readFile(full, 'utf8')
      if (entry.isDirectory()) await walk(full, `${path}/`)
    }
  }
  await walk(root, '')
  return Object.fromEntries(Object.entries(found).sort())
}

async function refusal(made: Promise<unknown>) {
  const error = await made.then(
    () => assert.fail('it succeeded'),
    (e: unknown) => e,
  )
  assert.ok(isGatewayError(error), String(error))
  return { code: error.code, message: error.message }
}

/** Old files, and a change of all of them: some are replaced, some are new, some go. */
async function change(t: TestContext) {
  const { root, at } = await folder(t)
  for (const path of ['gone', 'old/deep']) await mkdir(at(path), { recursive: true })
  for (const path of ['a', 'b', 'c', 'gone/x', 'old/f', 'old/deep/g']) await writeFile(at(path), `old ${path}`)
  const transaction = new FileTransaction(await Workspace.open([root]), async () => Buffer.from('blob'))
  await transaction.remove(at('gone'))
  await transaction.write(at('a'), 'new a')
  await transaction.write(at('new/deep/n'), 'new n')
  await transaction.remove(at('old'))
  await transaction.write(at('old/f'), 'new f')
  await transaction.write(at('b'), 'new b')
  await transaction.makeDirectory(at('empty/folder'))
  await transaction.writeBlob(at('c'), 'sha256:0')
  const after = {
    ...{ a: 'new a', b: 'new b', c: 'blob', empty: null, 'empty/folder': null, new: null, 'new/deep': null },
    ...{ 'new/deep/n': 'new n', old: null, 'old/f': 'new f' },
  }
  return { root, at, transaction, before: await allOf(root), after }
}

test('the change is made, and nothing is left beside it', async (t) => {
  const { root, transaction, after } = await change(t)
  await transaction.commit()
  assert.deepEqual(await allOf(root), after)
})

test('whichever rename is refused, everything is as it was', async (t) => {
  for (let refused = 0; ; refused++) {
    const { root, at, transaction, before, after } = await change(t)
    let count = 0
    const rename: typeof renameFile = async (from, to) => {
      if (count++ === refused) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
      await renameFile(from, to)
    }
    const made = transaction.commit({ rename })
    if (refused === 7) {
      // There are so many: the two that go, and five that come.
      await made
      assert.deepEqual(await allOf(root), after)
      return
    }
    const { code, message } = await refusal(made)
    assert.equal(code, 'conflict')
    const path = ['gone', 'a', 'new/deep/n', 'old', 'old/f', 'b', 'c'][refused]!
    assert.ok(message.startsWith(`"${at(path)}" is in use by another program (EBUSY).`), message)
    assert.match(message, /Nothing was changed\.$/)
    assert.deepEqual(await allOf(root), before, `rename ${refused}`)
  }
})

test('what cannot be taken back is told, with the place of what it was', async (t) => {
  const { root, at } = await folder(t)
  for (const path of ['a', 'b', 'c']) await writeFile(at(path), `old ${path}`)
  const staged = new Map<string, Staged>(
    ['a', 'b', 'new', 'c'].map((path) => [at(path), { kind: 'write', content: `new ${path}` }]),
  )
  const options: PlaceOptions = {
    blob: async () => Buffer.from(''),
    removedAbove: () => undefined,
    // From the fourth on everything is refused.
    rename: async (from, to) => {
      if (++count > 3) throw Object.assign(new Error('EACCES'), { code: 'EIO' })
      await renameFile(from, to)
    },
  }
  let count = 0
  const { code, message } = await refusal(putInPlace(staged, options))
  assert.equal(code, 'internal_error')
  const found = await allOf(root)
  const kept = Object.keys(found).filter((name) => name.endsWith('.tmp'))
  const [keptA, keptB] = ['a', 'b'].map((name) => kept.find((one) => one.startsWith(`${name}.`)) ?? '')
  assert.equal(
    message,
    `"${at('c')}" cannot be written (EIO). The other files are as they were; these could not be put back: ` +
      `"${at('b')}" (as it was: "${at(keptB!)}"), "${at('a')}" (as it was: "${at(keptA!)}").`,
  )
  const expected = { a: 'new a', b: 'new b', c: 'old c', [keptA!]: 'old a', [keptB!]: 'old b' }
  assert.deepEqual(found, Object.fromEntries(Object.entries(expected).sort()))
})

test('a folder in the place of one of many files', async (t) => {
  const { root, at } = await folder(t)
  await mkdir(at('f20'))
  for (const path of ['f1', 'f30', 'f20/below']) await writeFile(at(path), 'old')
  const before = await allOf(root)
  const transaction = new FileTransaction(await Workspace.open([root]), async () => Buffer.from(''))
  for (let i = 0; i < 40; i++) await transaction.write(at(`f${i}`), 'new')
  assert.deepEqual(await refusal(transaction.commit()), {
    code: 'conflict',
    message: `A file or folder is in the way of "${at('f20')}" (EISDIR). Nothing was changed.`,
  })
  assert.deepEqual(await allOf(root), before)
})

test('a folder that comes into the place of a file while the others are prepared', async (t) => {
  const { root, at } = await folder(t)
  await writeFile(at('f1'), 'old')
  const paths = [...Array.from({ length: 20 }, (_, i) => `f${i}`), 'f5/below']
  const staged = new Map<string, Staged>(paths.map((path) => [at(path), { kind: 'write', content: 'new' }]))
  const made = putInPlace(staged, { blob: async () => Buffer.from(''), removedAbove: () => undefined })
  assert.match((await refusal(made)).message, /is in the way of ".*f5" \(EISDIR\)\. Nothing was changed\.$/)
  assert.deepEqual(await allOf(root), { f1: 'old' })
})

test('the longest names are written; longer ones are refused, and the others with them', async (t) => {
  const { root, at } = await folder(t)
  const longest = `${'x'.repeat(251)}.xml`
  const workspace = await Workspace.open([root])
  const files = () => new FileTransaction(workspace, async () => Buffer.from(''))
  for (const text of ['first', 'second']) {
    const transaction = files()
    await transaction.write(longest, text)
    await transaction.commit()
    assert.deepEqual(await allOf(root), { [longest]: text })
  }
  for (const path of [`new/y${longest}`, `y${longest}/below`]) {
    const transaction = files()
    // Where the folder is there, the path alone tells.
    const made = async () => {
      await transaction.write('other', 'x')
      await transaction.write(path, 'x')
      await transaction.commit()
    }
    const { code, message } = await refusal(made())
    assert.equal(code, 'invalid_input', message)
    assert.match(message, /"y?x{79}x?…" is (too long|no name)/)
    assert.deepEqual(await allOf(root), { [longest]: 'second' })
  }
  assert.ok(await stat(at(longest)))
})

test('characters that a name cannot have', {
  skip: !isWindows && 'here they are characters like others',
}, async (t) => {
  const { root } = await folder(t)
  const workspace = await Workspace.open([root])
  for (const name of ['a*b.xml', 'what?.xml', 'a|b.xml', 'a<b>.xml', 'say "x".xml', 'tab\t.xml', 'a?b/c.xml']) {
    const transaction = new FileTransaction(workspace, async () => Buffer.from(''))
    const made = async () => {
      await transaction.write('other', 'x')
      await transaction.write(name, 'x')
      await transaction.commit()
    }
    const { code, message } = await refusal(made())
    assert.equal(code, 'invalid_input', `${name}: ${message}`)
    assert.ok(message.includes(name.split('/')[0]!), message)
    assert.deepEqual(await allOf(root), {}, name)
  }
})

/** A file that nobody may write: on Windows by its mark, for others by the folder. */
test('a file that is write-protected', { skip: !isWindows && 'a rename replaces it here' }, async (t) => {
  const { root, at } = await folder(t)
  for (const path of ['a', 'b']) await writeFile(at(path), `old ${path}`)
  await chmod(at('b'), 0o444)
  const transaction = new FileTransaction(await Workspace.open([root]), async () => Buffer.from(''))
  for (const path of ['a', 'b']) await transaction.write(at(path), 'new')
  const { code, message } = await refusal(transaction.commit())
  assert.equal(code, 'conflict')
  assert.ok(message.startsWith(`"${at('b')}" cannot be used (EPERM)`), message)
  assert.deepEqual(await allOf(root), { a: 'old a', b: 'old b' })
  // A second try must not find it unprotected.
  assert.equal((await stat(at('b'))).mode & 0o200, 0)
})

test('a file that a program has open alone', { skip: !isWindows && 'files are not held here' }, async (t) => {
  const { root, at } = await folder(t)
  for (const path of ['a', 'b', 'c']) await writeFile(at(path), `old ${path}`)
  const workspace = await Workspace.open([root])
  const write = async () => {
    const transaction = new FileTransaction(workspace, async () => Buffer.from(''))
    await transaction.write(at('a'), 'new a')
    await transaction.write(at('b'), 'new b')
    await transaction.remove(at('c'))
    return transaction.commit()
  }
  const before = await allOf(root)
  for (const path of ['b', 'c']) {
    const held = openSync(at(path), constants.O_RDWR | exclusive)
    try {
      assert.match((await refusal(workspace.read(at(path)))).message, /in use by another program/)
      const { code, message } = await refusal(write())
      assert.equal(code, 'conflict', message)
      assert.match(message, /another program.*Nothing was changed\.$/)
      assert.ok(message.startsWith(`"${at(path)}" `), message)
    } finally {
      closeSync(held)
    }
    assert.deepEqual(await allOf(root), before)
  }
  const held = openSync(at('b'), constants.O_RDWR | exclusive)
  setTimeout(() => closeSync(held), 300)
  await write()
  assert.deepEqual(await allOf(root), { a: 'new a', b: 'new b' })
})
