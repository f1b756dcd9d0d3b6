/** Calls of the gateway's public operations by its pages: JSON, problems as errors, server-sent events. */
import { signal } from '@preact/signals'
import type { Answer, Schema } from './answers.ts'
import { type ServerEvent, serverEvents } from './event-stream.ts'

export type { Answer, Schema }

/** A problem of the gateway (RFC 9457); one that the page has itself says less. */
export type Problem = Pick<Schema<'Problem'>, 'status' | 'code' | 'detail'> & Partial<Schema<'Problem'>>

/** An answer that is no success. */
export class CallError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

/** What to show of an error: what is wrong, and what would be right. */
export function messageOf(error: unknown): string {
  if (!(error instanceof CallError)) return error instanceof Error ? error.message : String(error)
  const { detail, suggestion = '' } = error.problem
  return `${detail} ${suggestion}`.trim()
}

/** What to send besides the path. */
export interface CallOptions {
  /** Default: GET without a body, POST with one. */
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Whether the gateway wants to know who this is; the page shows a form (`session.ts`). */
export const needsEntry = signal(false)
/** Whether the gateway answered last time. */
export const reached = signal(true)

let clientId = ''
/** The name of the page in the audit: `gantry-studio/1`. */
export function useClientId(id: string): void {
  clientId = id
}

/** Headers that identify the caller; `session.ts` sets them. */
let identity: Readonly<Record<string, string>> = {}
export function useIdentity(headers: Readonly<Record<string, string>>): void {
  identity = headers
}

let renew: () => Promise<boolean> = async () => false
/**
 * Sets what is done when the gateway does not take the token of the session: another tab has signed in anew, and
 * cookies belong to all tabs.
 * @param again answers whether the request is worth a second try
 */
export function onStaleToken(again: () => Promise<boolean>): void {
  renew = again
}

/** Sends a request. @throws CallError for a problem, and with the code `unreachable` when nobody answers */
export async function send(path: string, options: CallOptions = {}): Promise<Response> {
  const answer = await request(path, options)
  if (answer.ok) return answer
  const problem = await problemOf(answer)
  // It is refused before anything was done.
  if (problem.code !== 'csrf_token_missing' || !(await renew())) throw failed(problem)
  const second = await request(path, options)
  if (second.ok) return second
  throw failed(await problemOf(second))
}

async function request(path: string, options: CallOptions): Promise<Response> {
  const { body, headers, signal: until } = options
  const isForm = body instanceof FormData
  const answer = await fetch(path, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    credentials: 'same-origin',
    headers: {
      ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      'X-Client-Id': clientId,
      ...identity,
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(until === undefined ? {} : { signal: until }),
  }).catch((error: unknown) => {
    if (until?.aborted) throw error
    reached.value = false
    throw new CallError({ status: 0, code: 'unreachable', detail: 'The gateway does not answer.' })
  })
  reached.value = true
  return answer
}

async function problemOf(answer: Response): Promise<Problem> {
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>
  return { code: 'unknown', detail: `HTTP ${answer.status}`, ...problem, status: answer.status }
}

function failed(problem: Problem): CallError {
  if (problem.status === 401) needsEntry.value = true
  return new CallError(problem)
}

/** The JSON of an answer. @throws CallError */
export async function call<T>(path: string, options: CallOptions = {}): Promise<T> {
  // Some operations would answer with a stream of events.
  const answer = await send(path, { ...options, headers: { Accept: 'application/json', ...options.headers } })
  return (answer.status === 204 ? undefined : await answer.json()) as T
}

/** Server-sent events until the stream ends or is aborted. @param opened the stream is there */
export async function* events(
  path: string,
  options: CallOptions = {},
  opened?: () => void,
): AsyncGenerator<ServerEvent> {
  const answer = await send(path, { ...options, headers: { Accept: 'text/event-stream', ...options.headers } })
  opened?.()
  yield* serverEvents(answer)
}

/**
 * Runs what holds a stream, while the page is to be seen: browsers have six connections to an address for all tabs
 * together (HTTP/1.1), and streams of tabs in the background would leave none. It is aborted when the page is hidden,
 * and begins again when the page is shown.
 */
export async function whileShown(until: AbortSignal, run: (until: AbortSignal) => Promise<void>): Promise<void> {
  while (!until.aborted) {
    const hidden = new AbortController()
    const change = () => document.hidden && hidden.abort()
    document.addEventListener('visibilitychange', change)
    try {
      if (document.hidden) await shown(until)
      if (until.aborted) return
      await run(AbortSignal.any([until, hidden.signal]))
    } finally {
      document.removeEventListener('visibilitychange', change)
    }
    if (!hidden.signal.aborted) return
  }
}

/** Waits until the page is shown, or is not waited for any more. */
function shown(until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const end = () => {
      over.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', () => document.hidden || end(), { signal: over.signal })
    until.addEventListener('abort', end, { signal: over.signal })
  })
}
