/** Saves the files of the archive. Where one is damaged, a file with a gap takes its place. */
import { constants, copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  archivePath,
  packSegment,
  type Segment,
  segmentFile,
  segmentKey,
  unpackSegment,
  writeSegment,
} from './archive.ts'
import { assertFollows, assertWhole, decodeCommit, lastSeqOf, linkOf, previousHashOf, sha256 } from './commit.ts'
import { type Database, keys } from './database.ts'
import { isStoreError } from './errors.ts'
import type { DamagedFile } from './leveldb/salvage.ts'
import type { LogSaver } from './recover-log.ts'
import type { Scratch } from './recover-scratch.ts'

/** What saving the archive uses. */
export interface ArchiveParts {
  /** The damaged store and the new one. */
  readonly dir: string
  readonly draft: string
  /** The new database. */
  readonly database: Database
  readonly scratch: Scratch
  readonly log: LogSaver
}

/**
 * Copies the sound files and writes the entries of all segments; the log then ends with the archive.
 * @param damaged gets the damaged files
 * @returns files that are not in their place, and whose entries are kept
 */
export async function saveArchive(parts: ArchiveParts, damaged: DamagedFile[]): Promise<string[]> {
  const { dir, draft, database, scratch, log } = parts
  const [from, to] = [archivePath(dir), archivePath(draft)]
  const absent: string[] = []
  for (const { file, known } of await filesOf(from, scratch)) {
    const segment = await soundSegment(from, file, known, parts).catch((error: unknown) => {
      if (isStoreError(error) || error instanceof RangeError || isZlibError(error))
        damaged.push({ file: join('archive', file), detail: (error as Error).message })
      else throw error
    })
    const found = segment ?? (segment === null ? known : undefined)
    if (found === undefined || found.first <= log.end.seq) continue
    if (found.first > log.end.seq + 1) await fill(parts, found)
    if (found.previous !== log.end.hash) {
      damaged.push({ file: join('archive', file), detail: 'it does not follow the records before it' })
      continue
    }
    if (segment === null) absent.push(file)
    else {
      await mkdir(to, { recursive: true, mode: 0o700 })
      await copyFile(join(from, file), join(to, file), constants.COPYFILE_FICLONE)
      for (const text of await unpackSegment(await readFile(join(from, file)))) await log.take(decodeCommit(text))
    }
    await putEntry(database, found)
    log.end = { seq: found.last, hash: found.hash, time: found.lastTime }
  }
  return absent
}

interface NamedFile {
  readonly file: string
  /** Its entry in the database. */
  readonly known: Segment | undefined
}

/** The files of the archive, those in the folder and those with an entry, oldest first. */
async function filesOf(folder: string, scratch: Scratch): Promise<NamedFile[]> {
  const files = new Map<string, Segment | undefined>()
  for (const name of await readdir(folder).catch((): string[] => []))
    if (name.endsWith('.log.gz')) files.set(name, undefined)
  for await (const [, value] of scratch.newest(keys.segment)) {
    const segment = JSON.parse(value.toString('utf8')) as Segment
    files.set(segment.file, segment)
  }
  // Names begin with the first seq, in a fixed number of digits.
  return [...files].map(([file, known]) => ({ file, known })).sort((a, b) => (a.file < b.file ? -1 : 1))
}

/** The segment in a file; null when there is no such file. Throws for one that is damaged. */
async function soundSegment(
  folder: string,
  file: string,
  known: Segment | undefined,
  { log }: ArchiveParts,
): Promise<Segment | null> {
  const bytes = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new RangeError(`it cannot be read: ${error.message}`)
  })
  if (bytes === undefined) return null
  const digest = sha256(bytes).toString('hex')
  if (known !== undefined && known.sha256 === digest) return known
  if (known !== undefined) throw new RangeError('it does not match its checksum')
  const commits = (await unpackSegment(bytes)).map((text) => decodeCommit(text))
  const [begin, end] = [commits[0], commits.at(-1)]
  if (begin === undefined || end === undefined) throw new RangeError('it is empty')
  let [last, hash] = [begin.first - 1, previousHashOf(begin)]
  for (const commit of commits) {
    assertWhole(commit)
    assertFollows(commit, hash)
    if (commit.first !== last + 1) throw new RangeError(`record ${last + 1} is missing`)
    ;[last, hash] = [lastSeqOf(commit), linkOf(commit)]
  }
  const previous = previousHashOf(begin)
  const lastTime = log.timeOf(end)
  return {
    first: begin.first,
    last,
    commits: commits.length,
    previous,
    hash,
    lastTime,
    file,
    bytes: bytes.length,
    sha256: digest,
  }
}

function isZlibError(error: unknown): boolean {
  return String((error as NodeJS.ErrnoException).code).startsWith('Z_')
}

/** What is known of the records before a segment, as a segment of its own. */
async function fill({ draft, database, log }: ArchiveParts, next: Segment): Promise<void> {
  const [first, previous] = [log.end.seq + 1, log.end.hash]
  const values: Buffer[] = []
  for await (const { value } of log.weave(next.first - 1, next.previous)) values.push(value)
  const file = segmentFile(first, next.first - 1, 'recovered')
  const bytes = await packSegment(values)
  await writeSegment(archivePath(draft), file, bytes)
  const { seq: last, hash, time: lastTime } = log.end
  const digest = sha256(bytes).toString('hex')
  const segment: Segment = {
    first,
    last,
    commits: values.length,
    previous,
    hash,
    lastTime,
    file,
    bytes: bytes.length,
    sha256: digest,
  }
  await putEntry(database, segment)
}

function putEntry(database: Database, segment: Segment): Promise<void> {
  return database.batch(
    [{ type: 'put', key: segmentKey(segment.first), value: Buffer.from(JSON.stringify(segment)) }],
    false,
  )
}
