/**
 * Checks the end of the log, in constant time: the format, the head against the last commit, the chain over the last
 * commits, the witness and an old journal. When LevelDB reports that it dropped something, the chain is checked over
 * everything that its log file may have contained; when an earlier open found damage, over the whole log.
 */
import { access, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '../lib/optional.ts'
import type { Archive } from './archive.ts'
import {
  assertFollows,
  assertWhole,
  type Commit,
  decodeEntry,
  hashOf,
  lastSeqOf,
  linkOf,
  logKey,
  originalHashOf,
  recordsOf,
} from './commit.ts'
import { type Database, formatKey, keys, rangeOf, readFormats, writeBufferBytes } from './database.ts'
import { StoreError } from './errors.ts'
import { decodeHead, emptyHead, type Head, headKey } from './head.ts'
import type { Dropped } from './leveldb/dropped.ts'
import { keptPrefix } from './leveldb/file-names.ts'
import { gapError } from './log-reader.ts'
import type { TakenOver } from './old-journal.ts'
import type { RecordCodec } from './types.ts'
import type { WitnessReading } from './witness.ts'

/**
 * Number of commits whose chain is checked at every open, and bytes after which the check stops (it takes about 1 ms).
 */
const tailCommits = 64
const tailBytes = 128 * 1024
/** Present while the directory is known to be damaged: at the next open LevelDB no longer reports what it dropped. */
const damageFile = 'damage'

/** Evidence of the end of the log besides the log itself. */
export interface Evidence {
  readonly witness: WitnessReading
  /** What LevelDB left out when it opened the database. */
  readonly dropped: Dropped | undefined
  /** Reads the last commit. */
  readonly codec: RecordCodec
  readonly archive: Archive
  /** The result of importing an earlier version's journal. */
  readonly takenOver: TakenOver
}

/** The end of an undamaged log. */
export interface CheckedEnd {
  readonly head: Head
  /** A note about something that is not a fault. */
  readonly detail?: string
}

/** See the head of this file. Throws `store_corrupt`, `store_truncated`, `store_unsupported`. */
export async function checkEnd(
  database: Database,
  dir: string,
  { witness, dropped, takenOver, codec, archive }: Evidence,
): Promise<CheckedEnd> {
  const [[format, storedHead], damagedBefore] = await Promise.all([
    database.getMany([formatKey, headKey]),
    isMarkedDamaged(dir),
  ])
  checkFormat(format)
  if (dropped !== undefined && !damagedBefore) await markDamaged(dir, `${dropped.file}: ${dropped.detail}`)
  const scope = damagedBefore
    ? { commits: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
    : dropped !== undefined
      ? { commits: Number.POSITIVE_INFINITY, bytes: 4 * writeBufferBytes }
      : { commits: tailCommits, bytes: tailBytes }
  let head: Head
  try {
    head = await checkTail(database, storedHead, scope, codec, archive)
    await checkWitness(database, head, witness, archive)
    if (takenOver.beyond !== undefined) assertReaches(head, takenOver.beyond)
  } catch (error) {
    throw withReasons(error, dropped, await keptLogsIn(dir))
  }
  if (dropped !== undefined || damagedBefore) await clearDamageMark(dir)
  // The log is complete without them.
  for (const copy of database.keptLogs) await rm(copy, { force: true })
  const details: string[] = []
  if (takenOver.commits > 0)
    details.push(`${takenOver.commits} commits that the database had lost were put back from the file journal`)
  if (dropped !== undefined)
    details.push(`LevelDB left out a torn part of ${dropped.file} (${dropped.detail}); the log is whole`)
  if (witness.exists && witness.mark === undefined && witness.damagedSlots === 0 && head.seq > 0)
    details.push('the file witness is empty; it is written anew')
  if (!witness.exists && head.seq > 0) details.push('the file witness is missing; a new one is written')
  if (witness.damagedSlots > 0)
    details.push(`the file witness is damaged (${witness.damagedSlots} of 2 slots); it is written anew`)
  return details.length === 0 ? { head } : { head, detail: details.join('; ') }
}

function checkFormat(found: Buffer | undefined): void {
  if (found === undefined || readFormats.includes(found.toString())) return
  throw new StoreError(
    'store_unsupported',
    `the data directory has format ${JSON.stringify(found.toString())}, this version reads ${readFormats.join(', ')}`,
  )
}

/** Walks back from the last commit; returns it when head and chain are correct. */
async function checkTail(
  database: Database,
  stored: Buffer | undefined,
  scope: { commits: number; bytes: number },
  codec: RecordCodec,
  archive: Archive,
): Promise<Head> {
  let last: Commit | undefined
  let next: Commit | undefined
  let commits = 0
  let bytes = 0
  walk: for await (const chunk of database.chunks(
    { gte: logKey(archive.through + 1), lt: rangeOf(keys.log).lt },
    {
      reverse: true,
      highWaterMarkBytes: 32 * 1024,
    },
  )) {
    for (const [key, value] of chunk) {
      const commit = decodeEntry([key, value])
      assertWhole(commit)
      if (next === undefined) last = commit
      else if (lastSeqOf(commit) + 1 !== next.first) throw gapError(database, lastSeqOf(commit) + 1, next.first)
      else assertFollows(next, linkOf(commit))
      next = commit
      commits++
      bytes += value.length
      if (commits >= scope.commits || bytes >= scope.bytes) break walk
    }
  }
  if (next !== undefined && commits < scope.commits && bytes < scope.bytes) assertStart(database, next, archive)
  return checkHead(stored, last, codec)
}

function checkHead(stored: Buffer | undefined, last: Commit | undefined, codec: RecordCodec): Head {
  const lastSeq = last === undefined ? 0 : lastSeqOf(last)
  if (stored === undefined && last === undefined) return emptyHead
  const head = decodeHead(stored)
  if (head === undefined) {
    throw new StoreError(
      'store_corrupt',
      `the head of the log is missing or malformed; the last commit ends at seq ${lastSeq}`,
      { seq: lastSeq },
    )
  }
  if (head.seq > lastSeq) {
    throw new StoreError(
      'store_corrupt',
      `records ${lastSeq + 1}..${head.seq} are missing: the head of the log is seq ${head.seq}`,
      {
        seq: lastSeq + 1,
      },
    )
  }
  if (head.seq < lastSeq || head.hash !== hashOf(last as Commit)) {
    throw new StoreError(
      'store_corrupt',
      `the last commit ends at seq ${lastSeq}, the head names seq ${head.seq} with another hash`,
      {
        seq: lastSeq,
      },
    )
  }
  const records = recordsOf(last as Commit, codec)
  return { ...head, time: records[records.length - 1]?.time ?? 0 }
}

function assertStart(database: Database, first: Commit, { through, hash }: Archive): void {
  if (first.first !== through + 1) throw gapError(database, through + 1, first.first)
  assertFollows(first, hash)
}

async function checkWitness(
  database: Database,
  head: Head,
  { exists, mark, damagedSlots }: WitnessReading,
  archive: Archive,
): Promise<void> {
  if (!exists || (mark === undefined && damagedSlots === 0)) return
  if (mark === undefined) {
    throw new StoreError('store_corrupt', 'the file witness is damaged: a lost end of the log would go unnoticed', {
      file: 'witness',
    })
  }
  assertReaches(head, mark.seq)
  if ((head.seq === mark.seq && head.hash === mark.hash) || mark.seq <= archive.through) return
  const entry = await database.logEntryBefore(mark.seq + 1)
  const commit = entry === undefined ? undefined : decodeEntry(entry)
  if (commit === undefined || lastSeqOf(commit) !== mark.seq || originalHashOf(commit) !== mark.hash) {
    throw new StoreError(
      'store_corrupt',
      `the commit that ends at seq ${mark.seq} is not the one that was durable (the file witness names another hash)`,
      {
        seq: mark.seq,
      },
    )
  }
}

function assertReaches(head: Head, seq: number): void {
  if (head.seq >= seq) return
  const lost = `records ${head.seq + 1}..${seq} (at least) are missing`
  throw new StoreError('store_truncated', `the log ends at seq ${head.seq}, but seq ${seq} was durable: ${lost}`, {
    seq: head.seq + 1,
  })
}

/** Adds LevelDB's report and the kept copies of deleted files to an error. */
function withReasons(error: unknown, dropped: Dropped | undefined, keptLogs: readonly string[]): unknown {
  if (!(error instanceof StoreError) || (dropped === undefined && keptLogs.length === 0)) return error
  const reports = dropped === undefined ? '' : `; LevelDB reports ${dropped.file}: ${dropped.detail}`
  const kept = keptLogs.length === 0 ? '' : `; what was damaged is kept as it was in ${keptLogs.join(', ')}`
  const file = dropped?.file ?? error.place.file
  return new StoreError(
    error.code,
    `${error.message}${reports}${kept}`,
    { ...error.place, ...defined({ file }) },
    error,
  )
}

/** Copies of damaged `.log` files, from this open or an earlier one. */
async function keptLogsIn(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => name.startsWith(keptPrefix)).map((name) => join(dir, name))
}

function markDamaged(dir: string, detail: string): Promise<void> {
  // A failure to write it must not hide the fault that was found.
  return writeFile(join(dir, damageFile), `${detail}\n`).catch(() => {})
}

function isMarkedDamaged(dir: string): Promise<boolean> {
  return access(join(dir, damageFile)).then(
    () => true,
    () => false,
  )
}

/** Removes the mark of a damaged directory. */
function clearDamageMark(dir: string): Promise<void> {
  return rm(join(dir, damageFile), { force: true })
}
