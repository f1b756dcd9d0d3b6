/** After a failed write the store goes on without being opened again, whether or not the batch reached the disk. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Database } from './database.ts'
import { allRecords, crashCopy, fill, tempDir, terms } from './fixtures/stores.ts'
import { type LogRecord, openStore, type StoreError } from './index.ts'

/** Makes every batch fail, before or after LevelDB has written it. */
function failing(t: TestContext) {
  let how: 'not at all' | 'before' | 'after' = 'not at all'
  const { batch } = Database.prototype
  t.mock.method(Database.prototype, 'batch', async function (this: Database, ...args: Parameters<typeof batch>) {
    if (how === 'before') throw new Error('IO error: no space left')
    await batch.apply(this, args)
    if (how === 'after') throw new Error('IO error: no space left')
  })
  return (next: typeof how) => {
    how = next
  }
}

for (const how of ['before', 'after'] as const) {
  test(`a batch that failed ${how} it was written: what is on the disk counts, and the log goes on`, async (t) => {
    const fail = failing(t)
    const dir = await tempDir(t)
    const store = await openStore({ dir, terms })
    const states: string[] = []
    store.onHealth(({ state }) => states.push(state))
    await fill(store, 100)
    const told: number[] = []
    store.log.onCommit((records) => told.push(...records.map(({ seq }) => seq)))
    const blob = await store.blobs.stage('content of the batch that fails '.repeat(40))
    const later = await store.blobs.stage('content of the batch that fails '.repeat(40))
    fail(how)
    const { lastSeq } = store.log.append(
      [
        { type: 'in-flight', data: { blob: blob.hash } },
        { type: 'second', data: 1 },
      ],
      [blob],
    )
    const waiting = assert.rejects(
      store.log.durable(lastSeq),
      (error: StoreError) => error.code === 'store_unavailable',
    )
    await waiting
    assert.throws(() => store.log.append([{ type: 'refused', data: 1 }]))
    store.log.appendLazy({ type: 'lazy', data: 'is dropped' })
    assert.equal((await allRecords(store)).length, 100, 'reads go on')
    const applied: LogRecord[] = []
    const apply = (landed: readonly LogRecord[]) => {
      assert.throws(() => store.log.append([]), 'nothing before it')
      applied.push(...landed)
    }
    if (how === 'before') {
      await assert.rejects(store.resume(apply), (error: StoreError) => error.code === 'store_unavailable')
      assert.deepEqual([applied, store.health.state], [[], 'write-failed'])
    }
    fail('not at all')
    await store.resume(apply)
    const landed = how === 'after' ? ['in-flight', 'second'] : []
    assert.deepEqual(
      applied.map(({ type }) => type),
      landed,
    )
    assert.deepEqual(told, how === 'after' ? [101, 102] : [])
    assert.deepEqual(states, ['write-failed', 'ok'])
    assert.equal(await store.blobs.has(blob.hash), how === 'after')
    assert.equal(store.log.headSeq, 100 + landed.length)
    const again = store.log.append([{ type: 'goes-on', data: { blob: later.hash } }], [later])
    assert.equal(again.firstSeq, 101 + landed.length)
    await store.log.durable(again.lastSeq)
    assert.equal((await store.blobs.get(later.hash)).length, 32 * 40)
    await fill(store, 300)
    assert.deepEqual(await store.index.find('type:goes-on'), [again.lastSeq])
    assert.equal((await store.index.find('type:in-flight')).length, how === 'after' ? 1 : 0)
    assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
    const copy = await crashCopy(t, dir)
    const records = await allRecords(store)
    await store.close()
    const reopened = await openStore({ dir: copy, terms })
    assert.deepEqual(await allRecords(reopened), records)
    await reopened.close()
  })
}

test('it fails a second time and goes on a second time; a blob that relied on a lost one is refused', async (t) => {
  const fail = failing(t)
  const store = await openStore({ dir: await tempDir(t), terms })
  await fill(store, 10)
  for (let round = 0; round < 3; round++) {
    const text = `content ${round} `.repeat(100)
    const first = await store.blobs.stage(text)
    fail('before')
    const { lastSeq } = store.log.append([{ type: 'lost', data: { blob: first.hash } }], [first])
    const relying = await store.blobs.stage(text)
    await assert.rejects(store.log.durable(lastSeq))
    fail('not at all')
    await store.resume(() => {})
    assert.throws(
      () => store.log.append([{ type: 'x', data: { blob: relying.hash } }], [relying]),
      /staged before a write failed/,
    )
    const { lastSeq: next } = store.log.append([{ type: 'kept', data: round }])
    await store.log.durable(next)
    assert.equal(next, 11 + round)
  }
  assert.deepEqual((await store.log.verify()).faults, [])
  await store.resume(() => assert.fail('there is nothing to do'))
  await store.close()
})
