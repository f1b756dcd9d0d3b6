import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { zipFault } from './zip-faults.ts'

async function zipOf(path: string, text: string): Promise<Buffer> {
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from(text), path, { mtime: new Date(0) })
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** What is said of an archive when everything in it is read. */
async function faultOf(bytes: Buffer): Promise<string> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true })
    for await (const entry of zip.eachEntry()) for await (const _ of await zip.openReadStreamPromise(entry));
    return 'none'
  } catch (error) {
    return zipFault(error)
  }
}

test('damage of a zip archive is said in plain words, wherever it is', async () => {
  const whole = await zipOf('folder/a.txt', 'some text that is packed '.repeat(20))
  const start = whole.indexOf('PK\x01\x02')
  const changed = (at: number, ...bytes: number[]) => {
    const copy = Buffer.from(whole)
    copy.set(bytes, at)
    return copy
  }
  const cases: readonly (readonly [string, Buffer])[] = [
    ['whole', whole],
    ['no zip', Buffer.from('some text that is no zip archive at all')],
    ['empty', Buffer.alloc(0)],
    ['cut off', whole.subarray(0, -30)],
    ['more behind', Buffer.concat([whole, Buffer.from('more')])],
    ['more before', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole])],
    ['zeroed header', changed(0, 0, 0, 0, 0)],
    ['zeroed directory', changed(start, 0, 0, 0, 0)],
    ['zeroed content', changed(44, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['another size', changed(start + 24, 5)],
    ['method 12', changed(start + 10, 12)],
    ['encrypted', changed(start + 8, 0x49)],
    ['a path out of it', changed(start + 46, ...Buffer.from('../'))],
    ['an absolute path', changed(start + 46, ...Buffer.from('/'))],
  ]
  const found: string[] = []
  for (const [name, bytes] of cases) found.push(`${name}: ${await faultOf(bytes)}`)
  assert.deepEqual(found, [
    'whole: none',
    'no zip: it is no zip archive, or it was cut off: its directory, the end of every zip, is missing',
    'empty: it is no zip archive, or it was cut off: its directory, the end of every zip, is missing',
    'cut off: it is no zip archive, or it was cut off: its directory, the end of every zip, is missing',
    'more behind: there are more bytes behind its end',
    'more before: its directory is damaged: it was changed, or not copied whole',
    'zeroed header: a file is not where its directory says: the archive was changed, or not copied whole',
    'zeroed directory: its directory is damaged: it was changed, or not copied whole',
    'zeroed content: a file unpacks to another size than its directory says',
    'another size: a file unpacks to another size than its directory says',
    'method 12: a file is packed by method 12, which is not read',
    'encrypted: it is encrypted',
    'a path out of it: its entry "../der/a.txt" has a path that is not allowed',
    'an absolute path: its entry "/older/a.txt" has a path that is not allowed',
  ])
  const packed = (bytes: Buffer) => {
    try {
      return inflateRawSync(bytes, { maxOutputLength: 20 }).length
    } catch (error) {
      return zipFault(error)
    }
  }
  assert.equal(packed(Buffer.from([0xff, 0xff, 0xff])), 'its packed data are damaged')
  assert.equal(packed(Buffer.from([0x63])), 'its packed data are damaged')
  assert.equal(zipFault(new Error('Invalid XLSX: missing _rels/.rels')), 'its part _rels/.rels is missing')
  assert.equal(zipFault(new Error('another thing.')), 'another thing')
})
