/**
 * Maximum cycle time. With real time it is compared with virtual time that has passed since the cycle began, see `monitoredMs`. Stepped time stands while a
 * program runs; there a look of the watchdog (each million rounds of loops) counts as a millisecond, so that it is the same each time.
 */
import { monotonic } from './control-block.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What one look of the watchdog stands for in stepped time, ms. */
const lookMs = 1
/** So long a computer that does other things, too, may hold up a thread, ms. */
const heldUpMs = 50

/**
 * What counts of a cycle that has run for some time of the computer's, ms. When virtual time passes faster, a thread that is held up for two
 * milliseconds would exceed 150 ms at a factor of 100, whatever its program does: the first 50 ms count as they are, only the rest passes faster.
 * @param realMs since the cycle began
 */
export function monitoredMs(realMs: number, factor: number): number {
  if (factor <= 1) return realMs * factor
  return realMs + Math.max(0, realMs - heldUpMs) * (factor - 1)
}

export class CycleMonitor {
  readonly #time: VirtualTime
  #isOn = false
  #begin = 0
  #looks = 0
  /** The time error of this cycle was told already. */
  wasExceeded = false

  constructor(time: VirtualTime) {
    this.#time = time
  }

  /** A cycle begins, or RE_TRIGR gives it its full time again. */
  restart(): void {
    this.#isOn = true
    this.#begin = monotonic()
    this.#looks = 0
    this.wasExceeded = false
  }

  /** Startup blocks may take as long as they like. */
  off(): void {
    this.#isOn = false
  }

  /** The watchdog looked in. */
  look(): void {
    this.#looks++
  }

  /** What counts of the cycle so far, ms; 0 while nothing is monitored. */
  get elapsedMs(): number {
    if (!this.#isOn) return 0
    const { mode } = this.#time
    return mode.mode === 'real' ? monitoredMs(monotonic() - this.#begin, mode.factor) : this.#looks * lookMs
  }
}
