/**
 * Commits that an earlier version acknowledged are in the log even if only its journal has them, and the journal never
 * adds anything else. `fixtures/old-journal.json` was made by the last version with a journal: 47 records in LevelDB,
 * 48 to 61 in the journal only.
 */
import assert from 'node:assert/strict'
import { access, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { logKey } from './commit.ts'
import { allRecords, crashCopy, databaseFiles, flipByte, refused, tamper, tempDir, terms } from './fixtures/stores.ts'
import { type LogRecord, openStore, recoverStore } from './index.ts'

interface OldJournal {
  /** Keys and values of the database, base64. */
  readonly entries: readonly (readonly [key: string, value: string])[]
  readonly witness: string
  readonly journal: string
  /** All acknowledged records. */
  readonly records: readonly LogRecord[]
}

const old: OldJournal = JSON.parse(await readFile(new URL('./fixtures/old-journal.json', import.meta.url), 'utf8'))
const journal = Buffer.from(old.journal, 'base64')
const records: readonly LogRecord[] = old.records.map((record) => {
  const { seq, time, type, jobId, actor, correlationId, entity, data } = record
  return { seq, time, type, jobId, actor, correlationId, entity, data }
})
/** Last record that LevelDB has, and the first of the journal's commits after it. */
const synced = 47
const journalled = [48, 49, 50, 52, 53, 54, 55, 57, 58, 59, 60]

/** The directory after the power failure. */
async function afterPowerFailure(t: TestContext, bytes: Buffer = journal): Promise<string> {
  const dir = await tempDir(t)
  await mkdir(join(dir, 'db'))
  const decoded = (text: string): Buffer => Buffer.from(text, 'base64')
  await tamper(dir, (level) =>
    level.batch(old.entries.map(([key, value]) => ({ type: 'put', key: decoded(key), value: decoded(value) }))),
  )
  await writeFile(join(dir, 'witness'), decoded(old.witness))
  await writeFile(join(dir, 'journal'), bytes)
  return dir
}

/** Byte of the journal with the first seq of the commit that begins with `seq`, after its hashes. */
function placeOf(seq: number): number {
  const at = journal.indexOf(`${seq.toString(16).padStart(13, '0')}`)
  assert.ok(at > 0)
  return at
}

async function hasJournal(dir: string): Promise<boolean> {
  return access(join(dir, 'journal')).then(
    () => true,
    () => false,
  )
}

/**
 * Opens the directory, which must contain exactly these records and no journal afterwards; returns what the store
 * reports.
 */
async function opens(dir: string, expected: readonly LogRecord[]): Promise<string> {
  const store = await openStore({ dir, terms })
  assert.equal(store.health.state, 'ok')
  assert.equal(await hasJournal(dir), false)
  assert.deepEqual(await allRecords(store), expected)
  assert.deepEqual((await store.log.verify({ blobs: 'whole' })).faults, [])
  assert.deepEqual(
    await store.index.find('type:more'),
    expected.filter(({ type }) => type === 'more').map(({ seq }) => seq),
  )
  const detail = String(store.health.detail)
  const { lastSeq } = store.log.append([{ type: 'goes-on', data: null }])
  await store.log.durable(lastSeq)
  assert.equal(lastSeq, expected.length + 1)
  await store.close()
  return detail
}

async function refusal(dir: string): Promise<string> {
  const { message } = await refused(dir, 'store_truncated')
  assert.equal(await hasJournal(dir), true, 'what is not understood is kept')
  return message
}

test('commits that only the journal has are taken over, and the journal is removed', async (t) => {
  const dir = await afterPowerFailure(t)
  assert.equal(await opens(dir, records), '11 commits that the database had lost were put back from the file journal')
  const again = await openStore({ dir, terms })
  assert.equal(again.health.detail, undefined)
  assert.equal((await allRecords(again)).length, records.length + 1)
  await again.close()
})

test('a journal with nothing new is removed', async (t) => {
  const dir = await afterPowerFailure(t)
  await (await openStore({ dir, terms })).close()
  await writeFile(join(dir, 'journal'), journal)
  assert.equal(await opens(dir, records), 'undefined')
})

test('a commit that LevelDB lost in the middle is put back', async (t) => {
  const dir = await afterPowerFailure(t)
  await (await openStore({ dir, terms })).close()
  await tamper(dir, async (level) => {
    await level.del(logKey(50))
    await level.del(logKey(52))
  })
  await writeFile(join(dir, 'journal'), journal)
  assert.match(await opens(dir, records), /^2 commits/)
})

test('damage in the .log file of commits that the journal has is made good, and nothing is left over', async (t) => {
  const dir = await afterPowerFailure(t)
  const store = await openStore({ dir, terms })
  const copy = await crashCopy(t, dir)
  await store.close()
  const [log = ''] = await databaseFiles(copy, /\.log$/)
  await flipByte(log, 1000)
  await writeFile(join(copy, 'journal'), journal)
  assert.match(await opens(copy, records), /^11 commits .* were put back .*; LevelDB left out a torn part/)
  assert.deepEqual(
    (await readdir(copy)).filter((name) => name.startsWith('damaged')),
    [],
  )
})

test('opened read-only, the journal is read and stays', async (t) => {
  const dir = await afterPowerFailure(t)
  const store = await openStore({ dir, terms, readOnly: true })
  assert.equal((await allRecords(store)).length, records.length)
  await store.close()
  assert.equal(await hasJournal(dir), true)
})

test('what does not follow the log is left out, and the end is known to be missing', async (t) => {
  const damaged = Buffer.from(journal)
  damaged[placeOf(49) + 40] = 0x21
  const dir = await afterPowerFailure(t, damaged)
  await rm(join(dir, 'witness'))
  assert.match(await refusal(dir), new RegExp(`ends at seq ${synced + 1}, but seq ${records.length} was durable`))
  await refusal(dir)
  const { lost } = await recoverStore(dir, { write: true })
  assert.deepEqual(lost, [{ first: 49, last: 49 }])
  assert.equal(await hasJournal(dir), false)
  const store = await openStore({ dir, terms })
  const all = await allRecords(store)
  assert.deepEqual(all.slice(49, records.length), records.slice(49))
  assert.deepEqual([all[48]?.type, all[records.length]?.type], ['log.lost', 'log.recovered'])
  await store.close()
})

test('a torn last frame was never acknowledged', async (t) => {
  const torn = Buffer.from(journal)
  torn.fill(0, placeOf(journalled.at(-1) as number) + 20)
  const dir = await afterPowerFailure(t, torn)
  await rm(join(dir, 'witness')) // it knows the last commit, which was acknowledged here
  await opens(dir, records.slice(0, (journalled.at(-1) as number) - 1))
})

test('rubbish in the journal, or an empty one, is ignored', async (t) => {
  const dir = await afterPowerFailure(t)
  await (await openStore({ dir, terms })).close()
  for (const content of [Buffer.alloc(0), Buffer.alloc(100_000, 'gjf1'), Buffer.alloc(8192, 0xff)]) {
    const copy = await crashCopy(t, dir)
    await writeFile(join(copy, 'journal'), content)
    await opens(copy, records)
  }
})

test('the journal of another log is refused: something is missing, or does not belong here', async (t) => {
  const dir = await tempDir(t)
  const store = await openStore({ dir, terms })
  for (let n = 0; n < 20; n++) store.log.append([{ type: 'other', data: n }])
  await store.close()
  await writeFile(join(dir, 'journal'), journal)
  assert.match(await refusal(dir), /ends at seq 20, but seq 61 was durable/)
})

test('a journal without its database does not begin a log', async (t) => {
  const dir = await afterPowerFailure(t)
  await rm(join(dir, 'db'), { recursive: true })
  await rm(join(dir, 'witness'))
  assert.match(await refusal(dir), /ends at seq 0, but seq 61 was durable/)
})
