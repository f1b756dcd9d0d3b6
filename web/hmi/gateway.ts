/** Calls of the gateway with the key of the viewer. */
import { type ServerEvent, serverEvents } from '../event-stream.ts'

const storageKey = 'gantry-key'
let key = sessionStorage.getItem(storageKey) ?? ''

/** An answer that is no success. */
export class CallError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Keeps the key in this tab. */
export function useKey(given: string): void {
  key = given.trim()
  sessionStorage.setItem(storageKey, key)
}

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === '' ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      'X-Client-Id': 'gantry-hmi/1',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => ({}))) as { detail?: string; suggestion?: string }
  throw new CallError(
    answer.status,
    [problem.detail ?? `HTTP ${answer.status}`, problem.suggestion ?? ''].join(' ').trim(),
  )
}

/** GET, or POST when there is a body. @throws CallError */
export async function call<T>(path: string, body?: unknown): Promise<T> {
  return (await (await send(path, body)).json()) as T
}

/** Server-sent events of a stream until it ends or the signal is aborted. */
export async function* events(path: string, body: unknown, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  yield* serverEvents(await send(path, body, signal))
}
