/** What is dropped on the studio, as another program reads the zip. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { droppedFiles, packed } from './zip.ts'

/** The files of a zip with what it says about them. */
async function unzip(content: Blob) {
  const zip = await fromBufferPromise(Buffer.from(await content.arrayBuffer()), { lazyEntries: true })
  const found = []
  for await (const entry of zip.eachEntry()) {
    const { fileName: name, crc32, compressionMethod } = entry
    const date = entry.getLastModDate().toDateString()
    found.push({ name, content: await text(await zip.openReadStreamPromise(entry)), crc32, compressionMethod, date })
  }
  return found
}

const lastModified = new Date(2024, 1, 29, 12).getTime()

const dropped = (path: string, content: string) => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? '', { lastModified }),
})

test('files are packed with their paths and contents', async () => {
  const { name, content } = await packed([
    dropped('Plant/Grüße.scl', 'Füllstand := 1;'),
    dropped('Plant/empty.xml', ''),
    dropped('b.txt', '123456789'),
  ])
  assert.equal(name, 'files.zip')
  assert.equal(content.type, 'application/zip')
  const stored = { compressionMethod: 0, date: 'Thu Feb 29 2024' }
  const files = await unzip(content)
  assert.deepEqual(files, [
    { name: 'Plant/Grüße.scl', content: 'Füllstand := 1;', crc32: files[0]?.crc32, ...stored },
    { name: 'Plant/empty.xml', content: '', crc32: 0, ...stored },
    // The check value of CRC-32 (ITU-T V.42).
    { name: 'b.txt', content: '123456789', crc32: 0xcbf43926, ...stored },
  ])
})

test('one zip alone is sent as it is; with others, or another file alone, it is packed', async () => {
  const zip = dropped('Plant/export.ZIP', 'as it is')
  const alone = await packed([zip])
  assert.deepEqual([alone.name, alone.content], ['export.ZIP', zip.file])
  const names = async (...files: Parameters<typeof packed>[0]) =>
    (await unzip((await packed(files)).content)).map(({ name }) => name)
  assert.deepEqual(await names(zip, dropped('a.scl', '')), ['Plant/export.ZIP', 'a.scl'])
  assert.deepEqual(await names(dropped('zip.scl', '')), ['zip.scl'])
  assert.deepEqual(await names(), [])
})

test('more files than a zip counts are refused', async () => {
  const many = new Array(65_536).fill(dropped('a.scl', ''))
  await assert.rejects(packed(many), { message: 'A zip takes at most 65535 files, these are 65536.' })
})

test('what is dropped is read with the files of its folders, which come in parts', async () => {
  const file = (name: string) => ({
    name,
    isFile: true,
    file: (take: (file: File) => void) => take(new File([], name)),
  })
  const folder = (name: string, ...parts: (readonly object[])[]) => ({
    name,
    isFile: false,
    createReader: () => {
      const left = [...parts]
      return { readEntries: (take: (entries: readonly object[]) => void) => take(left.shift() ?? []) }
    },
  })
  const drop = async (entries: readonly (object | null)[], files: readonly File[] = []) => {
    const items = entries.map((entry) => ({ webkitGetAsEntry: () => entry }))
    return (await droppedFiles({ items, files } as unknown as DataTransfer)).map(({ path, file }) => [path, file.name])
  }
  assert.deepEqual(
    await drop([file('a.scl'), null, folder('Plant', [file('b.xml'), folder('In', [file('c.xml')])], [file('d.xml')])]),
    [
      ['a.scl', 'a.scl'],
      ['Plant/b.xml', 'b.xml'],
      ['Plant/In/c.xml', 'c.xml'],
      ['Plant/d.xml', 'd.xml'],
    ],
  )
  // A browser that tells no entries tells the files.
  assert.deepEqual(await drop([null], [new File([], 'e.scl')]), [['e.scl', 'e.scl']])
  const broken = { ...file('f'), file: (_: unknown, fail: (error: Error) => void) => fail(new Error('not readable')) }
  await assert.rejects(drop([broken]), new Error('not readable'))
})
