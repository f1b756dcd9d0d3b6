/** Calls of operations: what is read of them, what refuses them, how they are repeated, and what the audit has. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actor, openTestGateway, type TestGateway } from '../../test/harness.ts'
import { problemOf } from '../../test/system.ts'
import { until } from '../../test/until.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import { counters } from '../fixtures/plugins/counter/index.ts'
import {
  command,
  del,
  domainEvent,
  get,
  post,
  put,
  query,
  type SchemaBuilder,
  type StreamEvent,
  stream,
} from '../index.ts'
import type { Call } from '../jobs/dispatcher.ts'

const pluginDirs = [fileURLToPath(new URL('../fixtures/plugins', import.meta.url))]
const added = domainEvent<{ name: string; by: number }>('counter.added', 'A counter was raised')

/** Lets `probe.wait` and `probe.beside` go on. */
let release = () => {}
const released = () =>
  new Promise<void>((resolve) => {
    release = resolve
  })

const plain = { output: (t: SchemaBuilder) => t.Unknown(), mcp: false } as const

const probe = {
  name: 'probe',
  version: '1.0.0',
  operations: [
    command({
      ...plain,
      id: 'probe.fail',
      title: 'Fail with faults',
      input: (t) => t.Object({ faults: t.Integer() }),
      http: [post('/api/probe/actions/fail')],
      run({ faults }) {
        const errors = Array.from({ length: faults }, (_, i) => ({ path: `/${i}`, message: 'is wrong' }))
        throw problem('invalid_input', 'It is wrong.', { errors, suggestion: 'Mend it.' })
      },
    }),
    command({
      ...plain,
      id: 'probe.own',
      title: 'Tell its own dryRun',
      input: (t) => t.Object({ dryRun: t.Optional(t.String()) }),
      http: [post('/api/probe/actions/own')],
      run: ({ dryRun }) => ({ dryRun: dryRun ?? 'none' }),
    }),
    command({
      ...plain,
      id: 'probe.wait',
      title: 'Wait until released or cancelled',
      input: (t) => t.Object({ text: t.Optional(t.String()) }),
      http: [post('/api/probe/actions/wait')],
      async run(_, ctx) {
        await Promise.race([
          released(),
          new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
        ])
        return { waited: true }
      },
    }),
    command({
      ...plain,
      id: 'probe.beside',
      title: 'Wait beside the lane, then emit if told',
      input: (t) => t.Object({ emits: t.Boolean() }),
      besideLane: true,
      http: [post('/api/probe/actions/beside', 'async')],
      async run({ emits }, ctx) {
        await released()
        if (emits) ctx.emit(added, { name: 'beside', by: 1 })
        return {}
      },
    }),
    command({
      ...plain,
      id: 'probe.seal',
      title: 'Answer with a secret',
      input: (t) => t.Object({ length: t.Optional(t.Integer()) }),
      sealsResult: ['key', 'absent'],
      http: [post('/api/probe/actions/seal')],
      run: ({ length = 5 }) => ({ key: 'k'.repeat(length), open: 'o' }),
    }),
    command({
      ...plain,
      id: 'probe.put',
      title: 'Set a counter',
      input: (t) => t.Object({ name: t.String(), value: t.Integer() }),
      http: [put('/api/counter/{name}')],
      admit({ value }) {
        if (value < 0) throw problem('conflict', 'A counter is not negative.')
      },
      run({ name, value }, ctx) {
        const before = ctx.read(counters).get(name)?.value ?? 0
        ctx.emit(added, { name, by: value - before }, `counter/${name}`)
        return { name, value }
      },
    }),
    query({
      ...plain,
      id: 'probe.list',
      title: 'List counters',
      input: (t) => t.Object({ ...t.paging() }),
      http: [get('/api/probes')],
      run: (_, ctx) => ({ names: [...ctx.read(counters).keys()] }),
    }),
    command({
      ...plain,
      id: 'probe.clear',
      title: 'Change the list',
      input: (t) => t.Object({}),
      http: [del('/api/probes')],
      run: () => ({}),
    }),
    query({
      ...plain,
      id: 'probe.live',
      title: 'Answer from the process',
      input: (t) => t.Object({ name: t.Optional(t.String()) }),
      live: true,
      http: [get('/api/probe-live')],
      run({ name }, ctx) {
        ctx.warn(['It is only now so.'])
        if (name === 'none') throw problem('not_found', 'There is none.')
        return { pid: 1 }
      },
    }),
    query({
      ...plain,
      id: 'probe.ask',
      title: 'Ask with what is not recorded',
      input: (t) => t.Object({ text: t.String({ 'x-unrecorded': true }), about: t.Optional(t.String()) }),
      http: [post('/api/probe/ask')],
      run: () => 'answer',
    }),
    query({
      ...plain,
      id: 'probe.admin',
      title: 'Only for administrators',
      access: 'admin',
      input: (t) => t.Object({}),
      http: [get('/api/probe-admin')],
      run: () => 1,
    }),
    stream({
      id: 'probe.follow',
      title: 'Follow',
      input: (t) => t.Object({ count: t.Integer({ maximum: 3 }) }),
      mcp: false,
      http: [get('/api/probe/follow')],
      async *run({ count }) {
        for (let i = 0; i < count; i++) yield { event: 'tick', data: i } as unknown as StreamEvent
      },
    }),
  ],
}

const open = (t: TestContext) => openTestGateway(t, { pluginDirs, corePlugins: [probe] })

/** A call with all of its reply. */
const replyOf = ({ gateway }: TestGateway, id: string, input: Record<string, unknown>, call: Partial<Call> = {}) =>
  gateway.invoke(gateway.registry.operation(id)!, input, { actor: actor(), ...call })

/** What a call that must fail says. */
async function failure(made: Promise<unknown>) {
  const error = await made.then(
    () => assert.fail('it succeeded'),
    (e: unknown) => e,
  )
  assert.ok(isGatewayError(error), String(error))
  const { errors, suggestion, extra } = error.details
  return { code: error.code, detail: error.message, errors, suggestion, extra }
}

test('flushed records of calls are in the log, with the number of those that were alike', async (t) => {
  const { gateway, call } = await openTestGateway(t, { pluginDirs })
  for (let i = 0; i < 3; i++) await assert.rejects(call('counter.add', { nmae: 'a' }))
  await gateway.flushRecords()
  const records = []
  for await (const commit of gateway.store.log.read()) records.push(...commit)
  const refused = records.filter(({ type }) => type === 'call.refused')
  assert.deepEqual(
    refused.map(({ data }) => data),
    [
      { operation: 'counter.add', code: 'invalid_input' },
      { operation: 'counter.add', code: 'invalid_input', repeated: 2 },
    ],
  )
  const { durableSeq } = gateway.store.log
  await gateway.flushRecords()
  assert.equal(gateway.store.log.durableSeq, durableSeq, 'nothing came later')
})

test('dryRun is read from the body, the address and the call, for commands that have no such field', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const isDry = async (body: Record<string, unknown>, more: Partial<Call> = {}) => {
    const before = gateway.state.read(counters).get('a')?.value ?? 0
    const answer = await call('counter.add', { name: 'a', ...body }, more)
    const after = gateway.state.read(counters).get('a')?.value ?? 0
    assert.equal(after, answer.dryRun === true ? before : before + 1)
    return answer.dryRun === true
  }
  assert.equal(await isDry({}), false)
  for (const name of ['dryRun', 'DryRun']) {
    assert.equal(await isDry({ [name]: true }), true)
    assert.equal(await isDry({ [name]: false }), false)
    assert.equal(await isDry({ [name]: false }, { dryRun: true }), true)
    for (const [text, dry] of [
      ['true', true],
      ['1', true],
      ['', true],
      ['false', false],
      ['0', false],
    ] as const)
      assert.equal(await isDry({}, { strings: { [name]: text } }), dry, `${name}=${text}`)
    assert.deepEqual(await failure(call('counter.add', { name: 'a', [name]: 'yes' })), {
      code: 'invalid_input',
      detail: '/dryRun: must be boolean',
      errors: [{ path: '/dryRun', message: 'must be boolean', value: 'yes' }],
      suggestion: undefined,
      extra: undefined,
    })
  }
  assert.deepEqual(await call('probe.own', { dryRun: 'mine' }), { dryRun: 'mine' })
  assert.deepEqual(await call('probe.own', {}, { strings: { dryRun: 'mine' } }), { dryRun: 'mine' })
  assert.equal((await failure(call('counter.get', { name: 'a', dryRun: true }))).code, 'invalid_input')
  // Nothing was recorded of it but its end.
  const { jobId } = await call<{ jobId: string }>('counter.add', { name: 'b', dryRun: true }, { mode: 'async' })
  await gateway.jobs.peek(jobId)?.settled
  const job = await gateway.jobs.find(jobId)
  assert.deepEqual([job?.status, job?.dryRun], ['Completed', true])
  assert.deepEqual(job?.result, {
    dryRun: true,
    result: { name: 'b', value: 1 },
    events: [{ type: 'counter.added', data: { name: 'b', by: 1 }, entity: 'counter/b' }],
  })
})

test('a repeated key gives what the job ended with, in each way it can end', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const again = async (id: string, input: Record<string, unknown>, idempotencyKey: string) => {
    const first = await failure(call(id, input, { idempotencyKey }))
    assert.deepEqual(await failure(call(id, input, { idempotencyKey })), first)
    return first
  }
  const failed = await again('probe.fail', { faults: 60 }, 'failed')
  assert.equal(failed.errors?.length, 51)
  assert.deepEqual(failed.errors?.at(-1), { message: 'and 10 more' })
  const { jobId } = await call<{ jobId: string }>('probe.wait', {}, { idempotencyKey: 'cancelled', mode: 'async' })
  await until(() => gateway.jobs.running?.jobId === jobId, 'the job runs')
  const same = await replyOf(opened, 'probe.wait', {}, { idempotencyKey: 'cancelled', mode: 'async' })
  assert.deepEqual(same, { kind: 'job', jobId, job: gateway.jobs.peek(jobId) })
  const waits = failure(call('probe.wait', {}, { idempotencyKey: 'cancelled' }))
  await gateway.jobs.cancel(jobId)
  assert.deepEqual(await waits, {
    code: 'request_cancelled',
    detail: `Job ${jobId} was cancelled.`,
    errors: undefined,
    suggestion: undefined,
    extra: { jobId },
  })
  const done = await call('counter.add', { name: 'a' }, { idempotencyKey: 'done' })
  // Two at once are one job, also when the first waits for its large input to be stored.
  const large = { text: 'x'.repeat(50_000) }
  const both = Promise.all([1, 2].map(() => call('probe.wait', large, { idempotencyKey: 'large', mode: 'async' })))
  const [one, two] = await both
  assert.deepEqual(one, two)
  await until(() => gateway.jobs.running !== undefined, 'it runs')
  release()
  assert.deepEqual(await call('probe.wait', large, { idempotencyKey: 'large' }), { waited: true })

  const later = await opened.restart()
  assert.deepEqual(await later.call('counter.add', { name: 'a' }, { idempotencyKey: 'done' }), done)
  assert.deepEqual(await later.call('probe.wait', large, { idempotencyKey: 'large' }), { waited: true })
  const fromLog = await failure(later.call('probe.fail', { faults: 60 }, { idempotencyKey: 'failed' }))
  assert.deepEqual(fromLog, failed)
  assert.deepEqual(await failure(later.call('probe.wait', {}, { idempotencyKey: 'cancelled' })), {
    code: 'request_cancelled',
    detail: `Job ${jobId} was cancelled.`,
    errors: undefined,
    suggestion: undefined,
    extra: { jobId },
  })
  assert.deepEqual(await replyOf(later, 'probe.wait', {}, { idempotencyKey: 'cancelled', mode: 'async' }), {
    kind: 'job',
    jobId,
  })
  // With another operation, input, dryRun or condition it is another request; another caller's key is another key.
  for (const [id, input, more] of [
    ['counter.remove', { name: 'a' }, {}],
    ['counter.add', { name: 'b' }, {}],
    ['counter.add', { name: 'a' }, { dryRun: true }],
    ['counter.add', { name: 'a' }, { expected: '*' }],
  ] as const)
    assert.equal(
      (await failure(later.call(id, input, { idempotencyKey: 'done', ...more }))).code,
      'idempotency_mismatch',
    )
  assert.deepEqual(
    await later.call('counter.add', { name: 'a' }, { idempotencyKey: 'done', actor: actor('engineer', 'anna') }),
    { name: 'a', value: 2 },
  )
})

test('a file in JSON: as text or base64, in any spelling, up to the limit of the settings', async (t) => {
  const { call, gateway } = await open(t)
  const taken = (fileName: string, text: string) => ({ fileName, size: Buffer.byteLength(text), text })
  assert.deepEqual(await call('counter.take-file', { file: { content: 'ä' } }), taken('file', 'ä'))
  assert.deepEqual(await call('counter.take-file', { FILE: { ContentBase64: 'eA==' } }), taken('FILE', 'x'))
  const both = { fileName: 'a', content: 'text', contentBase64: 'eA==' }
  assert.deepEqual(await call('counter.take-file', { file: both }), taken('a', 'text'))
  const stored = await gateway.store.blobs.stage('known')
  const known = { fileName: 'b', blob: stored.hash, size: 5 }
  assert.deepEqual(
    await failure(call('counter.take-file', { file: known })).then(({ code, detail }) => [code, detail]),
    ['invalid_input', `/file: there is no blob ${stored.hash}.`],
  )
  assert.deepEqual(await call('counter.take-file', { file: known }, { staged: [stored] }), taken('b', 'known'))
  assert.deepEqual(await call('counter.take-file', { file: known }), taken('b', 'known'), 'now it is in the store')
  for (const [file, code] of [
    [null, 'missing'],
    ['text', 'wrong_type'],
    [{ fileName: 'a' }, 'missing'],
  ] as const)
    assert.equal((await failure(call('counter.take-file', { file }))).errors?.[0]?.code, code, JSON.stringify(file))
  gateway.settingsOverride = { values: { limits: { uploadBytes: 4 } }, sources: {} }
  assert.deepEqual(await call('counter.take-file', { file: { content: '1234' } }), taken('file', '1234'))
  assert.deepEqual(
    await failure(call('counter.take-file', { file: { content: '123ä' } })).then(({ code, detail }) => [code, detail]),
    ['payload_too_large', '"file" has 5 bytes; limits.uploadBytes is 4.'],
  )
})

test('who may not call, and what cannot be called so, is refused before anything is done', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const viewer = { actor: actor('viewer', 'vera') }
  const said = async (made: Promise<unknown>) => {
    const { code, detail } = await failure(made)
    return `${code}: ${detail}`
  }
  assert.equal(
    await said(call('counter.add', { name: 5 }, viewer)),
    'forbidden: Operation counter.add needs access level "engineer"; this key has "viewer".',
  )
  assert.equal(
    await said(call('probe.admin', {}, { actor: actor('operator') })),
    'forbidden: Operation probe.admin needs access level "admin"; this key has "operator".',
  )
  assert.equal(await call('probe.admin'), 1)
  assert.equal(
    await said(call('counter.get', { name: 'a' }, { ...viewer, asOf: '1' })),
    'forbidden: /asOf: an earlier state needs access level "engineer"; this key has "viewer".',
  )
  assert.equal(
    await said(call('probe.follow', { count: 1 })),
    'not_available: Operation probe.follow is a stream; open it with GET /api/probe/follow.',
  )
  assert.equal(
    await said(call('counter.add-pair', { left: 'a', right: 'b' }, { expected: '*' })),
    'invalid_input: If-Match: what counter.add-pair changes cannot be read at an address of its own, so the condition cannot be checked.',
  )
  assert.equal(await said(call('probe.put', { name: 'a', value: -1 })), 'conflict: A counter is not negative.')
  assert.deepEqual(await call('probe.put', { name: 'a', value: 7 }), { name: 'a', value: 7 })
  const { operation } = gateway.registry
  const follow = operation.call(gateway.registry, 'probe.follow') as Parameters<typeof gateway.open>[0]
  const events = await gateway.open(follow, {}, { ...viewer, strings: { count: '2' } })
  const seen: unknown[] = []
  for await (const event of events) seen.push(event)
  assert.deepEqual(seen, [
    { event: 'tick', data: 0 },
    { event: 'tick', data: 1 },
  ])
  await assert.rejects(gateway.open(follow, { count: 4 }, viewer), problemOf('invalid_input', /\/count: must be <= 3/))
  gateway.damage = 'as tested'
  const damaged = problemOf('log_corrupt', /^The log is damaged: as tested$/)
  await assert.rejects(gateway.open(follow, { count: 1 }, viewer), damaged)
  await assert.rejects(call('counter.get', { name: 'a' }), damaged)
  await assert.rejects(gateway.jobs.find('J1-x'), damaged)
})

test('entity tags: strong for what commands change, weak with parameters, none for what is only now so', async (t) => {
  const opened = await open(t)
  await opened.call('counter.add', { name: 'a' })
  const tags = async (id: string, input: Record<string, unknown>, more: Partial<Call> = {}) => {
    const reply = await replyOf(opened, id, input, more)
    assert.equal(reply.kind, 'result')
    const { etag, hash, json, warnings } = reply as Extract<typeof reply, { kind: 'result' }>
    return { etag, hash, json, warnings }
  }
  const one = await tags('counter.get', { name: 'a' })
  assert.match(one.hash ?? '', /^[\w-]{22}$/)
  assert.deepEqual(one, { etag: `"${one.hash}"`, hash: one.hash, json: '{"name":"a","value":1}', warnings: undefined })
  assert.deepEqual(await tags('counter.get', {}, { strings: { name: 'a' } }), one)
  // Pages are one list, whatever part is asked for.
  const list = await tags('probe.list', {})
  assert.deepEqual(list, { etag: `"${list.hash}"`, hash: list.hash, json: undefined, warnings: undefined })
  assert.deepEqual(await tags('probe.list', { limit: 5 }), list)
  assert.deepEqual(await tags('probe.live', {}), {
    etag: undefined,
    hash: undefined,
    json: undefined,
    warnings: ['It is only now so.'],
  })
  // Names in another case are parameters as well, so the answer is not known to be the whole object.
  const spelled = await tags('counter.get', { NAME: 'a' })
  assert.match(spelled.etag ?? '', /^W\/"/)
  assert.equal(spelled.hash, undefined)
  const withHash = await tags('counter.get', { NAME: 'a' }, { withHash: true })
  assert.deepEqual(withHash, { ...spelled, hash: one.hash })
  await opened.call('counter.add', { name: 'b' })
  assert.deepEqual(await tags('counter.get', { name: 'a' }), one, 'another object has changed')
  assert.notEqual((await tags('counter.get', { NAME: 'a' })).etag, spelled.etag)
  assert.notEqual((await tags('probe.list', {})).etag, list.etag)
})

test('the audit has each query with its input, save what is not to be recorded, and what came of it', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const own = { correlationId: 'mine' }
  await call('probe.ask', { text: 'password', about: 'x' }, own)
  await call('probe.ask', { text: 'password' }, own)
  await call('probe.live', {}, own)
  await failure(call('probe.live', { name: 'none' }, own))
  await failure(call('counter.add', { nmae: 'a' }, own))
  await failure(call('counter.get', { name: 'none' }, { ...own, actor: actor('viewer', 'vera') }))
  await call('counter.add', { name: 'a' }, own)
  const records = []
  for await (const commit of gateway.store.log.read()) records.push(...commit)
  assert.deepEqual(
    records
      .filter(({ type }) => type === 'query.served' || type === 'call.refused')
      .map(({ type, actor: who, data, correlationId }) => [type, who, data, correlationId]),
    [
      ['query.served', 'test', { operation: 'probe.ask', input: { text: '(not recorded)', about: 'x' } }, 'mine'],
      ['query.served', 'test', { operation: 'probe.ask', input: { text: '(not recorded)' } }, 'mine'],
      ['query.served', 'test', { operation: 'probe.live', input: {} }, 'mine'],
      ['query.served', 'test', { operation: 'probe.live', input: { name: 'none' }, code: 'not_found' }, 'mine'],
      ['call.refused', 'test', { operation: 'counter.add', code: 'invalid_input' }, 'mine'],
      ['query.served', 'vera', { operation: 'counter.get', input: { name: 'none' }, code: 'not_found' }, 'mine'],
    ],
  )
})

test('a result that is to be sealed is told to the caller alone', async (t) => {
  let opened = await open(t)
  for (const length of [5, 50_000]) {
    const reply = await replyOf(opened, 'probe.seal', { length })
    assert.ok(reply.kind === 'result')
    assert.deepEqual(reply.value, { key: 'k'.repeat(length), open: 'o' })
    const hidden = { key: '(secret)', open: 'o' }
    const { jobId } = reply.job!
    assert.deepEqual((await opened.gateway.jobs.find(jobId))?.result, hidden)
    opened = await opened.restart()
    assert.deepEqual((await opened.gateway.jobs.find(jobId))?.result, hidden)
  }
})

test('a job beside the lane keeps no other waiting, and may not change anything', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const { jobId } = await call<{ jobId: string }>('probe.beside', { emits: false }, { mode: 'async' })
  const job = gateway.jobs.peek(jobId)!
  await until(() => job.status === 'Running', 'it runs')
  assert.equal(job.started, true)
  assert.equal(gateway.jobs.running, undefined)
  assert.deepEqual([gateway.jobs.isQuiet, gateway.jobs.open.map((one) => one.jobId)], [false, [jobId]])
  assert.deepEqual(await call('counter.add', { name: 'a' }), { name: 'a', value: 1 })
  release()
  await job.settled
  assert.equal(job.status, 'Completed')
  const emits = await call<{ jobId: string }>('probe.beside', { emits: true }, { mode: 'async' })
  const emitting = gateway.jobs.peek(emits.jobId)!
  await until(() => emitting.status === 'Running', 'it runs')
  release()
  const outcome = await emitting.settled
  assert.equal(!outcome.ok && outcome.error.code, 'internal_error')
  assert.equal(gateway.state.read(counters).has('beside'), false)
  assert.equal(gateway.jobs.isQuiet, true)
})

test('a queue that is full takes no more, and a gateway that closes takes none', async (t) => {
  const opened = await open(t)
  const { call, gateway } = opened
  const { jobId } = await call<{ jobId: string }>('probe.wait', {}, { mode: 'async' })
  await until(() => gateway.jobs.running?.jobId === jobId, 'it runs')
  gateway.settingsOverride = { values: { limits: { pendingJobs: 2 } }, sources: {} }
  for (let i = 0; i < 2; i++) await call('counter.add', { name: 'a' }, { mode: 'async' })
  assert.deepEqual([gateway.jobs.pending, gateway.jobs.open.length], [2, 3])
  assert.deepEqual(await failure(call('counter.add', { name: 'a' }, { mode: 'async' })), {
    code: 'queue_full',
    detail: '2 jobs are pending (limits.pendingJobs is 2).',
    errors: undefined,
    suggestion: undefined,
    extra: { retryAfterSeconds: 1 },
  })
  release()
  await until(() => gateway.jobs.isQuiet, 'they ran')
  assert.deepEqual(await call('counter.add', { name: 'a' }), { name: 'a', value: 3 })
  const closing = gateway.close()
  assert.deepEqual(
    await failure(call('counter.add', { name: 'a' })).then(({ detail }) => detail),
    'The gateway is shutting down.',
  )
  await closing
})
