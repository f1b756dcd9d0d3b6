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
import { makeRecord, noRecord, packRecord, plainCodec } from './record-codec.ts'
import type { NewRecord } from './types.ts'

function hashHex(text: string): string {
  return sha256(text).toString('hex')
}

function jsonArray(texts: readonly string[]): string {
  return `[${texts.join(',')}]`
}

/** Few different texts, so that many fields equal those of the previous record. */
const text = fc.oneof(fc.constantFrom('a', 'b', '0', 'null', ''), fc.string({ unit: 'grapheme' }))
const anyRecord = fc.record(
  {
    type: fc.string({ minLength: 1, unit: 'grapheme' }),
    jobId: text,
    actor: text,
    correlationId: text,
    entity: text,
    data: fc.jsonValue(),
  },
  { requiredKeys: ['type'] },
)

/** The value as JSON returns it: -0 becomes 0. */
function parsed(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data))
}

test('what is packed is read back, with consecutive numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyRecord, fc.nat({ max: 3 })), { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 2 ** 40 }),
      fc.nat({ max: 3 }),
      (given, at, blobCount) => {
        const first = at + 1
        const blobs = Array.from({ length: blobCount }, (_, i) => hashHex(`blob ${i}`))
        let time = 0
        const records = given.map(([record, later], i) => {
          time += later
          return makeRecord(record as NewRecord, first + i, time)
        })
        const { value } = encodeCommit(hashHex('before'), first, records.length, blobs, plainCodec.encode(records))
        const commit = decodeEntry([logKey(first), value])
        assertWhole(commit)
        assert.equal(previousHashOf(commit), hashHex('before'))
        assert.deepEqual(blobsOf(commit), blobs)
        assert.equal(lastSeqOf(commit), first + records.length - 1)
        const expected = records.map((record) => ({ ...record, data: parsed(record.data) }))
        assert.deepEqual(recordsOf(commit, plainCodec), expected)
      },
    ),
  )
})

test('a commit whose records are not packed as arrays is damage', () => {
  for (const packed of [
    ['{"time":1,"type":"a"}'],
    ['null'],
    ['1'],
    ['[1,"a",0,0,0,0]', '[0,0,0,0,0,0'],
    ['[1,1,0,0,0,0]'],
    [],
  ]) {
    const { value } = encodeCommit(noHash, 5, packed.length, [], jsonArray(packed))
    assert.throws(
      () => recordsOf(decodeEntry([logKey(5), value]), plainCodec),
      (error: StoreError) => error.code === 'store_corrupt',
      packed.join(),
    )
  }
})

test('a field that is that of the record before takes one character', () => {
  const first = makeRecord({ type: 'a', jobId: 'j', actor: 'x', correlationId: 'c', data: 1 }, 1, 1000)
  const second = makeRecord({ type: 'a', jobId: 'j', actor: 'x', correlationId: 'c', entity: 'e', data: 2 }, 2, 1000)
  const third = makeRecord({ type: 'b', data: undefined }, 3, 1001)
  assert.equal(JSON.stringify(packRecord(first, noRecord)), '[1000,"a","j","x","c",0,1]')
  assert.equal(JSON.stringify(packRecord(second, first)), '[0,0,0,0,0,"e",2]')
  assert.equal(JSON.stringify(packRecord(third, second)), '[1001,"b",null,null,null,null]')
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
    2,
    [hashHex('x')],
    jsonArray(['{"time":1,"type":"a","data":"äöü"}', '{"time":2,"type":"b"}']),
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
  const { value } = encodeCommit(noHash, 5, 1, [], jsonArray(['[1,"a",0,0,0,0]']))
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
