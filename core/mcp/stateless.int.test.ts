/** MCP 2026-07-28 with its SDK's own client, and the bytes that other clients of it see. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { builtInPlugins } from '../../test/harness.ts'
import { counterPlugins, serveMcp, slowPlugins, testKey, textOf } from '../../test/mcp.ts'
import { becomes, until } from '../../test/until.ts'
import type { ActiveJob } from '../log/active-job.ts'
import { bridgeStdio } from './bridge.ts'
import { serveStdio } from './stdio.ts'
import { gatewayTools } from './tools.ts'

const version = '2026-07-28'
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
type Served = Awaited<ReturnType<typeof serveMcp>>

interface Wishes {
  readonly query?: string
  readonly capabilities?: object
  readonly onQuestion?: (message: string) => ElicitResult | Promise<ElicitResult>
}

function makeClient({ capabilities = {}, onQuestion }: Wishes): Client {
  const client = new Client(
    { name: 'new client', version: '3' },
    {
      versionNegotiation: { mode: { pin: version } },
      capabilities: { ...capabilities, ...(onQuestion ? { elicitation: { form: {} } } : {}) },
    },
  )
  if (onQuestion)
    client.setRequestHandler('elicitation/create', ({ params }) => onQuestion((params as { message: string }).message))
  return client
}

/** A client of the revision at a gateway. */
async function connect(t: TestContext, { url }: Served, wishes: Wishes = {}): Promise<Client> {
  const client = makeClient(wishes)
  const requestInit = { headers: { 'x-api-key': testKey } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp${wishes.query ?? ''}`), { requestInit }))
  t.after(() => client.close())
  return client
}

/** The commands of a gateway so far, oldest first. */
function jobsOf({ gateway }: Served): () => ActiveJob[] {
  const seen = new Set<ActiveJob>()
  gateway.bus.on('job', (job) => seen.add(job))
  return () => [...seen]
}

/** A call of a command that lasts so long. */
const sleeps = (ms: number) => ({ name: 'counter_add_then', arguments: { name: 'slow', after: 'sleep', ms } })

/** One request as bytes; `meta` replaces members of the envelope. */
function asBytes({ request }: Served, method: string, params: object = {}, headers: object = {}, meta: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  }
  const { name } = params as { name?: string }
  return request('/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
      ...headers,
    },
    json: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
  })
}

test('a client discovers the gateway, lists, calls and reads without a session', async (t) => {
  const served = await serveMcp(t)
  const jobs = jobsOf(served)
  const client = await connect(t, served, { query: '?toolsets=all' })
  assert.equal(client.getServerVersion()?.name, 'gantry')
  const { tools } = await client.listTools()
  assert(tools.some(({ name }) => name === 'counter_add'))
  const added = await client.callTool({ name: 'counter_add', arguments: { name: 'a', by: 2 } })
  assert.deepEqual(added.structuredContent, { name: 'a', value: 2 })
  const wrong = await client.callTool({ name: 'counter_add', arguments: { nam: 'a' } })
  assert.equal(wrong.isError, true)
  assert.match(textOf(wrong), /^invalid_input: /)
  await assert.rejects(client.callTool({ name: 'no_tool', arguments: {} }), /There is no tool "no_tool"/)
  const { contents } = await client.readResource({ uri: 'gantry://docs/mcp-server' })
  assert.match((contents[0] as { text: string }).text, /^# MCP/)
  await assert.rejects(client.readResource({ uri: 'gantry://jobs/none' }), (error) => {
    assert.equal((error as { code: number }).code, -32602)
    return true
  })
  const sessions = (await (await served.request('/mcp/sessions')).json()) as { total: number }
  assert.equal(sessions.total, 0)
  // The audit names the client; a group is the trace that the client names, and nobody else's.
  const [job] = jobs()
  assert.deepEqual([job?.actor.name, job?.options.group], ['admin/new-client@3', undefined])
})

test('a read-only selection holds for the request that names it', async (t) => {
  const served = await serveMcp(t)
  const client = await connect(t, served, { query: '?readonly=1&toolsets=all' })
  const { tools } = await client.listTools()
  assert(!tools.some(({ name }) => name === 'counter_add'))
  const refused = await client.callTool({ name: 'counter_add', arguments: { name: 'a' } })
  assert.match(textOf(refused), /^forbidden: /)
})

test('both eras are served at the same address', async (t) => {
  const served = await serveMcp(t)
  const fresh = await connect(t, served)
  const { client: before } = await served.connect('streamable-http')
  await fresh.callTool({ name: 'counter_add', arguments: { name: 'a' } })
  const second = await before.callTool({ name: 'counter_add', arguments: { name: 'a' } })
  assert.deepEqual(second.structuredContent, { name: 'a', value: 2 })
  const automatic = new Client({ name: 'auto', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = { headers: { 'x-api-key': testKey } }
  await automatic.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }))
  t.after(() => automatic.close())
  assert.equal(automatic.getNegotiatedProtocolVersion(), version)
})

test('requests that contradict themselves get the error that the specification names', async (t) => {
  const served = await serveMcp(t)
  const answer = async (...given: Parameters<typeof asBytes> extends [Served, ...infer R] ? R : never) => {
    const response = await asBytes(served, ...given)
    return [response.status, ((await response.json()) as { error?: { code: number } }).error?.code]
  }
  assert.deepEqual(await answer('tools/list'), [200, undefined])
  assert.deepEqual(await answer('tools/list', {}, { 'mcp-method': 'tools/call' }), [400, -32020])
  assert.deepEqual(await answer('tools/call', { name: 'counter_add' }, { 'mcp-name': 'another' }), [400, -32020])
  assert.deepEqual(await answer('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }), [400, -32020])
  const later = { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }
  assert.deepEqual(await answer('tools/list', {}, { 'mcp-protocol-version': '2027-01-01' }, later), [400, -32022])
  assert.deepEqual(await answer('ping'), [404, -32601])
  assert.deepEqual(await answer('tasks/get', { taskId: 'J' }, { 'mcp-name': 'J' }), [400, -32021])
  const unsigned = await fetch(`${served.url}/mcp`, { method: 'POST', body: '{}' })
  assert.equal(unsigned.status, 401)
})

test('the trace that a client names is the group of its commands', async (t) => {
  const served = await serveMcp(t)
  const jobs = jobsOf(served)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const call = { name: 'counter_add', arguments: { name: 'a' } }
  assert.equal((await asBytes(served, 'tools/call', call, {}, { traceparent })).status, 200)
  assert.equal(jobs()[0]?.options.group, 'trace-0af7651916cd43dd8448eb211c80319c')
})

/** A project with the blocks A and B. */
async function openProject(t: TestContext) {
  const served = await serveMcp(t, { pluginDirs: [builtInPlugins] })
  const { gateway } = served
  const invoke = async (id: string, input = {}) => {
    const of = gateway.registry.operation(id)!
    return gateway.invoke(of, input, { actor: { name: 'test', access: 'admin' } })
  }
  await invoke('projects.create', { name: 'P' })
  await invoke('devices.add', { orderNumber: '6ES7 518-4AX00-1AC0', name: 'PLC_1' })
  for (const name of ['A', 'B'])
    await invoke('blocks.create', { deviceName: 'PLC_1', name, type: 'FC', language: 'SCL', code: ';' })
  const names = async () => {
    const { value } = (await invoke('blocks.list', { deviceName: 'PLC_1' })) as {
      value: { blocks: { name: string }[] }
    }
    return value.blocks.map(({ name }) => name).join('')
  }
  return { served, invoke, names }
}
const remove = (blockName: string) => ({ name: 'blocks_delete', arguments: { deviceName: 'PLC_1', blockName } })

test('a destructive call answers with the question, and runs when it comes again with a yes', async (t) => {
  const { served, names } = await openProject(t)
  const questions: string[] = []
  const answers: ElicitResult[] = [
    { action: 'accept', content: { proceed: true } },
    { action: 'decline' },
    { action: 'accept', content: { proceed: false } },
  ]
  const client = await connect(t, served, {
    query: '?toolsets=all',
    onQuestion: (message) => {
      questions.push(message)
      return answers[questions.length - 1]!
    },
  })
  assert.ok(!(await client.callTool(remove('A'))).isError)
  assert.equal(await names(), 'B')
  assert.match(questions[0]!, /^new client wants to run blocks\.delete: Delete a block/)
  assert.match(questions[0]!, /A trial run shows what would happen:\n- .*delete.*: A/i)
  for (const count of [2, 3]) {
    assert.match(
      textOf(await client.callTool(remove('B'))),
      /^not_confirmed: blocks\.delete was not run: the person said/,
    )
    assert.equal(questions.length, count)
  }
  assert.equal(await names(), 'B')
})

test('an answer counts for the question that was asked: not for another call, another effect, another seal', async (t) => {
  const { served, names } = await openProject(t)
  const form = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
  const ask = async (params: object) => {
    const response = await asBytes(served, 'tools/call', params, {}, form)
    return (await response.json()) as {
      result?: { resultType: string; requestState: string; isError?: true; inputRequests: Record<string, object> }
      error?: { code: number }
    }
  }
  const yes = { confirm: { action: 'accept', content: { proceed: true } } }
  const { result } = await ask(remove('A'))
  assert.equal(result?.resultType, 'input_required')
  assert.deepEqual(Object.keys(result.inputRequests), ['confirm'])
  const { requestState } = result
  const others = [
    { ...remove('B'), inputResponses: yes, requestState },
    { ...remove('A'), inputResponses: yes },
  ]
  for (const one of others) assert.equal((await ask(one)).result?.resultType, 'input_required')
  const forged = await ask({ ...remove('A'), inputResponses: yes, requestState: `${requestState.slice(0, -4)}AAAA` })
  assert.equal(forged.error?.code, -32602)
  const done = await ask({ ...remove('A'), inputResponses: yes, requestState })
  assert.deepEqual([done.result?.resultType, await names()], ['complete', 'B'])
  // The trial run shows something else by now, and nobody has seen it.
  const gone = await ask({ ...remove('A'), inputResponses: yes, requestState })
  assert.equal(gone.result?.isError, true)
})

test('progress comes on the stream of the call, and leaving it cancels the job', async (t) => {
  const served = await serveMcp(t, { pluginDirs: [counterPlugins] })
  const jobs = jobsOf(served)
  const client = await connect(t, served, { query: '?toolsets=all' })
  const heard: number[] = []
  const slow = sleeps(60)
  await client.callTool(slow, { onprogress: ({ progress }) => heard.push(progress) })
  assert(heard.length > 0)
  const leave = new AbortController()
  const called = client.callTool(sleeps(200_000), { signal: leave.signal, onprogress: () => leave.abort() })
  await assert.rejects(called)
  await becomes(() => jobs().map(({ status }) => status), ['Completed', 'Cancelled'])
})

test('a client that follows tasks gets one for a command that takes long', async (t) => {
  const served = await serveMcp(t)
  const { gateway } = served
  Object.assign(gatewayTools(gateway), { answerWithinMs: 50 })
  const begin = async (ms: number) => {
    const response = await asBytes(served, 'tools/call', sleeps(ms), {}, following)
    return ((await response.json()) as { result: Record<string, unknown> }).result
  }
  const following = { 'io.modelcontextprotocol/clientCapabilities': tasks }
  const of = async (method: string, taskId: unknown) => {
    const response = await asBytes(served, method, { taskId }, { 'mcp-name': String(taskId) }, following)
    return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number } }
  }
  const discovered = (await (await asBytes(served, 'server/discover')).json()) as {
    result: { capabilities: typeof tasks }
  }
  assert.deepEqual(discovered.result.capabilities.extensions, tasks.extensions)
  const task = await begin(400)
  assert.deepEqual([task.resultType, task.status, task.ttlMs], ['task', 'working', null])
  await until(async () => (await of('tasks/get', task.taskId)).result?.status === 'completed', 'the task ends')
  const { result } = await of('tasks/get', task.taskId)
  assert.deepEqual(Object.keys((result?.result ?? {}) as object).sort(), ['content', 'structuredContent'])
  assert.equal((await of('tasks/update', task.taskId)).error, undefined)
  assert.equal((await of('tasks/get', 'J-none')).error?.code, -32602)
  const long = await begin(200_000)
  assert.equal((await of('tasks/cancel', long.taskId)).error, undefined)
  await until(async () => (await of('tasks/get', long.taskId)).result?.status === 'cancelled', 'the task is cancelled')
  assert.equal((await of('tasks/cancel', long.taskId)).error, undefined)
  // A client that does not say that it follows tasks gets the job, as before.
  const client = await connect(t, served, { query: '?toolsets=all' })
  const job = await client.callTool(sleeps(400))
  assert.equal(typeof (job.structuredContent as { jobId: unknown }).jobId, 'string')
})

test('a client that listens hears of the resources that it names', async (t) => {
  const { served, invoke } = await openProject(t)
  const client = await connect(t, served)
  const heard: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  const uri = 'gantry://devices/PLC_1/blocks/A'
  const listening = await client.listen({ resourceSubscriptions: [uri] })
  assert.deepEqual(listening.honoredFilter.resourceSubscriptions, [uri])
  const change = (name: string) => {
    const content = `FUNCTION "${name}" : Void\nBEGIN\n  RETURN;\nEND_FUNCTION\n`
    return invoke('blocks.import', { deviceName: 'PLC_1', content, overwrite: true })
  }
  await change('B')
  await change('A')
  await until(() => heard.length > 0, 'the change is heard')
  assert.deepEqual([...new Set(heard)], [uri])
  await listening.close()
})

/** A client of the revision on the standard streams of `serve`. */
async function onStreams(
  t: TestContext,
  serve: (streams: { stdin: PassThrough; stdout: PassThrough }) => Promise<void>,
  wishes: Wishes = {},
) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const serving = serve({ stdin, stdout })
  const client = makeClient(wishes)
  await client.connect(new StdioServerTransport(stdout, stdin) as never)
  t.after(async () => {
    await client.close()
    stdin.end()
    await serving
  })
  return client
}

for (const kind of ['stdio', 'bridge'] as const)
  test(`${kind}: the same over standard input and output`, async (t) => {
    const served = await serveMcp(t, { pluginDirs: [counterPlugins, slowPlugins] })
    const { gateway, url } = served
    const jobs = jobsOf(served)
    const client = await onStreams(t, (streams) =>
      kind === 'stdio'
        ? serveStdio(gateway, { ...streams, toolsets: 'all' })
        : bridgeStdio({ locate: async () => ({ url, key: testKey }), version: '1', toolsets: 'all', ...streams }),
    )
    const added = await client.callTool({ name: 'counter_add', arguments: { name: 'a' } })
    assert.deepEqual(added.structuredContent, { name: 'a', value: 1 })
    const leave = new AbortController()
    const called = client.callTool(sleeps(200_000), { signal: leave.signal })
    await until(() => jobs()[1]?.status === 'Running', 'it begins')
    leave.abort()
    await assert.rejects(called)
    await becomes(() => jobs()[1]?.status, 'Cancelled')
    const again = await client.callTool({ name: 'counter_add', arguments: { name: 'a' } })
    assert.deepEqual(again.structuredContent, { name: 'a', value: 2 })
  })
