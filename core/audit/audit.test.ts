/** Readers of the audit over a log that is long, or whose index is damaged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../../store/errors.ts'
import type { FindOptions, LogRecord, Store } from '../../store/index.ts'
import { type AuditFilter, type AuditOrder, AuditReader } from './audit.ts'

/** A record of an entity, one of three in turn. */
function recordOf(seq: number): LogRecord {
  const entity = `tank/${seq % 3}`
  return {
    seq,
    time: seq,
    type: 'tank.filled',
    jobId: undefined,
    actor: 'a',
    correlationId: undefined,
    entity,
    data: {},
  }
}

/** As much of a store as the audit reads, with commits of ten records. `failing` is asked before each look-up. */
function storeOf(count: { durable: number }, failing: (looked: number) => Error | undefined = () => undefined) {
  const told = { looked: 0, read: 0 }
  const commit = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => recordOf(from + i))
  async function* read({ from = 1, to = count.durable, reverse = false }: Parameters<Store['log']['read']>[0] = {}) {
    const starts: number[] = []
    for (let at = from; at <= to; at += 10) starts.push(at)
    for (const at of reverse ? starts.reverse() : starts) {
      const records = commit(at, Math.min(at + 9, to))
      told.read += records.length
      yield records
    }
  }
  async function find(
    term: string,
    { after = 0, before = Infinity, limit = Infinity, reverse = false }: FindOptions = {},
  ) {
    const error = failing(++told.looked)
    if (error) throw error
    const seqs = commit(1, count.durable)
      .filter(({ seq, entity }) => seq > after && seq < before && `entity:${entity}` === term)
      .map(({ seq }) => seq)
    return (reverse ? seqs.reverse() : seqs).slice(0, limit)
  }
  const log = {
    get durableSeq() {
      return count.durable
    },
    read,
    get: async (seq: number) => recordOf(seq),
  }
  const index = { find, seqAt: async (time: number) => Math.min(Math.max(time, 1), count.durable + 1) }
  return { store: { log, index } as unknown as Store, told }
}

async function seqs(store: Store, filter: AuditFilter, order: AuditOrder = {}) {
  const found: number[] = []
  for await (const { seq } of new AuditReader(store).entries(filter, order)) found.push(seq)
  return found
}

const thirds = Array.from({ length: 1000 }, (_, i) => 3 * i + 1)

test('where the index is damaged the rest is read from the log, each entry once', async () => {
  const count = { durable: 3000 }
  const damaged = new StoreError('index_corrupt', 'as tested')
  for (const at of [1, 2, 3]) {
    for (const reverse of [false, true]) {
      const { store } = storeOf(count, (looked) => (looked >= at ? damaged : undefined))
      const wanted = reverse ? thirds.toReversed() : thirds
      assert.deepEqual(await seqs(store, { entity: 'tank/1' }, { reverse }), wanted, `${at} ${reverse}`)
      assert.deepEqual(
        await seqs(
          storeOf(count, () => damaged).store,
          { entity: 'tank/1', from: 100, to: 200 },
          { reverse, cursor: 150 },
        ),
        wanted.filter((seq) => (reverse ? seq >= 100 && seq < 150 : seq > 150 && seq < 200)),
      )
    }
  }
  for (const error of [new StoreError('store_corrupt', 'as tested'), new TypeError('as tested')])
    await assert.rejects(seqs(storeOf(count, () => error).store, { entity: 'tank/1' }), error)
})

test('the index is asked page by page, and the log is not read', async () => {
  const { store, told } = storeOf({ durable: 3000 })
  assert.deepEqual(await seqs(store, { entity: 'tank/1' }), thirds)
  assert.deepEqual(told, { looked: 11, read: 0 })
  assert.deepEqual(
    await seqs(store, { entity: 'tank/*' }, { cursor: 2990 }),
    [2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999, 3000],
  )
  assert.deepEqual(told, { looked: 11, read: 10 })
})

test('a count that has to read very many records stops, the next goes on, and then only new ones are read', async () => {
  const count = { durable: 60_000 }
  const { store, told } = storeOf(count)
  const reader = new AuditReader(store)
  const filter = { entity: 'tank/1*', types: ['tank.*'] }
  assert.equal(await reader.count(filter), undefined)
  assert.equal(told.read, 50_000)
  assert.equal(await reader.count(filter), 20_000)
  assert.equal(told.read, 60_000)
  count.durable += 30
  told.read = 0
  assert.equal(await reader.count(filter), 20_010)
  assert.equal(told.read, 30)
  assert.equal(await reader.count({ ...filter, actor: 'b', from: 59_900 }), 0)
  // Without a condition every record of the range counts, and none is read.
  told.read = 0
  assert.equal(await reader.count(), 60_030)
  assert.equal(await reader.count({ from: 11, to: 21 }), 10)
  assert.equal(await reader.count({ from: 21, to: 11 }), 0)
  assert.equal(told.read, 0)
  const exact = storeOf({ durable: 50_000 })
  assert.equal(await new AuditReader(exact.store).count({ entity: 'no*' }), 0, 'it came to the end')
  await assert.rejects(reader.count({ entity: 'x*' }, AbortSignal.abort(new Error('not wanted'))), /not wanted/)
  await assert.rejects(
    seqs(store, { entity: 'x*' }, { signal: AbortSignal.abort(new Error('not wanted')) }),
    /not wanted/,
  )
})

test('what one term selects is counted by the index alone', async () => {
  const { store, told } = storeOf({ durable: 60_000 })
  const reader = new AuditReader(store)
  assert.equal(await reader.count({ entity: 'tank/1' }), 20_000)
  assert.equal(await reader.count({ entity: 'tank/1', from: 7, to: 11 }), 2)
  assert.deepEqual(told, { looked: 2, read: 0 })
  // Something else must hold too: the records are read.
  assert.equal(await reader.count({ entity: 'tank/1', actor: 'a', to: 31 }), 10)
  const damaged = storeOf({ durable: 30 }, () => new StoreError('index_corrupt', 'as tested'))
  assert.equal(await new AuditReader(damaged.store).count({ entity: 'tank/1' }), 10)
})

test('a page looks at a bounded number of records, and together they have every entry', async () => {
  const { store, told } = storeOf({ durable: 25_000 })
  const reader = new AuditReader(store)
  for (const reverse of [false, true])
    for (const filter of [
      { entity: 'tank/1*', actor: 'nobody' },
      { entity: 'tank/1*', from: 4990, to: 5003 },
      { actor: 'a' },
    ]) {
      const found: number[] = []
      let cursor: string | undefined
      do {
        told.read = 0
        const order = { reverse, limit: 4000, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) }
        const page = await reader.page(filter, order)
        assert(told.read <= 10_000 + 10, `${told.read}`)
        found.push(...page.entries.map(({ seq }) => seq))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      const all = await seqs(store, filter, { reverse })
      assert.deepEqual(found, all)
      assert.deepEqual(
        (await reader.page(filter, { reverse, limit: 1e6, whole: true })).entries.map(({ seq }) => seq),
        all,
      )
    }
  const page = await reader.page({ actor: 'nobody' }, { limit: 5 })
  assert.deepEqual(page, { entries: [], nextCursor: '10000' })
})

test('a page says where the next begins when there is one', async () => {
  const reader = new AuditReader(storeOf({ durable: 30 }).store)
  const page = async (limit: number, cursor?: number) => {
    const { entries, nextCursor } = await reader.page({ entity: 'tank/0' }, { limit, ...(cursor ? { cursor } : {}) })
    return [entries.map(({ seq }) => seq), nextCursor]
  }
  assert.deepEqual(await page(4), [[3, 6, 9, 12], '12'])
  assert.deepEqual(await page(4, 12), [[15, 18, 21, 24], '24'])
  assert.deepEqual(await page(4, 24), [[27, 30], undefined])
  assert.deepEqual(await page(2, 24), [[27, 30], undefined])
  assert.deepEqual(await page(2, 30), [[], undefined])
  const { entries } = await reader.page({}, { limit: 1 })
  assert.deepEqual(entries, [
    { seq: 1, time: '1970-01-01T00:00:00.001Z', type: 'tank.filled', actor: 'a', entity: 'tank/1', data: {} },
  ])
})
