/**
 * Calls operations of a running gateway over REST. The routes come from the gateway itself, so that operations of any
 * plugin work.
 */

import type { Problem } from '../contract/problems.ts'
import type { PlainSchema } from '../contract/schema.ts'
import { problemText } from '../mcp/results.ts'
import { CliError, exitCodeOfStatus, exitCodes } from './exit-codes.ts'
import { fieldValues } from './field-values.ts'
import { packageVersion } from './options.ts'
import type { Connection } from './running-gateway.ts'

/** A route in the answer of `GET /api/command/info/{route}`; only the fields used here. */
interface RouteInfo {
  readonly method: string
  readonly path: string
  readonly mode: 'sync' | 'async'
  readonly kind: 'command' | 'query' | 'stream'
  readonly operation: string
  readonly otherRoutes: readonly { readonly method: string; readonly path: string; readonly mode: string }[]
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly responses: readonly { readonly contentType: string }[]
  readonly body: PlainSchema | null
}

/** A job in the answer of `GET /api/jobs/{jobId}`; only the fields used here. */
export interface JobView {
  readonly jobId: string
  readonly status: string
  readonly progress: number
  readonly message?: string
  readonly result?: unknown
  readonly error?: Problem
}

/** The outcome of a call: a result, text of another media type, a stream of events, or a job that is still running. */
export type CallAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'events'; readonly events: AsyncIterable<string> }
  | { readonly kind: 'job'; readonly jobId: string; readonly status: string }

export interface CallOptions {
  /** Fields as text, to be converted to the types in the schema. */
  readonly texts?: Readonly<Record<string, string>>
  /** Answer with the job, even for a query. */
  readonly async?: boolean
  readonly dryRun?: boolean
  /** Called right before a command is sent: from then on there may be a job to cancel. */
  readonly onCommand?: () => void
}

/** @throws CliError for problems, with the matching exit code */
export class GatewayClient {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Sends one request. @throws CliError */
  async request(
    method: string,
    path: string,
    o: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { url, key } = this.#connection
    const headers: Record<string, string> = {
      'x-api-key': key,
      'x-client-id': `gantry-cli/${packageVersion()}`,
      accept: 'application/json, application/problem+json, */*',
      ...o.headers,
    }
    if (o.body !== undefined) headers['content-type'] = 'application/json'
    let response: Response
    try {
      response = await fetch(`${url}${path}`, {
        method,
        headers,
        ...(o.body === undefined ? {} : { body: JSON.stringify(o.body) }),
        ...(o.signal && { signal: o.signal }),
      })
    } catch (error) {
      const cause = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message
      throw new CliError(`The gateway at ${url} cannot be reached: ${cause}`, exitCodes.unreachable, { cause: error })
    }
    if (!response.ok) throw await problemOf(response)
    return response
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return (await (await this.request(method, path, body === undefined ? {} : { body })).json()) as T
  }

  /** The route for an operation; preferably one that answers with the result. */
  async route(operation: string): Promise<RouteInfo> {
    const info = (text: string, method?: string) =>
      this.json<RouteInfo>('GET', `/api/command/info/${encodeURIComponent(text)}${method ? `?method=${method}` : ''}`)
    const first = await info(operation)
    const sync = first.mode === 'sync' ? undefined : first.otherRoutes.find((route) => route.mode === 'sync')
    return sync ? info(sync.path, sync.method) : first
  }

  /**
   * Calls an operation by its id.
   *
   * @param input fields as JSON values
   */
  async call(operation: string, input: Record<string, unknown>, o: CallOptions = {}): Promise<CallAnswer> {
    const route = await this.route(operation)
    const fields = { ...input, ...(await fieldValues(o.texts ?? {}, route.body)) }
    if (o.dryRun) {
      if (route.kind !== 'command')
        throw new CliError(`--dry-run: ${operation} is a ${route.kind}; only commands can be tried.`, exitCodes.usage)
      fields.dryRun = true
    }
    const { path, rest } = fillPath(route.path, fields)
    const query = route.method === 'GET' || route.method === 'DELETE' ? queryText(rest) : ''
    const headers: Record<string, string> = {}
    // The job is followed: it can be cancelled from the first moment, and no connection has to stay open for a whole
    // import.
    const isJob = o.async || (route.kind === 'command' && !isFollowed(route))
    if (isJob) headers.prefer = 'respond-async'
    if (isJob && route.kind === 'command') o.onCommand?.()
    const response = await this.request(route.method, `${path}${query}`, {
      headers,
      ...(query !== '' || route.method === 'GET' || route.method === 'DELETE' ? {} : { body: rest }),
    })
    const type = response.headers.get('content-type') ?? ''
    if (response.status === 202)
      return { kind: 'job', ...((await response.json()) as { jobId: string; status: string }) }
    if (type.startsWith('text/event-stream')) return { kind: 'events', events: eventLines(response) }
    const text = await response.text()
    return /^application\/json\b/.test(type) ? { kind: 'result', value: JSON.parse(text) } : { kind: 'text', text }
  }

  /** Reads a job, waiting up to some seconds for its end. */
  job(jobId: string, waitSeconds: number): Promise<JobView> {
    return this.json('GET', `/api/jobs/${encodeURIComponent(jobId)}?wait=${waitSeconds}`)
  }

  async cancel(jobId: string): Promise<void> {
    await this.request('DELETE', `/api/jobs/${encodeURIComponent(jobId)}`)
  }
}

/** True for a command that says how it goes on the connection of its call; closing that cancels it. */
function isFollowed({ responses }: RouteInfo): boolean {
  return responses.some(({ contentType }) => contentType === 'text/event-stream')
}

async function problemOf(response: Response): Promise<CliError> {
  const text = await response.text()
  let problem: Partial<Problem> = {}
  try {
    problem = JSON.parse(text)
  } catch {
    // Not from the gateway: a proxy, or another program on this port.
  }
  if (typeof problem.code !== 'string')
    return new CliError(
      `The answer is HTTP ${response.status} and no problem document: is this a Gantry gateway?`,
      exitCodes.failed,
    )
  return failure(problem as Problem)
}

/** The error that ends the program for a problem. */
export function failure(problem: Problem): CliError {
  return new CliError(problemText(problem), exitCodeOfStatus(problem.status, problem.code))
}

/** Puts fields into the path; `{name*}` accepts slashes. */
function fillPath(template: string, fields: Readonly<Record<string, unknown>>) {
  const rest = { ...fields }
  const path = template.replace(/\{(\w+)(\*?)\}/g, (_, name: string, many: string) => {
    const key = [name, name[0]!.toUpperCase() + name.slice(1)].find((k) => k in rest)
    const value = key === undefined ? undefined : rest[key]
    if (key === undefined || value === undefined || value === null || value === '')
      throw new CliError(`The field "${name}" is missing: it is part of the address ${template}.`, exitCodes.usage)
    delete rest[key]
    return many ? String(value).split('/').map(encodeURIComponent).join('/') : encodeURIComponent(String(value))
  })
  return { path, rest }
}

function queryText(fields: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    search.set(
      name,
      Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value),
    )
  }
  return search.size === 0 ? '' : `?${search}`
}

/** The `data` of each server-sent event. */
async function* eventLines(response: Response): AsyncGenerator<string> {
  let rest = ''
  // Node's streams of the Web iterate; the types of the DOM do not say so.
  for await (const chunk of response.body!.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const data = block
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
      if (data.length > 0) yield data.join('\n')
    }
  }
}
