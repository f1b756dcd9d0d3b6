/**
 * The secondary index: which records have a term ("op:tags.add", "actor:anna").
 *
 * It has no key per record or per term (measured: a key costs 10 µs of processor time, compaction included, as much as
 * the rest of a record). Terms of new records collect in memory, in the *tail*. At 16384 records the tail is frozen
 * into a *chunk* of 64 values; the checksum of a term selects its value. These puts are written with the following
 * commits, a few each, so that none is delayed. The last ones move the *cursor*, up to which the index is on disk.
 * After a crash the tail is derived again from the log, from the cursor on; a partly written chunk is written again.
 * Every chunk has all 64 values, and each names the chunk's extent, so that a missing one is noticed.
 *
 * ```
 * t ‖ bucket (1) ‖ first seq of the chunk (8)   →   one of the 64 values, see term-chunks.ts
 * m ‖ index                                     →   crc32 (4) ‖ last seq on disk (8)
 * m ‖ index-tail                                →   crc32 (4) ‖ JSON: the tail, written at close
 *                                                   so that the next open need not derive it
 * ```
 */
import { readSeq } from './commit.ts'
import { type Database, keys, metaKey, type Op, rangeOf, seqBytes } from './database.ts'
import { StoreError } from './errors.ts'
import {
  addTerms,
  bucketKey,
  bucketOf,
  buckets,
  byBucket,
  checked,
  type Entry,
  encodeBucket,
  positionsIn,
  type TermMap,
  type TermsOf,
  withChecksum,
} from './term-chunks.ts'
import type { FindOptions, LogRecord } from './types.ts'

/**
 * Records per chunk. A put costs 4 µs of the main thread, so that chunks of a quarter of the size would cost every
 * command half a microsecond more.
 */
const chunkRecords = 16_384
/** Key of the cursor: the last seq whose terms are on disk. */
const cursorKey = metaKey('index')
/** Key of the saved tail. */
const tailKey = metaKey('index-tail')

/** Records whose terms are only in memory. */
interface Tail {
  readonly first: number
  last: number
  records: number
  readonly terms: TermMap
  /** The same by bucket, sorted in as they come: to sort all at once would delay every request of that moment. */
  readonly byBucket: Entry[][]
}

/** A tail that is being written. */
interface Frozen {
  readonly tail: Tail
  /** Number of buckets given by {@link TermStore.take}. */
  given: number
}

function emptyTail(first: number): Tail {
  return { first, last: first - 1, records: 0, terms: new Map(), byBucket: byBucket(new Map()) }
}

function putBucket({ tail }: Frozen, bucket: number): Op {
  return {
    type: 'put',
    key: bucketKey(bucket, tail.first),
    value: encodeBucket(tail.byBucket[bucket] ?? [], tail.first, tail.last),
  }
}

function putCursor(last: number): Op {
  return { type: 'put', key: cursorKey, value: withChecksum(seqBytes(last)) }
}

/** See the head of this file. */
export class TermStore {
  readonly #database: Database
  readonly #terms: TermsOf | undefined
  #tail: Tail
  #frozen: Frozen | undefined

  private constructor(database: Database, terms: TermsOf | undefined, tail: Tail) {
    this.#database = database
    this.#terms = terms
    this.#tail = tail
  }

  /** Reads the cursor and the saved tail; {@link add} must then be called with every record after {@link last}. */
  static async open(database: Database, durableSeq: number, terms?: TermsOf): Promise<TermStore> {
    const [cursor, saved] = await database.getMany([cursorKey, tailKey])
    const through = cursor === undefined ? 0 : readSeq(checked(cursor, 'the cursor of the index'), 0)
    if (through > durableSeq) {
      throw new StoreError('index_corrupt', `the index reaches to seq ${through}, the log to ${durableSeq}`, {
        seq: through,
      })
    }
    const tail = saved === undefined || terms === undefined ? undefined : parseTail(saved)
    const fits = tail !== undefined && tail.first === through + 1 && tail.last <= durableSeq
    return new TermStore(database, terms, fits ? tail : emptyTail(through + 1))
  }

  /** True when the store was opened with a `terms` function. */
  get enabled(): boolean {
    return this.#terms !== undefined
  }

  /** Last seq whose terms are on disk. */
  get through(): number {
    return (this.#frozen?.tail ?? this.#tail).first - 1
  }

  /** Last seq that was added. */
  get last(): number {
    return this.#tail.last
  }

  /** Adds the records of one durable commit, in order. */
  add(records: readonly LogRecord[]): void {
    if (this.#terms === undefined) return
    const tail = this.#tail
    for (const record of records) addTerms(tail.terms, this.#terms, record, tail.byBucket)
    tail.last += records.length
    tail.records += records.length
    if (tail.records >= chunkRecords && this.#frozen === undefined) this.#freeze()
  }

  /** A batch that had values of the index was lost: they are given again. */
  giveAgain(): void {
    if (this.#frozen !== undefined) this.#frozen.given = 0
  }

  /** Goes on after a record; those up to it cannot be read. */
  skip(through: number): void {
    this.#tail.records += through - this.#tail.last
    this.#tail.last = through
    if (this.#tail.records >= chunkRecords && this.#frozen === undefined) this.#freeze()
  }

  /**
   * Puts to write together with a commit of `records` records: enough to be done before the next chunk is full. {@link
   * taken} must follow when they are durable, before the next call; a commit that fails ends all writing.
   */
  take(records: number): Op[] {
    const frozen = this.#frozen
    if (frozen === undefined) return []
    const to = Math.min(buckets, frozen.given + 1 + Math.ceil((records * buckets * 1.5) / chunkRecords))
    const ops: Op[] = []
    while (frozen.given < to) ops.push(putBucket(frozen, frozen.given++))
    if (frozen.given === buckets) ops.push(putCursor(frozen.tail.last))
    return ops
  }

  /** The last result of {@link take} is durable. */
  taken(): void {
    if (this.#frozen?.given === buckets) this.#frozen = undefined
  }

  /** The rest of the chunk that is being written, if any, as one batch. */
  takeFrozen(): Op[] {
    const frozen = this.#frozen
    if (frozen === undefined) return []
    this.#frozen = undefined
    return [...frozen.tail.byBucket.map((_, bucket) => putBucket(frozen, bucket)), putCursor(frozen.tail.last)]
  }

  /** Everything that is not on disk yet, as one batch; used when closing. */
  takeAll(): Op[] {
    const ops = this.takeFrozen()
    const { first, last, records, terms } = this.#tail
    if (records > 0) {
      const json = JSON.stringify({ first, last, records, terms: [...terms] })
      ops.push({ type: 'put', key: tailKey, value: withChecksum(Buffer.from(json, 'utf8')) })
    }
    return ops
  }

  /** See {@link TermIndex.find}. */
  async find(term: string, o: FindOptions = {}): Promise<number[]> {
    if (this.#terms === undefined)
      throw new StoreError('index_unavailable', 'find: the store was opened without a `terms` function')
    const hits = new Hits(o)
    const { through } = this
    // Copied now, because frozen terms can reach the disk during the read. Of the disk, only what is there now is read.
    const memory = [this.#frozen?.tail, this.#tail].map((tail) => tail?.terms.get(term)?.slice() ?? [])
    if (hits.reverse) {
      for (const seqs of memory.reverse()) hits.add(seqs)
      if (!hits.isFull) await this.#collect(term, through, hits)
    } else {
      if (!hits.isFull) await this.#collect(term, through, hits)
      for (const seqs of memory) hits.add(seqs)
    }
    return hits.seqs
  }

  /** Clears the whole index, on disk too ({@link add} then starts at seq 1). */
  async clear(write: (ops: Op[]) => Promise<void>): Promise<void> {
    this.#frozen = undefined
    this.#tail = emptyTail(1)
    await write([
      { type: 'del', key: cursorKey },
      { type: 'del', key: tailKey },
    ])
    for await (const chunk of this.#database.chunks(rangeOf(keys.term), {
      values: false,
      highWaterMarkBytes: 16 * 1024,
    })) {
      await write(chunk.map(([key]) => ({ type: 'del', key })))
    }
  }

  /** The chunks on disk, in order; for `verify`. */
  async *chunks(): AsyncGenerator<{ first: number; last: number }> {
    for await (const entries of this.#database.chunks(rangeOf(keys.term, 0))) {
      for (const [key, value] of entries) {
        const first = readSeq(key, 2)
        yield { first, last: readSeq(checked(value, `the chunk of the index from seq ${first} on`), 0) }
      }
    }
  }

  /** The stored values of the chunk that starts at `first`, by bucket; for `verify`. */
  stored(first: number): Promise<(Buffer | undefined)[]> {
    return this.#database.getMany(Array.from({ length: buckets }, (_, bucket) => bucketKey(bucket, first)))
  }

  #freeze(): void {
    this.#frozen = { tail: this.#tail, given: 0 }
    this.#tail = emptyTail(this.#tail.last + 1)
  }

  /** Collects from the chunks on disk, up to `through`. A missing chunk is an error, not a shorter answer. */
  async #collect(term: string, through: number, hits: Hits): Promise<void> {
    const bucket = bucketOf(term)
    const name = Buffer.from(term, 'utf8')
    const end = Math.min(through, hits.before - 1)
    if (end < 1 || hits.after >= end) return
    const start = await this.#database.edge(
      { gte: bucketKey(bucket, 1), lt: bucketKey(bucket, hits.after + 2) },
      'last',
    )
    const from = start === undefined ? 1 : readSeq(start[0], 2)
    const range = { gte: bucketKey(bucket, from), lt: bucketKey(bucket, end + 1) }
    let expected = hits.reverse ? undefined : from
    let reached = hits.reverse ? Number.POSITIVE_INFINITY : from - 1
    for await (const entries of this.#database.chunks(range, {
      reverse: hits.reverse,
      highWaterMarkBytes: 128 * 1024,
    })) {
      for (const [key, value] of entries) {
        const first = readSeq(key, 2)
        const body = checked(value, `the index from seq ${first} on (bucket ${bucket})`)
        const last = readSeq(body, 0)
        if (hits.reverse ? (expected === undefined ? last < end : last !== expected) : first !== expected)
          throw missingChunk(first, last)
        expected = hits.reverse ? first - 1 : last + 1
        reached = hits.reverse ? first : last
        hits.add(positionsIn(body, name, first))
        if (hits.isFull) return
      }
    }
    if (hits.reverse ? reached > from : reached < end) throw missingChunk(from, end)
  }
}

function missingChunk(first: number, last: number): StoreError {
  return new StoreError('index_corrupt', `the index has a gap before, after or in the records ${first}..${last}`, {
    seq: first,
  })
}

function parseTail(value: Buffer): Tail {
  const { first, last, records, terms } = JSON.parse(checked(value, 'the saved tail of the index').toString('utf8'))
  const map: TermMap = new Map(terms)
  return { first, last, records, terms: map, byBucket: byBucket(map) }
}

/** Collects positions between `after` and `before`, up to the limit. */
class Hits {
  readonly seqs: number[] = []
  readonly after: number
  readonly before: number
  readonly reverse: boolean
  readonly #limit: number

  constructor(o: FindOptions) {
    this.after = Math.max(0, o.after ?? 0)
    this.before = Math.min(Number.MAX_SAFE_INTEGER / 64, o.before ?? Number.POSITIVE_INFINITY)
    this.reverse = o.reverse === true
    this.#limit = o.limit ?? Number.POSITIVE_INFINITY
  }

  get isFull(): boolean {
    return this.seqs.length >= this.#limit
  }

  /** Adds one ascending run. */
  add(run: readonly number[]): void {
    for (let i = 0; i < run.length && !this.isFull; i++) {
      const seq = run[this.reverse ? run.length - 1 - i : i] as number
      if (seq > this.after && seq < this.before) this.seqs.push(seq)
    }
  }
}
