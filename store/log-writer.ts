/**
 * Group commit. All appends go into one open batch; while one commit is being written, the next batch collects.
 *
 * ```
 *   append ─▶ open batch ──lane's turn──▶ in flight ──written──▶ durable ─▶ index, onCommit, durable()
 *                                             └──failed──▶ lost with all after it ─▶ onFailure, durable() rejects
 * ```
 *
 * Lazy records wait beside the open batch and are added after its records, so they never delay or reorder the others.
 */
import { encodeCommit, logKey } from './commit.ts'
import type { Op } from './database.ts'
import { StoreError } from './errors.ts'
import { encodeHead, type Head, headKey } from './head.ts'
import { notify } from './notify.ts'
import { assertJson, makeRecord } from './record-codec.ts'
import type { Appended, LogRecord, NewRecord, RecordCodec } from './types.ts'
import type { Write, WriteLane } from './write-lane.ts'

/** What a commit writes besides its records; made by the blobs. */
export interface Carried {
  /** Writes for the same batch. */
  readonly ops: Op[]
  /** Hash (64 hex digits) of each blob that comes with the commit. */
  readonly hashes: string[]
  /** The batch is durable. */
  settled(): void
  /** The batch could not be written. */
  lost(): void
}

/** What the writer uses of other parts. */
export interface WriterParts {
  readonly lane: WriteLane
  readonly head: Head
  readonly codec: RecordCodec
  readonly durability: 'fsync' | 'os'
  readonly now: () => number
  /** Index changes to write together with a commit of this many records. */
  indexOps(records: number): Op[]
  /** Called when a commit is written. `isSynced`: it is on the disk, not only with the operating system. */
  committed(records: readonly LogRecord[], head: Head, isSynced: boolean): void
  /** Gets the JSON text of every appended record (a running garbage collection searches it for hashes). */
  appendedText(): ((json: string) => void) | undefined
}

interface Batch {
  readonly first: number
  readonly records: LogRecord[]
  readonly carried: Carried[]
  waiting?: Promise<void>
  settle?: { resolve: () => void; reject: (error: StoreError) => void }
}

/** A record that gets its number and its place only when its batch is packed. */
interface LazyRecord {
  readonly given: NewRecord
  readonly time: number
}

const lazyDelayMs = 1000
/** With more lazy records than this the batch does not wait for the timer: they must not pile up in memory. */
const lazyLimit = 4096
/** With durability `os`, one commit in this time is still synced: a power failure costs about a second. */
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
  #inFlight: Batch | undefined
  #lazy: LazyRecord[] = []
  #lazyDue = false
  #lazyTimer: NodeJS.Timeout | undefined
  #syncedAt = 0
  #refusal: StoreError | undefined

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

  get lastTime(): number {
    return this.#lastTime
  }

  get openSeq(): number {
    return this.#open.first
  }

  /** See {@link Log.append}. */
  append(records: readonly NewRecord[], carried: readonly Carried[]): Appended {
    if (this.#refusal !== undefined) throw this.#refusal
    if (records.length === 0)
      throw new StoreError('record_invalid', 'append: the group is empty; it needs at least one record')
    for (const given of records) assertValid(given)
    this.#parts.appendedText()?.(JSON.stringify(records))
    const firstSeq = this.#headSeq + 1
    const now = this.#parts.now()
    for (const given of records) this.#add(given, given.time ?? now)
    this.#open.carried.push(...carried)
    this.#parts.lane.request()
    return { firstSeq, lastSeq: this.#headSeq, time: this.#lastTime }
  }

  /** See {@link Log.appendLazy}. */
  appendLazy(given: NewRecord): void {
    if (this.#refusal !== undefined) return
    assertValid(given)
    this.#parts.appendedText()?.(JSON.stringify(given))
    this.#lazy.push({ given, time: given.time ?? this.#parts.now() })
    if (this.#lazy.length >= lazyLimit) this.#sendLazy()
    else if (this.#lazyTimer === undefined) this.#lazyTimer = setTimeout(() => this.#sendLazy(), lazyDelayMs).unref()
  }

  /** See {@link Log.flush}. */
  flush(): Promise<void> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal)
    this.#addLazy()
    this.#parts.lane.request()
    return this.durable(this.#headSeq)
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

  /**
   * The lane has failed: the records in the open batch and in flight are lost. Calls the listeners first, then rejects
   * the promises of `durable`.
   */
  fail(error: StoreError): void {
    this.#refusal = error
    clearTimeout(this.#lazyTimer)
    this.#lazy = []
    const lost = [this.#inFlight, this.#open].filter((batch) => batch !== undefined)
    this.#inFlight = undefined
    this.#open = emptyBatch(this.#headSeq + 1)
    for (const listener of this.#failureListeners) notify(listener, this.#durableSeq + 1, error)
    for (const batch of lost) {
      for (const carried of batch.carried) carried.lost()
      batch.waiting?.catch(() => {}) // a rejection that nobody awaits must not end the process
      batch.settle?.reject(error)
    }
  }

  /** Goes on after a failure, behind the last commit that is on the disk. */
  resume(head: Head): void {
    this.#head = head
    this.#headSeq = this.#durableSeq = head.seq
    this.#lastTime = head.time
    this.#open = emptyBatch(head.seq + 1)
    this.#lazyDue = false
    this.#lazyTimer = undefined
    this.#refusal = undefined
  }

  /** Reports the commits that were found on the disk to their listeners. */
  tell(records: readonly LogRecord[]): void {
    for (const listener of this.#commitListeners) notify(listener, records)
  }

  /** Writes everything that is pending, then refuses to append. */
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

  /** The lane's turn: packs and closes the open batch. */
  #pack(): Write | undefined {
    const batch = this.#open
    if (batch.records.length === 0 && !this.#lazyDue) return undefined
    this.#addLazy()
    if (batch.records.length === 0) return undefined
    this.#inFlight = batch
    this.#open = emptyBatch(this.#headSeq + 1)
    const { first, records, carried } = batch
    const hashes = carried.flatMap((blobs) => blobs.hashes)
    const packed = this.#parts.codec.encode(records)
    const { hash, value } = encodeCommit(this.#head.hash, first, records.length, hashes, packed)
    const head: Head = { seq: this.#headSeq, hash, time: this.#lastTime }
    const sync = this.#mustSync()
    return {
      ops: [
        { type: 'put', key: logKey(first), value },
        { type: 'put', key: headKey, value: encodeHead(head.seq, head.hash) },
        ...carried.flatMap(({ ops }) => ops),
        ...this.#parts.indexOps(records.length),
      ],
      sync,
      done: (error) => {
        if (error === undefined) this.#written(batch, head, sync)
      },
    }
  }

  #addLazy(): void {
    this.#lazyDue = false
    if (this.#lazy.length === 0) return
    clearTimeout(this.#lazyTimer)
    this.#lazyTimer = undefined
    for (const { given, time } of this.#lazy) this.#add(given, time)
    this.#lazy = []
  }

  /** Gives a record its number and time, and puts it into the open batch. */
  #add(given: NewRecord, time: number): void {
    this.#lastTime = Math.max(this.#lastTime, time)
    this.#open.records.push(makeRecord(given, ++this.#headSeq, this.#lastTime))
  }

  /**
   * With `fsync` every commit is synced, even one of lazy records only. LevelDB does not sync a log file that it leaves
   * for the next one, so a power failure could lose an unsynced commit and keep a later synced one, and the chain would
   * have a hole.
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
    for (const carried of batch.carried) carried.settled()
    this.#parts.committed(batch.records, head, isSynced)
    for (const listener of this.#commitListeners) notify(listener, batch.records)
    batch.settle?.resolve()
  }
}

function emptyBatch(first: number): Batch {
  return { first, records: [], carried: [] }
}

/** Throws `record_invalid`. A record that passes can be packed. */
function assertValid({ type, data }: NewRecord): void {
  if (typeof type !== 'string' || type === '') {
    throw new StoreError('record_invalid', `append: a record needs a type, found ${JSON.stringify(type)}`)
  }
  try {
    assertJson(data)
  } catch (error) {
    throw new StoreError('record_invalid', `append: the data of a record is not JSON (${String(error)})`, {}, error)
  }
}
