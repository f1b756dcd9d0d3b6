/** The HTTP side of MCP as bytes: the view of clients other than the SDK's. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { serveMcp } from '../../test/mcp.ts'
import { until } from '../../test/until.ts'
import { defaultSelection } from './catalogue.ts'
import { McpSessions, newSession } from './sessions.ts'
import { SseTransport } from './sse.ts'

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } },
}
const both = { accept: 'application/json, text/event-stream' }

/** Reads a stream's events as text. */
function readEvents(t: TestContext, response: Response) {
  const reader = response.body!.getReader()
  t.after(() => reader.cancel().catch(() => {}))
  let text = ''
  let ended = false
  const pump = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString('utf8')
    }
  }
  pump()
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  return {
    text: () => text,
    ended: () => ended,
    /** The data of the n-th event of a kind. */
    async data(event: string, n = 0): Promise<string> {
      const all = () => [...text.matchAll(new RegExp(`event: ${event}\\ndata: (.*)\\n\\n`, 'g'))].map((m) => m[1]!)
      await until(() => all().length > n, `event ${event} ${n} arrives`)
      return all()[n]!
    },
    close: () => reader.cancel(),
  }
}

test('SSE: the same bytes as the SDK writes', async (t) => {
  const bytes = async (
    make: (response: import('node:http').ServerResponse) => {
      start(): Promise<void>
      send(m: never): Promise<void>
      close(): Promise<void>
      sessionId: string
    },
  ) => {
    let sessionId = ''
    const server = createServer(async (_request, response) => {
      const transport = make(response)
      sessionId = transport.sessionId
      await transport.start()
      await transport.send({ jsonrpc: '2.0', id: 'ä', result: { lines: 'a\nb' } } as never)
      await transport.close()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const body = (await response.text()).replaceAll(sessionId, 'ID')
    return [response.headers.get('content-type'), response.headers.get('cache-control'), body]
  }
  assert.deepEqual(
    await bytes((response) => new SseTransport(response, '/mcp/messages', 'mine')),
    await bytes((response) => new SSEServerTransport('/mcp/messages', response)),
  )
})

test('SSE: without a session id one is made; answers come as message events; posts are accepted with 202', async (t) => {
  const { request } = await serveMcp(t)
  const stream = await request('/mcp/sse')
  assert.equal(stream.status, 200)
  assert.match(stream.headers.get('content-type')!, /^text\/event-stream/)
  const events = readEvents(t, stream)
  const endpoint = await events.data('endpoint')
  assert.match(endpoint, /^\/mcp\/messages\?sessionId=[\w-]{36}$/)
  const posted = await request(endpoint, { method: 'POST', json: list })
  assert.deepEqual([posted.status, await posted.text()], [202, 'Accepted'])
  assert.equal(JSON.parse(await events.data('message')).id, 1)
  // The only stream of its key needs no session id.
  assert.equal((await request('/mcp/messages', { method: 'POST', json: { ...list, id: 2 } })).status, 202)
  assert.equal(JSON.parse(await events.data('message', 1)).id, 2)
})

test('SSE: a client names its session, and takes it up again', async (t) => {
  const { request } = await serveMcp(t)
  const first = readEvents(t, await request('/mcp/sse?sessionId=my.session-1'))
  assert.equal(await first.data('endpoint'), '/mcp/messages?sessionId=my.session-1')
  const second = readEvents(t, await request('/mcp/sse?sessionId=my.session-1'))
  await second.data('endpoint')
  await until(() => first.ended(), 'the older stream ends')
  assert.equal((await request('/mcp/messages?sessionId=my.session-1', { method: 'POST', json: list })).status, 202)
  assert.equal(JSON.parse(await second.data('message')).id, 1)
  const bad = await request(`/mcp/sse?sessionId=${encodeURIComponent('a b/../c')}`)
  assert.equal(bad.status, 400)
  assert.equal(((await bad.json()) as { code: string }).code, 'invalid_input')
})

test('SSE: the session of another key is taken for the stream and unknown for messages', async (t) => {
  const { request, gateway } = await serveMcp(t)
  const { hashSecret } = await import('../access/secrets.ts')
  gateway.keyring.use([{ name: 'other', access: 'engineer', hash: await hashSecret('gty_other') }])
  t.mock.method(gateway.keyring, 'use', () => {})
  const events = readEvents(t, await request('/mcp/sse?sessionId=mine'))
  await events.data('endpoint')
  const other = { headers: { 'x-api-key': 'gty_other' } }
  const taken = await request('/mcp/sse?sessionId=mine', other)
  assert.deepEqual([taken.status, ((await taken.json()) as { code: string }).code], [409, 'conflict'])
  const posted = await request('/mcp/messages?sessionId=mine', { method: 'POST', json: list, ...other })
  assert.equal(posted.status, 404)
})

test('SSE: wrong posts get a problem that says what is wrong', async (t) => {
  const { request } = await serveMcp(t)
  const events = readEvents(t, await request('/mcp/sse?sessionId=s'))
  await events.data('endpoint')
  const post = async (path: string, init: Parameters<typeof request>[1]) => {
    const response = await request(path, { method: 'POST', ...init })
    assert.match(response.headers.get('content-type')!, /^application\/problem\+json/)
    return [response.status, ((await response.json()) as { detail: string }).detail] as const
  }
  const json = { 'content-type': 'application/json' }
  assert.equal((await post('/mcp/messages?sessionId=none', { json: list }))[0], 404)
  assert.equal((await post('/mcp/messages?sessionId=s', { headers: json, body: '{"jsonrpc":' }))[0], 400)
  for (const [body, message] of [
    [[list], /one JSON object/],
    [{ ...list, jsonrpc: '1.0' }, /"jsonrpc" must be "2.0", not "1.0"/],
    [{ ...list, method: 7 }, /"method" must be a string/],
    [{ ...list, params: [1] }, /"params" must be an object/],
    [{ ...list, id: { a: 1 } }, /"id" must be a string or an integer/],
    [{ jsonrpc: '2.0', id: 1 }, /"method", a "result" or an "error"/],
  ] as const) {
    const [status, detail] = await post('/mcp/messages?sessionId=s', { json: body })
    assert.equal(status, 400)
    assert.match(detail, message)
  }
  assert.equal(
    (await post('/mcp/messages?sessionId=s', { headers: { 'content-type': 'text/plain' }, body: 'x' }))[0],
    415,
  )
  await events.close()
  await until(
    async () => (await request('/mcp/messages?sessionId=s', { method: 'POST', json: list })).status === 404,
    'the session is gone',
  )
  assert.equal((await post('/mcp/messages', { json: list }))[0], 400)
})

test('no route of MCP answers without a key', async (t) => {
  const { url } = await serveMcp(t)
  for (const [method, path] of [
    ['GET', '/mcp/sse'],
    ['POST', '/mcp/messages'],
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/mcp/info'],
    ['GET', '/mcp/sessions'],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method })
    assert.equal(response.status, 401, `${method} ${path}`)
  }
})

test('Streamable HTTP: a session from initialize to DELETE', async (t) => {
  const { request } = await serveMcp(t)
  const begun = await request('/mcp', { method: 'POST', json: initialize, headers: both })
  assert.equal(begun.status, 200)
  await begun.text()
  const session = {
    ...both,
    'mcp-session-id': begun.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-06-18',
  }
  assert.equal(
    (
      await request('/mcp', {
        method: 'POST',
        json: { jsonrpc: '2.0', method: 'notifications/initialized' },
        headers: session,
      })
    ).status,
    202,
  )
  const add = {
    jsonrpc: '2.0',
    id: 'x',
    method: 'tools/call',
    params: { name: 'counter_add', arguments: { name: 'a' } },
  }
  const called = await request('/mcp', { method: 'POST', json: add, headers: session })
  assert.match(called.headers.get('content-type')!, /^application\/json/)
  assert(called.headers.get('gantry-version'))
  assert.deepEqual(await called.json(), {
    jsonrpc: '2.0',
    id: 'x',
    result: { content: [{ type: 'text', text: '{"name":"a","value":1}' }], structuredContent: { name: 'a', value: 1 } },
  })
  const listed = await request('/mcp', { method: 'POST', json: list, headers: session })
  assert.match(await listed.text(), /"counter_add"/)
  const bad = { ...add, params: { name: 7 } }
  const refused = (await (await request('/mcp', { method: 'POST', json: bad, headers: session })).json()) as {
    error: { code: number }
  }
  assert.equal(refused.error.code, -32602)
  assert.equal(
    (
      await request('/mcp', {
        method: 'POST',
        json: add,
        headers: { ...session, 'mcp-protocol-version': '1999-01-01' },
      })
    ).status,
    400,
  )
  // Batches went with 2025-06-18: a client of it that sends one gets no answers of which the order is open.
  const pair = { method: 'POST', json: [list, { ...list, id: 'second' }] } as const
  const { 'mcp-session-id': _session, ...stateless } = session
  for (const headers of [session, stateless]) {
    const batch = await request('/mcp', { ...pair, headers })
    assert.equal(batch.status, 400)
    assert.match(await batch.text(), /MCP has no batches since 2025-06-18/)
  }
  for (const version of [undefined, '2025-03-26']) {
    const headers = { ...both, ...(version === undefined ? {} : { 'mcp-protocol-version': version }) }
    const batch = (await (await request('/mcp', { ...pair, headers })).json()) as unknown[]
    assert.equal(batch.length, 2)
  }
  assert.equal((await request('/mcp', { method: 'DELETE', headers: session })).status, 204)
  for (const method of ['POST', 'GET', 'DELETE'] as const) {
    const gone = await request('/mcp', { method, headers: session, ...(method === 'POST' ? { json: add } : {}) })
    assert.equal(gone.status, 404, method)
    assert.equal(((await gone.json()) as { error: { code: number } }).error.code, -32001)
  }
})

test('Streamable HTTP: a request without a session is answered too', async (t) => {
  const { request } = await serveMcp(t)
  const call = {
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'counter_add', arguments: { name: 's' } },
  }
  const post = (json: unknown, headers = both as Record<string, string>) =>
    request('/mcp', { method: 'POST', json, headers })
  assert.deepEqual(
    ((await (await post(call)).json()) as { result: { structuredContent: unknown } }).result.structuredContent,
    { name: 's', value: 1 },
  )
  assert.match(await (await post(list)).text(), /"counter_add"/)
  const progress = { ...call, params: { ...call.params, _meta: { progressToken: 1 } } }
  assert.match((await post(progress)).headers.get('content-type')!, /^text\/event-stream/)
  const unknown = (await (await post({ jsonrpc: '2.0', id: 6, method: 'no/such' })).json()) as {
    error: { code: number }
  }
  assert.equal(unknown.error.code, -32601)
  assert.equal((await post(list, { accept: 'text/html' })).status, 406)
  assert.equal((await post({ hello: 1 })).status, 400)
  assert.equal(
    (await request('/mcp', { method: 'POST', headers: { ...both, 'content-type': 'application/json' }, body: '{' }))
      .status,
    400,
  )
  const get = await request('/mcp', { headers: { accept: 'text/event-stream' } })
  assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST'])
  assert.equal((await request('/mcp', { method: 'DELETE' })).status, 400)
  assert.equal(((await (await request('/mcp/sessions')).json()) as { total: number }).total, 0)
})

test('the server closes although streams are open', async (t) => {
  const { request, app } = await serveMcp(t)
  const sse = readEvents(t, await request('/mcp/sse'))
  await sse.data('endpoint')
  const begun = await request('/mcp', { method: 'POST', json: initialize, headers: both })
  await begun.text()
  const get = readEvents(
    t,
    await request('/mcp', {
      headers: { accept: 'text/event-stream', 'mcp-session-id': begun.headers.get('mcp-session-id')! },
    }),
  )
  await app.close()
  await until(() => sse.ended() && get.ended(), 'both streams end')
})

test('sessions: limits, idleness and cleanup', async () => {
  let now = 0
  const sessions = new McpSessions(() => now, { maxSessions: 2, idleMs: 1000 })
  const closed: string[] = []
  const make = (sessionId: string, connected: boolean) =>
    newSession({
      sessionId,
      transport: connected ? 'sse' : 'streamable-http',
      selection: defaultSelection,
      caller: { name: 'admin/x', access: 'admin' },
      now,
      isConnected: () => connected,
      close: async () => void closed.push(sessionId),
    })
  const a = make('a', false)
  const b = make('b', true)
  await sessions.add(a)
  await sessions.add(b)
  assert.equal(a.key, 'admin')
  await assert.rejects(sessions.add(make('c', false)), /2 MCP sessions are open; the limit is 2/)
  now = 1001
  await sessions.add(make('c', false))
  assert.deepEqual(closed, ['a'])
  const busy = sessions.get('c')!
  busy.running.set(1, new AbortController())
  now = 5000
  assert.deepEqual(await sessions.cleanup(), [])
  busy.running.clear()
  assert.deepEqual(
    (await sessions.cleanup()).map((s) => s.sessionId),
    ['c'],
  )
  assert.deepEqual(sessions.list(), [b])
  await sessions.closeAll()
  assert.deepEqual([sessions.size, closed], [0, ['a', 'c', 'b']])
})

test('sessions that were left make room for new ones', async () => {
  let now = 0
  const sessions = new McpSessions(() => now, { maxSessions: 2, idleMs: 1_800_000 })
  const make = (sessionId: string, connected = false) =>
    newSession({
      sessionId,
      transport: 'streamable-http',
      selection: defaultSelection,
      caller: { name: 'admin/x', access: 'admin' },
      now,
      isConnected: () => connected,
      close: async () => {},
    })
  await sessions.add(make('listening', true))
  await sessions.add(make('left'))
  now = 30_000
  await assert.rejects(sessions.add(make('new')), /the limit is 2/)
  now = 60_000
  await sessions.add(make('new'))
  assert.deepEqual(
    sessions.list().map(({ sessionId }) => sessionId),
    ['listening', 'new'],
  )
  await sessions.closeAll()
})

test('POST /mcp/sessions/cleanup ends what is disconnected', async (t) => {
  const { request } = await serveMcp(t)
  const begun = await request('/mcp', { method: 'POST', json: initialize, headers: both })
  await begun.text()
  const stream = readEvents(t, await request('/mcp/sse?sessionId=live'))
  await stream.data('endpoint')
  const clean = async (json: unknown) =>
    (await (await request('/mcp/sessions/cleanup', { method: 'POST', json })).json()) as Record<string, unknown>
  assert.deepEqual(await clean({}), { removed: 0, sessionIds: [], remaining: 2 })
  assert.deepEqual(await clean({ disconnectedSeconds: 0 }), {
    removed: 1,
    sessionIds: [begun.headers.get('mcp-session-id')],
    remaining: 1,
  })
})

test('behind a proxy that takes tokens, clients find out who issues them', async (t) => {
  const { gateway, request, url } = await serveMcp(t)
  const path = '/.well-known/oauth-protected-resource/mcp'
  assert.equal((await fetch(`${url}${path}`)).status, 404)
  const { settings } = gateway
  const mcp = { ...settings.mcp, authorizationServers: ['https://id.plant.example'], publicUrl: 'https://plc.example/' }
  t.mock.getter(gateway, 'settings', () => ({ ...settings, mcp }))
  for (const one of [path, '/.well-known/oauth-protected-resource']) {
    const found = await fetch(`${url}${one}`)
    assert.deepEqual(await found.json(), {
      resource: 'https://plc.example/mcp',
      authorization_servers: ['https://id.plant.example'],
      bearer_methods_supported: ['header'],
      resource_name: 'Gantry',
    })
  }
  const refused = await request('/mcp', { method: 'POST', json: list, headers: { 'x-api-key': 'gty_wrong' } })
  assert.equal(refused.status, 401)
  const challenge = `Bearer realm="gantry", resource_metadata="https://plc.example${path}"`
  assert.equal(refused.headers.get('www-authenticate'), challenge)
})
