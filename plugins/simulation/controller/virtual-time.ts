/**
 * Time of a controller: as fast as the computer's, faster or slower, stopped, or stepped. Nanoseconds since power-on,
 * as numbers: multiples of a microsecond are exact for two years.
 */
import type { Clock } from '../../../plc/runtime/clock.ts'
import type { TimeMode } from './contract.ts'
import { type ControlBlock, monotonic } from './control-block.ts'

/** The clock of one controller. */
export class VirtualTime implements Clock {
  readonly #control: ControlBlock
  #mode: TimeMode
  #isFrozen = false
  /** Virtual time at the moment `#realBase` of the computer's clock (ms). */
  #base = 0
  #realBase = monotonic()
  /** System time at power-on, ns since 1970. */
  #systemOffset: bigint
  /** System time at power-on, ms since 1970. */
  #systemOffsetMs: number
  readonly #localOffset: bigint

  constructor(control: ControlBlock, mode: TimeMode, startTime: number, utcOffsetMinutes: number) {
    this.#control = control
    this.#mode = mode
    this.#systemOffset = BigInt(Math.round(startTime * 1000)) * 1000n
    this.#systemOffsetMs = millisecondsOf(this.#systemOffset)
    this.#localOffset = BigInt(Math.round(utcOffsetMinutes * 60)) * 1_000_000_000n
    this.#publish()
  }

  get mode(): TimeMode {
    return this.#mode
  }

  /** Nanoseconds of virtual time for one millisecond of the computer's; 0 for stepped time. */
  get factor(): number {
    return this.#mode.mode === 'real' && !this.#isFrozen ? this.#mode.factor : 0
  }

  /** Nanoseconds since power-on. */
  get nanoseconds(): number {
    const { factor } = this
    return factor === 0 ? this.#base : this.#base + (monotonic() - this.#realBase) * factor * 1e6
  }

  /** Advances stepped time. */
  moveTo(nanoseconds: number): void {
    if (nanoseconds <= this.#base) return
    this.#base = nanoseconds
    this.#publish()
  }

  freeze(isFrozen: boolean): void {
    this.#rebase()
    this.#isFrozen = isFrozen
    this.#publish()
  }

  setMode(mode: TimeMode): void {
    this.#rebase()
    this.#mode = mode
    this.#publish()
  }

  /** System time, ms since 1970. */
  get systemMilliseconds(): number {
    return this.nanoseconds / 1e6 + this.#systemOffsetMs
  }
  setSystemMilliseconds(milliseconds: number): void {
    this.setSystemTime(BigInt(Math.round(milliseconds * 1000)) * 1000n)
  }

  /** Virtual time, ns, at a point of system time, ms. */
  whenSystemTimeIs(milliseconds: number): number {
    return (milliseconds - this.#systemOffsetMs) * 1e6
  }

  get localOffsetMs(): number {
    return Number(this.#localOffset) / 1e6
  }

  // ── Clock of the program ──────────────────────────────────────────────────────────────────────────────────────────

  now(): bigint {
    return BigInt(Math.floor(this.nanoseconds))
  }
  systemTime(): bigint {
    return this.now() + this.#systemOffset
  }
  setSystemTime(nanoseconds: bigint): void {
    this.#systemOffset = nanoseconds - this.now()
    this.#systemOffsetMs = millisecondsOf(this.#systemOffset)
    this.#publish()
    this.onSystemTimeSet?.()
  }
  localOffset(): bigint {
    return this.#localOffset
  }
  /** Called when the system time jumps. */
  onSystemTimeSet: (() => void) | undefined

  #rebase(): void {
    this.#base = this.nanoseconds
    this.#realBase = monotonic()
  }

  #publish(): void {
    this.#control.setClock({
      realBase: this.#realBase,
      virtualBase: this.#base / 1e6,
      factor: this.factor,
      systemOffset: this.#systemOffsetMs,
    })
  }
}

function millisecondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1000n) / 1000
}
