/**
 * Time of a controller: as fast as the computer's, faster or slower, stopped, or stepped. Nanoseconds since power-on,
 * as numbers: multiples of a microsecond are exact for two years.
 */
import type { Clock } from '../../../plc/runtime/clock.ts'
import { offsetAt, systemTimeOf, type TimeZone } from '../../../plc/runtime/time-zone.ts'
import type { TimeMode } from './contract.ts'
import { type ControlBlock, monotonic } from './control-block.ts'
import { eventId } from './event-ids.ts'

/** The clock of one controller. */
export class VirtualTime implements Clock {
  readonly #control: ControlBlock
  #mode: TimeMode
  #isFrozen = false
  /** HOLD: only the system time goes on. */
  #isHeld = false
  // Both factors follow from the three fields above. They are read several times in each cycle.
  #factor = 0
  /** That of the system time, which goes on in HOLD. */
  #clockFactor = 0
  /** Virtual time at the moment `#realBase` of the computer's clock (ms). */
  #base = 0
  #realBase = monotonic()
  /** System time at power-on, ns since 1970. */
  #systemOffset: bigint
  /** System time at power-on, ms since 1970. */
  #systemOffsetMs: number
  #timeZone: TimeZone
  restartedAt = 0n

  constructor(control: ControlBlock, mode: TimeMode, startTime: number, utcOffsetMinutes: number) {
    this.#control = control
    this.#mode = mode
    this.#systemOffset = BigInt(Math.round(startTime * 1000)) * 1000n
    this.#systemOffsetMs = millisecondsOf(this.#systemOffset)
    this.#timeZone = { bias: BigInt(Math.round(utcOffsetMinutes * 60)) * 1_000_000_000n }
    this.#publish()
  }

  get mode(): TimeMode {
    return this.#mode
  }

  /** Nanoseconds of virtual time for one millisecond of the computer's; 0 for stepped time. */
  get factor(): number {
    return this.#factor
  }

  /** Milliseconds by which the system time has gone on since HOLD began. */
  #heldMs(): number {
    return this.#isHeld ? (monotonic() - this.#realBase) * this.#clockFactor : 0
  }

  /** Nanoseconds since power-on. */
  get nanoseconds(): number {
    const factor = this.#factor
    return factor === 0 ? this.#base : this.#base + (monotonic() - this.#realBase) * factor * 1e6
  }

  /** Advances stepped time. */
  moveTo(nanoseconds: number): void {
    if (nanoseconds <= this.#base) return
    this.#base = nanoseconds
    this.#control.moveClock(nanoseconds / 1e6)
  }

  /** STARTUP begins. */
  restart(): void {
    this.restartedAt = this.now()
  }

  freeze(isFrozen: boolean): void {
    this.#rebase()
    this.#isFrozen = isFrozen
    this.#publish()
  }

  /** HOLD begins or ends: virtual time stops in it, the system time goes on. */
  hold(isHeld: boolean): void {
    this.#rebase()
    const before = this.#isHeld
    this.#isHeld = isHeld
    this.#publish()
    if (before && !isHeld) this.onSystemTimeSet?.(eventId.timeOfDaySkippedInHold)
  }

  setMode(mode: TimeMode): void {
    this.#rebase()
    this.#mode = mode
    this.#publish()
  }

  /** System time, ms since 1970. */
  get systemMilliseconds(): number {
    return this.nanoseconds / 1e6 + this.#systemOffsetMs + this.#heldMs()
  }
  setSystemMilliseconds(milliseconds: number): void {
    this.setSystemTime(BigInt(Math.round(milliseconds * 1000)) * 1000n)
  }

  /** Virtual time, ns, at a point of system time, ms. */
  whenSystemTimeIs(milliseconds: number): number {
    return (milliseconds - this.#systemOffsetMs) * 1e6
  }

  get localOffsetMs(): number {
    return Number(this.localOffset()) / 1e6
  }

  /** System time, ms, at a point of local time, ms; of one that the clock skips, as if it were standard time. */
  systemMillisecondsOf(localMilliseconds: number): number {
    const bias = Number(this.#timeZone.bias) / 1e6
    if (!this.#timeZone.daylight) return localMilliseconds - bias
    const local = BigInt(Math.round(localMilliseconds * 1000)) * 1000n
    const found = systemTimeOf(this.#timeZone, local, true)
    return found === undefined ? localMilliseconds - bias : Number(found / 1000n) / 1000
  }

  // ── Clock of the program ──────────────────────────────────────────────────────────────────────────────────────────

  now(): bigint {
    return BigInt(Math.floor(this.nanoseconds))
  }
  systemTime(): bigint {
    return this.now() + this.#systemOffset
  }
  setSystemTime(nanoseconds: bigint): void {
    this.#rebase()
    this.#systemOffset = nanoseconds - this.now()
    this.#systemOffsetMs = millisecondsOf(this.#systemOffset)
    this.#publish()
    this.onSystemTimeSet?.(eventId.timeOfDaySkipped)
  }
  localOffset(): bigint {
    return offsetAt(this.#timeZone, this.systemTime())
  }
  get timeZone(): TimeZone {
    return this.#timeZone
  }
  setTimeZone(zone: TimeZone): void {
    this.#timeZone = zone
    this.onTimeZoneSet?.(zone)
  }
  /** Called when the program sets another time zone. */
  onTimeZoneSet: ((zone: TimeZone) => void) | undefined
  /** Called when the system time jumps, with the event of time-of-day interrupts that it skips. */
  onSystemTimeSet: ((skipped: number) => void) | undefined

  #rebase(): void {
    const held = this.#heldMs()
    this.#systemOffset += BigInt(Math.round(held * 1000)) * 1000n
    this.#systemOffsetMs = millisecondsOf(this.#systemOffset)
    this.#base = this.nanoseconds
    this.#realBase = monotonic()
  }

  #publish(): void {
    this.#clockFactor = this.#mode.mode === 'real' && !this.#isFrozen ? this.#mode.factor : 0
    this.#factor = this.#isHeld ? 0 : this.#clockFactor
    this.#control.setClock({
      realBase: this.#realBase,
      virtualBase: this.#base / 1e6,
      factor: this.#clockFactor,
      systemOffset: this.#systemOffsetMs,
    })
  }
}

function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000
}
