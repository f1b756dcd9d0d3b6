/** What a start makes of jobs that a crash left behind and of changes behind lost records; plugins that do not stop. */
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { NewRecord } from '../../store/index.ts'
import { temporaryFolder } from '../../test/folder.ts'
import { openTestGateway, type TestGateway } from '../../test/harness.ts'
import type { Logger } from '../contract/logger.ts'
import { counters } from '../fixtures/plugins/counter/index.ts'
import type { GatewayOptions } from '../gateway.ts'
import { type Job, makeJobId, readJobSummary } from '../log/job.ts'
import type { IncompleteEvent } from '../state/checkpoint.ts'

const pluginDirs = [fileURLToPath(new URL('../fixtures/plugins', import.meta.url))]

/** A log that keeps what it is told. */
function keeping() {
  const told: [level: string, fields: Record<string, unknown>, message: string | undefined][] = []
  const at = (level: string) => (fields: object, message?: string) =>
    void told.push([level, fields as Record<string, unknown>, message])
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as Logger
  return { log, told }
}

/** Appends records to the log of a running gateway, and opens another on its data as a crash would leave it. */
async function afterCrash(
  t: TestContext,
  opened: TestGateway,
  records: readonly NewRecord[],
  options: Partial<GatewayOptions>,
) {
  const { log } = opened.gateway.store
  for (const record of records) log.append([record])
  await log.durable(log.headSeq)
  const dir = await temporaryFolder(t, 'gantry-crash-')
  await cp(join(opened.dir, 'data'), join(dir, 'data'), { recursive: true })
  return openTestGateway(t, { pluginDirs, ...options, dataDir: join(dir, 'data') })
}

test('each job that a crash left behind is run or failed, with the reason', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  const { gateway } = opened
  const blob = await gateway.store.blobs.stage(JSON.stringify({ name: 'from a blob', by: 3 }))
  const first = gateway.store.log.headSeq + 1
  const ids: string[] = []
  const accepted = (data: object, actor?: string): NewRecord => {
    const jobId = makeJobId(first + ids.length, 'test')
    ids.push(jobId)
    return {
      type: 'job.accepted',
      jobId,
      ...(actor === undefined ? {} : { actor }),
      data: { access: 'admin', ...data },
    }
  }
  const add = (name: string, more: object = {}) => ({ command: 'counter.add', input: { name }, ...more })
  const records = [
    accepted(add('plain'), 'anna'),
    accepted(add('by nobody')),
    accepted(add('as a viewer', { access: 'nonsense' })),
    accepted(add('dry', { dryRun: true, group: 'g' })),
    accepted({ command: 'counter.gone', input: {} }),
    accepted({ command: 'counter.add', inputBlob: `sha256:${'0'.repeat(64)}` }),
    accepted({ command: 'counter.add', inputBlob: blob.hash }),
    accepted({ command: 'counter.keep-secret', input: { password: 'scrypt:x', token: 'sealed:nonsense' } }),
    accepted(add('conditional', { expected: '*' })),
    accepted(add('started')),
  ]
  const store = gateway.store.log
  store.append([{ type: 'blob', data: blob.hash }], [blob])
  // The seq in an id is that of its record.
  ids.length = 0
  const shifted = records.map((record, i) => {
    const jobId = makeJobId(first + 1 + i, 'test')
    ids.push(jobId)
    return { ...record, jobId }
  })
  const { gateway: next } = await afterCrash(
    t,
    opened,
    [...shifted, { type: 'job.started', jobId: ids.at(-1)!, data: {} }],
    {},
  )
  for (const jobId of ids) await next.jobs.peek(jobId)?.settled
  await next.store.log.durable(next.store.log.headSeq)
  const told = await Promise.all(
    ids.map(async (jobId) => {
      // Of one whose input is gone only the rest can be read.
      const job: Job = (await next.jobs.find(jobId).catch(() => readJobSummary(next.store, jobId)))!
      const detail = job.error?.detail.replaceAll(jobId, '<id>')
      return [job.status, job.actor, job.error ? `${job.error.code}: ${detail}` : job.result]
    }),
  )
  const counted = (name: string, value: number) => ({ name, value })
  const dry = {
    dryRun: true,
    result: counted('dry', 1),
    events: [{ type: 'counter.added', data: { name: 'dry', by: 1 }, entity: 'counter/dry' }],
  }
  assert.deepEqual(told, [
    ['Completed', 'anna', counted('plain', 1)],
    ['Completed', 'system', counted('by nobody', 1)],
    ['Completed', 'system', counted('as a viewer', 1)],
    ['Completed', 'system', dry],
    ['Failed', 'system', 'not_available: Operation counter.gone is not loaded any more.'],
    ['Failed', 'system', `gone: the blob sha256:${'0'.repeat(64)} is not in the store`],
    ['Completed', 'system', counted('from a blob', 3)],
    ['Failed', 'system', told[7]![2]],
    [
      'Failed',
      'system',
      'precondition_failed: conditional does not exist (any more); the change was made conditional on it.',
    ],
    [
      'Failed',
      'system',
      'job_interrupted: The gateway stopped while the job was running. None of its changes were kept.',
    ],
  ])
  assert.match(String(told[7]![2]), /^internal_error: Operation counter\.keep-secret failed unexpectedly/)
  assert.deepEqual([...next.state.read(counters).keys()].sort(), ['as a viewer', 'by nobody', 'from a blob', 'plain'])
  const group = (await next.jobs.find(ids[3]!))!
  assert.deepEqual([group.group, group.dryRun], ['g', true])
})

test('jobs that are held wait for the next start, are told and can be cancelled', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  const first = opened.gateway.store.log.headSeq + 1
  const ids = [0, 1].map((i) => makeJobId(first + i, 'test'))
  const records = ids.map((jobId, i) => ({
    type: 'job.accepted',
    jobId,
    data: { command: 'counter.add', access: 'admin', input: { name: `n${i}` } },
  }))
  const held = await afterCrash(t, opened, records, { holdJobs: true })
  const { jobs } = held.gateway
  assert.deepEqual(jobs.troubles, ['jobs: 2 of an earlier run are held (--hold-jobs); a start without it runs them'])
  assert.deepEqual(
    [jobs.isQuiet, jobs.pending, jobs.open.map(({ status }) => status)],
    [true, 0, ['Pending', 'Pending']],
  )
  assert.deepEqual(await held.call('counter.add', { name: 'other' }), { name: 'other', value: 1 })
  assert.equal((await jobs.cancel(ids[0]!)).status, 'Cancelled')
  assert.deepEqual(jobs.troubles, ['jobs: 1 of an earlier run are held (--hold-jobs); a start without it runs them'])
  const next = await held.restart({ holdJobs: false })
  await next.gateway.jobs.peek(ids[1]!)?.settled
  assert.deepEqual([...next.gateway.state.read(counters).keys()].sort(), ['n1', 'other'])
  assert.deepEqual(next.gateway.jobs.troubles, [])
})

test('changes behind lost records that cannot be made whole are told at the start', async (t) => {
  const opened = await openTestGateway(t, { pluginDirs })
  const lost = { type: 'log.lost', data: { first: 1, last: 2, reason: 'x' } }
  // An event without data: the reducer throws.
  const removal = (name: string) => ({ type: 'counter.removed', entity: `counter/${name}`, data: null })
  for (const count of [1, 3, 4]) {
    const { log, told } = keeping()
    const names = Array.from({ length: count }, (_, i) => `n${i}`)
    const source = await openTestGateway(t, { pluginDirs })
    const { gateway } = await afterCrash(t, source, [lost, ...names.map(removal)], { log })
    // A busy computer may give other warnings.
    const [, fields, note] = told.find(([level, data]) => level === 'warn' && 'events' in data)!
    const events = fields.events as IncompleteEvent[]
    const from = source.gateway.store.log.headSeq - count
    assert.deepEqual(
      events.map(({ reason: _, ...event }) => event),
      names.map((name, i) => ({ seq: from + 1 + i, type: 'counter.removed', entity: `counter/${name}` })),
    )
    const first = events.slice(0, 3).map(({ seq, entity, reason }) => `${seq} counter.removed ${entity} (${reason})`)
    assert.equal(
      note,
      `${count} changes after lost records could not be made completely: ${first.join('; ')}${count === 4 ? ' …' : ''}`,
    )
    assert.equal(fields.count, count)
    assert.equal(gateway.startNotes.at(-1), note)
  }
  assert.deepEqual(opened.gateway.startNotes, [])
})

test('a plugin that fails when it stops is told, and the gateway closes', async (t) => {
  const { log, told } = keeping()
  const { dir, ...opened } = await openTestGateway(t, { pluginDirs, log })
  const order: string[] = []
  const stopping = (name: string, stop: () => unknown) => ({
    folder: dir,
    plugin: {
      name,
      version: '1.0.0',
      stop: () => {
        order.push(name)
        return stop() as Promise<void>
      },
    },
  })
  opened.gateway.plugins = [
    stopping('first', () => undefined),
    stopping('fails', async () => {
      throw new Error('as tested')
    }),
    ...opened.gateway.plugins,
    stopping('last', async () => {}),
  ]
  await opened.gateway.close()
  assert.deepEqual(order, ['last', 'fails', 'first'])
  assert.deepEqual(
    told
      .filter(([level]) => level === 'warn')
      .map(([, fields, message]) => [fields.plugin, String(fields.err), message]),
    [['fails', 'Error: as tested', 'plugin did not stop']],
  )
  assert.equal(opened.gateway.store.health.state, 'closed')
  assert.deepEqual(
    told
      .filter(([level, , message]) => level === 'debug' && message === 'store health changed')
      .map(([, fields]) => fields),
    [{ state: 'closed' }],
  )
})
