/** Puts back what a power failure took from LevelDB and the journal still holds. */
import { type Commit, decodeEntry, hashOf, lastSeqOf, logKey, previousHashOf } from './commit.ts'
import type { Database, Op } from './database.ts'
import { readJournal } from './journal.ts'
import { decodeHead, encodeHead, headKey } from './log-writer.ts'

/** What {@link restore} found. */
export interface Restored {
  /** Commits that were put back. */
  readonly commits: number
  /** Last seq that is known to have been durable and could not be put back, because what is before it is missing. */
  readonly beyond?: number
}

/**
 * Puts the commits of the journal that the database lacks back into it, synced: those that follow, by number and hash, a commit that is there. To be
 * called on a database that nobody writes to yet, before the end of its log is checked. A log without any commit is never begun here.
 */
export async function restore(database: Database, dir: string): Promise<Restored> {
  const kept = await readJournal(dir)
  if (kept.length === 0) return { commits: 0 }
  const present = await database.hasMany(kept.map(({ first }) => logKey(first)))
  const missing = kept.filter((_commit, i) => present[i] !== true)
  if (missing.length === 0) return { commits: 0 }
  const head = decodeHead(await database.get(headKey))
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
  if (last !== undefined && head !== undefined && lastSeqOf(last) > head.seq)
    ops.push({ type: 'put', key: headKey, value: encodeHead(lastSeqOf(last), hashOf(last)) })
  if (commits > 0) await database.batch(ops, true)
  return { commits, ...(beyond === undefined ? {} : { beyond: lastSeqOf(beyond) }) }
}

function follows(commit: Commit, before: Commit): boolean {
  return commit.first === lastSeqOf(before) + 1 && previousHashOf(commit) === hashOf(before)
}

/** The commit in front of `seq`; undefined: there is none, or it is damaged. */
async function lastBefore(database: Database, seq: number): Promise<Commit | undefined> {
  const entry = await database.logEntryBefore(seq)
  try {
    return entry === undefined ? undefined : decodeEntry(entry)
  } catch {
    return undefined
  }
}
