/** Archives, packed and unpacked within bounds: what is taken, what is told, and what is refused with which words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packArchive, type UnpackLimits, unpackArchive, unpackEntry } from './archive.task.ts'

const limits: UnpackLimits = { totalBytes: 1000, files: 4, ratio: 10, ratioFromBytes: 300 }
const time = Date.UTC(2025, 3, 5, 6, 7, 8)

/** An archive of these files; a number stands for so many zeros. */
async function zip(files: Readonly<Record<string, string | number>>, isPacked = true): Promise<Buffer> {
  const { ZipFile } = await import('yazl')
  const file = new ZipFile()
  for (const [path, content] of Object.entries(files))
    if (path.endsWith('/')) file.addEmptyDirectory(path)
    else
      file.addBuffer(typeof content === 'number' ? Buffer.alloc(content) : Buffer.from(content), path, {
        compress: isPacked,
        mtime: new Date(time),
      })
  file.end()
  const chunks: Buffer[] = []
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const api = () => {
  const told: number[] = []
  return { progress: (percent: number) => void told.push(percent), signal: new AbortController().signal, told }
}

/** What an archive holds: sizes of its files, or where the project of TIA Portal is; or why it is refused. */
async function unpacked(content: Uint8Array, more: Partial<UnpackLimits> = {}) {
  const input = { content, limits: { ...limits, ...more }, manifestExtension: '.gantry' }
  try {
    const found = await unpackArchive(input, api())
    if (found.kind === 'tia') return { ...found, ...(found.header && { header: Buffer.from(found.header).toString() }) }
    const sizes = found.files.map(({ path, content: bytes }) => [path, bytes.length])
    return { ...Object.fromEntries(sizes), ...(found.ignored.length > 0 && { ignored: found.ignored }) }
  } catch (error) {
    return (error as Error).message
  }
}

test('files come back as they were packed, with their times, in their order, and the same files give the same bytes', async () => {
  const files = [
    { path: 'b.txt', content: Buffer.from('b'), modifiedAt: time },
    { path: 'a/c.bin', content: new Uint8Array([0, 255]).subarray(1), modifiedAt: time + 2000 },
    { path: 'empty', content: new Uint8Array(), modifiedAt: time },
  ]
  const content = await packArchive({ files }, api())
  assert.deepEqual(await packArchive({ files }, api()), content)
  const told = api()
  const found = await unpackArchive({ content, limits, manifestExtension: '.gantry' }, told)
  assert.ok(found.kind === 'files')
  const plain = found.files.map((file) => ({ ...file, content: [...file.content] }))
  assert.deepEqual(
    plain,
    files.map((file) => ({ ...file, content: [...file.content] })),
  )
  assert.deepEqual(
    told.told.map((percent) => Math.round(10 * percent) / 10),
    [1.7, 3.3, 5],
  )
  // Plain files of Unix that all may read (the upper half of the external attributes).
  const directory = Buffer.from(content).indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  assert.equal(
    Buffer.from(content)
      .readUInt16LE(directory + 40)
      .toString(8),
    '100644',
  )
})

test('packing and unpacking end when they are cancelled', async () => {
  const cancelled = { progress: () => undefined, signal: AbortSignal.abort(new Error('cancelled')) }
  const files = [{ path: 'a', content: Buffer.from('a'), modifiedAt: time }]
  await assert.rejects(packArchive({ files }, cancelled), /^Error: cancelled$/)
  const content = await zip({ a: 'a' })
  await assert.rejects(
    unpackArchive({ content, limits, manifestExtension: '.gantry' }, cancelled),
    /^Error: cancelled$/,
  )
})

test('the bounds: so many entries, bytes, and bytes for each packed one', async () => {
  const four = { a: 'a', b: 'b', c: 'c', d: 'd' }
  assert.deepEqual(await unpacked(await zip(four)), { a: 1, b: 1, c: 1, d: 1 })
  assert.equal(await unpacked(await zip({ ...four, e: 'e' })), 'The archive has 5 entries; at most 4 are taken.')
  const stored = (files: Record<string, number>) => zip(files, false)
  assert.deepEqual(await unpacked(await stored({ a: 1000 })), { a: 1000 })
  assert.deepEqual(await unpacked(await stored({ a: 400, b: 600 })), { a: 400, b: 600 })
  assert.equal(
    await unpacked(await stored({ a: 400, b: 601 })),
    'The archive unpacks to more than 1000 bytes (at "b"); that is the limit.',
  )
  // 300 bytes may be packed as well as they like; more of them not in a tenth.
  assert.deepEqual(await unpacked(await zip({ a: 300 })), { a: 300 })
  assert.match(
    String(await unpacked(await zip({ a: 301 }))),
    /^The \d+ bytes of "a" unpack to more than 10 times as many: it is taken for a zip bomb\.$/,
  )
  const many = await zip({ a: 300, b: 300, c: 300 })
  assert.deepEqual(await unpacked(many), { a: 300, b: 300, c: 300 })
  assert.equal(
    await unpacked(many, { ratio: 2 }),
    `At "c" the archive's ${many.length} bytes unpack to more than 2 times as many: it is taken for a zip bomb.`,
  )
})

test('folders of version control are left out, others are made by their files; a name counts once', async () => {
  assert.deepEqual(await unpacked(await zip({ 'a/': '', 'a/b': 'b', '.Git/x': 'x', 'a/.git/y': 'y' })), {
    'a/b': 1,
    ignored: ['.Git/x', 'a/.git/y'],
  })
  assert.equal(await unpacked(await zip({ a: 'a', A: 'a' })), 'The archive holds "A" twice (also as "a").')
  const twice = Buffer.from((await zip({ ab: '1', aa: '2' })).toString('latin1').replaceAll('aa', 'ab'), 'latin1')
  assert.equal(await unpacked(twice), 'The archive holds "ab" twice.')
  assert.deepEqual(await unpacked(await zip({})), {})
})

test('a name is as long and as deep as file systems allow', async () => {
  const deep = (folders: number) => `${'d/'.repeat(folders)}f`
  const long = 'x'.repeat(255)
  assert.deepEqual(await unpacked(await zip({ [deep(39)]: 'a', [`${long}/${long}`]: 'b' })), {
    [deep(39)]: 1,
    [`${long}/${long}`]: 1,
  })
  assert.equal(
    await unpacked(await zip({ [deep(40)]: 'a' })),
    `The archive's entry "${deep(40)}" is nested more than 40 folders deep.`,
  )
  assert.equal(
    await unpacked(await zip({ [`${long}x`]: 'a' })),
    `The archive's entry "${long}x" has a path that is not allowed.`,
  )
})

test('a project of TIA Portal is known by its header or its project file, at the top or in one folder', async () => {
  const inFolder = { 'P/P.ap19': 'header', 'P/System/PEData.plf': 'store', 'P/other': '' }
  assert.deepEqual(await unpacked(await zip(inFolder)), {
    ...{ kind: 'tia', file: 'P/P.ap19', files: 3, header: 'header', store: 'P/System/PEData.plf' },
  })
  assert.deepEqual(await unpacked(await zip({ 'P.AL15_1': 'header', 'SYSTEM/pedata.PLF': 'store' })), {
    ...{ kind: 'tia', file: 'P.AL15_1', files: 2, header: 'header', store: 'SYSTEM/pedata.PLF' },
  })
  assert.deepEqual(await unpacked(await zip({ 'P.ap19': 'header', 'Q/System/PEData.plf': 'of another' })), {
    ...{ kind: 'tia', file: 'P.ap19', files: 2, header: 'header' },
  })
  assert.deepEqual(await unpacked(await zip({ 'backup/PEData.plf': 'store' })), {
    ...{ kind: 'tia', file: 'backup/PEData.plf', files: 1, store: 'backup/PEData.plf' },
  })
  // Deeper, or beside a manifest of our own, it is a file like any other.
  assert.deepEqual(await unpacked(await zip({ 'a/b/P.ap19': 'x' })), { 'a/b/P.ap19': 1 })
  assert.deepEqual(await unpacked(await zip({ 'P.gantry': '{}', 'P.ap19': 'x' })), { 'P.gantry': 2, 'P.ap19': 1 })
  assert.deepEqual(await unpacked(await zip({ 'a/P.gantry': '{}', 'P.ap19': 'x' })), { 'a/P.gantry': 2, 'P.ap19': 1 })
  assert.equal(
    ((await unpacked(await zip({ 'a/b/P.gantry': '{}', 'P.ap19': 'x' }))) as { kind?: string }).kind,
    'tia',
    'a manifest too deep is none',
  )
  assert.equal(
    await unpacked(await zip({ 'A/A.ap19': '', 'B/B.ap19': '' })),
    'The archive holds several projects of TIA Portal: A/A.ap19, B/B.ap19. Unpack it and open one of them.',
  )
  assert.equal(
    await unpacked(await zip({ 'A/PEData.plf': '', 'B/PEData.plf': '' })),
    'The archive holds several projects of TIA Portal: A/PEData.plf, B/PEData.plf. Unpack it and open one of them.',
  )
})

test('one entry is unpacked by its name', async () => {
  const archive = await zip({ 'System/PEData.plf': 'the store', big: 1001 }, false)
  const read = (entry: string) => unpackEntry({ archive, entry, limits })
  assert.equal((await read('System/PEData.plf')).toString(), 'the store')
  await assert.rejects(read('none'), { message: 'The archive has no entry "none".' })
  await assert.rejects(read('big'), {
    message: 'The archive unpacks to more than 1000 bytes (at "big"); that is the limit.',
  })
  await assert.rejects(unpackEntry({ archive: Buffer.from('none'), entry: 'a', limits }), {
    message: 'The file is no zip archive, or it was cut off: its directory, the end of every zip, is missing.',
  })
})
