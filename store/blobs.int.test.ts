import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { hashText } from './blob-format.ts'
import { pieceBytes } from './blobs.ts'
import { sha256 } from './commit.ts'
import { crashCopy, fill, tempDir, tempStore, terms } from './fixtures/stores.ts'
import { openStore, type StagedBlob, type Store, type StoreError } from './index.ts'

/** Appends one record that names a blob. */
async function keep(store: Store, staged: StagedBlob, type = 'with-blob'): Promise<void> {
  await store.log.durable(store.log.append([{ type, data: { hash: staged.hash } }], [staged]).lastSeq)
}

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function collected(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const code = (expected: string) => (error: StoreError) => error.code === expected

const contents: [name: string, bytes: Buffer][] = [
  ['empty', Buffer.alloc(0)],
  ['one byte', Buffer.from('x')],
  ['text', Buffer.from('FUNCTION_BLOCK "Mötor"\n'.repeat(40))],
  ['larger than what is packed in place', Buffer.from('FUNCTION_BLOCK "Mötor"\n'.repeat(4000))],
  ['not compressible', randomBytes(20_000)],
  ['just below a piece', randomBytes(pieceBytes)],
  ['several pieces', Buffer.concat([randomBytes(pieceBytes), Buffer.alloc(2 * pieceBytes + 17, 7)])],
]

for (const [name, bytes] of contents) {
  test(`a blob comes back as it was: ${name} (${bytes.length} bytes), staged whole and as a stream`, async (t) => {
    const dir = await tempDir(t)
    for (const how of ['stage', 'stream'] as const) {
      const store = await openStore({ dir: `${dir}/${how}`, terms })
      const staged =
        how === 'stage' ? await store.blobs.stage(bytes) : await store.blobs.stageStream(inParts(bytes, 300_001))
      assert.equal(staged.hash, hashText(sha256(bytes)))
      assert.equal(staged.size, bytes.length)
      assert.equal(await store.blobs.has(staged.hash), false, 'it is not there before the append')
      await assert.rejects(store.blobs.get(staged.hash), code('blob_missing'))
      await keep(store, staged)
      assert.equal(await store.blobs.has(staged.hash), true)
      await store.close()
      const again = await openStore({ dir: `${dir}/${how}`, terms })
      assert.ok((await again.blobs.get(staged.hash)).equals(bytes))
      assert.ok((await collected(again.blobs.stream(staged.hash))).equals(bytes))
      assert.equal(await again.blobs.size(staged.hash), bytes.length)
      const { count, bytes: total } = await again.blobs.stats()
      assert.deepEqual({ count, total }, { count: 1, total: bytes.length })
      assert.deepEqual((await again.log.verify({ blobs: 'whole' })).faults, [])
      await again.close()
    }
  })
}

test('the same content is stored once, however it arrives', async (t) => {
  const store = await tempStore(t)
  const bytes = randomBytes(2 * pieceBytes)
  const both = await Promise.all([store.blobs.stage(bytes), store.blobs.stageStream(inParts(bytes, 65_536))])
  const { lastSeq } = store.log.append([{ type: 'twice', data: both.map(({ hash }) => hash) }], both)
  await store.log.durable(lastSeq)
  await keep(store, await store.blobs.stageStream(inParts(bytes, 65_536)))
  await keep(store, await store.blobs.stage(bytes))
  await store.blobs.collect({ keep: () => false })
  const { count, storedBytes } = await store.blobs.stats()
  assert.equal(count, 1)
  assert.ok(storedBytes < 2.1 * pieceBytes, `${storedBytes} bytes are stored`)
  assert.ok((await store.blobs.get(both[0].hash)).equals(bytes))
})

test('a blob can be read as soon as it is appended, before its commit is durable', async (t) => {
  const store = await tempStore(t)
  for (const [name, bytes] of contents) {
    const staged =
      name === 'several pieces' ? await store.blobs.stageStream(inParts(bytes, 99_999)) : await store.blobs.stage(bytes)
    const { lastSeq } = store.log.append([{ type: 'with-blob', data: { hash: staged.hash } }], [staged])
    assert(store.log.durableSeq < lastSeq)
    assert.equal(await store.blobs.has(staged.hash), true)
    assert.equal(await store.blobs.size(staged.hash), bytes.length)
    assert.deepEqual(await store.blobs.get(staged.hash), bytes)
    await store.log.durable(lastSeq)
    assert.deepEqual(await collected(store.blobs.stream(staged.hash)), bytes)
  }
})

test('a stream may be as long as the limit', async (t) => {
  const { blobs } = await tempStore(t)
  const bytes = randomBytes(100)
  assert.equal((await blobs.stageStream(inParts(bytes, 50), 100)).size, 100)
  await assert.rejects(blobs.stageStream(inParts(bytes, 50), 99), code('blob_too_large'))
})

test('a stream beyond the limit or with an error leaves nothing', async (t) => {
  const store = await tempStore(t)
  await assert.rejects(
    store.blobs.stageStream(inParts(Buffer.alloc(5 * pieceBytes), 100_000), 3 * pieceBytes),
    code('blob_too_large'),
  )
  async function* failing(): AsyncGenerator<Buffer> {
    yield* inParts(randomBytes(2 * pieceBytes), 100_000)
    throw new Error('connection lost')
  }
  await assert.rejects(store.blobs.stageStream(failing()), /connection lost/)
  assert.deepEqual(await store.blobs.stats(), { count: 0, bytes: 0, storedBytes: 0 })
  assert.equal((await store.blobs.collect({ keep: () => false })).freedBytes, 0, 'no piece is left')
})

test('hashes that are none', async (t) => {
  const { blobs } = await tempStore(t)
  for (const hash of [
    '',
    'sha256:',
    `sha256:${'g'.repeat(64)}`,
    `SHA256:${'0'.repeat(64)}`,
    `sha256:${'0'.repeat(65)}`,
  ]) {
    await assert.rejects(blobs.get(hash), code('blob_missing'))
  }
  assert.equal(await blobs.has(`sha256:${'0'.repeat(64)}`), false)
  assert.equal(await blobs.size(`sha256:${'0'.repeat(64)}`), undefined)
})

test('collect removes what nothing names, and only that', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  await fill(store, 50)
  const named = await store.blobs.stage('named by a record')
  await keep(store, named)
  const deep = await store.blobs.stage('named deep in a text')
  await store.log.durable(
    store.log.append([{ type: 'x', data: { note: `block at ${deep.hash}, see there` } }], [deep]).lastSeq,
  )
  const kept = await store.blobs.stage('kept by the caller')
  const orphan = await store.blobs.stage('an orphan')
  const largeOrphan = await store.blobs.stageStream(inParts(randomBytes(3 * pieceBytes), 200_000))
  await store.log.durable(store.log.append([{ type: 'x', data: 'names none' }], [kept, orphan, largeOrphan]).lastSeq)
  const pending = await store.blobs.stage('pending')
  const pendingLarge = await store.blobs.stageStream(inParts(randomBytes(2 * pieceBytes), 200_000))
  const progress: number[] = []
  const result = await store.blobs.collect({
    keep: (hash) => hash === kept.hash,
    onProgress: (done) => progress.push(done),
  })
  assert.equal(result.examined, 5)
  assert.equal(result.removed, 2)
  assert.equal(result.kept, 3)
  assert.ok(result.freedBytes > 3 * pieceBytes, `${result.freedBytes} bytes freed`)
  assert.equal(progress.at(-1), store.log.headSeq)
  for (const { hash } of [orphan, largeOrphan]) await assert.rejects(store.blobs.get(hash), code('blob_missing'))
  await keep(store, pending)
  await keep(store, pendingLarge)
  for (const { hash, size } of [named, deep, kept, pending, pendingLarge])
    assert.equal((await store.blobs.get(hash)).length, size)
  const report = await store.log.verify({ blobs: 'whole' })
  assert.deepEqual(report.faults, [], 'a collected blob that no record names is not missing')
  assert.equal((await store.blobs.collect({ keep: () => true })).removed, 0)
  await store.close()
})

test('an upload that a crash has left is removed by the next collection', async (t) => {
  const dir = await tempDir(t)
  const store = await tempStore(t, { dir })
  await store.blobs.stageStream(inParts(randomBytes(2 * pieceBytes), 200_000))
  const copy = await tempStore(t, { dir: await crashCopy(t, dir) })
  const { removed, freedBytes } = await copy.blobs.collect({ keep: () => false })
  assert.equal(removed, 0)
  assert.ok(freedBytes > 2 * pieceBytes)
  assert.equal((await copy.blobs.collect({ keep: () => false })).freedBytes, 0)
})

test('collect while contents are staged and appended all the time: nothing named is ever missing', async (t) => {
  const store = await tempStore(t)
  const content = (i: number): string => `content ${i % 40} `.repeat(30)
  let going = true
  const named = new Set<string>()
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let i = writer; going; i += 8) {
      const staged = await store.blobs.stage(content(i))
      if (i % 3 === 0) await setTimeout(1)
      // Half of the blobs are carried by a commit that does not name them: the next collection may remove these.
      const names = i % 2 === 0 || named.has(staged.hash)
      if (names) named.add(staged.hash)
      await store.log.durable(store.log.append([{ type: 'x', data: names ? staged.hash : 'none' }], [staged]).lastSeq)
      if (names) assert.equal((await store.blobs.get(staged.hash)).toString(), content(i))
    }
  })
  for (let round = 0; round < 15; round++) await store.blobs.collect({ keep: () => false })
  going = false
  await Promise.all(writers)
  for (const hash of named) assert.equal(await store.blobs.has(hash), true)
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
})
