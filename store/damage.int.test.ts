/** Damage of every kind is found and named, and no read ever returns wrong data. */
import assert from 'node:assert/strict'
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { logKey } from './commit.ts'
import {
  allRecords,
  crashCopy,
  databaseFiles,
  fill,
  flipByte,
  refused,
  tamper,
  tempDir,
  terms,
} from './fixtures/stores.ts'
import { isStoreError, type LogRecord, openStore, recoverStore, type Store, StoreError } from './index.ts'

/** A closed data directory with records, a blob and a checkpoint, and its records. */
async function written(t: TestContext, count = 3000): Promise<{ dir: string; records: LogRecord[]; blob: string }> {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  await fill(store, count - 1, 200)
  const staged = await store.blobs.stage('a block of a program '.repeat(500))
  await store.log.durable(store.log.append([{ type: 'last', data: { blob: staged.hash } }], [staged]).lastSeq)
  await store.checkpoints.write(count, [['slice', { count }]])
  const records = await allRecords(store)
  await store.close()
  return { dir, records, blob: staged.hash }
}

/** Like {@link written}, but as after a crash: the newest part is in LevelDB's `.log` file. */
async function crashed(t: TestContext, count: number): Promise<{ dir: string; records: LogRecord[] }> {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  await fill(store, count, 200)
  const copy = await crashCopy(t, dir)
  const records = await allRecords(store)
  await store.close()
  return { dir: copy, records }
}

/** Asserts that every read is right or refused. Returns whether any was refused. */
async function neverWrong(store: Store, records: readonly LogRecord[]): Promise<boolean> {
  let refusals = 0
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => {
      if (error instanceof assert.AssertionError || !isStoreError(error)) throw error
      assert.match(error.code, /corrupt|missing/)
      refusals++
    })
  }
  const isRight = (record: LogRecord | undefined): void => assert.deepEqual(record, records[(record?.seq ?? 0) - 1])
  await attempt(async () => {
    let count = 0
    for await (const commit of store.log.read()) for (const record of commit) isRight(record) ?? count++
    assert.equal(count, records.length)
  })
  await attempt(async () => {
    let count = 0
    for await (const commit of store.log.read({ reverse: true }))
      for (const record of commit) isRight(record) ?? count++
    assert.equal(count, records.length)
  })
  await attempt(async () => {
    const replayed: LogRecord[] = []
    await store.log.replay({ checkChain: true }, (record) => replayed.push(record))
    assert.deepEqual(replayed, records)
  })
  for (let seq = 1; seq <= records.length; seq += 97) {
    await attempt(async () => {
      const record = await store.log.get(seq)
      assert.equal(record?.seq, seq)
      isRight(record)
    })
  }
  for (const term of ['type:begin', 'type:last', 'job:job-7']) {
    await attempt(async () => {
      const expected = records.filter((record) => terms(record).includes(term)).map(({ seq }) => seq)
      assert.deepEqual(await store.index.find(term), expected)
      assert.deepEqual(await store.index.find(term, { reverse: true }), expected.toReversed())
    })
  }
  const checkpoint = await store.checkpoints.newest()
  if (checkpoint !== undefined) assert.deepEqual([...checkpoint.parts], [['slice', { count: records.length }]])
  return refusals > 0
}

test('an undamaged store has no fault', async (t) => {
  const { dir, records } = await written(t)
  const store = await openStore({ dir, terms })
  assert.equal(await neverWrong(store, records), false)
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  assert.deepEqual(store.health, { state: 'ok' })
  await store.close()
})

test('a flipped byte anywhere in a table file is refused, and the file is named', async (t) => {
  const { dir } = await written(t)
  const [table = ''] = await databaseFiles(dir, /\.ldb$/)
  const { size } = await stat(table)
  for (let i = 0; i < 40; i++) {
    const copy = await crashCopy(t, dir)
    const position = Math.floor(((i + 0.5) * size) / 40)
    await flipByte(join(copy, 'db', basename(table)), position)
    const error = await refused(copy, 'store_corrupt')
    assert.equal(error.place.file, basename(table), `position ${position}`)
    await rm(copy, { recursive: true })
  }
})

test('a table that is damaged while the store is open is found in the background', async (t) => {
  const { dir } = await written(t)
  const store = await openStore({ dir, terms })
  const [table = ''] = await databaseFiles(dir, /\.ldb$/)
  await flipByte(table, 5000)
  const { faults } = await store.verifyInBackground()
  assert.deepEqual(
    faults.map(({ kind, seq }) => ({ kind, seq })),
    [{ kind: 'file-damaged', seq: 1 }],
  )
  assert.equal(store.health.state, 'corrupt')
  assert.match(
    String(store.health.detail),
    new RegExp(`${basename(table)} is damaged .the block at byte \\d+ does not match its checksum`),
  )
  await store.close()
})

test('a flipped byte in the .log file of a crashed store is named with its file', async (t) => {
  const { dir, records } = await crashed(t, 400)
  const [log = ''] = await databaseFiles(dir, /\.log$/)
  const { size } = await stat(log)
  for (const part of [0.1, 0.5, 0.9]) {
    const copy = await crashCopy(t, dir)
    await flipByte(join(copy, 'db', basename(log)), Math.floor(size * part))
    const damaged = await readFile(join(copy, 'db', basename(log)))
    const error = await refused(copy, 'store_corrupt', 'store_truncated')
    assert.match(error.message, /\d+\.log: dropping \d+ bytes/)
    assert.equal(error.place.file, basename(log))
    // LevelDB has moved what it could read into a table and deleted the rest: the second open must still find the
    // damage.
    const again = await refused(copy, 'store_corrupt', 'store_truncated')
    const kept = join(copy, `damaged-${basename(log)}`)
    for (const { message } of [error, again]) assert.ok(message.includes(`is kept as it was in ${kept}`), message)
    assert.deepEqual(await readFile(kept), damaged)
  }
  assert.equal(records.length, 400)
})

test('a truncated .log file is a lost end: named, refused, and accepted only explicitly', async (t) => {
  const { dir, records } = await crashed(t, 400)
  const [log = ''] = await databaseFiles(dir, /\.log$/)
  await truncate(log, Math.floor((await stat(log)).size / 2))
  const error = await refused(dir, 'store_truncated')
  assert.match(error.message, /the log ends at seq \d+, but seq 400 was durable/)
  await refused(dir, 'store_truncated')

  const { lost } = await recoverStore(dir, { write: true })
  const [gap] = lost
  assert.ok(gap !== undefined && lost.length === 1 && gap.last === 400, JSON.stringify(lost))
  const store = await openStore({ dir, terms })
  const all = await allRecords(store)
  assert.deepEqual(all.slice(0, gap.first - 1), records.slice(0, gap.first - 1))
  assert.deepEqual(new Set(all.slice(gap.first - 1, 400).map(({ type }) => type)), new Set(['log.lost']))
  assert.deepEqual(
    all.slice(400).map(({ seq, type, data }) => [seq, type, (data as { lost: typeof lost }).lost[0]?.first]),
    [[401, 'log.recovered', gap.first]],
  )
  await fill(store, 500)
  assert.deepEqual((await store.log.verify()).faults, [])
  assert.equal((await store.index.find('type:log.recovered')).length, 1)
  await store.close()
})

test('a truncated table file is refused, and named', async (t) => {
  const { dir } = await written(t)
  for (const table of await databaseFiles(dir, /\.ldb$/)) {
    const copy = await crashCopy(t, dir)
    await truncate(join(copy, 'db', basename(table)), Math.floor((await stat(table)).size * 0.6))
    assert.equal((await refused(copy, 'store_corrupt')).place.file, basename(table))
  }
})

for (const { name, damage } of [
  { name: 'a byte of CURRENT is flipped', damage: (path: string) => flipByte(join(path, 'CURRENT'), 3) },
  {
    name: 'the number in CURRENT is wrong',
    damage: (path: string) => writeFile(join(path, 'CURRENT'), 'MANIFEST-000999\n'),
  },
  { name: 'CURRENT is cut off', damage: (path: string) => truncate(join(path, 'CURRENT'), 5) },
  { name: 'CURRENT is gone', damage: (path: string) => rm(join(path, 'CURRENT')) },
]) {
  test(`${name}: refused, and nothing is created over the old data`, async (t) => {
    const { dir } = await written(t, 50)
    const before = (await databaseFiles(dir, /\.ldb$/)).length
    await damage(join(dir, 'db'))
    await refused(dir, 'store_corrupt')
    assert.equal((await databaseFiles(dir, /\.ldb$/)).length, before)
  })
}

test('a damaged or missing MANIFEST is refused', async (t) => {
  const { dir } = await written(t, 50)
  for (const damage of [
    (path: string) => flipByte(path, 20),
    (path: string) => truncate(path, 40),
    (path: string) => rm(path),
  ]) {
    const copy = await crashCopy(t, dir)
    const [manifest = ''] = await databaseFiles(copy, /^MANIFEST/)
    await damage(manifest)
    await refused(copy, 'store_corrupt', 'store_truncated')
  }
})

test('a missing table file is refused and named', async (t) => {
  const { dir } = await written(t, 50)
  const [table = ''] = await databaseFiles(dir, /\.ldb$/)
  await rm(table)
  const error = await refused(dir, 'store_corrupt')
  assert.equal(error.place.file, basename(table))
})

test('the whole database is gone but the witness is there', async (t) => {
  const { dir } = await written(t, 50)
  await rm(join(dir, 'db'), { recursive: true })
  const error = await refused(dir, 'store_truncated')
  assert.match(error.message, /ends at seq 0, but seq 50 was durable/)
})

test('a damaged witness: one slot is made good, both are refused', async (t) => {
  const { dir } = await written(t, 50)
  const both = await crashCopy(t, dir)
  await flipByte(join(dir, 'witness'), 30)
  const store = await openStore({ dir, terms })
  assert.match(String(store.health.detail), /witness is damaged/)
  await store.close()
  await flipByte(join(both, 'witness'), 30)
  await flipByte(join(both, 'witness'), 512 + 30)
  assert.equal((await refused(both, 'store_corrupt')).place.file, 'witness')
})

test('a missing witness is written anew', async (t) => {
  const { dir } = await written(t, 50)
  await rm(join(dir, 'witness'))
  const store = await openStore({ dir, terms })
  assert.match(String(store.health.detail), /witness is missing/)
  await store.close()
  assert.match(await readFile(join(dir, 'witness'), 'latin1'), /0000000000000050/)
})

test('a deleted commit is a gap: near the end the open finds it, elsewhere verify and every read', async (t) => {
  const { dir, records } = await written(t)
  const starts = new Set<number>()
  const near = await crashCopy(t, dir)
  await tamper(dir, async (level) => {
    for await (const key of level.keys({ gte: logKey(0), lt: logKey(2 ** 40) })) starts.add(key.readUIntBE(3, 6))
  })
  const firsts = [...starts]
  const early = firsts[20] as number
  await tamper(dir, (level) => level.del(logKey(early)))
  const store = await openStore({ dir, terms })
  assert.equal(await neverWrong(store, records), true)
  assert.equal(store.health.state, 'corrupt')
  const report = await store.log.verify()
  assert.equal(report.ok, false)
  assert.equal(report.faults[0]?.kind, 'missing-records')
  assert.equal(report.faults[0]?.seq, early)
  await store.close()

  const late = firsts[firsts.length - 10] as number
  await tamper(near, (level) => level.del(logKey(late)))
  const error = await refused(near, 'store_corrupt')
  assert.equal(error.place.seq, late)
})

test('the last commit is deleted: the head tells', async (t) => {
  const { dir } = await written(t, 50)
  await tamper(dir, (level) => level.del(logKey(50)))
  assert.match((await refused(dir, 'store_corrupt')).message, /record 50|records 50\.\.50/)
})

test('an edited record, a moved record, a swapped one', async (t) => {
  const { dir, records } = await written(t)
  const edits: { name: string; kind: RegExp; change: (value: Buffer, key: Buffer) => Buffer }[] = [
    {
      name: 'edited',
      kind: /hash-mismatch/,
      change: (value) => Buffer.from(value.toString('latin1').replace('abcdef', 'abcdeF'), 'latin1'),
    },
    { name: 'cut', kind: /malformed|hash-mismatch/, change: (value) => value.subarray(0, 60) },
    { name: 'of another length', kind: /hash-mismatch/, change: (value) => value.subarray(0, value.length - 1) },
  ]
  for (const { name, kind, change } of edits) {
    const copy = await crashCopy(t, dir)
    await tamper(copy, async (level) => level.put(logKey(1), change((await level.get(logKey(1))) as Buffer, logKey(1))))
    const store = await openStore({ dir: copy, terms })
    await assert.rejects(
      store.log.get(1),
      (error: StoreError) => error.code === 'store_corrupt' && error.place.seq === 1,
      name,
    )
    assert.equal(store.health.state, 'corrupt')
    const report = await store.log.verify()
    assert.match(String(report.faults[0]?.kind), kind)
    assert.equal(await neverWrong(store, records), true)
    await store.close()
  }
  const swapped = await crashCopy(t, dir)
  await tamper(swapped, async (level) => level.put(logKey(2), (await level.get(logKey(4))) as Buffer))
  const store = await openStore({ dir: swapped, terms })
  await assert.rejects(store.log.get(2), /says that it starts at 4/)
  await store.close()
})

test('a commit replaced by one with a correct hash breaks the chain', async (t) => {
  const { dir } = await written(t)
  const { encodeCommit, decodeEntry, previousHashOf } = await import('./commit.ts')
  await tamper(dir, async (level) => {
    const value = (await level.get(logKey(2))) as Buffer
    const commit = decodeEntry([logKey(2), value])
    const forged = Array.from({ length: commit.count }, () => [1, 'forged', 0, 0, 0, 0, null])
    await level.put(logKey(2), encodeCommit(previousHashOf(commit), 2, commit.count, [], JSON.stringify(forged)).value)
  })
  const store = await openStore({ dir, terms })
  const report = await store.log.verify()
  assert.equal(report.faults[0]?.kind, 'chain-broken')
  assert.equal(report.faults[0]?.seq, 4)
  await assert.rejects(allRecords(store), /does not follow/)
  await store.close()
})

test('verifyInBackground makes the health corrupt, and says where', async (t) => {
  const { dir } = await written(t)
  await tamper(dir, (level) => level.del(logKey(2)))
  const store = await openStore({ dir, terms })
  assert.equal(store.health.state, 'ok')
  const seen: string[] = []
  store.onHealth(({ state }) => seen.push(state))
  const report = await store.verifyInBackground()
  assert.equal(report.ok, false)
  assert.equal(store.health.state, 'corrupt')
  assert.match(String(store.health.detail), /record.* 2/)
  await store.close()
  assert.deepEqual(seen, ['corrupt', 'closed'])
})

test('a malformed commit does not end the verification: what else is wrong is found too', async (t) => {
  const { dir, blob } = await written(t, 3000)
  await tamper(dir, async (level) => {
    await level.del(Buffer.concat([Buffer.from('o'), Buffer.from(blob.slice(7), 'hex')]))
    const first = (await level.keys({ gte: logKey(1000), limit: 1 }).all())[0] as Buffer
    const value = Buffer.from((await level.get(first)) as Buffer)
    value.write('zz', 64 + 64 + 13) // the count of records is no number any more
    await level.put(first, value)
  })
  const store = await openStore({ dir, terms })
  const { faults } = await store.log.verify({ blobs: 'whole' })
  const kinds = faults.map(({ kind }) => kind)
  assert.ok(kinds.includes('blob-missing'), kinds.join())
  assert.ok(
    faults.some(({ detail }) => detail.includes('malformed')),
    JSON.stringify(faults),
  )
  await store.close()
})

test('a deleted, a damaged and a replaced blob', async (t) => {
  const { dir, blob } = await written(t, 50)
  const hash = Buffer.from(blob.slice(7), 'hex')
  const entry = Buffer.concat([Buffer.from('o'), hash])
  const piece = Buffer.concat([Buffer.from('p'), hash.subarray(0, 16), Buffer.alloc(4)])
  for (const key of [entry, piece]) {
    const deleted = await crashCopy(t, dir)
    await tamper(deleted, (level) => level.del(key))
    const store = await openStore({ dir: deleted, terms })
    const expected = key === entry ? 'blob_missing' : 'blob_corrupt'
    await assert.rejects(
      store.blobs.get(blob),
      (error: StoreError) => error.code === expected && error.message.includes(blob),
    )
    const report = await store.log.verify()
    assert.deepEqual(
      report.faults.map(({ kind, seq }) => ({ kind, seq })),
      [{ kind: 'blob-missing', seq: 50 }],
    )
    await store.close()
    for (const position of key === entry ? [1, 7, 18, 24, 38] : [-6, 12, 5, 0]) {
      const damaged = await crashCopy(t, dir)
      await tamper(damaged, async (level) => {
        const value = Buffer.from((await level.get(key)) as Buffer)
        const at = position < 0 ? value.length + position : position
        value[at] = (value[at] as number) ^ 0x10
        await level.put(key, value)
      })
      const again = await openStore({ dir: damaged, terms })
      await assert.rejects(
        again.blobs.get(blob),
        (error: StoreError) => error.code === 'blob_corrupt',
        `byte ${position}`,
      )
      assert.ok((await again.log.verify({ blobs: 'whole' })).faults.some(({ kind }) => kind === 'blob-corrupt'))
      await again.close()
    }
  }
})

test('records that only look as if they named a blob are no fault', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  await store.log.durable(store.log.append([{ type: 'note', data: `see sha256:${'0'.repeat(64)}` }]).lastSeq)
  assert.deepEqual((await store.log.verify()).faults, [])
  await store.close()
})

test('a damaged index is refused, not answered wrongly, and can be rebuilt', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  for (let i = 0; i < 90; i++) {
    const group = Array.from({ length: 500 }, (_, n) => ({ type: n % 2 === 0 ? 'even' : 'odd', data: n }))
    await store.log.durable(store.log.append(group).lastSeq)
  }
  for (let i = 0; i < 80; i++) await store.log.durable(store.log.append([{ type: 'more', data: i }]).lastSeq)
  const expected = await store.index.find('type:even')
  assert.equal(expected.length, 22_500)
  await store.close()
  const indexKeys: Buffer[] = []
  await tamper(dir, async (level) => {
    for await (const key of level.keys({ gte: Buffer.from('t'), lt: Buffer.from('u') })) indexKeys.push(key)
  })
  assert.ok(indexKeys.length >= 64, `${indexKeys.length} index keys`)
  for (const change of [
    (level: Parameters<Parameters<typeof tamper>[1]>[0], key: Buffer) => level.del(key),
    (level: Parameters<Parameters<typeof tamper>[1]>[0], key: Buffer) => level.put(key, Buffer.from('damaged')),
  ]) {
    const copy = await crashCopy(t, dir)
    await tamper(copy, async (level) => {
      for (const key of indexKeys.filter((_, i) => i % 3 === 0)) await change(level, key)
    })
    const damaged = await openStore({ dir: copy, terms })
    const answers = await Promise.allSettled(
      ['type:even', 'type:odd', 'type:more'].map((term) => damaged.index.find(term)),
    )
    for (const [i, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') assert.equal(answer.value.length, [22_500, 22_500, 80][i])
      else assert.equal((answer.reason as StoreError).code, 'index_corrupt')
    }
    const report = await damaged.log.verify()
    assert.equal(report.faults[0]?.kind, 'index-mismatch')
    await damaged.index.rebuild()
    assert.deepEqual(await damaged.index.find('type:even'), expected)
    assert.deepEqual((await damaged.log.verify()).faults, [])
    await damaged.close()
  }
})

test('records after a gap are saved, and the checkpoint is used', async (t) => {
  const { dir, records } = await written(t)
  await tamper(dir, (level) => level.del(logKey(2)))
  const report = await recoverStore(dir, { write: true })
  assert.deepEqual([report.lost, report.records], [[{ first: 2, last: 3 }], records.length - 2])
  assert.equal(report.checkpointSeq, records.length)
  const store = await openStore({ dir, terms })
  assert.deepEqual((await allRecords(store)).slice(3, -1), records.slice(3))
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  await store.close()
})

test('the directory of another format, a locked one, a missing one', async (t) => {
  const { dir } = await written(t, 50)
  const store = await openStore({ dir, terms })
  assert.match((await refused(dir, 'store_locked')).advice, /Another process/)
  await store.close()
  await tamper(dir, (level) => level.put(Buffer.from('mformat'), Buffer.from('99')))
  await refused(dir, 'store_unsupported')
  await assert.rejects(openStore({ dir, readOnly: true }), { code: 'store_unsupported' })
  const missing = await openStore({ dir: join(dir, 'nowhere'), readOnly: true }).catch((error: unknown) => error)
  assert.ok(missing instanceof StoreError && missing.code === 'store_missing', String(missing))
})
