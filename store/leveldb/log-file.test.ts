import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { logOf } from '../fixtures/leveldb-log.ts'
import { Malformed } from './bytes.ts'
import { recordsIn } from './log-file.ts'

const block = 32 * 1024

/** Records that differ and are `sizes` long. */
const records = (...sizes: number[]) => sizes.map((size, i) => Buffer.alloc(size, 65 + i))

function read(log: Buffer): { sizes: number[]; damage: string[] } {
  const damage: string[] = []
  const sizes = [...recordsIn(log, ({ message }) => damage.push(message))].map((record) => record.length)
  return { sizes, damage }
}

test('records of any length come back whole, across blocks and with no room left in one', () => {
  const size = fc.oneof(fc.nat(60), fc.integer({ min: block - 60, max: block + 10 }), fc.nat(3 * block))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 8 }), (sizes) => {
      const written = records(...sizes)
      assert.deepEqual([...recordsIn(logOf(written))], written)
    }),
    { numRuns: 60 },
  )
})

test('what a crash left of the last record is no damage', () => {
  const log = logOf(records(10, 20, 30))
  for (const cut of [1, 6, 7, 8, 30, 36]) assert.deepEqual(read(log.subarray(0, -cut)), { sizes: [10, 20], damage: [] })
  const long = logOf(records(10, 2 * block))
  assert.deepEqual(read(long.subarray(0, block)), { sizes: [10], damage: [] })
})

test('zeros at the end are space that was never written; zeros with records behind them are damage', () => {
  const log = logOf(records(10, 20))
  assert.deepEqual(read(Buffer.concat([log, Buffer.alloc(100)])), { sizes: [10, 20], damage: [] })
  const gap = Buffer.concat([log, Buffer.alloc(block - log.length), logOf(records(30))])
  assert.deepEqual([...recordsIn(gap)].length, 3, 'without somebody who asks they are passed over')
  assert.deepEqual(read(gap), { sizes: [10, 20, 30], damage: ['zeros from byte 44 on'] })
})

test('a damaged record is named, and those behind it are read', () => {
  const log = logOf(records(10, 20, 30))
  const second = 17
  log[second + 9]! ^= 1
  assert.throws(() => [...recordsIn(log)], new Malformed('the record at byte 17 does not match its checksum'))
  assert.deepEqual(read(log), { sizes: [10, 30], damage: ['the record at byte 17 does not match its checksum'] })
})

test('a length that cannot be right is named; the next block is read', () => {
  const [behind, first] = [logOf(records(40)), logOf(records(10, 20))]
  const padded = Buffer.concat([first, Buffer.alloc(block - first.length, 0xff)])
  const damaged = Buffer.concat([padded, behind])
  damaged.writeUInt16LE(100, 44 + 4)
  const told = ['the record at byte 44 does not match its checksum']
  assert.deepEqual(read(damaged), { sizes: [10, 20, 40], damage: told })
  const long = Buffer.from(damaged)
  long.writeUInt16LE(0xffff, 17 + 4)
  assert.deepEqual(read(long), { sizes: [10, 40], damage: ['the length of the record at byte 17 is wrong'] })
  const unreadable = Buffer.from(long)
  unreadable[17 + 10]! ^= 1
  assert.deepEqual(read(unreadable), { sizes: [10, 40], damage: ['the record at byte 17 reaches beyond the end'] })
})

test('a part without a beginning is the rest of a damaged record', () => {
  const log = logOf(records(2 * block, 30))
  log[100]! ^= 1
  assert.deepEqual(read(log), { sizes: [30], damage: ['the record at byte 0 does not match its checksum'] })
})
