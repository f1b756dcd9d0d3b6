/** A log with a missing commit: reads give what is there up to the gap, and then say which records are missing. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { logKey } from './commit.ts'
import { fill, tamper, tempDir, tempStore, terms } from './fixtures/stores.ts'
import { isStoreError, openStore, type Store } from './index.ts'

const count = 400

/** A store without one commit of three records in its middle. */
async function withGap(t: TestContext) {
  const dir = await tempDir(t)
  const whole = await openStore({ dir, terms })
  await fill(whole, count)
  const [first, , last] = (await whole.log.commitOf(150)) ?? []
  assert(first !== undefined && last !== undefined && last.seq === first.seq + 2)
  await whole.close()
  await tamper(dir, (level) => level.del(logKey(first.seq)))
  return { store: await tempStore(t, { dir }), first: first.seq, last: last.seq }
}

/** The numbers of the records that a read gives, and what it says in the end. */
async function reading(store: Store, options?: Parameters<Store['log']['read']>[0]) {
  const seqs: number[] = []
  try {
    // The newest commit comes first, its records still are in their order.
    for await (const records of store.log.read(options)) {
      const own = records.map(({ seq }) => seq)
      seqs.push(...(options?.reverse ? own.toReversed() : own))
    }
    return { seqs }
  } catch (error) {
    assert(isStoreError(error) && error.code === 'store_corrupt', String(error))
    assert.match(error.message, /^the log has a gap: /)
    return { seqs, missing: error.message.replace(/^.*?(\d+(?:\.\.\d+)?) (?:is|are) missing.*$/, '$1') }
  }
}
const up = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

test('reads of all kinds end at the gap and name it; those beside it do not know of it', async (t) => {
  const { store, first, last } = await withGap(t)
  const missing = `${first}..${last}`
  const [before, behind] = [up(1, first - 1), up(last + 1, count)]
  assert.deepEqual(await reading(store), { seqs: before, missing })
  assert.deepEqual(await reading(store, { reverse: true }), { seqs: behind.toReversed(), missing })
  assert.deepEqual(await reading(store, { to: first - 1 }), { seqs: before })
  assert.deepEqual(await reading(store, { to: first - 1, reverse: true }), { seqs: before.toReversed() })
  assert.deepEqual(await reading(store, { from: last + 1 }), { seqs: behind })
  assert.deepEqual(await reading(store, { from: last + 1, reverse: true }), { seqs: behind.toReversed() })
  // Ends of the range inside of the gap.
  for (const to of up(first, last)) {
    assert.deepEqual(await reading(store, { from: 10, to }), { seqs: up(10, first - 1), missing: rest(first, to) })
    assert.deepEqual(await reading(store, { to, reverse: true }), { seqs: [], missing: rest(first, to) })
  }
  for (const from of up(first, last)) {
    assert.deepEqual((await reading(store, { from })).seqs, [])
    assert((await reading(store, { from })).missing !== undefined)
    assert((await reading(store, { from, reverse: true })).missing !== undefined)
  }
  assert.equal(store.health.state, 'corrupt')

  function rest(from: number, to: number): string {
    return from === to ? `${from}` : `${from}..${to}`
  }
})

test('single records on both sides of the gap are read, those in it are missing', async (t) => {
  const { store, first, last } = await withGap(t)
  for (const seq of [1, first - 1, last + 1, count]) assert.equal((await store.log.get(seq))?.seq, seq)
  for (const seq of up(first, last))
    await assert.rejects(store.log.get(seq), /the log has a gap: records? \d+.* missing/)
  for (const seq of [0, -1, 1.5, count + 1, Number.NaN]) assert.equal(await store.log.get(seq), undefined)
})

test('a replay gives the records before the gap and stops there', async (t) => {
  const { store, first, last } = await withGap(t)
  const seqs: number[] = []
  await assert.rejects(
    store.log.replay({}, ({ seq }) => seqs.push(seq)),
    new RegExp(`the log has a gap: records ${first}\\.\\.${last} are missing`),
  )
  assert.deepEqual(seqs, up(1, first - 1))
  seqs.length = 0
  await store.log.replay({ from: last + 1 }, ({ seq }) => seqs.push(seq))
  assert.deepEqual(seqs, up(last + 1, count))
})
