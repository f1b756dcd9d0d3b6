/** When checkpoints are written, what is in them, and what of the log is moved into the archive after them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArchiveOptions } from '../../store/index.ts'
import { becomes } from '../../test/until.ts'
import { Bus } from '../contract/bus.ts'
import type { GatewayHandle } from '../contract/context.ts'
import { LogResume } from '../jobs/log-resume.ts'
import { Checkpointer } from './checkpointer.ts'

const day = 24 * 60 * 60 * 1000

/** As much of a gateway as checkpoints need, which keeps what is done with it. */
function gatewayWith(log: { archiveAfterDays: number; archiveAboveBytes: number }) {
  const done: unknown[] = []
  const fails = { write: false, archive: false }
  const store = {
    log: { headSeq: 0, durableSeq: 0, durable: async (seq: number) => void done.push(['durable', seq]) },
    checkpoints: {
      async write(seq: number, parts: Iterable<[string, unknown]>) {
        done.push(['write', seq, JSON.parse(JSON.stringify([...parts]))])
        if (fails.write) throw new Error('as tested')
      },
    },
    index: { seqAt: async (time: number) => time / day },
    async archive(options: ArchiveOptions) {
      done.push(['archive', options])
      if (fails.archive) throw new Error('as tested')
      return { segments: 2, records: 20, through: 40 }
    },
    health: { state: 'ok' },
  }
  const jobs = { open: [] as unknown[] }
  const at = (level: string) => (fields: object, message: string) =>
    void done.push([level, message, 'err' in fields ? String(fields.err) : fields])
  const gateway = {
    ...{ store, jobs, bus: new Bus(), settings: { log }, clock: () => 100 * day },
    state: { snapshot: () => new Map([['a.names', [['x', 1]]]]) },
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  }
  const records = (seq: number) => {
    store.log.headSeq = store.log.durableSeq = seq
    gateway.bus.emit('records', [])
  }
  return { gateway: gateway as unknown as GatewayHandle, done, fails, store, jobs, records }
}

const plugins = [{ name: 'a', slice: { version: 4, collections: [], reductions: [] } }]
const head = { slices: { a: 4 }, openJobs: [] }
const parts = (seq: number) => [
  'write',
  seq,
  [
    ['head', head],
    ['a.names#0', [['x', 1]]],
  ],
]

test('a checkpoint is written after a number of records, one at a time, and old records are moved after it', async () => {
  const { gateway, done, records } = gatewayWith({ archiveAfterDays: 30, archiveAboveBytes: 0 })
  const checkpointer = new Checkpointer(gateway, plugins, 5, 10)
  records(14)
  await checkpointer.idle
  assert.deepEqual(done, [], 'nine records are too few')
  records(15)
  // Another group comes while it is written.
  records(300)
  await checkpointer.idle
  const archived = ['info', 'old records of the log were archived', { segments: 2, records: 20, through: 40 }]
  await becomes(() => done, [['durable', 15], parts(15), ['archive', { before: 70 }], archived])
  done.length = 0
  records(215)
  await checkpointer.idle
  await becomes(() => done.slice(0, 2), [['durable', 215], parts(215)])
})

test('by age, by size, by both or not at all', async () => {
  for (const [archiveAfterDays, archiveAboveBytes, options] of [
    [30, 0, { before: 70 }],
    [0, 500, { before: 0, liveBytes: 500 }],
    [1, 500, { before: 99, liveBytes: 500 }],
    [0, 0, undefined],
  ] as const) {
    const { gateway, done } = gatewayWith({ archiveAfterDays, archiveAboveBytes })
    const checkpointer = new Checkpointer(gateway, plugins, 0, 10)
    checkpointer.archive()
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(done.slice(0, 1), options === undefined ? [] : [['archive', options]])
  }
})

test('a checkpoint or a move that fails is told, and the next is tried', async () => {
  const { gateway, done, fails, store, records } = gatewayWith({ archiveAfterDays: 0, archiveAboveBytes: 500 })
  const checkpointer = new Checkpointer(gateway, plugins, 0, 10)
  fails.write = true
  records(10)
  await checkpointer.idle
  assert.deepEqual(done.slice(2), [['warn', 'checkpoint failed', 'Error: as tested']])
  await assert.rejects(checkpointer.write(), /as tested/)
  fails.write = false
  fails.archive = true
  done.length = 0
  records(300)
  await checkpointer.idle
  const archive = ['archive', { before: 0, liveBytes: 500 }]
  const failed = ['warn', 'the log could not be archived', 'Error: as tested']
  await becomes(() => done, [['durable', 300], parts(300), archive, failed])
  // Closing ends a move, which is no fault.
  done.length = 0
  store.health.state = 'closed'
  checkpointer.archive()
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(done, [archive])
})

test('a checkpoint has the jobs that have not ended, as the log would give them', async () => {
  const { gateway, done, jobs } = gatewayWith({ archiveAfterDays: 0, archiveAboveBytes: 0 })
  const job = {
    jobId: 'J1',
    acceptedSeq: 3,
    createdAt: 9,
    actor: { name: 'anna', access: 'admin' },
    correlationId: 'c',
  }
  const operation = { id: 'x.y' }
  jobs.open = [
    { ...job, operation, input: { a: 1 }, options: {}, started: false, dryRun: false },
    {
      ...{ ...job, jobId: 'J2', operation, input: { secret: 'open' }, started: true, dryRun: true },
      options: { loggedInput: { secret: 'sealed:x' }, expected: ['h'] },
    },
  ]
  await new Checkpointer(gateway, plugins, 0, 10).write()
  const [, , written] = done[1] as [string, number, [string, { openJobs: unknown }][]]
  const open = { jobId: 'J1', seq: 3, time: 9, actor: 'anna', correlationId: 'c' }
  const data = { command: 'x.y', access: 'admin' }
  assert.deepEqual(written[0]![1].openJobs, [
    { ...open, data: { ...data, input: { a: 1 } }, started: false },
    {
      ...{ ...open, jobId: 'J2', started: true },
      data: { ...data, input: { secret: 'sealed:x' }, dryRun: true, expected: ['h'] },
    },
  ])
})

test('a log that cannot be written is tried again and again, when no job runs, until it can be or the gateway closes', async () => {
  const done: string[] = []
  const now = { isQuiet: false, works: false }
  const store = {
    health: { state: 'write-failed' },
    log: { durableSeq: 7 },
    async resume(apply: (landed: readonly unknown[]) => void) {
      done.push('resume')
      if (!now.works) throw new Error('still full')
      apply([])
      store.health.state = 'ok'
    },
  }
  const bus = new Bus()
  const gateway = {
    ...{ store, bus, state: {} },
    jobs: {
      get isQuiet() {
        done.push('asked')
        return now.isQuiet
      },
      renew: () => done.push('renew'),
      settleLost: async () => void done.push('settled'),
    },
    log: {
      info: ({ durableSeq }: { durableSeq: number }, message: string) => done.push(`${message} ${durableSeq}`),
      warn: ({ err }: { err: Error }, message: string) => done.push(`${message}: ${err.message}`),
    },
  } as unknown as GatewayHandle
  const resume = new LogResume(gateway, 1)
  bus.emit('health', { state: 'ok' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(done.length, 0)
  bus.emit('health', { state: 'write-failed' })
  await becomes(() => done.slice(0, 2), ['asked', 'asked'])
  now.isQuiet = true
  await becomes(() => done.includes('the log cannot be written yet: still full'), true)
  now.works = true
  await becomes(() => done.slice(-5), ['asked', 'resume', 'renew', 'the log is written again 7', 'settled'])
  const count = done.length
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(done.length, count, 'it is not tried any more')
  store.health.state = 'write-failed'
  bus.emit('health', { state: 'write-failed' })
  await resume.close()
  bus.emit('health', { state: 'write-failed' })
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(done.length, count, 'it is closed')
})
