/**
 * Imports the journal that an earlier version left behind.
 *
 * Earlier versions made small commits durable in a separate file, `journal`, before LevelDB had them on the disk. After
 * a power failure that file may contain commits that LevelDB has lost. The next open puts them into the log and then
 * removes the file.
 *
 * ```
 *   0      "gantry-journal 1 " seq (16), sealed (sealed-sector.ts)    all up to this seq is in the database
 * 4096   frames, each at the start of a sector: "gjf1" ‖ bytes of the commit (8 hex) ‖ commit (commit.ts)
 * ```
 */
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Commit, decodeCommit, decodeEntry, hashOf, isWhole, lastSeqOf, logKey, previousHashOf } from './commit.ts'
import type { Database, Op } from './database.ts'
import { decodeHead, encodeHead, headKey } from './head.ts'
import { readSealed, sectorBytes } from './sealed-sector.ts'

/** The result of {@link takeOverJournal}. */
export interface TakenOver {
  /** True when the directory has a journal. */
  readonly exists: boolean
  /** Number of commits that were put into the database. */
  readonly commits: number
  /** Last seq that is known to have been durable and could not be restored, because a commit before it is missing. */
  readonly beyond?: number
}

const framesAt = 4096
const frameMark = 'gjf1'
const frameHead = frameMark.length + 8
const largestFrame = 16 * 1024

function journalPath(dir: string): string {
  return join(dir, 'journal')
}

/**
 * Puts the journal's commits that the database lacks into it, synced: those that follow, by number and hash, a commit
 * that is there. A torn or damaged frame is left out. Must be called before anything writes to the database and before
 * the end of its log is checked. It never begins a log that has no commit. The file stays, see {@link removeJournal}.
 */
export async function takeOverJournal(database: Database, dir: string): Promise<TakenOver> {
  const bytes = await readFile(journalPath(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return { exists: false, commits: 0 }
  const kept = commitsIn(bytes)
  const present = await database.hasMany(kept.map(({ first }) => logKey(first)))
  const missing = kept.filter((_commit, i) => present[i] !== true)
  const ops: Op[] = []
  let before: Commit | undefined
  let last: Commit | undefined
  let beyond: Commit | undefined
  for (const commit of missing) {
    if (before === undefined || lastSeqOf(before) + 1 !== commit.first)
      before = await lastBefore(database, commit.first)
    if (before === undefined || !follows(commit, before)) {
      beyond = commit
      continue
    }
    ops.push({ type: 'put', key: logKey(commit.first), value: Buffer.from(commit.text) })
    last = before = commit
  }
  const commits = ops.length
  const head = decodeHead(await database.get(headKey))
  if (last !== undefined && head !== undefined && lastSeqOf(last) > head.seq)
    ops.push({ type: 'put', key: headKey, value: encodeHead(lastSeqOf(last), hashOf(last)) })
  if (commits > 0) await database.batch(ops, true)
  return { exists: true, commits, ...(beyond === undefined ? {} : { beyond: lastSeqOf(beyond) }) }
}

/** The complete commits of a journal, oldest first; none when there is no journal. For `recover`. */
export async function journalCommits(dir: string): Promise<Commit[]> {
  const bytes = await readFile(journalPath(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return bytes === undefined ? [] : commitsIn(bytes)
}

/**
 * Removes the journal, durably: if a power failure brought it back, its commits might belong to a log that has
 * continued differently since.
 */
export async function removeJournal(dir: string): Promise<void> {
  await rm(journalPath(dir), { force: true })
  if (process.platform === 'win32') return // a directory cannot be synced there, and no journal was ever written
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The complete commits that may be missing in the database, oldest first. */
function commitsIn(bytes: Buffer): Commit[] {
  const after = seqInHeader(bytes)
  const commits: Commit[] = []
  for (let at = framesAt; at < bytes.length; ) {
    const commit = commitAt(bytes, at)
    if (commit !== undefined && lastSeqOf(commit) > after) commits.push(commit)
    const length = commit === undefined ? 1 : frameHead + frameLength(bytes, at)
    at += Math.ceil(length / sectorBytes) * sectorBytes
  }
  return commits.sort((a, b) => a.first - b.first)
}

/** The seq in the header; 0 for an unreadable header: then the database is asked for every commit. */
function seqInHeader(bytes: Buffer): number {
  const found = /^gantry-journal 1 (\d{16})$/.exec(readSealed(bytes.subarray(0, sectorBytes)) ?? '')
  return Number(found?.[1] ?? 0)
}

/** Bytes of the commit in a frame; 0 where no frame begins. */
function frameLength(bytes: Buffer, at: number): number {
  const head = bytes.toString('latin1', at, at + frameHead)
  if (!head.startsWith(frameMark)) return 0
  const length = Number.parseInt(head.slice(frameMark.length), 16)
  return length > 0 && frameHead + length <= largestFrame ? length : 0
}

/** The commit in the frame at this place; undefined where no frame begins, or it is torn or damaged. */
function commitAt(bytes: Buffer, at: number): Commit | undefined {
  const from = at + frameHead
  const length = frameLength(bytes, at)
  if (length === 0) return undefined
  try {
    const commit = decodeCommit(bytes.toString('utf8', from, from + length))
    return isWhole(commit) ? commit : undefined
  } catch {
    return undefined
  }
}

function follows(commit: Commit, before: Commit): boolean {
  return commit.first === lastSeqOf(before) + 1 && previousHashOf(commit) === hashOf(before)
}

/** The commit before `seq`; undefined when there is none or it is damaged. */
async function lastBefore(database: Database, seq: number): Promise<Commit | undefined> {
  const entry = await database.logEntryBefore(seq)
  try {
    return entry === undefined ? undefined : decodeEntry(entry)
  } catch {
    return undefined
  }
}
