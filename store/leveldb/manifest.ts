/**
 * The files that LevelDB will read, from its MANIFEST. Other files in the directory may be remains of a table that was
 * being written when the process was killed.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../errors.ts'
import { ByteReader, Malformed } from './bytes.ts'
import { damagedFile, storeErrorOf } from './errors.ts'
import { recordsIn } from './log-file.ts'

/** A table file, as described in the MANIFEST. */
export interface LiveTable {
  readonly number: number
  readonly bytes: number
  /** First and last key in it. */
  readonly smallest: Buffer
  readonly largest: Buffer
}

/** The files of a database. */
export interface Manifest {
  /** Its name. */
  readonly file: string
  /** In no particular order. */
  readonly tables: readonly LiveTable[]
  /** Number of the oldest `.log` file that is read, which must exist; 0: none was begun yet. */
  readonly log: number
}

/**
 * Reads the MANIFEST of a database that may be open.
 *
 * For most damage here LevelDB would report that some file is damaged. But when a record's stated length is too long it
 * reports nothing, and deletes the tables that the rest of the file names as obsolete (log::Reader takes it for a
 * crashed writer, DBImpl::RemoveObsoleteFiles).
 *
 * Throws `store_corrupt`, naming CURRENT or the MANIFEST; `store_unavailable` where one cannot be read.
 */
export async function readManifest(path: string): Promise<Manifest> {
  const current = await contents(
    join(path, 'CURRENT'),
    () => new StoreError('store_corrupt', `open: CURRENT is missing in ${path}`, { file: 'CURRENT' }),
  )
  const file = /^(MANIFEST-\d+)\n$/.exec(current.toString('latin1'))?.[1]
  if (file === undefined)
    throw damagedFile(
      'CURRENT',
      `it should name a MANIFEST, and holds ${JSON.stringify(current.toString('latin1', 0, 80))}`,
    )
  const bytes = await contents(join(path, file), () => damagedFile('CURRENT', `it names ${file}, which is not there`))
  try {
    return { file, ...contentsOf(bytes) }
  } catch (error) {
    throw error instanceof Malformed ? damagedFile(file, error.message) : error
  }
}

function contents(path: string, missing: () => StoreError): Promise<Buffer> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing() : storeErrorOf(error, 'read')
  })
}

/** Tags of the fields of an edit (db/version_edit.cc). */
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

function contentsOf(manifest: Buffer): Omit<Manifest, 'file'> {
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

/** LevelDB's internal key is the key given to it plus a number and a kind in 8 bytes (db/dbformat.h). */
function userKey(internal: Buffer): Buffer {
  return internal.subarray(0, -8)
}
