/**
 * The journal: a file beside the database that makes the commit of a few callers durable, before LevelDB has it.
 *
 * ```
 *   small commit ─▶ frame in the journal (one write, on the disk when it returns) ─▶ acknowledged
 *        └────────▶ LevelDB, not synced ─ the memtable is written out before the frame's place is used again
 * ```
 *
 * A sync of LevelDB costs two changes of thread, and lengthens a file, which a file system writes down in a journal of its own before it reports
 * success. A frame goes to a place that is there already, from the thread that asks. (Measured on ext4 with two cores: 0.15 against 0.35 ms. The
 * event loop stands still meanwhile, so what is large, or slow, goes LevelDB's way.)
 *
 * What a power failure takes from LevelDB is put back from here at the next open ({@link restore}). A frame is a whole commit with its hash, so a torn
 * or damaged one is seen, and one that does not follow what the log holds is left out.
 *
 * ```
 *   0      "gantry-journal 1 " seq (16), sealed           everything up to this seq is in the database for good
 *   4096   frames, 1 MiB      each at a sector, so that a damaged one does not hide the next: "gjf1" ‖ bytes of the commit (8 hex) ‖ commit
 *   …      frames, 1 MiB      one half is filled while the memtable with the commits of the other is written out
 * ```
 *
 * Linux only: elsewhere a write that returns is not known to be on the disk (macOS wants F_FULLFSYNC, Windows has no such flag in Node).
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { type FileHandle, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Commit, decodeCommit, firstSeqOf, isWhole, seqEnd } from './commit.ts'
import { readSealed, sealedSector, sectorBytes } from './sealed-sector.ts'

/** Name of the file in a data directory. */
export const journalFile = 'journal'

const headerBytes = 4096
const halfBytes = 1024 * 1024
const frameMark = 'gjf1'
const frameHead = frameMark.length + 8
const largestFrame = 16 * 1024
/** A new directory gets a journal after so many commits that would have used it: a short call of the CLI does not write 2 MiB. */
const commitsBeforeFile = 32
/** Where a write usually takes longer, it would hold up everybody else: the next commits go LevelDB's way, then it is tried again. */
const usualSlowMs = 1
const commitsWhenSlow = 256

const supported = process.platform === 'linux' && constants.O_DSYNC !== undefined

/** What the journal needs of the store. */
export interface JournalParts {
  readonly dir: string
  /** Usual time of a write above which it is slow. */
  readonly slowMs?: number
  /** Puts all that LevelDB holds in memory into a table file, synced. */
  flush(): Promise<void>
}

/** See the head of this file. */
export class Journal {
  readonly #parts: JournalParts
  readonly #frame = Buffer.alloc(largestFrame)
  #file: number | undefined
  #making: Promise<void> | undefined
  #wanted = 0
  /** Commits that still go LevelDB's way because the disk is slow. */
  #resting = 0
  /** What a write takes, single ones smoothed. */
  #usualMs = 0
  #half = 0
  #at = 0
  /** The other half holds commits that may be in LevelDB's memory only. */
  #otherIsTaken = false
  #flushing: Promise<void> = Promise.resolve()

  private constructor(parts: JournalParts, file: number | undefined) {
    this.#parts = parts
    this.#file = file
  }

  /** The journal of an open data directory, whose frames were looked at by {@link restore}. A new directory has none until it is of use. */
  static open(parts: JournalParts): Journal {
    let file: number | undefined
    try {
      if (supported) file = openForFrames(parts.dir)
    } catch {
      // None yet, or one that this user may not write: LevelDB's way is always open.
    }
    return new Journal(parts, file)
  }

  /**
   * Puts a commit on the disk.
   * @param value the commit, as it is put into the database
   * @returns false when it has to go LevelDB's way: it is not on the disk
   */
  keep(value: Buffer): boolean {
    const bytes = frameHead + value.length
    if (bytes > largestFrame) return false
    if (this.#file === undefined) {
      this.#want()
      return false
    }
    if (this.#resting > 0) {
      this.#resting--
      return false
    }
    if (this.#at + bytes > halfBytes && !this.#turn()) return false
    const frame = this.#frame
    frame.write(frameMark + value.length.toString(16).padStart(8, '0'), 'latin1')
    value.copy(frame, frameHead)
    return this.#write(frame, bytes)
  }

  #write(frame: Buffer, bytes: number): boolean {
    const startedAt = performance.now()
    try {
      const written = writeSync(this.#file as number, frame, 0, bytes, headerBytes + this.#half * halfBytes + this.#at)
      if (written !== bytes) throw new Error(`${written} of ${bytes} bytes were written`)
    } catch {
      // What is wrong with the disk LevelDB will say in its own words.
      this.#drop()
      return false
    }
    this.#at += wholeSectors(bytes)
    this.#usualMs += (performance.now() - startedAt - this.#usualMs) / 8
    if (this.#usualMs > (this.#parts.slowMs ?? usualSlowMs)) {
      this.#usualMs = 0
      this.#resting = commitsWhenSlow
    }
    return true
  }

  /** Goes on in the other half; false while that is not free. */
  #turn(): boolean {
    if (this.#otherIsTaken) return false
    this.#otherIsTaken = true
    this.#half = 1 - this.#half
    this.#at = 0
    // The commits of the full half are with LevelDB: it takes one batch at a time, and this is before the next.
    this.#flushing = this.#parts.flush().then(
      () => {
        this.#otherIsTaken = false
      },
      () => this.#drop(),
    )
    return true
  }

  #want(): void {
    if (!supported || this.#making !== undefined || ++this.#wanted < commitsBeforeFile) return
    this.#making = makeFile(this.#parts.dir)
      .then(() => {
        this.#file = openForFrames(this.#parts.dir)
      })
      .catch(() => {}) // no room, or no permission: never asked again
  }

  #drop(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    this.#making ??= Promise.resolve()
  }

  /** @param seq last record of the log, when all of it is in table files */
  async close(seq: number | undefined): Promise<void> {
    await this.#making
    await this.#flushing
    if (this.#file === undefined) return
    if (seq !== undefined) {
      try {
        writeSync(this.#file, header(seq), 0, sectorBytes, 0)
      } catch {
        // Then the frames are looked at once more at the next open.
      }
    }
    this.#drop()
  }
}

function openForFrames(dir: string): number {
  return openSync(join(dir, journalFile), constants.O_RDWR | constants.O_DSYNC)
}

function header(seq: number): Buffer {
  return sealedSector(`gantry-journal 1 ${String(seq).padStart(16, '0')}`)
}

function wholeSectors(bytes: number): number {
  return Math.ceil(bytes / sectorBytes) * sectorBytes
}

/** Makes the file with all its blocks, durable with its name. */
async function makeFile(dir: string): Promise<void> {
  const path = join(dir, journalFile)
  let file: FileHandle | undefined
  let folder: FileHandle | undefined
  try {
    file = await open(path, 'w')
    const bytes = Buffer.alloc(headerBytes + 2 * halfBytes)
    header(0).copy(bytes)
    await file.writeFile(bytes)
    await file.sync()
    folder = await open(dir, 'r')
    await folder.sync()
  } catch (error) {
    await rm(path, { force: true }).catch(() => {})
    throw error
  } finally {
    await file?.close()
    await folder?.close()
  }
}

/** The whole commits in the journal of a data directory that may not be in its database, oldest first. */
export async function readJournal(dir: string): Promise<Commit[]> {
  const bytes = await readFile(join(dir, journalFile)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (bytes === undefined) return []
  const after = seqInHeader(bytes)
  const commits: Commit[] = []
  for (let at = headerBytes; at < bytes.length; ) {
    const length = frameLength(bytes, at)
    const from = at + frameHead
    // What is with the database for good, which is everything after a clean end, is not decoded.
    const isOver = length > 0 && firstSeqOf(bytes.toString('latin1', from, from + seqEnd)) <= after
    const commit = length > 0 && !isOver ? decoded(bytes.toString('utf8', from, from + length)) : undefined
    if (commit !== undefined && isWhole(commit)) commits.push(commit)
    at += isOver || commit !== undefined ? wholeSectors(frameHead + length) : sectorBytes
  }
  return commits.sort((a, b) => a.first - b.first)
}

/** An unreadable header says nothing: the database is asked for every commit. */
function seqInHeader(bytes: Buffer): number {
  const found = /^gantry-journal 1 (\d{16})$/.exec(readSealed(bytes.subarray(0, sectorBytes)) ?? '')
  return Number(found?.[1] ?? 0)
}

/** Bytes of the commit in a frame; 0 where none begins. */
function frameLength(bytes: Buffer, at: number): number {
  const head = bytes.toString('latin1', at, at + frameHead)
  if (!head.startsWith(frameMark)) return 0
  const length = Number.parseInt(head.slice(frameMark.length), 16)
  return length > 0 && frameHead + length <= largestFrame ? length : 0
}

/** Undefined: damaged. */
function decoded(text: string): Commit | undefined {
  try {
    return decodeCommit(text)
  } catch {
    return undefined
  }
}

/** Forgets all frames: the log goes on from another place than they do. */
export function removeJournal(dir: string): Promise<void> {
  return rm(join(dir, journalFile), { force: true })
}
