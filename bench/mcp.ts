/**
 * Compares `tools/call` with the REST route of the same command (validated, logged with fsync), on 64 connections, in
 * the same process, in alternating rounds. It also measures the same call when the SDK carries it (a request with a
 * progress token), and over the SSE transport.
 *
 * Target: tools/call / REST >= 0.4.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import autocannon from 'autocannon'
import { Gateway } from '../core/gateway.ts'
import { createServer, listen } from '../core/http/server.ts'
import { registerMcp } from '../core/mcp/http.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { median, report } from './report.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 64
const apiKey = 'gty_bench'

const dir = await mkdtemp(join(tmpdir(), 'gantry-bench-'))
const gateway = await Gateway.open({
  dataDir: dir,
  version: '0',
  apiKey,
  pluginDirs: [fileURLToPath(new URL('../core/fixtures/plugins', import.meta.url))],
  corePlugins: [mcpPlugin],
  withoutEngine: true,
})
const app = await createServer(gateway, { adapters: [registerMcp] })
const url = await listen(app, { port: 0 })

const headers = {
  'x-api-key': apiKey,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'counter_add', arguments: { name: 'a', by: 1 } },
}

/** Answers with status 2xx per second. */
async function rate(path: string, body: unknown, more: Record<string, string> = {}): Promise<number> {
  const result = await autocannon({
    url: `${url}${path}`,
    method: 'POST',
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
    connections,
    duration: seconds,
    workers: 1,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} not 2xx, ${result.errors} errors`)
  return result['2xx'] / result.duration
}

/** Opens a session of Streamable HTTP. */
async function openSession(): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  await response.text()
  return response.headers.get('mcp-session-id')!
}

/** Counts the messages of an SSE stream, in its own thread like the load generator. */
const reader = `
const { workerData, parentPort } = require('node:worker_threads')
let messages = 0
require('node:http').request(workerData.url, { headers: workerData.headers }, (response) => {
  response.setEncoding('latin1')
  response.on('data', (text) => {
    if (text.includes('"isError"')) throw new Error('a call failed: ' + text.slice(0, 300))
    messages += text.split('event: message').length - 1
  })
  parentPort.postMessage('open')
}).end()
parentPort.on('message', () => parentPort.postMessage(messages))
`

/** Calls over one SSE session: messages that come back on the stream per second. */
async function sseRate(): Promise<number> {
  const worker = new Worker(reader, { eval: true, workerData: { url: `${url}/mcp/sse?sessionId=bench`, headers } })
  await once(worker, 'message')
  const start = performance.now()
  await rate('/mcp/messages?sessionId=bench', call)
  const elapsed = (performance.now() - start) / 1000
  worker.postMessage('count')
  const [messages] = (await once(worker, 'message')) as [number]
  await worker.terminate()
  return messages / elapsed
}

const session = { 'mcp-session-id': await openSession() }
const rest = () => rate('/api/counter/a/actions/add-sync', { by: 1 })
const mcp = () => rate('/mcp', call, session)
// Without a session, because the stream of a session cannot distinguish calls with the same id.
const sdk = () => rate('/mcp', { ...call, params: { ...call.params, _meta: { progressToken: 1 } } })
await rate('/api/counter/a/actions/add-sync', { by: 1 })
await mcp()
const ratios: number[] = []
const sdkRatios: number[] = []
const rates: { rest: number[]; mcp: number[] } = { rest: [], mcp: [] }
for (let round = 0; round < rounds; round++) {
  const a = await rest()
  const b = await mcp()
  rates.rest.push(a)
  rates.mcp.push(b)
  ratios.push(b / a)
  sdkRatios.push((await sdk()) / a)
}
const sse = await sseRate()
report('REST command, 64 connections, calls/s', median(rates.rest), '')
report('MCP tools/call, 64 connections, calls/s', median(rates.mcp), '')
report('MCP tools/call / REST', median(ratios), '>= 0.4')
report('  carried by the SDK (progress token) / REST', median(sdkRatios), '')
report('  over SSE / REST', sse / median(rates.rest), '')
await app.close()
await gateway.close()
await rm(dir, { recursive: true, force: true })
