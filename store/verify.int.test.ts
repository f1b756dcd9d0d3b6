/** What a verification says of each kind of damage that comes while the store is open. */
import assert from 'node:assert/strict'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Archive } from './archive.ts'
import { BlobStore } from './blobs.ts'
import { decodeEntry, encodeCommit, encodeGap, hashOf, logKey, noHash, previousHashOf } from './commit.ts'
import { Database, databasePath, keys, metaKey, type Op, rangeOf, seqBytes } from './database.ts'
import { tempDir } from './fixtures/stores.ts'
import { openStore } from './index.ts'
import { LogReader } from './log-reader.ts'
import { plainCodec } from './record-codec.ts'
import { addTerms, bucketKey, encodeChunk, type TermMap, withChecksum } from './term-chunks.ts'
import { TermStore } from './term-index.ts'
import type { LogRecord, VerifyOptions } from './types.ts'
import { type VerifyParts, verify } from './verify.ts'
import { WriteLane } from './write-lane.ts'

/** First records of the commits; the log ends with record 12. The commits before record 6 are in the archive. */
const firsts = [1, 2, 4, 6, 7, 9, 12]
const last = 12

/** The parts of a store with such a log and a blob that record 7 brought in and record 12 names. */
async function openParts(t: TestContext) {
  const dir = await tempDir(t)
  let now = 1000
  const store = await openStore({ dir, now: () => now++ })
  let blob = ''
  for (const [i, first] of firsts.entries()) {
    const count = (firsts[i + 1] ?? last + 1) - first
    const staged = first === 7 ? [await store.blobs.stage('content '.repeat(50))] : []
    blob = staged[0]?.hash ?? blob
    const records = Array.from({ length: count }, (_, n) => ({ type: 'thing', data: { n, blob } }))
    await store.log.durable(store.log.append(records, staged).lastSeq)
  }
  await store.checkpoints.write(6, [['slice', {}]])
  assert.equal((await store.archive({ before: 6, segmentBytes: 1 })).through, 5)
  await store.close()

  const database = await Database.open(databasePath(dir), false)
  t.after(() => database.close())
  const lane = new WriteLane(database)
  const archive = await Archive.open(database, dir)
  const end = decodeEntry((await database.logEntryBefore(last + 1)) ?? assert.fail())
  const reader = new LogReader(database, archive, plainCodec, () => last, assert.fail)
  const parts: VerifyParts = {
    ...{ database, archive, reader, blobs: new BlobStore(database, lane), terms: undefined, codec: plainCodec },
    index: await TermStore.open(database, last),
    head: { seq: last, hash: hashOf(end), time: 0 },
    witness: { seq: last, hash: hashOf(end) },
  }
  return { dir, parts, database, blob }
}

test('each damage is a fault of its kind, with its place, and what is whole beside it is still checked', async (t) => {
  const { parts, database, blob } = await openParts(t)
  const commit = async (first: number) => decodeEntry([logKey(first), (await database.get(logKey(first)))!])
  const texts = new Map(await Promise.all([6, 7, 9, 12].map(async (n) => [n, (await commit(n)).text] as const)))
  const put = (first: number, text: string): Op => ({ type: 'put', key: logKey(first), value: Buffer.from(text) })
  const del = (first: number): Op => ({ type: 'del', key: logKey(first) })
  const hash = (first: number) => texts.get(first)!.slice(0, 64)

  /** Runs a verification with some changes, which are undone. */
  async function faults(ops: readonly Op[], options: VerifyOptions = {}, more: Partial<VerifyParts> = {}) {
    const before = await Promise.all(ops.map(async ({ key }) => [key, await database.get(key)] as const))
    await database.batch([...ops], false)
    const report = await verify({ ...parts, ...more }, options)
    await database.batch(
      before.map(([key, value]): Op => (value === undefined ? { type: 'del', key } : { type: 'put', key, value })),
      false,
    )
    assert.equal(report.ok, report.faults.length === 0)
    const { records, commits } = report
    return {
      counted: [records, commits],
      faults: report.faults.map(({ kind, seq, detail }) => [kind, seq, detail.replace(/ \(\d+\.ldb\)$/, '')]),
    }
  }
  const whole = { counted: [12, 7], faults: [] }
  const missing = (from: number, to: number) => {
    const seqs = from === to ? `record ${from} is` : `records ${from}..${to} are`
    return ['missing-records', from, `the log has a gap: ${seqs} missing or unreadable`]
  }
  const notFollowing = (first: number) => [
    ...['chain-broken', first],
    `the commit at seq ${first} does not follow the one before it (previous hash differs)`,
  ]
  assert.deepEqual(await faults([]), whole)
  assert.deepEqual(await faults([], { blobs: 'whole' }), whole)

  // Commits that are missing: one fault for each gap, at the end too. What comes after it cannot follow it.
  assert.deepEqual(await faults([del(6)]), { counted: [11, 6], faults: [missing(6, 6)] })
  assert.deepEqual(await faults([del(7), del(9)]), { counted: [7, 5], faults: [missing(7, 11)] })
  assert.deepEqual(await faults([del(12)]), { counted: [11, 6], faults: [missing(12, 12)] })
  assert.deepEqual(await faults([del(6), del(7), del(9), del(12)]), { counted: [5, 3], faults: [missing(6, 12)] })

  // Commits that are another one.
  assert.deepEqual(await faults([put(9, texts.get(9)!.replace('"n":1', '"n":7'))]), {
    counted: [12, 7],
    faults: [['hash-mismatch', 9, 'the commit of records 9..11 does not match its hash']],
  })
  const forged = encodeCommit(hash(7), 9, 3, [], texts.get(9)!.slice(157).replace('"n":1', '"n":7'))
  assert.deepEqual(await faults([put(9, forged.value.toString())]), { counted: [12, 7], faults: [notFollowing(12)] })
  const astray = encodeCommit(noHash, 12, 1, [], '[[1,"thing",null,null,0,null]]')
  const notDurable = `the commit that ends at seq 12 is not the one that was durable (file witness)`
  const notHead = 'the last commit is not the one that the head of the log names (seq 12)'
  assert.deepEqual(await faults([put(12, astray.value.toString())]), {
    counted: [12, 7],
    faults: [notFollowing(12), ['witness-mismatch', 12, notDurable], ['head-mismatch', 12, notHead]],
  })
  assert.deepEqual(await faults([put(9, 'no commit')]), {
    counted: [9, 6],
    faults: [['malformed', 9, 'the commit at seq 9 is malformed (9 characters)'], missing(9, 11)],
  })
  assert.deepEqual(await faults([put(9, texts.get(7)!)]), {
    counted: [9, 6],
    faults: [['malformed', 9, 'the commit stored for seq 9 says that it starts at 7'], missing(9, 11)],
  })

  // What the head and the witness name.
  const other = { seq: last, hash: 'f'.repeat(64), time: 0 }
  assert.deepEqual(await faults([], {}, { head: other }), {
    counted: [12, 7],
    faults: [['head-mismatch', 12, notHead]],
  })
  assert.deepEqual(await faults([], {}, { head: { seq: 14, hash: hash(12), time: 0 } }), {
    counted: [12, 7],
    faults: [missing(13, 14)],
  })
  assert.deepEqual(await faults([], {}, { head: { seq: 11, hash: hash(9), time: 0 } }), {
    counted: [11, 6],
    faults: [],
  })
  assert.deepEqual(await faults([], {}, { witness: other }), {
    counted: [12, 7],
    faults: [['witness-mismatch', 12, notDurable]],
  })
  for (const witness of [undefined, { seq: 11, hash: hash(9) }, { seq: 10, hash: other.hash }])
    assert.deepEqual(await faults([], {}, { witness }), whole)

  // What the caller expects.
  const expected = [9, 10, 11].map((seq) => ({ seq, hash: hash(9).slice(0, 16) }))
  assert.deepEqual(await faults([], { expect: expected }), whole)
  const wrong = [
    { seq: 8, hash: hash(9) },
    { seq: 12, hash: hash(9) },
    { seq: 13, hash: hash(12) },
  ]
  assert.deepEqual(await faults([], { expect: wrong }), {
    counted: [12, 7],
    faults: [
      ['not-as-expected', 8, `record 8 is in a commit with the hash ${hash(7)}, not ${hash(9)}`],
      ['not-as-expected', 12, `record 12 is in a commit with the hash ${hash(12)}, not ${hash(9)}`],
      ['not-as-expected', 13, 'record 13, which is expected, is not in the log'],
    ],
  })

  // A gap that a recovery left is a fault unless the recovery vouches for it.
  const gap = { first: 9, last: 11, time: 1, reason: 'lost', resumes: previousHashOf(await commit(12)) }
  const [filled] = [...encodeGap(hash(7), gap)]
  const withGap = put(9, filled!.value.toString())
  assert.deepEqual(await faults([withGap]), {
    counted: [12, 7],
    faults: [['chain-broken', 9, 'no recovery names the gap of the records 9..11']],
  })
  const recovery = (lost: readonly object[]) => {
    const note = JSON.stringify({ recovery: { time: 1, lost, contents: [], damaged: [], original: '' } })
    const { hash: own, value } = encodeCommit(hash(12), 13, 1, [], note)
    return { op: put(13, value.toString()), head: { seq: 13, hash: own, time: 0 } }
  }
  const vouching = recovery([{ first: 9, last: 11, hash: filled!.hash }])
  assert.deepEqual(await faults([withGap, vouching.op], {}, { head: vouching.head }), { counted: [13, 8], faults: [] })
  const another = recovery([{ first: 9, last: 11, hash: other.hash }])
  assert.deepEqual(await faults([withGap, another.op], {}, { head: another.head }), {
    counted: [13, 8],
    faults: [['chain-broken', 9, 'no recovery names the gap of the records 9..11']],
  })

  // Contents: a missing one is a fault when a record names it, a changed one when all are read.
  const key = Buffer.concat([Buffer.from('o'), Buffer.from(blob.slice('sha256:'.length), 'hex')])
  assert.notEqual(await database.get(key), undefined)
  const gone: Op = { type: 'del', key }
  const named = `the blob ${blob} is missing; the commit at seq 7 brought it in`
  assert.deepEqual(await faults([gone]), { counted: [12, 7], faults: [['blob-missing', 7, named]] })
  const unnamed = [7, 9, 12].map((first) => put(first, texts.get(first)!.replaceAll(`"blob":"${blob}"`, '"blob":""')))
  const { faults: left } = await faults([gone, ...unnamed])
  assert.deepEqual([...new Set(left.map(([kind]) => kind))], ['hash-mismatch'])
  const flipped = async (one: Buffer): Promise<Op> => {
    const value = Buffer.from((await database.get(one))!)
    value[value.length >> 1]! ^= 1
    return { type: 'put', key: one, value }
  }
  assert.deepEqual(await faults([await flipped(key)]), { counted: [12, 7], faults: [['blob-missing', 7, named]] })
  const pieces: Buffer[] = []
  for await (const chunk of database.chunks(rangeOf(keys.piece))) pieces.push(...chunk.map(([one]) => one))
  assert.equal(pieces.length, 1)
  const changed = await flipped(pieces[0]!)
  assert.deepEqual(await faults([changed]), whole)
  const found = await faults([changed], { blobs: 'whole' })
  assert.deepEqual(
    found.faults.map(([kind]) => kind),
    ['blob-corrupt'],
  )
  assert.match(String(found.faults[0]?.[2]), new RegExp(blob))
})

test('a file of the archive that is not in its place is named as absent, a changed one is a fault', async (t) => {
  const { dir, parts, database } = await openParts(t)
  const [first, ...others] = parts.archive.segments
  assert.deepEqual([first?.first, others.at(-1)?.last], [1, 5])
  const path = join(dir, 'archive', first!.file)
  const again = async () => {
    const archive = await Archive.open(database, dir)
    const { absent, faults, records } = await verify({ ...parts, archive }, {})
    return { absent, records, faults: faults.map(({ kind }) => kind) }
  }
  assert.deepEqual(await again(), { absent: [], records: 12, faults: [] })
  await rename(path, `${path}.away`)
  const lost = first!.last - first!.first + 1
  assert.deepEqual(await again(), { absent: [first!.file], records: 12 - lost, faults: [] })
  const bytes = await readFile(`${path}.away`)
  bytes[bytes.length - 5]! ^= 1
  await writeFile(path, bytes)
  assert.deepEqual(await again(), { absent: [], records: 12 - lost, faults: ['file-damaged'] })
  await rename(`${path}.away`, path)
  assert.deepEqual(await again(), { absent: [], records: 12, faults: [] })
})

test('each chunk of the index is derived again: one that differs or is missing is a fault', async (t) => {
  const { dir, parts, database } = await openParts(t)
  const terms = ({ seq, data }: LogRecord) => [`odd:${seq % 2}`, `n:${(data as { n: number }).n}`]
  const indexed = async (first: number, to: number): Promise<Op[]> => {
    const map: TermMap = new Map()
    for await (const records of parts.reader.read({ from: first, to }))
      for (const one of records) addTerms(map, terms, one)
    return encodeChunk(map, first, to).map((value, bucket) => ({ type: 'put', key: bucketKey(bucket, first), value }))
  }
  const chunks = [await indexed(1, 4), await indexed(5, 8), await indexed(9, 11)]
  const cursor = (through: number): Op => ({
    ...{ type: 'put', key: metaKey('index'), value: withChecksum(seqBytes(through)) },
  })
  const check = async (ops: readonly Op[]) => {
    for await (const found of database.chunks(rangeOf(keys.term)))
      await database.batch(
        found.map(([key]): Op => ({ type: 'del', key })),
        false,
      )
    await database.batch([...ops], false)
    const { faults } = await verify({ ...parts, terms, index: await TermStore.open(database, last, terms) }, {})
    return faults.map(({ kind, seq, detail }) => [kind, seq, detail])
  }
  const [a, b, c] = chunks as [Op[], Op[], Op[]]
  const fault = (first: number, to: number) => [
    ...['index-mismatch', first],
    `the index of the records ${first}..${to} is not what the log says; rebuild it`,
  ]
  const missing = (first: number, to: number) => [
    ...['index-mismatch', first],
    `the index has no chunk for the records ${first}..${to}; rebuild it`,
  ]
  assert.deepEqual(await check([cursor(11), ...a, ...b, ...c]), [])
  // A chunk that was being written at a crash says nothing.
  assert.deepEqual(await check([cursor(8), ...a, ...b, ...c.slice(0, 3)]), [])
  assert.deepEqual(await check([cursor(11), ...a, ...c]), [missing(5, 8)])
  assert.deepEqual(await check([cursor(11), ...b, ...c]), [missing(1, 4)])
  assert.deepEqual(await check([cursor(11), ...a, ...b]), [missing(9, 11)])
  assert.deepEqual(await check([cursor(11)]), [missing(1, 11)])
  assert.deepEqual(await check([cursor(11), ...a.slice(0, 63), ...b, ...c]), [fault(1, 4)])
  const map: TermMap = new Map([['odd:1', [5, 6, 7]]])
  const wrong = encodeChunk(map, 5, 8).map((value, i): Op => ({ type: 'put', key: bucketKey(i, 5), value }))
  assert.deepEqual(await check([cursor(11), ...a, ...wrong, ...c]), [fault(5, 8)])
  // Of records whose file is elsewhere it cannot be told.
  const archive = await Archive.open(database, dir)
  await rename(join(dir, 'archive', archive.segments[0]!.file), join(dir, 'away'))
  const reader = new LogReader(
    database,
    archive,
    plainCodec,
    () => last,
    () => {},
  )
  await database.batch([...wrong.map(({ key }): Op => ({ type: 'del', key })), ...b], false)
  const index = await TermStore.open(database, last, terms)
  assert.deepEqual((await verify({ ...parts, archive, reader, terms, index }, {})).faults, [])
})
