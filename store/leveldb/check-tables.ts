/**
 * Checks the blocks of LevelDB's tables against their checksums. LevelDB, as classic-level builds it, does not check
 * them when it reads: it notices most damage by accident, some ends the process (an assertion on the length of a key,
 * db/dbformat.h), and some is read as if it were valid.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { uncompress } from 'snappyjs'
import { logPrefix, readSeq } from '../commit.ts'
import type { StoreError } from '../errors.ts'
import { ByteReader, hasChecksum, Malformed } from './bytes.ts'
import { damagedFile } from './errors.ts'
import { fileName } from './file-names.ts'
import type { LiveTable } from './manifest.ts'

/** Options of the check of tables. */
export interface TableCheck {
  /** The newest tables are checked first; tables beyond this many bytes are left out. */
  readonly limitBytes?: number
  /** Called between two tables with the time (ms) that the last one took. */
  readonly pause?: (tookMs: number) => Promise<void>
}

/**
 * The damaged tables of a database, as errors `store_corrupt` that name file, place and records. The database may be
 * open or closed. A missing file is not reported here: LevelDB does that.
 */
export async function* damagedTables(
  path: string,
  tables: readonly LiveTable[],
  { limitBytes, pause }: TableCheck = {},
): AsyncGenerator<StoreError> {
  let left = limitBytes ?? Number.POSITIVE_INFINITY
  for (const table of tables.toSorted((a, b) => b.number - a.number)) {
    if (left <= 0) return
    left -= table.bytes
    const file = fileName(table.number, 'ldb')
    const bytes = await readFile(join(path, file)).catch((error: NodeJS.ErrnoException) => error)
    if (bytes instanceof Error && bytes.code === 'ENOENT') continue
    const startedAt = performance.now()
    const fault = bytes instanceof Error ? `it cannot be read: ${bytes.message}` : faultOf(bytes, table)
    if (fault !== undefined) yield damagedFile(file, fault, firstSeqIn(table))
    await pause?.(performance.now() - startedAt)
  }
}

/** The first seq of the log in a table; undefined when it contains no commit. */
function firstSeqIn({ smallest }: LiveTable): number | undefined {
  return smallest[0] === logPrefix && smallest.length === 9 ? readSeq(smallest, 1) : undefined
}

/** Describes the fault of a table; undefined when it has none. */
function faultOf(table: Buffer, { bytes }: LiveTable): string | undefined {
  if (table.length !== bytes) return `it has ${table.length} bytes, ${bytes} were written`
  try {
    checkTable(table)
    return undefined
  } catch (error) {
    if (error instanceof Malformed) return error.message
    throw error
  }
}

/**
 * The last bytes of a table: the places of the index and of the metaindex block, zeros, and the magic number
 * (table/format.h).
 */
const footerBytes = 48
const magic = 0xdb4775248b80fb57n
/** Follows each block: its compression, and the checksum over both. */
const trailerBytes = 5
const snappy = 1

interface Handle {
  readonly at: number
  readonly bytes: number
}

/** Every byte belongs to a block with a checksum, or to the footer. Throws {@link Malformed}. */
function checkTable(table: Buffer): void {
  const footerAt = table.length - footerBytes
  if (footerAt < 0 || table.readBigUInt64LE(table.length - 8) !== magic)
    throw new Malformed('its end is not that of a table')
  const footer = new ByteReader(table.subarray(footerAt, -8))
  const others = readHandle(footer)
  const index = readHandle(footer)
  if (footer.take(footerBytes - 8 - footer.position).some((byte) => byte !== 0))
    throw new Malformed('its end holds more than it should')
  const named = [...handlesIn(blockAt(table, index)), ...handlesIn(blockAt(table, others))]
  for (const block of named) checkBlock(table, block)
  let end = 0
  for (const { at, bytes } of [...named, others, index].sort((a, b) => a.at - b.at)) {
    if (at !== end) throw new Malformed(`a block is at byte ${at}, the one before ends at byte ${end}`)
    end = at + bytes + trailerBytes
  }
  if (end !== footerAt) throw new Malformed(`the last block ends at byte ${end}, the blocks at byte ${footerAt}`)
}

function readHandle(reader: ByteReader): Handle {
  return { at: reader.varint(), bytes: reader.varint() }
}

function checkBlock(table: Buffer, { at, bytes }: Handle): void {
  const end = at + bytes
  if (end + trailerBytes > table.length) throw new Malformed(`the block at byte ${at} reaches beyond the end`)
  if (!hasChecksum(table.subarray(at, end + 1), table.readUInt32LE(end + 1)))
    throw new Malformed(`the block at byte ${at} does not match its checksum`)
}

/** The contents of a small block that has to be read. */
function blockAt(table: Buffer, handle: Handle): Buffer {
  checkBlock(table, handle)
  const { at, bytes } = handle
  const stored = table.subarray(at, at + bytes)
  return table[at + bytes] === snappy ? uncompress(stored) : stored
}

/** The handles that are the values of a block's entries: of data blocks, or of the filter. */
function handlesIn(block: Buffer): Handle[] {
  const handles: Handle[] = []
  // The block ends with the offsets of its restarts and their number.
  const entries = block.subarray(0, block.length - 4 * (block.readUInt32LE(block.length - 4) + 1))
  const reader = new ByteReader(entries)
  while (!reader.isAtEnd) {
    reader.varint()
    const [keyBytes, valueBytes] = [reader.varint(), reader.varint()]
    reader.take(keyBytes)
    handles.push(readHandle(new ByteReader(reader.take(valueBytes))))
  }
  return handles
}
