/**
 * The chunks of the secondary index on disk (term-index.ts): the terms of a run of records, in 64 values. The checksum
 * of
 * a term selects its value.
 *
 * ```
 * t ‖ bucket (1) ‖ first seq of the chunk (8)   →   crc32 (4) ‖ last seq of the chunk (8) ‖ entries
 *     entry: length of term, term, length of positions, positions (each seq − the one before); all numbers LEB128
 * ```
 */
import { crc32 } from 'node:zlib'
import { keys, seqBytes } from './database.ts'
import { StoreError } from './errors.ts'
import type { LogRecord } from './types.ts'

/** The terms of a record. */
export type TermsOf = (r: LogRecord) => string[] | undefined

/** Positions of each term, ascending. */
export type TermMap = Map<string, number[]>

/** Values per chunk: a search reads one of them per chunk, and writing a chunk takes this many puts. */
export const buckets = 64

/** A term and its positions. */
export type Entry = [term: string, seqs: number[]]

/** A value with its checksum in front. */
export function withChecksum(...body: Buffer[]): Buffer {
  const value = Buffer.concat([Buffer.alloc(4), ...body])
  value.writeUInt32BE(crc32(value.subarray(4)), 0)
  return value
}

/** The value given to {@link withChecksum}. Throws `index_corrupt`, naming `what`. */
export function checked(value: Buffer, what: string): Buffer {
  const body = value.subarray(4)
  if (value.length < 4 || value.readUInt32BE(0) !== crc32(body)) {
    throw new StoreError('index_corrupt', `${what} does not match its checksum`, { key: what })
  }
  return body
}

/** The bucket of a term. */
export function bucketOf(term: string): number {
  return crc32(term) % buckets
}

/** Key of one bucket of the chunk that starts at `first`. */
export function bucketKey(bucket: number, first: number): Buffer {
  return Buffer.concat([Buffer.of(keys.term, bucket), seqBytes(first)])
}

/** Appends a number in LEB128: 7 bits per byte, least significant first, the high bit on all but the last. */
function pushNumber(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
}

/** Bytes preceded by their length. */
function sized(bytes: Buffer): Buffer[] {
  const length: number[] = []
  pushNumber(length, bytes.length)
  return [Buffer.from(length), bytes]
}

/** Reads what {@link pushNumber} and {@link sized} wrote. */
class Cursor {
  at = 0

  constructor(readonly buffer: Buffer) {}

  number(): number {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.buffer[this.at++] as number
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  bytes(): Buffer {
    const length = this.number()
    this.at += length
    return this.buffer.subarray(this.at - length, this.at)
  }
}

/** The value of one bucket of the chunk `first..last`. */
export function encodeBucket(entries: readonly Entry[], first: number, last: number): Buffer {
  const parts: Buffer[] = [seqBytes(last)]
  for (const [term, seqs] of entries) {
    const positions: number[] = []
    let before = first
    for (const seq of seqs) {
      pushNumber(positions, seq - before)
      before = seq
    }
    parts.push(...sized(Buffer.from(term, 'utf8')), ...sized(Buffer.from(positions)))
  }
  return withChecksum(...parts)
}

/**
 * Positions of a term.
 * @param body a value of {@link encodeBucket} without its checksum
 * @param first seq of its chunk
 */
export function positionsIn(body: Buffer, term: Buffer, first: number): number[] {
  const seqs: number[] = []
  if (!body.includes(term)) return seqs // true for most buckets, and far faster than reading the entries
  const cursor = new Cursor(body.subarray(8))
  while (cursor.at < cursor.buffer.length) {
    const found = cursor.bytes().equals(term)
    const positions = cursor.bytes()
    if (!found) continue
    const reader = new Cursor(positions)
    for (let seq = first; reader.at < positions.length; ) {
      seq += reader.number()
      seqs.push(seq)
    }
    return seqs
  }
  return seqs
}

/** The entries of each bucket. */
export function byBucket(terms: TermMap): Entry[][] {
  const result: Entry[][] = Array.from({ length: buckets }, () => [])
  for (const entry of terms) result[bucketOf(entry[0])]?.push(entry)
  return result
}

/** The values of one chunk, by bucket; the same terms always give the same bytes. */
export function encodeChunk(terms: TermMap, first: number, last: number): Buffer[] {
  return byBucket(terms).map((entries) => encodeBucket(entries, first, last))
}

/**
 * Adds the terms of one record to a map.
 * @param buckets gets the terms that are new in the map
 */
export function addTerms(map: TermMap, terms: TermsOf, record: LogRecord, buckets?: Entry[][]): void {
  const all = terms(record)
  if (all === undefined) return
  for (let i = 0; i < all.length; i++) {
    const term = all[i] as string
    const seqs = map.get(term)
    if (seqs === undefined) {
      const positions = [record.seq]
      map.set(term, positions)
      buckets?.[bucketOf(term)]?.push([term, positions])
    } else if (seqs[seqs.length - 1] !== record.seq) seqs.push(record.seq)
  }
}
