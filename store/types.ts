import type { StoreError } from './errors.ts'

/** One record of the append-only log. `data` is plain JSON. */
export interface LogRecord {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number
  /** Milliseconds since 1970-01-01 UTC; never less than that of the previous record. */
  readonly time: number
  readonly type: string
  readonly jobId?: string | undefined
  readonly actor?: string | undefined
  readonly correlationId?: string | undefined
  readonly entity?: string | undefined
  readonly data: unknown
}

/** A record to append. A `time` earlier than that of the last record is raised to it. */
export type NewRecord = Omit<LogRecord, 'seq' | 'time'> & { readonly time?: number }

/** The sequence numbers given to an appended group. */
export interface Appended {
  readonly firstSeq: number
  readonly lastSeq: number
  /**
   * Time of the last of them, milliseconds since 1970 UTC: given by the log and never earlier than that of the previous
   * record.
   */
  readonly time: number
}

/** How the records of one commit are written as text. A codec must be able to read its texts for ever. */
export interface RecordCodec {
  /** The text of records that JSON can represent, in order. It does not throw. */
  encode(records: readonly LogRecord[]): string
  /**
   * The records given to {@link RecordCodec.encode}, as JSON returns them. Throws for any other text.
   * @param first seq of the first one
   */
  decode(text: string, first: number): LogRecord[]
}

/** How {@link Store} is opened. */
export interface StoreOptions {
  /** Data directory; the store keeps `db/` and `witness` in it, and `damaged-*.log` where LevelDB dropped something. */
  dir: string
  /**
   * `fsync` (default): durable means on the disk. `os`: durable means handed to the operating system, which writes it
   * within about a second: a crash of the gateway loses nothing, a power failure may lose the last second.
   */
  durability?: 'fsync' | 'os'
  /**
   * Packs and reads the records of a commit; by default each record is a row of JSON. Must be the codec that the log
   * was written with.
   */
  codec?: RecordCodec
  /**
   * Index terms of a record, e.g. `['op:tags.add', 'actor:anna']`; without it there is no index. Must be a pure
   * function.
   */
  terms?: (r: LogRecord) => string[] | undefined
  /**
   * Refuses every write. (LevelDB has no shared mode: the directory is still locked.) Throws `store_missing` when there
   * is no store.
   */
  readOnly?: boolean
  /** False: throws `store_missing` when there is no store, instead of creating one. */
  create?: boolean
  /** Clock, milliseconds since 1970; `Date.now` by default. */
  now?: () => number
}

/** State of the store. `corrupt` stays until it is opened again, `write-failed` until {@link Store.resume} succeeds. */
export interface StoreHealth {
  readonly state: 'ok' | 'write-failed' | 'corrupt' | 'closed'
  readonly detail?: string
}

/** A commit as it is in the log. */
export interface StoredCommit {
  readonly first: number
  readonly last: number
  /** sha256 of `content`, 64 hex digits. */
  readonly hash: string
  /** Hash of the commit before it. */
  readonly previous: string
  /** What the commit after it names as the previous hash; differs from `hash` at the end of lost records. */
  readonly link: string
  /** Its hash before a redaction; `hash` where there was none. */
  readonly original: string
  /** What is hashed: previous hash, numbers, hashes of blobs, packed records. */
  readonly content: string
  readonly records: readonly LogRecord[]
}

/** Selects records by sequence number, both ends included. */
export interface ReadRange {
  from?: number
  to?: number
  /** Newest commit first; inside a commit the records stay in order. */
  reverse?: boolean
}

/** Options of {@link Log.replay}. */
export interface ReplayOptions {
  /** First sequence number; 1 by default. */
  from?: number
  /** Recompute the hash of every commit. (Gaps and wrong order are found without it.) */
  checkChain?: boolean
}

/** The result of {@link Log.replay}. */
export interface Replayed {
  readonly records: number
  /** Characters of packed records. */
  readonly bytes: number
  readonly lastSeq: number
}

/** One fault found by {@link Log.verify}. */
export interface Fault {
  readonly kind:
    | 'missing-records'
    | 'hash-mismatch'
    | 'chain-broken'
    | 'malformed'
    | 'head-mismatch'
    | 'witness-mismatch'
    | 'blob-missing'
    | 'blob-corrupt'
    | 'index-mismatch'
    | 'file-damaged'
    | 'not-as-expected'
  readonly seq?: number
  readonly detail: string
}

/** Result of {@link Log.verify}. */
export interface VerifyReport {
  readonly ok: boolean
  readonly records: number
  readonly commits: number
  readonly head: { readonly seq: number; readonly hash: string }
  /** At most 1 000, in the order of the log. */
  readonly faults: readonly Fault[]
  /** Files of the archive that are not in their place: their records were not checked, the chain around them was. */
  readonly absent: readonly string[]
  /** Ranges of seq that a recovery has lost (`recoverStore`), both ends included, and why. */
  readonly lost: readonly { readonly first: number; readonly last: number; readonly reason: string }[]
  /** Texts that were taken out of records (`Store.redact`), and how many commits have such records. */
  readonly redacted: { readonly places: number; readonly commits: number }
  /** Hashes of the contents that a recovery has lost. */
  readonly lostContents: readonly string[]
}

/** Options of {@link Log.verify}. */
export interface VerifyOptions {
  signal?: AbortSignal
  /** Records checked so far, and in total. */
  onProgress?: (done: number, total: number) => void
  /** `present` (default): every blob named by a commit exists. `whole`: its bytes also match its hash. */
  blobs?: 'present' | 'whole'
  /** Records of which the hash of their commit, or its beginning, is known from elsewhere. */
  expect?: readonly { readonly seq: number; readonly hash: string }[]
  /** Let other work run between steps (default false). */
  background?: boolean
}

/** The append-only log. */
export interface Log {
  /** Last sequence number assigned; 0 when the log is empty. */
  readonly headSeq: number
  /** Last sequence number that is durable. */
  readonly durableSeq: number
  /**
   * Time of the last record, ms since 1970 UTC; 0 when the log is empty. When it is later than the clock, the records
   * to come carry it until the clock has reached it.
   */
  readonly lastTime: number
  /** First sequence number of the open batch: records from here on will share the next commit. */
  readonly openSeq: number
  /** Sequence number that the next appended record gets. */
  nextSeq(): number
  /**
   * Appends one atomic group (all of it or nothing survives), with the blobs it refers to. Synchronous: the numbers are
   * assigned now; the group is packed and written with the next batch, so its data must not be changed after the
   * append. Throws `record_invalid` (nothing is appended) or `store_unavailable` (writes have failed, read-only,
   * closed).
   */
  append(records: readonly NewRecord[], blobs?: readonly StagedBlob[]): Appended
  /**
   * Appends a record that nobody waits for: it is written with the next batch, or alone within a second. It gets its
   * number when its batch is packed, after the records of the batch. Dropped silently once writes have failed, so that
   * reads go on.
   */
  appendLazy(record: NewRecord): void
  /** Resolves when everything that was appended so far is durable, lazy records too; rejects as {@link durable}. */
  flush(): Promise<void>
  /**
   * Resolves when `seq` is durable; rejects with `store_unavailable` when its batch was lost, `seq_unknown` when it was
   * never assigned.
   */
  durable(seq: number): Promise<void>
  /**
   * Called after each durable batch with all its records, in order, before anything that waits for it continues.
   * Returns the unsubscriber.
   */
  onCommit(listener: (records: readonly LogRecord[]) => void): () => void
  /**
   * Called once when a batch could not be written: everything from `firstLostSeq` on is lost. The call comes before any
   * rejection.
   */
  onFailure(listener: (firstLostSeq: number, error: StoreError) => void): () => void
  /** The durable records of a range, one array per commit. Every commit is checked; throws `store_corrupt`. */
  read(o?: ReadRange): AsyncIterable<readonly LogRecord[]>
  /** The durable commits from that of `from` on, oldest first. Every one is checked; throws `store_corrupt`. */
  commits(o: { from: number; to?: number }): AsyncIterable<StoredCommit>
  /**
   * The fast path for folding: calls `each` for every durable record from `from` on. Throws `store_corrupt` on a gap.
   */
  replay(o: ReplayOptions, each: (r: LogRecord) => void): Promise<Replayed>
  get(seq: number): Promise<LogRecord | undefined>
  /** All records of the commit that contains `seq` (one seek). */
  commitOf(seq: number): Promise<readonly LogRecord[] | undefined>
  /**
   * Checks the whole log: chain, head, witness, blobs, index, files. Does not throw for a fault: the report contains
   * it.
   */
  verify(o?: VerifyOptions): Promise<VerifyReport>
}

/** Content that is hashed and packed; the `append` that carries it writes it. */
export interface StagedBlob {
  /** `sha256:` and 64 hex digits, of the uncompressed bytes. */
  readonly hash: string
  /** Uncompressed bytes. */
  readonly size: number
}

/** The result of a garbage collection. */
export interface Collected {
  readonly examined: number
  readonly removed: number
  readonly freedBytes: number
  readonly kept: number
}

/** Options of {@link Blobs.collect}. */
export interface CollectOptions {
  /** True for a blob that must stay although no record names it. */
  keep: (hash: string) => boolean
  signal?: AbortSignal
  /** Log records searched so far, and in total. */
  onProgress?: (done: number, total: number) => void
}

/** Content-addressed, compressed, immutable contents. */
export interface Blobs {
  /** Hashes and compresses. Writes nothing: the `append` that carries the result does, atomically with its records. */
  stage(bytes: Uint8Array | string): Promise<StagedBlob>
  /**
   * Like {@link Blobs.stage} for a stream: beyond 1 MiB it goes to disk in pieces as it arrives, and is never
   * completely in memory. Throws `blob_too_large` after `limitBytes`.
   */
  stageStream(src: AsyncIterable<Uint8Array>, limitBytes?: number): Promise<StagedBlob>
  /** The whole content, checked against its hash. Throws `blob_missing`, `blob_corrupt`. */
  get(hash: string): Promise<Buffer>
  /**
   * The content in pieces. A piece can be delivered before the end shows that the whole is damaged (`blob_corrupt`).
   */
  stream(hash: string): AsyncIterable<Buffer>
  /** Whether all of these are there. */
  has(...hashes: readonly string[]): Promise<boolean>
  /** Uncompressed bytes, `undefined` when absent. */
  size(hash: string): Promise<number | undefined>
  /**
   * Removes the blobs that neither `keep` nor any record of the log names (as the text `sha256:<64 hex>`), and the
   * pieces of abandoned uploads. Staged blobs of this process that are not yet appended stay.
   */
  collect(o: CollectOptions): Promise<Collected>
  /** Number of blobs, their bytes, and their compressed bytes as given to LevelDB. */
  stats(): Promise<{ count: number; bytes: number; storedBytes: number }>
}

/** Saved folds of the log. */
export interface Checkpoints {
  /**
   * Writes the state at `seq` (waits until that is durable). `parts` are JSON values and may be a generator. The
   * previous checkpoint is kept.
   */
  write(seq: number, parts: Iterable<[name: string, value: unknown]>): Promise<void>
  /** The newest complete checkpoint; when it is damaged the one before it, otherwise `undefined`. */
  newest(): Promise<{ seq: number; parts: Map<string, unknown> } | undefined>
  /** Removes all checkpoints. */
  drop(): Promise<void>
}

/** Selects sequence numbers; `after` and `before` are exclusive. */
export interface FindOptions {
  before?: number
  after?: number
  limit?: number
  /** Newest first. */
  reverse?: boolean
}

/** Finds records by term and by time. */
export interface TermIndex {
  /** Sequence numbers of the durable records with this term. Throws `index_unavailable`, `index_corrupt`. */
  find(term: string, o?: FindOptions): Promise<number[]>
  /** First sequence number whose time is at or after `timeMs`; `durableSeq + 1` when there is none. */
  seqAt(timeMs: number): Promise<number>
  /** Drops the index and derives it from the log again. */
  rebuild(): Promise<void>
}

/** What moves into the archive; see {@link Store.archive}. */
export interface ArchiveOptions {
  /** Records before this one move. */
  before?: number
  /** The oldest records move until the log takes at most this many bytes in the database. */
  liveBytes?: number
  /** Unpacked bytes of a file; 8 MiB by default. */
  segmentBytes?: number
  signal?: AbortSignal
}

/** The result of {@link Store.archive}. */
export interface ArchivedLog {
  /** Files written. */
  readonly segments: number
  /** Records moved. */
  readonly records: number
  /** Last record in the archive; 0 when it is empty. */
  readonly through: number
}

/** A commit of which a text was taken out. */
export interface RedactedCommit {
  readonly first: number
  readonly last: number
  /** Of the commit as it is now. */
  readonly hash: string
}

/** What is redacted; see {@link Store.redact}. */
export interface RedactOptions {
  /** New data of records, by seq. It must give the same index terms. */
  readonly changes: ReadonlyMap<number, unknown>
  /** The caller, and what the record `log.redacted` says besides `commits`: at least each place. */
  readonly actor: string
  readonly correlationId?: string
  readonly data: { readonly places: readonly unknown[] } & Readonly<Record<string, unknown>>
  /** New contents that the new data name. */
  readonly staged?: readonly StagedBlob[]
  /** Hashes of the contents that held a text: they go, unless a record still names them. */
  readonly contents?: readonly string[]
}

/** A part of a copy of the store. */
export interface CopyPart {
  /** Relative path of its file in a copy, e.g. `log`. */
  readonly name: string
  /** False for bytes that are packed already. */
  readonly compressible: boolean
  read(): AsyncIterable<Buffer>
}

/** Everything in the store as it was at one moment; later writes do not show in it. */
export interface StoreCopy {
  /** Last record in it, and the hash of its commit. */
  readonly head: { readonly seq: number; readonly hash: string }
  /** To be read one after the other. */
  readonly parts: readonly CopyPart[]
  /** Files of the archive that are not in their place and so not in the copy. */
  readonly absent: readonly string[]
  /** Must be called when the parts are read: LevelDB keeps old data until then. */
  close(): Promise<void>
}

/** What a copy contains, see `checkCopy`. */
export interface CheckedCopy {
  readonly head: { readonly seq: number; readonly hash: string }
  readonly records: number
  readonly commits: number
  readonly blobs: number
}

/** An open data directory. */
export interface Store {
  readonly log: Log
  readonly blobs: Blobs
  readonly checkpoints: Checkpoints
  readonly index: TermIndex
  readonly health: StoreHealth
  onHealth(listener: (h: StoreHealth) => void): () => void
  /** {@link Log.verify} at low priority; sets the health to `corrupt` when it finds a fault. */
  verifyInBackground(signal?: AbortSignal): Promise<VerifyReport>
  /**
   * Moves the oldest records into files in the folder `archive`, which {@link Log} reads as before; a file that was
   * moved elsewhere gives `log_archived`. Only full files are written, and only of records that the two newest
   * checkpoints cover and that are in the index on the disk: an open needs nothing of the archive.
   */
  archive(o: ArchiveOptions): Promise<ArchivedLog>
  /**
   * Tries to write again after a write has failed (health `write-failed`): opens the database anew, finds out what of
   * the batch that failed is on the disk, and goes on behind it. Does nothing while there is no room. Nothing may be
   * appended that relies on what was read before.
   * @param apply gets the records of the batch that are on the disk after all, before anything can be appended and
   * before the listeners of {@link Log.onCommit}
   *
   * Throws `store_unavailable` (not yet), `store_corrupt`, `store_truncated`.
   */
  resume(apply: (landed: readonly LogRecord[]) => void): Promise<void>
  /**
   * Takes texts out of records: the chain stays verifiable, and a record `log.redacted` says what was done. All of it
   * or nothing survives a crash. Checkpoints are dropped. Nothing else may be appended meanwhile that relies on the
   * texts.
   *
   * Throws `log_archived` when a file of the archive is not in its place, `store_unavailable`.
   */
  redact(o: RedactOptions): Promise<Appended>
  /** A consistent copy, with every record that was appended before the call. Throws `store_unavailable`. */
  copy(): Promise<StoreCopy>
  /** Writes pending records, the index and the witness, and closes. */
  close(): Promise<void>
}
