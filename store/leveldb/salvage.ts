/**
 * Reads what the undamaged parts of a database's files hold, without LevelDB, which would drop, delete or fail at what
 * is damaged. Nothing is changed.
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isStoreError } from '../errors.ts'
import { ByteReader, Malformed, maskedChecksum } from './bytes.ts'
import { faultOf } from './check-tables.ts'
import { crc32c } from './crc32c.ts'
import { fileName, keptPrefix } from './file-names.ts'
import { recordsIn } from './log-file.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { blockAt, entriesIn, footerOf, type Handle, handleIn, handlesIn, trailerBytes } from './table.ts'

/** A version of an entry. */
export interface SalvagedEntry {
  readonly key: Buffer
  /** Undefined: the key was removed. */
  readonly value: Buffer | undefined
  /** LevelDB's number of the write: a higher one is newer. */
  readonly write: number
}

/** A file that differs from what was written. */
export interface DamagedFile {
  readonly file: string
  readonly detail: string
}

/** Kinds of an entry (db/dbformat.h). */
const kind = { removed: 0, put: 1 } as const
/** The write number of keys that only separate blocks. */
const separator = 2 ** 56 - 1

/**
 * All versions of all entries that can be read, in no order: of every table and every `.log` file, in use or not, and
 * of the copies that were kept of damaged ones.
 *
 * A block of a table, or a record of a `.log` file, is read when it matches its checksum. Where the list of a table's
 * blocks is damaged, its blocks are read up to the first damaged one.
 * @param path of the database; the kept copies are beside it
 * @param damaged called for each damaged file
 */
export async function* salvage(path: string, damaged: (found: DamagedFile) => void): AsyncGenerator<SalvagedEntry> {
  const names = (await readdir(path)).sort()
  const manifest = await readManifest(path).catch((error: unknown) => {
    if (!isStoreError(error)) throw error
    damaged({ file: error.place.file ?? 'CURRENT', detail: error.message })
  })
  const wanted = manifest && sizesIn(manifest)
  for (const file of wanted?.keys() ?? []) if (!names.includes(file)) damaged({ file, detail: 'it is missing' })
  for (const file of names) {
    if (/^\d+\.ldb$/.test(file)) {
      // One that the MANIFEST does not name is a rest: it may be unfinished.
      const report = wanted !== undefined && !wanted.has(file) ? () => {} : damaged
      yield* inTable(join(path, file), file, wanted?.get(file), report)
    } else if (/^\d+\.log$/.test(file)) yield* inLog(join(path, file), file, damaged)
  }
  for (const file of (await readdir(join(path, '..'))).sort())
    if (file.startsWith(keptPrefix) && file.endsWith('.log')) yield* inLog(join(path, '..', file), file, damaged)
}

/** The files that must be there, with their bytes where these are known. */
function sizesIn({ tables, log }: Manifest): Map<string, number | undefined> {
  const sizes = new Map<string, number | undefined>(
    tables.map(({ number, bytes }) => [fileName(number, 'ldb'), bytes] as const),
  )
  if (log > 0) sizes.set(fileName(log, 'log'), undefined)
  return sizes
}

async function contents(path: string, file: string, damaged: (found: DamagedFile) => void) {
  return readFile(path).catch((error: Error) => damaged({ file, detail: `it cannot be read: ${error.message}` }))
}

async function* inTable(
  path: string,
  file: string,
  bytes: number | undefined,
  damaged: (found: DamagedFile) => void,
): AsyncGenerator<SalvagedEntry> {
  const table = await contents(path, file, damaged)
  if (table === undefined) return
  const detail = faultOf(table, { bytes: bytes ?? table.length })
  if (detail !== undefined) damaged({ file, detail })
  for (const block of blocksOf(table)) {
    try {
      for (const [key, value] of entriesIn(blockAt(table, block))) {
        const found = entryOf(key, value)
        if (found !== undefined) yield found
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
    }
  }
}

/** LevelDB's internal key is the key given to it, and a write number and a kind in 8 bytes (db/dbformat.h). */
function entryOf(internal: Buffer, value: Buffer): SalvagedEntry | undefined {
  if (internal.length < 8) throw new Malformed('a key is too short')
  const end = internal.length - 8
  const write = internal.readUIntLE(end + 1, 6) + internal[end + 7]! * 2 ** 48
  if (write >= separator) return undefined
  return { key: internal.subarray(0, end), value: internal[end] === kind.removed ? undefined : value, write }
}

/** The blocks of data of a table, damaged ones too. */
function blocksOf(table: Buffer): Handle[] {
  try {
    return handlesIn(blockAt(table, footerOf(table).index))
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    return blocksFromStart(table)
  }
}

/**
 * The blocks from the first byte on: one ends at the checksum of the bytes before it. Behind those of data are the
 * filter, which cannot be read as entries, and the lists of the filter and of the blocks.
 */
function blocksFromStart(table: Buffer): Handle[] {
  const blocks: Handle[] = []
  const places = new Set<string>()
  for (let at = 0; ; ) {
    const block = blockFrom(table, at)
    if (block === undefined || isList(table, block, places)) return blocks
    blocks.push(block)
    places.add(placeOf(block))
    at += block.bytes + trailerBytes
  }
}

const placeOf = ({ at, bytes }: Handle) => `${at} ${bytes}`

function blockFrom(table: Buffer, at: number): Handle | undefined {
  let crc = 0
  for (let end = at; end + trailerBytes <= table.length; end++) {
    // `end` is the place of the compression, which the checksum covers.
    crc = crc32c(table.subarray(end, end + 1), crc)
    if ((table[end] as number) <= 1 && maskedChecksum(crc) === table.readUInt32LE(end + 1))
      return { at, bytes: end - at }
  }
  return undefined
}

/** True when all that a block names are blocks before it. */
function isList(table: Buffer, block: Handle, places: ReadonlySet<string>): boolean {
  try {
    for (const [, value] of entriesIn(blockAt(table, block))) if (!places.has(placeOf(handleIn(value)))) return false
    return true
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}

async function* inLog(
  path: string,
  file: string,
  damaged: (found: DamagedFile) => void,
): AsyncGenerator<SalvagedEntry> {
  const log = await contents(path, file, damaged)
  if (log === undefined) return
  let first: string | undefined
  const note = ({ message }: Malformed): void => {
    first ??= message
  }
  for (const batch of recordsIn(log, note)) {
    try {
      yield* writesOf(batch)
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      note(error)
    }
  }
  if (first !== undefined) damaged({ file, detail: first })
}

/** The writes of a batch (db/write_batch.cc): its number, how many there are, and each. All of them or none. */
function writesOf(batch: Buffer): SalvagedEntry[] {
  if (batch.length < 12) throw new Malformed('a batch is too short')
  const first = batch.readUIntLE(0, 6) + batch.readUInt16LE(6) * 2 ** 48
  const reader = new ByteReader(batch.subarray(12))
  const writes: SalvagedEntry[] = []
  while (!reader.isAtEnd) {
    const type = reader.varint()
    if (type !== kind.put && type !== kind.removed) throw new Malformed('a write of unknown kind')
    const key = reader.sized()
    writes.push({ key, value: type === kind.put ? reader.sized() : undefined, write: first + writes.length })
  }
  if (writes.length !== batch.readUInt32LE(8)) throw new Malformed('a batch has not the number of writes that it says')
  return writes
}
