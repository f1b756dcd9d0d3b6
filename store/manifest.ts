/**
 * Which files LevelDB will read, by its MANIFEST: what else is in the directory may be left over from a table that was being written when the
 * process was killed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32c } from '@node-rs/crc32'
import { StoreError } from './errors.ts'
import { ByteReader, hasChecksum, Malformed, maskedChecksum } from './leveldb-bytes.ts'

/** A table file, as the MANIFEST has it. */
export interface LiveTable {
  readonly number: number
  readonly bytes: number
  /** First and last key that is in it. */
  readonly smallest: Buffer
  readonly largest: Buffer
}

/** What a database consists of. */
export interface Manifest {
  /** In no order. */
  readonly tables: readonly LiveTable[]
  /** Number of the oldest `.log` file that is read, which is always there; 0: none was begun yet. */
  readonly log: number
}

/**
 * Reads the MANIFEST of a database that may be open.
 *
 * LevelDB would say of most damage here that some file is damaged; of a record that is announced longer than it is it says nothing, and deletes as
 * obsolete the tables that the rest of the file names (log::Reader takes it for a crashed writer, DBImpl::RemoveObsoleteFiles).
 *
 * Throws `store_corrupt`, naming CURRENT or the MANIFEST.
 */
export async function readManifest(path: string): Promise<Manifest> {
  const current = await contents(path, 'CURRENT')
  const name = /^(MANIFEST-\d+)\n$/.exec(current.toString('latin1'))?.[1]
  if (name === undefined)
    throw damaged(
      'CURRENT',
      `it should name a MANIFEST, and holds ${JSON.stringify(current.toString('latin1', 0, 80))}`,
    )
  const bytes = await contents(path, name).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw damaged('CURRENT', `it names ${name}, which is not there`)
  })
  try {
    return manifestIn(bytes)
  } catch (error) {
    throw error instanceof Malformed ? damaged(name, error.message) : error
  }
}

function contents(path: string, file: string): Promise<Buffer> {
  return readFile(join(path, file))
}

function damaged(file: string, detail: string): StoreError {
  return new StoreError('store_corrupt', `${file} is damaged (${detail})`, { file })
}

/** @param number of a file of the database */
export function fileName(number: number, kind: 'ldb' | 'log'): string {
  return `${String(number).padStart(6, '0')}.${kind}`
}

/** Tags of what an edit says (db/version_edit.cc). */
const tag = {
  comparator: 1,
  logNumber: 2,
  nextFile: 3,
  lastSequence: 4,
  compactPointer: 5,
  deletedFile: 6,
  newFile: 7,
  previousLog: 9,
} as const

function manifestIn(manifest: Buffer): Manifest {
  const tables = new Map<number, LiveTable>()
  let log: number | undefined
  for (const edit of recordsIn(manifest)) {
    const reader = new ByteReader(edit)
    while (!reader.isAtEnd)
      switch (reader.varint()) {
        case tag.comparator:
          reader.sized()
          break
        case tag.logNumber:
          log = reader.varint()
          break
        case tag.nextFile:
        case tag.lastSequence:
        case tag.previousLog:
          reader.varint()
          break
        case tag.compactPointer:
          reader.varint()
          reader.sized()
          break
        case tag.deletedFile:
          reader.varint()
          tables.delete(reader.varint())
          break
        case tag.newFile: {
          reader.varint()
          const [number, bytes] = [reader.varint(), reader.varint()]
          tables.set(number, { number, bytes, smallest: userKey(reader.sized()), largest: userKey(reader.sized()) })
          break
        }
        default:
          throw new Malformed('an edit of unknown kind')
      }
  }
  if (log === undefined) throw new Malformed('its first record is missing')
  return { tables: [...tables.values()], log }
}

/** LevelDB's key is ours, a number and a kind in 8 bytes (db/dbformat.h). */
function userKey(internal: Buffer): Buffer {
  return internal.subarray(0, -8)
}

/** Blocks of a log file, and the bytes before each part of a record: checksum, length, kind (doc/log_format.md). */
const blockBytes = 32 * 1024
const headerBytes = 7
const kind = { full: 1, first: 2, middle: 3, last: 4 } as const

/** The records of a log file, up to the one that is being written, or was when a crash came. */
function* recordsIn(log: Buffer): Generator<Buffer> {
  let parts: Buffer[] = []
  for (let at = 0; at + headerBytes <= log.length; ) {
    const left = blockBytes - (at % blockBytes)
    if (left < headerBytes) {
      at += left
      continue
    }
    const length = log.readUInt16LE(at + 4)
    const end = at + headerBytes + length
    const typed = log.subarray(at + 6, end)
    const [type] = typed
    // Zeros are what a power failure leaves where bytes were announced only.
    if (type === 0 && length === 0) {
      at += left
      continue
    }
    const stored = log.readUInt32LE(at)
    if (end > log.length) {
      if (isWholeWithin(typed, stored)) throw new Malformed(`the length of the record at byte ${at} is wrong`)
      return
    }
    if (!hasChecksum(typed, stored)) throw new Malformed(`the record at byte ${at} does not match its checksum`)
    if (type === kind.full || type === kind.first) parts = []
    parts.push(typed.subarray(1))
    if (type === kind.full || type === kind.last) yield parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    at = end
  }
}

/** Whether some first part of the bytes has the checksum: then no more was written, and the length is what is damaged. */
function isWholeWithin(typed: Buffer, stored: number): boolean {
  let crc = 0
  for (let i = 0; i < typed.length; i++) {
    crc = crc32c(typed.subarray(i, i + 1), crc)
    if (maskedChecksum(crc) === stored) return true
  }
  return false
}
