/** Copies: consistent while commands go on, checked byte by byte, and a whole store again. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { allRecords, fill, tempDir, tempStore, terms } from './fixtures/stores.ts'
import { type CopyPart, checkCopy, isStoreError, openStore, restoreCopy, type StoreCopy } from './index.ts'

interface Bytes {
  readonly name: string
  readonly bytes: Buffer
}

async function readAll(copy: StoreCopy): Promise<Bytes[]> {
  const all: Bytes[] = []
  for (const { name, read } of copy.parts) {
    const chunks: Buffer[] = []
    for await (const chunk of read()) chunks.push(chunk)
    all.push({ name, bytes: Buffer.concat(chunks) })
  }
  await copy.close()
  return all
}

/** The parts, delivered in pieces of `size` bytes. */
function parts(all: readonly Bytes[], size = 64 * 1024): Pick<CopyPart, 'name' | 'read'>[] {
  return all.map(({ name, bytes }) => ({
    name,
    async *read() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
  }))
}

test('a copy has what was appended before it, also while more is appended, and becomes the same store', async (t) => {
  const store = await tempStore(t)
  await fill(store, 500)
  const small = await store.blobs.stage('small')
  async function* long() {
    for (let i = 0; i < 40; i++) yield Buffer.alloc(100_000, `piece ${i}`)
  }
  const large = await store.blobs.stageStream(long())
  store.log.append([{ type: 'blobs', data: [small.hash, large.hash] }], [small, large])
  const headSeq = store.log.headSeq
  await store.checkpoints.write(headSeq, [['state', { a: 1 }]])
  const copy = await store.copy()
  await fill(store, 900)
  await store.checkpoints.write(store.log.headSeq, [['state', { a: 2 }]])
  const all = await readAll(copy)
  assert.equal(copy.head.seq, headSeq)
  const checked = await checkCopy(parts(all, 7))
  assert.deepEqual(
    [checked.head.seq, checked.head.hash, checked.records, checked.blobs],
    [headSeq, copy.head.hash, headSeq, 2],
  )
  const dir = join(await tempDir(t), 'restored')
  await restoreCopy(dir, parts(all))
  const restored = await openStore({ dir, terms })
  const wanted = (await allRecords(store)).slice(0, headSeq)
  assert.deepEqual(await allRecords(restored), wanted)
  assert.deepEqual(await restored.blobs.get(large.hash), await store.blobs.get(large.hash))
  assert.deepEqual((await restored.checkpoints.newest())?.parts.get('state'), { a: 1 })
  assert.deepEqual(
    await restored.index.find('type:begin'),
    await store.index.find('type:begin', { before: headSeq + 1 }),
  )
  assert.deepEqual((await restored.log.verify({ blobs: 'whole' })).faults, [])
  assert.equal(restored.log.append([{ type: 'next', data: 0 }]).firstSeq, headSeq + 1)
  await restored.close()
  await assert.rejects(restoreCopy(dir, parts(all)), /there is a store/)
})

test('a copy says how many records, commits and contents it has', async (t) => {
  const store = await tempStore(t)
  for (const count of [1, 2, 3])
    await store.log.durable(store.log.append(Array.from({ length: count }, () => ({ type: 'x', data: count }))).lastSeq)
  const { records, commits, blobs } = await checkCopy(parts(await readAll(await store.copy())))
  assert.deepEqual({ records, commits, blobs }, { records: 6, commits: 3, blobs: 0 })
})

test('an empty store has a copy too', async (t) => {
  const all = await readAll(await (await tempStore(t)).copy())
  assert.equal((await checkCopy(parts(all))).records, 0)
  const dir = await tempDir(t)
  await restoreCopy(dir, parts(all))
  assert.equal((await tempStore(t, { dir })).log.headSeq, 0)
})

test('no change of log or contents passes the check, unless the contents are the same (unused bits of deflate)', async (t) => {
  const store = await tempStore(t)
  await fill(store, 30)
  const blob = await store.blobs.stage('content '.repeat(2000))
  await store.log.durable(store.log.append([{ type: 'blob', data: blob.hash }], [blob]).lastSeq)
  const all = await readAll(await store.copy())
  const content = await store.blobs.get(blob.hash)
  const refusedCopy = async (changed: readonly Bytes[], what: string) => {
    const error = await checkCopy(parts(changed)).then(
      () => undefined,
      (e: unknown) => e,
    )
    if (error === undefined && what.endsWith(' of contents')) {
      const dir = await tempDir(t)
      await restoreCopy(dir, parts(changed))
      const restored = await tempStore(t, { dir })
      assert.deepEqual(await restored.blobs.get(blob.hash), content, what)
      return
    }
    assert.ok(isStoreError(error) && error.code === 'copy_damaged', `${what}: ${String(error)}`)
  }
  for (const { name, bytes } of all.filter((one) => one.name !== 'state')) {
    const other = all.filter((one) => one.name !== name)
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 400)) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] as number) ^ 0x10
      await refusedCopy([...other, { name, bytes: flipped }], `byte ${at} of ${name}`)
      await refusedCopy([...other, { name, bytes: bytes.subarray(0, at) }], `${name} cut at ${at}`)
    }
    await refusedCopy(other, `a copy without ${name}`)
  }
})
