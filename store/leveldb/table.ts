/** The parts of LevelDB's table files (doc/table_format.md, table/format.h). */
import { uncompress } from 'snappyjs'
import { ByteReader, hasChecksum, Malformed } from './bytes.ts'

/**
 * The last bytes of a table: the places of the index and of the metaindex block, zeros, and the magic number.
 */
const footerBytes = 48
const magic = 0xdb4775248b80fb57n
/** Follows each block: its compression, and the checksum over both. */
export const trailerBytes = 5
const snappy = 1

/** Where a block is. */
export interface Handle {
  readonly at: number
  readonly bytes: number
}

/** The end of a table. */
export interface Footer {
  readonly at: number
  /** The block that names the filter. */
  readonly others: Handle
  /** The block that names the blocks of data. */
  readonly index: Handle
}

/** Throws {@link Malformed}. */
export function footerOf(table: Buffer): Footer {
  const at = table.length - footerBytes
  if (at < 0 || table.readBigUInt64LE(table.length - 8) !== magic) throw new Malformed('its end is not that of a table')
  const reader = new ByteReader(table.subarray(at, -8))
  const others = readHandle(reader)
  const index = readHandle(reader)
  if (reader.take(footerBytes - 8 - reader.position).some((byte) => byte !== 0))
    throw new Malformed('its end holds more than it should')
  return { at, others, index }
}

function readHandle(reader: ByteReader): Handle {
  return { at: reader.varint(), bytes: reader.varint() }
}

/** Throws {@link Malformed} unless the block matches its checksum. */
export function checkBlock(table: Buffer, { at, bytes }: Handle): void {
  const end = at + bytes
  if (end + trailerBytes > table.length) throw new Malformed(`the block at byte ${at} reaches beyond the end`)
  if (!hasChecksum(table.subarray(at, end + 1), table.readUInt32LE(end + 1)))
    throw new Malformed(`the block at byte ${at} does not match its checksum`)
}

/** The contents of a block, which is checked. Throws {@link Malformed}. */
export function blockAt(table: Buffer, handle: Handle): Buffer {
  checkBlock(table, handle)
  const { at, bytes } = handle
  const stored = table.subarray(at, at + bytes)
  return table[at + bytes] === snappy ? uncompress(stored) : stored
}

/** The entries of a block, in order of their keys. Throws {@link Malformed}. */
export function* entriesIn(block: Buffer): Generator<[key: Buffer, value: Buffer]> {
  // The block ends with the offsets of its restarts and their number.
  const end = block.length - 4 * ((block.length < 4 ? 0 : block.readUInt32LE(block.length - 4)) + 1)
  if (end < 0) throw new Malformed('a block has no end')
  const reader = new ByteReader(block.subarray(0, end))
  let key: Buffer = Buffer.alloc(0)
  while (!reader.isAtEnd) {
    const [shared, keyBytes, valueBytes] = [reader.varint(), reader.varint(), reader.varint()]
    if (shared > key.length) throw new Malformed('a key begins with more of the one before than there is')
    key = Buffer.concat([key.subarray(0, shared), reader.take(keyBytes)])
    yield [key, reader.take(valueBytes)]
  }
}

/** The handles that are the values of a block's entries: of data blocks, or of the filter. */
export function handlesIn(block: Buffer): Handle[] {
  return Array.from(entriesIn(block), ([, value]) => handleIn(value))
}

/** The handle that a value is. Throws {@link Malformed}. */
export function handleIn(value: Buffer): Handle {
  return readHandle(new ByteReader(value))
}
