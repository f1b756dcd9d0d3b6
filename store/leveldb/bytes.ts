/**
 * The building blocks of LevelDB's own files: numbers, lengths, checksums (doc/table_format.md, doc/log_format.md,
 * util/coding.cc, util/crc32c.h).
 */
import { crc32c } from './crc32c.ts'

/** Bytes that LevelDB cannot have written like this: they are damaged. */
export class Malformed extends Error {}

/** Reads bytes from the front. Throws {@link Malformed} at the end of the bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.position >= this.#bytes.length
  }

  /** A number in 7 bits per byte, the lowest first; up to 2^53. */
  varint(): number {
    let value = 0
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.#bytes[this.position++]
      if (byte === undefined) throw new Malformed('it ends within a number')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new Malformed('a number has too many bytes')
  }

  take(length: number): Buffer {
    const part = this.#bytes.subarray(this.position, this.position + length)
    if (part.length < length) throw new Malformed(`${length} bytes are announced, ${part.length} are there`)
    this.position += length
    return part
  }

  /** Bytes preceded by their length. */
  sized(): Buffer {
    return this.take(this.varint())
  }
}

/**
 * LevelDB's stored form of a CRC-32C: rotated by 15 bits and offset, so that checksums of bytes that contain checksums
 * cause no problems.
 */
export function maskedChecksum(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

/** True when the bytes match the checksum stored with them. */
export function hasChecksum(bytes: Buffer, stored: number): boolean {
  return maskedChecksum(crc32c(bytes)) === stored
}
