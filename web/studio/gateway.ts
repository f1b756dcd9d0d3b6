/** Calls of the gateway as the studio makes them. */
import { call, send } from '../gateway.ts'

export {
  type Answer,
  CallError,
  type CallOptions,
  call,
  events,
  needsEntry,
  type Problem,
  reached,
  type Schema,
  send,
  whileShown,
} from '../gateway.ts'

/** A path with values: `/api/devices/{name}`, encoded; names may contain slashes. */
export function pathWith(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** A query string of what is given: `?a=1&b=2`, or nothing. */
export function queryOf(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`
}

/** GET. @throws CallError */
export const get = <T>(path: string, until?: AbortSignal): Promise<T> =>
  call<T>(path, until === undefined ? {} : { signal: until })
/** POST. @throws CallError */
export const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>(path, { body })

/**
 * Tries a command out: its answer, and the job that says what it would change.
 * @throws CallError what the command would fail with
 */
export async function tryOut(
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<{ readonly jobId: string; readonly answer: unknown }> {
  const sent = await send(`${path}${path.includes('?') ? '&' : '?'}dryRun=true`, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: { Accept: 'application/json' },
  })
  return { jobId: sent.headers.get('X-Job-Id') ?? '', answer: await sent.json() }
}
