/** `ctx.call`: operations that call operations, in one job. */
import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actor, openTestGateway } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import type { CommandContext, QueryContext } from '../contract/context.ts'
import { isGatewayError, problem } from '../contract/problems.ts'
import { counters } from '../fixtures/plugins/counter/index.ts'
import { command, get, type Hook, post, query, type SchemaBuilder, stream } from '../index.ts'

const pluginDirs = [fileURLToPath(new URL('../fixtures/plugins', import.meta.url))]
const common = { mcp: false } as const
const anything = { ...common, input: (t: SchemaBuilder) => t.Object({}), output: (t: SchemaBuilder) => t.Unknown() }

/** A gateway with a plugin whose commands do what a test says. */
async function open(t: TestContext) {
  const does: {
    command: (ctx: CommandContext) => unknown
    live: (ctx: CommandContext) => unknown
    query: (ctx: QueryContext) => unknown
  } = { command: () => ({}), live: () => ({}), query: () => ({}) }
  const seen: string[] = []
  const hooks: Hook[] = [
    { on: 'counter.*', before: (_, __, { id }) => void seen.push(`before ${id}`) },
    { on: 'counter.add', perJob: true, before: () => void seen.push('per job') },
    {
      on: 'counter.add',
      after: (_, __, ctx) => void seen.push(`after ${'emitted' in ctx ? ctx.emitted.length : '-'}`),
    },
  ]
  const value = query({
    ...common,
    id: 'outer.value',
    title: 'Read a counter',
    input: (s) => s.Object({ name: s.String(), least: s.Optional(s.Integer()) }),
    output: (s) => s.Object({ value: s.Integer() }),
    http: [get('/api/outer/value')],
    run({ name }, ctx) {
      ctx.warn(['Read now.'])
      return { value: ctx.read(counters).get(name)?.value ?? 0 }
    },
  })
  const outer = {
    name: 'outer',
    version: '1.0.0',
    hooks,
    operations: [
      command({
        ...anything,
        id: 'outer.command',
        title: 'Do what the test says',
        http: [post('/api/outer/command')],
        run: (_, ctx) => does.command(ctx),
      }),
      command({
        ...anything,
        id: 'outer.live',
        title: 'Do what the test says, live',
        live: true,
        http: [post('/api/outer/live')],
        run: (_, ctx) => does.live(ctx),
      }),
      query({
        ...anything,
        id: 'outer.query',
        title: 'Answer what the test says',
        http: [get('/api/outer/query')],
        run: (_, ctx) => does.query(ctx),
      }),
      query({
        ...anything,
        id: 'outer.admin',
        title: 'Only for administrators',
        access: 'admin',
        http: [get('/api/outer/admin')],
        run: () => 1,
      }),
      stream({
        ...common,
        id: 'outer.follow',
        title: 'Follow',
        input: (s) => s.Object({}),
        http: [get('/api/outer/follow')],
        async *run() {},
      }),
      value,
    ],
  }
  return { ...(await openTestGateway(t, { pluginDirs, corePlugins: [outer] })), does, seen, value }
}

const fails = (made: Promise<unknown>, code: string, detail: RegExp) =>
  assert.rejects(made, (error) => isGatewayError(error) && error.code === code && detail.test(error.message))

test('a called command is part of the job: one record set, hooks, the same changes, typed results', async (t) => {
  const { call, gateway, does, seen, value } = await open(t)
  await call('counter.add', { name: 'a' })
  seen.length = 0
  const from = gateway.store.log.headSeq + 1
  does.command = async (ctx) => {
    const told: string[] = []
    const added = (await ctx.call('counter.add', { NAME: 'a', by: 4 })) as { value: number }
    const read = await ctx.call(value, { name: 'a' }, { onWarnings: (texts) => told.push(...texts) })
    const sum: number = added.value + read.value
    await ctx.call('counter.add', { name: 'b' })
    return { sum, told }
  }
  assert.deepEqual(await call('outer.command'), { sum: 10, told: ['Read now.'] })
  const before = ['before counter.add', 'per job']
  assert.deepEqual(
    seen.filter((one) => one !== before[1]),
    ['before counter.add', 'after 1', 'before counter.add', 'after 1'],
  )
  assert.ok(!seen.includes('per job'), 'a hook of the whole job is none of a part')
  await gateway.flushRecords()
  const commits = []
  for await (const commit of gateway.store.log.read({ from })) commits.push(...commit)
  const own = commits.filter(({ jobId }) => jobId !== undefined)
  assert.deepEqual(
    own.map(({ type }) => type),
    ['job.accepted', 'counter.added', 'counter.added', 'job.completed'],
  )
  assert.equal(new Set(own.map(({ jobId }) => jobId)).size, 1)
})

test('a job keeps nothing when a called command failed behind its change, though the caller goes on', async (t) => {
  const { call, gateway, does, dir } = await open(t)
  does.command = async (ctx) => {
    await ctx.call('counter.add', { name: 'a' })
    await ctx.call('counter.add-then', { name: 'b', after: 'fail' }).catch(() => {})
    return {}
  }
  await fails(call('outer.command'), 'unacceptable_content', /fails as asked/)
  assert.equal(gateway.state.read(counters).size, 0)
  // One that fails before it changes anything is no more than an answer.
  does.command = async (ctx) => {
    await ctx.call('counter.remove', { name: 'none' }).catch(() => ctx.call('counter.add', { name: 'none' }))
    await ctx.call('counter.add-then', { name: 'f', after: 'write', path: 'f.txt' })
    return {}
  }
  const dry = await call<{ events: unknown[]; files: unknown[] }>('outer.command', { dryRun: true })
  assert.deepEqual([dry.events.length, dry.files.length, gateway.state.read(counters).size], [2, 1, 0])
  await assert.rejects(access(join(dir, 'workspace/f.txt')))
  await call('outer.command')
  await access(join(dir, 'workspace/f.txt'))
  assert.deepEqual([...gateway.state.read(counters).keys()], ['none', 'f'])
})

test('input, access and secrets are as of any call', async (t) => {
  const { call, does } = await open(t)
  does.command = (ctx) => ctx.call('counter.add', { nmae: 'a' })
  await fails(call('outer.command'), 'invalid_input', /name/)
  does.command = (ctx) => ctx.call('counter.ad', {})
  await fails(call('outer.command'), 'not_found', /Did you mean "counter.add"/)
  does.command = (ctx) => ctx.call('outer.admin', {})
  await fails(call('outer.command', {}, { actor: actor('engineer') }), 'forbidden', /outer\.admin needs .*"admin"/)
  does.command = (ctx) => ctx.call('counter.keep-secret', { password: 'pw', token: 'four' })
  const kept = await call<{ password: string; tokenLength: number }>('outer.command')
  assert.match(kept.password, /^scrypt:/)
  assert.equal(kept.tokenLength, 4)
  does.command = (ctx) => ctx.call('counter.take-file', { file: { fileName: 'x', content: 'text' } })
  assert.deepEqual(await call('outer.command'), { fileName: 'x', size: 4, text: 'text' })
})

test('what cannot be called says why', async (t) => {
  const { call, does } = await open(t)
  const refused = (detail: RegExp, id = 'outer.command') => fails(call(id), 'conflict', detail)
  does.command = (ctx) => ctx.call('outer.follow', {})
  await refused(/it is a stream/)
  does.command = (ctx) => ctx.call('outer.live', {})
  await refused(/declare the caller `live: true`/)
  let depth = 0
  does.command = (ctx) => {
    depth++
    return ctx.call('outer.command', {})
  }
  await refused(/more than 8 deep/)
  assert.equal(depth, 9)
  does.query = (ctx) => ctx.call('counter.add', { name: 'a' })
  await refused(/a query calls queries only/, 'outer.query')
  // Not by way of another query either, in a command too.
  does.command = (ctx) => ctx.call('outer.query', {})
  await refused(/a query calls queries only/)
  does.live = (ctx) => ctx.call('outer.live', {})
  await refused(/more than 8 deep/, 'outer.live')
})

test('a query calls queries; their warnings are its own', async (t) => {
  const { gateway, does, value, call } = await open(t)
  await call('counter.add', { name: 'a', by: 3 })
  does.query = (ctx) => ctx.call(value, { name: 'a' })
  const reply = await gateway.invoke(gateway.registry.operation('outer.query')!, {}, { actor: actor() })
  assert.ok(reply.kind === 'result')
  assert.deepEqual([reply.value, reply.warnings], [{ value: 3 }, ['Read now.']])
  assert.ok(reply.etag, 'what was read is known, so the answer has an entity tag')
})

test('a cancelled job starts no further part', async (t) => {
  const { call, gateway, does } = await open(t)
  does.command = async (ctx) => {
    await ctx.call('counter.add-then', { name: 'a', after: 'sleep', ms: 600_000 }).catch(() => {})
    await ctx.call('counter.add', { name: 'b' })
    return {}
  }
  const { jobId } = await call<{ jobId: string }>('outer.command', {}, { mode: 'async' })
  await until(() => (gateway.jobs.running?.message ?? '').startsWith('waited'), 'the message of the part is shown')
  assert.equal(gateway.jobs.running?.progress, 0)
  await gateway.jobs.cancel(jobId)
  await gateway.jobs.peek(jobId)?.settled
  assert.equal((await gateway.jobs.find(jobId))?.status, 'Cancelled')
  assert.equal(gateway.state.read(counters).size, 0)
})

test('gateway.invoke of a command by a running one is refused at once, and afterwards it runs', async (t) => {
  const { call, gateway, does } = await open(t)
  const add = gateway.registry.operation('counter.add')!
  does.command = (ctx) => ctx.gateway.invoke(add, { name: 'a' }, { actor: ctx.actor })
  await fails(call('outer.command'), 'conflict', /outer\.command runs and has called gateway\.invoke for counter\.add/)
  does.command = (ctx) => ctx.gateway.invoke(add, { name: 'a' }, { actor: actor(), signal: ctx.signal })
  await assert.rejects(
    call('outer.command'),
    (error) => isGatewayError(error) && /ctx\.call\('counter\.add'/.test(error.details.suggestion ?? ''),
  )
  does.command = async (ctx) => {
    const reply = await ctx.gateway.invoke(add, { name: 'later' }, { actor: ctx.actor, mode: 'async' })
    return { kind: reply.kind }
  }
  assert.deepEqual(await call('outer.command'), { kind: 'job' })
  await until(() => gateway.state.read(counters).has('later'), 'it has run')
  // Another caller with the same key waits as always.
  const caller = actor()
  does.command = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return {}
  }
  const both = [call('outer.command', {}, { actor: caller }), call('counter.add', { name: 'c' }, { actor: caller })]
  assert.deepEqual((await Promise.all(both))[1], { name: 'c', value: 1 })
  does.command = () => {
    throw problem('conflict', 'own')
  }
  await fails(call('outer.command'), 'conflict', /^own$/)
})
