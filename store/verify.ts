/** Checks a whole data directory: the table files, the chain, the head, the witness, the blobs, the index. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import { defined } from '../lib/optional.ts'
import type { Archive } from './archive.ts'
import type { BlobStore } from './blobs.ts'
import { searchLog } from './collect.ts'
import {
  assertFollows,
  blobsOf,
  type Commit,
  decodeCommit,
  type Gap,
  hashOf,
  isWhole,
  lastSeqOf,
  linkOf,
  logKey,
  noHash,
  noteIn,
  originalHashOf,
  recordsOf,
  redactedType,
} from './commit.ts'
import type { Database } from './database.ts'
import { StoreError } from './errors.ts'
import type { Head } from './head.ts'
import { damagedTables } from './leveldb/check-tables.ts'
import { readManifest } from './leveldb/manifest.ts'
import { gapError, type LogReader } from './log-reader.ts'
import { addTerms, encodeChunk, type TermMap, type TermsOf } from './term-chunks.ts'
import type { TermStore } from './term-index.ts'
import type { Fault, LogRecord, RecordCodec, RedactedCommit, VerifyOptions, VerifyReport } from './types.ts'
import type { WitnessMark } from './witness.ts'

/** The parts to check. */
export interface VerifyParts {
  readonly database: Database
  readonly archive: Archive
  /** Reads the log where it is, in LevelDB and in the archive. */
  readonly reader: LogReader
  readonly blobs: BlobStore
  readonly index: TermStore
  readonly terms: TermsOf | undefined
  readonly codec: RecordCodec
  readonly head: Head
  readonly witness: WitnessMark | undefined
}

const maxFaults = 1000
/** Pause between two chunks of a background check: it takes at most about a tenth of one core. */
const pauseFactor = 9

/** Collects faults and reports progress. */
class Findings {
  readonly faults: Fault[] = []
  /** Files of the archive that are not in their place. */
  readonly absent = new Set<string>()
  /** Gaps, by the hash of their last commit; and contents that a recovery could not save. */
  readonly gaps = new Map<string, Gap>()
  readonly lostContents = new Set<string>()
  readonly #named = new Set<string>()
  /** Redacted commits by their hash, and what records of redactions vouch for. */
  readonly redacted = new Map<string, Commit>()
  readonly #vouched = new Set<string>()
  redactedPlaces = 0

  /** Notes what recoveries and redactions have left in the log. */
  takeNote(commit: Commit, codec: RecordCodec): void {
    const { gap, recovery, redacted } = noteIn(commit) ?? {}
    if (redacted !== undefined) this.redacted.set(hashOf(commit), commit)
    if (commit.text.includes(redactedType, commit.packedAt)) this.#takeVouchers(commit, codec)
    if (gap !== undefined && gap.last === lastSeqOf(commit)) this.gaps.set(hashOf(commit), gap)
    for (const { hash } of recovery?.lost ?? []) this.#named.add(hash)
    for (const hash of recovery?.contents ?? []) this.lostContents.add(hash)
  }

  #takeVouchers(commit: Commit, codec: RecordCodec): void {
    let records: readonly LogRecord[]
    try {
      records = recordsOf(commit, codec)
    } catch (error) {
      this.addError('malformed', error)
      return
    }
    for (const { type, data } of records) {
      if (type !== redactedType) continue
      const { commits = [], places = [] } = data as { commits?: readonly RedactedCommit[]; places?: readonly unknown[] }
      for (const { hash } of commits) this.#vouched.add(hash)
      this.redactedPlaces += places.length
    }
  }

  /** The chain goes on behind a redacted commit as if it were what it was, so a record must vouch for it. */
  checkRedacted(): void {
    for (const [hash, commit] of this.redacted)
      if (!this.#vouched.has(hash))
        this.add(
          'hash-mismatch',
          `no redaction names the commit of records ${commit.first}..${lastSeqOf(commit)} as it is`,
          commit.first,
        )
  }

  /** The chain goes on behind a gap as if it were not there, so a record of a recovery must vouch for it. */
  checkGaps(): void {
    for (const [hash, { first, last }] of this.gaps)
      if (!this.#named.has(hash))
        this.add('chain-broken', `no recovery names the gap of the records ${first}..${last}`, first)
  }

  add(kind: Fault['kind'], detail: string, seq?: number): void {
    if (this.faults.length < maxFaults) this.faults.push({ kind, detail, ...defined({ seq }) })
  }

  addError(kind: Fault['kind'], error: unknown): void {
    if (error instanceof StoreError && error.code === 'log_archived') {
      this.absent.add(error.place.file ?? '')
      return
    }
    // The database was closed meanwhile: that says nothing about the log.
    if (!(error instanceof StoreError) || error.code === 'store_unavailable') throw error
    this.add(kind, error.message, error.place.seq)
  }
}

/** See {@link Log.verify}. Checks everything up to the head at the start; later appends are not checked. */
export async function verify(parts: VerifyParts, o: VerifyOptions): Promise<VerifyReport> {
  const found = new Findings()
  await checkTables(parts, o, found)
  const totals: ChainTotals = { records: 0, commits: 0, missingBlobs: new Map() }
  // Skipped after a fault: code that reads a damaged table may end the process.
  if (found.faults.length === 0) {
    await checkChain(parts, o, found, totals)
    found.checkGaps()
    found.checkRedacted()
    await checkBlobs(parts, o, found, totals.missingBlobs)
    if (parts.terms !== undefined) await checkIndex(parts, parts.terms, o, found)
  }
  return {
    ok: found.faults.length === 0,
    records: totals.records,
    commits: totals.commits,
    head: { seq: parts.head.seq, hash: parts.head.hash },
    faults: found.faults,
    absent: [...found.absent],
    lost: [...found.gaps.values()].map(({ first, last, reason }) => ({ first, last, reason })),
    redacted: { places: found.redactedPlaces, commits: found.redacted.size },
    lostContents: [...found.lostContents],
  }
}

/** Lets other work run; in the background, for nine times as long as the last step took. */
async function breathe(o: VerifyOptions, stepMs: number): Promise<void> {
  o.signal?.throwIfAborted()
  if (o.background === true)
    await setTimeout(Math.max(1, stepMs * pauseFactor), undefined, o.signal === undefined ? {} : { signal: o.signal })
  else await setImmediate()
}

interface ChainTotals {
  records: number
  commits: number
  /** Hashes of blobs that a commit names and that are not in the store. */
  readonly missingBlobs: Map<string, number>
}

async function checkTables({ database }: VerifyParts, o: VerifyOptions, found: Findings): Promise<void> {
  try {
    const { tables } = await readManifest(database.path)
    for await (const error of damagedTables(database.path, tables, { pause: (tookMs) => breathe(o, tookMs) }))
      found.addError('file-damaged', error)
  } catch (error) {
    found.addError('file-damaged', error)
  }
}

async function checkChain(parts: VerifyParts, o: VerifyOptions, found: Findings, totals: ChainTotals): Promise<void> {
  const { database, archive, codec, head, witness } = parts
  let expected = 1
  let previous: string | undefined = noHash
  const carried: { seq: number; hash: string }[] = []
  const check = async (commits: Iterable<Commit | undefined>): Promise<void> => {
    const startedAt = performance.now()
    for (const commit of commits) {
      if (commit === undefined) continue
      if (commit.first !== expected) found.addError('missing-records', gapError(database, expected, commit.first))
      // After a gap the previous hash cannot match: that is one fault, not two.
      else if (previous !== undefined) checkFollows(commit, previous, found)
      if (!isWhole(commit))
        found.add(
          'hash-mismatch',
          `the commit of records ${commit.first}..${lastSeqOf(commit)} does not match its hash`,
          commit.first,
        )
      if (witness !== undefined && lastSeqOf(commit) === witness.seq && originalHashOf(commit) !== witness.hash) {
        found.add(
          'witness-mismatch',
          `the commit that ends at seq ${witness.seq} is not the one that was durable (file witness)`,
          witness.seq,
        )
      }
      found.takeNote(commit, codec)
      checkExpected(commit, o, found)
      for (const hash of blobsOf(commit)) carried.push({ seq: commit.first, hash })
      expected = lastSeqOf(commit) + 1
      previous = linkOf(commit)
      totals.commits++
      totals.records += commit.count
    }
    await noteMissing(parts.blobs, carried.splice(0), totals.missingBlobs)
    o.onProgress?.(Math.min(expected - 1, head.seq), head.seq)
    await breathe(o, performance.now() - startedAt)
  }
  try {
    for (const segment of archive.segments) {
      try {
        await check((await archive.texts(segment)).map((text) => decoded(undefined, text, found)))
      } catch (error) {
        found.addError('file-damaged', error)
      }
      // Without its file, the entry of the segment says what the next commit follows.
      ;[expected, previous] = [segment.last + 1, segment.hash]
    }
    // What comes next was not archived when this began, or was meanwhile.
    const live = { gte: logKey(expected), lt: logKey(head.seq + 1) }
    for await (const chunk of database.chunks(live))
      await check(chunk.map(([key, value]) => decoded(key, value.toString('utf8'), found)))
    for (const { seq } of o.expect ?? [])
      if (seq > head.seq) found.add('not-as-expected', `record ${seq}, which is expected, is not in the log`, seq)
    if (expected <= head.seq) found.addError('missing-records', gapError(database, expected, head.seq + 1))
    else if (previous !== undefined && head.seq > 0 && previous !== head.hash) {
      found.add(
        'head-mismatch',
        `the last commit is not the one that the head of the log names (seq ${head.seq})`,
        head.seq,
      )
    }
  } catch (error) {
    found.addError('file-damaged', error)
  }
}

function decoded(key: Buffer | undefined, text: string, found: Findings): Commit | undefined {
  try {
    return decodeCommit(text, key)
  } catch (error) {
    found.addError('malformed', error)
    return undefined
  }
}

function checkExpected(commit: Commit, { expect = [] }: VerifyOptions, found: Findings): void {
  for (const { seq, hash } of expect) {
    if (seq < commit.first || seq > lastSeqOf(commit)) continue
    // One that was noted before a redaction is that of what the commit was.
    if (hashOf(commit).startsWith(hash) || originalHashOf(commit).startsWith(hash)) continue
    found.add('not-as-expected', `record ${seq} is in a commit with the hash ${hashOf(commit)}, not ${hash}`, seq)
  }
}

function checkFollows(commit: Commit, previous: string, found: Findings): void {
  try {
    assertFollows(commit, previous)
  } catch (error) {
    found.addError('chain-broken', error)
  }
}

async function noteMissing(
  blobs: BlobStore,
  carried: { seq: number; hash: string }[],
  missing: Map<string, number>,
): Promise<void> {
  const present = await blobs.hasAll(carried.map(({ hash }) => hash))
  carried.forEach(({ seq, hash }, i) => {
    if (present[i] !== true) missing.set(`sha256:${hash}`, seq)
  })
}

/**
 * A blob that came with a commit may rightly be gone: collected, when no record names it. So only a missing blob that a
 * record names is a fault. (Conversely, text that only looks like a hash does not require a blob.)
 */
async function checkBlobs(
  parts: VerifyParts,
  o: VerifyOptions,
  found: Findings,
  missing: Map<string, number>,
): Promise<void> {
  if (missing.size > 0) {
    const named = new Set<string>()
    try {
      // A malformed commit is a fault that checkChain has reported already.
      const options = { signal: o.signal, damaged: 'read' as const }
      await searchLog(parts.database, parts.archive, (hash) => missing.has(hash) && named.add(hash), options)
    } catch (error) {
      found.addError('file-damaged', error)
    }
    for (const hash of named) {
      if (found.lostContents.has(hash)) continue
      found.add(
        'blob-missing',
        `the blob ${hash} is missing; the commit at seq ${missing.get(hash)} brought it in`,
        missing.get(hash),
      )
    }
  }
  if (o.blobs !== 'whole') return
  try {
    for await (const { hash } of parts.blobs.list()) {
      const startedAt = performance.now()
      try {
        for await (const part of parts.blobs.stream(hash)) void part
      } catch (error) {
        found.addError('blob-corrupt', error)
      }
      await breathe(o, performance.now() - startedAt)
    }
  } catch (error) {
    found.addError('file-damaged', error)
  }
}

/** Derives each chunk of the index from the log again and compares. */
async function checkIndex(parts: VerifyParts, terms: TermsOf, o: VerifyOptions, found: Findings): Promise<void> {
  const { index } = parts
  const { through } = index
  const missing = (first: number, last: number): void =>
    found.add('index-mismatch', `the index has no chunk for the records ${first}..${last}; rebuild it`, first)
  try {
    let expected = 1
    for await (const { first, last } of index.chunks()) {
      if (last > through) break // a chunk that is being written, or was at a crash
      if (first > expected) missing(expected, first - 1)
      expected = last + 1
      const startedAt = performance.now()
      const stored = await index.stored(first)
      const derived = await derive(parts, terms, first, last).catch((error: unknown) => {
        if (!(error instanceof StoreError) || error.code !== 'log_archived') throw error
      })
      if (derived === undefined) continue // it is named as absent
      const wanted = encodeChunk(derived, first, last)
      if (!wanted.every((value, bucket) => stored[bucket]?.equals(value) === true)) {
        found.add(
          'index-mismatch',
          `the index of the records ${first}..${last} is not what the log says; rebuild it`,
          first,
        )
      }
      await breathe(o, performance.now() - startedAt)
    }
    if (expected <= through) missing(expected, through)
  } catch (error) {
    found.addError('index-mismatch', error)
  }
}

/** The index of some records, derived from the log. */
async function derive({ reader, codec }: VerifyParts, terms: TermsOf, first: number, last: number): Promise<TermMap> {
  const derived: TermMap = new Map()
  for await (const texts of reader.texts(first, last)) {
    for (const text of texts)
      for (const record of recordsOf(decodeCommit(text), codec))
        if (record.seq >= first && record.seq <= last) addTerms(derived, terms, record)
  }
  return derived
}
