/** The examples of RFC 3720, B.4, and of the polynomial's catalogue ("123456789"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32c } from './crc32c.ts'

test('checksums are those of RFC 3720, whole and in parts', () => {
  const rising = Uint8Array.from({ length: 32 }, (_, i) => i)
  const examples: readonly (readonly [Uint8Array, number])[] = [
    [new Uint8Array(), 0],
    [Buffer.from('123456789'), 0xe306_9283],
    [new Uint8Array(32), 0x8a91_36aa],
    [new Uint8Array(32).fill(0xff), 0x62a8_ab43],
    [rising, 0x46dd_794e],
    [rising.slice().reverse(), 0x113f_db5c],
  ]
  for (const [bytes, checksum] of examples) {
    assert.equal(crc32c(bytes), checksum)
    for (const at of [0, 1, 7]) assert.equal(crc32c(bytes.subarray(at), crc32c(bytes.subarray(0, at))), checksum)
  }
})
