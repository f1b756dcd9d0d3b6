import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { allRecords, crashCopy, tempDir, tempStore } from './fixtures/stores.ts'
import { type FindOptions, type LogRecord, openStore, type Store, type StoreError } from './index.ts'

function terms({ type, jobId, data }: LogRecord): string[] {
  const n = data as number
  return [`type:${type}`, `job:${jobId}`, n % 1000 === 0 ? 'rare:ü' : 'often', 'often', ...(n === 4321 ? [''] : [])]
}

/** Appends records in commits of different sizes. */
async function grow(store: Store, to: number): Promise<void> {
  for (let i = store.log.headSeq; i < to; ) {
    const size = Math.min(to - i, i % 7 === 0 ? 900 : 61)
    const group = Array.from({ length: size }, (_, n) => ({
      type: `t${(i + n) % 5}`,
      jobId: `j${(i + n) >> 2}`,
      data: i + n,
      time: 10 * (i + n),
    }))
    await store.log.durable(store.log.append(group).lastSeq)
    i += size
  }
}

/** The expected answer of the index, from the records themselves. */
function expected(records: readonly LogRecord[], term: string, o: FindOptions): number[] {
  const all = records.filter((record) => terms(record).includes(term)).map(({ seq }) => seq)
  const inside = all.filter((seq) => seq > (o.after ?? 0) && seq < (o.before ?? Number.POSITIVE_INFINITY))
  return (o.reverse === true ? inside.toReversed() : inside).slice(0, o.limit)
}

async function assertAnswers(store: Store, records: readonly LogRecord[]): Promise<void> {
  const seqs = [0, 1, 2, 899, 5000, 16_384, 16_385, 20_000, records.length - 1, records.length, records.length + 5]
  const pick = (list: number[]): number | undefined => list[Math.floor(Math.random() * list.length)]
  for (const term of ['type:t3', 'job:j7', 'job:j2400', 'rare:ü', 'often', '', 'never']) {
    for (let i = 0; i < 12; i++) {
      const o: FindOptions = { reverse: i % 2 === 0 }
      const after = i < 4 ? undefined : pick(seqs)
      const before = i % 3 === 0 ? undefined : pick(seqs)
      const limit = i % 4 === 0 ? undefined : pick([0, 1, 2, 50, 100_000])
      Object.assign(
        o,
        after === undefined ? {} : { after },
        before === undefined ? {} : { before },
        limit === undefined ? {} : { limit },
      )
      assert.deepEqual(await store.index.find(term, o), expected(records, term, o), `${term} ${JSON.stringify(o)}`)
    }
  }
}

test('find gives what the records say: in memory, on disk, after a restart, after a crash', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  for (const size of [50, 9000, 16_384, 16_600, 36_000]) {
    await grow(store, size)
    const records = await allRecords(store)
    await assertAnswers(store, records)
    const crashed = await openStore({ dir: await crashCopy(t, dir), terms })
    await assertAnswers(crashed, records)
    await grow(crashed, size + 17_000)
    await assertAnswers(crashed, await allRecords(crashed))
    assert.deepEqual((await crashed.log.verify()).faults, [])
    await crashed.close()
  }
  const records = await allRecords(store)
  await store.close()
  const again = await tempStore(t, { dir, terms })
  await assertAnswers(again, records)
  await again.index.rebuild()
  await assertAnswers(again, records)
  assert.deepEqual((await again.log.verify()).faults, [])
})

test('answers stay right while records are appended and chunks go to disk', async (t) => {
  const store = await tempStore(t, { terms })
  const growing = grow(store, 40_000)
  let asked = 0
  while (store.log.durableSeq < 40_000) {
    const seqs = await store.index.find('often')
    assert.ok(seqs.length <= store.log.durableSeq)
    seqs.forEach((seq, i) => {
      assert.equal(seq, i + 1)
    })
    asked++
    await setImmediate() // an answer from memory does not let the event loop turn
  }
  await growing
  assert.ok(asked > 3)
  const again = Promise.all([store.index.rebuild(), grow(store, 50_000)])
  assert.ok((await store.index.find('often')).length >= 40_000)
  await again
  assert.equal((await store.index.find('often')).length, 50_000)
  assert.deepEqual((await store.log.verify()).faults, [])
})

test('a log that was written without an index gets one when it is opened with terms', async (t) => {
  const dir = await tempDir(t)
  const plain = await openStore({ dir })
  await grow(plain, 10_000)
  await assert.rejects(plain.index.find('often'), (error: StoreError) => error.code === 'index_unavailable')
  assert.deepEqual((await plain.log.verify()).faults, [])
  await plain.close()
  const store = await tempStore(t, { dir, terms })
  await assertAnswers(store, await allRecords(store))
})

test('seqAt finds the first record at or after a time', async (t) => {
  const store = await tempStore(t, { terms, now: () => 0 })
  assert.equal(await store.index.seqAt(0), 1)
  await grow(store, 5000)
  assert.equal(await store.index.seqAt(-1), 1)
  for (const i of [0, 1, 2, 60, 61, 899, 900, 901, 2500, 4999]) {
    assert.equal(await store.index.seqAt(10 * i), i + 1)
    assert.equal(await store.index.seqAt(10 * i - 5), i + 1)
  }
  assert.equal(await store.index.seqAt(10 * 5000), 5001)
})
