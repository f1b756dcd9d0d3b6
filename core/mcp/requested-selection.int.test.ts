/** Which tools a client gets: by address and headers; what is not understood is refused and never gives more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveMcp } from '../../test/mcp.ts'

const both = { accept: 'application/json, text/event-stream' }
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

test('every spelling that asks for a reading server gets one, and no other is left writing', async (t) => {
  const { request } = await serveMcp(t)
  const ask = async (query: string, headers: Record<string, string> = {}) => {
    const response = await request(`/mcp${query}`, { method: 'POST', json: list, headers: { ...both, ...headers } })
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, text }
    const json = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''))
    const names: string[] = json.result.tools.map(({ name }: { name: string }) => name)
    return { status: 200, writes: names.includes('counter_add'), all: names.includes('mcp_info') }
  }
  assert.deepEqual(await ask(''), { status: 200, writes: true, all: false })
  for (const query of ['?readonly=1', '?readonly=true', '?readonly', '?readOnly=true', '?ReadOnly=1'])
    assert.deepEqual(await ask(query), { status: 200, writes: false, all: false }, query)
  for (const value of ['true', '1', ' Yes ', 'on'])
    assert.deepEqual(await ask('', { 'X-MCP-Readonly': value }), { status: 200, writes: false, all: false }, value)
  for (const value of ['false', '', 'off'])
    assert.deepEqual(await ask('', { 'X-MCP-Readonly': value }), { status: 200, writes: true, all: false }, value)
  // One takes rights away, the other does not give them back.
  assert.equal((await ask('?readonly=1', { 'X-MCP-Readonly': 'false' })).writes, false)
  assert.equal((await ask('?readonly=0', { 'X-MCP-Readonly': 'true' })).writes, false)
  assert.deepEqual(await ask('', { 'X-MCP-Toolsets': 'all' }), { status: 200, writes: true, all: true })
  assert.equal((await ask('?toolsets=all', { 'X-MCP-Toolsets': 'all' })).status, 200)

  const refused: [string, Record<string, string>, RegExp][] = [
    ['?read_only=true', {}, /read_only/],
    ['?readonlly=1', {}, /readonlly.*readonly/],
    ['?toolset=mcp', {}, /toolset/],
    ['?sessionId=x', {}, /sessionId/],
    ['?readonly=perhaps', {}, /readonly/],
    ['?toolsets=mcp&toolsets=counter', {}, /toolsets/],
    ['', { 'X-MCP-Readonly': 'perhaps' }, /x-mcp-readonly.*true/],
    ['', { 'X-MCP-Toolsets': 'conter' }, /conter.*counter/],
    ['?toolsets=mcp', { 'X-MCP-Toolsets': 'counter' }, /x-mcp-toolsets/],
    ['', { 'X-MCP-Tools': 'counter_gte' }, /counter_gte.*counter_get/],
    ['?tools=counter_gte', {}, /counter_gte.*counter_get/],
    ['?tools=counter_get', { 'X-MCP-Tools': 'counter_add' }, /x-mcp-tools/],
    ['', { 'X-MCP-Exclude-Tools': 'counter_get' }, /x-mcp-exclude-tools/],
    ['', { 'X-MCP-Lockdown': 'true' }, /x-mcp-lockdown/],
  ]
  for (const [query, headers, said] of refused) {
    const answer = await ask(query, headers)
    assert.equal(answer.status, 400, `${query} ${JSON.stringify(headers)}`)
    assert.match(answer.text!, said)
  }
})

test('single tools are named by address or header, alone or beside toolsets', async (t) => {
  const { request, connect } = await serveMcp(t)
  const named = async (query: string, headers: Record<string, string> = {}) => {
    const response = await request(`/mcp${query}`, { method: 'POST', json: list, headers: { ...both, ...headers } })
    const text = await response.text()
    const json = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''))
    return json.result.tools.map(({ name }: { name: string }) => name).sort()
  }
  const two = ['counter_get', 'find_operations']
  assert.deepEqual(await named('?tools=counter_get,find_operations'), two)
  assert.deepEqual(await named('?tools=counter.get%20find_operations'), two)
  assert.deepEqual(await named('', { 'X-MCP-Tools': 'find_operations, counter_get' }), two)
  assert.deepEqual(await named('?tools=counter_get', { 'X-MCP-Tools': 'counter_get' }), ['counter_get'])
  const withSet = await named('?tools=counter_get&toolsets=mcp')
  assert.ok(withSet.includes('counter_get') && withSet.includes('mcp_info') && withSet.includes('get_job'))
  assert.ok(!withSet.includes('counter_add'))
  const withDefault = await named('?tools=mcp_info&toolsets=default')
  assert.ok(withDefault.includes('mcp_info') && withDefault.includes('counter_add'))
  assert.deepEqual(await named('?tools=counter_get,counter_add&readonly=1'), ['counter_get'])
  const { client } = await connect('sse', { query: '?tools=counter_get' })
  assert.deepEqual(
    (await client.listTools()).tools.map(({ name }) => name),
    ['counter_get'],
  )
})

test('a selection holds for the session: a message that asks for another one is refused', async (t) => {
  const { request } = await serveMcp(t)
  const opened = await request('/mcp', { method: 'POST', json: initialize, headers: both })
  const session = { ...both, 'mcp-session-id': opened.headers.get('mcp-session-id')! }
  const ask = (query: string, headers: object = {}) =>
    request(`/mcp${query}`, { method: 'POST', json: list, headers: { ...session, ...headers } })
  assert.equal((await ask('')).status, 200)
  for (const [query, headers] of [
    ['?readonly=1', {}],
    ['', { 'x-mcp-readonly': 'true' }],
    ['?toolsets=mcp', {}],
    ['?tools=counter_get', {}],
    ['?unknown=1', {}],
  ] as const)
    assert.equal((await ask(query, headers)).status, 400, query)
  assert.equal((await request('/mcp?unknown=1', { method: 'DELETE', headers: session })).status, 400)
  assert.equal((await request('/mcp?unknown=1', { headers: session })).status, 400)
  assert.equal((await request('/mcp', { method: 'DELETE', headers: session })).status, 204)
})

test('SSE: the same words at both of its addresses', async (t) => {
  const { request } = await serveMcp(t)
  for (const path of ['/mcp/sse?read-only=1', '/mcp/sse?session=x']) assert.equal((await request(path)).status, 400)
  const posted = await request('/mcp/messages?readonly=1', { method: 'POST', json: list })
  assert.equal(posted.status, 400)
})
