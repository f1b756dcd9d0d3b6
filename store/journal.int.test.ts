/** The point of this file: what was acknowledged is in the log again although LevelDB has lost it, and the journal never invents anything. */
import assert from 'node:assert/strict'
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
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
import { acceptLoss, type LogRecord, openStore, type Store } from './index.ts'
import { journalFile, readJournal } from './journal.ts'

/** However slow the disk is at the moment: what a test cuts off LevelDB's file must be in the journal. */
const journal = { slowMs: Number.POSITIVE_INFINITY }
const skip = process.platform === 'linux' ? false : 'the journal is for Linux'

/** Appends single records, one after the other, until there are `count`. */
async function alone(store: Store, count: number, payload = 40): Promise<void> {
  while (store.log.headSeq < count) {
    const n = store.log.headSeq + 1
    const { lastSeq } = store.log.append([{ type: 'alone', jobId: `job-${n}`, data: { n, text: 'ä'.repeat(payload) } }])
    await store.log.durable(lastSeq)
  }
}

interface PowerFailure {
  /** What is left: LevelDB has lost all that it had not synced. */
  readonly dir: string
  readonly records: readonly LogRecord[]
  /** Last record that LevelDB still has. */
  readonly synced: number
}

/**
 * A store with `before` records, closed and opened again; then single callers up to `count`; then the power fails, and takes from LevelDB's log
 * file what was written since.
 */
async function powerFailure(t: TestContext, before: number, count: number): Promise<PowerFailure> {
  const dir = await tempDir(t)
  await fillAndClose(dir, before)
  const store = await openStore({ dir, terms, journal })
  const [log = ''] = await databaseFiles(dir, /\.log$/)
  const size = (await stat(log)).size
  await alone(store, count)
  const copy = await crashCopy(t, dir)
  await truncate(join(copy, 'db', basename(log)), size)
  const records = await allRecords(store)
  await store.close()
  return { dir: copy, records, synced: before }
}

async function fillAndClose(dir: string, count: number): Promise<void> {
  const store = await openStore({ dir, terms, journal })
  await fill(store, count)
  await store.close()
}

async function opens(dir: string, records: readonly LogRecord[]): Promise<string> {
  const store = await openStore({ dir, terms, journal })
  assert.equal(store.health.state, 'ok')
  assert.deepEqual(await allRecords(store), records)
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  const found = await store.index.find('type:alone')
  assert.deepEqual(
    found,
    records.filter(({ type }) => type === 'alone').map(({ seq }) => seq),
  )
  const detail = String(store.health.detail)
  const { lastSeq } = store.log.append([{ type: 'goes-on', data: null }])
  await store.log.durable(lastSeq)
  assert.equal(lastSeq, records.length + 1)
  await store.close()
  return detail
}

async function refusal(dir: string): Promise<string> {
  return (await refused(dir, 'store_truncated')).message
}

test('a power failure: what LevelDB had not synced comes back from the journal', { skip }, async (t) => {
  const { dir, records, synced } = await powerFailure(t, 100, 400)
  assert.equal((await readJournal(dir)).length, 300)
  assert.equal(
    await opens(dir, records),
    `${400 - synced} commits that the database had lost were put back from the file journal`,
  )
  assert.equal((await readJournal(dir)).length, 0, 'a clean end leaves nothing to put back')
  assert.equal(await opens(dir, [...records, ...(await lastOf(dir))]), 'undefined')
})

async function lastOf(dir: string): Promise<LogRecord[]> {
  const store = await openStore({ dir, terms, journal })
  const last = (await store.log.get(store.log.headSeq)) as LogRecord
  await store.close()
  return [last]
}

test('a new log has its journal after some commits, and none when all of them are large', { skip }, async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms, journal })
  await alone(store, 31)
  await assert.rejects(stat(join(dir, journalFile)))
  await alone(store, 200)
  assert.ok((await readJournal(dir)).length > 100)
  await store.close()

  const large = await tempDir(t)
  const other = await openStore({ dir: large, terms })
  await alone(other, 100, 10_000)
  await other.close()
  await assert.rejects(stat(join(large, journalFile)))
})

test('a record can be read as soon as it is acknowledged', { skip }, async (t) => {
  const dir = await tempDir(t)
  await fillAndClose(dir, 100)
  const store = await openStore({ dir, terms, journal })
  for (let i = 0; i < 50; i++) {
    const { lastSeq } = store.log.append([{ type: 'now', data: i }])
    await store.log.durable(lastSeq)
    const [got, all] = await Promise.all([store.log.get(lastSeq), allRecords(store)])
    assert.equal(got?.data, i)
    assert.equal(all.length, lastSeq)
  }
  await store.close()
})

test('damage in the .log file of commits that the journal has is made good, and nothing is left over', {
  skip,
}, async (t) => {
  const dir = await tempDir(t)
  await fillAndClose(dir, 100)
  const store = await openStore({ dir, terms, journal })
  await alone(store, 300)
  const copy = await crashCopy(t, dir)
  const records = await allRecords(store)
  await store.close()
  const [log = ''] = await databaseFiles(copy, /\.log$/)
  await flipByte(log, 1000)
  assert.match(await opens(copy, records), /^\d+ commits .* were put back .*; LevelDB left out a torn part/)
  assert.deepEqual(
    (await readdir(copy)).filter((name) => name.startsWith('damaged')),
    [],
  )
})

test('a commit that LevelDB lost in the middle is put back', { skip }, async (t) => {
  const { dir, records } = await powerFailure(t, 100, 101)
  const store = await openStore({ dir, terms, journal })
  await alone(store, 140)
  const copy = await crashCopy(t, dir)
  const all = [...records, ...(await allRecords(store)).slice(records.length)]
  await store.close()
  await tamper(copy, async (level) => {
    await level.del(logKey(110))
    await level.del(logKey(111))
  })
  assert.match(await opens(copy, all), /^2 commits/)
})

test('more than the journal holds: each half is used again when its commits are in table files', {
  skip,
}, async (t) => {
  const dir = await tempDir(t)
  await fillAndClose(dir, 100)
  const store = await openStore({ dir, terms, journal })
  const count = 1500
  await alone(store, count, 1000) // 2 bytes each: five sectors a frame, seven halves in all
  const copy = await crashCopy(t, dir)
  const records = await allRecords(store)
  await store.close()
  const kept = await readJournal(copy)
  assert.ok(kept.length > 400 && kept.length < count - 100, `${kept.length} frames`)
  for (const log of await databaseFiles(copy, /\.log$/)) await truncate(log, 0)
  assert.match(await opens(copy, records), /commits that the database had lost/)
})

test('what does not follow the log is left out, and the end is known to be missing', { skip }, async (t) => {
  const { dir, records, synced } = await powerFailure(t, 100, 200)
  const [, second] = await readJournal(dir)
  const at = (await readFile(join(dir, journalFile))).indexOf(second?.text as string)
  await flipByte(join(dir, journalFile), at + 170)
  await rm(join(dir, 'witness'))
  assert.match(await refusal(dir), new RegExp(`ends at seq ${synced + 1}, but seq ${records.length} was durable`))
  await refusal(dir)
  const accepted = await acceptLoss(dir, { now: () => 1 })
  assert.equal(accepted.anchorSeq, synced + 1)
  const store = await openStore({ dir, terms, journal })
  assert.equal(store.log.headSeq, synced + 2)
  assert.equal((await store.log.get(synced + 2))?.type, 'log.recovered')
  await store.close()
})

test('a torn last frame was never acknowledged', { skip }, async (t) => {
  const { dir, records } = await powerFailure(t, 100, 200)
  const last = (await readJournal(dir)).at(-1)
  const file = join(dir, journalFile)
  const bytes = await readFile(file)
  const at = bytes.indexOf(last?.text as string)
  bytes.fill(0, at + 200, at + 1000)
  await writeFile(file, bytes)
  await rm(join(dir, 'witness')) // it knows the last commit, which was acknowledged here
  await opens(dir, records.slice(0, -1))
})

test('rubbish in the journal, or an empty one, is ignored', { skip }, async (t) => {
  const dir = await tempDir(t)
  await fillAndClose(dir, 100)
  const store = await openStore({ dir, terms, journal })
  const records = await allRecords(store)
  await store.close()
  for (const content of [Buffer.alloc(0), Buffer.alloc(100_000, 'gjf1'), Buffer.alloc(8192, 0xff)]) {
    const copy = await crashCopy(t, dir)
    await writeFile(join(copy, journalFile), content)
    await opens(copy, records)
  }
})

test('the journal of another log is refused: something is missing, or does not belong here', { skip }, async (t) => {
  const { dir } = await powerFailure(t, 100, 160)
  const other = await tempDir(t)
  await fillAndClose(other, 120)
  const store = await openStore({ dir: other, terms })
  const records = await allRecords(store)
  await store.close()
  await cp(join(dir, journalFile), join(other, journalFile))
  assert.match(await refusal(other), /ends at seq 120, but seq 160 was durable/)
  await rm(join(other, journalFile))
  await opens(other, records)
})

test('a journal without its database does not begin a log', { skip }, async (t) => {
  const { dir } = await powerFailure(t, 40, 100)
  await rm(join(dir, 'db'), { recursive: true })
  await rm(join(dir, 'witness'))
  assert.match(await refusal(dir), /ends at seq 0, but seq 100 was durable/)
})
