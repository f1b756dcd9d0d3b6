/** Redaction: the text is gone, the chain holds, any other change is found, and a crash leaves all of it or nothing. */
// In a process of its own: it changes methods of the database.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { decodeEntry, encodeCommit, noteIn, previousHashOf } from './commit.ts'
import { Database } from './database.ts'
import { allRecords, crashCopy, fill, tamper, tempDir, tempStore } from './fixtures/stores.ts'
import { checkCopy, openStore, recoverStore, type Store } from './index.ts'

/** Not to be found anywhere afterwards. */
const secret = 'q7RkZ0vWmB3xYt9LhJ2cNfD8sGpU5eAi'

interface Written {
  readonly dir: string
  readonly store: Store
  /** Of the records with the text. */
  readonly seqs: readonly number[]
  readonly before: { readonly seq: number; readonly hash: string }
}

/** A store with the text in archived records, live ones, the head, a checkpoint and a content. */
async function written(t: TestContext): Promise<Written & { readonly blob: string }> {
  const dir = await tempDir(t)
  const store = await tempStore(t, { dir, terms: () => undefined })
  const seqs: number[] = []
  const put = async () => {
    const staged = await store.blobs.stage(`content ${secret}`)
    const data = { input: { password: secret, name: 'a' }, blob: staged.hash }
    const { firstSeq, lastSeq } = store.log.append(
      [
        { type: 'first', data: 1 },
        { type: 'secret', jobId: 'j', data },
      ],
      [staged],
    )
    await store.log.durable(lastSeq)
    seqs.push(firstSeq + 1)
    return staged.hash
  }
  await put()
  await fill(store, 1500)
  await put()
  await fill(store, 2000)
  await store.checkpoints.write(store.log.durableSeq - 10, [['state', { secret }]])
  await store.checkpoints.write(store.log.durableSeq, [['state', { secret }]])
  await store.archive({ before: 1000, segmentBytes: 20_000 })
  const blob = await put()
  const { head } = await store.log.verify()
  return { dir, store, seqs, before: head, blob }
}

function redact({ store, seqs }: Pick<Written, 'store' | 'seqs'>, blob: string) {
  const data = { input: { password: '(redacted)', name: 'a' } }
  return store.redact({
    changes: new Map(seqs.map((seq) => [seq, data])),
    actor: 'anna',
    data: { places: seqs.map((seq) => ({ seq, place: '/input/password' })) },
    contents: [blob],
  })
}

async function filesBelow(dir: string): Promise<string[]> {
  const found = await readdir(dir, { withFileTypes: true, recursive: true })
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** The files in which the text is. */
async function filesWithText(dir: string): Promise<string[]> {
  const files = await filesBelow(dir)
  const contents = await Promise.all(files.map((file) => readFile(file)))
  return files.filter((_, i) => contents[i]!.includes(secret))
}

async function assertRedacted(dir: string, { seqs, before }: Pick<Written, 'seqs' | 'before'>) {
  const store = await openStore({ dir })
  try {
    const report = await store.log.verify({ blobs: 'whole', expect: [before] })
    assert.deepEqual(report.faults, [])
    assert.deepEqual(report.redacted, { places: seqs.length, commits: seqs.length })
    const records = await allRecords(store)
    assert.ok(!JSON.stringify(records).includes(secret))
    for (const seq of seqs)
      assert.deepEqual(records[seq - 1]?.data, { input: { password: '(redacted)', name: 'a' } }, `record ${seq}`)
    assert.equal(await store.checkpoints.newest(), undefined)
    assert.equal((await store.blobs.stats()).count, 0)
    const copy = await store.copy()
    await checkCopy(copy.parts)
    await copy.close()
  } finally {
    await store.close()
  }
  assert.deepEqual(await filesWithText(dir), [])
}

test('a redacted log verifies, has no trace of the text, and goes on', async (t) => {
  const { dir, store, seqs, before, blob } = await written(t)
  assert.equal(seqs.length, 3)
  const { lastSeq } = await redact({ store, seqs }, blob)
  const record = await store.log.get(lastSeq)
  assert.equal(record?.type, 'log.redacted')
  assert.equal(record?.actor, 'anna')
  assert.equal((await store.log.get(seqs[2]!))?.seq, seqs[2])
  await fill(store, lastSeq + 20)
  await store.close()
  await assertRedacted(dir, { seqs, before })
  // Once more, also of a record that was redacted.
  const again = await openStore({ dir })
  await again.redact({
    changes: new Map([[seqs[0]!, { input: { name: 'a' } }]]),
    actor: 'anna',
    data: { places: [{ seq: seqs[0], place: '/input/password' }] },
  })
  const report = await again.log.verify({ expect: [before] })
  assert.deepEqual([report.faults, report.redacted], [[], { places: 4, commits: 3 }])
  await again.close()
})

test('another change of a redacted log is found, also one that looks like a redaction', async (t) => {
  const { dir, store, seqs, blob } = await written(t)
  await redact({ store, seqs }, blob)
  await store.close()
  const faultsAfter = async (change: Parameters<typeof tamper>[1]) => {
    const copy = await crashCopy(t, dir)
    await tamper(copy, change)
    const opened = await openStore({ dir: copy, readOnly: true }).catch((error: Error) => error)
    if (opened instanceof Error) return [opened.message]
    const { faults } = await opened.log.verify()
    await opened.close()
    return faults.map(({ detail }) => detail)
  }
  const entryWith = async (level: Parameters<Parameters<typeof tamper>[1]>[0], isWanted: (text: string) => boolean) => {
    for await (const [key, value] of level.iterator())
      if (key[0] === 0x6c && isWanted(value.toString('utf8'))) return [key, value] as [Buffer, Buffer]
    throw new Error('there is none')
  }
  // The redacted text is put back, and the hash of the commit is made right.
  const forged = await faultsAfter(async (level) => {
    const entry = await entryWith(level, (text) => text.includes('(redacted)'))
    const commit = decodeEntry(entry)
    const { redacted } = noteIn(commit) ?? {}
    const packed = redacted!.packed.replace('(redacted)', 'forged text')
    const note = JSON.stringify({ redacted: { ...redacted, packed } })
    await level.put(entry[0], encodeCommit(previousHashOf(commit), commit.first, commit.count, [], note).value)
  })
  assert.match(forged.join(), /no redaction names the commit of records \d+\.\.\d+ as it is/)
  // A commit that nobody has redacted passes for one.
  const fake = await faultsAfter(async (level) => {
    const entry = await entryWith(level, (text) => text.includes('"more"'))
    const commit = decodeEntry(entry)
    const packed = commit.text.slice(commit.packedAt).replace('abcdefghij', 'ABCDEFGHIJ')
    const note = JSON.stringify({ redacted: { hash: commit.text.slice(0, 64), packed } })
    await level.put(entry[0], encodeCommit(previousHashOf(commit), commit.first, commit.count, [], note).value)
  })
  assert.match(fake.join(), /no redaction names the commit/)
  const plain = await faultsAfter(async (level) => {
    const [key, value] = await entryWith(level, (text) => text.includes('"more"'))
    await level.put(key, Buffer.from(value.toString('utf8').replace('abcdefghij', 'ABCDEFGHIJ')))
  })
  assert.match(plain.join(), /does not match its hash/)
  // The record of the redaction is changed.
  const record = await faultsAfter(async (level) => {
    const [key, value] = await entryWith(level, (text) => text.includes('log.redacted'))
    await level.put(key, Buffer.from(value.toString('utf8').replace('"anna"', '"otto"')))
  })
  assert.match(record.join(), /does not match its hash/)
})

test('a crash at any step leaves everything as it was, or the next open does the rest', async (t) => {
  const { dir, store, seqs, before, blob } = await written(t)
  const copies: string[] = []
  const prototype = Database.prototype
  const { batch, compact } = prototype
  let isDone = false
  prototype.batch = async function (...given) {
    copies.push(await crashCopy(t, dir))
    await batch.apply(this, given)
    copies.push(await crashCopy(t, dir))
  }
  prototype.compact = async function (...given) {
    copies.push(await crashCopy(t, dir))
    await compact.apply(this, given)
  }
  try {
    await redact({ store, seqs }, blob)
    isDone = true
  } finally {
    prototype.batch = batch
    prototype.compact = compact
  }
  assert.ok(isDone && copies.length > 6, `${copies.length} copies`)
  let [untouched, redacted] = [0, 0]
  for (const copy of copies) {
    const opened = await openStore({ dir: copy })
    const { faults, redacted: found } = await opened.log.verify({ expect: [before] })
    assert.deepEqual(faults, [])
    const isBefore = found.commits === 0
    if (isBefore) {
      untouched++
      for (const seq of seqs) assert.ok(JSON.stringify((await opened.log.get(seq))?.data).includes(secret))
      assert.ok((await opened.checkpoints.newest()) !== undefined)
    } else redacted++
    await opened.close()
    if (!isBefore) await assertRedacted(copy, { seqs, before })
  }
  assert.ok(untouched > 0 && redacted > 0, `${untouched} before, ${redacted} after`)
})

test('a recovery of a damaged store keeps what is redacted', async (t) => {
  const { dir, store, seqs, blob } = await written(t)
  await redact({ store, seqs }, blob)
  await store.close()
  const report = await recoverStore(dir)
  assert.deepEqual([report.damaged, report.lostRecords], [[], 0])
  await tamper(dir, async (level) => {
    const keys: Buffer[] = []
    for await (const key of level.keys()) if (key[0] === 0x6c) keys.push(key)
    await level.del(keys[Math.floor(keys.length / 2)]!)
  })
  const recovered = await recoverStore(dir, { write: true })
  assert.ok(recovered.lostRecords > 0 && recovered.lostRecords < 10)
  const again = await openStore({ dir })
  const { faults, redacted } = await again.log.verify()
  assert.deepEqual([faults, redacted.places], [[], 3])
  await again.close()
})
