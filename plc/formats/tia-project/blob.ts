/**
 * Values of any length: pages of which only those that are not empty are stored, plain, packed, or in other records.
 */
import { inflateSync } from 'node:zlib'
import { Cursor } from './cursor.ts'
import { TiaProjectError } from './problem.ts'
import type { StoreRecord } from './records.ts'

const plain = 0
const packed = 1
/** Pages in records of their own, `pagesOfRecord` each. */
const moved = 4
const pagesOfRecord = 32

/** A blob of a project; the largest seen has 3 MB. */
const mostBytes = 64 * 1024 * 1024
/** Moved pages hold blobs, which could name themselves. */
const mostNested = 4

/** Finds the record of moved pages. */
export type PageRecords = (type: number, id: number) => StoreRecord | undefined

/**
 * @param bytes the blob, from its first byte
 * @throws TiaProjectError `damaged` or `limit`
 */
export function readBlob(bytes: Cursor, pages: PageRecords, nested = 0): Buffer {
  if (bytes.bytes.length === 0) return Buffer.alloc(0)
  const kind = bytes.u8()
  if (kind !== plain && kind !== packed && kind !== moved)
    throw bytes.damaged(`a value is stored in an unknown way (${kind})`)
  if (nested > mostNested) throw bytes.damaged('pages of a value lead to each other')
  const total = bytes.u64()
  bytes.u32()
  const pageSize = bytes.u16()
  const pageCount = bytes.u32()
  if (total > mostBytes)
    throw new TiaProjectError('limit', `A value has ${total} bytes; at most ${mostBytes} are read`, bytes.place)
  if (pageCount * pageSize < total) throw bytes.damaged(`${pageCount} pages of ${pageSize} bytes cannot hold ${total}`)
  const present = bitmap(bytes)
  const out = Buffer.alloc(total)
  if (kind === moved) {
    for (let i = 0; i * pagesOfRecord < pageCount; i++) {
      if (!present.word(i)) continue
      const type = bytes.u32()
      const id = bytes.u64()
      const record = pages(type, id)
      if (!record) throw bytes.damaged(`the pages of a value (record ${type} ${id}) are not in the file`)
      const content = new Cursor(record.bytes, { offset: record.offset, id }, 44)
      const part = new Cursor(content.take(content.u32()), content.place)
      // The last record is longer than what is left of the value.
      readBlob(part, pages, nested + 1).copy(out, i * pagesOfRecord * pageSize)
    }
    return out
  }
  for (let page = 0; page < pageCount; page++) {
    if (!present.bit(page)) continue
    const room = Math.min(pageSize, total - page * pageSize)
    if (room <= 0) throw bytes.damaged('pages behind the end of a value')
    if (kind === plain) bytes.take(room).copy(out, page * pageSize)
    else inflatePage(bytes, pageSize).copy(out, page * pageSize)
  }
  return out
}

function inflatePage(bytes: Cursor, pageSize: number): Buffer {
  const page = bytes.take(bytes.varint())
  try {
    return inflateSync(page, { maxOutputLength: pageSize })
  } catch (error) {
    throw bytes.damaged(`a page cannot be unpacked: ${(error as Error).message}`)
  }
}

function bitmap(bytes: Cursor) {
  const count = bytes.varint()
  const words: number[] = []
  for (let i = 0; i < count; i++) words.push(bytes.u32())
  const word = (i: number) => words[i] ?? 0
  return { word, bit: (i: number) => ((word(i >> 5) >>> (i & 31)) & 1) === 1 }
}
