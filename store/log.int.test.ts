import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../test/until.ts'
import { allRecords, crashCopy, fill, tempDir, tempStore, terms } from './fixtures/stores.ts'
import { type LogRecord, openStore, type StoreError } from './index.ts'

test('append numbers records at once, in order, and durable waits for the disk', async (t) => {
  const { log } = await tempStore(t, { now: () => 1000 })
  assert.equal(log.headSeq, 0)
  assert.equal(log.nextSeq(), 1)
  assert.deepEqual(
    log.append([
      { type: 'a', data: 1 },
      { type: 'b', data: 2, time: 500 },
    ]),
    { firstSeq: 1, lastSeq: 2, time: 1000 },
  )
  assert.deepEqual(
    log.append([{ type: 'c', jobId: 'j', actor: 'x', correlationId: 'y', entity: 'z', data: { deep: [1, 'ä'] } }]),
    { firstSeq: 3, lastSeq: 3, time: 1000 },
  )
  assert.equal(log.headSeq, 3)
  assert.equal(log.durableSeq, 0)
  assert.equal(await log.get(1), undefined, 'what is not durable is not readable')
  await log.durable(3)
  assert.equal(log.durableSeq, 3)
  const none = { jobId: undefined, actor: undefined, correlationId: undefined, entity: undefined }
  const records: LogRecord[] = [
    { seq: 1, time: 1000, type: 'a', ...none, data: 1 },
    { seq: 2, time: 1000, type: 'b', ...none, data: 2 },
    {
      seq: 3,
      time: 1000,
      type: 'c',
      jobId: 'j',
      actor: 'x',
      correlationId: 'y',
      entity: 'z',
      data: { deep: [1, 'ä'] },
    },
  ]
  assert.deepEqual(await log.get(3), records[2])
  assert.deepEqual(await log.commitOf(2), records, 'one turn of the event loop is one commit')
  assert.equal(await log.get(0), undefined)
  assert.equal(await log.get(4), undefined)
  assert.equal(await log.get(1.5), undefined)
})

test('times never decrease, whatever the clock and the callers say', async (t) => {
  let now = 5000
  const dir = await tempDir(t)
  const store = await openStore({ dir, now: () => now })
  store.log.append([{ type: 'a', data: 1 }])
  now = 3000
  store.log.append([{ type: 'b', data: 1 }])
  store.log.append([{ type: 'c', data: 1, time: 7000 }])
  store.log.appendLazy({ type: 'd', data: 1, time: 10 })
  await store.log.durable(store.log.append([{ type: 'e', data: 1, time: 6000 }]).lastSeq)
  assert.deepEqual(
    (await allRecords(store)).map(({ time }) => time),
    [5000, 5000, 7000, 7000, 7000],
  )
  await store.close()
  const again = await tempStore(t, { dir, now: () => 1 })
  await again.log.durable(again.log.append([{ type: 'f', data: 1 }]).lastSeq)
  assert.equal((await again.log.get(6))?.time, 7000, 'also after a restart')
})

test('a group is all or nothing: one bad record and none is appended', async (t) => {
  const { log } = await tempStore(t)
  const circular: { self?: unknown } = {}
  circular.self = circular
  for (const bad of [
    [
      { type: 'a', data: 1 },
      { type: 'b', data: circular },
    ],
    [
      { type: 'a', data: 1 },
      { type: '', data: 1 },
    ],
    [{ type: 'x', data: 1n }],
    [],
  ]) {
    assert.throws(
      () => log.append(bad),
      (error: StoreError) => error.code === 'record_invalid',
    )
  }
  assert.throws(
    () => log.append([{ type: 'a', data: 1 }], [{ hash: `sha256:${'0'.repeat(64)}`, size: 1 }]),
    /not made by/,
  )
  assert.equal(log.headSeq, 0)
  await log.durable(log.append([{ type: 'good', data: 1 }]).lastSeq)
  assert.equal((await log.get(1))?.type, 'good')
})

test('onCommit sees every record once, in order, before those who wait; commits are whole groups', async (t) => {
  const store = await tempStore(t)
  const { log } = store
  const seen: LogRecord[] = []
  const unsubscribe = log.onCommit((records) => seen.push(...records))
  await Promise.all(
    Array.from({ length: 32 }, async (_, appender) => {
      for (let i = 0; i < 20; i++) {
        const group = Array.from({ length: 1 + (i % 3) }, (_, n) => ({
          type: 'x',
          jobId: `${appender}-${i}`,
          data: { n },
        }))
        const { firstSeq, lastSeq } = log.append(group)
        if (i % 4 === 0) log.appendLazy({ type: 'lazy', data: { appender, i } })
        await log.durable(lastSeq)
        assert.ok(seen.length >= lastSeq, 'the listener came first')
        assert.ok(log.durableSeq >= lastSeq)
        const commit = (await log.commitOf(firstSeq)) ?? []
        assert.ok((commit.at(-1)?.seq ?? 0) >= lastSeq, 'a group is in one commit')
      }
    }),
  )
  unsubscribe()
  const fromDisk = await allRecords(store)
  assert.deepEqual(seen, fromDisk.slice(0, seen.length))
  fromDisk.forEach((record, i) => {
    assert.equal(record.seq, i + 1)
  })
  const count = seen.length
  await log.durable(log.append([{ type: 'unseen', data: 1 }]).lastSeq)
  assert.equal(seen.length, count)
})

test('an error of a listener is not swallowed and does not stop the log', async (t) => {
  const { log } = await tempStore(t)
  log.onCommit(() => {
    throw new Error('from the listener')
  })
  const rethrown: (() => void)[] = []
  const mock = t.mock.method(globalThis, 'queueMicrotask', (work: () => void) => rethrown.push(work))
  await log.durable(log.append([{ type: 'a', data: 1 }]).lastSeq)
  mock.mock.restore()
  assert.equal(rethrown.length, 1)
  assert.throws(() => rethrown[0]?.(), /from the listener/)
  assert.equal(log.durableSeq, 1)
})

test('lazy records ride behind the records of the next batch, or go alone', async (t) => {
  const store = await tempStore(t)
  const { log } = store
  log.appendLazy({ type: 'lazy', data: 1 })
  assert.equal(log.headSeq, 0)
  assert.equal(log.append([{ type: 'a', data: 1 }]).lastSeq, 1)
  await log.durable(1)
  assert.deepEqual(
    (await allRecords(store)).map(({ type }) => type),
    ['a', 'lazy'],
  )
  log.appendLazy({ type: 'alone', data: 1 })
  const alone: LogRecord[] = []
  log.onCommit((records) => alone.push(...records))
  await log.durable(log.headSeq) // does not wait for what has no number yet
  assert.equal(log.headSeq, 2)
  await until(() => alone.length > 0, 'it is written without company')
  assert.deepEqual(
    alone.map(({ seq, type }) => ({ seq, type })),
    [{ seq: 3, type: 'alone' }],
  )
  for (let i = 0; i < 5000; i++) log.appendLazy({ type: 'many', data: i })
  // Many of them do not pile up in memory.
  await until(() => log.headSeq >= 3 + 4096, 'many have numbers')
})

test('flush writes lazy records at once, and nothing where there is none', async (t) => {
  const { log } = await tempStore(t)
  await log.flush()
  assert.equal(log.durableSeq, 0)
  log.appendLazy({ type: 'lazy', data: 1 })
  log.append([{ type: 'a', data: 2 }])
  log.appendLazy({ type: 'late', data: 3 })
  const told: string[] = []
  log.onCommit((records) => told.push(...records.map(({ type }) => type)))
  await log.flush()
  assert.deepEqual([log.durableSeq, told.sort()], [3, ['a', 'late', 'lazy']])
  await log.flush()
  assert.equal(log.durableSeq, 3)
})

test('read and replay: ranges, reverse, from inside a commit', async (t) => {
  const store = await tempStore(t)
  const { log } = store
  await fill(store, 300)
  const all = await allRecords(store)
  assert.equal(all.length, 300)
  const collect = async (o: Parameters<typeof log.read>[0]): Promise<number[]> => {
    const seqs: number[] = []
    for await (const records of log.read(o))
      seqs.push(...(o?.reverse === true ? records.toReversed() : records).map(({ seq }) => seq))
    return seqs
  }
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  for (const [from, to] of [
    [1, 300],
    [1, 1],
    [2, 2],
    [3, 3],
    [5, 6],
    [77, 201],
    [299, 300],
    [300, 300],
  ] as const) {
    assert.deepEqual(await collect({ from, to }), range(from, to))
    assert.deepEqual(await collect({ from, to, reverse: true }), range(from, to).toReversed())
    const replayed: number[] = []
    const result = await log.replay({ from }, (record) => replayed.push(record.seq))
    assert.deepEqual(replayed, range(from, 300))
    assert.equal(result.records, 300 - from + 1)
    assert.equal(result.lastSeq, 300)
  }
  assert.deepEqual(await collect({ from: 301 }), [])
  assert.deepEqual(await collect({ from: 5, to: 4 }), [])
  assert.deepEqual(await collect({ from: -5, to: 2 }), [1, 2])
  const checked: LogRecord[] = []
  const { bytes } = await log.replay({ checkChain: true }, (record) => checked.push(record))
  assert.deepEqual(checked, all)
  assert.ok(bytes > 300 * 50)
  for await (const records of log.read({ reverse: true })) {
    assert.equal(records.at(-1)?.seq, 300)
    break // leaving early must not leave the iterator open: the store closes after this test
  }
})

test('a range of one record gives it, at the borders of commits and in them, forwards, backwards and as replay', async (t) => {
  const { log } = await tempStore(t)
  for (const size of [1, 3, 2]) {
    const { lastSeq } = log.append(Array.from({ length: size }, (_, i) => ({ type: 'one', data: i })))
    await log.durable(lastSeq)
  }
  for (let seq = 1; seq <= 6; seq++) {
    for (const reverse of [false, true]) {
      const found: number[] = []
      for await (const records of log.read({ from: seq, to: seq, reverse }))
        found.push(...records.map((one) => one.seq))
      assert.deepEqual(found, [seq], `${seq} ${reverse}`)
    }
    const around: number[] = []
    for await (const { first, last } of log.commits({ from: seq, to: seq })) around.push(first, last)
    assert.deepEqual(around, seq === 1 ? [1, 1] : seq <= 4 ? [2, 4] : [5, 6], `the commit of ${seq}`)
    const replayed: number[] = []
    const { records } = await log.replay({ from: seq }, (record) => replayed.push(record.seq))
    assert.deepEqual([replayed[0], replayed.length, records], [seq, 7 - seq, 7 - seq], `replay from ${seq}`)
  }
})

test('an error of the fold stops the replay and is passed on', async (t) => {
  const store = await tempStore(t)
  await fill(store, 20)
  await assert.rejects(
    store.log.replay({}, ({ seq }) => {
      if (seq === 7) throw new TypeError('fold')
    }),
    TypeError,
  )
  assert.equal(store.health.state, 'ok')
})

test('durable: never assigned, already durable, many at once', async (t) => {
  const { log } = await tempStore(t)
  await assert.rejects(log.durable(1), (error: StoreError) => error.code === 'seq_unknown')
  await log.durable(0)
  const { lastSeq } = log.append([{ type: 'a', data: 1 }])
  await Promise.all(Array.from({ length: 100 }, () => log.durable(lastSeq)))
  await log.durable(lastSeq)
})

test('close writes what is pending; afterwards nothing is appended', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  store.log.append([{ type: 'pending', data: 1 }])
  store.log.appendLazy({ type: 'lazy', data: 2 })
  await store.close()
  await store.close()
  assert.equal(store.health.state, 'closed')
  assert.throws(
    () => store.log.append([{ type: 'late', data: 1 }]),
    (error: StoreError) => error.code === 'store_unavailable',
  )
  const again = await tempStore(t, { dir })
  assert.deepEqual(
    (await allRecords(again)).map(({ type }) => type),
    ['pending', 'lazy'],
  )
  assert.deepEqual(await again.index.find('type:lazy'), [2])
  assert.deepEqual((await again.log.verify()).faults, [])
})

test('read-only: reads, and refuses every write', async (t) => {
  const dir = await tempDir(t)
  const writer = await openStore({ dir, terms })
  await fill(writer, 30)
  const crashed = await crashCopy(t, dir)
  await writer.close()
  for (const path of [dir, crashed]) {
    const store = await openStore({ dir: path, terms, readOnly: true })
    assert.equal((await allRecords(store)).length, 30)
    assert.equal((await store.index.find('type:begin')).length, 15)
    assert.throws(
      () => store.log.append([{ type: 'a', data: 1 }]),
      (error: StoreError) => error.code === 'store_unavailable',
    )
    await assert.rejects(store.checkpoints.write(30, []), (error: StoreError) => error.code === 'store_unavailable')
    await assert.rejects(
      store.blobs.stageStream(bigStream(3)),
      (error: StoreError) => error.code === 'store_unavailable',
    )
    assert.deepEqual((await store.log.verify()).faults, [])
    await store.close()
  }
})

async function* bigStream(mebibytes: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < mebibytes; i++) yield Buffer.alloc(1024 * 1024, i)
}

test("durability 'os': appended, read, verified and reopened like any other", async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, durability: 'os', terms })
  await fill(store, 200)
  const crashed = await crashCopy(t, dir)
  await store.close()
  for (const path of [dir, crashed]) {
    const again = await openStore({ dir: path, durability: 'os', terms })
    assert.equal(again.log.headSeq, 200)
    assert.deepEqual((await again.log.verify()).faults, [])
    await again.close()
  }
})

test('verify reports progress and can be stopped', async (t) => {
  const store = await tempStore(t)
  await fill(store, 50)
  const seen: [number, number][] = []
  const report = await store.log.verify({ onProgress: (done, total) => seen.push([done, total]) })
  assert.deepEqual(seen.at(-1), [50, 50])
  assert.equal(report.records, 50)
  assert.match(report.head.hash, /^[0-9a-f]{64}$/)
  await assert.rejects(store.log.verify({ signal: AbortSignal.abort() }), { name: 'AbortError' })
})
