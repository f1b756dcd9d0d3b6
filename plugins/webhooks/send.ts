/** Sends a message, signed as Standard Webhooks says (https://www.standardwebhooks.com, specification 1.0). */
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ForbiddenAddress, guardedLookup, urlFault } from './hosts.ts'
import type { HostRules } from './state.ts'

/** How long an attempt takes at most, ms. */
export const attemptMs = 10_000
/** What `Retry-After` can put off, ms. */
const longestRetryAfter = 3_600_000

/** How an attempt ended. */
export interface Attempt {
  readonly ok: boolean
  readonly httpStatus?: number
  readonly error?: string
  readonly durationMs: number
  /** The receiver wants nothing more (410), or may never be told: no other attempt is made. */
  readonly isFinal?: boolean
  /** The receiver asks for this pause, ms. */
  readonly retryAfterMs?: number
}

/** A message, ready to be sent. */
export interface Message {
  /** The same in every attempt. */
  readonly id: string
  readonly body: string
}

/** The bytes of a secret: `whsec_` and base64, or any text. */
export function secretBytes(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

/** @param timestamp seconds since the epoch */
export function signature(secret: string, { id, body }: Message, timestamp: number): string {
  return `v1,${createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

export interface SendOptions {
  readonly rules: HostRules
  /** In the clear. */
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly userAgent: string
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  readonly resolve?: Parameters<typeof guardedLookup>[1]
}

/** Makes one attempt. Redirects are not followed, and answers are not read. Never rejects. */
export async function send(url: string, message: Message, options: SendOptions): Promise<Attempt> {
  const { rules, secret, now, userAgent, signal, timeoutMs = attemptMs, resolve } = options
  const begin = performance.now()
  const took = () => Math.round(performance.now() - begin)
  const fault = urlFault(url, rules)
  if (fault !== undefined) return { ok: false, error: `The URL ${fault}.`, durationMs: 0 }
  const timestamp = Math.floor(now / 1000)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(message.body)),
    'user-agent': userAgent,
    'webhook-id': message.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature(secret, message, timestamp),
  }
  const target = new URL(url)
  const start = target.protocol === 'https:' ? httpsRequest : httpRequest
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  return new Promise((done) => {
    // A connection of its own: one that is kept would not be checked again.
    const call = start(target, {
      method: 'POST',
      headers,
      agent: false,
      lookup: guardedLookup(rules, resolve),
      signal: until,
    })
    call.once('response', (response) => {
      const { statusCode: httpStatus = 0 } = response
      response.destroy()
      const ok = httpStatus >= 200 && httpStatus < 300
      const retryAfterMs = ok ? undefined : retryAfter(response.headers['retry-after'], now)
      done({
        ok,
        httpStatus,
        durationMs: took(),
        ...(ok ? {} : { error: `The receiver answered ${httpStatus}.` }),
        ...(httpStatus === 410 ? { isFinal: true } : {}),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      })
    })
    call.once('error', (error) => done({ ok: false, error: errorText(error, signal, timeoutMs), durationMs: took() }))
    call.end(message.body)
  })
}

function errorText(error: Error & { code?: string }, signal: AbortSignal, timeoutMs: number): string {
  if (error instanceof ForbiddenAddress) return `${error.message}, and is none of privateHosts.`
  if (signal.aborted) return 'The gateway ended meanwhile.'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `No answer within ${timeoutMs / 1000} s.`
  return `The receiver cannot be reached (${error.code ?? error.message}).`
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wanted) && wanted > 0 ? Math.min(wanted, longestRetryAfter) : undefined
}
