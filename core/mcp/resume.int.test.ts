/** An answer whose connection broke is fetched again by its event id, in sessions of MCP 2025-11-25. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveMcp, testKey } from '../../test/mcp.ts'
import { textUntil, until } from '../../test/until.ts'

const protocolVersion = '2025-11-25'
const both = { accept: 'application/json, text/event-stream' }

/** A session of the version, and the answers to its messages. */
async function openSession(t: Parameters<typeof serveMcp>[0]) {
  const served = await serveMcp(t)
  const client = { capabilities: {}, clientInfo: { name: 'bare', version: '1' } }
  const begun = await served.request('/mcp', {
    method: 'POST',
    headers: both,
    json: { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion, ...client } },
  })
  await begun.text()
  const session = {
    'mcp-session-id': begun.headers.get('mcp-session-id')!,
    'mcp-protocol-version': protocolVersion,
  }
  const call = (id: number, args: object, signal?: AbortSignal) =>
    fetch(`${served.url}/mcp`, {
      method: 'POST',
      headers: { ...both, ...session, 'content-type': 'application/json', 'x-api-key': testKey },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'call_operation', arguments: { operation: 'counter.add-then', input: args } },
      }),
      ...(signal ? { signal } : {}),
    })
  const resume = (id: string) =>
    served.request('/mcp', { headers: { accept: 'text/event-stream', ...session, 'last-event-id': id } })
  return { ...served, call, resume }
}

test('the stream begins with an id; what came after it is sent again, once', async (t) => {
  const { call, resume, gateway } = await openSession(t)
  const seen: string[] = []
  gateway.bus.on('job', ({ status }) => seen.push(status))
  const leave = new AbortController()
  const broken = await call(1, { name: 'a', after: 'sleep', ms: 50 }, leave.signal)
  const reader = broken.body!.getReader()
  const first = Buffer.from((await reader.read()).value!).toString()
  const [, id = ''] = /^id: (\S+)\ndata: \n\n$/.exec(first) ?? []
  assert.notEqual(id, '', first)
  leave.abort()
  await until(() => seen.includes('Completed'), 'the command ends, though its client is gone')
  const again = await resume(id)
  assert.equal(again.status, 200)
  await textUntil(again)(/"id":1\b|"name\\?":\\?"a/)
  assert.equal(seen.filter((status) => status === 'Running').length > 0, true)
  const unknown = await resume('999')
  assert.equal(unknown.status, 400)
})
