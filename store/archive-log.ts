/** Moves the oldest commits from LevelDB into files of the archive (archive.ts). */
import {
  type Archive,
  packSegment,
  type Segment,
  segmentFile,
  segmentKey,
  unpackSegment,
  writeSegment,
} from './archive.ts'
import {
  assertFollows,
  assertWhole,
  type Commit,
  decodeEntry,
  lastSeqOf,
  linkOf,
  logKey,
  recordsOf,
  sha256,
} from './commit.ts'
import { type Database, formatFor, formatKey, type Op } from './database.ts'
import { StoreError } from './errors.ts'
import { gapError } from './log-reader.ts'
import type { ArchivedLog, ArchiveOptions, RecordCodec } from './types.ts'
import type { WriteLane } from './write-lane.ts'

/** Unpacked bytes of a segment: one takes about 30 ms to read, and 10 000 000 records are some hundred files. */
const usualSegmentBytes = 8 * 1024 * 1024
/** Keys removed by one write: a commit waits for at most one such write. */
const opsPerWrite = 500

/** What archiving uses of other parts. */
export interface ArchivingParts {
  readonly database: Database
  readonly lane: WriteLane
  readonly archive: Archive
  readonly codec: RecordCodec
  /** Last record that may leave LevelDB: what comes after it is needed to open the store. */
  readonly limit: number
}

/** See {@link Store.archive}. */
export async function archiveLog(parts: ArchivingParts, o: ArchiveOptions): Promise<ArchivedLog> {
  const { database, archive } = parts
  const { before = 0, liveBytes = Number.POSITIVE_INFINITY, segmentBytes = usualSegmentBytes, signal } = o
  // What a crash left after a segment was written.
  await removeCommits(parts, archive.through)
  let segments = 0
  const start = archive.through
  let live = Number.isFinite(liveBytes) ? await database.bytesOf(logKey(start + 1), logKey(parts.limit + 1)) : 0
  for (;;) {
    signal?.throwIfAborted()
    const commits = await nextCommits(parts, segmentBytes)
    const last = commits.at(-1)
    if (last === undefined || (lastSeqOf(last) >= before && live <= liveBytes)) break
    const [from, to] = [logKey((commits[0] as Commit).first), logKey(lastSeqOf(last) + 1)]
    if (Number.isFinite(liveBytes)) live -= await database.bytesOf(from, to)
    await archiveSegment(parts, commits)
    segments++
  }
  if (segments > 0) await database.compact(logKey(start + 1), logKey(archive.through + 1))
  return { segments, records: archive.through - start, through: archive.through }
}

/** The commits of the next segment; none when there are not enough yet. */
async function nextCommits({ database, archive, limit }: ArchivingParts, segmentBytes: number): Promise<Commit[]> {
  const commits: Commit[] = []
  let bytes = 0
  let [end, hash] = [archive.through, archive.hash]
  for await (const chunk of database.chunks({ gte: logKey(end + 1), lt: logKey(limit + 1) })) {
    for (const entry of chunk) {
      const commit = decodeEntry(entry)
      if (commit.first !== end + 1) throw gapError(database, end + 1, commit.first)
      assertWhole(commit)
      assertFollows(commit, hash)
      ;[end, hash] = [lastSeqOf(commit), linkOf(commit)]
      if (end > limit) return []
      commits.push(commit)
      bytes += entry[1].length
      if (bytes >= segmentBytes) return commits
    }
  }
  return []
}

async function archiveSegment(parts: ArchivingParts, commits: readonly Commit[]): Promise<void> {
  const { database, archive, lane, codec } = parts
  const [begin, end] = [commits[0] as Commit, commits.at(-1) as Commit]
  const [first, last] = [begin.first, lastSeqOf(end)]
  const file = segmentFile(first, last)
  const bytes = await packSegment(commits.map(({ text }) => Buffer.from(text, 'utf8')))
  if ((await unpackSegment(bytes)).some((text, i) => text !== commits[i]?.text))
    throw new StoreError('store_unavailable', `the commits of records ${first}..${last} cannot be packed`)
  const segment: Segment = {
    first,
    last,
    commits: commits.length,
    previous: archive.hash,
    hash: linkOf(end),
    lastTime: recordsOf(end, codec).at(-1)?.time ?? 0,
    file,
    bytes: bytes.length,
    sha256: sha256(bytes).toString('hex'),
  }
  await writeSegment(archive.dir, file, bytes)
  const ops: Op[] = [
    { type: 'put', key: segmentKey(first), value: Buffer.from(JSON.stringify(segment)) },
    { type: 'put', key: formatKey, value: formatFor(await database.get(formatKey), true) },
  ]
  await lane.write(ops, true)
  archive.add(segment)
  await archive.texts(segment) // the file is read once before what it replaces goes
  await removeCommits(parts, last)
}

/** Removes the commits up to a record from LevelDB. */
async function removeCommits({ database, lane }: ArchivingParts, through: number): Promise<void> {
  if (through === 0) return
  for await (const chunk of database.chunks({ gte: logKey(1), lt: logKey(through + 1) }, { values: false })) {
    const ops = chunk.map(([key]): Op => ({ type: 'del', key }))
    for (let at = 0; at < ops.length; at += opsPerWrite) await lane.write(ops.slice(at, at + opsPerWrite))
  }
}
