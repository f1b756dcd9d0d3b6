/** The stored form of contents: what earlier versions have written stays readable, and damage is named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  blobKey,
  decodeBlobEntry,
  encodeBlobEntry,
  hashBytes,
  hashText,
  ownUpload,
  packPiece,
  pieceKey,
  unpackPiece,
} from './blob-format.ts'
import { sha256 } from './commit.ts'
import { isStoreError } from './errors.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const hash = sha256('content')
const name = 'sha256:ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73'

test('keys and entries have the bytes of the format', () => {
  assert.equal(hashText(hash), name)
  assert.deepEqual(hashBytes(name), hash)
  for (const wrong of [name.slice(7), `${name}0`, name.toUpperCase(), ` ${name}`, 'sha256:'])
    assert.throws(() => hashBytes(wrong), { code: 'blob_missing', message: /64 hex digits/ })
  const upload = ownUpload(hash)
  assert.equal(upload.toString('hex'), 'ed7002b439e9ac845f22357d822bac14')
  assert.equal(blobKey(hash).toString('hex'), `6f${name.slice(7)}`)
  assert.equal(pieceKey(upload, 0x01020304).toString('hex'), '70ed7002b439e9ac845f22357d822bac1401020304')
  const entry = { size: 2 ** 33 + 7, storedBytes: 300, upload, pieces: 5 }
  const value = encodeBlobEntry(entry)
  assert.equal(
    value.subarray(4).toString('hex'),
    '0000000200000007 000000000000012c ed7002b439e9ac845f22357d822bac14 00000005'.replaceAll(' ', ''),
  )
  assert.deepEqual(decodeBlobEntry(value), entry)
  for (let at = 0; at < value.length; at++) {
    const damaged = Buffer.from(value)
    damaged[at]! ^= 0x10
    assert.equal(decodeBlobEntry(damaged), undefined, `byte ${at}`)
  }
  assert.equal(decodeBlobEntry(value.subarray(0, -1)), undefined)
  assert.equal(decodeBlobEntry(Buffer.concat([value, Buffer.alloc(1)])), undefined)
})

test('a piece is packed when that makes it smaller, and both kinds are read as they are stored', async () => {
  const raw = hex('00 0000000000000003 616263')
  assert.deepEqual(await packPiece(Buffer.from('abc')), raw)
  assert.deepEqual(await unpackPiece(raw, name), Buffer.from('abc'))
  // `a` 64 times, packed by another program (RFC 1951).
  const packed = hex('01 0000000000000040 4b4ca40c0000')
  assert.deepEqual(await unpackPiece(packed, name), Buffer.from('a'.repeat(64)))
  assert.equal((await packPiece(Buffer.from('a'.repeat(64))))[0], 1)
  assert.deepEqual(await unpackPiece(hex('00 0000000000000000'), name), Buffer.alloc(0))
  for (const size of [0, 1, 8 * 1024 - 1, 8 * 1024, 8 * 1024 + 1, 100_000]) {
    // A view into a larger buffer.
    const bytes = Buffer.alloc(size + 20, 'a line of text\n').subarray(3, 3 + size)
    const value = await packPiece(bytes)
    assert.equal(value.readUInt32BE(5), size)
    assert.ok(value.length <= 9 + size)
    assert.deepEqual(await unpackPiece(value, name), bytes)
  }
})

test('a damaged piece is named with its blob', async () => {
  const cases: readonly [Buffer, string][] = [
    [Buffer.alloc(0), `the blob ${name} is cut off (0 bytes)`],
    [Buffer.alloc(8), `the blob ${name} is cut off (8 bytes)`],
    [hex('02 0000000000000003 616263'), `the blob ${name} cannot be unpacked (RangeError: unknown codec 2)`],
    [hex('00 0000000000000003 6162'), `the stored content of ${name} does not match its hash`],
    [hex('00 0000000000000003 61626364'), `the stored content of ${name} does not match its hash`],
    [hex('01 0000000000000041 4b4ca40c0000'), `the stored content of ${name} does not match its hash`],
  ]
  for (const [value, message] of cases)
    await assert.rejects(unpackPiece(value, name), (error) => {
      assert.ok(isStoreError(error))
      assert.deepEqual([error.code, error.message, error.place.key], ['blob_corrupt', message, name])
      return true
    })
  // More bytes than were packed, or none that can be unpacked, small and large.
  for (const value of [
    hex('01 000000000000003f 4b4ca40c0000'),
    hex('01 0000000000000040 ffff'),
    hex('01 0000000000002000 ffff'),
  ])
    await assert.rejects(unpackPiece(value, name), {
      code: 'blob_corrupt',
      message: /^the blob sha256:.* cannot be unpacked/,
    })
})
