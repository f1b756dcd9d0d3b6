/** The bridge from standard input and output to a gateway that answers as the test says. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/until.ts'
import { bridgeStdio, type GatewayAddress } from './bridge.ts'

interface Message {
  readonly id?: string | number
  readonly method?: string
}

/** What a request was: method, path, session, protocol version, and the message in its body. */
type Asked = readonly [string, string, string | undefined, string | undefined, Message | undefined]

async function open(
  t: TestContext,
  answer: (message: Message, response: ServerResponse, asked: Asked) => void,
  options: { toolsets?: string; readOnly?: boolean } = {},
) {
  const asked: Asked[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { 'mcp-session-id': session, 'mcp-protocol-version': version, 'x-api-key': key } = request.headers
    assert.deepEqual([key, request.headers['user-agent']], ['the key', 'gantry-mcp/1.2.3'])
    // A stream for messages that are no answers is not offered.
    if (request.method === 'GET') return response.writeHead(405).end()
    const message = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString())
    const one = [request.method!, request.url!, session as string, version as string, message] as const
    asked.push(one)
    if (request.method === 'DELETE') response.writeHead(204).end()
    else answer(message, response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.after(stop)
  const { port } = server.address() as { port: number }
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const heard: unknown[] = []
  stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) heard.push(JSON.parse(line))
  })
  const at: { address: GatewayAddress; located: number } = {
    address: { url: `http://127.0.0.1:${port}`, key: 'the key' },
    located: 0,
  }
  const locate = async () => {
    at.located++
    return at.address
  }
  const serving = bridgeStdio({ locate, version: '1.2.3', stdin, stdout, ...options })
  const say = (message: object) => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answered = async (count: number) => {
    await until(() => heard.length >= count, `${count} answers have come`)
    return heard
  }
  const end = async () => {
    stdin.end()
    await serving
  }
  const listenAgain = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { asked, say, answered, at, end, stop, listenAgain }
}

const json = (response: ServerResponse, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const result = (message: Message, value: object) => ({ jsonrpc: '2.0', id: message.id, result: value })
const client = { capabilities: {}, clientInfo: { name: 'bare', version: '1' } }
const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', ...client } }
const begun = { protocolVersion: '2025-06-18' }

test('messages go to the gateway with the selection, the session and the agreed version, and answers back', async (t) => {
  const { asked, say, answered, end, at } = await open(
    t,
    (message, response) => {
      if (message.method === 'initialize') json(response, result(message, begun), { 'mcp-session-id': 's1' })
      else if (message.id === undefined) response.writeHead(202).end()
      else json(response, result(message, { n: message.id }))
    },
    { toolsets: 'a,b', readOnly: true },
  )
  say(initialize)
  await answered(1)
  say({ method: 'notifications/initialized' })
  say({ id: 1, method: 'ping' })
  assert.deepEqual(await answered(2), [
    { jsonrpc: '2.0', id: 0, result: begun },
    { jsonrpc: '2.0', id: 1, result: { n: 1 } },
  ])
  await end()
  const path = '/mcp?toolsets=a%2Cb&readonly=1'
  const told = asked.map(([method, url, session, version, message]) => [method, url, session, version, message?.method])
  assert.deepEqual(told.slice(0, 1), [['POST', path, undefined, undefined, 'initialize']])
  assert.deepEqual(
    told.slice(1, -1).sort((a, b) => String(a[4]).localeCompare(String(b[4]))),
    [
      ['POST', path, 's1', '2025-06-18', 'notifications/initialized'],
      ['POST', path, 's1', '2025-06-18', 'ping'],
    ],
  )
  assert.deepEqual(told.at(-1), ['DELETE', path, 's1', '2025-06-18', undefined])
  assert.equal(at.located, 1)
})

test('a session that the gateway does not know any more is opened again, once, and the message sent again', async (t) => {
  let session = 0
  const { asked, say, answered, end, at } = await open(t, (message, response, [, , given]) => {
    if (message.method === 'initialize') {
      session++
      json(response, result(message, { ...begun, session }), { 'mcp-session-id': `s${session}` })
    } else if (message.id === undefined) response.writeHead(202).end()
    else if (given !== 's2') response.writeHead(404).end()
    else json(response, result(message, { by: given }))
  })
  say(initialize)
  await answered(1)
  say({ id: 1, method: 'ping' })
  say({ id: 2, method: 'ping' })
  const heard = await answered(3)
  assert.deepEqual(heard[0], { jsonrpc: '2.0', id: 0, result: { ...begun, session: 1 } })
  // The client hears nothing of the second beginning.
  assert.deepEqual(
    heard.slice(1).sort((a, b) => (a as { id: number }).id - (b as { id: number }).id),
    [1, 2].map((id) => ({ jsonrpc: '2.0', id, result: { by: 's2' } })),
  )
  await end()
  assert.deepEqual([at.located, session], [2, 2])
  assert.deepEqual(
    asked
      .filter(([, , , , message]) => message?.method === 'notifications/initialized')
      .map(([, url, by]) => [url, by]),
    [['/mcp', 's2']],
  )
})

test('what the gateway does not answer is refused by the bridge; nothing is sent twice that may have arrived', async (t) => {
  const { asked, say, answered, end, at } = await open(t, (message, response) => {
    if (message.method === 'initialize') json(response, result(message, begun), { 'mcp-session-id': 's1' })
    else if (message.method === 'broken') response.destroy()
    else response.writeHead(500).end('It failed.')
  })
  say(initialize)
  await answered(1)
  say({ id: 1, method: 'ping' })
  const failed = (await answered(2))[1] as { id: number; error: { code: number; message: string } }
  assert.deepEqual([failed.id, failed.error.code], [1, -32000])
  assert.match(failed.error.message, /^The gateway did not answer: .*It failed\./)
  say({ id: 2, method: 'broken' })
  const broken = (await answered(3))[2] as typeof failed
  assert.match(broken.error.message, /^The gateway did not answer: .+ \(.+\)$/)
  // Of a notification nobody waits for an answer.
  say({ method: 'notifications/none' })
  await until(() => asked.length === 4, 'it has arrived')
  assert.equal(asked.filter(([, , , , message]) => message?.id === 2).length, 1)
  assert.equal(at.located, 1)
  await end()
})

test('a gateway that was not there for a while gets the session anew', async (t) => {
  const { asked, say, answered, end, stop, listenAgain } = await open(t, (message, response) => {
    if (message.id === undefined) response.writeHead(202).end()
    else json(response, result(message, begun), message.method === 'initialize' ? { 'mcp-session-id': 's1' } : {})
  })
  say(initialize)
  await answered(1)
  await stop()
  for (const id of [1, 2, 3]) {
    say({ id, method: 'ping' })
    const { error } = (await answered(1 + id))[id] as { error: { code: number; message: string } }
    // How the connection of before ends is a matter of time.
    assert.match(error.message, /^The gateway did not answer: fetch failed \(.+\)$/)
    assert.equal(error.code, -32000)
  }
  await listenAgain()
  say({ id: 4, method: 'ping' })
  assert.deepEqual((await answered(5))[4], { jsonrpc: '2.0', id: 4, result: begun })
  await end()
  assert.deepEqual(
    asked.map(([method, , session, , message]) => [method, session, message?.method]),
    [
      ['POST', undefined, 'initialize'],
      ['POST', undefined, 'initialize'],
      ['POST', 's1', 'notifications/initialized'],
      ['POST', 's1', 'ping'],
      ['DELETE', 's1', undefined],
    ],
  )
})
