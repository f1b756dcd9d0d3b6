/** The archive: nothing reads otherwise, nothing is lost at any point, and files may be moved elsewhere. */
import assert from 'node:assert/strict'
import { readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { allRecords, crashCopy, fill, flipByte, tamper, tempDir, tempStore } from './fixtures/stores.ts'
import { checkCopy, isStoreError, openStore, recoverStore, restoreCopy, type Store } from './index.ts'

const records = 2000
const small = { before: Number.POSITIVE_INFINITY, segmentBytes: 20_000 }

/** A store whose log and index are on the disk and covered by two checkpoints. */
async function covered(t: TestContext, count = records): Promise<{ dir: string; store: Store }> {
  const dir = await tempDir(t)
  const clock = { now: 1_700_000_000_000 }
  // No index here: its chunks have more records than this log.
  const store = await openStore({ dir, now: () => (clock.now += 7) })
  t.after(() => store.close())
  await fill(store, count)
  await store.checkpoints.write(store.log.durableSeq - 50, [['state', 1]])
  await store.checkpoints.write(store.log.durableSeq, [['state', 2]])
  return { dir, store }
}

async function logKeys(dir: string): Promise<number> {
  let count = 0
  await tamper(dir, async (level) => {
    for await (const key of level.keys()) if (key[0] === 0x6c) count++
  })
  return count
}

async function everything(store: Store) {
  const reversed: number[] = []
  for await (const commit of store.log.read({ reverse: true })) reversed.unshift(...commit.map(({ seq }) => seq))
  const replayed: number[] = []
  const { bytes } = await store.log.replay({ checkChain: true }, ({ seq }) => replayed.push(seq))
  const single = await Promise.all([1, 2, 777, 1300, 1999, 2000, 2001].map((seq) => store.log.get(seq)))
  const times = await Promise.all(
    single.flatMap((one) => (one ? [one.time, one.time + 1] : [])).map((time) => store.index.seqAt(time)),
  )
  const part: number[] = []
  for await (const commit of store.log.read({ from: 500, to: 1900 })) part.push(...commit.map(({ seq }) => seq))
  const back: number[] = []
  for await (const commit of store.log.read({ from: 501, to: 1899, reverse: true }))
    back.unshift(...commit.map(({ seq }) => seq))
  const alone: number[] = []
  for (const seq of [1, 2, 777, 1300, 1999, 2000])
    for (const reverse of [false, true])
      for await (const commit of store.log.read({ from: seq, to: seq, reverse }))
        alone.push(...commit.map((one) => one.seq))
  assert.deepEqual(alone, [1, 1, 2, 2, 777, 777, 1300, 1300, 1999, 1999, 2000, 2000])
  return { all: await allRecords(store), reversed, replayed, bytes, single, times, part, back }
}

test('everything reads as before, at once, after a restart and after a crash, and the log goes on', async (t) => {
  const { dir, store } = await covered(t)
  const before = await everything(store)
  assert.equal(before.part.length, 1401)
  const { segments, records: moved, through } = await store.archive(small)
  assert.ok(segments > 5, `${segments} segments`)
  assert.ok(moved === through && through < records - 50 && through > records / 2, `archived through ${through}`)
  assert.equal((await readdir(join(dir, 'archive'))).length, segments)
  assert.deepEqual(await everything(store), before)
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  const crashed = await crashCopy(t, dir)
  await store.close()
  assert.ok((await logKeys(dir)) < 0.5 * before.all.length)
  for (const copy of [dir, crashed]) {
    const again = await openStore({ dir: copy })
    assert.deepEqual(await everything(again), before)
    assert.equal((await again.checkpoints.newest())?.seq, records)
    assert.equal(again.log.append([{ type: 'next', data: 0 }]).firstSeq, records + 1)
    await again.log.durable(records + 1)
    const report = await again.log.verify()
    assert.deepEqual([report.ok, report.records, report.absent], [true, records + 1, []])
    assert.deepEqual(await again.archive(small), { segments: 0, records: 0, through })
    await again.close()
  }
})

test('readers that are under way do not notice that their records move', async (t) => {
  const { store } = await covered(t)
  const seen: number[][] = [[], [], []]
  const slow = async (seqs: number[], reverse: boolean) => {
    for await (const commit of store.log.read({ reverse })) {
      seqs.push(...(reverse ? commit.toReversed() : commit).map(({ seq }) => seq))
      if (seqs.length % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const reading = [slow(seen[0]!, false), slow(seen[1]!, true)]
  const verifying = store.log.verify()
  const steps: Promise<unknown>[] = []
  for (let before = 200; before < records; before += 200) steps.push(store.archive({ ...small, before }))
  await slow(seen[2]!, false)
  await Promise.all([...reading, ...steps])
  const wanted = Array.from({ length: records }, (_, i) => i + 1)
  assert.deepEqual(seen, [wanted, wanted.toReversed(), wanted])
  assert.deepEqual((await verifying).faults, [])
})

test('nothing moves that no checkpoint covers, that is too young, or that has room', async (t) => {
  const store = await tempStore(t)
  await fill(store, 600)
  assert.equal((await store.archive(small)).segments, 0)
  const { store: other } = await covered(t)
  assert.ok((await other.archive({ ...small, before: 700 })).through < 700)
  assert.equal((await other.archive({ segmentBytes: 20_000, liveBytes: 1e9 })).segments, 0)
  assert.equal((await other.archive({ before: Number.POSITIVE_INFINITY })).segments, 0, 'no full segment is left')
})

test('the size of the log in the database bounds it', async (t) => {
  const dir = await tempDir(t)
  for (let part = 1; part <= 3; part++) {
    const store = await openStore({ dir })
    await fill(store, 2000 * part, 400)
    await store.checkpoints.write(store.log.durableSeq - 1, [])
    await store.checkpoints.write(store.log.durableSeq, [])
    await store.close()
  }
  const store = await openStore({ dir })
  t.after(() => store.close())
  await store.checkpoints.write(store.log.durableSeq, [])
  const { segments, through } = await store.archive({ liveBytes: 200_000, segmentBytes: 100_000 })
  assert.ok(segments > 0 && through < 5800, `${segments} segments through ${through}`)
  assert.equal((await store.archive({ liveBytes: 200_000, segmentBytes: 100_000 })).segments, 0)
})

test('a file that was moved elsewhere is named, and what does not need it works', async (t) => {
  const { dir, store } = await covered(t)
  const { through } = await store.archive(small)
  await store.close()
  const [first = '', second = ''] = (await readdir(join(dir, 'archive'))).sort()
  const aside = join(await tempDir(t), second)
  await rename(join(dir, 'archive', second), aside)
  const again = await openStore({ dir })
  const from = Number(second.slice(0, 13))
  await assert.rejects(again.log.get(from), (error: unknown) => {
    assert.ok(isStoreError(error) && error.code === 'log_archived')
    assert.match(error.message, new RegExp(`records ${from}\\.\\..* in the file ${second}`))
    return true
  })
  assert.equal((await again.log.get(1))?.seq, 1)
  assert.equal((await again.log.get(through + 1))?.seq, through + 1)
  assert.deepEqual(again.health, { state: 'ok' })
  const report = await again.log.verify()
  assert.deepEqual([report.faults, report.absent], [[], [second]])
  await assert.rejects(again.blobs.collect({ keep: () => false }), /archived in the file/)
  const copy = await again.copy()
  assert.deepEqual(copy.absent, [second])
  assert.equal((await checkCopy(copy.parts)).head.seq, records)
  await copy.close()
  await again.close()
  await rename(aside, join(dir, 'archive', second))
  await flipByte(join(dir, 'archive', first), 200)
  const damaged = await openStore({ dir })
  const faults = (await damaged.log.verify()).faults
  assert.deepEqual(
    faults.map(({ kind, seq }) => [kind, seq]),
    [['file-damaged', 1]],
  )
  assert.match(faults[0]?.detail ?? '', new RegExp(first))
  await assert.rejects(damaged.log.get(1), /does not match its checksum/)
  await damaged.close()
})

test('a crash between the file and the removal costs nothing', async (t) => {
  const { dir, store } = await covered(t)
  const before = await everything(store)
  const old = await crashCopy(t, dir)
  const kept: [Buffer, Buffer][] = []
  await tamper(old, async (level) => {
    for await (const [key, value] of level.iterator()) if (key[0] === 0x6c) kept.push([key, value])
  })
  await store.archive(small)
  await store.close()
  await tamper(dir, (level) => level.batch(kept.map(([key, value]) => ({ type: 'put', key, value }))))
  const again = await openStore({ dir })
  assert.deepEqual(await everything(again), before)
  assert.deepEqual((await again.log.verify()).faults, [])
  const copy = await again.copy()
  assert.equal((await checkCopy(copy.parts)).records, records)
  await copy.close()
  await again.archive(small)
  await again.close()
  assert.ok((await logKeys(dir)) < 0.5 * kept.length)
})

test('a copy has the archive, and a lost end is accepted behind it', async (t) => {
  const { dir, store } = await covered(t)
  const { through } = await store.archive(small)
  const copy = await store.copy()
  const to = join(await tempDir(t), 'restored')
  await restoreCopy(to, copy.parts)
  await copy.close()
  const restored = await openStore({ dir: to })
  assert.deepEqual(await allRecords(restored), await allRecords(store))
  assert.deepEqual((await restored.log.verify()).faults, [])
  await restored.close()
  await store.close()
  await tamper(dir, async (level) => {
    for await (const key of level.keys({ reverse: true }))
      if (key[0] === 0x6c && key.readUIntBE(3, 6) > through + 20) await level.del(key)
  })
  const [lost] = (await recoverStore(dir, { write: true })).lost
  assert.ok(lost !== undefined && lost.first > through + 1 && lost.first <= through + 23)
  const again = await openStore({ dir })
  assert.deepEqual((await again.log.verify()).faults, [])
  assert.equal((await stat(join(dir, 'archive'))).isDirectory(), true)
  await again.close()
})
