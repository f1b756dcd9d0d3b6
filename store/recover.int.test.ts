/**
 * Whatever file of a killed store is damaged, and however: what is saved is right, what is lost is told, the damaged
 * directory is kept, and the new one verifies and goes on.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packSegment, unpackSegment } from './archive.ts'
import { blobKey, hashBytes } from './blob-format.ts'
import { decodeEntry, encodeGap, lastSeqOf, logKey, previousHashOf } from './commit.ts'
import { keys } from './database.ts'
import { allRecords, crashCopy, databaseFiles, fill, flipByte, tamper, tempDir, terms } from './fixtures/stores.ts'
import {
  checkCopy,
  isStoreError,
  type LogRecord,
  openStore,
  type RecoverReport,
  recoverStore,
  type Store,
} from './index.ts'

/** A store that was killed: with an archive, several tables, a `.log` file, blobs and checkpoints. */
async function killed(t: TestContext) {
  const dir = await tempDir(t)
  const blobs: string[] = []
  let store = await openStore({ dir })
  const add = async (count: number): Promise<void> => {
    await fill(store, store.log.headSeq + count, 300)
    const text = `content ${store.log.headSeq} ${createHash('sha256').update(String(count)).digest('hex').repeat(50)}`
    const blob = await store.blobs.stage(text)
    blobs.push(blob.hash)
    await store.log.durable(store.log.append([{ type: 'kept', data: { blob: blob.hash } }], [blob]).lastSeq)
  }
  for (let part = 0; part < 3; part++) {
    await add(400)
    await store.checkpoints.write(store.log.durableSeq, [['slice', { upTo: store.log.durableSeq }]])
    if (part === 1) await store.archive({ before: 300, segmentBytes: 30_000 })
    if (part < 2) await store.close()
    if (part < 2) store = await openStore({ dir })
  }
  await add(200)
  const copy = await crashCopy(t, dir)
  const records = await allRecords(store)
  await store.close()
  return { dir: copy, records, blobs }
}

/** Names and contents of all files below a folder. */
async function contentOf(dir: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      found.set(
        path.slice(dir.length),
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      )
    }
  return found
}

const damages: Record<string, (file: string, size: number) => Promise<void>> = {
  'a flipped bit in the middle': (file, size) => flipByte(file, Math.floor(size / 2)),
  'cut in half': (file, size) => truncate(file, Math.floor(size / 2)),
  'its last bytes cut': (file, size) => truncate(file, Math.max(0, size - 9)),
  'zeros in the middle': async (file, size) => {
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(0, Math.floor(size / 3), Math.ceil((2 * size) / 3)))
  },
  deleted: (file) => rm(file),
}

function inRanges(seq: number, ranges: RecoverReport['lost']): boolean {
  return ranges.some(({ first, last }) => seq >= first && seq <= last)
}

/** Every record of a recovered store is the one that was written, or said to be lost. */
async function assertTrue(store: Store, records: readonly LogRecord[], { lost }: RecoverReport): Promise<void> {
  const all = await allRecords(store)
  for (const record of records) {
    const now = all[record.seq - 1]
    if (inRanges(record.seq, lost)) assert.equal(now?.type, 'log.lost', `record ${record.seq}`)
    else assert.deepEqual(now, record)
  }
  const backwards: LogRecord[] = []
  for await (const commit of store.log.read({ reverse: true })) backwards.unshift(...commit)
  assert.deepEqual(backwards, all)
  let replayed = 0
  await store.log.replay({ checkChain: true }, () => replayed++)
  assert.equal(replayed, all.length)
}

/**
 * Each file is damaged in two ways, the next one in the next two. `GANTRY_DAMAGES=5` damages each in every way, which
 * shows what a change of recovery breaks seldom.
 */
const waysOfFile = Number(process.env.GANTRY_DAMAGES ?? 2)

test('every file, damaged in one way or another', async (t) => {
  const { dir, records, blobs } = await killed(t)
  const files = [...(await contentOf(dir)).keys()].filter((name) => !/LOG(\.old)?$|LOCK$/.test(name))
  assert.ok(files.some((name) => name.endsWith('.gz')) && files.some((name) => name.endsWith('.ldb')))
  let cases = 0
  let saved = 0
  let withLoss = 0
  const ways = Object.entries(damages)
  for (const [i, name] of files.entries()) {
    for (let n = 0; n < waysOfFile; n++) {
      const [what, damage] = ways[(i * waysOfFile + n) % ways.length]!
      const at = `${name}: ${what}`
      const folder = await tempDir(t)
      const copy = join(folder, 'store')
      await cp(dir, copy, { recursive: true })
      await damage(join(copy, name), (await stat(join(copy, name))).size)
      const before = await contentOf(copy)
      const dry = what === 'deleted' ? await recoverStore(copy) : undefined
      assert.deepEqual(await contentOf(copy), before, at)
      assert.deepEqual(await readdir(folder), ['store'], at)
      const report = await recoverStore(copy, { write: true }).catch((error: unknown) =>
        assert.fail(`${at}: ${String(error)}`),
      )
      if (dry !== undefined) assert.deepEqual({ ...report, original: undefined }, { ...dry, original: undefined }, at)
      if (report.lostRecords > 0) withLoss++
      if (report.original !== undefined) assert.deepEqual(await contentOf(report.original), before, at)
      const store = await openStore({ dir: copy, terms }).catch((error: unknown) =>
        assert.fail(`${at}: ${String(error)}`),
      )
      const isAbsent = report.absent.length > 0
      if (!isAbsent) await assertTrue(store, records, report)
      for (const hash of blobs) {
        const content = await store.blobs.get(hash).catch((error: unknown) => {
          assert.ok(isStoreError(error) && error.code === 'blob_missing', at)
        })
        const brought = records.find(({ data }) => (data as { blob?: string }).blob === hash)?.seq as number
        assert.ok(
          content !== undefined || report.contents.lost.includes(hash) || inRanges(brought, report.lost),
          `${at}: ${hash} is gone`,
        )
      }
      const checkpoint = await store.checkpoints.newest()
      assert.equal(checkpoint?.seq, report.checkpointSeq, at)
      if (checkpoint !== undefined) assert.deepEqual(checkpoint.parts.get('slice'), { upTo: checkpoint.seq })
      const { lastSeq } = store.log.append([{ type: 'goes-on', data: 1 }])
      await store.log.durable(lastSeq)
      assert.ok(lastSeq > records.length - 1, at)
      const { faults, lost } = await store.log.verify({ blobs: 'whole' })
      assert.deepEqual(faults, [], at)
      assert.deepEqual(
        lost.map(({ first, last }) => ({ first, last })),
        report.lost,
        at,
      )
      const found = await store.index.find('type:kept')
      if (!isAbsent)
        assert.deepEqual(
          found,
          records.filter(({ type, seq }) => type === 'kept' && !inRanges(seq, report.lost)).map(({ seq }) => seq),
        )
      await store.close()
      cases++
      saved += report.records
      await rm(folder, { recursive: true })
    }
  }
  t.diagnostic(
    `${cases} cases, ${withLoss} with lost records, ${Math.round((100 * saved) / cases / records.length)} % of the records saved`,
  )
  assert.ok(saved / cases / records.length > 0.7 && withLoss > cases / 5)
})

test('a recovered store can be damaged, recovered, archived and copied again', async (t) => {
  const { dir, records } = await killed(t)
  const first = (await databaseFiles(dir, /\.ldb$/))[0] as string
  await flipByte(first, 5000)
  const once = await recoverStore(dir, { write: true })
  assert.ok(once.lost.length > 0)
  let store = await openStore({ dir, terms })
  await fill(store, store.log.headSeq + 300)
  const count = store.log.headSeq
  await store.checkpoints.write(store.log.durableSeq, [['slice', { upTo: store.log.durableSeq }]])
  await store.close()
  const again = (await databaseFiles(dir, /\.ldb$/)).at(-1) as string
  await rm(again)
  const twice = await recoverStore(dir, { write: true, now: () => 1_900_000_000_001 })
  store = await openStore({ dir })
  const { faults, lost } = await store.log.verify()
  assert.deepEqual(faults, [])
  assert.ok(lost.length >= once.lost.length || twice.lost.length > 0)
  assert.ok(store.log.headSeq > count)
  for (let i = 0; i < 2; i++) await store.checkpoints.write(store.log.durableSeq, [['slice', {}]])
  await store.archive({ before: Number.POSITIVE_INFINITY, segmentBytes: 20_000 })
  assert.deepEqual((await store.log.verify()).faults, [])
  const copy = await store.copy()
  assert.equal((await checkCopy(copy.parts)).head.seq, store.log.headSeq)
  await copy.close()
  await store.close()
  assert.ok(records.length > 0)
})

test('an undamaged store is left as it is; a gap that no recovery names is a fault', async (t) => {
  const { dir, records } = await killed(t)
  const before = await contentOf(dir)
  const report = await recoverStore(dir, { write: true })
  assert.deepEqual([report.damaged, report.lost, report.records, report.original], [[], [], records.length, undefined])
  assert.deepEqual(await contentOf(dir), before)
  await tamper(dir, async (level) => {
    const values = [...(await level.iterator({ gte: logKey(1000), lt: logKey(2000) }).all())]
    const [key, value] = values[1] as [Buffer, Buffer]
    const taken = decodeEntry([key, value])
    const next = decodeEntry(values[2] as [Buffer, Buffer])
    const gap = { first: taken.first, last: lastSeqOf(taken), time: 1, reason: 'x', resumes: previousHashOf(next) }
    for (const commit of encodeGap(previousHashOf(taken), gap)) await level.put(key, commit.value)
  })
  const store = await openStore({ dir, terms })
  assert.match((await store.log.verify()).faults[0]?.detail ?? '', /^no recovery names the gap of the records/)
  await store.close()
})

test('files of the archive that are damaged are named one by one, and each gap says which of them', async (t) => {
  const dir = await tempDir(t)
  let store = await openStore({ dir })
  await fill(store, 60)
  for (let i = 0; i < 2; i++) await store.checkpoints.write(60, [['slice', {}]])
  await store.archive({ before: Number.POSITIVE_INFINITY, segmentBytes: 1 })
  await store.close()
  const files = (await readdir(join(dir, 'archive'))).sort()
  assert.ok(files.length > 20)
  // Each other one, and ten one after the other: not packed any more, cut off, or with another byte.
  const damaged = files.filter((_, i) => i % 2 === 1 || (i > 10 && i < 20))
  for (const [i, file] of damaged.entries()) {
    const path = join(dir, 'archive', file)
    if (i % 3 === 0) await writeFile(path, 'not packed')
    else if (i % 3 === 1) await truncate(path, 0)
    else await flipByte(path, -6)
  }
  const report = await recoverStore(dir, { write: true })
  const detail = 'it does not match its checksum'
  assert.deepEqual(
    report.damaged,
    damaged.map((file) => ({ file: join('archive', file), detail })),
  )
  store = await openStore({ dir, terms })
  const { lost, faults } = await store.log.verify()
  await store.close()
  assert.deepEqual(faults, [])
  const says = (file: string) => `${join('archive', file)}: ${detail}`
  const first = (file: string) => Number(file.slice(0, file.indexOf('-')))
  // Those before, the run as one gap whose reason is cut, and those behind it.
  const run = files.slice(11, 20)
  const alone = damaged.filter((file) => !run.includes(file))
  const reasons = [...alone, run[0]!].sort().map((file) => [first(file), says(file)])
  const whole = run.map(says).join('; ')
  assert.ok(whole.length > 500)
  assert.deepEqual(
    lost.map((gap) => [gap.first, gap.reason]),
    reasons.map(([at, reason]) => [at, at === first(run[0]!) ? whole.slice(0, 500) : reason]),
  )
  assert.deepEqual(
    report.lost.map((range) => range.first),
    reasons.map(([at]) => at),
  )
})

test('an archive whose entries are lost is read from its files; those that are none are named', async (t) => {
  const dir = await tempDir(t)
  let store = await openStore({ dir, now: () => 1_700_000_000_000 })
  const kept = await store.blobs.stage('named in the archive')
  await store.log.durable(store.log.append([{ type: 'kept', data: kept.hash }], [kept]).lastSeq)
  await fill(store, 60)
  for (let i = 0; i < 2; i++) await store.checkpoints.write(60, [['slice', {}]])
  await store.archive({ before: Number.POSITIVE_INFINITY, segmentBytes: 1500 })
  const records = await allRecords(store)
  await store.close()
  const archive = join(dir, 'archive')
  const files = (await readdir(archive)).sort()
  assert.ok(files.length > 3, `${files.length} files`)
  await tamper(dir, async (level) => {
    for await (const key of level.keys()) if (key[0] === keys.segment) await level.del(key)
  })
  const whole = join(await tempDir(t), 'store')
  await cp(dir, whole, { recursive: true })
  const report = await recoverStore(whole, { write: true })
  assert.deepEqual([report.damaged, report.lost, report.records], [[], [], 60])
  const undamaged = join(await tempDir(t), 'store')
  await cp(dir, undamaged, { recursive: true })

  // The names sort before and behind those of the segments.
  const [first = '', second = '', third = ''] = files
  const texts = await unpackSegment(await readFile(join(archive, second)))
  assert.ok(texts.length > 2, `${texts.length} commits`)
  const bytes = (list: readonly string[]) => packSegment(list.map((text) => Buffer.from(text)))
  const at = (seq: number, name: string) => join(archive, `${String(seq).padStart(13, '0')}-${name}.log.gz`)
  await writeFile(at(900, 'empty'), await bytes([]))
  await writeFile(at(901, 'no-zip'), 'no zip')
  await writeFile(at(902, 'gap'), await bytes([texts[0]!, texts[2]!]))
  await writeFile(at(903, 'text'), await bytes(['no commit']))
  await writeFile(at(904, 'twice'), await readFile(join(archive, first)))
  await writeFile(join(archive, 'notes.txt'), 'not of the archive')
  await mkdir(at(905, 'folder'))
  await flipByte(join(archive, third), 30)
  const found = await recoverStore(dir, { write: true, now: () => 1_800_000_000_000 })
  assert.deepEqual(
    found.damaged.map(({ file, detail }) => [file.slice(file.lastIndexOf('-') + 1), detail.replace(/[A-Z]+: .*/, '…')]),
    [
      [third.slice(third.lastIndexOf('-') + 1), found.damaged[0]!.detail],
      ['empty.log.gz', 'it is empty'],
      ['zip.log.gz', 'incorrect header check'],
      ['gap.log.gz', found.damaged[3]!.detail],
      ['text.log.gz', 'a commit is malformed (9 characters)'],
      ['folder.log.gz', 'it cannot be read: …'],
    ],
  )
  assert.match(found.damaged[3]!.detail, /does not follow|hash/)
  const [lost, ...more] = found.lost
  assert.deepEqual(more, [])
  assert.equal(lost?.first, Number(third.slice(0, 13)))
  store = await openStore({ dir })
  t.after(() => store.close())
  const all = await allRecords(store)
  for (const record of records)
    if (record.seq < lost!.first || record.seq > lost!.last) assert.deepEqual(all[record.seq - 1], record)
    else assert.equal(all[record.seq - 1]?.type, 'log.lost')
  assert.equal((await store.blobs.get(kept.hash)).toString(), 'named in the archive')
})

test('contents that are lost are told when a record names them, once; a text that looks like a hash is none', async (t) => {
  const dir = await tempDir(t)
  let store = await openStore({ dir, now: () => 1_700_000_000_000 })
  const named = await store.blobs.stage('named')
  const unnamed = await store.blobs.stage('named by none')
  const kept = await store.blobs.stage('kept')
  const alike = `sha256:${'a'.repeat(64)}`
  store.log.append([{ type: 'a', data: [named.hash, alike] }], [named, unnamed])
  await store.log.durable(store.log.append([{ type: 'b', data: kept.hash }], [kept]).lastSeq)
  await store.close()
  /** Removes a content from the files of the database, too: recovery reads what they hold. */
  const remove = (hash: string) =>
    tamper(dir, async (level) => {
      await level.del(blobKey(hashBytes(hash)))
      await level.compactRange(Buffer.of(0), Buffer.of(255))
    })
  await remove(unnamed.hash)
  const fine = await recoverStore(dir, { write: true })
  assert.deepEqual([fine.damaged, fine.contents], [[], { saved: 2, lost: [] }])
  await remove(named.hash)
  const first = await recoverStore(dir, { write: true, now: () => 1_800_000_000_000 })
  assert.deepEqual(first, {
    damaged: [{ file: 'db', detail: 'contents are missing that records name' }],
    records: 2,
    lost: [],
    lostRecords: 0,
    contents: { saved: 1, lost: [named.hash] },
    absent: [],
    original: `${dir}.1800000000000`,
  })
  // It is known now: nothing is to be saved any more, and the record of the first recovery says so for ever.
  const second = await recoverStore(dir, { write: true })
  assert.deepEqual(
    [second.damaged, second.records, second.contents, second.original],
    [[], 3, { saved: 1, lost: [named.hash] }, undefined],
  )
  store = await openStore({ dir })
  assert.deepEqual((await allRecords(store)).at(-1)?.type, 'log.recovered')
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  await fill(store, 30)
  await store.close()
  // Another one and some records are lost: those of before stay told, and what looks like a hash may have been one.
  await remove(kept.hash)
  await tamper(dir, (level) => level.del(logKey(5)))
  const third = await recoverStore(dir, { write: true, now: () => 1_900_000_000_000 })
  assert.deepEqual(third.lost, [{ first: 5, last: 6 }])
  assert.deepEqual(third.damaged, [{ file: 'db', detail: 'the log is not whole up to its head' }])
  assert.deepEqual(third.contents, { saved: 0, lost: [named.hash, kept.hash, alike].sort() })
  store = await openStore({ dir })
  const { faults, lost } = await store.log.verify({ blobs: 'whole' })
  assert.deepEqual([faults, lost.map(({ first, last }) => [first, last])], [[], [[5, 6]]])
  const [next] = (await store.log.commitOf(20)) ?? []
  await store.close()
  // What was lost before is named by the next recovery, too.
  await tamper(dir, (level) => level.del(logKey(next!.seq)))
  const { contents } = await recoverStore(dir, { write: true })
  assert.deepEqual(contents, third.contents)
  store = await openStore({ dir })
  t.after(() => store.close())
  assert.deepEqual((await store.log.verify()).faults, [])
  assert.deepEqual(
    (await store.log.verify()).lost.map(({ first }) => first),
    [5, next!.seq],
  )
})
