/**
 * Contents by their sha256: compressed, immutable, stored once.
 *
 * ```
 * o ‖ sha256 (32)               →  codec (1) ‖ size (8) ‖ bytes         codec 0: as they are, 1: deflateRaw
 *                               →  2 ‖ size (8) ‖ upload id (16) ‖ pieces (4)    a large one, in pieces
 * p ‖ upload id ‖ number (4)    →  codec (1) ‖ size (8) ‖ bytes
 * ```
 *
 * A blob is *pending* from `stage` until the append that carries it is durable or the caller has dropped it (the garbage collector of
 * JavaScript tells): a collection leaves it alone.
 */
import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import type { LRUCache } from 'lru-cache'
import { readSeq, sha256, writeSeq } from './commit.ts'
import { type Database, keys, type Op, rangeOf } from './database.ts'
import { StoreError } from './errors.ts'
import type { Carried } from './log-writer.ts'
import type { StagedBlob } from './types.ts'
import type { WriteLane } from './write-lane.ts'

const deflate = promisify<Buffer | Uint8Array, { level: number }, Buffer>(deflateRaw)
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** zlib level: of 1..9 on SimaticML and SCL, 4 takes half the time of 6 for 3 % more bytes. */
const level = { level: 4 }
/** Below this a thread costs more than it saves (measured 30 µs a trip). */
const inlineBytes = 8 * 1024
/** A large blob is stored in pieces of this many bytes. */
export const pieceBytes = 1024 * 1024
/** Contents kept in memory, unpacked. */
const cacheBytes = 16 * 1024 * 1024

const codecRaw = 0
const codecDeflate = 1
const codecPieces = 2
const headerBytes = 9

/** Frame of a stored value. */
interface Frame {
  readonly codec: number
  readonly size: number
  readonly body: Buffer
}

function frame(codec: number, size: number, body: Buffer): Buffer {
  const value = Buffer.allocUnsafe(headerBytes + body.length)
  value[0] = codec
  writeSeq(value, size, 1)
  body.copy(value, headerBytes)
  return value
}

function unframe(value: Buffer, hash: string): Frame {
  if (value.length < headerBytes)
    throw new StoreError('blob_corrupt', `the blob ${hash} is cut off (${value.length} bytes)`, { key: hash })
  return { codec: value[0] as number, size: readSeq(value, 1), body: value.subarray(headerBytes) }
}

async function packed(bytes: Uint8Array): Promise<Buffer> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const small = source.length < inlineBytes ? deflateRawSync(source, level) : await deflate(source, level)
  return small.length < source.length
    ? frame(codecDeflate, source.length, small)
    : frame(codecRaw, source.length, source)
}

async function unpacked(value: Buffer, hash: string): Promise<Buffer> {
  const { codec, size, body } = unframe(value, hash)
  try {
    if (codec === codecRaw) return body
    // maxOutputLength: a damaged size must not make zlib fill the memory
    const limit = { maxOutputLength: Math.max(1, Math.min(size, 2 ** 31 - 1)) }
    if (codec === codecDeflate) return size < inlineBytes ? inflateRawSync(body, limit) : await inflate(body, limit)
  } catch (error) {
    throw new StoreError('blob_corrupt', `the blob ${hash} cannot be unpacked (${String(error)})`, { key: hash }, error)
  }
  throw new StoreError('blob_corrupt', `the blob ${hash} has the unknown codec ${codec}`, { key: hash })
}

/** `sha256:<64 hex>` of 32 bytes. */
export function hashText(hash: Buffer): string {
  return `sha256:${hash.toString('hex')}`
}

/** The 32 bytes of `sha256:<64 hex>`. Throws `blob_missing` for anything else. */
export function hashBytes(hash: string): Buffer {
  if (!/^sha256:[0-9a-f]{64}$/.test(hash)) {
    throw new StoreError(
      'blob_missing',
      `${JSON.stringify(hash)} is not the hash of a blob; it should be "sha256:" and 64 hex digits`,
    )
  }
  return Buffer.from(hash.slice(7), 'hex')
}

/** Key of a blob (32-byte hash). */
export function blobKey(hash: Buffer): Buffer {
  return Buffer.concat([Buffer.of(keys.blob), hash])
}

/** Key of one piece of a large blob. */
export function pieceKey(upload: Buffer, number: number): Buffer {
  const key = Buffer.allocUnsafe(21)
  key[0] = keys.piece
  upload.copy(key, 1)
  key.writeUInt32BE(number, 17)
  return key
}

/** A staged blob: what the append that carries it has to write. */
class Staged implements StagedBlob {
  readonly hash: string
  readonly size: number
  /** `undefined`: it is in the store already. */
  value: Buffer | undefined

  constructor(hash: string, size: number, value: Buffer | undefined) {
    this.hash = hash
    this.size = size
    this.value = value
  }
}

/** Where the pieces of a large blob are. */
interface Pieces {
  readonly upload: Buffer
  readonly count: number
}

function piecesOf(body: Buffer, hash: string): Pieces {
  if (body.length !== 20)
    throw new StoreError('blob_corrupt', `the list of pieces of the blob ${hash} is damaged`, { key: hash })
  return { upload: body.subarray(0, 16), count: body.readUInt32BE(16) }
}

/** See the head of this file. */
export class BlobStore {
  readonly database: Database
  readonly lane: WriteLane
  readonly #pending = new Map<string, number>()
  /** Appended, their commit not durable yet: the next command may read them already (the lane runs ahead of the disk). */
  readonly #appended = new Map<string, Buffer>()
  readonly #dropped = new FinalizationRegistry<string>((name) => this.#release(name))
  /** Blobs that a collection is removing; `stage` waits for it. */
  #removing: { readonly hashes: ReadonlySet<string>; readonly done: Promise<void> } | undefined
  #cache: LRUCache<string, Buffer> | undefined

  constructor(database: Database, lane: WriteLane) {
    this.database = database
    this.lane = lane
  }

  /** True for a hash (or the hex of an upload id) that this process has staged and not yet appended. */
  isPending(name: string): boolean {
    return this.#pending.has(name)
  }

  /** See {@link Blobs.stage}. */
  async stage(content: Uint8Array | string): Promise<StagedBlob> {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
    const hash = hashText(sha256(bytes))
    this.#hold(hash)
    try {
      if (this.#removing?.hashes.has(hash) === true) await this.#removing.done
      const known = await this.has(hash)
      return this.#staged(hash, bytes.byteLength, known ? undefined : await packed(bytes), hash)
    } catch (error) {
      this.#release(hash)
      throw error
    }
  }

  /** See {@link Blobs.stageStream}. */
  async stageStream(source: AsyncIterable<Uint8Array>, limitBytes = Number.POSITIVE_INFINITY): Promise<StagedBlob> {
    const upload = randomBytes(16)
    const name = upload.toString('hex')
    const digest = createHash('sha256')
    let size = 0
    let count = 0
    let parts: Uint8Array[] = []
    let waiting = 0
    this.#hold(name)
    const flush = async (): Promise<void> => {
      const value = await packed(Buffer.concat(parts))
      parts = []
      waiting = 0
      await this.lane.write([{ type: 'put', key: pieceKey(upload, count++), value }], true)
    }
    try {
      for await (const part of source) {
        size += part.byteLength
        if (size > limitBytes)
          throw new StoreError('blob_too_large', `the content is larger than the limit of ${limitBytes} bytes`)
        digest.update(part)
        // A part longer than a piece is cut, so that pieces stay small whatever the source sends.
        for (let at = 0; at < part.byteLength; at += pieceBytes) {
          const cut = part.subarray(at, at + pieceBytes)
          if (waiting + cut.byteLength > pieceBytes) await flush()
          parts.push(cut)
          waiting += cut.byteLength
        }
      }
      if (count === 0) {
        const staged = await this.stage(Buffer.concat(parts))
        this.#release(name)
        return staged
      }
      if (waiting > 0) await flush()
    } catch (error) {
      this.#release(name)
      await this.#removePieces(upload, count).catch(() => {}) // what is left is found by the next collection
      throw error
    }
    const hash = hashText(digest.digest())
    this.#hold(hash)
    const list = Buffer.allocUnsafe(20)
    upload.copy(list)
    list.writeUInt32BE(count, 16)
    if (this.#removing?.hashes.has(hash) === true) await this.#removing.done
    const known = await this.has(hash)
    if (known) await this.#removePieces(upload, count)
    if (known) this.#release(name)
    const staged = this.#staged(hash, size, known ? undefined : frame(codecPieces, size, list), hash)
    if (!known) this.#dropped.register(staged, name, staged)
    return staged
  }

  /** What an append of these blobs has to write. */
  carry(blobs: readonly StagedBlob[]): Carried[] {
    return blobs.map((blob) => {
      if (!(blob instanceof Staged)) {
        throw new StoreError(
          'record_invalid',
          `append: ${JSON.stringify(blob)} was not made by \`stage\` of this store`,
        )
      }
      const { value } = blob
      const hash = hashBytes(blob.hash)
      const settled = (): void => {
        this.#appended.delete(blob.hash)
        this.#settled(blob)
      }
      if (value === undefined) return { ops: [], hashes: [], settled }
      this.#appended.set(blob.hash, value)
      return { ops: [{ type: 'put', key: blobKey(hash), value }], hashes: [blob.hash.slice(7)], settled }
    })
  }

  /** See {@link Blobs.get}. */
  async get(hash: string): Promise<Buffer> {
    const kept = this.#cache?.get(hash)
    if (kept !== undefined) return kept
    const { codec, size, body, value } = await this.#frameOf(hash)
    let bytes: Buffer
    if (codec === codecPieces) {
      const parts: Buffer[] = []
      for await (const part of this.#pieces(piecesOf(body, hash), hash)) parts.push(part)
      bytes = Buffer.concat(parts)
    } else {
      bytes = await unpacked(value, hash)
    }
    if (bytes.length !== size || hashText(sha256(bytes)) !== hash) throw mismatch(hash)
    this.#cache ??= new (await import('lru-cache')).LRUCache({ maxSize: cacheBytes, maxEntrySize: cacheBytes / 8 })
    this.#cache.set(hash, bytes, { size: bytes.length + 128 })
    return bytes
  }

  /** See {@link Blobs.stream}. */
  async *stream(hash: string): AsyncGenerator<Buffer> {
    const { codec, size, body } = await this.#frameOf(hash)
    if (codec !== codecPieces) {
      yield await this.get(hash)
      return
    }
    const digest = createHash('sha256')
    let read = 0
    for await (const part of this.#pieces(piecesOf(body, hash), hash)) {
      digest.update(part)
      read += part.length
      yield part
    }
    if (read !== size || hashText(digest.digest()) !== hash) throw mismatch(hash)
  }

  /** See {@link Blobs.has}. */
  async has(hash: string): Promise<boolean> {
    if (this.#appended.has(hash)) return true
    const [found] = await this.database.hasMany([blobKey(hashBytes(hash))])
    return found === true
  }

  /** Which of these (64 hex digits each) are in the store. */
  hasAll(hashes: readonly string[]): Promise<boolean[]> {
    return this.database.hasMany(hashes.map((hash) => blobKey(Buffer.from(hash, 'hex'))))
  }

  /** See {@link Blobs.size}. */
  async size(hash: string): Promise<number | undefined> {
    const value = this.#appended.get(hash) ?? (await this.database.get(blobKey(hashBytes(hash))))
    return value === undefined ? undefined : unframe(value, hash).size
  }

  /** Every blob with its size, its stored bytes and where its pieces are. Damaged ones are reported with size 0. */
  async *list(): AsyncGenerator<{ hash: string; key: Buffer; size: number; storedBytes: number; upload?: Buffer }> {
    for await (const chunk of this.database.chunks(rangeOf(keys.blob))) {
      for (const [key, value] of chunk) {
        const hash = hashText(key.subarray(1))
        if (value.length < headerBytes) yield { hash, key, size: 0, storedBytes: value.length }
        else {
          const { codec, size, body } = unframe(value, hash)
          const inPieces = codec === codecPieces && body.length === 20
          yield {
            hash,
            key,
            size,
            storedBytes: value.length,
            ...(inPieces ? { upload: piecesOf(body, hash).upload } : {}),
          }
        }
      }
    }
  }

  /** See {@link Blobs.stats}. */
  async stats(): Promise<{ count: number; bytes: number; storedBytes: number }> {
    const total = { count: 0, bytes: 0, storedBytes: 0 }
    for await (const blob of this.list()) {
      total.count++
      total.bytes += blob.size
      total.storedBytes += blob.storedBytes
    }
    for await (const chunk of this.database.chunks(rangeOf(keys.piece)))
      for (const [, value] of chunk) total.storedBytes += value.length
    return total
  }

  /** Hashes and hex upload ids that are pending now. */
  pendingNames(): Set<string> {
    return new Set(this.#pending.keys())
  }

  /** Runs the removal of some blobs; a `stage` of one of them waits for its end. */
  async whileRemoving(hashes: ReadonlySet<string>, work: () => Promise<void>): Promise<void> {
    const running = work()
    this.#removing = { hashes, done: running.catch(() => {}) }
    for (const hash of hashes) this.#cache?.delete(hash)
    try {
      await running
    } finally {
      this.#removing = undefined
    }
  }

  async #frameOf(hash: string): Promise<Frame & { value: Buffer }> {
    const value = this.#appended.get(hash) ?? (await this.database.get(blobKey(hashBytes(hash))))
    if (value === undefined) throw new StoreError('blob_missing', `the blob ${hash} is not in the store`, { key: hash })
    return { ...unframe(value, hash), value }
  }

  async *#pieces({ upload, count }: Pieces, hash: string): AsyncGenerator<Buffer> {
    for (let number = 0; number < count; number++) {
      const value = await this.database.get(pieceKey(upload, number))
      if (value === undefined)
        throw new StoreError('blob_corrupt', `piece ${number} of ${count} of the blob ${hash} is missing`, {
          key: hash,
        })
      yield await unpacked(value, hash)
    }
  }

  async #removePieces(upload: Buffer, count: number): Promise<void> {
    const ops: Op[] = Array.from({ length: count }, (_, number) => ({ type: 'del', key: pieceKey(upload, number) }))
    if (ops.length > 0) await this.lane.write(ops)
  }

  #staged(hash: string, size: number, value: Buffer | undefined, held: string): Staged {
    const staged = new Staged(hash, size, value)
    this.#dropped.register(staged, held, staged)
    return staged
  }

  #settled(blob: Staged): void {
    // From now on the log names it (or `keep` does). The pieces of an upload belong to the blob.
    if (blob.value?.[0] === codecPieces)
      this.#release(piecesOf(unframe(blob.value, blob.hash).body, blob.hash).upload.toString('hex'))
    blob.value = undefined
    if (this.#dropped.unregister(blob)) this.#release(blob.hash)
  }

  #hold(name: string): void {
    this.#pending.set(name, (this.#pending.get(name) ?? 0) + 1)
  }

  #release(name: string): void {
    const holders = (this.#pending.get(name) ?? 0) - 1
    if (holders > 0) this.#pending.set(name, holders)
    else this.#pending.delete(name)
  }
}

function mismatch(hash: string): StoreError {
  return new StoreError('blob_corrupt', `the stored content of ${hash} does not match its hash`, { key: hash })
}
