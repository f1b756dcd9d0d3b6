/**
 * Takes texts out of records of the log, so that the chain stays verifiable.
 *
 * A commit with redacted records is written anew as a note (commit.ts): the redacted records, and the hash that it had.
 * The chain goes on behind it as if nothing had changed. What vouches for it is a record `log.redacted`, written in the
 * same batch, with the hash of every such commit: a change of one afterwards is found like any other.
 *
 * ```
 *   one batch     commits anew ‖ entries of archived segments ‖ record log.redacted ‖ key scrub
 *   afterwards    old files, checkpoints, contents that nothing names and old tables of LevelDB go; then the key scrub
 * ```
 *
 * A crash before the batch leaves everything as it was; after it, the next open does the rest.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Archive, packSegment, type Segment, segmentFile, segmentKey, writeSegment } from './archive.ts'
import {
  assertWhole,
  blobsOf,
  type Commit,
  decodeCommit,
  decodeEntry,
  encodeCommit,
  lastSeqOf,
  logKey,
  type Note,
  noteIn,
  originalHashOf,
  previousHashOf,
  recordsOf,
  sha256,
} from './commit.ts'
import { type Database, formatKey, keys, metaKey, type Op, rangeOf, redactedFormat } from './database.ts'
import { StoreError } from './errors.ts'
import type { RecordCodec, RedactedCommit } from './types.ts'

/** Present while the old texts may still be on the disk. */
export const scrubKey: Buffer = metaKey('scrub')

/** What is to be done after the batch. */
export interface Scrub {
  readonly first: number
  readonly last: number
  /** Contents that held a text. */
  readonly contents: readonly string[]
}

export interface Redaction {
  readonly commits: readonly RedactedCommit[]
  /** For the batch of the record that vouches. */
  readonly ops: Op[]
  /** Archived segments as they are after it. */
  readonly segments: readonly Segment[]
}

/**
 * Makes the redacted commits. Archived ones are in new files, which count from the batch on.
 * @param changes new data of records, by seq
 * @param contents see {@link Scrub}
 */
export async function redaction(
  { database, archive, codec }: { database: Database; archive: Archive; codec: RecordCodec },
  changes: ReadonlyMap<number, unknown>,
  contents: readonly string[],
): Promise<Redaction> {
  const commits: RedactedCommit[] = []
  const ops: Op[] = []
  const segments: Segment[] = []
  const seqs = [...changes.keys()].sort((a, b) => a - b)
  const anew = (commit: Commit): Buffer => {
    const { hash, value } = redacted(commit, changes, codec)
    commits.push({ first: commit.first, last: lastSeqOf(commit), hash })
    return value
  }
  for (let at = 0; at < seqs.length; ) {
    const seq = seqs[at] as number
    let last: number
    if (seq <= archive.through) {
      const segment = archive.holding(seq)
      last = segment.last
      const texts = (await archive.texts(segment)).map((text) => {
        const commit = decodeCommit(text)
        const isChanged = seqs.some((one) => one >= commit.first && one <= lastSeqOf(commit))
        return isChanged ? anew(commit) : Buffer.from(text, 'utf8')
      })
      const bytes = await packSegment(texts)
      const [, number = 0] = /-redacted-(\d+)\./.exec(segment.file) ?? []
      const file = segmentFile(segment.first, segment.last, `redacted-${Number(number) + 1}`)
      await writeSegment(archive.dir, file, bytes)
      const written = { ...segment, file, bytes: bytes.length, sha256: sha256(bytes).toString('hex') }
      segments.push(written)
      ops.push({ type: 'put', key: segmentKey(segment.first), value: Buffer.from(JSON.stringify(written)) })
    } else {
      const entry = await database.logEntryBefore(seq + 1)
      const commit = entry && decodeEntry(entry)
      if (commit === undefined || lastSeqOf(commit) < seq)
        throw new StoreError('store_corrupt', `record ${seq} is missing`, { seq })
      last = lastSeqOf(commit)
      ops.push({ type: 'put', key: logKey(commit.first), value: anew(commit) })
    }
    while (at < seqs.length && (seqs[at] as number) <= last) at++
  }
  const scrub: Scrub = { first: commits[0]?.first ?? 1, last: commits.at(-1)?.last ?? 1, contents }
  ops.push({ type: 'put', key: scrubKey, value: Buffer.from(JSON.stringify(scrub)) })
  ops.push({ type: 'put', key: formatKey, value: Buffer.from(redactedFormat) })
  return { commits, ops, segments }
}

function redacted(commit: Commit, changes: ReadonlyMap<number, unknown>, codec: RecordCodec) {
  assertWhole(commit)
  const note = noteIn(commit)
  if (note !== undefined && note.redacted === undefined)
    throw new StoreError('record_invalid', `record ${commit.first} is a note of a recovery: it has no text`)
  const records = recordsOf(commit, codec).map((record) =>
    changes.has(record.seq) ? { ...record, data: changes.get(record.seq) } : record,
  )
  const written: Note = { redacted: { hash: originalHashOf(commit), packed: codec.encode(records) } }
  const { first, count } = commit
  return encodeCommit(previousHashOf(commit), first, count, blobsOf(commit), JSON.stringify(written))
}

/** The rest of a redaction whose batch is on the disk; undefined when there is none. */
export async function pendingScrub(database: Database): Promise<Scrub | undefined> {
  const value = await database.get(scrubKey)
  return value && (JSON.parse(value.toString('utf8')) as Scrub)
}

/**
 * Removes the old texts from the files of LevelDB. It writes a table with all versions of an entry, and drops the old
 * ones only where it merges tables of two levels. So each range is brought into tables, then what is at its ends is
 * written again: the table of that covers the range, and is merged with all in it.
 * @param write as that of the write lane
 */
export async function compactScrubbed(
  database: Database,
  write: (ops: Op[], sync: boolean) => Promise<void>,
  { first, last, contents }: Scrub,
): Promise<void> {
  const ranges = [
    { gte: logKey(first), lt: logKey(last + 1) },
    rangeOf(keys.checkpoint),
    ...(contents.length > 0 ? [rangeOf(keys.blob), rangeOf(keys.piece)] : []),
  ]
  for (const { gte, lt } of ranges) {
    await database.compact(gte, lt)
    const ends = [gte, lt]
    const values = await database.getMany(ends)
    const again = ends.map((key, i): Op => {
      const value = values[i]
      return value === undefined ? { type: 'del', key } : { type: 'put', key, value }
    })
    await write(again, false)
    await database.compact(gte, lt)
  }
}

/** Removes files of the archive in whose place another one has come, and those of a redaction that has not happened. */
export async function removeReplaced(archive: Archive): Promise<void> {
  const current = new Map(archive.segments.map(({ first, last, file }) => [segmentFile(first, last), file]))
  const names = await readdir(archive.dir).catch((): string[] => [])
  for (const name of names) {
    const file = current.get(name.replace(/-redacted-\d+(?=\.)/, ''))
    if (file !== undefined && file !== name) await rm(join(archive.dir, name), { force: true })
  }
}
