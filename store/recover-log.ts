/** Puts the log together from the commits that a recovery has found, with gaps in the place of those that are lost. */
import { defined } from '../lib/optional.ts'
import { blobKey, hashBytes } from './blob-format.ts'
import type { BlobStore } from './blobs.ts'
import { referencesIn } from './collect.ts'
import {
  blobsOf,
  type Commit,
  decodeEntry,
  encodeGap,
  hashOf,
  isWhole,
  lastSeqOf,
  linkOf,
  logKey,
  noHash,
  noteIn,
  previousHashOf,
  type Recovery,
  recordsOf,
} from './commit.ts'
import { type Database, type Entry, keys, type Op } from './database.ts'
import { isStoreError } from './errors.ts'
import type { DamagedFile } from './leveldb/salvage.ts'
import type { Scratch } from './recover-scratch.ts'
import type { RecordCodec } from './types.ts'

/** Where the saved log ends. */
export interface SavedEnd {
  readonly seq: number
  /** What the next commit names as the previous hash. */
  readonly hash: string
  /** Time of the last record, ms. */
  readonly time: number
}

/** A commit of the new log. */
export interface SavedCommit {
  readonly first: number
  readonly value: Buffer
}

/** Blobs that are looked up at once. */
const lookUp = 1000
const batchBytes = 1024 * 1024
/** Characters of the reason that every gap has. */
const longestReason = 500

/** See the head of this file. */
export class LogSaver {
  end: SavedEnd = { seq: 0, hash: noHash, time: 0 }
  /** Gaps that this recovery makes. */
  readonly lost: Recovery['lost'][number][] = []
  /** What earlier recoveries have lost. */
  readonly lostBefore: Recovery['lost'][number][] = []
  readonly #contentsBefore = new Set<string>()
  readonly #scratch: Scratch
  readonly #blobs: BlobStore
  readonly #codec: RecordCodec
  readonly #damaged: readonly DamagedFile[]
  /** How many of these were known at the start: those of the database; and how many gaps have told. */
  readonly #ofDatabase: number
  #told = 0
  /** Hashes that commits name and that are not looked up yet, and those that are not there. */
  #named = new Set<string>()
  readonly #missing = new Set<string>()
  #carried = new Set<string>()
  readonly #missingCarried = new Set<string>()

  /** @param damaged the damage that was found; what is found meanwhile is added to it. Gaps say it. */
  constructor(scratch: Scratch, blobs: BlobStore, codec: RecordCodec, damaged: readonly DamagedFile[]) {
    this.#scratch = scratch
    this.#blobs = blobs
    this.#codec = codec
    this.#damaged = damaged
    this.#ofDatabase = damaged.length
  }

  /** Time of the last record of a commit, ms. Throws `store_corrupt`. */
  timeOf(commit: Commit): number {
    return recordsOf(commit, this.#codec).at(-1)?.time ?? 0
  }

  readonly #isSound = (entry: Entry): boolean => {
    try {
      const commit = decodeEntry(entry)
      return isWhole(commit) && this.timeOf(commit) >= 0
    } catch (error) {
      if (isStoreError(error)) return false
      throw error
    }
  }

  /**
   * The log from its end up to `upTo`, of commits in the database and of gaps. Commits that overlap those before them,
   * or follow another log, are left out.
   * @param resumes what the commit after `upTo` names as the previous hash
   */
  async *weave(upTo: number, resumes?: string): AsyncGenerator<SavedCommit> {
    for await (const entry of this.#scratch.newest(keys.log, logKey(this.end.seq + 1), this.#isSound)) {
      const commit = decodeEntry(entry)
      const last = lastSeqOf(commit)
      if (last > upTo && resumes !== undefined) break
      if (commit.first <= this.end.seq) continue
      if (commit.first > this.end.seq + 1) yield* this.#gap(commit.first - 1, previousHashOf(commit))
      else if (previousHashOf(commit) !== this.end.hash) continue
      yield { first: commit.first, value: Buffer.from(entry[1]) }
      await this.take(commit)
      this.end = { seq: last, hash: linkOf(commit), time: this.timeOf(commit) }
    }
    if (this.end.seq < upTo) yield* this.#gap(upTo, resumes)
  }

  /** The damage that was found since the last gap, else that of the database. */
  #reason(): string {
    const found = this.#damaged.slice(this.#told)
    this.#told = this.#damaged.length
    const files = found.length > 0 ? found : this.#damaged.slice(0, this.#ofDatabase)
    const text = files.map(({ file, detail }) => `${file}: ${detail}`).join('; ')
    return text.slice(0, longestReason) || 'records are missing'
  }

  *#gap(last: number, resumes?: string): Generator<SavedCommit> {
    const first = this.end.seq + 1
    const { hash, time } = this.end
    let end = hash
    const gap = { first, last, time, reason: this.#reason(), ...defined({ resumes }) }
    for (const commit of encodeGap(hash, gap)) {
      end = commit.hash
      yield commit
    }
    this.lost.push({ first, last, hash: end })
    this.end = { seq: last, hash: resumes ?? end, time }
  }

  /** Writes the log after the archive into the new database. */
  async saveLive(database: Database, lastKnown: number): Promise<void> {
    let ops: Op[] = []
    let bytes = 0
    for await (const { first, value } of this.weave(lastKnown)) {
      ops.push({ type: 'put', key: logKey(first), value })
      bytes += value.length
      if (bytes < batchBytes) continue
      await database.batch(ops, false)
      ops = []
      bytes = 0
    }
    await database.batch(ops, false)
  }

  /** Notes what a commit carries and names. */
  async take(commit: Commit): Promise<void> {
    const { gap, recovery } = noteIn(commit) ?? {}
    if (gap !== undefined && gap.last === lastSeqOf(commit))
      this.lostBefore.push({ first: gap.first, last: gap.last, hash: hashOf(commit) })
    for (const hash of recovery?.contents ?? []) this.#contentsBefore.add(hash)
    for (const hash of blobsOf(commit)) this.#carried.add(`sha256:${hash}`)
    for (const hash of referencesIn(commit.text)) this.#named.add(hash)
    if (this.#named.size + this.#carried.size >= lookUp) await this.#lookUp()
  }

  async #lookUp(): Promise<void> {
    for (const [wanted, missing] of [
      [this.#named, this.#missing],
      [this.#carried, this.#missingCarried],
    ] as const) {
      const list = [...wanted]
      const present = await this.#blobs.database.hasMany(list.map((hash) => blobKey(hashBytes(hash))))
      for (const [i, hash] of list.entries()) if (present[i] !== true) missing.add(hash)
    }
    this.#named = new Set()
    this.#carried = new Set()
  }

  /**
   * Hashes of the contents that records name and that are lost; `isNew`: not yet known to earlier recoveries. One that
   * no saved commit has brought in counts only where commits are lost: a text can look like a hash.
   */
  async lostContents(): Promise<{ readonly hash: string; readonly isNew: boolean }[]> {
    await this.#lookUp()
    return [...this.#missing]
      .map((hash) => ({ hash, isNew: !this.#contentsBefore.has(hash) }))
      .filter(({ hash, isNew }) => !isNew || this.lost.length > 0 || this.#missingCarried.has(hash))
  }
}
