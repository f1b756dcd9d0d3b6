/** Which tables LevelDB reads: what is in the directory may also be left over from a table that was being written when the process was killed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ByteReader, hasChecksum, Malformed } from './leveldb-bytes.ts'

/** A table file, as the MANIFEST has it. */
export interface LiveTable {
  readonly number: number
  readonly bytes: number
  /** First and last key that is in it. */
  readonly smallest: Buffer
  readonly largest: Buffer
}

/**
 * The tables of a database that may be open, in no order. None when CURRENT or the MANIFEST cannot be read or is damaged: LevelDB checks these
 * itself when it opens them.
 */
export async function liveTables(path: string): Promise<LiveTable[]> {
  try {
    const current = await readFile(join(path, 'CURRENT'), 'latin1')
    return tablesIn(await readFile(join(path, current.trimEnd())))
  } catch (error) {
    if (error instanceof Malformed || (error as NodeJS.ErrnoException).code !== undefined) return []
    throw error
  }
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

function tablesIn(manifest: Buffer): LiveTable[] {
  const tables = new Map<number, LiveTable>()
  for (const edit of recordsIn(manifest)) {
    const reader = new ByteReader(edit)
    while (!reader.isAtEnd)
      switch (reader.varint()) {
        case tag.comparator:
          reader.sized()
          break
        case tag.logNumber:
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
  return [...tables.values()]
}

/** LevelDB's key is ours, a number and a kind in 8 bytes (db/dbformat.h). */
function userKey(internal: Buffer): Buffer {
  return internal.subarray(0, -8)
}

/** Blocks of a log file, and the bytes before each part of a record: checksum, length, kind (doc/log_format.md). */
const blockBytes = 32 * 1024
const headerBytes = 7
const kind = { full: 1, first: 2, middle: 3, last: 4 } as const

/** The records of a log file, up to the one that is being written. */
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
    if (end > log.length) return
    if (!hasChecksum(typed, log.readUInt32LE(at))) throw new Malformed('a checksum does not match')
    const type = typed[0]
    if (type === kind.full || type === kind.first) parts = []
    parts.push(typed.subarray(1))
    if (type === kind.full || type === kind.last) yield parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    at = end
  }
}
