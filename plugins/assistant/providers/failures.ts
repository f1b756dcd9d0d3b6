/** What providers answer instead of an answer: how long to wait, and as which problem it is told. */
import { APICallError } from 'ai'
import { defined, isGatewayError } from '../../../core/index.ts'
import { problem } from '../problems.ts'

/** Too many requests; unavailable; overloaded (Anthropic, Errors). */
const busy = new Set([429, 503, 529])
/** A longer wait than this is the person's decision, ms. */
export const longestWaitMs = 60_000
const firstWaitMs = 1000
/** Characters of a provider's own message. */
const messageLimit = 500

/** The provider asks to be asked again. */
export interface Busy {
  readonly status: number
  readonly waitMs: number
  readonly message: string
}

/**
 * What to wait when a provider is busy: what it asks for (`retry-after-ms`, `retry-after` as seconds or date, Google's
 * `retryDelay`), else longer each time.
 * @param attempt 1 for the first
 * @param now ms since the epoch
 * @returns undefined for any other failure
 */
export function busyOf(error: unknown, attempt: number, now: number): Busy | undefined {
  const message = messageOf(error)
  const backOff = firstWaitMs * 2 ** (attempt - 1)
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders = {}, responseBody = '' } = error
    if (statusCode === undefined || !busy.has(statusCode)) return undefined
    const waitMs = askedWait(responseHeaders, now) ?? googleWait(responseBody) ?? backOff
    return { status: statusCode, waitMs, message }
  }
  // Anthropic tells it inside of a stream that has begun with 200.
  return /overloaded/i.test(message) ? { status: 529, waitMs: backOff, message } : undefined
}

function askedWait(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN)
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const after = headers['retry-after']
  if (after === undefined) return undefined
  const seconds = Number(after)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}

function googleWait(body: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** What a provider says itself. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) {
    const cause = error.cause instanceof Error && error.cause.message !== '' ? ` (${error.cause.message})` : ''
    return `${error.message}${cause}`
  }
  if (typeof error === 'string') return error
  const { message, error: inner } = (error ?? {}) as { message?: unknown; error?: { message?: unknown } }
  // Anything may be there, of any depth: only texts are taken.
  const said = [message, inner?.message].find((one) => typeof one === 'string')
  if (said !== undefined) return said
  try {
    return String(JSON.stringify(error))
  } catch {
    return 'what it says is nested too deeply'
  }
}

/**
 * A failure of a provider as a problem.
 * @param key of the provider: some repeat it in their message
 */
export function providerProblem(name: string, error: unknown, key: string | undefined) {
  if (isGatewayError(error)) return error
  const text = messageOf(error).slice(0, messageLimit)
  const message = key ? text.replaceAll(key, '(key)') : text
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  const what = status === undefined ? `failed: ${message}` : `answered ${status}: ${message}`
  return problem('assistant_provider_failed', `Provider "${name}" ${what}`, {
    cause: error,
    suggestion: 'POST /api/assistant/models tests the providers.',
    extra: defined({ provider: name, providerStatus: status }),
  })
}
