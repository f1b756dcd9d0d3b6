/**
 * How blobs are stored: a small entry for each, and its pieces.
 *
 * ```
 * o ‖ sha256 (32)               →  crc32 (4) ‖ size (8) ‖ stored bytes (8) ‖ upload id (16) ‖ pieces (4)
 * p ‖ upload id ‖ number (4)    →  codec (1) ‖ size (8) ‖ bytes        codec 0: as they are, 1: deflateRaw
 * ```
 */
import { promisify } from 'node:util'
import { crc32, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { readSeq, writeSeq } from './commit.ts'
import { keys } from './database.ts'
import { StoreError } from './errors.ts'

const deflate = promisify<Buffer | Uint8Array, { level: number }, Buffer>(deflateRaw)
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw)

/** zlib level. Measured on SimaticML and SCL: 4 packs 200 MB/s to 10.4 %, 6 packs 160 MB/s to 9.4 %. */
const level = { level: 4 }
/**
 * Smaller contents are packed in place: the thread pool costs more than it saves (2 KB: 20 µs in place, over 100 µs
 * there).
 */
const inlineBytes = 8 * 1024
const codecRaw = 0
const codecDeflate = 1
const headerBytes = 9
const entryBytes = 40

/** A stored value: codec, size, bytes. */
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

/** Packs the content of a piece into its stored value. */
export async function packPiece(bytes: Uint8Array): Promise<Buffer> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const small = source.length < inlineBytes ? deflateRawSync(source, level) : await deflate(source, level)
  return small.length < source.length
    ? frame(codecDeflate, source.length, small)
    : frame(codecRaw, source.length, source)
}

/** Unpacks the content of a piece. Throws `blob_corrupt`. */
export async function unpackPiece(value: Buffer, hash: string): Promise<Buffer> {
  const { codec, size, body } = unframe(value, hash)
  const bytes = await decoded(codec, size, body).catch((error: unknown) => {
    throw new StoreError('blob_corrupt', `the blob ${hash} cannot be unpacked (${String(error)})`, { key: hash }, error)
  })
  if (bytes.length !== size) throw hashMismatch(hash)
  return bytes
}

async function decoded(codec: number, size: number, body: Buffer): Promise<Buffer> {
  if (codec === codecRaw) return body
  if (codec !== codecDeflate) throw new RangeError(`unknown codec ${codec}`)
  // More bytes than were packed mean damage: stop there.
  const limit = { maxOutputLength: Math.min(Math.max(1, size), 2 ** 31 - 1) }
  return size < inlineBytes ? inflateRawSync(body, limit) : inflate(body, limit)
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

/** The entry of a blob: its size and the place of its pieces. */
export interface BlobEntry {
  readonly size: number
  readonly storedBytes: number
  readonly upload: Buffer
  readonly pieces: number
}

/** The value of an entry. */
export function encodeBlobEntry({ size, storedBytes, upload, pieces }: BlobEntry): Buffer {
  const value = Buffer.allocUnsafe(entryBytes)
  writeSeq(value, size, 4)
  writeSeq(value, storedBytes, 12)
  upload.copy(value, 20)
  value.writeUInt32BE(pieces, 36)
  value.writeUInt32BE(crc32(value.subarray(4)), 0)
  return value
}

/** The entry in a stored value; `undefined` when it is damaged. */
export function decodeBlobEntry(value: Buffer): BlobEntry | undefined {
  if (value.length !== entryBytes || value.readUInt32BE(0) !== crc32(value.subarray(4))) return undefined
  return {
    size: readSeq(value, 4),
    storedBytes: readSeq(value, 12),
    upload: value.subarray(20, 36),
    pieces: value.readUInt32BE(36),
  }
}

/** The upload id of a blob of one piece. */
export function ownUpload(hash: Buffer): Buffer {
  return hash.subarray(0, 16)
}

/** The error for content that does not match its hash. */
export function hashMismatch(hash: string): StoreError {
  return new StoreError('blob_corrupt', `the stored content of ${hash} does not match its hash`, { key: hash })
}
