/** The file format of LevelDB's MANIFEST and of its `.log` files (doc/log_format.md). */

import { hasChecksum, Malformed, maskedChecksum } from './bytes.ts'
import { crc32c } from './crc32c.ts'

/** Size of a block of a log file, and of the header of each part of a record: checksum, length, kind. */
const blockBytes = 32 * 1024
const headerBytes = 7
const kind = { full: 1, first: 2, middle: 3, last: 4 } as const

/**
 * The records of a log file, up to the one that is being written, or was when a crash came. Throws {@link Malformed} at
 * a damaged record.
 * @param onDamage called instead; the records of the next block follow
 */
export function* recordsIn(log: Buffer, onDamage?: (damage: Malformed) => void): Generator<Buffer> {
  /** Of the record that has begun. */
  let parts: Buffer[] | undefined
  let zerosAt: number | undefined
  const damaged = (detail: string): void => {
    const damage = new Malformed(detail)
    if (onDamage === undefined) throw damage
    onDamage(damage)
    parts = undefined
  }
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
      zerosAt = at
      at += left
      continue
    }
    if (zerosAt !== undefined && onDamage !== undefined) damaged(`zeros from byte ${zerosAt} on`)
    zerosAt = undefined
    const stored = log.readUInt32LE(at)
    if (end > log.length) {
      const isLengthWrong = isWholeWithin(typed, stored)
      if (!isLengthWrong && log.length <= at + left) return
      damaged(
        isLengthWrong
          ? `the length of the record at byte ${at} is wrong`
          : `the record at byte ${at} reaches beyond the end`,
      )
      at += left
      continue
    }
    if (!hasChecksum(typed, stored)) {
      damaged(`the record at byte ${at} does not match its checksum`)
      at = isRecordAt(log, end) ? end : at + left
      continue
    }
    if (type === kind.full || type === kind.first) parts = []
    // Without a beginning it is the rest of a record that is damaged.
    if (parts !== undefined) {
      parts.push(typed.subarray(1))
      if (type === kind.full || type === kind.last) {
        yield parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
        parts = undefined
      }
    }
    at = end
  }
}

function isRecordAt(log: Buffer, at: number): boolean {
  if (at + headerBytes > log.length || at % blockBytes > blockBytes - headerBytes) return false
  const end = at + headerBytes + log.readUInt16LE(at + 4)
  return end <= log.length && hasChecksum(log.subarray(at + 6, end), log.readUInt32LE(at))
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
