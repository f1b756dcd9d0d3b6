/** One call by every way that a client has: the routes of the specification, MCP, and the answer profile `/compat`. */
import assert from 'node:assert/strict'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Gateway } from '../../core/gateway.ts'
import type { RegisteredRoute } from '../../core/plugins/registry.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Answer, Input } from './case.ts'

/** The end of a call, in the same form for every way. */
export interface Outcome {
  /** The code of the problem; undefined for success. */
  readonly code?: string
  /** Status of the answer, or of the problem of a job. */
  readonly status?: number
  readonly detail?: string
  readonly value: unknown
}

/** A way of calling: its name, and the call. */
export type Way = readonly [name: string, call: (input: Input) => Promise<Outcome>]

/** Names of parameters are the gateway's own. */
export const shape = (route: string) => route.replace(/\?.*$/, '').replace(/\{[^}]*\}/g, '{}')

/** What the ways need of a served gateway. */
export interface Served {
  readonly gateway: Gateway
  readonly client: Client
  request(path: string, init?: RequestInit & { json?: unknown }): Promise<Response>
}

/** The registered route of a row of the specification. */
export function routeOf({ registry }: Gateway, row: string): RegisteredRoute {
  const route = registry.routes.find(({ method, path }) => shape(`${method} ${path}`) === shape(row))
  return route ?? assert.fail(`${row} is not the route of an operation`)
}

/** The ways to the operation of these rows. Both `/compat` and MCP once: they do not differ for twins. */
export function waysTo(served: Served, rows: readonly string[]): Way[] {
  const routes = rows.map((row) => routeOf(served.gateway, row))
  const [first] = routes
  assert.ok(first && routes.every(({ operation }) => operation === first.operation), `${rows} are of one operation`)
  const rest: Way[] = routes.map((route) => [
    `${route.method} ${route.path}`,
    (input) => overRest(served, route, input),
  ])
  const compat: Way = [`/compat ${first.path}`, (input) => overRest(served, first, input, '/compat')]
  const mcp: Way = ['MCP call_operation', (input) => overMcp(served, first, input)]
  return first.operation.mcp === false ? [...rest, compat] : [...rest, compat, mcp]
}

/** Sends an input to a route: parameters of the path, the rest as query of GET and DELETE or as body. */
async function overRest(served: Served, route: RegisteredRoute, input: Input, prefix = ''): Promise<Outcome> {
  const rest = { ...input }
  const path = route.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, all: string) => {
    const value = String(rest[name] ?? '-')
    delete rest[name]
    return all ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  const inQuery = route.method === 'GET' || route.method === 'DELETE'
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const url = `${prefix}${path}${inQuery && query.size > 0 ? `?${query}` : ''}`
  const response = await served.request(url, {
    method: route.method,
    ...(inQuery ? {} : { json: rest }),
    ...plainAnswer(route),
  })
  const answer = await read(response)
  const outcome =
    prefix === '' || typeof answer === 'string' || route.path.startsWith('/mcp/')
      ? plain(response.status, answer)
      : unwrapped(response.status, answer)
  if (route.mode !== 'async' || outcome.code !== undefined) return outcome
  assert.equal(response.status, 202, url)
  return jobEnd(served, (outcome.value as Answer).jobId)
}

/** The whole answer at once, where a stream is the rule. */
const plainAnswer = ({ operation }: RegisteredRoute) =>
  'streams' in operation ? { headers: { accept: 'application/json' } } : {}

async function read(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (/json/.test(type)) return response.json()
  return /^(text|application\/xml|image\/svg)/.test(type)
    ? response.text()
    : { bytes: (await response.arrayBuffer()).byteLength }
}

function plain(status: number, answer: unknown): Outcome {
  if (status < 400) return { value: answer, status }
  const { code, detail, ...rest } = answer as Answer
  return { code, detail, status, value: rest }
}

/** An answer of the profile `/compat` without its envelope. */
function unwrapped(status: number, answer: unknown): Outcome {
  const { success, data, errorCode, message, timestamp: _timestamp, ...rest } = answer as Answer
  assert.equal(success, status < 400, JSON.stringify(answer).slice(0, 300))
  return success ? { value: data, status } : { code: errorCode, detail: message, status, value: rest }
}

/** The end of a job, as its call would have answered. */
export async function jobEnd({ request }: Served, jobId: string): Promise<Outcome> {
  for (let i = 0; i < 30; i++) {
    const job = (await (await request(`/api/jobs/${jobId}?wait=10`)).json()) as Answer
    if (job.status === 'Completed') return { value: job.result, status: 200 }
    if (job.status === 'Failed') return plain(job.error.status, job.error)
  }
  return assert.fail(`job ${jobId} does not end`)
}

async function overMcp({ client }: Served, { operation }: RegisteredRoute, input: Input): Promise<Outcome> {
  const tool = { name: 'call_operation', arguments: { operation: operation.id, input } }
  const { content, structuredContent, isError } = (await client.callTool(tool)) as CallToolResult
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  if (isError) {
    const { code, detail, status } = structuredContent as Answer
    return { code, detail, status, value: structuredContent }
  }
  if (structuredContent !== undefined) return { value: structuredContent }
  return { value: /^[[{]/.test(text) && !text.includes('\n[cut: ') ? JSON.parse(text) : text }
}

/**
 * A value without what is different each time. A list in the envelope of `/compat` is bare: the same is compared of
 * the others.
 */
export function comparable(value: unknown, varies: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, varies))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
    .filter(
      ([name]) => !varies.includes(name) && !/(^id|Id|Ids|At|As|Date|Ms|[hH]ash|Bytes|etag|timestamp)$/.test(name),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, one]) => [name, comparable(one, varies)]))
}

/** The entries of an answer that is a list and what is about it, as `/compat` shows it; others as they are. */
export function asCompat(value: unknown): unknown {
  if (!isObject(value) || typeof value.total !== 'number') return value
  const lists = Object.entries(value).filter(([, field]) => Array.isArray(field))
  const others = Object.keys(value).filter((name) => name !== lists[0]?.[0])
  return lists.length === 1 && others.every((name) => name === 'total' || name === 'nextCursor') ? lists[0]![1] : value
}
