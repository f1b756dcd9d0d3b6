import { offsetAt, type TimeZone } from './time-zone.ts'

/** The time for a program: a clock that runs since switch-on, and the time of day. */
export interface Clock {
  /** Nanoseconds since the controller was switched on; never goes back. */
  now(): bigint
  /** When the program was started last, by a warm restart. */
  readonly restartedAt: bigint
  /** `now` as a number, not always whole: exact to the microsecond for two years. */
  readonly nanoseconds: number
  /** System time: nanoseconds since 1970-01-01 UTC. */
  systemTime(): bigint
  setSystemTime(nanoseconds: bigint): void
  /** Local time minus system time in nanoseconds, including daylight saving. */
  localOffset(): bigint
  readonly timeZone: TimeZone
  setTimeZone(zone: TimeZone): void
}

/** A clock that moves only with `advance`. */
export class VirtualClock implements Clock {
  #now = 0n
  /** The same: the host reads it before each block. */
  #nanoseconds = 0
  #distance: bigint
  #timeZone: TimeZone
  restartedAt = 0n

  /**
   * @param start system time at switch-on, nanoseconds since 1970-01-01 UTC
   * @param offset local time minus system time in nanoseconds
   */
  constructor(start = 0n, offset = 0n) {
    this.#distance = start
    this.#timeZone = { bias: offset }
  }

  now(): bigint {
    return this.#now
  }

  get nanoseconds(): number {
    return this.#nanoseconds
  }

  systemTime(): bigint {
    return this.#now + this.#distance
  }

  setSystemTime(nanoseconds: bigint): void {
    this.#distance = nanoseconds - this.#now
  }

  localOffset(): bigint {
    return offsetAt(this.#timeZone, this.systemTime())
  }

  get timeZone(): TimeZone {
    return this.#timeZone
  }

  setTimeZone(zone: TimeZone): void {
    this.#timeZone = zone
  }

  /** Moves the time forward. */
  advance(nanoseconds: bigint): void {
    this.#now += nanoseconds
    this.#nanoseconds = Number(this.#now)
  }

  advanceMilliseconds(milliseconds: number): void {
    this.advance(BigInt(milliseconds) * 1_000_000n)
  }
}
