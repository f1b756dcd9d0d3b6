import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Archive } from './archive.ts'
import { BlobStore } from './blobs.ts'
import { checkEnd } from './check-end.ts'
import { CheckpointStore } from './checkpoints.ts'
import { type Commit, decodeEntry, logKey, originalHashOf, recordsOf, redactedType } from './commit.ts'
import { Database, databasePath, formatFor, formatKey, type Op, redactedFormat, writeBufferBytes } from './database.ts'
import { isStoreError, StoreError } from './errors.ts'
import type { Head } from './head.ts'
import { droppedAtOpen } from './leveldb/dropped.ts'
import { LogReader } from './log-reader.ts'
import { LogWriter } from './log-writer.ts'
import { removeJournal, takeOverJournal } from './old-journal.ts'
import { plainCodec } from './record-codec.ts'
import { TermStore } from './term-index.ts'
import type {
  Appended,
  ArchivedLog,
  ArchiveOptions,
  Blobs,
  Checkpoints,
  Log,
  LogRecord,
  RecordCodec,
  RedactOptions,
  Store,
  StoreCopy,
  StoreHealth,
  StoreOptions,
  TermIndex,
  VerifyOptions,
  VerifyReport,
} from './types.ts'
import { readWitness, Witness } from './witness.ts'
import { WriteLane } from './write-lane.ts'

/**
 * Opens (creates) the store of a data directory. Takes constant time, whatever the length of the log.
 *
 * Throws {@link StoreError}: `store_locked`, `store_missing` (read-only), `store_corrupt`, `store_truncated` (the end
 * of the log is gone: see `recoverStore`), `store_unsupported`, `store_unavailable`.
 */
export async function openStore(o: StoreOptions): Promise<Store> {
  const { codec = plainCodec } = o
  const database = await Database.open(databasePath(o.dir), o.readOnly !== true && o.create !== false)
  let witness: Witness | undefined
  try {
    const { archive, head, detail, takenOver } = await examine(database, o.dir, codec)
    if (o.readOnly !== true && takenOver.exists) await removeJournal(o.dir)
    if (o.readOnly !== true) witness = await Witness.open(o.dir)
    const store = new OpenStore({
      options: o,
      codec,
      database,
      archive,
      witness,
      head,
      detail,
      index: await TermStore.open(database, head.seq, o.terms),
    })
    await store.start()
    return store
  } catch (error) {
    await witness?.close()
    await database.close()
    throw error
  }
}

/** Checks the end of the log of a database that was just opened. */
async function examine(database: Database, dir: string, codec: RecordCodec) {
  const [takenOver, witness, dropped] = await Promise.all([
    takeOverJournal(database, dir),
    readWitness(dir),
    droppedAtOpen(database.path),
  ])
  const archive = await Archive.open(database, dir)
  const end = await checkEnd(database, dir, { witness, dropped, takenOver, codec, archive })
  return { archive, takenOver, head: end.head, detail: end.detail }
}

interface Parts {
  readonly options: StoreOptions
  readonly codec: RecordCodec
  readonly database: Database
  readonly archive: Archive
  readonly witness: Witness | undefined
  readonly head: Head
  readonly detail: string | undefined
  readonly index: TermStore
}

/** An open data directory: connects the parts and keeps the health. */
class OpenStore implements Store {
  readonly log: Log
  readonly blobs: Blobs
  readonly checkpoints: Checkpoints
  readonly index: TermIndex
  readonly #parts: Parts
  readonly #lane: WriteLane
  readonly #writer: LogWriter
  readonly #reader: LogReader
  readonly #blobs: BlobStore
  readonly #checkpoints: CheckpointStore
  readonly #healthListeners = new Set<(h: StoreHealth) => void>()
  readonly #textWatchers = new Set<(json: string) => void>()
  #background = new AbortController()
  #health: StoreHealth
  #rebuilding: Promise<void> | undefined
  #archiving: Promise<unknown> | undefined
  #closing: Promise<void> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    const { database, options, codec, index, head } = parts
    this.#health = parts.detail === undefined ? { state: 'ok' } : { state: 'ok', detail: parts.detail }
    this.#lane = new WriteLane(database)
    if (options.readOnly === true)
      this.#lane.refuse(new StoreError('store_unavailable', 'write: the store was opened read-only'))
    this.#lane.onFailure = (error) => {
      this.#setHealth({ state: 'write-failed', detail: `${error.message}. ${error.advice}` })
      this.#writer.fail(error)
    }
    this.#writer = new LogWriter({
      lane: this.#lane,
      head,
      codec,
      durability: options.durability ?? 'fsync',
      now: options.now ?? Date.now,
      indexOps: (records) => index.take(records),
      committed: (records, end, isSynced) => this.#committed(records, end, isSynced),
      appendedText: () => (this.#textWatchers.size === 0 ? undefined : this.#tellText),
    })
    this.#reader = new LogReader(
      database,
      parts.archive,
      codec,
      () => this.#writer.durableSeq,
      (error) => this.#setHealth({ state: 'corrupt', detail: error.message }),
    )
    this.#blobs = new BlobStore(database, this.#lane)
    this.checkpoints = this.#checkpoints = new CheckpointStore(database, this.#lane, {
      durable: (seq) => this.#writer.durable(seq),
      commitHash: (seq) => this.#commitHash(seq),
    })
    this.log = this.#logFace()
    this.blobs = this.#blobsFace()
    this.index = this.#indexFace()
  }

  /** Brings the index up to date: after a crash its tail is derived from the log again. */
  async start(): Promise<void> {
    const { database, options, index } = this.#parts
    // The new format number is written before the first commit that an earlier version could not read.
    const format = await this.#format()
    if (options.readOnly !== true && (await database.get(formatKey))?.equals(format.value) !== true)
      await this.#lane.write([format])
    await this.#catchUpIndex(index)
    if (options.readOnly !== true && format.value.toString() === redactedFormat) await this.#scrub()
  }

  get health(): StoreHealth {
    return this.#health
  }

  onHealth(listener: (h: StoreHealth) => void): () => void {
    this.#healthListeners.add(listener)
    return () => this.#healthListeners.delete(listener)
  }

  async verifyInBackground(signal?: AbortSignal): Promise<VerifyReport> {
    const either = signal === undefined ? this.#background.signal : AbortSignal.any([signal, this.#background.signal])
    const report = await this.#verify({ signal: either, background: true })
    const first = report.faults[0]
    if (first !== undefined) this.#setHealth({ state: 'corrupt', detail: first.detail })
    return report
  }

  async archive(options: ArchiveOptions): Promise<ArchivedLog> {
    this.#archiving = (this.#archiving ?? Promise.resolve()).catch(() => {}).then(() => this.#archive(options))
    return this.#archiving as Promise<ArchivedLog>
  }

  async #archive(options: ArchiveOptions): Promise<ArchivedLog> {
    const { archiveLog } = await import('./archive-log.ts')
    const { database, archive, codec, index } = this.#parts
    const covered = (await this.#checkpoints.oldestSeq()) ?? 0
    // The commit of the checkpoint itself stays: it shows that the checkpoint belongs to this log.
    const limit = Math.min(covered - 1, index.enabled ? index.through : covered)
    const own = this.#background.signal
    const signal = options.signal === undefined ? own : AbortSignal.any([options.signal, own])
    return archiveLog({ database, lane: this.#lane, archive, codec, limit }, { ...options, signal })
  }

  async redact(options: RedactOptions): Promise<Appended> {
    const done = (this.#archiving ?? Promise.resolve()).catch(() => {}).then(() => this.#redact(options))
    this.#archiving = done
    return done
  }

  async #redact({ changes, actor, correlationId, data, staged = [], contents = [] }: RedactOptions): Promise<Appended> {
    const { redaction, removeReplaced } = await import('./redact.ts')
    const { database, archive, codec } = this.#parts
    await this.#settled()
    const { commits, ops, segments } = await redaction({ database, archive, codec }, changes, contents)
    const record = { type: redactedType, actor, correlationId, data: { ...data, commits } }
    const own = { ops, hashes: [], settled: () => {}, lost: () => {} }
    const appended = this.#writer.append([record], [...this.#blobs.carry(staged), own])
    try {
      await this.#writer.durable(appended.lastSeq)
    } catch (error) {
      await removeReplaced(archive)
      throw error
    }
    for (const segment of segments) archive.replace(segment)
    this.#reader.forget()
    await this.#scrub()
    return appended
  }

  /** Does what a redaction has left to do. */
  async #scrub(): Promise<void> {
    const { database, archive } = this.#parts
    const { compactScrubbed, pendingScrub, removeReplaced, scrubKey } = await import('./redact.ts')
    const scrub = await pendingScrub(database)
    if (scrub === undefined) return
    await removeReplaced(archive)
    await this.#checkpoints.drop()
    if (scrub.contents.length > 0) {
      const gone = new Set(scrub.contents)
      await this.blobs.collect({ keep: (hash) => !gone.has(hash) })
    }
    await compactScrubbed(database, (ops, sync) => this.#lane.write(ops, sync), scrub)
    await this.#lane.write([{ type: 'del', key: scrubKey }], true)
  }

  async resume(apply: (landed: readonly LogRecord[]) => void): Promise<void> {
    const { database, options, codec, index, witness } = this.#parts
    if (this.#health.state !== 'write-failed' || this.#closing !== undefined) return
    await assertRoom(options.dir)
    this.#background.abort(new StoreError('store_unavailable', 'the database is opened anew'))
    this.#background = new AbortController()
    await this.#archiving?.catch(() => {})
    await this.#lane.idle()
    await database.reopen()
    const { head } = await examine(database, options.dir, codec)
    const landed: LogRecord[] = []
    const from = this.#writer.durableSeq + 1
    if (head.seq >= from)
      for await (const chunk of database.chunks({ gte: logKey(from), lt: logKey(head.seq + 1) }))
        for (const entry of chunk) landed.push(...recordsOf(decodeEntry(entry), codec))
    index.giveAgain()
    this.#lane.resume()
    await this.#lane.write([await this.#format()], true)
    witness?.note(markOf(head))
    this.#writer.resume(head)
    if (this.#rebuilding === undefined) index.add(landed)
    apply(landed)
    if (landed.length > 0) this.#writer.tell(landed)
    if ((this.#health.state as StoreHealth['state']) !== 'write-failed') return
    this.#health = { state: 'ok' }
    for (const listener of this.#healthListeners) listener(this.#health)
  }

  async copy(): Promise<StoreCopy> {
    if (this.#parts.options.readOnly !== true) await this.#settled()
    const { copyOf } = await import('./copy.ts')
    return copyOf(this.#parts.database, this.#parts.archive.dir)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { database, witness, index } = this.#parts
    this.#background.abort(new Error('the store is closing'))
    await this.#archiving?.catch(() => {})
    await this.#writer.close()
    if (this.#lane.failure === undefined) {
      // With durability `os` the last commit may not be on the disk yet. One synced write puts it there before the
      // witness names it.
      const ops = index.takeAll()
      await this.#lane.write([...ops, await this.#format()], true).then(
        async () => {
          await database.flushMemory()
          if (this.#writer.head.seq > 0) witness?.note(markOf(this.#writer.head))
        },
        () => {}, // onFailure reports it; acknowledged commits are durable
      )
    }
    await witness?.close()
    await database.close()
    this.#setHealth({ state: 'closed' })
  }

  async #format(): Promise<Op & { type: 'put' }> {
    const value = formatFor(await this.#parts.database.get(formatKey), this.#parts.archive.through > 0)
    return { type: 'put', key: formatKey, value }
  }

  #committed(records: readonly LogRecord[], head: Head, isSynced: boolean): void {
    this.#parts.index.taken()
    // A rebuild that is in progress will reach these records by itself.
    if (this.#rebuilding === undefined) this.#parts.index.add(records)
    if (isSynced) this.#parts.witness?.note(markOf(head))
  }

  #setHealth(health: StoreHealth): void {
    // Damage is worse than a full disk: after it nothing can be trusted, written or read.
    const rank = { ok: 0, 'write-failed': 1, corrupt: 2, closed: 3 }
    if (rank[health.state] <= rank[this.#health.state]) return
    this.#health = health
    for (const listener of this.#healthListeners) listener(health)
  }

  readonly #tellText = (json: string): void => {
    for (const watcher of this.#textWatchers) watcher(json)
  }

  async #rebuildIndex(): Promise<void> {
    const { index } = this.#parts
    await index.clear((ops) => this.#lane.write(ops))
    await this.#catchUpIndex(index)
  }

  async #catchUpIndex(index: TermStore): Promise<void> {
    while (index.enabled && index.last < this.#writer.durableSeq) {
      try {
        for await (const records of this.#reader.read({ from: index.last + 1 })) {
          index.add(records)
          // A long tail (the log was written without an index) must not pile up in memory.
          const ops = this.#parts.options.readOnly === true ? [] : index.takeFrozen()
          if (ops.length > 0) await this.#lane.write(ops)
        }
      } catch (error) {
        // A file of the archive that was moved elsewhere: its records are not found by term.
        if (!isStoreError(error) || error.code !== 'log_archived') throw error
        index.skip(this.#parts.archive.holding(index.last + 1).last)
      }
    }
  }

  async #commitHash(seq: number): Promise<string | undefined> {
    if (seq === 0) return ''
    const commit = await this.#commitHolding(seq)
    return commit === undefined ? undefined : originalHashOf(commit)
  }

  async #commitHolding(seq: number): Promise<Commit | undefined> {
    if (seq > this.#writer.durableSeq) return undefined
    const entry = await this.#parts.database.logEntryBefore(seq + 1)
    return entry === undefined ? undefined : decodeEntry(entry)
  }

  async #verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    const { verify } = await import('./verify.ts')
    const { database, archive, codec, index, witness } = this.#parts
    const parts = {
      database,
      archive,
      reader: this.#reader,
      blobs: this.#blobs,
      index,
      terms: this.#parts.options.terms,
      codec,
      head: this.#writer.head,
      witness: witness?.latest ?? (await readWitness(this.#parts.options.dir)).mark,
    }
    return verify(parts, options)
  }

  async #settled(): Promise<void> {
    await this.#writer.durable(this.#writer.headSeq)
  }

  #logFace(): Log {
    const writer = this.#writer
    const reader = this.#reader
    const blobs = this.#blobs
    return {
      get headSeq() {
        return writer.headSeq
      },
      get openSeq() {
        return writer.openSeq
      },
      get durableSeq() {
        return writer.durableSeq
      },
      get lastTime() {
        return writer.lastTime
      },
      nextSeq: () => writer.headSeq + 1,
      append: (records, staged = []) => writer.append(records, blobs.carry(staged)),
      appendLazy: (record) => writer.appendLazy(record),
      flush: () => writer.flush(),
      durable: (seq) => writer.durable(seq),
      onCommit: (listener) => writer.onCommit(listener),
      onFailure: (listener) => writer.onFailure(listener),
      read: (range) => reader.read(range),
      commits: (range) => reader.stored(range),
      replay: (options, each) => reader.replay(options, each),
      get: (seq) => reader.get(seq),
      commitOf: (seq) => reader.commitOf(seq),
      verify: (options) => this.#verify(options),
    }
  }

  #blobsFace(): Blobs {
    const blobs = this.#blobs
    return {
      stage: (bytes) => blobs.stage(bytes),
      stageStream: (source, limitBytes) => blobs.stageStream(source, limitBytes),
      get: (hash) => blobs.get(hash),
      stream: (hash) => blobs.stream(hash),
      has: (...hashes) => blobs.has(...hashes),
      size: (hash) => blobs.size(hash),
      stats: () => blobs.stats(),
      collect: async (options) => {
        const { collect } = await import('./collect.ts')
        const log = {
          settled: () => this.#settled(),
          records: this.#writer.headSeq,
          watch: (listener: (json: string) => void) => {
            this.#textWatchers.add(listener)
            return () => this.#textWatchers.delete(listener)
          },
        }
        return collect(blobs, log, this.#parts.archive, options)
      },
    }
  }

  #indexFace(): TermIndex {
    const { index } = this.#parts
    return {
      find: async (term, options) => {
        await this.#rebuilding
        return index.find(term, options)
      },
      seqAt: (timeMs) => this.#reader.seqAt(timeMs),
      rebuild: () => {
        this.#rebuilding ??= this.#rebuildIndex().finally(() => {
          this.#rebuilding = undefined
        })
        return this.#rebuilding
      },
    }
  }
}

/**
 * Throws `store_unavailable` unless there is room for what opening a database writes: without it the database could not
 * even be read any more.
 */
async function assertRoom(dir: string): Promise<void> {
  const path = join(dir, 'room')
  try {
    const file = await open(path, 'w', 0o600)
    try {
      for (let written = 0; written < 2 * writeBufferBytes; written += writeBufferBytes)
        await file.write(Buffer.alloc(writeBufferBytes), 0, writeBufferBytes, written)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new StoreError('store_unavailable', `write: ${String(error)}`, {}, error)
  } finally {
    await rm(path, { force: true })
  }
}

function markOf(head: Head): { seq: number; hash: string } {
  return { seq: head.seq, hash: head.hash }
}
