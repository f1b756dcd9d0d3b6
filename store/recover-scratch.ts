/**
 * A database in which a recovery sorts the versions of entries: those of a key are next to each other, the newest
 * first.
 *
 * ```
 * key ‖ 2^56 − number of the write (8)   →   0: removed; 1 ‖ value
 * ```
 *
 * Keys of one kind have one length, so none is the beginning of another.
 */
import { rm } from 'node:fs/promises'
import { Database, type Entry, type Op, rangeOf } from './database.ts'

const batchBytes = 1024 * 1024
const suffixBytes = 8
const newestWrite = 2n ** 56n

/** See the head of this file. */
export class Scratch {
  readonly #database: Database
  #ops: Op[] = []
  #bytes = 0

  private constructor(database: Database) {
    this.#database = database
  }

  /** Creates it. */
  static async open(path: string): Promise<Scratch> {
    return new Scratch(await Database.open(path, true))
  }

  /** Adds a version. */
  async add(key: Buffer, value: Buffer | undefined, write: number): Promise<void> {
    const suffix = Buffer.alloc(suffixBytes)
    suffix.writeBigUInt64BE(newestWrite - BigInt(write))
    const stored = value === undefined ? Buffer.of(0) : Buffer.concat([Buffer.of(1), value])
    this.#ops.push({ type: 'put', key: Buffer.concat([key, suffix]), value: stored })
    this.#bytes += stored.length
    if (this.#bytes >= batchBytes) await this.flush()
  }

  /** Everything that was added can be read. */
  async flush(): Promise<void> {
    await this.#database.batch(this.#ops, false)
    this.#ops = []
    this.#bytes = 0
  }

  /**
   * The newest version of each key of a kind, in the order of the keys, without those that were removed.
   * @param isValid a version for which it is false is passed over
   */
  async *newest(kind: number, from?: Buffer, isValid: (entry: Entry) => boolean = () => true): AsyncGenerator<Entry> {
    const range = rangeOf(kind)
    let done: Buffer | undefined
    for await (const chunk of this.#database.chunks(from === undefined ? range : { ...range, gte: from })) {
      for (const [stored, value] of chunk) {
        const key = stored.subarray(0, -suffixBytes)
        if (done?.equals(key) === true) continue
        const isRemoved = value[0] === 0
        if (!isRemoved && !isValid([key, value.subarray(1)])) continue
        done = key
        if (!isRemoved) yield [key, value.subarray(1)]
      }
    }
  }

  async remove(): Promise<void> {
    await this.#database.close()
    await rm(this.#database.path, { recursive: true, force: true })
  }
}
