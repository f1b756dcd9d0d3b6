/**
 * The one place that writes: one LevelDB batch at a time.
 *
 * ```
 *            request() / write(), end of turn
 *   idle ───────────────────────▶ writing ──ok──▶ idle (or the next write)
 *                                    └──error──▶ failed: nothing is written ──resume()──▶ idle
 * ```
 *
 * One at a time, because a batch that fails half-way (a full disk) leaves a torn record in LevelDB's log file. Anything
 * written after it is dropped at the next open although it succeeded (log::Reader skips to the next 32 KiB block), so
 * nothing may follow the first failure until the database was opened anew. Commits and other writes alternate, so that
 * neither waits for more than one of the other.
 */
import type { Op } from './database.ts'
import { StoreError } from './errors.ts'
import { storeErrorOf } from './leveldb/errors.ts'

/** One batch, with a callback for its outcome. */
export interface Write {
  readonly ops: Op[]
  readonly sync: boolean
  done(error?: StoreError): void
}

/** The target of batches: {@link Database}, except in tests. */
export interface BatchTarget {
  batch(ops: Op[], sync: boolean): Promise<void>
}

/** See the head of this file. */
export class WriteLane {
  readonly #database: BatchTarget
  readonly #others: Write[] = []
  #nextCommit: () => Write | undefined = () => undefined
  #writing = false
  #scheduled = false
  #otherIsDue = false
  #failure: StoreError | undefined
  #idle: (() => void)[] = []

  /** Called once, with the first error of a write, before that write's own `done`. */
  onFailure: (error: StoreError) => void = () => {}

  constructor(database: BatchTarget) {
    this.#database = database
  }

  /** The reason why nothing is written any more. */
  get failure(): StoreError | undefined {
    return this.#failure
  }

  /** Refuses every later write (a store that was opened read-only). */
  refuse(reason: StoreError): void {
    this.#failure = reason
  }

  /** Writes again; the database was opened anew, so nothing follows the batch that failed. */
  resume(): void {
    this.#failure = undefined
    this.#otherIsDue = false
  }

  /** Sets the source of commits, which packs the next one when its turn comes. */
  commitsFrom(source: () => Write | undefined): void {
    this.#nextCommit = source
  }

  /**
   * Announces something to write. The write starts at the end of this turn of the event loop, so that everything from
   * the turn shares the batch.
   */
  request(): void {
    if (this.#writing || this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#start)
  }

  /** Writes a batch that is not a commit. Rejects with `store_unavailable`. */
  write(ops: Op[], sync = false): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#others.push({ ops, sync, done: (error) => (error === undefined ? resolve() : reject(error)) })
      this.request()
    })
  }

  /** Resolves when no write is running or waiting. */
  idle(): Promise<void> {
    if (!this.#writing && !this.#scheduled) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  readonly #start = (): void => {
    this.#scheduled = false
    const write = this.#pick()
    if (write === undefined) {
      for (const resolve of this.#idle.splice(0)) resolve()
      return
    }
    this.#writing = true
    this.#database.batch(write.ops, write.sync).then(
      () => this.#finished(write),
      (error: unknown) => this.#failed(write, error),
    )
  }

  #pick(): Write | undefined {
    if (this.#failure !== undefined) return undefined
    const other = this.#otherIsDue ? this.#others.shift() : undefined
    const write = other ?? this.#nextCommit() ?? this.#others.shift()
    this.#otherIsDue = write !== undefined && other === undefined
    return write
  }

  #finished(write: Write): void {
    this.#writing = false
    this.request()
    write.done()
  }

  #failed(write: Write, cause: unknown): void {
    this.#writing = false
    const translated = storeErrorOf(cause, 'write')
    const error = new StoreError('store_unavailable', translated.message, translated.place, cause)
    this.#failure = error
    this.onFailure(error)
    write.done(error)
    for (const waiting of this.#others.splice(0)) waiting.done(error)
    this.request()
  }
}
