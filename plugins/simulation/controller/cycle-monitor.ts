/**
 * Monitors the maximum cycle time. With real time it compares the virtual time since the cycle began, see
 * `monitoredMs`. Stepped time stops while a program runs; there each check of the watchdog (every million rounds of
 * loops) counts as a millisecond, so that runs are repeatable.
 */
import { monotonic } from './control-block.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Stepped time that one check of the watchdog counts for, ms. */
const lookMs = 1
/** Time for which other work of the computer may delay a thread, ms. */
const heldUpMs = 50

/**
 * Returns the monitored time of a cycle, ms. With faster virtual time, a delay of the thread by two milliseconds would
 * exceed 150 ms at a factor of 100, for any program. Therefore the first 50 ms are not scaled; only the rest is
 * multiplied by the factor.
 * @param realMs time since the start of the cycle, ms
 */
export function monitoredMs(realMs: number, factor: number): number {
  if (factor <= 1) return realMs * factor
  return realMs + Math.max(0, realMs - heldUpMs) * (factor - 1)
}

/** Monitors the maximum cycle time of one controller. */
export class CycleMonitor {
  readonly #time: VirtualTime
  #isOn = false
  #begin = 0
  #looks = 0
  /** The time error of this cycle was already reported. */
  wasExceeded = false

  constructor(time: VirtualTime) {
    this.#time = time
  }

  /** Restarts the time, when a cycle begins or RE_TRIGR is called. */
  restart(): void {
    this.#isOn = true
    this.#begin = monotonic()
    this.#looks = 0
    this.wasExceeded = false
  }

  /** Turns monitoring off: startup blocks have no time limit. */
  off(): void {
    this.#isOn = false
  }

  /** Records a check of the watchdog. */
  look(): void {
    this.#looks++
  }

  /** Monitored time of the cycle so far, ms; 0 while nothing is monitored. */
  get elapsedMs(): number {
    if (!this.#isOn) return 0
    const { mode } = this.#time
    return mode.mode === 'real' ? monitoredMs(monotonic() - this.#begin, mode.factor) : this.#looks * lookMs
  }
}
