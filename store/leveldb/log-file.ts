/** The file format of LevelDB's MANIFEST and of its `.log` files (doc/log_format.md). */
import { crc32c } from '@node-rs/crc32'
import { hasChecksum, Malformed, maskedChecksum } from './bytes.ts'

/** Size of a block of a log file, and of the header of each part of a record: checksum, length, kind. */
const blockBytes = 32 * 1024
const headerBytes = 7
const kind = { full: 1, first: 2, middle: 3, last: 4 } as const

/**
 * The records of a log file, up to the one that is being written, or was when a crash came. Throws {@link Malformed} at
 * a damaged record.
 */
export function* recordsIn(log: Buffer): Generator<Buffer> {
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
    // A power failure leaves zeros where space was allocated but nothing written.
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

/** True when some prefix of the bytes has the checksum: then no more was written, and the length field is damaged. */
function isWholeWithin(typed: Buffer, stored: number): boolean {
  let crc = 0
  for (let i = 0; i < typed.length; i++) {
    crc = crc32c(typed.subarray(i, i + 1), crc)
    if (maskedChecksum(crc) === stored) return true
  }
  return false
}
