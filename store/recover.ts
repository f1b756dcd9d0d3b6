/** Continues without the lost end of a log, on the explicit decision of a person; see {@link acceptLoss}. */
import { Archive } from './archive.ts'
import { clearDamageMark } from './check-end.ts'
import {
  assertFollows,
  assertWhole,
  type Commit,
  decodeEntry,
  encodeCommit,
  hashOf,
  lastSeqOf,
  logKey,
  noHash,
  readSeq,
  recordsOf,
} from './commit.ts'
import { Database, databasePath, type Entry, keys, type Op, rangeOf, seqBytes } from './database.ts'
import { isStoreError, StoreError } from './errors.ts'
import { decodeHead, emptyHead, encodeHead, type Head, headKey } from './head.ts'
import { storeErrorOf } from './leveldb/errors.ts'
import { removeJournal, takeOverJournal } from './old-journal.ts'
import { makeRecord, plainCodec } from './record-codec.ts'
import { cursorKey, tailKey } from './term-index.ts'
import type { LogRecord, RecordCodec } from './types.ts'
import { readWitness, Witness } from './witness.ts'

/** The result of {@link acceptLoss}. */
export interface AcceptedLoss {
  /** Last record that is kept. */
  readonly anchorSeq: number
  /** Records known to be lost: from `first`, at least up to `last`. */
  readonly lost?: { readonly first: number; readonly last: number }
  /** Commits after the anchor that were set aside (kept in the database, out of the log). */
  readonly setAside: number
  /** The `log.recovered` record; absent when nothing was lost. */
  readonly record?: LogRecord
}

/** Options of {@link acceptLoss}. */
export interface AcceptLossOptions {
  /**
   * Also give up intact records that come after a gap or a damaged one. Without it they are refused with
   * `store_corrupt`: a backup is nearly always better.
   */
  setAside?: boolean
  /** As in {@link StoreOptions}. */
  codec?: RecordCodec
  now?: () => number
}

/**
 * Anchors head and witness of a closed data directory at the last commit up to which the whole log verifies, and
 * appends a `log.recovered` record that describes the loss. Nothing is deleted: commits after that point are moved out
 * of the log, under keys of their own. The index is derived again at the next open, and later checkpoints are not used
 * (their commit hash no longer matches).
 *
 * The log continues with the number after the anchor: numbers of lost records are given again.
 *
 * Throws {@link StoreError}: `store_missing`, `store_locked`, `store_corrupt`, `store_unavailable`.
 */
export async function acceptLoss(dir: string, o: AcceptLossOptions = {}): Promise<AcceptedLoss> {
  const database = await Database.open(databasePath(dir), false, true)
  let witness: Witness | undefined
  try {
    const { beyond = 0 } = await takeOverJournal(database, dir)
    const codec = o.codec ?? plainCodec
    const archive = await Archive.open(database, dir)
    const { anchor, rest, reason } = await verifiedPart(database, archive, codec)
    const { mark } = await readWitness(dir)
    const stored = await database.get(headKey)
    const headSeq = decodeHead(stored)?.seq ?? 0
    const lastKnown = Math.max(headSeq, mark?.seq ?? 0, beyond, ...rest.map(({ last }) => last))
    const lost = lastKnown > anchor.seq ? { first: anchor.seq + 1, last: lastKnown } : undefined
    if (rest.length > 0 && o.setAside !== true) {
      throw new StoreError(
        'store_corrupt',
        `accept the loss: ${reason}; ${rest.length} commits after it are readable and would have to be given up (up to seq ${lastKnown})`,
        { seq: anchor.seq + 1 },
      )
    }
    witness = await Witness.open(dir)
    const accepted = await reanchor(database, witness, { anchor, lost, rest, reason, codec }, (o.now ?? Date.now)())
    await removeJournal(dir)
    await clearDamageMark(dir)
    return accepted
  } catch (error) {
    throw isStoreError(error) ? error : storeErrorOf(error, 'accept the loss')
  } finally {
    await witness?.close()
    await database.close()
  }
}

interface VerifiedPart {
  readonly anchor: Head
  /** Entries of the log after the anchor. */
  readonly rest: { readonly key: Buffer; readonly last: number }[]
  /** Why the anchor is where it is. */
  readonly reason: string
}

async function verifiedPart(database: Database, archive: Archive, codec: RecordCodec): Promise<VerifiedPart> {
  const { through, hash, segments } = archive
  let anchor = through === 0 ? emptyHead : { seq: through, hash, time: segments.at(-1)?.lastTime ?? 0 }
  let reason: string | undefined
  const rest: VerifiedPart['rest'] = []
  for await (const chunk of database.chunks({ ...rangeOf(keys.log), gte: logKey(through + 1) })) {
    for (const entry of chunk) {
      if (reason === undefined) {
        try {
          anchor = followed(entry, anchor, codec)
          continue
        } catch (error) {
          if (!isStoreError(error)) throw error
          reason = error.message
        }
      }
      rest.push({ key: entry[0], last: lastOf(entry) })
    }
  }
  return { anchor, rest, reason: reason ?? `the log ends at seq ${anchor.seq}` }
}

function followed(entry: Entry, anchor: Head, codec: RecordCodec): Head {
  const commit: Commit = decodeEntry(entry)
  if (commit.first !== anchor.seq + 1) {
    throw new StoreError('store_corrupt', `the records ${anchor.seq + 1}..${commit.first - 1} are missing`, {
      seq: anchor.seq + 1,
    })
  }
  assertWhole(commit)
  assertFollows(commit, anchor.seq === 0 ? noHash : anchor.hash)
  const records = recordsOf(commit, codec)
  return { seq: lastSeqOf(commit), hash: hashOf(commit), time: records[records.length - 1]?.time ?? 0 }
}

function lastOf(entry: Entry): number {
  try {
    return lastSeqOf(decodeEntry(entry))
  } catch {
    return entry[0].length === 9 ? readSeq(entry[0], 1) : 0
  }
}

interface Loss extends VerifiedPart {
  readonly lost: { readonly first: number; readonly last: number } | undefined
  readonly codec: RecordCodec
}

async function reanchor(database: Database, witness: Witness, loss: Loss, now: number): Promise<AcceptedLoss> {
  const { anchor, lost, rest, reason, codec } = loss
  await dropIndex(database)
  const aside = Buffer.concat([Buffer.of(keys.setAside), seqBytes(now)])
  // Newest first: if this is interrupted, the rest is still a log with the same verified part.
  for (const { key } of [...rest].reverse()) {
    const value = await database.get(key)
    if (value === undefined) continue
    const move: Op[] = [
      { type: 'put', key: Buffer.concat([aside, key]), value },
      { type: 'del', key },
    ]
    await database.batch(move, false)
  }
  const ops: Op[] = []
  const record = lost === undefined ? undefined : recoveredRecord(anchor, { lost, reason, setAside: rest.length }, now)
  const head = record === undefined ? anchor : appendRecord(ops, anchor, record, codec)
  ops.push({ type: 'put', key: headKey, value: encodeHead(head.seq, head.hash) })
  await database.batch(ops, true)
  await database.flushMemory()
  await witness.anchor({ seq: head.seq, hash: head.hash })
  return {
    anchorSeq: anchor.seq,
    setAside: rest.length,
    ...(lost === undefined ? {} : { lost }),
    ...(record === undefined ? {} : { record }),
  }
}

/** Drops the whole index: its chunks would not match the new end of the log. */
async function dropIndex(database: Database): Promise<void> {
  const ops: Op[] = [cursorKey, tailKey].map((key) => ({ type: 'del', key }))
  await database.batch(ops, false)
  for await (const chunk of database.chunks(rangeOf(keys.term), { values: false, highWaterMarkBytes: 16 * 1024 })) {
    await database.batch(
      chunk.map(([key]) => ({ type: 'del', key })),
      false,
    )
  }
}

function recoveredRecord(anchor: Head, data: object, now: number): LogRecord {
  return makeRecord({ type: 'log.recovered', actor: 'system', data }, anchor.seq + 1, Math.max(anchor.time, now))
}

/** Adds the commit of one record, and returns the new head. */
function appendRecord(ops: Op[], anchor: Head, record: LogRecord, codec: RecordCodec): Head {
  const { seq, time } = record
  const { hash, value } = encodeCommit(anchor.hash, seq, 1, [], codec.encode([record]))
  ops.push({ type: 'put', key: logKey(seq), value })
  return { seq, hash, time }
}
