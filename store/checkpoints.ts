/**
 * Saved folds of the log. A checkpoint is a stream of JSON lines (name, value, name, value …) cut into chunks. Its
 * manifest is written last and synced, and makes it valid. The previous checkpoint stays until the next one is
 * complete.
 *
 * ```
 * q ‖ generation (8) ‖ chunk (4)      →  bytes
 * q ‖ generation (8) ‖ 0xffffffff     →  JSON manifest: seq, hash of the commit with seq, chunks, bytes, sha256
 * ```
 */
import { createHash } from 'node:crypto'
import { decodeEntry, hashOf, noteIn, readSeq } from './commit.ts'
import { type Database, type Entry, keys, type Op, rangeOf, seqBytes } from './database.ts'
import type { WriteLane } from './write-lane.ts'

const chunkBytes = 1024 * 1024
const manifestNumber = 0xffffffff
const newline = 0x0a
/** Keys removed by one write. */
const opsPerWrite = 64

interface Manifest {
  readonly seq: number
  /** Connects the checkpoint to this log: after a backup was restored, the same seq may be another record. */
  readonly commit: string
  readonly chunks: number
  readonly bytes: number
  readonly sha256: string
}

/** The part of the log that checkpoints use. */
export interface CheckpointedLog {
  durable(seq: number): Promise<void>
  /** Hex hash of the commit that contains a durable seq; '' for seq 0; `undefined` when there is none. */
  commitHash(seq: number): Promise<string | undefined>
}

function chunkKey(generation: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(13)
  key[0] = keys.checkpoint
  seqBytes(generation).copy(key, 1)
  key.writeUInt32BE(number, 9)
  return key
}

function generationRange(generation: number): { gte: Buffer; lt: Buffer } {
  return rangeOf(keys.checkpoint, seqBytes(generation))
}

function generationOf(entry: Entry): number {
  return readSeq(entry[0], 1)
}

/** See the head of this file. */
export class CheckpointStore {
  readonly #database: Database
  readonly #lane: WriteLane
  readonly #log: CheckpointedLog
  #writing: Promise<unknown> = Promise.resolve()

  constructor(database: Database, lane: WriteLane, log: CheckpointedLog) {
    this.#database = database
    this.#lane = lane
    this.#log = log
  }

  /** See {@link Checkpoints.write}. One at a time. */
  write(seq: number, parts: Iterable<[name: string, value: unknown]>): Promise<void> {
    return this.#alone(() => this.#write(seq, parts))
  }

  /** See {@link Checkpoints.newest}. */
  async newest(): Promise<{ seq: number; parts: Map<string, unknown> } | undefined> {
    for (const generation of (await this.#generations()).reverse()) {
      const found = await this.#read(generation).catch(() => undefined)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Seq of the oldest complete checkpoint; undefined when there is none. */
  async oldestSeq(): Promise<number | undefined> {
    for (const generation of await this.#generations()) {
      const stored = await this.#database.get(chunkKey(generation, manifestNumber))
      if (stored !== undefined) return (JSON.parse(stored.toString('utf8')) as Manifest).seq
    }
    return undefined
  }

  /** See {@link Checkpoints.drop}. */
  drop(): Promise<void> {
    return this.#alone(async () => {
      for (const generation of await this.#generations()) await this.#remove(generation)
    })
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(work)
    this.#writing = result.catch(() => {})
    return result
  }

  async #write(seq: number, parts: Iterable<[name: string, value: unknown]>): Promise<void> {
    await this.#log.durable(seq)
    const commit = (await this.#log.commitHash(seq)) as string
    const earlier = await this.#generations()
    const generation = (earlier.at(-1) ?? 0) + 1
    const digest = createHash('sha256')
    let chunks = 0
    let bytes = 0
    let waiting: Buffer[] = []
    let size = 0
    const flush = async (): Promise<void> => {
      const all = Buffer.concat(waiting)
      waiting = []
      size = 0
      for (let at = 0; at < all.length; at += chunkBytes) {
        const value = all.subarray(at, at + chunkBytes)
        await this.#lane.write([{ type: 'put', key: chunkKey(generation, chunks++), value }])
      }
    }
    for (const [name, value] of parts) {
      const text = Buffer.from(`${JSON.stringify(name)}\n${JSON.stringify(value) ?? 'null'}\n`, 'utf8')
      digest.update(text)
      waiting.push(text)
      size += text.length
      bytes += text.length
      if (size >= chunkBytes) await flush()
    }
    await flush()
    const manifest: Manifest = { seq, commit, chunks, bytes, sha256: digest.digest('hex') }
    await this.#lane.write(
      [{ type: 'put', key: chunkKey(generation, manifestNumber), value: Buffer.from(JSON.stringify(manifest)) }],
      true,
    )
    // One complete checkpoint before this one stays. Older ones are removed, and so are those without a manifest, left
    // by a crash.
    let keptOne = false
    for (const old of earlier.reverse()) {
      if (!keptOne && (await this.#isComplete(old))) keptOne = true
      else await this.#remove(old)
    }
  }

  async #isComplete(generation: number): Promise<boolean> {
    return (await this.#database.get(chunkKey(generation, manifestNumber))) !== undefined
  }

  /** Generations that have any key, oldest first. */
  async #generations(): Promise<number[]> {
    const found: number[] = []
    let range = rangeOf(keys.checkpoint)
    for (;;) {
      const first = await this.#database.edge(range, 'first')
      if (first === undefined) return found
      const generation = generationOf(first)
      found.push(generation)
      range = { gte: generationRange(generation).lt, lt: range.lt }
    }
  }

  async #read(generation: number): Promise<{ seq: number; parts: Map<string, unknown> } | undefined> {
    const stored = await this.#database.get(chunkKey(generation, manifestNumber))
    if (stored === undefined) return undefined
    const manifest = JSON.parse(stored.toString('utf8')) as Manifest
    if ((await this.#log.commitHash(manifest.seq)) !== manifest.commit) return undefined
    const digest = createHash('sha256')
    const parts = new Map<string, unknown>()
    const lines = new Lines()
    let name: string | undefined
    let chunks = 0
    const range = { gte: generationRange(generation).gte, lt: chunkKey(generation, manifestNumber) }
    for await (const entries of this.#database.chunks(range)) {
      for (const [, value] of entries) {
        chunks++
        digest.update(value)
        for (const line of lines.push(value)) {
          if (name === undefined) name = JSON.parse(line) as string
          else {
            parts.set(name, JSON.parse(line))
            name = undefined
          }
        }
      }
    }
    return chunks === manifest.chunks && digest.digest('hex') === manifest.sha256
      ? { seq: manifest.seq, parts }
      : undefined
  }

  async #remove(generation: number): Promise<void> {
    // The manifest first: if this is interrupted, the rest is not valid without it.
    await this.#lane.write([{ type: 'del', key: chunkKey(generation, manifestNumber) }])
    for await (const entries of this.#database.chunks(generationRange(generation), { values: false })) {
      const ops = entries.map(([key]): Op => ({ type: 'del', key }))
      for (let at = 0; at < ops.length; at += opsPerWrite) await this.#lane.write(ops.slice(at, at + opsPerWrite))
    }
  }
}

/** Seq of the checkpoint whose manifest this entry is; 0 for any other entry. For `recover`. */
export function checkpointSeq([key, value]: Entry): number {
  if (key.length !== 13 || key.readUInt32BE(9) !== manifestNumber) return 0
  return (JSON.parse(value.toString('utf8')) as Manifest).seq
}

/**
 * Ties checkpoints whose record is lost to the gap that is in its place: they hold the state that the lost records had
 * made. For `recover`.
 */
export async function tieToGaps(database: Database): Promise<void> {
  for await (const chunk of database.chunks(rangeOf(keys.checkpoint))) {
    for (const [key, value] of chunk) {
      const seq = checkpointSeq([key, value])
      const entry = seq === 0 ? undefined : await database.logEntryBefore(seq + 1)
      const commit = entry && decodeEntry(entry)
      if (commit === undefined || noteIn(commit)?.gap === undefined) continue
      const manifest = { ...(JSON.parse(value.toString('utf8')) as Manifest), commit: hashOf(commit) }
      await database.batch([{ type: 'put', key, value: Buffer.from(JSON.stringify(manifest)) }], false)
    }
  }
}

/** Splits chunks into lines; a line may span many chunks. */
class Lines {
  #rest: Buffer[] = [];

  *push(chunk: Buffer): Generator<string> {
    let at = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      const tail = chunk.subarray(at, end)
      yield (this.#rest.length === 0 ? tail : Buffer.concat([...this.#rest, tail])).toString('utf8')
      this.#rest = []
      at = end + 1
    }
    if (at < chunk.length) this.#rest.push(chunk.subarray(at))
  }
}
