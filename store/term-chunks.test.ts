/** The stored form of the index: what earlier versions have written stays readable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRecord } from './record-codec.ts'
import {
  addTerms,
  bucketKey,
  bucketOf,
  byBucket,
  checked,
  encodeBucket,
  encodeChunk,
  positionsIn,
  type TermMap,
  withChecksum,
} from './term-chunks.ts'

const record = (seq: number, jobId: string) => makeRecord({ type: 'a', jobId, data: {} }, seq, 0)

test('a bucket has the bytes of the format', () => {
  const value = encodeBucket(
    [
      ['ab', [1000, 1001, 1128, 17_512]],
      ['ü', [1000]],
    ],
    1000,
    20_000,
  )
  assert.equal(checked(value, 'x').subarray(0, 8).toString('hex'), '0000000000004e20')
  // Lengths and distances as LEB128: 0, 1, 127, 16384.
  assert.equal(
    checked(value, 'x').subarray(8).toString('hex'),
    '02616206 00 01 7f 808001 02c3bc01 00'.replaceAll(' ', ''),
  )
  // CRC-32 of the body is in front.
  assert.equal(withChecksum(Buffer.from('1234'), Buffer.from('56789')).subarray(0, 4).toString('hex'), 'cbf43926')
  assert.equal(bucketKey(5, 0x0102030405).toString('hex'), '74050000000102030405')
  assert.equal(bucketOf('123456789'), 0xcbf43926 % 64)
})

test('positions of a term are found in its bucket, and only those of the whole term', () => {
  const long = Array.from({ length: 300 }, (_, i) => 7 + i * i)
  const body = checked(
    encodeBucket(
      [
        ['job:1', [7, 9]],
        ['job:12', long],
        ['', [8]],
        ['b:1', []],
      ],
      7,
      100_000,
    ),
    'x',
  )
  const at = (term: string) => positionsIn(body, Buffer.from(term), 7)
  assert.deepEqual(at('job:1'), [7, 9])
  assert.deepEqual(at('job:12'), long)
  assert.deepEqual(at(''), [8])
  assert.deepEqual(at('b:1'), [])
  // In the bytes, but no term.
  assert.deepEqual(at('ob:1'), [])
  assert.deepEqual(at('job:2'), [])
})

test('a damaged value is named', () => {
  const value = encodeBucket([['a', [1]]], 1, 2)
  for (let at = 0; at < value.length; at++) {
    const damaged = Buffer.from(value)
    damaged[at]! ^= 4
    assert.throws(() => checked(damaged, 'bucket 3'), {
      code: 'index_corrupt',
      message: 'bucket 3 does not match its checksum',
    })
  }
  for (const length of [0, 3]) assert.throws(() => checked(value.subarray(0, length), 'x'), { code: 'index_corrupt' })
})

test('terms are collected in order, each record once, and told to the buckets when they are new', () => {
  const terms: TermMap = new Map()
  const buckets = byBucket(terms)
  assert.deepEqual([buckets.length, buckets.flat()], [64, []])
  const of = ({ jobId, seq }: { jobId?: string | undefined; seq: number }) =>
    seq === 3 ? undefined : ['all', `job:${jobId}`, 'all']
  for (const one of [record(1, 'x'), record(2, 'y'), record(3, 'x'), record(5, 'x')]) addTerms(terms, of, one, buckets)
  const expected = { all: [1, 2, 5], 'job:x': [1, 5], 'job:y': [2] }
  assert.deepEqual(Object.fromEntries(terms), expected)
  assert.deepEqual(Object.fromEntries(buckets.flat()), expected)
  for (const [bucket, entries] of buckets.entries()) for (const [term] of entries) assert.equal(bucketOf(term), bucket)
  const values = encodeChunk(terms, 1, 9)
  assert.equal(values.length, 64)
  assert.deepEqual(
    values,
    byBucket(terms).map((entries) => encodeBucket(entries, 1, 9)),
  )
})
