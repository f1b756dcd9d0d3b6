/** A gateway with its MCP endpoint on a free port, and SDK clients on it: for the tests of this folder. */
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  type CallToolResult,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { GatewayOptions } from '../core/gateway.ts'
import { createServer, listen } from '../core/http/server.ts'
import { registerMcp } from '../core/mcp/http.ts'
import { mcpPlugin } from '../core/mcp/operations.ts'
import { openTestGateway } from './harness.ts'

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The small plugin that the core's tests use. */
export const counterPlugins = folder('../core/fixtures/plugins')
/** Slow, long and other operations for these tests. */
export const slowPlugins = folder('../core/mcp/fixtures/plugins')
export const testKey = 'gty_test-key-of-the-mcp-tests'

interface ClientOptions {
  readonly query?: string
  readonly key?: string
  readonly name?: string
  /** The client shows forms to its person (elicitation), who answers with this. */
  readonly onQuestion?: (request: ElicitRequest, o: { signal: AbortSignal }) => ElicitResult | Promise<ElicitResult>
}

export async function serveMcp(t: TestContext, options: Partial<GatewayOptions> = {}) {
  const opened = await openTestGateway(t, {
    pluginDirs: [counterPlugins],
    corePlugins: [mcpPlugin],
    apiKey: testKey,
    ...options,
  })
  const app = await createServer(opened.gateway, { adapters: [registerMcp], graceMs: 1000 })
  t.after(() => app.close())
  const url = await listen(app, { port: 0 })
  const headers = { 'x-api-key': testKey }

  /** An SDK client over one of the HTTP transports; closed after the test. */
  async function connect(kind: 'sse' | 'streamable-http', o: ClientOptions = {}) {
    const info = { name: o.name ?? 'test client', version: '1.2' }
    const client = new Client(info, { capabilities: o.onQuestion ? { elicitation: {} } : {} })
    if (o.onQuestion) client.setRequestHandler(ElicitRequestSchema, o.onQuestion)
    const requestInit = { headers: { 'x-api-key': o.key ?? testKey } }
    const address = (path: string) => new URL(`${url}${path}${o.query ?? ''}`)
    const transport =
      kind === 'sse'
        ? new SSEClientTransport(address('/mcp/sse'), {
            requestInit,
            eventSourceInit: {
              fetch: (u, init) => fetch(u, { ...init, headers: { ...init.headers, ...requestInit.headers } }),
            },
          })
        : new StreamableHTTPClientTransport(address('/mcp'), { requestInit })
    await client.connect(transport as never)
    t.after(() => client.close())
    return { client, transport }
  }

  const request = (path: string, init: RequestInit & { json?: unknown } = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: {
        ...headers,
        ...(init.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
    })
  return { ...opened, app, url, connect, request }
}

/** The text of a tool's answer. */
export function textOf(result: unknown): string {
  const [first] = (result as CallToolResult).content
  return first?.type === 'text' ? first.text : ''
}
