/**
 * The lost-tail witness: a small file beside the database that names a commit known to be durable.
 *
 * LevelDB silently drops the tail of a truncated `.log` file on open (log::Reader takes it for a crashed writer). The
 * witness shows that there was more. It is written after the commit it names and before that commit is acknowledged,
 * without fsync: after a power failure it may be older than the log, but never newer. (A write takes 25 µs beside 64
 * connections.)
 *
 * Two slots are written in turn, each a line with its own checksum, so that a torn write leaves the other one.
 */
import { writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { defined } from '../lib/optional.ts'
import { readSealed, sealedSector, sectorBytes } from './sealed-sector.ts'

/** A commit that is known to be durable. */
export interface WitnessMark {
  readonly seq: number
  readonly hash: string
}

/** The content of the witness file. */
export interface WitnessReading {
  readonly exists: boolean
  /** The newer of the readable slots. */
  readonly mark?: WitnessMark
  /** Number of slots with unreadable content. */
  readonly damagedSlots: number
}

const fileName = 'witness'

function line(mark: WitnessMark): Buffer {
  return sealedSector(`gantry-witness 1 ${String(mark.seq).padStart(16, '0')} ${mark.hash}`)
}

function parse(slot: Buffer): WitnessMark | undefined {
  const found = /^gantry-witness 1 (\d{16}) ([0-9a-f]{64})$/.exec(readSealed(slot) ?? '')
  return found === null ? undefined : { seq: Number(found[1]), hash: found[2] as string }
}

function parseAll(bytes: Buffer): { marks: WitnessMark[]; damagedSlots: number } {
  const marks: WitnessMark[] = []
  let damagedSlots = 0
  for (let at = 0; at < bytes.length; at += sectorBytes) {
    const slot = bytes.subarray(at, at + sectorBytes)
    if (slot.every((byte) => byte === 0)) continue // the hole before the first write of this slot
    const mark = parse(slot)
    if (mark === undefined) damagedSlots++
    else marks.push(mark)
  }
  return { marks, damagedSlots }
}

/** Reads the witness of a data directory without keeping it open. */
export async function readWitness(dir: string): Promise<WitnessReading> {
  let file: FileHandle | undefined
  try {
    file = await open(join(dir, fileName), 'r')
    const { marks, damagedSlots } = parseAll(await file.readFile())
    const mark = marks.sort((a, b) => b.seq - a.seq)[0]
    return { exists: true, damagedSlots, ...defined({ mark }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { exists: false, damagedSlots: 0 }
    throw error
  } finally {
    await file?.close()
  }
}

/** See the head of this file. */
export class Witness {
  readonly #file: FileHandle
  #slot = 0
  #latest: WitnessMark | undefined

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Opens (creates) the witness of a data directory for writing. */
  static async open(dir: string): Promise<Witness> {
    const path = join(dir, fileName)
    const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return open(path, 'w+')
    })
    return new Witness(file)
  }

  /** Records a durable commit: the operating system has it when this returns. */
  note(mark: WitnessMark): void {
    this.#latest = mark
    this.#write(mark)
  }

  #write(mark: WitnessMark): void {
    const at = this.#slot * sectorBytes
    this.#slot = 1 - this.#slot
    try {
      writeSync(this.#file.fd, line(mark), 0, sectorBytes, at)
    } catch {
      // A witness that cannot be written stays older: it protects less, but is never wrong. The next write tries again.
    }
  }

  /** The last mark. */
  get latest(): WitnessMark | undefined {
    return this.#latest
  }

  /** Writes a mark to both slots, with fsync. */
  async anchor(mark: WitnessMark): Promise<void> {
    this.#latest = mark
    this.#write(mark)
    this.#write(mark)
    await this.#file.sync()
  }

  /** Writes the latest mark to both slots with fsync, and closes the file. */
  async close(): Promise<void> {
    if (this.#latest !== undefined) await this.anchor(this.#latest)
    await this.#file.close()
  }
}
