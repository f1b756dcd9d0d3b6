/** The tools that reach all operations, called as the adapters call them. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestGateway } from '../../test/harness.ts'
import { until } from '../../test/until.ts'
import type { Access } from '../contract/access.ts'
import { mcpPlugin } from './operations.ts'
import type { ToolCaller } from './tool-caller.ts'
import { gatewayTools } from './tools.ts'

const plugins = fileURLToPath(new URL('../fixtures/plugins', import.meta.url))

async function open(t: TestContext) {
  const { gateway } = await openTestGateway(t, { pluginDirs: [plugins], corePlugins: [mcpPlugin] })
  const tools = gatewayTools(gateway)
  /** Calls a tool with a key of this name and access. */
  const call = async (
    name: string,
    input: Record<string, unknown>,
    access: Access = 'admin',
    more: Partial<ToolCaller> = {},
  ) => tools.call(name, input, { actor: { name: access, access }, ...more })
  const answer = async (...args: Parameters<typeof call>) => {
    const { text, structured, isError } = await call(...args)
    assert.equal(isError, undefined, text)
    return structured as Record<string, unknown>
  }
  const refusal = async (...args: Parameters<typeof call>) => {
    const { text, isError } = await call(...args)
    assert.equal(isError, true, text)
    return text
  }
  const wait = { name: 'a', after: 'sleep', ms: 600_000 }
  return { gateway, call, answer, refusal, wait }
}

test('operations are found by words and toolset, as many as asked, those that the key may call', async (t) => {
  const { answer, refusal } = await open(t)
  const found = async (input: Record<string, unknown>, access: Access = 'admin', more = {}) => {
    const { operations, total } = await answer('find_operations', input, access, more)
    return [(operations as { operation: string }[]).map(({ operation }) => operation).sort(), total] as const
  }
  const all = ['counter.add', 'counter.add-then', 'counter.get', 'counter.remove', 'counter.take-file']
  assert.deepEqual(await found({ query: '', toolset: 'counter' }), [all, 5])
  assert.deepEqual(await found({ query: ' ', toolset: 'counter', limit: 5 }), [all, 5])
  assert.equal((await found({ query: '', toolset: 'counter', limit: 2 }))[0].length, 2)
  assert.deepEqual(await found({ query: '', toolset: 'counter' }, 'viewer'), [['counter.get'], 1])
  assert.deepEqual(await found({ query: '', toolset: 'counter' }, 'admin', { readOnly: true }), [['counter.get'], 1])
  assert.deepEqual((await found({ query: 'remove a counter', limit: 1 }))[0], ['counter.remove'])
  const nothing = await answer('find_operations', { query: 'zzzzz' })
  assert.deepEqual([nothing.operations, nothing.total], [[], 0])
  assert((nothing.toolsets as string[]).includes('counter'), 'what there is instead')
  assert.match(await refusal('find_operations', { query: '', toolset: 'conter' }), /^not_found: .*conter/)
})

test('an operation is described by its id and by the name of its tool', async (t) => {
  const { answer, refusal } = await open(t)
  const described = await answer('describe_operation', { operation: 'counter.get' })
  assert.deepEqual(await answer('describe_operation', { operation: 'counter_get' }), described)
  const { operation, tool, title, kind, toolset, access, http } = described
  assert.deepEqual(
    { operation, tool, title, kind, toolset, access, http },
    {
      operation: 'counter.get',
      tool: 'counter_get',
      title: 'Read a counter',
      kind: 'query',
      toolset: 'counter',
      access: 'viewer',
      http: [
        { method: 'GET', path: '/api/counter/{name}', mode: 'sync', pathParameters: ['name'] },
        { method: 'GET', path: '/api/counter/{name}/async', mode: 'async', pathParameters: ['name'] },
      ],
    },
  )
  const { outputSchema, inputSchema } = described as Record<string, { properties: object }>
  assert.deepEqual(Object.keys(outputSchema?.properties ?? {}), ['name', 'value'])
  assert.deepEqual(Object.keys(inputSchema?.properties ?? {}), ['name'])
  assert.equal('needsInstance' in described, false)
  assert.match(
    await refusal('describe_operation', { operation: 'counter.ge' }),
    /^not_found: There is no operation "counter\.ge"\. Did you mean "counter\.get"\?\nSuggestion: counter\.get$/,
  )
  assert.match(
    await refusal('describe_operation', { operation: 'counter.keep-secret' }),
    /^not_available: Operation counter\.keep-secret is not offered to MCP clients\.$/,
  )
  assert.match(
    await refusal('describe_operation', { operation: 'nothing like that' }),
    /^not_found: There is no operation "nothing like that"\.\nSuggestion: Search with find_operations\.$/,
  )
})

test('any operation is called, tried, or begun as a job', async (t) => {
  const { answer, refusal } = await open(t)
  const add = { operation: 'counter.add', input: { name: 'a', by: 3 } }
  const value = async () => (await answer('call_operation', { operation: 'counter.get', input: { name: 'a' } })).value
  assert.equal((await answer('call_operation', add)).value, 3)
  const tried = await answer('call_operation', { ...add, dryRun: true })
  assert.equal((tried.events as unknown[]).length, 1)
  assert.equal(await value(), 3)
  const { jobId } = await answer('call_operation', { ...add, async: true })
  const job = await answer('get_job', { jobId, wait: 25 })
  assert.deepEqual([job.status, job.command, job.result], ['Completed', 'counter.add', { name: 'a', value: 6 }])
  const query = { operation: 'counter.get', input: { name: 'a' }, dryRun: true }
  assert.match(
    await refusal('call_operation', query),
    /^invalid_input: \/dryRun: counter\.get is a query; only commands can be tried\.$/,
  )
  assert.match(
    await refusal('call_operation', { operation: 'counter.add', input: {} }),
    /^invalid_input: \/name: is missing/,
  )
  assert.match(await refusal('get_job', { jobId: 'J1-none' }), /^not_found: There is no job "J1-none"\.$/)
})

test('a long answer is cut, and its structure is not repeated', async (t) => {
  const { call } = await open(t)
  const large = { operation: 'counter.add-then', input: { name: 'a', after: 'large' } }
  const { text, structured, json } = await call('call_operation', large)
  assert.deepEqual([structured, json], [undefined, undefined])
  assert.match(
    text,
    /\n\[cut: \d+ of 200011 characters are missing; the whole is the resource gantry:\/\/\S+\. Ask for less/,
  )
  const small = await call('call_operation', { operation: 'counter.add', input: { name: 'a' } })
  assert.notEqual(small.structured, undefined)
})

test('a job shows its input in short, so that its result is seen', async (t) => {
  const { answer } = await open(t)
  const name = 'n'.repeat(600)
  const { jobId } = await answer('call_operation', { operation: 'counter.add', input: { name }, async: true })
  const job = await answer('get_job', { jobId, wait: 25 })
  assert.deepEqual([job.input, job.result], [{ name: `${name.slice(0, 500)}… (600 characters)` }, { name, value: 1 }])
})

test('the end of a job is awaited with its progress, for as long as asked or until the client leaves', async (t) => {
  const { answer, call, gateway, wait } = await open(t)
  const { jobId } = await answer('call_operation', { operation: 'counter.add-then', input: wait, async: true })
  await until(async () => (await answer('get_job', { jobId })).status === 'Running', 'it runs')
  const told: number[] = []
  const listeners = gateway.bus.listenerCount('job')
  const running = await answer('get_job', { jobId, wait: 0.1 }, 'admin', {
    onProgress: (percent) => told.push(percent),
  })
  assert.equal(running.status, 'Running')
  assert(told.length > 0, 'progress is told')
  assert.equal(gateway.bus.listenerCount('job'), listeners, 'nobody listens any more')
  // A client that leaves is not kept waiting.
  const leaving = new AbortController()
  const waiting = call('get_job', { jobId, wait: 25 }, 'admin', { signal: leaving.signal })
  leaving.abort()
  await waiting
  await answer('cancel_job', { jobId })
  const ended = await answer('get_job', { jobId, wait: 25 })
  assert.equal(ended.status, 'Cancelled')
})

test('whoever may not change anything cancels only their own job', async (t) => {
  const { answer, refusal, wait } = await open(t)
  const { jobId } = await answer('call_operation', { operation: 'counter.add-then', input: wait, async: true })
  assert.equal(
    await refusal('cancel_job', { jobId }, 'viewer'),
    'forbidden: Cancelling a job of another key needs access level "engineer"; this key has "viewer".',
  )
  await answer('cancel_job', { jobId }, 'engineer')
  await until(async () => (await answer('get_job', { jobId })).status === 'Cancelled', 'it is cancelled')
})

test('a tool that does not exist names the nearest, and wrong input its field', async (t) => {
  const { call, refusal } = await open(t)
  await assert.rejects(
    call('find_operation', {}),
    /There is no tool "find_operation"\. Did you mean "find_operations"\? find_op/,
  )
  await assert.rejects(call('something else', {}), /There is no tool "something else"\. find_operations searches/)
  assert.match(await refusal('get_job', {}), /^invalid_input: \/jobId: is missing/)
})
