/** What a start makes of a checkpoint and the records after it: the state, and the jobs without an end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord, NewRecord, Store } from '../../store/index.ts'
import { emptyState } from '../audit/audit.ts'
import { collection, domainEvent, on } from '../plugin-api.ts'
import { type IncompleteEvent, RecordFold, readOpenJobs, restoreState, writeCheckpoint } from './checkpoint.ts'

const names = collection<{ at: number }>('a.names')
const nothing = collection<{ at: number }>('a.nothing')
const others = collection<{ at: number }>('b.others')
const many = collection<{ n: number }>('c.many')
const named = domainEvent<{ name: string }>('a.named', 'A name was given')

/** Three plugins that keep when an event came, the third none of them; `b` in a version of its own. */
const plugins = (version = 1) => [
  {
    name: 'a',
    slice: {
      version: 1,
      collections: [names, nothing],
      reductions: [on(named, (write, { name }, { time }) => write(names).set(name, { at: time }))],
    },
  },
  {
    name: 'b',
    slice: {
      version,
      collections: [others],
      reductions: [on(named, (write, { name }, { time }) => write(others).set(name, { at: time * version }))],
    },
  },
  { name: 'c', slice: { version: 1, collections: [many], reductions: [] } },
  { name: 'without' },
]

function numbered(records: readonly NewRecord[]): LogRecord[] {
  return records.map((record, i) => ({
    seq: i + 1,
    time: 1000 + i,
    jobId: undefined,
    actor: undefined,
    correlationId: undefined,
    entity: undefined,
    ...record,
  }))
}

/** As much of a store as a start reads. */
function storeOf(records: readonly LogRecord[], checkpoint?: { seq: number; parts: Map<string, unknown> }): Store {
  const log = {
    headSeq: records.length,
    async replay({ from }: { from: number }, each: (record: LogRecord) => void) {
      const range = records.slice(from - 1)
      range.forEach(each)
      return { records: range.length }
    },
  }
  return { log, checkpoints: { newest: async () => checkpoint } } as unknown as Store
}

const event = (jobId: string, name: string): NewRecord => ({ type: 'a.named', jobId, data: { name } })
const accepted = (jobId: string, more: Partial<NewRecord> = {}): NewRecord => ({
  type: 'job.accepted',
  jobId,
  data: { command: 'x.y', access: 'admin' },
  ...more,
})
const ended = (jobId: string, how: string, startedAt?: number): NewRecord => ({
  type: `job.${how}`,
  jobId,
  data: startedAt === undefined ? {} : { startedAt },
})

/** The names with their times, as a fold of all records gives them. */
function folded(records: readonly NewRecord[]) {
  const state = emptyState(plugins())
  const fold = new RecordFold(state)
  for (const record of numbered(records)) fold.add(record)
  fold.end()
  return Object.fromEntries([...state.read(names).entries()].map(([name, { at }]) => [name, at]))
}

test('events have the time at which their job started, which its end tells; others that of their record', () => {
  assert.deepEqual(
    folded([
      accepted('J1'),
      event('J1', 'first'),
      { type: 'query.served', data: { operation: 'x' } },
      { type: 'job.progress', jobId: 'J1', data: { progress: 5 } },
      event('J1', 'second'),
      { type: 'call.refused', data: { code: 'x' } },
      ended('J1', 'completed', 7),
      { type: 'a.named', data: { name: 'of no job' } },
      event('J2', 'cancelled'),
      ended('J2', 'cancelled', 8),
      event('J3', 'failed'),
      ended('J3', 'failed', 9),
      // An end without the time: that of a job that did not start.
      event('J4', 'without'),
      ended('J4', 'failed'),
      // No end between the events of two jobs.
      event('J5', 'interrupted'),
      event('J6', 'next'),
      ended('J6', 'completed', 10),
      event('J7', 'at the end'),
    ]),
    {
      first: 7,
      second: 7,
      'of no job': 1007,
      cancelled: 8,
      failed: 9,
      without: 1012,
      interrupted: 1014,
      next: 10,
      'at the end': 1017,
    },
  )
})

test('a plugin with another version of its slice is folded from the first record, the others from the checkpoint', async () => {
  const records = numbered([
    event('J1', 'one'),
    ended('J1', 'completed', 5),
    event('J2', 'two'),
    ended('J2', 'completed', 6),
  ])
  const parts = new Map<string, unknown>([
    ['head', { slices: { a: 1, b: 1, c: 1 }, openJobs: [] }],
    // What is in the checkpoint tells it from a fold of the log.
    ['a.names#0', [['one', { at: -1 }]]],
    ['b.others#0', [['one', { at: -1 }]]],
    ['c.many#0', [['x', { n: 1 }]]],
    ['c.many#1', [['y', { n: 2 }]]],
    ['gone.plugin#0', [['z', {}]]],
  ])
  const restored = async (version: number, withCheckpoint = true) => {
    const state = emptyState(plugins(version))
    const { incomplete, openJobs, ...found } = await restoreState(
      storeOf(records, withCheckpoint ? { seq: 2, parts } : undefined),
      state,
      plugins(version),
    )
    assert.deepEqual([incomplete, openJobs], [[], []])
    return {
      ...found,
      state: Object.fromEntries([...state.snapshot()].map(([id, all]) => [id, Object.fromEntries(all)])),
    }
  }
  const c = { 'c.many': { x: { n: 1 }, y: { n: 2 } } }
  assert.deepEqual(await restored(1), {
    checkpointSeq: 2,
    folded: 2,
    incompleteCount: 0,
    state: {
      'a.names': { one: { at: -1 }, two: { at: 6 } },
      'a.nothing': {},
      'b.others': { one: { at: -1 }, two: { at: 6 } },
      ...c,
    },
  })
  assert.deepEqual(await restored(2), {
    checkpointSeq: 2,
    folded: 2,
    incompleteCount: 0,
    state: {
      'a.names': { one: { at: -1 }, two: { at: 6 } },
      'a.nothing': {},
      'b.others': { one: { at: 10 }, two: { at: 12 } },
      ...c,
    },
  })
  assert.deepEqual(await restored(1, false), {
    checkpointSeq: 0,
    folded: 4,
    incompleteCount: 0,
    state: {
      'a.names': { one: { at: 5 }, two: { at: 6 } },
      'a.nothing': {},
      'b.others': { one: { at: 5 }, two: { at: 6 } },
      'c.many': {},
    },
  })
  // All records are in the checkpoint.
  const state = emptyState(plugins())
  const { folded: none, checkpointSeq } = await restoreState(storeOf(records, { seq: 4, parts }), state, plugins())
  assert.deepEqual([none, checkpointSeq, state.read(names).size], [0, 4, 1])
})

test('a checkpoint is written in parts of 2000 entries, with the versions of the slices and the open jobs', async () => {
  const written: [number, [string, unknown][]][] = []
  const checkpoints = {
    write: async (seq: number, parts: Iterable<[string, unknown]>) => written.push([seq, [...parts]]),
  }
  const entries = Array.from({ length: 4001 }, (_, n): [string, unknown] => [`k${n}`, { n }])
  const snapshot = new Map([
    ['a.names', [] as [string, unknown][]],
    ['c.many', entries],
  ])
  const job = { jobId: 'J1', seq: 1, time: 1, actor: 'a', correlationId: 'c', data: {} as never, started: true }
  await writeCheckpoint({ checkpoints } as unknown as Store, 9, snapshot, plugins(3), [job])
  assert.deepEqual(written, [
    [
      9,
      [
        ['head', { slices: { a: 1, b: 3, c: 1 }, openJobs: [job] }],
        ['c.many#0', entries.slice(0, 2000)],
        ['c.many#1', entries.slice(2000, 4000)],
        ['c.many#2', entries.slice(4000)],
      ],
    ],
  ])
})

test('jobs without an end are found in the checkpoint and after it, oldest first', async () => {
  const old = { jobId: 'J9', seq: 9, time: 1, actor: 'anna', correlationId: undefined, data: {}, started: false }
  const data = { command: 'x.y', access: 'admin' }
  const job = (jobId: string, seq: number, more: object = {}) => ({
    ...{ jobId, seq, time: 999 + seq, actor: 'system', correlationId: undefined, data, started: false },
    ...more,
  })
  const records = numbered([
    accepted('J1', { actor: 'anna', correlationId: 'c1' }),
    accepted('J2'),
    accepted('J3'),
    accepted('J4'),
    accepted('J5'),
    { type: 'job.started', jobId: 'J2', data: {} },
    { type: 'job.started', jobId: 'unknown', data: {} },
    ended('J3', 'completed', 5),
    ended('J4', 'failed'),
    ended('J5', 'cancelled'),
    { type: 'job.progress', jobId: 'J1', data: { progress: 1 } },
  ])
  const open = [job('J1', 1, { actor: 'anna', correlationId: 'c1' }), job('J2', 2, { started: true })]
  const head = (jobs: readonly object[]) => new Map([['head', { slices: {}, openJobs: jobs }]])
  for (const find of [readOpenJobs, async (store: Store) => (await restoreState(store, emptyState([]), [])).openJobs]) {
    assert.deepEqual(await find(storeOf(records)), open)
    assert.deepEqual(await find(storeOf(records, { seq: 0, parts: head([old]) })), [...open, old])
    assert.deepEqual(await find(storeOf(records, { seq: 2, parts: head([old, ...open]) })), [
      open[0],
      { ...open[1], started: true },
      old,
    ])
    assert.deepEqual(await find(storeOf(records, { seq: 11, parts: head([]) })), [])
    // Whether those that were accepted before lost records have run is not known.
    const lost = numbered([accepted('J1'), { type: 'log.lost', data: { first: 2, last: 2 } }, accepted('J3')])
    assert.deepEqual(await find(storeOf(lost)), [job('J1', 1, { isUnknown: true }), job('J3', 3)])
  }
})

test('of the events behind lost records that cannot be made whole the first thousand are told, and the number of all', async () => {
  const failing = [
    {
      name: 'a',
      slice: {
        version: 1,
        collections: [names],
        reductions: [
          on(named, (write, { name }) => {
            write(names).update(name, () => {})
            if (name === 'thrown') throw 'no error'
          }),
        ],
      },
    },
  ]
  const records = numbered([
    { type: 'log.lost', data: { first: 1, last: 2 } },
    { type: 'log.lost', data: { first: 1, last: 2 } },
    ...Array.from({ length: 1200 }, (_, i) => ({ type: 'a.named', entity: `name/${i}`, data: { name: `n${i}` } })),
    { type: 'a.named', data: { name: 'thrown' } },
  ])
  const { incomplete, incompleteCount } = await restoreState(storeOf(records), emptyState(failing), failing)
  assert.equal(incompleteCount, 1202)
  assert.deepEqual(
    incomplete,
    Array.from(
      { length: 1000 },
      (_, i): IncompleteEvent => ({
        seq: i + 3,
        type: 'a.named',
        entity: `name/${i}`,
        reason: `a.names/n${i} is not there`,
      }),
    ),
  )
  const whole = numbered([
    { type: 'log.lost', data: {} },
    { type: 'a.named', data: { name: 'thrown' } },
  ])
  assert.deepEqual((await restoreState(storeOf(whole), emptyState(failing), failing)).incomplete, [
    { seq: 2, type: 'a.named', reason: 'a.names/thrown is not there' },
    { seq: 2, type: 'a.named', reason: 'no error' },
  ])
})
