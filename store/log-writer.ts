/**
 * Group commit. Appends from everywhere meet in one open batch; while one commit is being written, the next collects.
 *
 * ```
 *   append ─▶ open batch ──lane's turn──▶ in flight ──written──▶ durable ─▶ index, onCommit, durable()
 *                                             └──failed──▶ lost, with all that was appended since ─▶ onFailure, durable() rejects
 * ```
 *
 * Lazy records wait beside the open batch and are packed after its records, so they never delay or reorder the others.
 */
import { encodeCommit, logKey } from './commit.ts'
import type { Op } from './database.ts'
import { StoreError } from './errors.ts'
import { encodeHead, type Head, headKey } from './head.ts'
import { acceptedInput, isDraft, makeRecord, packRecord, RecordPacker } from './packed-records.ts'
import { tell } from './tell.ts'
import type { Appended, DraftRecord, LogRecord, NewRecord } from './types.ts'
import type { Write, WriteLane } from './write-lane.ts'

/** A record as it is given to {@link LogWriter.append}. */
type Given = NewRecord | DraftRecord

/** What a commit writes beside its records; made by the blobs. */
export interface Carried {
  /** Puts for the same batch. */
  readonly ops: Op[]
  /** Hash (64 hex digits) of each blob that the commit brings in. */
  readonly hashes: string[]
  /** The batch is durable. */
  settled(): void
}

/** What the writer works with. */
export interface WriterParts {
  readonly lane: WriteLane
  readonly head: Head
  readonly durability: 'fsync' | 'os'
  readonly now: () => number
  /** Index changes to write along with a commit of this many records. */
  indexOps(records: number): Op[]
  /** A commit is written. `isSynced`: it is on the disk, not only with the operating system. */
  committed(records: readonly LogRecord[], head: Head, isSynced: boolean): void
  /** Sees the JSON text of every appended record (a running garbage collection looks for hashes in it). */
  appendedText(): ((json: string) => void) | undefined
}

interface Batch {
  readonly first: number
  records: LogRecord[]
  carried: Carried[]
  waiting?: Promise<void>
  settle?: { resolve: () => void; reject: (error: StoreError) => void }
}

/** A record that gets its number and its place when it is packed. */
interface LazyRecord {
  readonly given: NewRecord
  readonly time: number
  /** JSON text of its data. */
  readonly dataJson: string | undefined
}

/** A batch of this share of the records in circulation is written as soon as the disk is free, but never of fewer or more than these. */
const largeShare = 2 / 3
const [smallestLarge, largestLarge] = [96, 1024]
const lazyDelayMs = 1000
/** More lazy records than this do not wait for the timer: they must not pile up in memory. */
const lazyLimit = 4096
/** With durability `os`, one commit in this time is synced all the same: a power failure costs about a second. */
const osSyncEveryMs = 1000

const resolved = Promise.resolve()

/** See the head of this file. */
export class LogWriter {
  readonly #parts: WriterParts
  readonly #commitListeners = new Set<(records: readonly LogRecord[]) => void>()
  readonly #failureListeners = new Set<(firstLostSeq: number, error: StoreError) => void>()
  #head: Head
  #headSeq: number
  #durableSeq: number
  #lastTime: number
  #open: Batch
  /** Packs the open batch. */
  readonly #packer = new RecordPacker()
  readonly #packed = (head: number): Buffer => this.#packer.done(head)
  #inFlight: Batch | undefined
  #lazy: LazyRecord[] = []
  #lazyDue = false
  #lazyTimer: NodeJS.Timeout | undefined
  #syncedAt = 0
  #refusal: StoreError | undefined
  /**
   * A batch of this many records is written as soon as the disk is free: two thirds of what the callers keep in circulation, while the last third is
   * worked on. (Measured over HTTP with 64 connections: 5 to 8 % more than with a half, a third or five sixths. With a fixed number and 256 callers in
   * process, commits of 32 and 224 commands alternate for ever, and nothing is left to do while the large ones are written.)
   */
  #large = smallestLarge

  constructor(parts: WriterParts) {
    this.#parts = parts
    this.#head = parts.head
    this.#headSeq = this.#durableSeq = parts.head.seq
    this.#lastTime = parts.head.time
    this.#open = emptyBatch(this.#headSeq + 1)
    this.#refusal = parts.lane.failure
    parts.lane.commitsFrom(() => this.#pack())
  }

  /** Last durable commit. */
  get head(): Head {
    return this.#head
  }

  get headSeq(): number {
    return this.#headSeq
  }

  get durableSeq(): number {
    return this.#durableSeq
  }

  get openSeq(): number {
    return this.#open.first
  }

  /** See {@link Log.append}. */
  append(records: readonly Given[], carried: readonly Carried[], resultJson?: string): Appended {
    if (this.#refusal !== undefined) throw this.#refusal
    if (records.length === 0)
      throw new StoreError('record_invalid', 'append: the group is empty; it needs at least one record')
    const batch = this.#open
    const firstSeq = this.#headSeq + 1
    const sees = this.#parts.appendedText()
    if (sees !== undefined || !(this.#hold(batch, records) || this.#endHeld(batch, records, resultJson))) {
      const last = records.length - 1
      const texts = records.map((given, i) => dataJsonOf(given, i === last ? resultJson : undefined))
      const now = this.#parts.now()
      for (let i = 0; i <= last; i++) {
        const packed = this.#add(batch, records[i] as Given, now, texts[i])
        sees?.(packed)
      }
    }
    for (const blob of carried) batch.carried.push(blob)
    this.#parts.lane.request(batch.records.length >= this.#large)
    return { firstSeq, lastSeq: this.#headSeq, time: this.#lastTime }
  }

  /** See {@link Log.appendLazy}. */
  appendLazy(given: NewRecord): void {
    if (this.#refusal !== undefined) return
    const lazy = { given, time: given.time ?? this.#parts.now(), dataJson: dataJsonOf(given, undefined) }
    this.#lazy.push(lazy)
    this.#parts.appendedText()?.(packRecord(makeRecord(given, 0, lazy.time), undefined, lazy.dataJson))
    if (this.#lazy.length >= lazyLimit) this.#sendLazy()
    else if (this.#lazyTimer === undefined) this.#lazyTimer = setTimeout(() => this.#sendLazy(), lazyDelayMs).unref()
  }

  /** See {@link Log.durable}. */
  durable(seq: number): Promise<void> {
    if (seq <= this.#durableSeq) return resolved
    if (seq > this.#headSeq) {
      return Promise.reject(
        new StoreError('seq_unknown', `durable: seq ${seq} was never assigned, the last one is ${this.#headSeq}`, {
          seq,
        }),
      )
    }
    if (this.#refusal !== undefined && this.#inFlight === undefined && this.#open.records.length === 0)
      return Promise.reject(this.#refusal)
    const batch = seq < this.#open.first && this.#inFlight !== undefined ? this.#inFlight : this.#open
    batch.waiting ??= new Promise((resolve, reject) => {
      batch.settle = { resolve, reject }
    })
    return batch.waiting
  }

  onCommit(listener: (records: readonly LogRecord[]) => void): () => void {
    this.#commitListeners.add(listener)
    return () => this.#commitListeners.delete(listener)
  }

  onFailure(listener: (firstLostSeq: number, error: StoreError) => void): () => void {
    this.#failureListeners.add(listener)
    return () => this.#failureListeners.delete(listener)
  }

  /** The lane has failed: what is open or in flight is lost. Tells the listeners first, then whoever waits. */
  fail(error: StoreError): void {
    this.#refusal = error
    clearTimeout(this.#lazyTimer)
    this.#lazy = []
    const lost = [this.#inFlight, this.#open].filter((batch) => batch !== undefined)
    this.#inFlight = undefined
    this.#open = emptyBatch(this.#headSeq + 1)
    this.#packer.reset()
    for (const listener of this.#failureListeners) tell(listener, this.#durableSeq + 1, error)
    for (const batch of lost) {
      batch.waiting?.catch(() => {}) // whoever waits has its own handler; a promise nobody took must not end the process
      batch.settle?.reject(error)
    }
  }

  /** Sends everything that is pending, then refuses to append. */
  async close(): Promise<void> {
    clearTimeout(this.#lazyTimer)
    if (this.#lazy.length > 0) this.#sendLazy()
    const last = this.#headSeq
    this.#refusal ??= new StoreError('store_unavailable', 'append: the store is closed')
    if (this.#open.records.length > 0) await this.durable(last).catch(() => {})
    await this.#parts.lane.idle()
  }

  #sendLazy(): void {
    clearTimeout(this.#lazyTimer)
    this.#lazyTimer = undefined
    this.#lazyDue = true
    this.#parts.lane.request()
  }

  /** The lane's turn: closes the open batch. */
  #pack(): Write | undefined {
    const batch = this.#open
    if (batch.records.length === 0 && !this.#lazyDue) return undefined
    this.#addLazy(batch)
    if (batch.records.length === 0) return undefined
    this.#inFlight = batch
    this.#open = emptyBatch(this.#headSeq + 1)
    const hashes = batch.carried.flatMap((carried) => carried.hashes)
    const { hash, value } = encodeCommit(this.#head.hash, batch.first, batch.records.length, hashes, this.#packed)
    const head: Head = { seq: this.#headSeq, hash, time: this.#lastTime }
    const sync = this.#mustSync()
    return {
      ops: [
        { type: 'put', key: logKey(batch.first), value },
        { type: 'put', key: headKey, value: encodeHead(head.seq, head.hash) },
        ...batch.carried.flatMap(({ ops }) => ops),
        ...this.#parts.indexOps(batch.records.length),
      ],
      sync,
      done: (error) => {
        if (error === undefined) this.#written(batch, head, sync)
      },
    }
  }

  #addLazy(batch: Batch): void {
    this.#lazyDue = false
    if (this.#lazy.length === 0) return
    clearTimeout(this.#lazyTimer)
    this.#lazyTimer = undefined
    for (const { given, time, dataJson } of this.#lazy) this.#add(batch, given, time, dataJson)
    this.#lazy = []
  }

  /** Gives a record its number and its time, and packs it behind the one before. */
  #add(batch: Batch, given: Given, now: number, dataJson: string | undefined): string {
    return this.#packer.add(this.#number(batch, given, now), dataJson)
  }

  /** @param now the time of a record that brings none */
  #number(batch: Batch, given: Given, now: number): LogRecord {
    const seq = ++this.#headSeq
    let record: LogRecord
    if (isDraft(given)) {
      given.seq = seq
      given.time = Math.max(this.#lastTime, now)
      record = given
    } else record = makeRecord(given, seq, Math.max(this.#lastTime, given.time ?? now))
    batch.records.push(record)
    this.#lastTime = record.time
    return record
  }

  /** Takes a job's acceptance; false when the group is something else. Its text waits: the end of the job may be next. */
  #hold(batch: Batch, records: readonly Given[]): boolean {
    const given = records[0] as Given
    if (records.length !== 1 || given.type !== 'job.accepted') return false
    const inputJson = jsonOf(acceptedInput, given, undefined)
    if (inputJson === undefined) return false
    this.#packer.hold(this.#number(batch, given, this.#parts.now()), inputJson)
    return true
  }

  /** Takes the rest of the job whose acceptance was the last record; false when the group is something else. */
  #endHeld(batch: Batch, records: readonly Given[], resultJson: string | undefined): boolean {
    if (!this.#packer.isEndOfHeld(records, resultJson)) return false
    const events = records.length - 1
    const dataJsons: string[] = []
    for (let i = 0; i < events; i++) {
      const json = dataJsonOf(records[i] as Given, undefined)
      if (json === undefined) return false
      dataJsons.push(json)
    }
    const now = this.#parts.now()
    const first = batch.records.length
    for (const given of records) this.#number(batch, given, now)
    this.#packer.end(batch.records, first, dataJsons, resultJson)
    return true
  }

  /**
   * With `fsync` every commit is synced, also one of lazy records only: LevelDB does not sync a log file that it leaves for the next
   * one, so an unsynced commit could be lost by a power failure that a later synced one survives, and the chain would have a hole.
   */
  #mustSync(): boolean {
    if (this.#parts.durability === 'fsync') return true
    const now = performance.now()
    if (now - this.#syncedAt < osSyncEveryMs) return false
    this.#syncedAt = now
    return true
  }

  #written(batch: Batch, head: Head, isSynced: boolean): void {
    this.#inFlight = undefined
    this.#head = head
    this.#durableSeq = head.seq
    const inCirculation = batch.records.length + this.#open.records.length
    this.#large = Math.min(largestLarge, Math.max(smallestLarge, largeShare * inCirculation))
    for (const carried of batch.carried) carried.settled()
    this.#parts.committed(batch.records, head, isSynced)
    for (const listener of this.#commitListeners) tell(listener, batch.records)
    batch.settle?.resolve()
  }
}

function emptyBatch(first: number): Batch {
  return { first, records: [], carried: [] }
}

/** Checks a record, and makes the JSON text of its data. After it nothing about the record can fail. */
function dataJsonOf(given: Given, resultJson: string | undefined): string | undefined {
  const { type } = given
  if (typeof type !== 'string' || type === '') {
    throw new StoreError('record_invalid', `append: a record needs a type, found ${JSON.stringify(type)}`)
  }
  return jsonOf(dataJson, given, resultJson)
}

function dataJson({ data }: Given, resultJson: string | undefined): string | undefined {
  if (resultJson === undefined) return JSON.stringify(data)
  const { result: _result, ...rest } = data as { result: unknown }
  const more = JSON.stringify(rest)
  return more === '{}' ? `{"result":${resultJson}}` : `{"result":${resultJson},${more.slice(1)}`
}

function jsonOf(
  make: (given: Given, resultJson: string | undefined) => string | undefined,
  given: Given,
  resultJson: string | undefined,
): string | undefined {
  try {
    return make(given, resultJson)
  } catch (error) {
    throw new StoreError('record_invalid', `append: the data of a record is not JSON (${String(error)})`, {}, error)
  }
}
