import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { decodeEntry, encodeCommit, logKey, noHash, recordsOf } from '../../store/commit.ts'
import { allRecords, crashCopy, tempDir, tempStore } from '../../store/fixtures/stores.ts'
import type { LogRecord, NewRecord, StoreError } from '../../store/index.ts'
import { makeRecord } from '../../store/record-codec.ts'
import { jobCodec } from './job-codec.ts'

const call = { jobId: 'J1-x', actor: 'anna', correlationId: 'c-1' }
const accepted: NewRecord = {
  type: 'job.accepted',
  ...call,
  data: { command: 'a.b', access: 'admin', input: { n: 1 } },
}
const completed: NewRecord = {
  type: 'job.completed',
  ...call,
  data: { startedAt: 5, result: { ok: true } },
}

/** The packed text when the acceptance has time 5 and the other records time 7. */
function textOf(first: NewRecord, rest: readonly NewRecord[]): string {
  return jobCodec.encode([
    makeRecord(first, 1, 5),
    ...rest.map((given, i) => makeRecord(given, 2 + i, given.time ?? 7)),
  ])
}

function read(text: string, count: number): LogRecord[] {
  const { value } = encodeCommit(noHash, 1, count, [], text)
  return recordsOf(decodeEntry([logKey(1), value]), jobCodec)
}

test('a job that ends in the commit of its acceptance is one array, and is read as its records', () => {
  const event: NewRecord = { type: 'a.done', ...call, entity: 'thing/1', data: [1] }
  const text = textOf(accepted, [event, { ...event, data: null }, completed])
  const fields = '"J1-x","anna","c-1","a.b","admin",{"n":1},{"ok":true},0,2'
  assert.equal(text, `[[5,1,${fields},"a.done","thing/1",[1],0,0,null]]`)
  assert.deepEqual(read(text, 4), [
    makeRecord(accepted, 1, 5),
    makeRecord(event, 2, 7),
    makeRecord({ ...event, data: null }, 3, 7),
    makeRecord(completed, 4, 7),
  ])
})

test('any text is packed and read as it is', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 150 }), fc.string({ maxLength: 150 }))
  fc.assert(
    fc.property(
      text,
      text,
      text,
      fc.array(fc.tuple(text, text, text), { maxLength: 3 }),
      (jobId, command, value, of) => {
        const ids = { ...call, jobId }
        const first = { ...accepted, ...ids, data: { command, access: value, input: { [value]: value } } }
        const events = of.map(([type, entity, data]) => ({ type, entity, data, ...ids }))
        const end = { ...completed, ...ids, data: { result: value, startedAt: 5 } }
        const packed = textOf(first, [...events, end])
        assert.deepEqual(read(packed, 2 + events.length), [
          makeRecord(first, 1, 5),
          ...[...events, end].map((given, i) => makeRecord(given, 2 + i, 7)),
        ])
      },
    ),
    { numRuns: 500 },
  )
})

test('a job with anything more to say keeps its own records', () => {
  assert.match(textOf(accepted, [completed]), /^\[\[5,1,/)
  const others: (readonly [NewRecord, NewRecord])[] = [
    [accepted, { ...completed, data: { ...(completed.data as object), late: true } }],
    [accepted, { ...completed, data: { ...(completed.data as object), startedAt: 5.5 } }],
    [accepted, { ...completed, data: { startedAt: 5 } }],
    [accepted, { ...completed, actor: 'ben' }],
    [accepted, { ...completed, jobId: 'J2-x' }],
    [accepted, { ...completed, correlationId: 'c-2' }],
    [accepted, { ...completed, entity: 'thing/1' }],
    [accepted, { ...completed, type: 'job.failed' }],
  ]
  for (const [first, end] of others) {
    const text = textOf(first, [end])
    assert.match(text, /^\[\[5,"job\.accepted",/, JSON.stringify(end))
    assert.deepEqual(read(text, 2), [
      makeRecord(first, 1, 5),
      { ...makeRecord(end, 2, 7), data: JSON.parse(JSON.stringify(end.data)) },
    ])
  }
  const { command, access, input } = accepted.data as { command: string; access: string; input: unknown }
  for (const data of [
    { command, access },
    { command, access, input, dryRun: true },
    { command, access, input: undefined },
    { command: 1, access, input },
    null,
    'text',
  ])
    assert.match(textOf({ ...accepted, data }, [completed]), /^\[\[5,"job\.accepted",/, JSON.stringify(data))
  const event: NewRecord = { type: 'a.done', ...call, data: 1 }
  assert.match(textOf(accepted, [{ ...event, time: 6 }, completed]), /^\[\[5,"job\.accepted",/)
  assert.match(textOf(accepted, [{ ...event, data: undefined }, completed]), /^\[\[5,"job\.accepted",/)
})

test('a whole job with a field too many or too few is damage', () => {
  const whole = JSON.parse(textOf(accepted, [completed])) as [unknown[]]
  for (const fields of [whole[0].slice(0, -1), [...whole[0], 'x'], [...whole[0], 'x', 0], [5, 1]]) {
    assert.throws(
      () => read(JSON.stringify([fields]), 2),
      (error: StoreError) => error.code === 'store_corrupt',
      JSON.stringify(fields),
    )
  }
})

const name = fc.constantFrom('a', 'b', 'ü"\\', '')
const json = fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constant({ deep: ['x'.repeat(70_000)] }))
const job = fc.record({
  command: name,
  access: name,
  input: json,
  events: fc.array(
    fc.record({ type: fc.constantFrom('e', 'f'), entity: fc.option(name), data: fc.option(json, { nil: undefined }) }),
    { maxLength: 4 },
  ),
  result: json,
  late: fc.boolean(),
  outcome: fc.constantFrom('ends', 'ends', 'ends', 'waits', 'is interrupted', 'fails', 'is lazy'),
})

test('whatever jobs are appended: the log reads back what listeners saw, also after a crash', async (t) => {
  const dir = await tempDir(t)
  let now = 1_700_000_000_000
  const store = await tempStore(t, { dir, codec: jobCodec, now: () => now })
  const seen: LogRecord[] = []
  store.log.onCommit((records) => seen.push(...records))
  await fc.assert(
    fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 8 }), async (jobs) => {
      for (const { command, access, input, events, result, late, outcome } of jobs) {
        const ids = { jobId: `J${store.log.nextSeq()}-t`, actor: access, correlationId: command }
        const first = store.log.append([{ type: 'job.accepted', ...ids, data: { command, access, input } }])
        now += jobs.length % 3
        if (outcome === 'waits') await store.log.durable(first.lastSeq)
        if (outcome === 'is interrupted') store.log.append([{ type: 'other', data: 1 }])
        if (outcome === 'is lazy')
          store.log.appendLazy({ type: 'job.progress', jobId: ids.jobId, data: { progress: 1 } })
        const ended: NewRecord[] = [
          ...events.map(({ type, entity, data }) => ({ type, ...ids, entity: entity ?? undefined, data })),
          {
            type: outcome === 'fails' ? 'job.failed' : 'job.completed',
            ...ids,
            data: { startedAt: first.time, result, ...(late ? { late: true } : {}) },
          },
        ]
        store.log.append(ended)
      }
      if (jobs.length % 2 === 0) await setImmediate()
    }),
    { numRuns: 50 },
  )
  await store.log.durable(store.log.headSeq)
  const expected = seen.map((record) => ({ ...record, data: parsed(record.data) }))
  assert.deepEqual(await allRecords(store), expected)
  const replayed: LogRecord[] = []
  await store.log.replay({ checkChain: true }, (record) => replayed.push(record))
  assert.deepEqual(replayed, expected)
  const crashed = await tempStore(t, { dir: await crashCopy(t, dir), codec: jobCodec })
  assert.deepEqual(await allRecords(crashed), expected)
  assert.deepEqual((await crashed.log.verify()).faults, [])
})

/** The value as JSON returns it: -0 becomes 0. */
function parsed(data: unknown): unknown {
  return data === undefined ? undefined : JSON.parse(JSON.stringify(data))
}
