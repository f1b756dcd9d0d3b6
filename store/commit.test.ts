import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  assertWhole,
  blobsOf,
  decodeCommit,
  decodeEntry,
  encodeCommit,
  hashOf,
  isWhole,
  lastSeqOf,
  logKey,
  noHash,
  previousHashOf,
  readSeq,
  recordsOf,
  sha256,
} from './commit.ts'
import type { StoreError } from './errors.ts'

function hashHex(text: string): string {
  return sha256(text).toString('hex')
}

const jsonRecord = fc.record({
  time: fc.nat(),
  type: fc.string({ minLength: 1, unit: 'grapheme' }),
  data: fc.jsonValue(),
})

test('what is packed is read back, with consecutive numbers', () => {
  fc.assert(
    fc.property(
      fc.array(jsonRecord, { minLength: 1, maxLength: 5 }),
      fc.nat({ max: 2 ** 40 }),
      fc.nat({ max: 3 }),
      (records, at, blobCount) => {
        const first = at + 1
        const blobs = Array.from({ length: blobCount }, (_, i) => hashHex(`blob ${i}`))
        const json = records.map((record) => JSON.stringify(record))
        const { value } = encodeCommit(hashHex('before'), first, json, blobs)
        const commit = decodeEntry([logKey(first), value])
        assertWhole(commit)
        assert.equal(previousHashOf(commit), hashHex('before'))
        assert.deepEqual(blobsOf(commit), blobs)
        assert.equal(lastSeqOf(commit), first + records.length - 1)
        const expected = json.map((text, i) => ({ ...JSON.parse(text), seq: first + i }))
        assert.deepEqual(recordsOf(commit), expected)
      },
    ),
  )
})

test('keys sort by number', () => {
  const numbers = [1, 2, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 40]
  const keys = numbers.map(logKey)
  assert.deepEqual(
    keys.toSorted((a, b) => a.compare(b)).map((key) => readSeq(key, 1)),
    numbers,
  )
})

test('a flip of any bit is noticed', () => {
  const { value } = encodeCommit(
    noHash,
    7,
    ['{"time":1,"type":"a","data":"äöü"}', '{"time":2,"type":"b"}'],
    [hashHex('x')],
  )
  for (let at = 0; at < value.length; at++) {
    const flipped = Buffer.from(value)
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
    const isFound = (() => {
      try {
        return !isWhole(decodeEntry([logKey(7), flipped]))
      } catch (error) {
        return (error as { code?: string }).code === 'store_corrupt'
      }
    })()
    assert.ok(isFound, `byte ${at}`)
  }
  assert.equal(hashOf(decodeEntry([logKey(7), value])).length, 64)
})

test('a first seq that no key can hold is damage, whatever its size', () => {
  const { value } = encodeCommit(noHash, 5, ['{"time":1,"type":"a"}'], [])
  const text = value.toString('utf8')
  for (const first of ['fffffffffffff', '1000000000000', '0000000000000', 'zzzzzzzzzzzzz']) {
    const damaged = text.slice(0, 128) + first + text.slice(141)
    assert.throws(
      () => decodeCommit(damaged),
      (error: StoreError) =>
        error.code === 'store_corrupt' && (error.place.seq === undefined || error.place.seq < 2 ** 48),
      first,
    )
  }
})
