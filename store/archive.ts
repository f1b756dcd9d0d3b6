/**
 * The archive: the oldest commits of the log, moved out of LevelDB into files.
 *
 * A file has a segment: the commits of a run of records, as they were in LevelDB (commit.ts), so it carries its part of
 * the hash chain. It is written once and never changed. LevelDB keeps a small entry for each segment, so that the chain
 * holds over files that were moved elsewhere.
 *
 * ```
 * archive/<first seq (13)>-<last seq (13)>.log.gz      gzip of: for each commit its bytes (8 hex) ‖ commit
 * s ‖ first seq (8)  →  JSON of a Segment
 * ```
 */
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { renameFile } from '../lib/patient-rename.ts'
import { firstSeqOf, noHash, sha256 } from './commit.ts'
import { type Database, keys, rangeOf, seqBytes } from './database.ts'
import { StoreError } from './errors.ts'

const pack = promisify<Buffer, { level: number }, Buffer>(gzip)
const unpack = promisify<Buffer, Buffer>(gunzip)

/** Segments whose commits are kept in memory: look-ups and pages read the same ones again. */
const keptSegments = 2
const lengthDigits = 8

/** A run of commits in a file of the archive. */
export interface Segment {
  readonly first: number
  readonly last: number
  readonly commits: number
  /** What its first commit names as the previous hash, and what the commit after it names. */
  readonly previous: string
  readonly hash: string
  /** Time of its last record, ms. */
  readonly lastTime: number
  /** File name in the folder `archive`. */
  readonly file: string
  /** Bytes of the file, and their sha256. */
  readonly bytes: number
  readonly sha256: string
}

/** Folder of the archive inside a store. */
export function archivePath(dir: string): string {
  return join(dir, 'archive')
}

/** Key of a segment's entry. */
export function segmentKey(first: number): Buffer {
  return Buffer.concat([Buffer.of(keys.segment), seqBytes(first)])
}

/** See the head of this file. */
export class Archive {
  readonly dir: string
  readonly #segments: Segment[]
  /** By first seq, the one used last at the end. */
  readonly #kept = new Map<number, Promise<string[]>>()

  private constructor(dir: string, segments: Segment[]) {
    this.dir = dir
    this.#segments = segments
  }

  /** Reads the entries of the segments. Throws `store_corrupt` when they are not one chain from the first record on. */
  static async open(database: Database, dir: string): Promise<Archive> {
    const values: Buffer[] = []
    for await (const chunk of database.chunks(rangeOf(keys.segment))) values.push(...chunk.map(([, value]) => value))
    return new Archive(archivePath(dir), segmentsOf(values))
  }

  /** Oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments
  }

  /** Last record in it; 0 when it is empty. */
  get through(): number {
    return this.#segments.at(-1)?.last ?? 0
  }

  /** Hash of its last commit. */
  get hash(): string {
    return this.#segments.at(-1)?.hash ?? noHash
  }

  /** A segment was written; from now on its commits are read from the file. */
  add(segment: Segment): void {
    this.#segments.push(segment)
  }

  /** The commits of a segment are in another file from now on. */
  replace(segment: Segment): void {
    const at = this.#segments.findIndex(({ first }) => first === segment.first)
    this.#segments[at] = segment
    this.#kept.delete(segment.first)
  }

  /** The segment with a record of at most {@link through}. */
  holding(seq: number): Segment {
    const found = this.#segments[lowerBound(this.#segments.length, (i) => (this.#segments[i] as Segment).last >= seq)]
    if (found === undefined) throw new RangeError(`seq ${seq} is not archived`)
    return found
  }

  /**
   * The commits of a segment, as text and in order. Throws `log_archived` when its file is not in its place,
   * `store_corrupt` when it is another one than was written.
   */
  texts(segment: Segment): Promise<string[]> {
    const reading = this.#kept.get(segment.first) ?? readSegment(this.dir, segment)
    this.#kept.delete(segment.first)
    this.#kept.set(segment.first, reading)
    reading.catch(() => this.#kept.delete(segment.first))
    for (const first of this.#kept.keys()) if (this.#kept.size > keptSegments) this.#kept.delete(first)
    return reading
  }

  /** The commits that contain a record of `from..to`, which is in this segment. */
  async textsOf(segment: Segment, from: number, to: number): Promise<string[]> {
    const texts = await this.texts(segment)
    const after = (seq: number) => lowerBound(texts.length, (i) => firstSeqOf(texts[i] as string) > seq)
    return texts.slice(Math.max(0, after(from) - 1), after(to))
  }
}

/**
 * The first of `0..count-1` for which `isAtOrAfter` is true, which it is for all later ones; `count` when there is
 * none.
 */
function lowerBound(count: number, isAtOrAfter: (i: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isAtOrAfter(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The segments in the values of their entries. Throws `store_corrupt` unless they are one chain. */
export function segmentsOf(values: readonly Buffer[]): Segment[] {
  let end = { last: 0, hash: noHash }
  return values.map((value) => {
    let segment: Segment
    try {
      segment = JSON.parse(value.toString('utf8')) as Segment
    } catch (error) {
      throw new StoreError('store_corrupt', 'an entry of the archive is damaged', { seq: end.last + 1 }, error)
    }
    if (segment.first !== end.last + 1 || segment.previous !== end.hash)
      throw new StoreError('store_corrupt', `the archive has no segment with record ${end.last + 1}`, {
        seq: end.last + 1,
      })
    end = segment
    return segment
  })
}

/** The bytes of a segment's file. */
export function packSegment(commits: readonly Buffer[]): Promise<Buffer> {
  const frames = commits.flatMap((commit) => [
    Buffer.from(commit.length.toString(16).padStart(lengthDigits, '0'), 'latin1'),
    commit,
  ])
  return pack(Buffer.concat(frames), { level: 6 })
}

/** The commits in a segment's file. Throws for other bytes. */
export async function unpackSegment(bytes: Buffer): Promise<string[]> {
  const frames = await unpack(bytes)
  const texts: string[] = []
  for (let at = 0; at < frames.length; ) {
    const from = at + lengthDigits
    at = from + Number.parseInt(frames.toString('latin1', at, from), 16)
    if (!(at > from && at <= frames.length)) throw new RangeError('the length of a commit is wrong')
    texts.push(frames.toString('utf8', from, at))
  }
  return texts
}

async function readSegment(dir: string, { first, last, file, sha256: written }: Segment): Promise<string[]> {
  const bytes = await readFile(join(dir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new StoreError(
      'log_archived',
      `the records ${first}..${last} are archived in the file ${file}, which is not in ${dir}`,
      { seq: first, file },
    )
  })
  const damaged = (detail: string, cause?: unknown) =>
    new StoreError('store_corrupt', `${file} in the archive is damaged (${detail})`, { seq: first, file }, cause)
  if (sha256(bytes).toString('hex') !== written) throw damaged('it does not match its checksum')
  return unpackSegment(bytes).catch((error: unknown) => {
    throw damaged(String(error), error)
  })
}

/** Writes a segment's file, so that it is there completely or not at all, also after a power failure. */
export async function writeSegment(dir: string, file: string, bytes: Buffer): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const draft = join(dir, `${file}.part`)
  try {
    const handle = await open(draft, 'w', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await renameFile(draft, join(dir, file))
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw new StoreError('store_unavailable', `the archive cannot be written: ${String(error)}`, { file }, error)
  }
  if (process.platform === 'win32') return // a directory cannot be synced there
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * File name of a segment.
 * @param kind of one that was not archived as it is
 */
export function segmentFile(first: number, last: number, kind?: 'recovered' | `redacted-${number}`): string {
  const name = [first, last].map((seq) => String(seq).padStart(13, '0')).join('-')
  return `${name}${kind === undefined ? '' : `-${kind}`}.log.gz`
}
