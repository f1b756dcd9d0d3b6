import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClassicLevel, IteratorOptions, Snapshot } from 'classic-level'
import { Level } from 'level'
import { logKey, logPrefix, writeSeq } from './commit.ts'
import { StoreError } from './errors.ts'
import { storeErrorOf } from './leveldb/errors.ts'
import { tableHolding } from './leveldb/file-names.ts'

/** One change of a batch. */
export type Op = { type: 'put'; key: Buffer; value: Buffer } | { type: 'del'; key: Buffer }

/** Key and value. */
export type Entry = [key: Buffer, value: Buffer]

/** A half-open range of keys. */
export interface KeyRange {
  gte: Buffer
  lt: Buffer
}

/**
 * The kinds of keys, by first byte. The log comes first and the head right after it. The table file that LevelDB makes
 * of each memtable then spans [newest log key, …) and overlaps no older part of the log, so compaction does not rewrite
 * the log again and again.
 */
export const keys = {
  log: logPrefix, // l ‖ first seq
  meta: 0x6d, // m ‖ name: head, format, index cursor
  blob: 0x6f, // o ‖ sha256
  piece: 0x70, // p ‖ upload id (16) ‖ number (4)
  checkpoint: 0x71, // q ‖ generation (8) ‖ chunk (4); the manifest is chunk 0xffffffff
  segment: 0x73, // s ‖ first seq of an archived segment (8)
  term: 0x74, // t ‖ bucket (1) ‖ first seq of the chunk (8)
  setAside: 0x78, // x ‖ time (8) ‖ a key that an earlier version's recovery took out of the log
} as const

/** Directory of the database inside a data directory. */
export function databasePath(dir: string): string {
  return join(dir, 'db')
}

/** Key of the layout of keys and values. */
export const formatKey = Buffer.from('mformat', 'latin1')
/** Layout of the keys and values: without and with archived segments, and with notes of a recovery. */
const liveFormat = '3'
const archiveFormat = '4'
export const recoveredFormat = '5'
/** With redacted commits too. */
export const redactedFormat = '6'
/**
 * Formats that can be read. In format 2 the packed records are always rows of the plain codec (record-codec.ts).
 */
export const readFormats = ['2', liveFormat, archiveFormat, recoveredFormat, redactedFormat]

/** The format of a store whose stored one is given. */
export function formatFor(stored: Buffer | undefined, hasArchive: boolean): Buffer {
  if (stored !== undefined && [recoveredFormat, redactedFormat].includes(stored.toString())) return stored
  return Buffer.from(hasArchive ? archiveFormat : liveFormat)
}

/** Key of a single named value. */
export function metaKey(name: string): Buffer {
  return Buffer.from(`m${name}`, 'latin1')
}

/** All keys that start with `prefix`. */
export function rangeOf(...prefix: (number | Buffer)[]): KeyRange {
  const gte = Buffer.concat(prefix.map((part) => (typeof part === 'number' ? Buffer.of(part) : part)))
  const lt = Buffer.from(gte)
  for (let i = lt.length - 1; i >= 0; i--) {
    const byte = lt[i] as number
    if (byte < 0xff) {
      lt[i] = byte + 1
      return { gte, lt: lt.subarray(0, i + 1) }
    }
  }
  throw new RangeError('no key follows this prefix')
}

/** A sequence number as 8 bytes, big-endian. */
export function seqBytes(seq: number): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  writeSeq(bytes, seq, 0)
  return bytes
}

/**
 * Memory (bytes) that LevelDB fills before it writes a table; also the size of a `.log` file, which an open after a
 * crash replays.
 */
export const writeBufferBytes = 4 * 1024 * 1024

const bufferEncodings = { keyEncoding: 'buffer', valueEncoding: 'buffer' }

/**
 * LevelDB with buffers for keys and values and translated errors. Reads are direct; all writes go through the {@link
 * WriteLane}.
 */
export class Database {
  readonly path: string
  /**
   * Copies of `.log` files that were damaged at this open: LevelDB has deleted the originals, with everything it
   * dropped.
   */
  keptLogs: readonly string[]
  #level: ClassicLevel<Buffer, Buffer>

  private constructor(path: string, level: ClassicLevel<Buffer, Buffer>, keptLogs: readonly string[]) {
    this.path = path
    this.keptLogs = keptLogs
    this.#level = level
  }

  /**
   * Opens `path`. Never lets LevelDB create a new database over the remains of an old one: without CURRENT it would
   * start empty and delete the tables as obsolete (DBImpl::Recover). Refuses damaged files too, see
   * leveldb/check-files.ts.
   * @param acceptsLoss a `.log` file may be missing
   */
  static async open(path: string, create: boolean, acceptsLoss = false): Promise<Database> {
    const names = await readdir(path).catch((): string[] => [])
    const exists = names.some((name) => /^(CURRENT|MANIFEST-\d+|\d+\.(ldb|sst))$/.test(name))
    if (!exists && !create) throw new StoreError('store_missing', `open: there is no log in ${path}`)
    const keptLogs = exists ? await checked(path, names, acceptsLoss) : []
    if (!exists) await mkdir(path, { recursive: true })
    // In Node `Level` is ClassicLevel; its own types only declare what it also has in a browser.
    const level = new Level(path, bufferEncodings) as unknown as ClassicLevel<Buffer, Buffer>
    try {
      await level.open({ createIfMissing: !exists, writeBufferSize: writeBufferBytes })
    } catch (error) {
      throw storeErrorOf(error, 'open')
    }
    return new Database(path, level, keptLogs)
  }

  /**
   * Closes the database and opens it again: LevelDB refuses every write after one that failed. Reads that are under way
   * fail with `store_unavailable`. Where it cannot be opened it stays closed, and this can be called again.
   */
  async reopen(): Promise<void> {
    await this.#level.close()
    const again = await Database.open(this.path, false)
    this.#level = again.#level
    this.keptLogs = again.keptLogs
  }

  async get(key: Buffer): Promise<Buffer | undefined> {
    try {
      return await this.#level.get(key)
    } catch (error) {
      throw storeErrorOf(error, 'read')
    }
  }

  async getMany(list: Buffer[]): Promise<(Buffer | undefined)[]> {
    try {
      return await this.#level.getMany(list)
    } catch (error) {
      throw storeErrorOf(error, 'read')
    }
  }

  async hasMany(list: Buffer[]): Promise<boolean[]> {
    try {
      return await this.#level.hasMany(list)
    } catch (error) {
      throw storeErrorOf(error, 'read')
    }
  }

  /** The first entry of a range, or the last one. */
  async edge(range: KeyRange, which: 'first' | 'last'): Promise<Entry | undefined> {
    for await (const chunk of this.chunks(range, { reverse: which === 'last', limit: 1 })) return chunk[0]
    return undefined
  }

  /** The last entry of the log that begins before `seq`. */
  logEntryBefore(seq: number): Promise<Entry | undefined> {
    return this.edge({ gte: rangeOf(keys.log).gte, lt: logKey(seq) }, 'last')
  }

  /**
   * The entries of a range, in chunks. The next chunk is fetched while the caller works on this one.
   * @param options `highWaterMarkBytes`: size of a chunk (256 KiB by default: replay of small commits is 5-10 % quicker
   * than with 1 MiB)
   */
  async *chunks(range: KeyRange, options: IteratorOptions<Buffer, Buffer> = {}): AsyncGenerator<Entry[]> {
    const iterator = this.#iterator({ highWaterMarkBytes: 256 * 1024, ...range, ...options })
    const fetch = (): Promise<Entry[]> => {
      const next = iterator.nextv(options.limit === undefined || options.limit < 0 ? 100_000 : options.limit)
      next.catch(() => {}) // delivered by the await below; the caller may stop before
      return next
    }
    try {
      let ahead = options.limit === 1 ? undefined : fetch()
      for (;;) {
        const chunk = await (ahead ?? fetch())
        if (chunk.length === 0) return
        if (ahead !== undefined) ahead = fetch()
        yield chunk
        if (ahead === undefined) return
      }
    } catch (error) {
      throw storeErrorOf(error, 'read')
    } finally {
      await iterator.close()
    }
  }

  #iterator(options: IteratorOptions<Buffer, Buffer>) {
    try {
      return this.#level.iterator(options)
    } catch (error) {
      throw storeErrorOf(error, 'read')
    }
  }

  /** Like {@link chunks}, but only the values, as UTF-8 text: for the log. */
  async *texts(range: KeyRange, options: { reverse?: boolean } = {}): AsyncGenerator<string[]> {
    const textOnly = { keys: false, valueEncoding: 'utf8' as const }
    for await (const chunk of this.chunks(range, { ...options, ...textOnly } as IteratorOptions<Buffer, Buffer>)) {
      // `utf8` gives text where the type of the database says Buffer.
      yield chunk.map((entry) => entry[1] as unknown as string)
    }
  }

  /** The database as it is now, for the option `snapshot` of {@link chunks}; must be closed. */
  snapshot(): Snapshot {
    return this.#level.snapshot()
  }

  /** One atomic write. Only the {@link WriteLane} calls this. */
  batch(ops: Op[], sync: boolean): Promise<void> {
    return this.#level.batch(ops, { sync })
  }

  /** About the bytes that the keys `from` up to (not including) `to` take in the tables. */
  bytesOf(from: Buffer, to: Buffer): Promise<number> {
    return this.#level.approximateSize(from, to)
  }

  /** Frees the space of what was removed in a range. */
  async compact(from: Buffer, to: Buffer): Promise<void> {
    await this.#level.compactRange(from, to)
  }

  /**
   * Moves the memtable into a table file, so that the next open has no `.log` to replay
   * (DBImpl::CompactRange always compacts the memtable first; the range itself is empty).
   */
  async flushMemory(): Promise<void> {
    await this.#level.compactRange(Buffer.from([0xff, 0xfe]), Buffer.from([0xff, 0xff]))
  }

  /** Name of the table file that contains `key`, if LevelDB reports one. */
  fileOf(key: Buffer): string | undefined {
    return tableHolding(key, this.#level.getProperty('leveldb.sstables'))
  }

  close(): Promise<void> {
    return this.#level.close()
  }
}

/** See {@link checkFiles}; that module is not loaded when there are no files. */
async function checked(path: string, names: readonly string[], acceptsLoss: boolean): Promise<string[]> {
  const { checkFiles } = await import('./leveldb/check-files.ts')
  return checkFiles(path, names, acceptsLoss).catch((error: unknown) => {
    throw storeErrorOf(error, 'open')
  })
}
