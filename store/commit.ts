/**
 * One commit: all records of one batch under one key, chained by hash to the commit before. The value is text:
 *
 * ```
 * key    'l' ‖ first seq (8, big-endian)
 * value  hash (64 hex) ‖ previous hash (64) ‖ first seq (13 hex) ‖ records (8 hex) ‖ blobs (8 hex)
 *        ‖ blob hashes (64 each) ‖ packed
 * ```
 *
 * `packed` is the text of the records from a {@link RecordCodec} (record-codec.ts), a JSON array, or of a {@link Note},
 * a JSON object (lost or redacted records). `hash` = sha256 of everything after it. The first seq is included, so that
 * a value under another key is detected; the count lets a reader detect a gap without parsing.
 *
 * The value is text, because a string comes from LevelDB in one step, and both JSON.parse and the hash accept it
 * unchanged: with a Buffer, replay of commits of three records is a quarter slower, and with the hashes checked a third
 * (bench/store-replay.ts). A damaged byte that is not UTF-8 becomes U+FFFD and so does not match the hash.
 */
import { hash as cryptoHash } from 'node:crypto'
import { StoreError } from './errors.ts'
import { makeRecord } from './record-codec.ts'
import type { LogRecord, RecordCodec, StoredCommit } from './types.ts'

/** First byte of the keys of the log. It sorts before all others: see `keys` in database.ts. */
export const logPrefix = 0x6c // 'l'

const hashLength = 64
const previousAt = hashLength
const firstAt = previousAt + hashLength
const countAt = firstAt + 13
const blobCountAt = countAt + 8
const blobsAt = blobCountAt + 8

/** Sequence numbers are below this: a key has 48 bits for them. A larger one means damage. */
const seqLimit = 2 ** 48

/** The previous hash of the first commit. */
export const noHash = '0'.repeat(hashLength)

/** One commit as stored. */
export interface Commit {
  readonly first: number
  readonly count: number
  readonly text: string
  /** Where in `text` the packed records start. */
  readonly packedAt: number
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

/** Reads a number written by {@link writeSeq}; where the bytes are damaged, one that was never written. */
export function readSeq(source: Buffer, at: number): number {
  return source.readUInt16BE(at) * 2 ** 48 + source.readUIntBE(at + 2, 6)
}

/** Key of the commit that starts at `seq`. */
export function logKey(seq: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = logPrefix
  writeSeq(key, seq, 1)
  return key
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

/** Parses a number written by {@link hex} without making a string for it; NaN for anything else. */
function unhex(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    const digit = code >= 0x30 && code <= 0x39 ? code - 0x30 : code >= 0x61 && code <= 0x66 ? code - 0x57 : Number.NaN
    value = 16 * value + digit
  }
  return value
}

/** The first seq of a commit; the beginning of its text is enough. NaN when the text is not a commit. */
export function firstSeqOf(text: string): number {
  return unhex(text, firstAt, countAt)
}

/**
 * Packs one commit.
 * @param previous hash of the previous commit
 * @param count number of records
 * @param blobs the hashes (64 hex digits) of the blobs written in the same batch
 * @param packed the records as packed by a codec
 */
export function encodeCommit(
  previous: string,
  first: number,
  count: number,
  blobs: readonly string[],
  packed: string,
): { hash: string; value: Buffer } {
  const frame = `${previous}${hex(first, 13)}${hex(count, 8)}${hex(blobs.length, 8)}${blobs.join('')}`
  const content = Buffer.from(frame + packed)
  const hash = cryptoHash('sha256', content, 'hex')
  return { hash, value: Buffer.concat([Buffer.from(hash, 'latin1'), content]) }
}

/** Reads the frame of a commit. Throws `store_corrupt` when it is malformed or does not belong under `key`. */
export function decodeCommit(text: string, key?: Buffer): Commit {
  const first = firstSeqOf(text)
  const count = unhex(text, countAt, blobCountAt)
  const packedAt = blobsAt + unhex(text, blobCountAt, blobsAt) * hashLength
  const keySeq = key === undefined ? first : key.length === 9 ? readSeq(key, 1) : Number.NaN
  if (!(count > 0 && first > 0 && first < seqLimit && packedAt < text.length) || Number.isNaN(keySeq)) {
    const where = key === undefined ? 'a commit' : `the commit at seq ${keySeq}`
    throw new StoreError(
      'store_corrupt',
      `${where} is malformed (${text.length} characters)`,
      keySeq >= 0 && keySeq < seqLimit ? { seq: keySeq } : {},
    )
  }
  if (first !== keySeq) {
    throw new StoreError('store_corrupt', `the commit stored for seq ${keySeq} says that it starts at ${first}`, {
      seq: keySeq,
    })
  }
  return { first, count, text, packedAt }
}

/** {@link decodeCommit} of a database entry. */
export function decodeEntry([key, value]: readonly [key: Buffer, value: Buffer]): Commit {
  return decodeCommit(value.toString('utf8'), key)
}

/** The stored hash of a commit. */
export function hashOf(commit: Commit): string {
  return commit.text.slice(0, previousAt)
}

/** A commit with its records, as readers outside the store get it. */
export function storedCommit(commit: Commit, codec: RecordCodec): StoredCommit {
  return {
    first: commit.first,
    last: lastSeqOf(commit),
    hash: hashOf(commit),
    previous: previousHashOf(commit),
    link: linkOf(commit),
    original: originalHashOf(commit),
    content: commit.text.slice(previousAt),
    records: recordsOf(commit, codec),
  }
}

/**
 * The commit of a content that was exported.
 * @param hash its hash as it was exported
 * Throws `store_corrupt` when it is no commit or does not match the hash.
 */
export function openCommit(hash: string, content: string, codec: RecordCodec): StoredCommit {
  const commit = decodeCommit(hash + content)
  assertWhole(commit)
  return storedCommit(commit, codec)
}

/** The stored hash of the previous commit. */
export function previousHashOf(commit: Commit): string {
  return commit.text.slice(previousAt, firstAt)
}

/** Hashes (64 hex digits) of the blobs written with a commit. */
export function blobsOf(commit: Commit): string[] {
  const hashes: string[] = []
  for (let at = blobsAt; at < commit.packedAt; at += hashLength) hashes.push(commit.text.slice(at, at + hashLength))
  return hashes
}

/** Last seq of a commit. */
export function lastSeqOf(commit: Commit): number {
  return commit.first + commit.count - 1
}

/** True when the stored hash is that of the stored content. */
export function isWhole(commit: Commit): boolean {
  return cryptoHash('sha256', commit.text.slice(previousAt), 'hex') === hashOf(commit)
}

/** Throws `store_corrupt` unless the stored hash is that of the stored content. */
export function assertWhole(commit: Commit): void {
  if (isWhole(commit)) return
  const { first } = commit
  throw new StoreError(
    'store_corrupt',
    `the commit of records ${first}..${lastSeqOf(commit)} does not match its hash`,
    { seq: first },
  )
}

/** Throws `store_corrupt` unless the previous hash in a commit is that of the previous commit. */
export function assertFollows(commit: Commit, previous: string): void {
  if (commit.text.startsWith(previous, previousAt)) return
  throw new StoreError(
    'store_corrupt',
    `the commit at seq ${commit.first} does not follow the one before it (previous hash differs)`,
    {
      seq: commit.first,
    },
  )
}

/** Records that are lost. A long gap has several commits, each with the whole extent. */
export interface Gap {
  /** Extent of the gap, both ends included. */
  readonly first: number
  readonly last: number
  /** Time of the last record before it, ms. */
  readonly time: number
  /** What was damaged. */
  readonly reason: string
  /**
   * In the last commit of a gap: the hash that the commit after the gap names as the previous one. That commit was
   * chained to a lost one, whose hash it alone remembers.
   */
  readonly resumes?: string
}

/** A recovery: the last record of what it has saved. */
export interface Recovery {
  readonly time: number
  /** The gaps that it made, each with the hash of its last commit: this ties them to the chain. */
  readonly lost: readonly { readonly first: number; readonly last: number; readonly hash: string }[]
  /** Hashes of contents that records name and that are lost. */
  readonly contents: readonly string[]
  readonly damaged: readonly { readonly file: string; readonly detail: string }[]
  /** Where the damaged directory is kept. */
  readonly original: string
}

/** What a commit made by a recovery holds instead of packed records, which needs no codec; or redacted records. */
export interface Note {
  readonly gap?: Gap
  readonly recovery?: Recovery
  readonly redacted?: Redacted
}

/** Records of which a text was taken out (redact.ts). */
export interface Redacted {
  /** The hash of the commit before: the commit after it names it as the previous one. */
  readonly hash: string
  /** The redacted records, as packed by the codec. */
  readonly packed: string
}

/** Type of the record that says what was redacted; its data has `commits`, which vouch for the redacted ones. */
export const redactedType = 'log.redacted'

/** Types of the records that gaps and recoveries are read as. */
export const lostType = 'log.lost'
const recoveredType = 'log.recovered'
/** Number of records that one commit of a gap represents: a reader holds so many at a time. */
const gapRecords = 4096

/** The note in a commit; undefined for a commit with records. */
export function noteIn({ text, packedAt, first }: Commit): Note | undefined {
  if (text.charCodeAt(packedAt) !== 0x7b) return undefined // '{'
  try {
    return JSON.parse(text.slice(packedAt)) as Note
  } catch (error) {
    throw new StoreError('store_corrupt', `the note at seq ${first} cannot be read`, { seq: first }, error)
  }
}

/**
 * The commits of a gap, in order.
 * @param previous what its first commit names as the previous hash
 */
export function* encodeGap(previous: string, gap: Gap): Generator<{ first: number; hash: string; value: Buffer }> {
  const { resumes, ...rest } = gap
  let before = previous
  for (let first = gap.first; first <= gap.last; first += gapRecords) {
    const count = Math.min(gapRecords, gap.last + 1 - first)
    const note: Note = { gap: first + count > gap.last ? gap : rest }
    const { hash, value } = encodeCommit(before, first, count, [], JSON.stringify(note))
    yield { first, hash, value }
    before = hash
  }
}

/**
 * The hash that the next commit names as the previous one: the commit's own, except at the end of a gap and of a
 * redacted commit.
 */
export function linkOf(commit: Commit): string {
  const { gap, redacted } = noteIn(commit) ?? {}
  return gap?.resumes ?? redacted?.hash ?? hashOf(commit)
}

/** The hash of a commit as it was before a redaction: what was noted elsewhere then. */
export function originalHashOf(commit: Commit): string {
  return noteIn(commit)?.redacted?.hash ?? hashOf(commit)
}

/**
 * Reads the records of a commit; those of a gap say what is lost. Throws `store_corrupt` when they do not match the
 * frame.
 */
export function recordsOf(commit: Commit, codec: RecordCodec): LogRecord[] {
  const { first, count, text, packedAt } = commit
  const note = noteIn(commit)
  if (note !== undefined && note.redacted === undefined) return recordsOfNote(note, commit)
  let records: LogRecord[]
  try {
    records = codec.decode(note?.redacted?.packed ?? text.slice(packedAt), first)
  } catch (error) {
    throw new StoreError(
      'store_corrupt',
      `the records of the commit at seq ${first} cannot be read (${String(error)})`,
      { seq: first },
      error,
    )
  }
  if (records.length !== count) {
    throw new StoreError('store_corrupt', `the commit at seq ${first} does not hold ${count} records`, { seq: first })
  }
  return records
}

function recordsOfNote({ gap, recovery }: Note, { first, count }: Commit): LogRecord[] {
  if (recovery !== undefined) {
    const { time, ...data } = recovery
    return [makeRecord({ type: recoveredType, actor: 'system', data }, first, time)]
  }
  if (gap === undefined)
    throw new StoreError('store_corrupt', `the note at seq ${first} is of an unknown kind`, { seq: first })
  const data = { first: gap.first, last: gap.last, reason: gap.reason }
  return Array.from({ length: count }, (_, i) => makeRecord({ type: lostType, data }, first + i, gap.time))
}
