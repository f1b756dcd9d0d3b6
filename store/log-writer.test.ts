/** The writer of the log over a target whose batches end when the test decides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { StoreError } from './errors.ts'
import { emptyHead } from './head.ts'
import { LogWriter } from './log-writer.ts'
import { plainCodec } from './record-codec.ts'
import { WriteLane } from './write-lane.ts'

function slowWriter() {
  const ends: (() => void)[] = []
  const lane = new WriteLane({ batch: () => new Promise((resolve) => ends.push(resolve)) })
  const writer = new LogWriter({
    lane,
    head: emptyHead,
    codec: plainCodec,
    durability: 'fsync',
    now: () => 0,
    indexOps: () => [],
    committed: () => {},
    appendedText: () => undefined,
  })
  return { writer, ends }
}

const isRefusal = (error: unknown) => error instanceof StoreError && error.code === 'store_unavailable'

test('after a refusal durable waits for the batch that is in flight, and refuses only what nothing will write', async () => {
  const { writer, ends } = slowWriter()
  const { lastSeq } = writer.append([{ type: 'one', data: 1 }], [])
  while (ends.length === 0) await setImmediate()
  const closed = writer.close()
  assert.throws(() => writer.append([{ type: 'late', data: 1 }], []), isRefusal)
  let isDurable = false
  const waiting = writer.durable(lastSeq).then(() => {
    isDurable = true
  })
  await setImmediate()
  assert.equal(isDurable, false, 'its write has not ended')
  ends[0]!()
  await waiting
  await closed
  assert.equal(writer.durableSeq, lastSeq)
  await writer.durable(lastSeq)
})

test('durable waits for the batch of its own record, not for the one before it', async () => {
  const { writer, ends } = slowWriter()
  writer.append([{ type: 'one', data: 1 }], [])
  while (ends.length === 0) await setImmediate()
  const { firstSeq } = writer.append([{ type: 'two', data: 2 }], [])
  const second = writer.durable(firstSeq)
  const first = writer.durable(firstSeq - 1)
  assert.notEqual(first, second)
  ends[0]!()
  await first
  assert.equal(writer.durableSeq, firstSeq - 1)
  while (ends.length === 1) await setImmediate()
  ends[1]!()
  await second
  assert.equal(writer.durableSeq, firstSeq)
})

test('what was appended in the turn of the close is written, and durable waits for it', async () => {
  const { writer, ends } = slowWriter()
  const { lastSeq } = writer.append([{ type: 'one', data: 1 }], [])
  const closed = writer.close()
  const waiting = writer.durable(lastSeq)
  while (ends.length === 0) await setImmediate()
  ends[0]!()
  await waiting
  await closed
  assert.equal(writer.durableSeq, lastSeq)
})

test('a refusal with nothing in flight rejects at once', async () => {
  const { writer } = slowWriter()
  writer.append([{ type: 'one', data: 1 }], [])
  writer.fail(new StoreError('store_unavailable', 'the disk is full'))
  await assert.rejects(writer.durable(1), isRefusal)
})
