/**
 * The bytes of one commit: all records of one batch under one key, chained by hash to the commit before.
 *
 * ```
 * key    'l' ‖ first seq (8, big-endian)
 * value  hash (32) ‖ previous hash (32) ‖ first seq (8) ‖ records (4) ‖ blobs (4) ‖ blob hashes (32 each) ‖ packed
 * ```
 *
 * `packed` is the UTF-8 JSON array of the records without `seq` (= first + position); `hash` = sha256 of everything after it.
 * The hash comes first so that one call of `crypto.hash` covers previous hash and content without copying; the first seq is inside,
 * so that a value moved to another key is found; the count lets a reader see a gap without parsing.
 */
import { hash as cryptoHash } from 'node:crypto'
import { StoreError } from './errors.ts'
import type { LogRecord } from './types.ts'

/** First byte of the keys of the log. It sorts before all others: see `keys` in database.ts. */
export const logPrefix = 0x6c // 'l'

const hashAt = 0
const previousAt = 32
const firstAt = 64
const countAt = 72
const blobCountAt = 76
const blobsAt = 80

/** The previous hash of the first commit. */
export const noHash: Buffer = Buffer.alloc(32)

/** One commit as read from disk; `hash` and the JSON are views of `value`. */
export interface Commit {
  readonly first: number
  readonly count: number
  readonly value: Buffer
}

/** sha256 as 32 bytes. */
export function sha256(bytes: Uint8Array | string): Buffer {
  return cryptoHash('sha256', bytes, 'buffer')
}

/** Writes a number below 2^48 as 8 bytes, big-endian. */
export function writeSeq(target: Buffer, seq: number, at: number): void {
  target.writeUInt16BE(0, at)
  target.writeUIntBE(seq, at + 2, 6)
}

/** Reads what {@link writeSeq} has written. */
export function readSeq(source: Buffer, at: number): number {
  return source.readUIntBE(at + 2, 6)
}

/** Key of the commit that starts at `seq`. */
export function logKey(seq: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = logPrefix
  writeSeq(key, seq, 1)
  return key
}

/**
 * Packs one commit.
 * @param json the JSON text of each record, without `seq`
 * @param blobs the 32-byte hashes of the blobs written in the same batch
 */
export function encodeCommit(
  previous: Buffer,
  first: number,
  json: readonly string[],
  blobs: readonly Buffer[],
): Buffer {
  const text = `[${json.join(',')}]`
  const packedAt = blobsAt + blobs.length * 32
  const value = Buffer.allocUnsafe(packedAt + Buffer.byteLength(text))
  previous.copy(value, previousAt)
  writeSeq(value, first, firstAt)
  value.writeUInt32BE(json.length, countAt)
  value.writeUInt32BE(blobs.length, blobCountAt)
  for (let i = 0; i < blobs.length; i++) blobs[i]?.copy(value, blobsAt + i * 32)
  value.write(text, packedAt, 'utf8')
  sha256(value.subarray(previousAt)).copy(value, hashAt)
  return value
}

/** Reads the frame of a commit. Throws `store_corrupt` when key and frame do not agree. */
export function decodeCommit(key: Buffer, value: Buffer): Commit {
  const seq = key.length === 9 ? readSeq(key, 1) : Number.NaN
  if (Number.isNaN(seq) || value.length < blobsAt + 2) {
    throw new StoreError(
      'store_corrupt',
      `the commit at key ${key.toString('hex')} is malformed (${value.length} bytes)`,
      { seq },
    )
  }
  const first = readSeq(value, firstAt)
  const count = value.readUInt32BE(countAt)
  if (first !== seq)
    throw new StoreError('store_corrupt', `the commit stored for seq ${seq} says that it starts at ${first}`, { seq })
  if (count === 0 || packedStart(value) > value.length) {
    throw new StoreError(
      'store_corrupt',
      `the commit at seq ${seq} is malformed (${count} records, ${value.length} bytes)`,
      { seq },
    )
  }
  return { first, count, value }
}

function packedStart(value: Buffer): number {
  return blobsAt + value.readUInt32BE(blobCountAt) * 32
}

/** The stored hash of a commit. */
export function hashOf(commit: Commit): Buffer {
  return commit.value.subarray(hashAt, previousAt)
}

/** The stored hash of the commit before. */
export function previousHashOf(commit: Commit): Buffer {
  return commit.value.subarray(previousAt, firstAt)
}

/** Hashes (32 bytes each) of the blobs written with a commit. */
export function blobsOf(commit: Commit): Buffer[] {
  const hashes: Buffer[] = []
  for (let at = blobsAt; at < packedStart(commit.value); at += 32) hashes.push(commit.value.subarray(at, at + 32))
  return hashes
}

/** The JSON text of a commit, as bytes. */
export function packedOf(commit: Commit): Buffer {
  return commit.value.subarray(packedStart(commit.value))
}

/** True when the stored hash is that of the stored content. */
export function isWhole(commit: Commit): boolean {
  return sha256(commit.value.subarray(previousAt)).equals(hashOf(commit))
}

/** Throws `store_corrupt` unless the stored hash is that of the stored content. */
export function assertWhole(commit: Commit): void {
  if (isWhole(commit)) return
  throw new StoreError(
    'store_corrupt',
    `the commit of records ${commit.first}..${lastSeqOf(commit)} does not match its hash`,
    { seq: commit.first },
  )
}

/** Parses the records of a commit. Throws `store_corrupt` when they are not what the frame says. */
export function recordsOf(commit: Commit): LogRecord[] {
  const { first, count, value } = commit
  let records: unknown
  try {
    records = JSON.parse(value.toString('utf8', packedStart(value)))
  } catch (error) {
    throw new StoreError(
      'store_corrupt',
      `the commit at seq ${first} is not JSON (${String(error)})`,
      { seq: first },
      error,
    )
  }
  if (!Array.isArray(records) || records.length !== count) {
    throw new StoreError('store_corrupt', `the commit at seq ${first} does not hold ${count} records`, { seq: first })
  }
  for (let i = 0; i < count; i++) records[i].seq = first + i
  return records as LogRecord[]
}

/** Last seq of a commit. */
export function lastSeqOf(commit: Commit): number {
  return commit.first + commit.count - 1
}

/** Throws `store_corrupt` unless the previous hash that a commit carries is that of the commit before. */
export function assertFollows(commit: Commit, previous: Buffer): void {
  if (previousHashOf(commit).equals(previous)) return
  throw new StoreError(
    'store_corrupt',
    `the commit at seq ${commit.first} does not follow the one before it (previous hash differs)`,
    {
      seq: commit.first,
    },
  )
}
