/** The check of an exported audit, on a chain made here: what it says of each way to change the file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeCommit, encodeGap, noHash } from '../../store/commit.ts'
import { makeRecord } from '../../store/record-codec.ts'
import type { LogRecord } from '../../store/types.ts'
import { jobCodec } from '../log/job-codec.ts'
import type { AuditEntry } from './audit.ts'
import { type ChainedEntry, type CommitProof, checkExport, type ExpectedRecord, readExpected } from './audit-chain.ts'

const at = (seq: number) => Date.UTC(2024, 0, 1) + seq * 1000
const accepted = (jobId: string) => ({
  ...{ type: 'job.accepted', jobId, actor: 'ada', correlationId: 'c' },
  data: { command: `do-${jobId}`, input: {} },
})
const event = (jobId: string, n: number) => ({
  type: 'thing.done',
  jobId,
  entity: `thing/${n}`,
  data: { n, list: [{ n }] },
})
const completed = (jobId: string) => ({ type: 'job.completed', jobId, data: { result: {} } })

/** The records of each commit. */
const batches = [
  [accepted('A'), event('A', 1), completed('A')],
  [accepted('B')],
  [event('B', 2), completed('B'), { type: 'core.noted', data: { text: 'by nobody' } }],
  [accepted('C'), completed('C')],
]

interface Made {
  readonly records: readonly LogRecord[]
  readonly proof: CommitProof
}

/** The commits of the batches. @param isSecret the places of those whose content is left out */
function commits(isSecret: readonly number[] = []): Made[] {
  let [seq, previous] = [1, noHash]
  return batches.map((batch, n) => {
    const first = seq
    const records = batch.map((record) => makeRecord(record, seq, at(seq++)))
    const { hash, value } = encodeCommit(previous, first, records.length, [], jobCodec.encode(records))
    const proof = isSecret.includes(n)
      ? { hash, first, count: records.length, previous }
      : { hash, content: value.toString().slice(64) }
    previous = hash
    return { records, proof }
  })
}

/** What the audit says of a record. */
function entryOf({ seq, time, ...record }: LogRecord): AuditEntry {
  const operation = record.jobId === undefined ? {} : { operation: `do-${record.jobId}` }
  const actor = record.jobId === undefined ? {} : { actor: 'ada' }
  const plain = JSON.parse(JSON.stringify({ ...actor, ...record })) as object
  return { seq, time: new Date(time).toISOString(), ...plain, ...operation } as AuditEntry
}

const linesOf = (made: readonly Made[]): ChainedEntry[] =>
  made.flatMap(({ records, proof }) =>
    records.map((record, i) => ({ ...entryOf(record), ...(i === records.length - 1 ? { commit: proof } : {}) })),
  )

type Check = Parameters<typeof checkExport>[1]
async function check(lines: readonly (ChainedEntry | string)[], options?: Check) {
  async function* all() {
    for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
  }
  return checkExport(all(), options)
}

/** The faults as `line seq: detail`. */
async function faults(lines: readonly (ChainedEntry | string)[], options?: Check): Promise<string[]> {
  const { ok, faults } = await check(lines, options)
  assert.equal(ok, faults.length === 0)
  return faults.map(({ line, seq, detail }) => `${line} ${seq ?? '-'}: ${detail}`)
}

const made = commits()
const lines = linesOf(made)
const hashOf = (n: number) => made[n]!.proof.hash

test('a whole file verifies, also with empty lines, with commits that have secrets, or from a later commit on', async () => {
  const whole = { redacted: 0, ok: true, faults: [], missing: [], lost: [], head: { seq: 9, hash: hashOf(3) } }
  assert.deepEqual(await check(lines), { ...whole, entries: 9, commits: 4, withheld: 0, first: 1 })
  assert.deepEqual(await check(['', ...lines, '  ']), { ...whole, entries: 9, commits: 4, withheld: 0, first: 1 })
  const withheld = linesOf(commits([1, 2]))
  assert.deepEqual(await check(withheld), { ...whole, entries: 9, commits: 4, withheld: 2, first: 1 })
  // The operation of B came with its acceptance, which is not in the file.
  assert.deepEqual(await check(lines.slice(4)), { ...whole, entries: 5, commits: 2, withheld: 0, first: 5 })
  assert.deepEqual(await check(lines.slice(1)), { ...whole, entries: 8, commits: 4, withheld: 0, first: 1 })
})

test('each change of an entry is named with its line and record', async () => {
  const without = ({ entity: _, ...entry }: ChainedEntry): ChainedEntry => entry
  const changes: readonly [number, (entry: ChainedEntry) => object][] = [
    [1, (entry) => ({ ...entry, actor: undefined })],
    [0, (entry) => ({ ...entry, actor: 'eve' })],
    [1, (entry) => ({ ...entry, operation: 'do-B' })],
    [1, (entry) => ({ ...entry, operation: undefined })],
    [6, (entry) => ({ ...entry, operation: 'do-B' })],
    [1, (entry) => ({ ...entry, type: 'thing.undone' })],
    [1, (entry) => ({ ...entry, entity: 'thing/2' })],
    [1, (entry) => without(entry)],
    [1, (entry) => ({ ...entry, jobId: 'B' })],
    [0, (entry) => ({ ...entry, correlationId: 'd' })],
    [1, (entry) => ({ ...entry, time: '2024-01-01T00:00:02.001Z' })],
    [1, (entry) => ({ ...entry, data: { n: 1, list: [{ n: 2 }] } })],
    [1, (entry) => ({ ...entry, data: { n: 1 } })],
    // The order of names means nothing; that of lists does.
    [1, (entry) => ({ ...entry, data: { list: [{ n: 1 }], n: 1 } })],
    [1, (entry) => Object.fromEntries(Object.entries(entry).reverse())],
  ]
  const said: (string[] | string)[] = []
  for (const [n, change] of changes) said.push(await faults(lines.with(n, change(lines[n]!) as ChainedEntry)))
  const fault = (seq: number) => [`${seq <= 3 ? 3 : 7} ${seq}: entry ${seq} is not what its record says`]
  assert.deepEqual(said, [
    ...[[], fault(1), fault(2), fault(2), fault(7), fault(2), fault(2), fault(2), fault(2), fault(1), fault(2)],
    ...[fault(2), fault(2), [], []],
  ])
})

const cutOff = 'the file is cut off, or it was exported without the chain'

test('entries and commits that are missing, added, moved or cut off are named', async () => {
  const [a, b, c, d, e, f, g] = lines as [ChainedEntry, ChainedEntry, ChainedEntry, ChainedEntry, ...ChainedEntry[]]
  const cases: readonly [readonly (ChainedEntry | string | undefined)[], string[]][] = [
    [[], ['0 -: the file has no entries']],
    [lines.slice(0, 8), [`8 8: the last 1 entries have no commit: ${cutOff}`]],
    [lines.toSpliced(1, 1), ['2 2: the entries 2..2 are missing']],
    [lines.toSpliced(4, 1), ['6 5: the entries 5..5 are missing']],
    [lines.toSpliced(4, 2), ['5 5: the entries 5..6 are missing']],
    [lines.toSpliced(3, 1), ['6 4: the records 4..4 are missing']],
    [lines.toSpliced(3, 4), ['5 4: the records 4..7 are missing']],
    [[a, a, b, c], ['4 1: entry 1 comes out of order']],
    [
      [a, c, b],
      ['2 2: the entries 2..2 are missing', `3 2: the last 1 entries have no commit: ${cutOff}`],
    ],
    [
      [b, a, c],
      ['3 1: entry 1 comes out of order', '3 2: the entries 2..2 are missing'],
    ],
    [[d, a, b, c], ['4 1: the commit of records 1..3 comes out of order']],
    [[a, b, c, { ...d, commit: c.commit! }], ['4 4: entry 4 is not one of its commit (1..3)']],
    [[a, b, c, { ...d, seq: 3 }], ['4 3: entry 3 is not one of its commit (4..4)']],
    [
      [a, b, c, { ...d, seq: 9 }],
      ['4 4: the entries 4..8 are missing', '4 9: entry 9 is not one of its commit (4..4)'],
    ],
    [['null', ...lines], ['1 -: the line is no entry of an audit (it has no seq)']],
    [[...lines, '{"seq":1.5}'], ['10 -: the line is no entry of an audit (it has no seq)']],
    // Two pages that share a commit: the second one begins within it.
    [[e, f, g, f, g], []],
    [[e, f, { ...g!, commit: made[2]!.proof }, g], []],
  ]
  for (const [file, expected] of cases) assert.deepEqual(await faults(file as ChainedEntry[]), expected)
  assert.match((await faults(['{', ...lines]))[0] ?? '', /^1 -: the line is no entry of an audit \(.+\)$/)
})

test('a commit that is damaged, another one than before, or chained to another one is named', async () => {
  const withCommit = (n: number, commit: CommitProof) => lines.with(n, { ...lines[n]!, commit })
  const { content } = made[1]!.proof as { content: string }
  assert.deepEqual(await faults(withCommit(3, { hash: hashOf(1), content: content.replace('ada', 'eve') })), [
    '4 4: the commit of records 4..4 does not match its hash',
    // It was not taken, so nothing is between the others.
    '7 4: the records 4..4 are missing',
  ])
  assert.deepEqual(await faults(withCommit(3, { hash: hashOf(1), content: 'x' })), [
    '4 4: a commit is malformed (65 characters)',
    '7 4: the records 4..4 are missing',
  ])
  const records = made[2]!.records
  const forged = encodeCommit(noHash, 5, 3, [], jobCodec.encode(records))
  assert.deepEqual(await faults(withCommit(6, { hash: forged.hash, content: forged.value.toString().slice(64) })), [
    '7 5: the commit at seq 5 does not follow the one before it',
    '9 8: the commit at seq 8 does not follow the one before it',
  ])
  const secret = { hash: 'f'.repeat(64), first: 5, count: 3, previous: hashOf(1) }
  assert.deepEqual(await faults([...lines.slice(0, 7), { ...lines[6]!, commit: secret }]), [
    '8 5: its commit is another one than before',
  ])
})

test('expected records pin the commits of a file', async () => {
  const expected = (seq: number, hash: string): ExpectedRecord => readExpected(` ${seq}:${hash} `)
  const all = made.flatMap(({ records, proof }) => records.map(({ seq }) => expected(seq, proof.hash.slice(0, 16))))
  assert.deepEqual(await faults(lines, { expect: all }), [])
  const other = 'AB'.repeat(32)
  assert.deepEqual(await faults(lines.slice(0, 7), { expect: [expected(4, other), expected(8, hashOf(3))] }), [
    `4 4: record 4 is in a commit with the hash ${hashOf(1)}, not ${other.toLowerCase()}`,
    '7 8: record 8, which is expected, is not in the file',
  ])
  for (const text of ['', '1', '0:0123456789abcdef', '1:0123456789abcde', '1:0123456789abcdeg', `1:${'0'.repeat(65)}`])
    assert.throws(
      () => readExpected(text),
      new RangeError(
        `"${text}" must be SEQ:HASH: the number of a record and the hash of its commit (16 to 64 hex digits)`,
      ),
    )
})

test('a part of an audit may miss entries and commits, and is chained where they follow each other', async () => {
  const part = [lines[1], lines[2], lines[4], lines[6], lines[8]] as ChainedEntry[]
  assert.deepEqual(await check(part, { isPart: true }), {
    ...{ ok: true, entries: 5, commits: 3, withheld: 0, redacted: 0, first: 1, faults: [], lost: [] },
    head: { seq: 9, hash: hashOf(3) },
    missing: [{ first: 4, last: 4 }],
  })
  assert.deepEqual(await faults(part.with(2, { ...part[2]!, entity: 'x' }), { isPart: true }), [
    '4 5: entry 5 is not what its record says',
  ])
  assert.deepEqual(await faults([part[0]!, part[0]!, part[1]!], { isPart: true }), ['3 2: entry 2 comes out of order'])
})

test('records that a recovery has lost are told once, and the chain goes on behind them', async () => {
  const gap = { first: 4, last: 4103, time: at(3), reason: 'damaged', resumes: 'e'.repeat(64) }
  const between = [...encodeGap(hashOf(0), gap)].map(({ hash, value }): CommitProof => {
    return { hash, content: value.toString().slice(64) }
  })
  assert.equal(between.length, 2)
  const data = { first: 4, last: 4103, reason: 'damaged' }
  const lost = (seq: number) => entryOf(makeRecord({ type: 'log.lost', data }, seq, at(3)))
  const note = Array.from({ length: 4100 }, (_, i): ChainedEntry => lost(4 + i))
  note[4095] = { ...note[4095]!, commit: between[0]! }
  note[4099] = { ...note[4099]!, commit: between[1]! }
  const next = makeRecord(completed('A'), 4104, at(4104))
  const { hash, value } = encodeCommit(gap.resumes, 4104, 1, [], jobCodec.encode([next]))
  const last: ChainedEntry = { ...entryOf(next), commit: { hash, content: value.toString().slice(64) } }
  assert.deepEqual(await check([...lines.slice(0, 3), ...note, last]), {
    ...{ ok: true, entries: 4104, commits: 4, withheld: 0, redacted: 0, first: 1, faults: [], missing: [] },
    head: { seq: 4104, hash },
    lost: [{ first: 4, last: 4103 }],
  })
})

test('a thousand faults are told, no more', async () => {
  const file = Array.from({ length: 1001 }, () => '{}')
  assert.equal((await faults(file)).length, 1000)
})
