/**
 * Checks the blocks of LevelDB's tables against their checksums. LevelDB, as classic-level builds it, does not check
 * them when it reads: it notices most damage by accident, some ends the process (an assertion on the length of a key,
 * db/dbformat.h), and some is read as if it were valid.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logPrefix, readSeq } from '../commit.ts'
import type { StoreError } from '../errors.ts'
import { Malformed } from './bytes.ts'
import { damagedFile } from './errors.ts'
import { fileName } from './file-names.ts'
import type { LiveTable } from './manifest.ts'
import { blockAt, checkBlock, footerOf, handlesIn, trailerBytes } from './table.ts'

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
export function faultOf(table: Buffer, { bytes }: Pick<LiveTable, 'bytes'>): string | undefined {
  if (table.length !== bytes) return `it has ${table.length} bytes, ${bytes} were written`
  try {
    checkTable(table)
    return undefined
  } catch (error) {
    if (error instanceof Malformed) return error.message
    throw error
  }
}

/** Every byte belongs to a block with a checksum, or to the footer. Throws {@link Malformed}. */
function checkTable(table: Buffer): void {
  const { at: footerAt, others, index } = footerOf(table)
  const named = [...handlesIn(blockAt(table, index)), ...handlesIn(blockAt(table, others))]
  for (const block of named) checkBlock(table, block)
  let end = 0
  for (const { at, bytes } of [...named, others, index].sort((a, b) => a.at - b.at)) {
    if (at !== end) throw new Malformed(`a block is at byte ${at}, the one before ends at byte ${end}`)
    end = at + bytes + trailerBytes
  }
  if (end !== footerAt) throw new Malformed(`the last block ends at byte ${end}, the blocks at byte ${footerAt}`)
}
