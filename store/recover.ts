/**
 * Makes a sound store of a damaged one, see {@link recoverStore}.
 *
 * ```
 *   <store>             read, never changed; kept as <store>.<time> when the new one takes its place
 *   <store>.recovered   the new store while it is made: everything that its files hold and their checksums confirm
 * ```
 *
 * LevelDB never opens the damaged files (leveldb/salvage.ts reads them). Versions of an entry come in no order, so a
 * scratch database sorts them.
 */
import { access, link, mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { defined } from '../lib/optional.ts'
import { renameFile } from '../lib/patient-rename.ts'
import { blobKey, hashBytes } from './blob-format.ts'
import { BlobStore } from './blobs.ts'
import { checkpointSeq, tieToGaps } from './checkpoints.ts'
import { encodeCommit, logKey, type Note, type Recovery } from './commit.ts'
import { Database, databasePath, formatKey, keys, type Op, recoveredFormat, redactedFormat } from './database.ts'
import { isStoreError, StoreError } from './errors.ts'
import { decodeHead, encodeHead, headKey } from './head.ts'
import { storeErrorOf } from './leveldb/errors.ts'
import { type DamagedFile, salvage } from './leveldb/salvage.ts'
import { journalCommits } from './old-journal.ts'
import { openStore } from './open.ts'
import { plainCodec } from './record-codec.ts'
import { saveArchive } from './recover-archive.ts'
import { LogSaver, type SavedEnd } from './recover-log.ts'
import { Scratch } from './recover-scratch.ts'
import type { RecordCodec } from './types.ts'
import { readWitness, Witness } from './witness.ts'
import { WriteLane } from './write-lane.ts'

/** Options of {@link recoverStore}. */
export interface RecoverOptions {
  /** Put the new store in the place of the damaged one; without it only the report is made. */
  readonly write?: boolean
  /** As in {@link StoreOptions}. */
  readonly codec?: RecordCodec
  readonly now?: () => number
  /** Gets the folder of the new store before it is put in its place or removed. */
  readonly examine?: (dir: string, report: RecoverReport) => Promise<void>
}

/** What {@link recoverStore} saves, or would save. */
export interface RecoverReport {
  /** Files that differ from what was written, with what was found. Nothing is damaged when there is none. */
  readonly damaged: readonly DamagedFile[]
  /** Records that are saved. */
  readonly records: number
  /** Ranges of seq that are lost, both ends included. */
  readonly lost: readonly { readonly first: number; readonly last: number }[]
  readonly lostRecords: number
  /** Blobs: how many are saved, and the hashes of those that records name and that are lost. */
  readonly contents: { readonly saved: number; readonly lost: readonly string[] }
  /** Seq of the checkpoint from which a start takes the state; absent: it is folded from the first record on. */
  readonly checkpointSeq?: number
  /** Files of the archive that are not in their place; their records are not lost when the files are put back. */
  readonly absent: readonly string[]
  /** Where the damaged store is kept; absent when nothing was written. */
  readonly original?: string
}

/**
 * Saves what the undamaged parts of a closed store hold: records, blobs, checkpoints. In the place of lost records come
 * gaps (`log.lost`), and a last record (`log.recovered`) says what was lost and why; both are part of the hash chain.
 * All records keep their numbers. With `write` the new store takes the place of the damaged one, which is kept beside
 * it; when nothing is damaged, nothing is done.
 *
 * Throws {@link StoreError}: `store_missing`, `store_locked`, `store_unavailable`, `store_corrupt` (what was saved does
 * not verify; a fault of this code).
 */
export async function recoverStore(dir: string, o: RecoverOptions = {}): Promise<RecoverReport> {
  const draft = `${dir}.recovered`
  await assertThere(dir, draft)
  await rm(draft, { recursive: true, force: true })
  const original = `${dir}.${(o.now ?? Date.now)()}`
  try {
    const report = await rebuild(dir, draft, original, o)
    const checkpoint = await checked(draft, o)
    const found = { ...report, ...defined({ checkpointSeq: checkpoint }) }
    await o.examine?.(draft, found)
    if (o.write !== true || report.damaged.length === 0) return found
    await renameFile(dir, original)
    await renameFile(draft, dir).catch(async (error: unknown) => {
      await renameFile(original, dir)
      throw error
    })
    await syncFolder(dirname(dir))
    return { ...found, original }
  } catch (error) {
    throw isStoreError(error) ? error : storeErrorOf(error, 'recover')
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function assertThere(dir: string, draft: string): Promise<void> {
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    )
  if (await exists(databasePath(dir))) return
  const rest = (await exists(join(draft, 'witness')))
    ? `; an earlier recovery was interrupted when it was complete: rename ${draft} to ${dir}`
    : ''
  throw new StoreError('store_missing', `recover: there is no log in ${databasePath(dir)}${rest}`)
}

type Rebuilt = Omit<RecoverReport, 'checkpointSeq' | 'original'>

/** Makes the new store. */
async function rebuild(dir: string, draft: string, original: string, o: RecoverOptions): Promise<Rebuilt> {
  await mkdir(databasePath(draft), { recursive: true, mode: 0o700 })
  // The new database locks the file of the damaged one: no gateway can open that meanwhile.
  const lock = join(databasePath(draft), 'LOCK')
  await link(join(databasePath(dir), 'LOCK'), lock).catch(() => {}) // it is missing, or there are no links here
  const database = await Database.open(databasePath(draft), true)
  let scratch: Scratch | undefined
  try {
    const damaged: DamagedFile[] = []
    scratch = await Scratch.open(join(draft, 'scratch'))
    const found = await sortEntries(dir, database, scratch, damaged)
    const blobs = new BlobStore(database, new WriteLane(database))
    await removeDamagedBlobs(blobs)
    const log = new LogSaver(scratch, blobs, o.codec ?? plainCodec, damaged)
    const absent = await saveArchive({ dir, draft, database, scratch, log }, damaged)
    await log.saveLive(database, found.lastKnown)
    const gone = await log.lostContents()
    const contents = { saved: (await blobs.stats()).count, lost: gone.map(({ hash }) => hash).sort() }
    const { end, lost } = log
    const isSame = lost.length === 0 && end.seq === found.head.seq && (end.seq === 0 || end.hash === found.head.hash)
    if (damaged.length === 0 && !isSame) damaged.push({ file: 'db', detail: `the log is not whole up to its head` })
    if (damaged.length === 0 && gone.some(({ isNew }) => isNew))
      damaged.push({ file: 'db', detail: 'contents are missing that records name' })
    const time = Math.max(end.time, (o.now ?? Date.now)())
    const recovery = { time, lost: [...log.lostBefore, ...lost], contents: contents.lost, damaged, original }
    await finish(draft, database, end, damaged.length === 0 ? undefined : recovery)
    const ranges = lost.map(({ first, last }) => ({ first, last }))
    const lostRecords = ranges.reduce((sum, { first, last }) => sum + last + 1 - first, 0)
    return { damaged, records: end.seq - lostRecords, lost: ranges, lostRecords, contents, absent }
  } finally {
    await scratch?.remove()
    await database.close()
    await rm(lock, { force: true })
  }
}

/** Bytes put into the new database by one batch. */
const batchBytes = 1024 * 1024

interface FoundEnd {
  readonly head: { readonly seq: number; readonly hash: string }
  /** Last seq that is known to have been given to a durable record. */
  readonly lastKnown: number
}

/**
 * Reads all that the files hold. What has one version only goes to the new database, what can have several to the
 * scratch database. The index is left out: it is derived anew.
 */
async function sortEntries(
  dir: string,
  database: Database,
  scratch: Scratch,
  damaged: DamagedFile[],
): Promise<FoundEnd> {
  let ops: Op[] = []
  let bytes = 0
  let lastKnown = 0
  const meta = new Map<string, { value: Buffer; write: number }>()
  for await (const { key, value, write } of salvage(databasePath(dir), (file) => damaged.push(file))) {
    switch (key[0]) {
      case keys.log:
      case keys.segment:
        await scratch.add(key, value, write)
        break
      case keys.checkpoint:
        await scratch.add(key, value, write)
        if (value !== undefined) lastKnown = Math.max(lastKnown, checkpointSeq([key, value]))
        break
      case keys.meta: {
        const name = key.toString('latin1')
        if (value !== undefined && write >= (meta.get(name)?.write ?? 0)) meta.set(name, { value, write })
        break
      }
      case keys.blob:
      case keys.piece:
      case keys.setAside:
        if (value === undefined) break
        ops.push({ type: 'put', key: Buffer.from(key), value: Buffer.from(value) })
        bytes += value.length
    }
    if (bytes < batchBytes) continue
    await database.batch(ops, false)
    ops = []
    bytes = 0
  }
  await database.batch(ops, false)
  const witness = await readWitness(dir)
  if (witness.damagedSlots > 0 && witness.mark === undefined)
    damaged.push({ file: 'witness', detail: `${witness.damagedSlots} of 2 slots are damaged` })
  // Older than anything else that has its key.
  for (const { first, text } of await journalCommits(dir)) await scratch.add(logKey(first), Buffer.from(text), 0)
  await scratch.flush()
  for await (const [key, value] of scratch.newest(keys.checkpoint))
    await database.batch([{ type: 'put', key, value }], false)
  const head = decodeHead(meta.get(headKey.toString('latin1'))?.value) ?? { seq: 0, hash: '' }
  lastKnown = Math.max(lastKnown, head.seq, witness.mark?.seq ?? 0)
  const format = meta.get(formatKey.toString('latin1'))?.value
  if (format !== undefined) await database.batch([{ type: 'put', key: formatKey, value: format }], false)
  return { head, lastKnown }
}

/** Without its entry, a blob that is sent again is stored again. */
async function removeDamagedBlobs(blobs: BlobStore): Promise<void> {
  for await (const { hash } of blobs.list()) {
    try {
      for await (const part of blobs.stream(hash)) void part
    } catch (error) {
      if (!isStoreError(error)) throw error
      await blobs.database.batch([{ type: 'del', key: blobKey(hashBytes(hash)) }], false)
    }
  }
}

/** Ends the log with the record of the recovery, if there is one, and writes what an open checks. */
async function finish(draft: string, database: Database, end: SavedEnd, recovery: Recovery | undefined): Promise<void> {
  let head = { seq: end.seq, hash: end.hash }
  const ops: Op[] = []
  if (recovery !== undefined) {
    const seq = end.seq + 1
    const note: Note = { recovery }
    const { hash, value } = encodeCommit(end.hash, seq, 1, [], JSON.stringify(note))
    head = { seq, hash }
    ops.push({ type: 'put', key: logKey(seq), value })
    const format = await database.get(formatKey)
    const kept = format?.toString() === redactedFormat ? format : Buffer.from(recoveredFormat)
    ops.push({ type: 'put', key: formatKey, value: kept })
    await tieToGaps(database)
  }
  if (head.seq > 0) ops.push({ type: 'put', key: headKey, value: encodeHead(head.seq, head.hash) })
  await database.batch(ops, true)
  await database.flushMemory()
  if (head.seq === 0) return
  const witness = await Witness.open(draft)
  await witness.anchor(head)
  await witness.close()
}

/** Verifies the new store. Returns the seq of the checkpoint that a start uses. */
async function checked(draft: string, { codec }: RecoverOptions): Promise<number | undefined> {
  const store = await openStore({ dir: draft, create: false, ...defined({ codec }) })
  try {
    const { faults } = await store.log.verify()
    if (faults[0] !== undefined)
      throw new StoreError('store_corrupt', `recover: what was saved does not verify: ${faults[0].detail}`)
    return (await store.checkpoints.newest())?.seq
  } finally {
    await store.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return // a directory cannot be synced there
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
