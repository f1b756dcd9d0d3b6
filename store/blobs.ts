/**
 * Contents by their sha256: compressed, immutable, stored once.
 *
 * Most blobs are one piece, whose upload id is the start of their hash. A blob that came as a long stream has pieces of
 * 1 MiB under a random id, since its hash was not known when they were written. Counting and collecting read only the
 * small entries (blob-format.ts).
 *
 * A blob is *pending* from `stage` until the append that carries it is durable or the caller has dropped it (a
 * FinalizationRegistry reports that). A collection does not touch pending blobs.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import {
  type BlobEntry,
  blobKey,
  decodeBlobEntry,
  encodeBlobEntry,
  hashBytes,
  hashMismatch,
  hashText,
  ownUpload,
  packPiece,
  pieceKey,
  unpackPiece,
} from './blob-format.ts'
import { sha256 } from './commit.ts'
import { type Database, keys, type Op, rangeOf } from './database.ts'
import { StoreError } from './errors.ts'
import type { Carried } from './log-writer.ts'
import type { StagedBlob } from './types.ts'
import type { WriteLane } from './write-lane.ts'

/** A large blob is stored in pieces of this many bytes. */
export const pieceBytes = 1024 * 1024
/** Limit of the contents kept in memory, unpacked bytes. */
const cacheBytes = 16 * 1024 * 1024

/** A staged blob, with what the append that carries it has to write. */
class Staged implements StagedBlob {
  readonly hash: string
  readonly size: number
  /** `undefined` when the blob is in the store already. */
  ops: Op[] | undefined
  /** Hex id of an upload whose pieces are on disk and do not belong to a blob yet. */
  upload: string | undefined
  /** Failures of the store before it was staged: what it relies on may be lost since. */
  readonly epoch: number

  constructor(hash: string, size: number, ops: Op[] | undefined, epoch: number, upload?: string) {
    this.hash = hash
    this.size = size
    this.ops = ops
    this.epoch = epoch
    this.upload = upload
  }
}

/** See the head of this file. */
export class BlobStore {
  readonly database: Database
  readonly lane: WriteLane
  readonly #pending = new Map<string, number>()
  /**
   * Blobs of appends whose commit is not durable yet: the next command may read them already (the lane runs ahead of
   * the disk).
   */
  readonly #appended = new Map<string, Buffer>()
  readonly #dropped = new FinalizationRegistry<string[]>((names) => {
    for (const name of names) this.#release(name)
  })
  /** Blobs that a collection is removing; `stage` waits for it. */
  #removing: { readonly hashes: ReadonlySet<string>; readonly done: Promise<void> } | undefined
  #cache: LRUCache<string, Buffer> | undefined
  /** Rises when blobs are lost that other staged ones may rely on. */
  #epoch = 0

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
    const hash = sha256(bytes)
    const text = hashText(hash)
    return this.#holding(text, async () => {
      if (await this.#isKnown(text)) return new Staged(text, bytes.byteLength, undefined, this.#epoch)
      const piece = await packPiece(bytes)
      const entry = { size: bytes.byteLength, storedBytes: piece.length, upload: ownUpload(hash), pieces: 1 }
      const ops: Op[] = [
        { type: 'put', key: blobKey(hash), value: encodeBlobEntry(entry) },
        { type: 'put', key: pieceKey(entry.upload, 0), value: piece },
      ]
      return new Staged(text, entry.size, ops, this.#epoch)
    })
  }

  /** See {@link Blobs.stageStream}. */
  async stageStream(source: AsyncIterable<Uint8Array>, limitBytes = Number.POSITIVE_INFINITY): Promise<StagedBlob> {
    const upload = randomBytes(16)
    const name = upload.toString('hex')
    const written = { pieces: 0, storedBytes: 0 }
    this.#hold(name)
    try {
      return await this.#receive(source, limitBytes, upload, written)
    } catch (error) {
      await this.#removePieces(upload, written.pieces).catch(() => {}) // the next collection removes the rest
      throw error
    } finally {
      this.#release(name)
    }
  }

  /** What the append of these blobs has to write. */
  carry(blobs: readonly StagedBlob[]): Carried[] {
    return blobs.map((blob) => {
      if (!(blob instanceof Staged)) {
        throw new StoreError(
          'record_invalid',
          `append: ${JSON.stringify(blob)} was not made by \`stage\` of this store`,
        )
      }
      const { ops } = blob
      if (ops === undefined && blob.epoch !== this.#epoch)
        throw new StoreError('store_unavailable', `append: the blob ${blob.hash} was staged before a write failed`)
      if (ops === undefined) return { ops: [], hashes: [], settled: () => this.#settled(blob), lost: () => {} }
      for (const op of ops) if (op.type === 'put') this.#appended.set(op.key.toString('latin1'), op.value)
      const settled = (): void => {
        for (const op of ops) this.#appended.delete(op.key.toString('latin1'))
        this.#settled(blob)
      }
      const lost = (): void => {
        for (const op of ops) this.#appended.delete(op.key.toString('latin1'))
        this.#epoch++
      }
      return { ops, hashes: [blob.hash.slice(7)], settled, lost }
    })
  }

  /** See {@link Blobs.get}. */
  async get(hash: string): Promise<Buffer> {
    const kept = this.#cache?.get(hash)
    if (kept !== undefined) return kept
    const content = await this.#whole(hash)
    this.#cache ??= new (await import('lru-cache')).LRUCache({ maxSize: cacheBytes, maxEntrySize: cacheBytes / 8 })
    this.#cache.set(hash, content, { size: content.length + 128 })
    return content
  }

  /** The checked content as it is in the store. */
  async #whole(hash: string): Promise<Buffer> {
    const bytes = hashBytes(hash)
    // One read for the usual blob of one piece.
    const [stored, own] = await this.#read([blobKey(bytes), pieceKey(ownUpload(bytes), 0)])
    const entry = this.#entry(stored, hash)
    const isOwn = entry.pieces === 1 && entry.upload.equals(ownUpload(bytes))
    const parts: Buffer[] = []
    if (isOwn && own !== undefined) parts.push(await unpackPiece(own, hash))
    else for await (const part of this.#pieces(entry, hash)) parts.push(part)
    const content = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    if (content.length !== entry.size || hashText(sha256(content)) !== hash) throw hashMismatch(hash)
    return content
  }

  /** See {@link Blobs.stream}. Never from memory: a verification reads what is on the disk. */
  async *stream(hash: string): AsyncGenerator<Buffer> {
    const [stored] = await this.#read([blobKey(hashBytes(hash))])
    const entry = this.#entry(stored, hash)
    if (entry.pieces === 1) {
      yield await this.#whole(hash)
      return
    }
    const digest = createHash('sha256')
    let read = 0
    for await (const part of this.#pieces(entry, hash)) {
      digest.update(part)
      read += part.length
      yield part
    }
    if (read !== entry.size || hashText(digest.digest()) !== hash) throw hashMismatch(hash)
  }

  /** See {@link Blobs.has}. */
  async has(...hashes: readonly string[]): Promise<boolean> {
    const stored = hashes
      .map((hash) => blobKey(hashBytes(hash)))
      .filter((key) => !this.#appended.has(key.toString('latin1')))
    if (stored.length === 0) return true
    const found = await this.database.hasMany(stored)
    return found.every(Boolean)
  }

  /** Which of these (64 hex digits each) are in the store, with all their pieces. */
  async hasAll(hashes: readonly string[]): Promise<boolean[]> {
    const stored = await this.database.getMany(hashes.map((hash) => blobKey(Buffer.from(hash, 'hex'))))
    const wanted = stored.map((value) => {
      const entry = value === undefined ? undefined : decodeBlobEntry(value)
      if (entry === undefined) return undefined
      const { upload, pieces } = entry
      return Array.from({ length: pieces }, (_, number) => pieceKey(upload, number))
    })
    const found = await this.database.hasMany(wanted.flatMap((pieces) => pieces ?? []))
    let at = 0
    return wanted.map((pieces) => {
      if (pieces === undefined) return false
      at += pieces.length
      return found.slice(at - pieces.length, at).every(Boolean)
    })
  }

  /** See {@link Blobs.size}. */
  async size(hash: string): Promise<number | undefined> {
    const [value] = await this.#read([blobKey(hashBytes(hash))])
    return value === undefined ? undefined : this.#entry(value, hash).size
  }

  /** Values by key, including those whose commit is not durable yet. */
  async #read(wanted: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    if (this.#appended.size > 0) {
      const appended = wanted.map((key) => this.#appended.get(key.toString('latin1')))
      // A blob is appended as a whole, so its first key is enough.
      if (appended[0] !== undefined) return appended
    }
    return this.database.getMany([...wanted])
  }

  /**
   * Every blob with its size, its stored bytes and the hex id of its upload. A damaged entry has size 0 and no upload.
   */
  async *list(): AsyncGenerator<ListedBlob> {
    for await (const chunk of this.database.chunks(rangeOf(keys.blob))) {
      for (const [key, value] of chunk) {
        const hash = hashText(key.subarray(1))
        const entry = decodeBlobEntry(value)
        if (entry === undefined) {
          yield { hash, size: 0, storedBytes: value.length, pieces: 0 }
          continue
        }
        const { size, storedBytes, upload, pieces } = entry
        yield { hash, size, storedBytes, pieces, upload: upload.toString('hex') }
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
    return total
  }

  /** Hashes and hex upload ids that are pending now. */
  pendingNames(): Set<string> {
    return new Set(this.#pending.keys())
  }

  /** Runs the removal of some blobs; a `stage` of one of them waits until it has ended. */
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

  /**
   * Runs `work` while `name` is pending. It stays pending with the resulting staged blob, until that is appended or
   * dropped.
   */
  async #holding(name: string, work: () => Promise<Staged>): Promise<Staged> {
    this.#hold(name)
    try {
      const staged = await work()
      const names = [staged.hash, ...(staged.upload === undefined ? [] : [staged.upload])]
      for (const held of names) this.#hold(held)
      this.#dropped.register(staged, names, staged)
      return staged
    } finally {
      this.#release(name)
    }
  }

  async #isKnown(hash: string): Promise<boolean> {
    if (this.#removing?.hashes.has(hash) === true) await this.#removing.done
    return this.has(hash)
  }

  /** Writes a stream in pieces; a short one is staged as a whole. */
  async #receive(
    source: AsyncIterable<Uint8Array>,
    limitBytes: number,
    upload: Buffer,
    written: { pieces: number; storedBytes: number },
  ): Promise<StagedBlob> {
    const digest = createHash('sha256')
    let size = 0
    let parts: Uint8Array[] = []
    let waiting = 0
    const flush = async (): Promise<void> => {
      const value = await packPiece(Buffer.concat(parts))
      parts = []
      waiting = 0
      await this.lane.write([{ type: 'put', key: pieceKey(upload, written.pieces++), value }], true)
      written.storedBytes += value.length
    }
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
    if (written.pieces === 0) return this.stage(Buffer.concat(parts))
    if (waiting > 0) await flush()
    const hash = digest.digest()
    const text = hashText(hash)
    return this.#holding(text, async () => {
      if (await this.#isKnown(text)) {
        await this.#removePieces(upload, written.pieces)
        return new Staged(text, size, undefined, this.#epoch)
      }
      const value = encodeBlobEntry({ size, storedBytes: written.storedBytes, upload, pieces: written.pieces })
      return new Staged(text, size, [{ type: 'put', key: blobKey(hash), value }], this.#epoch, upload.toString('hex'))
    })
  }

  #entry(value: Buffer | undefined, hash: string): BlobEntry {
    if (value === undefined) throw new StoreError('blob_missing', `the blob ${hash} is not in the store`, { key: hash })
    const entry = decodeBlobEntry(value)
    if (entry === undefined)
      throw new StoreError('blob_corrupt', `the entry of the blob ${hash} is damaged`, { key: hash })
    return entry
  }

  async *#pieces({ upload, pieces }: BlobEntry, hash: string): AsyncGenerator<Buffer> {
    for (let number = 0; number < pieces; number++) {
      const [value] = await this.#read([pieceKey(upload, number)])
      if (value === undefined) {
        throw new StoreError('blob_corrupt', `piece ${number + 1} of ${pieces} of the blob ${hash} is missing`, {
          key: hash,
        })
      }
      yield await unpackPiece(value, hash)
    }
  }

  async #removePieces(upload: Buffer, count: number): Promise<void> {
    const ops: Op[] = Array.from({ length: count }, (_, number) => ({ type: 'del', key: pieceKey(upload, number) }))
    if (ops.length > 0) await this.lane.write(ops)
  }

  /** The append is durable: from now on the log names the blob (or a collection's `keep` does). */
  #settled(blob: Staged): void {
    const { upload } = blob
    blob.ops = undefined
    blob.upload = undefined
    if (!this.#dropped.unregister(blob)) return
    this.#release(blob.hash)
    if (upload !== undefined) this.#release(upload)
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

/** One blob of {@link BlobStore.list}. */
export interface ListedBlob {
  readonly hash: string
  readonly size: number
  readonly storedBytes: number
  readonly pieces: number
  readonly upload?: string
}
