/** Copies: consistent while commands go on, checked byte by byte, and a whole store again. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { logKey } from './commit.ts'
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

/** The entries of a part: pairs of key and value. */
function entriesIn(bytes: Buffer): [Buffer, Buffer][] {
  const entries: [Buffer, Buffer][] = []
  for (let at = 0; at < bytes.length; ) {
    const [key, value] = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
    entries.push([bytes.subarray(at + 8, at + 8 + key), bytes.subarray(at + 8 + key, at + 8 + key + value)])
    at += 8 + key + value
  }
  return entries
}

function framed(entries: readonly (readonly [Uint8Array, Uint8Array])[]): Buffer {
  const lengths = entries.map(([key, value]) => {
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32BE(key.length, 0)
    prefix.writeUInt32BE(value.length, 4)
    return prefix
  })
  return Buffer.concat(entries.flatMap(([key, value], i) => [lengths[i]!, key, value]))
}

/** A store with two contents that a record names, one that none names any more, and an archive of the first commits. */
async function withContents(t: TestContext) {
  const dir = await tempDir(t)
  let store = await tempStore(t, { dir })
  const named = await store.blobs.stage('named in the archive')
  const unnamed = await store.blobs.stage('named by none')
  store.log.append([{ type: 'first', data: named.hash }], [named])
  await store.log.durable(store.log.append([{ type: 'second', data: 0 }], [unnamed]).lastSeq)
  await fill(store, 30)
  for (let i = 0; i < 2; i++) await store.checkpoints.write(store.log.durableSeq, [])
  await store.close()
  store = await tempStore(t, { dir, terms: undefined as never })
  await store.archive({ before: Number.POSITIVE_INFINITY, segmentBytes: 500 })
  async function* long() {
    for (let i = 0; i < 9; i++) yield Buffer.alloc(300_000, `piece ${i}`)
  }
  const live = await store.blobs.stageStream(long())
  await store.log.durable(store.log.append([{ type: 'third', data: live.hash }], [live]).lastSeq)
  return { store, named, unnamed, live }
}

test('contents may be gone that no record names; those that one names may not, in the log or its archive', async (t) => {
  const { store, named, unnamed, live } = await withContents(t)
  const all = await readAll(await store.copy())
  assert.ok(all.some(({ name }) => name.startsWith('archive/')))
  /** The copy without a content: its entry, and its pieces, which have the same id. */
  const without = ({ hash }: { readonly hash: string }) =>
    all.map(({ name, bytes }) => {
      if (name !== 'contents') return { name, bytes }
      const entries = entriesIn(bytes)
      const key = Buffer.from(hash.slice('sha256:'.length), 'hex')
      const entry = entries.find(([one]) => one.subarray(1).equals(key))
      assert.ok(entry !== undefined)
      const kept = entries.filter((one) => one !== entry)
      return { name, bytes: framed(kept) }
    })
  assert.equal((await checkCopy(parts(all))).blobs, 3)
  assert.equal((await checkCopy(parts(without(unnamed)))).blobs, 2)
  for (const blob of [named, live])
    await assert.rejects(checkCopy(parts(without(blob))), {
      code: 'copy_damaged',
      message: `the copy is damaged: contents: the blob ${blob.hash} is missing, which a record names`,
    })
  // A file of the archive that was moved elsewhere is not looked into.
  const moved = without(named).filter(({ name }) => !name.startsWith('archive/'))
  assert.equal((await checkCopy(parts(moved))).blobs, 2)
})

test('what is wrong with a part is told with its name', async (t) => {
  const { store, live } = await withContents(t)
  const all = await readAll(await store.copy())
  const archived = all.find(({ name }) => name.startsWith('archive/'))!.name
  const changed = (
    part: string,
    change: (entries: [Buffer, Buffer][]) => readonly (readonly [Uint8Array, Uint8Array])[],
  ) =>
    all.map(({ name, bytes }) => (name === part ? { name, bytes: framed(change(entriesIn(bytes))) } : { name, bytes }))
  const replaced = (part: string, by: Buffer) =>
    all.map(({ name, bytes }) => ({ name, bytes: name === part ? by : bytes }))
  const isPiece = ([key]: [Buffer, Buffer]) => key.length === 21
  const hash = Buffer.from(live.hash.slice('sha256:'.length), 'hex')
  const ofLive = ([key]: [Buffer, Buffer]) => key.subarray(1).equals(hash)
  const uploadOf = (entries: [Buffer, Buffer][]) => {
    const counts = new Map<string, number>()
    for (const [key] of entries.filter(isPiece))
      counts.set(key.toString('hex', 1, 17), (counts.get(key.toString('hex', 1, 17)) ?? 0) + 1)
    return [...counts].find(([, count]) => count > 1)![0]
  }
  const cases: [string, readonly Bytes[]][] = [
    ['log: it is missing', all.filter(({ name }) => name !== 'log')],
    ['state: it is missing', all.filter(({ name }) => name !== 'state')],
    ['log: it ends within an entry', replaced('log', Buffer.concat([all[0]!.bytes, Buffer.alloc(3)]))],
    ['log: an entry of 0 and 5 bytes', replaced('log', Buffer.from('0000000000000005', 'hex'))],
    ['log: an entry of 1073741825 and 0 bytes', replaced('log', Buffer.from('4000000100000000', 'hex'))],
    ['log: an entry of 1 and 1073741825 bytes', replaced('log', Buffer.from('0000000140000001', 'hex'))],
    ['log: a key that belongs elsewhere (120)', replaced('log', framed([[Buffer.from('x'), Buffer.alloc(0)]]))],
    [
      'the commit stored for seq 32 says that it starts at 31',
      changed('log', (entries) => entries.map(([key, value]) => [key.at(-1) === 31 ? logKey(32) : key, value])),
    ],
    ['log: it ends at seq 27, the head names seq 31 or another hash', changed('log', () => [])],
    [
      `contents: the blob ${live.hash} has no content`,
      changed('contents', (entries) => entries.filter(([key]) => key.toString('hex', 1, 17) !== uploadOf(entries))),
    ],
    [
      `contents: a piece of ${live.hash} is missing`,
      changed('contents', (entries) =>
        entries.filter(([key]) => key.toString('hex', 1) !== `${uploadOf(entries)}00000000`),
      ),
    ],
    [
      `contents: the blob ${live.hash} does not match its hash`,
      changed('contents', (entries) =>
        entries.filter(([key]) => key.toString('hex', 1) !== `${uploadOf(entries)}00000002`),
      ),
    ],
    [
      `contents: the entry of the blob ${live.hash} is damaged`,
      changed('contents', (entries) => entries.map((one) => (ofLive(one) ? [one[0], Buffer.alloc(3)] : one))),
    ],
    [`${archived}: it does not match its checksum`, replaced(archived, Buffer.from('another'))],
  ]
  for (const [detail, copy] of cases)
    for (const size of [5, 64 * 1024])
      await assert.rejects(checkCopy(parts(copy, size)), (error: unknown) => {
        assert.ok(isStoreError(error), String(error))
        assert.deepEqual([error.code, error.message], ['copy_damaged', `the copy is damaged: ${detail}`])
        return true
      })
  // Pieces of an upload that was broken off belong to no content.
  const aborted = changed('contents', (entries) => [
    ...entries,
    [Buffer.concat([entries.find(isPiece)![0].subarray(0, 1), Buffer.alloc(20, 255)]), Buffer.from('rest')],
  ])
  assert.equal((await checkCopy(parts(aborted))).blobs, 3)
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
