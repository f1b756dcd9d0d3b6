/** Reads bounded values of a record: every access outside is an error that names the record. */
import { type RecordPlace, TiaProjectError } from './problem.ts'

export class Cursor {
  at: number
  readonly bytes: Buffer
  readonly #place: RecordPlace

  constructor(bytes: Buffer, place: RecordPlace, at = 0) {
    this.bytes = bytes
    this.#place = place
    this.at = at
  }
  get place(): RecordPlace {
    return this.#place
  }

  u8(): number {
    return this.bytes.readUInt8(this.#take(1))
  }
  u16(): number {
    return this.bytes.readUInt16LE(this.#take(2))
  }
  u32(): number {
    return this.bytes.readUInt32LE(this.#take(4))
  }
  /** As a number: object ids and sizes are far below 2^53. */
  u64(): number {
    return Number(this.bytes.readBigUInt64LE(this.#take(8)))
  }
  /** Seven bits a byte, the lowest first. */
  varint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8()
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
    throw this.damaged('a length has too many bytes')
  }
  take(length: number): Buffer {
    const at = this.#take(length)
    return this.bytes.subarray(at, at + length)
  }
  damaged(message: string): TiaProjectError {
    return new TiaProjectError('damaged', `Damaged record: ${message}`, this.#place)
  }

  #take(length: number): number {
    const at = this.at
    if (at < 0 || length < 0 || at + length > this.bytes.length)
      throw this.damaged(`${length} bytes at ${at} of ${this.bytes.length} lead out of a value`)
    this.at = at + length
    return at
  }
}
