/** Limits what a caller may do in a time: requests of a key, wrong keys of an address (docs/design.md#limits). */
import { LRUCache } from 'lru-cache'
import { ticks } from '../../lib/steady-clock.ts'
import { problem } from '../contract/problems.ts'

interface Window {
  /** Its number since the clock began. */
  number: number
  count: number
}

export interface RateLimiterOptions {
  readonly windowMs: number
  /** The detail of the caller's problem answer. */
  readonly detail: (limit: number) => string
  /** Milliseconds of a clock that is not set back; `ticks` by default. */
  readonly now?: (() => number) | undefined
}

/**
 * Counts in windows of time. It remembers a bounded number of callers, so that a flood of names takes no memory.
 */
export class RateLimiter {
  readonly #windows = new LRUCache<string, Window>({ max: 10_000 })
  readonly #options: RateLimiterOptions

  constructor(options: RateLimiterOptions) {
    this.#options = options
  }

  /**
   * Counts one.
   *
   * @param who the name of a key, or an address
   * @param limit most in a window
   * @throws GatewayError `too_many_requests`
   */
  take(who: string, limit: number) {
    const { windowMs, detail, now = ticks } = this.#options
    const time = now()
    const number = Math.floor(time / windowMs)
    let window = this.#windows.get(who)
    if (!window) {
      window = { number, count: 0 }
      this.#windows.set(who, window)
    }
    if (window.number !== number) {
      window.number = number
      window.count = 0
    }
    window.count++
    if (window.count > limit) {
      const retryAfterSeconds = Math.ceil(((number + 1) * windowMs - time) / 1000)
      throw problem('too_many_requests', detail(limit), { extra: { retryAfterSeconds } })
    }
  }
}

/** True for an address of this machine's loopback interface (RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.')
}
