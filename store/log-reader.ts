import type { LRUCache } from 'lru-cache'
import { defined } from '../lib/optional.ts'
import type { Archive } from './archive.ts'
import {
  assertFollows,
  assertWhole,
  type Commit,
  decodeCommit,
  decodeEntry,
  lastSeqOf,
  linkOf,
  logKey,
  noHash,
  recordsOf,
  storedCommit,
} from './commit.ts'
import type { Database } from './database.ts'
import { StoreError } from './errors.ts'
import type { LogRecord, ReadRange, RecordCodec, Replayed, ReplayOptions, StoredCommit } from './types.ts'

/** Size of the cache of parsed commits ({@link LogReader.commitOf}), in bytes of packed JSON. */
const cacheBytes = 8 * 1024 * 1024

/**
 * The key range of commits that can contain a record of `from..to`, given the first seq of the commit that contains
 * `from`.
 */
function commitRange(first: number, to: number): { gte: Buffer; lt: Buffer } {
  return { gte: logKey(first), lt: logKey(to + 1) }
}

/** Reads the log. Only durable records are visible. */
export class LogReader {
  readonly #database: Database
  readonly #archive: Archive
  readonly #codec: RecordCodec
  readonly #durableSeq: () => number
  readonly #onFault: (error: StoreError) => void
  #cache: LRUCache<number, readonly LogRecord[]> | undefined

  /** @param onFault called with every damage found while reading */
  constructor(
    database: Database,
    archive: Archive,
    codec: RecordCodec,
    durableSeq: () => number,
    onFault: (error: StoreError) => void,
  ) {
    this.#database = database
    this.#archive = archive
    this.#codec = codec
    this.#durableSeq = durableSeq
    this.#onFault = onFault
  }

  /** See {@link Log.read}. */
  async *read(o: ReadRange = {}): AsyncGenerator<readonly LogRecord[]> {
    const from = Math.max(1, o.from ?? 1)
    const to = Math.min(this.#durableSeq(), o.to ?? Number.POSITIVE_INFINITY)
    if (from > to) return
    try {
      for await (const commit of this.#commits(from, to, o.reverse === true)) {
        const records = recordsOf(commit, this.#codec)
        const last = lastSeqOf(commit)
        yield commit.first >= from && last <= to
          ? records
          : records.filter((record) => record.seq >= from && record.seq <= to)
      }
    } catch (error) {
      throw this.#found(error)
    }
  }

  /** See {@link Log.commits}. */
  async *stored(o: { from: number; to?: number }): AsyncGenerator<StoredCommit> {
    const from = Math.max(1, o.from)
    const to = Math.min(this.#durableSeq(), o.to ?? Number.POSITIVE_INFINITY)
    if (from > to) return
    try {
      for await (const commit of this.#commits(from, to, false)) yield storedCommit(commit, this.#codec)
    } catch (error) {
      throw this.#found(error)
    }
  }

  /** See {@link Log.replay}. */
  async replay(o: ReplayOptions, each: (r: LogRecord) => void): Promise<Replayed> {
    const from = Math.max(1, o.from ?? 1)
    const to = this.#durableSeq()
    let records = 0
    let bytes = 0
    if (from > to) return { records, bytes, lastSeq: to }
    try {
      const start = await this.#firstOf(from)
      let expected = start
      let previous = start === 1 ? noHash : undefined
      for await (const texts of this.texts(start, to)) {
        for (const text of texts) {
          const commit = decodeCommit(text)
          if (commit.first !== expected) throw gapError(this.#database, expected, commit.first)
          if (o.checkChain === true) assertWhole(commit)
          if (previous !== undefined) assertFollows(commit, previous)
          previous = linkOf(commit)
          expected += commit.count
          bytes += text.length - commit.packedAt
          for (const record of recordsOf(commit, this.#codec)) {
            if (record.seq < from || record.seq > to) continue
            records++
            each(record)
          }
        }
      }
      if (expected <= to) throw gapError(this.#database, expected, to + 1)
    } catch (error) {
      throw this.#found(error)
    }
    return { records, bytes, lastSeq: to }
  }

  /** What was read before is not in the log any more. */
  forget(): void {
    this.#cache?.clear()
  }

  /** See {@link Log.get}. */
  async get(seq: number): Promise<LogRecord | undefined> {
    const records = await this.commitOf(seq)
    return records?.[seq - (records[0] as LogRecord).seq]
  }

  /** See {@link Log.commitOf}. */
  async commitOf(seq: number): Promise<readonly LogRecord[] | undefined> {
    if (!Number.isInteger(seq) || seq < 1 || seq > this.#durableSeq()) return undefined
    try {
      const commit = await this.#holding(seq)
      const kept = this.#cache?.get(commit.first)
      if (kept !== undefined) return kept
      assertWhole(commit)
      const records = recordsOf(commit, this.#codec)
      this.#cache ??= new (await import('lru-cache')).LRUCache({ maxSize: cacheBytes })
      this.#cache.set(commit.first, records, { size: commit.text.length })
      return records
    } catch (error) {
      throw this.#found(error)
    }
  }

  /** See {@link TermIndex.seqAt}: bisection over the commits. */
  async seqAt(timeMs: number): Promise<number> {
    let low = 1 // every record before `low` is earlier
    let high = this.#durableSeq() + 1 // the record at `high`, if any, is not earlier
    const segment = this.#archive.segments.find(({ lastTime }) => lastTime >= timeMs)
    if (segment === undefined) low = this.#archive.through + 1
    else [low, high] = [segment.first, segment.last]
    while (low < high) {
      const records = (await this.commitOf(Math.floor((low + high) / 2))) as readonly LogRecord[]
      const first = records[0] as LogRecord
      const last = records[records.length - 1] as LogRecord
      if (last.time < timeMs) low = last.seq + 1
      else if (first.time >= timeMs) high = first.seq
      else return (records.find((record) => record.time >= timeMs) as LogRecord).seq
    }
    return low
  }

  /** The commits that contain a record of `from..to`, as text, from the archive and from LevelDB. */
  async *texts(from: number, to: number, reverse = false): AsyncGenerator<string[]> {
    const archive = this.#archive
    if (!reverse) {
      let next = from
      for (;;) {
        while (next <= to && next <= archive.through) {
          const segment = archive.holding(next)
          yield archive.textsOf(segment, next, Math.min(to, segment.last))
          next = segment.last + 1
        }
        if (next > to) return
        const first = await this.#firstOf(next)
        // The iterator begins in this turn, so no commit can move into the archive before it has its snapshot.
        if (next > archive.through) return yield* this.#database.texts(commitRange(first, to))
      }
    }
    let live = Math.max(from, archive.through + 1)
    while (live <= to) {
      const first = await this.#firstOf(live)
      if (live > archive.through) {
        yield* this.#database.texts(commitRange(first, to), { reverse })
        break
      }
      live = archive.through + 1
    }
    for (let last = Math.min(to, live - 1); last >= from; ) {
      const segment = archive.holding(last)
      yield (await archive.textsOf(segment, Math.max(from, segment.first), last)).reverse()
      last = segment.first - 1
    }
  }

  /** The commits that contain `from..to`, checked: hash, order, no gap. */
  async *#commits(from: number, to: number, reverse: boolean): AsyncGenerator<Commit> {
    const start = await this.#firstOf(from)
    let previous: Commit | undefined
    for await (const texts of this.texts(start, to, reverse)) {
      for (const text of texts) {
        const commit = decodeCommit(text)
        assertWhole(commit)
        if (reverse) this.#assertBefore(commit, previous, to)
        else this.#assertAfter(commit, previous, start)
        previous = commit
        yield commit
      }
    }
    const reached = previous === undefined ? 0 : reverse ? previous.first : lastSeqOf(previous)
    if (reverse && (previous === undefined || reached > start))
      throw gapError(this.#database, start, previous === undefined ? to + 1 : reached)
    if (!reverse && reached < to) throw gapError(this.#database, Math.max(start, reached + 1), to + 1)
  }

  #assertAfter(commit: Commit, previous: Commit | undefined, start: number): void {
    const expected = previous === undefined ? start : previous.first + previous.count
    if (commit.first !== expected) throw gapError(this.#database, expected, commit.first)
    if (previous !== undefined) assertFollows(commit, linkOf(previous))
  }

  #assertBefore(commit: Commit, next: Commit | undefined, to: number): void {
    const end = commit.first + commit.count
    if (next === undefined ? end <= to : end !== next.first) throw gapError(this.#database, end, next?.first ?? to + 1)
    if (next !== undefined) assertFollows(next, linkOf(commit))
  }

  async #firstOf(seq: number): Promise<number> {
    return seq === 1 ? 1 : (await this.#holding(seq)).first
  }

  /** The commit that contains a durable `seq`. */
  async #holding(seq: number): Promise<Commit> {
    if (seq <= this.#archive.through) {
      const [text] = await this.#archive.textsOf(this.#archive.holding(seq), seq, seq)
      if (text === undefined) throw gapError(this.#database, seq, seq + 1)
      return decodeCommit(text)
    }
    const found = await this.#database.logEntryBefore(seq + 1)
    if (found === undefined) throw gapError(this.#database, 1, seq + 1)
    const commit = decodeEntry(found)
    const end = commit.first + commit.count
    if (end <= seq) throw gapError(this.#database, end, seq + 1)
    return commit
  }

  /** Adds the file name to an error about damage, and reports it. */
  #found(error: unknown): unknown {
    if (!(error instanceof StoreError) || error.code !== 'store_corrupt') return error
    const { seq } = error.place
    const file =
      error.place.file ?? (seq === undefined || Number.isNaN(seq) ? undefined : this.#database.fileOf(logKey(seq)))
    const named =
      file === undefined || error.message.includes(file)
        ? error
        : new StoreError(error.code, `${error.message} (${file})`, { ...error.place, file }, error)
    this.#onFault(named)
    return named
  }
}

/**
 * `store_corrupt` for the missing records from `from` up to (not including) `end`, with the table file that they belong
 * to.
 */
export function gapError(database: Database, from: number, end: number): StoreError {
  const seqs = end - 1 <= from ? `record ${from} is` : `records ${from}..${end - 1} are`
  const file = database.fileOf(logKey(from))
  const where = file === undefined ? '' : ` (${file})`
  return new StoreError('store_corrupt', `the log has a gap: ${seqs} missing or unreadable${where}`, {
    seq: from,
    ...defined({ file }),
  })
}
