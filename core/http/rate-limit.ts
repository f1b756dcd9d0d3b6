/** Limits requests per second of each key, for clients on other machines (docs/design.md#limits). */
import { LRUCache } from 'lru-cache'
import { problem } from '../problems.ts'

interface Window {
  second: number
  count: number
}

/**
 * Counts requests in windows of one second. It remembers a bounded number of callers, so that a flood of names takes no
 * memory.
 */
export class RateLimiter {
  readonly #windows = new LRUCache<string, Window>({ max: 10_000 })
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Counts one request.
   *
   * @param who the name of the key, or the address of a caller without one
   * @param limit requests per second
   * @throws GatewayError `too_many_requests`
   */
  take(who: string, limit: number) {
    const now = this.#now()
    const second = Math.floor(now / 1000)
    let window = this.#windows.get(who)
    if (!window) {
      window = { second, count: 0 }
      this.#windows.set(who, window)
    }
    if (window.second !== second) {
      window.second = second
      window.count = 0
    }
    window.count++
    if (window.count > limit) {
      throw problem('too_many_requests', `More than ${limit} requests in one second (limits.requestsPerSecond).`, {
        extra: { retryAfterSeconds: 1 },
      })
    }
  }
}

/** True for an address of this machine's loopback interface (RFC 1122 3.2.1.3, RFC 4291 2.5.3). */
export function isLoopback(address: string | undefined): boolean {
  return address === undefined || address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.')
}
