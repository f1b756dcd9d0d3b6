/**
 * A consistent copy of the whole store, for backups: its check, and a new store made of it.
 *
 * A copy has a part for each group of keys. A part is the entries of a LevelDB snapshot in the order of their keys:
 *
 * ```
 * bytes of the key (4, big-endian) ‖ bytes of the value (4) ‖ key ‖ value
 * ```
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { archivePath, type Segment, segmentsOf, unpackSegment, writeSegment } from './archive.ts'
import { type BlobEntry, decodeBlobEntry, hashText, unpackPiece } from './blob-format.ts'
import { referencesIn } from './collect.ts'
import {
  assertFollows,
  assertWhole,
  blobsOf,
  type Commit,
  decodeCommit,
  decodeEntry,
  lastSeqOf,
  linkOf,
  noHash,
  noteIn,
  sha256,
} from './commit.ts'
import { Database, databasePath, type Entry, type KeyRange, keys, type Op, rangeOf } from './database.ts'
import { isStoreError, StoreError } from './errors.ts'
import { decodeHead, headKey } from './head.ts'
import type { CheckedCopy, CopyPart, StoreCopy } from './types.ts'
import { Witness } from './witness.ts'

/** What reading a copy needs of its parts. */
export type ReadablePart = Pick<CopyPart, 'name' | 'read'>

/** Names of the parts, and the keys in them. Everything that a store writes is in one of them. */
const groups: readonly { readonly name: string; readonly kinds: readonly number[]; readonly compressible: boolean }[] =
  [
    { name: 'log', kinds: [keys.log], compressible: true },
    { name: 'contents', kinds: [keys.blob, keys.piece], compressible: false },
    { name: 'state', kinds: [keys.meta, keys.segment, keys.checkpoint, keys.term, keys.setAside], compressible: true },
  ]

/** Files of the archive are parts of their own. */
const archivePrefix = 'archive/'

const prefixBytes = 8
/** Largest key or value; a larger length means damage. */
const entryLimit = 2 ** 30
/** Bytes put into the new database by one batch. */
const batchBytes = 1024 * 1024

/** See {@link Store.copy}. The copy is that of the call, whatever is written while its parts are read. */
export async function copyOf(database: Database, archiveDir: string): Promise<StoreCopy> {
  const snapshot = database.snapshot()
  const parts = groups.map(({ name, kinds, compressible }): CopyPart => {
    async function* read(): AsyncGenerator<Buffer> {
      for (const kind of kinds)
        for await (const chunk of database.chunks(rangeOf(kind), { snapshot })) yield frames(chunk)
    }
    return { name, compressible, read }
  })
  const { head, segments } = await checkState(parts.find(({ name }) => name === 'state') as CopyPart)
  const absent: string[] = []
  for (const { file } of segments) {
    const path = join(archiveDir, file)
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      parts.push({ name: archivePrefix + file, compressible: false, read: () => createReadStream(path) })
    else absent.push(file)
  }
  return { head, parts, absent, close: () => snapshot.close() }
}

function frames(entries: readonly Entry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(([key, value]) => {
      const prefix = Buffer.allocUnsafe(prefixBytes)
      prefix.writeUInt32BE(key.length, 0)
      prefix.writeUInt32BE(value.length, 4)
      return [prefix, key, value]
    }),
  )
}

/** The entries of a part, in chunks. Throws `copy_damaged` where they are none. */
async function* entriesOf({ name, read }: ReadablePart): AsyncGenerator<Entry[]> {
  const kinds = groups.find((group) => group.name === name)?.kinds
  if (kinds === undefined) throw damaged(name, 'there is no such part')
  let rest: Buffer[] = []
  let have = 0
  let wanted = prefixBytes
  for await (const chunk of read()) {
    rest.push(chunk)
    have += chunk.length
    if (have < wanted) continue
    const bytes = rest.length === 1 ? chunk : Buffer.concat(rest)
    const found: Entry[] = []
    let at = 0
    for (wanted = prefixBytes; bytes.length - at >= wanted; wanted = prefixBytes) {
      const [keyBytes, valueBytes] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      if (keyBytes === 0 || keyBytes > entryLimit || valueBytes > entryLimit)
        throw damaged(name, `an entry of ${keyBytes} and ${valueBytes} bytes`)
      wanted = prefixBytes + keyBytes + valueBytes
      if (bytes.length - at < wanted) break
      const key = bytes.subarray(at + prefixBytes, at + prefixBytes + keyBytes)
      if (!kinds.includes(key[0] as number)) throw damaged(name, `a key that belongs elsewhere (${key[0]})`)
      found.push([key, bytes.subarray(at + prefixBytes + keyBytes, at + wanted)])
      at += wanted
    }
    rest = [bytes.subarray(at)]
    have = bytes.length - at
    if (found.length > 0) yield found
  }
  if (have > 0) throw damaged(name, 'it ends within an entry')
}

/**
 * Checks a copy: the chain over every commit up to the head, the bytes of every blob, and that each blob which a record
 * names is there.
 *
 * Throws `copy_damaged`, which names the part and the place.
 */
export async function checkCopy(parts: readonly ReadablePart[]): Promise<CheckedCopy> {
  const part = (name: string): ReadablePart => {
    const found = parts.find((one) => one.name === name)
    if (found === undefined) throw damaged(name, 'it is missing')
    return found
  }
  try {
    const blobs = await checkContents(part('contents'))
    const { head, segments } = await checkState(part('state'))
    const known = new Set([...groups.map(({ name }) => name), ...segments.map(({ file }) => archivePrefix + file)])
    for (const { name } of parts) if (!known.has(name)) throw damaged(name, 'no store has such a part')
    const gone: Gone = { absent: new Set(), lost: new Set() }
    const { absent } = gone
    let archived = 0
    for (const segment of segments) {
      const file = parts.find(({ name }) => name === archivePrefix + segment.file)
      if (file !== undefined) await checkSegment(file, segment, blobs, gone)
      archived += segment.commits
    }
    const log = await checkLog(part('log'), segments.at(-1), blobs, gone)
    for (const hash of gone.lost) absent.delete(hash)
    const named = (text: string): void => {
      for (const hash of referencesIn(text))
        if (absent.has(hash)) throw damaged('contents', `the blob ${hash} is missing, which a record names`)
    }
    // Contents that came with a commit may have been collected since; then no record names them.
    if (absent.size > 0) {
      for await (const chunk of entriesOf(part('log'))) for (const [, value] of chunk) named(value.toString('latin1'))
      for (const file of parts)
        if (file.name.startsWith(archivePrefix))
          for (const text of await unpackSegment(await bytesOf(file))) named(text)
    }
    if (head.seq !== log.seq || (head.seq > 0 && head.hash !== log.hash))
      throw damaged('log', `it ends at seq ${log.seq}, the head names seq ${head.seq} or another hash`)
    return { head, records: log.seq, commits: archived + log.commits, blobs: blobs.size }
  } catch (error) {
    // What does not fit is described as damage of a store; here it is that of a copy.
    if (!isStoreError(error) || error.code === 'copy_damaged') throw error
    throw new StoreError('copy_damaged', `the copy is damaged: ${error.message}`, error.place, error)
  }
}

/** The hashes (latin1) of all blobs, which are checked. Entries come before pieces, both in the order of their keys. */
async function checkContents(part: ReadablePart): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  /** By hex upload id. */
  const expected = new Map<string, { readonly hash: string; readonly entry: BlobEntry }>()
  let open: { readonly upload: string; readonly digest: Hash; pieces: number; size: number } | undefined
  const close = (): void => {
    const blob = open && expected.get(open.upload)
    if (open === undefined || blob === undefined) return // pieces of an upload that was broken off
    const { hash, entry } = blob
    if (open.pieces !== entry.pieces || open.size !== entry.size || hashText(open.digest.digest()) !== hash)
      throw damaged('contents', `the blob ${hash} does not match its hash`)
    expected.delete(open.upload)
  }
  for await (const chunk of entriesOf(part)) {
    for (const [key, value] of chunk) {
      if (key[0] === keys.blob) {
        const hash = hashText(key.subarray(1))
        const entry = decodeBlobEntry(Buffer.from(value))
        if (entry === undefined) throw damaged('contents', `the entry of the blob ${hash} is damaged`)
        hashes.add(key.toString('latin1', 1))
        expected.set(entry.upload.toString('hex'), { hash, entry })
        continue
      }
      const upload = key.toString('hex', 1, 17)
      if (open?.upload !== upload) {
        close()
        open = { upload, digest: createHash('sha256'), pieces: 0, size: 0 }
      }
      const blob = expected.get(upload)
      if (blob === undefined) continue
      if (key.readUInt32BE(17) !== open.pieces++) throw damaged('contents', `a piece of ${blob.hash} is missing`)
      const bytes = await unpackPiece(value, blob.hash)
      open.digest.update(bytes)
      open.size += bytes.length
    }
  }
  close()
  for (const { hash } of expected.values()) throw damaged('contents', `the blob ${hash} has no content`)
  return hashes
}

/** Blobs that commits have brought in and that are not there, and those that a recovery has lost. */
interface Gone {
  readonly absent: Set<string>
  readonly lost: Set<string>
}

interface LogEnd {
  seq: number
  hash: string
  commits: number
}

/** Checks that a commit follows the end, and moves the end. Notes the blobs of it that are not there. */
function follow(end: LogEnd, commit: Commit, blobs: ReadonlySet<string>, { absent, lost }: Gone): void {
  if (commit.first !== end.seq + 1) throw damaged('log', `the records ${end.seq + 1}..${commit.first - 1} are missing`)
  assertWhole(commit)
  assertFollows(commit, end.hash)
  for (const hash of blobsOf(commit))
    if (!blobs.has(Buffer.from(hash, 'hex').toString('latin1'))) absent.add(`sha256:${hash}`)
  for (const hash of noteIn(commit)?.recovery?.contents ?? []) lost.add(hash)
  Object.assign(end, { seq: lastSeqOf(commit), hash: linkOf(commit) })
  end.commits++
}

async function bytesOf(part: ReadablePart): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of part.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function checkSegment(
  part: ReadablePart,
  segment: Segment,
  blobs: ReadonlySet<string>,
  gone: Gone,
): Promise<void> {
  const bytes = await bytesOf(part)
  if (sha256(bytes).toString('hex') !== segment.sha256) throw damaged(part.name, 'it does not match its checksum')
  const end: LogEnd = { seq: segment.first - 1, hash: segment.previous, commits: 0 }
  for (const text of await unpackSegment(bytes)) follow(end, decodeCommit(text), blobs, gone)
  if (end.seq !== segment.last || end.hash !== segment.hash) throw damaged(part.name, 'it ends with another record')
}

/** @param before the last segment of the archive */
async function checkLog(
  part: ReadablePart,
  before: Segment | undefined,
  blobs: ReadonlySet<string>,
  gone: Gone,
): Promise<LogEnd> {
  const end: LogEnd = { seq: before?.last ?? 0, hash: before?.hash ?? noHash, commits: 0 }
  for await (const chunk of entriesOf(part)) {
    for (const entry of chunk) {
      const commit = decodeEntry(entry)
      // A crash may have left commits that are archived.
      if (lastSeqOf(commit) <= (before?.last ?? 0)) continue
      follow(end, commit, blobs, gone)
    }
  }
  return end
}

/** The head of the log, and the segments of the archive. */
async function checkState(part: ReadablePart): Promise<{ head: { seq: number; hash: string }; segments: Segment[] }> {
  let head: { seq: number; hash: string } | undefined = { seq: 0, hash: noHash }
  const values: Buffer[] = []
  reading: for await (const chunk of entriesOf(part))
    for (const [key, value] of chunk) {
      if (key.equals(headKey)) head = decodeHead(value)
      else if (key[0] === keys.segment) values.push(value)
      else if (key[0] !== keys.meta) break reading
    }
  if (head === undefined) throw damaged('state', 'the head of the log is malformed')
  return { head, segments: segmentsOf(values) }
}

/**
 * Makes a store of a copy that {@link checkCopy} has accepted, in a directory that has none.
 *
 * Throws `store_unavailable` where it cannot be written.
 */
export async function restoreCopy(dir: string, parts: readonly ReadablePart[]): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const database = await Database.open(databasePath(dir), true)
  let witness: Witness | undefined
  try {
    if ((await database.edge(wholeRange, 'first')) !== undefined)
      throw new StoreError('store_unavailable', `restore: there is a store in ${dir} already`)
    for (const part of parts)
      if (part.name.startsWith(archivePrefix))
        await writeSegment(archivePath(dir), part.name.slice(archivePrefix.length), await bytesOf(part))
      else for await (const chunk of entriesOf(part)) await putAll(database, chunk)
    await database.flushMemory()
    const head = decodeHead(await database.get(headKey))
    if (head === undefined) return
    witness = await Witness.open(dir)
    await witness.anchor(head)
  } finally {
    await witness?.close()
    await database.close()
  }
}

const wholeRange: KeyRange = { gte: Buffer.of(0), lt: Buffer.of(0xff) }

async function putAll(database: Database, entries: readonly Entry[]): Promise<void> {
  let ops: Op[] = []
  let bytes = 0
  for (const [i, [key, value]] of entries.entries()) {
    ops.push({ type: 'put', key, value })
    bytes += key.length + value.length
    if (bytes < batchBytes && i < entries.length - 1) continue
    await database.batch(ops, false)
    ops = []
    bytes = 0
  }
}

function damaged(part: string, detail: string): StoreError {
  return new StoreError('copy_damaged', `the copy is damaged: ${part}: ${detail}`, { file: part })
}
