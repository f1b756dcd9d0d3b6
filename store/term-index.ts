/**
 * The secondary index: which records have a term ("op:tags.add", "actor:anna").
 *
 * Not a key per record (measured: that halves the throughput of the log). Terms of new records collect in memory, the *tail*. At 4096
 * records the tail is frozen into a *chunk*: one key per term, holding the positions of its records. The puts of a chunk ride along with the
 * following commits, a few each, so that no single commit is delayed; the last one moves the *cursor*, up to which the index is on disk.
 * After a crash the tail is derived again from the log, from the cursor on; a chunk that was written in part is simply written again.
 *
 * ```
 * t ‖ term ‖ 0 ‖ first seq of the chunk (8)   →   crc32 (4) ‖ seq − first seq (4 each)
 * u ‖ first seq of the chunk (8)              →   crc32 (4) ‖ last seq of the chunk (8)
 * m ‖ index                                   →   crc32 (4) ‖ last seq on disk (8)
 * ```
 *
 * `seqAt` needs no key of its own: times never decrease, so it searches the commits by bisection (20 seeks for a million records).
 */
import { crc32 } from 'node:zlib'
import { readSeq } from './commit.ts'
import { type Database, keys, metaKey, type Op, rangeOf, seqBytes } from './database.ts'
import { StoreError } from './errors.ts'
import type { FindOptions, LogRecord } from './types.ts'

/** Records per chunk. */
export const chunkRecords = 4096

/** Key of the cursor: the last seq whose terms are on disk. */
export const cursorKey = metaKey('index')

/** Records whose terms are in memory only. */
interface Tail {
  readonly first: number
  last: number
  records: number
  readonly terms: Map<string, number[]>
}

/** A tail that is being written. */
interface Frozen {
  readonly tail: Tail
  readonly terms: [term: string, seqs: number[]][]
  /** Terms handed out by {@link TermStore.take}; one more when the cursor was, too. */
  given: number
}

function emptyTail(first: number): Tail {
  return { first, last: first - 1, records: 0, terms: new Map() }
}

function withChecksum(body: Buffer): Buffer {
  const value = Buffer.allocUnsafe(4 + body.length)
  value.writeUInt32BE(crc32(body), 0)
  body.copy(value, 4)
  return value
}

function checked(value: Buffer, what: string): Buffer {
  const body = value.subarray(4)
  if (value.length < 4 || value.readUInt32BE(0) !== crc32(body)) {
    throw new StoreError('index_corrupt', `${what} does not match its checksum`, { key: what })
  }
  return body
}

function termPrefix(term: string): Buffer {
  if (term.includes('\0'))
    throw new StoreError('record_invalid', `index: the term ${JSON.stringify(term)} holds a NUL character`)
  return Buffer.concat([Buffer.of(keys.term), Buffer.from(term, 'utf8'), Buffer.of(0)])
}

/** The positions of one term in one chunk, as stored. */
export function encodePositions(seqs: readonly number[], first: number): Buffer {
  const body = Buffer.allocUnsafe(seqs.length * 4)
  seqs.forEach((seq, i) => {
    body.writeUInt32BE(seq - first, i * 4)
  })
  return withChecksum(body)
}

/** Key of one term in the chunk that starts at `first`. */
export function termKey(term: string, first: number): Buffer {
  return Buffer.concat([termPrefix(term), seqBytes(first)])
}

function putOf(term: string, seqs: readonly number[], first: number): Op {
  return { type: 'put', key: termKey(term, first), value: encodePositions(seqs, first) }
}

/** Ends a chunk: its extent (for `verify`) and the cursor. */
function endOf(tail: Tail): Op[] {
  const last = withChecksum(seqBytes(tail.last))
  return [
    { type: 'put', key: Buffer.concat([Buffer.of(keys.termChunk), seqBytes(tail.first)]), value: last },
    { type: 'put', key: cursorKey, value: last },
  ]
}

/** Adds the terms of one record to a map from term to positions. */
export function addTerms(
  map: Map<string, number[]>,
  terms: (r: LogRecord) => string[] | undefined,
  record: LogRecord,
): void {
  for (const term of terms(record) ?? []) {
    const seqs = map.get(term)
    if (seqs === undefined) map.set(term, [record.seq])
    else if (seqs[seqs.length - 1] !== record.seq) seqs.push(record.seq)
  }
}

/** See the head of this file. */
export class TermStore {
  readonly #database: Database
  readonly #terms: ((r: LogRecord) => string[] | undefined) | undefined
  #tail: Tail
  #frozen: Frozen | undefined

  private constructor(database: Database, terms: ((r: LogRecord) => string[] | undefined) | undefined, first: number) {
    this.#database = database
    this.#terms = terms
    this.#tail = emptyTail(first)
  }

  /** Reads the cursor; {@link add} must then be called with every record after {@link through}. */
  static async open(database: Database, terms?: (r: LogRecord) => string[] | undefined): Promise<TermStore> {
    const value = await database.get(cursorKey)
    return new TermStore(
      database,
      terms,
      value === undefined ? 1 : readSeq(checked(value, 'the cursor of the index'), 0) + 1,
    )
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

  /** True when a whole chunk waits to be written. */
  get chunkIsReady(): boolean {
    return this.#frozen !== undefined
  }

  /** Adds the records of one durable commit, in order. */
  add(records: readonly LogRecord[]): void {
    if (this.#terms === undefined) return
    const tail = this.#tail
    for (const record of records) {
      addTerms(tail.terms, this.#terms, record)
      tail.last = record.seq
    }
    tail.records += records.length
    if (tail.records >= chunkRecords && this.#frozen === undefined) this.#freeze()
  }

  /**
   * Puts to write along with a commit of `records` records: enough to be done before the next chunk is full.
   * {@link taken} must follow when they are durable, before the next call; a commit that fails ends all writing.
   */
  take(records: number): Op[] {
    const frozen = this.#frozen
    if (frozen === undefined) return []
    const { tail, terms } = frozen
    const to = frozen.given + 16 + Math.ceil((records * terms.length * 1.5) / chunkRecords)
    const ops = terms.slice(frozen.given, to).map(([term, seqs]) => putOf(term, seqs, tail.first))
    if (to > terms.length) ops.push(...endOf(tail))
    frozen.given = to
    return ops
  }

  /** What {@link take} gave last is durable. */
  taken(): void {
    if (this.#frozen !== undefined && this.#frozen.given > this.#frozen.terms.length) this.#frozen = undefined
  }

  /** All that is not on disk yet, as one batch; memory is empty afterwards. Used when closing and rebuilding. */
  takeAll(): Op[] {
    const tails = [this.#frozen?.tail, this.#tail].filter((tail) => tail !== undefined && tail.records > 0) as Tail[]
    const ops = tails.flatMap((tail) => [
      ...[...tail.terms].map(([term, seqs]) => putOf(term, seqs, tail.first)),
      ...endOf(tail),
    ])
    this.#frozen = undefined
    this.#tail = emptyTail(this.#tail.last + 1)
    return ops
  }

  /** See {@link TermIndex.find}. */
  async find(term: string, o: FindOptions = {}): Promise<number[]> {
    if (this.#terms === undefined)
      throw new StoreError('index_unavailable', 'find: the store was opened without a `terms` function')
    const limit = o.limit ?? Number.POSITIVE_INFINITY
    const collected = new Positions(o.after ?? 0, o.before ?? Number.POSITIVE_INFINITY, limit, o.reverse === true)
    // A copy now: what is frozen may reach the disk while it is being read, and is then found there too (and counted once).
    const memory = [this.#frozen?.tail, this.#tail].map((tail) => tail?.terms.get(term)?.slice() ?? [])
    if (limit <= 0) return []
    if (collected.reverse) {
      for (const seqs of memory.reverse()) collected.add(seqs)
      if (!collected.isFull) await this.#collectFromDisk(term, collected)
    } else {
      await this.#collectFromDisk(term, collected)
      for (const seqs of memory) collected.add(seqs)
    }
    return collected.seqs
  }

  /** Forgets the whole index, on disk too ({@link add} then starts at seq 1). */
  async clear(write: (ops: Op[]) => Promise<void>): Promise<void> {
    this.#frozen = undefined
    this.#tail = emptyTail(1)
    await write([{ type: 'del', key: cursorKey }])
    for (const prefix of [keys.term, keys.termChunk]) {
      for await (const chunk of this.#database.chunks(rangeOf(prefix), {
        values: false,
        highWaterMarkBytes: 64 * 1024,
      })) {
        await write(chunk.map(([key]) => ({ type: 'del', key })))
      }
    }
  }

  /** The chunks on disk, in order; for `verify`. */
  async *chunks(): AsyncGenerator<{ first: number; last: number }> {
    for await (const entries of this.#database.chunks(rangeOf(keys.termChunk))) {
      for (const [key, value] of entries) {
        const first = readSeq(key, 1)
        yield { first, last: readSeq(checked(value, `the chunk of the index from seq ${first} on`), 0) }
      }
    }
  }

  /** The stored positions of some terms in the chunk that starts at `first`; for `verify`. */
  stored(terms: readonly string[], first: number): Promise<(Buffer | undefined)[]> {
    return this.#database.getMany(terms.map((term) => termKey(term, first)))
  }

  #freeze(): void {
    this.#frozen = { tail: this.#tail, terms: [...this.#tail.terms], given: 0 }
    this.#tail = emptyTail(this.#tail.last + 1)
  }

  async #collectFromDisk(term: string, collected: Positions): Promise<void> {
    const prefix = termPrefix(term)
    const range = rangeOf(prefix)
    if (collected.before < Number.MAX_SAFE_INTEGER) range.lt = Buffer.concat([prefix, seqBytes(collected.before)])
    if (collected.after > 0) {
      // The chunk that holds `after` may start before it.
      const start = await this.#database.edge(
        { gte: range.gte, lt: Buffer.concat([prefix, seqBytes(collected.after + 1)]) },
        'last',
      )
      if (start !== undefined) range.gte = start[0]
    }
    if (range.gte.compare(range.lt) >= 0) return
    const small = collected.limit <= chunkRecords ? { highWaterMarkBytes: 16 * 1024 } : {}
    for await (const chunk of this.#database.chunks(range, { reverse: collected.reverse, ...small })) {
      for (const [key, value] of chunk) {
        const first = readSeq(key, key.length - 8)
        const body = checked(value, `the index of ${JSON.stringify(term)} from seq ${first} on`)
        const seqs: number[] = []
        for (let at = 0; at + 4 <= body.length; at += 4) seqs.push(first + body.readUInt32BE(at))
        collected.add(seqs)
        if (collected.isFull) return
      }
    }
  }
}

/** Collects ascending runs, each once, until the limit. */
class Positions {
  readonly seqs: number[] = []

  constructor(
    readonly after: number,
    readonly before: number,
    readonly limit: number,
    readonly reverse: boolean,
  ) {}

  get isFull(): boolean {
    return this.seqs.length >= this.limit
  }

  /** Adds one ascending run. A chunk that was written twice, after a crash, can repeat positions: they must go on strictly. */
  add(run: readonly number[]): void {
    for (let i = 0; i < run.length && !this.isFull; i++) {
      const seq = run[this.reverse ? run.length - 1 - i : i] as number
      const last = this.seqs[this.seqs.length - 1]
      const goesOn = last === undefined || (this.reverse ? seq < last : seq > last)
      if (goesOn && seq > this.after && seq < this.before) this.seqs.push(seq)
    }
  }
}
