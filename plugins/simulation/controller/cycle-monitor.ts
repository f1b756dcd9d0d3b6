/**
 * Monitors the maximum cycle time. With real time it compares the virtual time since the cycle began, see
 * `monitoredMs`, without the time in which the computer held up the thread. In stepped time each round of a loop that
 * the watchdog has counted takes a nanosecond, so that runs are repeatable.
 */
import type { CycleTimes } from '../../../plc/runtime/context.ts'
import type { ControllerOptions, CycleStatistics } from './contract.ts'
import { monotonic } from './control-block.ts'
import type { VirtualTime } from './virtual-time.ts'

/**
 * The longest time between two looks that counts, ms. Loops and calls bring a look after less than a millisecond; what
 * takes longer is a computer with other work, which must not stop a controller whose program is quick.
 */
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

/** Rounds of loops between two looks, with real time and with stepped time: some 10 µs, and a millisecond. */
const mostRounds = { real: 10_000, stepped: 1_000_000 }

/**
 * Rounds until the watchdog looks again: in stepped time, where each takes a nanosecond, when the next interrupt is
 * due.
 * @param next time of that interrupt, ns
 */
export function roundsBetweenLooks({ mode, nanoseconds }: VirtualTime, next = Number.POSITIVE_INFINITY): number {
  if (mode.mode === 'real') return mostRounds.real
  return Math.max(1, Math.min(mostRounds.stepped, Math.ceil(next - nanoseconds)))
}

/** Monitors the maximum cycle time of one controller. */
export class CycleMonitor {
  readonly #time: Pick<VirtualTime, 'mode'>
  #isOn = false
  #lastLook = 0
  #countedMs = 0
  #rounds = 0
  #roundsOfRun = 0
  /** The time error of this cycle was already reported. */
  wasExceeded = false

  constructor(time: Pick<VirtualTime, 'mode'>) {
    this.#time = time
  }

  /** Restarts the time: a cycle begins `now`, or RE_TRIGR was called. */
  restart(now = monotonic()): void {
    this.#isOn = true
    this.#lastLook = now
    this.#countedMs = 0
    this.#rounds = 0
    this.wasExceeded = false
  }

  /** Turns monitoring off: startup blocks have no time limit. */
  off(): void {
    this.#isOn = false
  }

  /** Records rounds of loops. */
  passed(rounds: number): void {
    this.#rounds += rounds
    this.#roundsOfRun += rounds
  }

  /** An organization block begins that interrupts no other. @returns when, on the computer's clock */
  blockBegins(now = monotonic()): number {
    this.#roundsOfRun = 0
    return now
  }

  /**
   * Whether the counted rounds of stepped time will end the block, however little of the processor the thread gets.
   * RE_TRIGR can put that off for ever, so not beyond ten times the maximum cycle time.
   */
  endsByRounds(maximumCycleTimeMs: number): boolean {
    return this.#roundsOfRun / 1e6 < 10 * maximumCycleTimeMs
  }

  /** Looks at the clock. @returns the monitored time of the cycle so far, ms; 0 while nothing is monitored */
  look(now = monotonic()): number {
    if (!this.#isOn) return 0
    this.#countedMs += Math.min(now - this.#lastLook, heldUpMs)
    this.#lastLook = now
    const { mode } = this.#time
    return mode.mode === 'real' ? monitoredMs(this.#countedMs, mode.factor) : this.#rounds / 1e6
  }
}

/** The cycle times that RT_INFO returns. */
export function cycleTimesOf(
  { lastMs, minimumMs, maximumMs }: CycleStatistics,
  { minimumCycleTimeMs, maximumCycleTimeMs }: ControllerOptions,
): CycleTimes {
  const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1e6))
  const measured =
    maximumMs > 0
      ? { last: nanoseconds(lastMs), shortest: nanoseconds(minimumMs), longest: nanoseconds(maximumMs) }
      : {}
  return { ...measured, minimum: nanoseconds(minimumCycleTimeMs), monitoring: nanoseconds(maximumCycleTimeMs) }
}
