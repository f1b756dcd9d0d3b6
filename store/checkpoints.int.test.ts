import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crashCopy, fill, tamper, tempDir, tempStore, terms } from './fixtures/stores.ts'
import { openStore, type StoreError } from './index.ts'

/** Keys of the checkpoints, in order: chunks and manifest of each generation. */
async function checkpointKeys(dir: string): Promise<Buffer[]> {
  const found: Buffer[] = []
  await tamper(dir, async (level) => {
    for await (const key of level.keys({ gte: Buffer.from('q'), lt: Buffer.from('r') })) found.push(key)
  })
  return found
}

test('parts come back as they were, in order, small and large, from a generator', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  await fill(store, 20)
  const parts: [string, unknown][] = [
    ['small', { a: [1, 2, { b: 'ä\n"' }] }],
    ['null', null],
    ['large', Array.from({ length: 60_000 }, (_, i) => ({ id: i, name: `Tag ${i} — grün\n` }))],
    ['last', 'text\nwith\nlines'],
  ]
  function* generated(): Generator<[string, unknown]> {
    yield* parts
  }
  assert.equal(await store.checkpoints.newest(), undefined)
  await store.checkpoints.write(20, generated())
  assert.deepEqual(await store.checkpoints.newest(), { seq: 20, parts: new Map(parts) })
  await store.close()
  const again = await tempStore(t, { dir })
  assert.deepEqual(await again.checkpoints.newest(), { seq: 20, parts: new Map(parts) })
  await again.checkpoints.drop()
  assert.equal(await again.checkpoints.newest(), undefined)
})

test('a checkpoint waits until its seq is durable, and refuses one that was never assigned', async (t) => {
  const store = await tempStore(t)
  const { lastSeq } = store.log.append([{ type: 'a', data: 1 }])
  await store.checkpoints.write(lastSeq, [['x', 1]])
  assert.ok(store.log.durableSeq >= lastSeq)
  await assert.rejects(store.checkpoints.write(99, []), (error: StoreError) => error.code === 'seq_unknown')
  await store.checkpoints.write(0, [])
  assert.deepEqual(await store.checkpoints.newest(), { seq: 0, parts: new Map() })
})

test('two are kept; damage falls back to the one before, then to none', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  for (const seq of [10, 20, 30]) {
    await fill(store, seq)
    await store.checkpoints.write(seq, [
      ['seq', seq],
      ['pad', 'x'.repeat(3_000_000)],
    ])
  }
  await store.close()
  const all = await checkpointKeys(dir)
  const generations = [...new Set(all.map((key) => key.readUIntBE(3, 6)))]
  assert.equal(generations.length, 2)
  const [older = [], newer = []] = generations.map((generation) =>
    all.filter((key) => key.readUIntBE(3, 6) === generation),
  )
  assert.equal(newer.length, 4, 'three chunks and a manifest')
  const flip = (value: Buffer): Buffer => {
    const copy = Buffer.from(value)
    copy[copy.length >> 1] = (copy[copy.length >> 1] as number) ^ 1
    return copy
  }
  for (const key of newer) {
    for (const kind of ['deleted', 'flipped'] as const) {
      const copy = await crashCopy(t, dir)
      await tamper(copy, async (level) => {
        if (kind === 'deleted') await level.del(key)
        else await level.put(key, flip((await level.get(key)) as Buffer))
      })
      const damaged = await openStore({ dir: copy, terms })
      assert.equal((await damaged.checkpoints.newest())?.parts.get('seq'), 20, `${kind} ${key.toString('hex')}`)
      await damaged.checkpoints.write(30, [['seq', 'again']])
      assert.equal((await damaged.checkpoints.newest())?.parts.get('seq'), 'again')
      await damaged.close()
    }
  }
  await tamper(dir, async (level) => {
    for (const key of [...older.slice(0, 1), ...newer.slice(0, 1)]) await level.put(key, Buffer.from('{}'))
  })
  const none = await tempStore(t, { dir })
  assert.equal(await none.checkpoints.newest(), undefined)
})

test('an error of the parts leaves the checkpoint before in force', async (t) => {
  const store = await tempStore(t)
  await fill(store, 5)
  await store.checkpoints.write(5, [['good', 1]])
  function* failing(): Generator<[string, unknown]> {
    yield ['large', 'x'.repeat(3_000_000)]
    throw new Error('fold failed')
  }
  await assert.rejects(store.checkpoints.write(5, failing()), /fold failed/)
  assert.deepEqual(await store.checkpoints.newest(), { seq: 5, parts: new Map([['good', 1]]) })
  await store.checkpoints.write(5, [['better', 2]])
  assert.deepEqual(await store.checkpoints.newest(), { seq: 5, parts: new Map([['better', 2]]) })
})
