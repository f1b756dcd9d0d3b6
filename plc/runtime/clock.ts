/** What time it is for a program: a clock that runs since switch-on, and the time of day beside it. */
export interface Clock {
  /** Nanoseconds since the controller was switched on; never goes back. */
  now(): bigint
  /** System time: nanoseconds since 1970-01-01 UTC. */
  systemTime(): bigint
  setSystemTime(nanoseconds: bigint): void
  /** Nanoseconds by which local time is ahead of system time, daylight saving included. */
  localOffset(): bigint
}

/** A clock that stands still until it is moved. */
export class VirtualClock implements Clock {
  #now = 0n
  #distance: bigint
  readonly #offset: bigint

  /**
   * @param start system time at switch-on, nanoseconds since 1970-01-01 UTC
   * @param offset nanoseconds by which local time is ahead
   */
  constructor(start = 0n, offset = 0n) {
    this.#distance = start
    this.#offset = offset
  }

  now(): bigint {
    return this.#now
  }

  systemTime(): bigint {
    return this.#now + this.#distance
  }

  setSystemTime(nanoseconds: bigint): void {
    this.#distance = nanoseconds - this.#now
  }

  localOffset(): bigint {
    return this.#offset
  }

  /** Moves time on. */
  advance(nanoseconds: bigint): void {
    this.#now += nanoseconds
  }

  advanceMilliseconds(milliseconds: number): void {
    this.advance(BigInt(milliseconds) * 1_000_000n)
  }
}
