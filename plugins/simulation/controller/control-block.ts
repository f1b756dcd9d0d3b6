/**
 * Shared memory through which the controller's thread and the gateway see each other without messages: sequence counter
 * of scans, time, statistics. Only the controller's thread writes, except `wake` and `request`, which the gateway
 * writes.
 */
import { performance } from 'node:perf_hooks'
import type { CycleStatistics } from './contract.ts'

/** Indices of the 32-bit words. */
const wake = 0
const sequence = 1
const request = 2
const generation = 3
const clockVersion = 4
const firstDouble = 8

/** Indices of the doubles. */
const doubles = {
  cycle: 0,
  boundaryTime: 1,
  realBase: 2,
  virtualBase: 3,
  factor: 4,
  systemOffset: 5,
  lastMs: 6,
  minimumMs: 7,
  sumMs: 8,
  maximumMs: 9,
  intervals: 10,
  executionLastMs: 11,
  executionMaximumMs: 12,
  executionSumMs: 13,
  overruns: 14,
  lostEvents: 15,
  begun: 16,
  heartbeat: 17,
  boundaryClock: 18,
} as const
const size = firstDouble * 4 + 19 * 8

/**
 * Difference between this thread's `performance.now` and the clock of all threads. The maximum of several samples,
 * because a thread that is held up between the two readings gets too small a value.
 */
const offset = Math.max(...Array.from({ length: 20 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()))

/** Returns milliseconds of a clock that never goes back and is the same in all threads of the process. */
export function monotonic(): number {
  return offset + performance.now()
}

/** Requests to a program in the middle of its run: none, or to end it. */
export const requests = { none: 0, stop: 1 } as const

/** The shared memory of a controller, with typed access to its fields. */
export class ControlBlock {
  readonly buffer: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #doubles: Float64Array
  #changes = 0

  constructor(buffer = new SharedArrayBuffer(size)) {
    this.buffer = buffer
    this.#words = new Int32Array(buffer)
    this.#doubles = new Float64Array(buffer, firstDouble * 4)
  }

  // ── Waking ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Changes with every message. */
  get wakes(): number {
    return Atomics.load(this.#words, wake)
  }

  /** Signals that a message is in the port. */
  ring(): void {
    Atomics.add(this.#words, wake, 1)
    Atomics.notify(this.#words, wake)
  }

  /** Waits until `ring` is called after `seen` was read, or until the time is over. */
  wait(seen: number, milliseconds = Number.POSITIVE_INFINITY): void {
    Atomics.wait(this.#words, wake, seen, milliseconds)
  }

  get request(): number {
    return Atomics.load(this.#words, request)
  }
  set request(value: number) {
    Atomics.store(this.#words, request, value)
  }

  // ── Sequence lock ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Marks the beginning of a change of memory, until `endChange`. Changes may be nested. */
  beginChange(): void {
    if (this.#changes++ === 0) Atomics.add(this.#words, sequence, 1)
  }
  endChange(): void {
    if (--this.#changes === 0) Atomics.add(this.#words, sequence, 1)
  }

  /**
   * Runs `copy` between two readings of the sequence counter.
   * @returns the result of `copy`, or `undefined` when memory was being changed
   */
  consistently<T>(copy: () => T): T | undefined {
    const before = Atomics.load(this.#words, sequence)
    if ((before & 1) === 1) return undefined
    const result = copy()
    return Atomics.load(this.#words, sequence) === before ? result : undefined
  }

  /** Counts the programs that were loaded: addresses are valid for only one of them. */
  get generation(): number {
    return Atomics.load(this.#words, generation)
  }
  set generation(value: number) {
    Atomics.store(this.#words, generation, value)
  }

  // ── Time ──────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Sets the clock, in ms. Virtual time since power-on is `virtualBase` + (`monotonic()` - `realBase`) × `factor`;
   * system time is that plus `systemOffset`. With a factor of 0 time stops.
   */
  setClock(clock: { realBase: number; virtualBase: number; factor: number; systemOffset: number }): void {
    Atomics.add(this.#words, clockVersion, 1)
    this.#doubles[doubles.realBase] = clock.realBase
    this.#doubles[doubles.virtualBase] = clock.virtualBase
    this.#doubles[doubles.factor] = clock.factor
    this.#doubles[doubles.systemOffset] = clock.systemOffset
    Atomics.add(this.#words, clockVersion, 1)
  }

  /** Moves a stopped clock, in each cycle of stepped time: one number needs no version. */
  moveClock(virtualBase: number): void {
    this.#doubles[doubles.virtualBase] = virtualBase
  }

  /** Virtual system time, ms since 1970. */
  get systemTime(): number {
    for (;;) {
      const before = Atomics.load(this.#words, clockVersion)
      const elapsed = (monotonic() - this.#get(doubles.realBase)) * this.#get(doubles.factor)
      const time = this.#get(doubles.virtualBase) + elapsed + this.#get(doubles.systemOffset)
      // The writer stores four numbers and is never long between them.
      if ((before & 1) === 0 && Atomics.load(this.#words, clockVersion) === before) return time
    }
  }

  // ── Scans ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Cycles since STARTUP, system time (ms) and time since power-on (ns) at the last scan boundary. */
  get boundary(): { readonly cycle: number; readonly time: number; readonly clock: bigint } {
    return {
      cycle: this.#get(doubles.cycle),
      time: this.#get(doubles.boundaryTime),
      clock: BigInt(Math.floor(this.#get(doubles.boundaryClock))),
    }
  }
  setBoundary(cycle: number, time: number, clock: number): void {
    this.#doubles[doubles.cycle] = cycle
    this.#doubles[doubles.boundaryTime] = time
    this.#doubles[doubles.boundaryClock] = clock
  }

  set begunCycles(count: number) {
    this.#doubles[doubles.begun] = count
  }

  /**
   * When the current run of an organization block began, or in stepped time was last seen by the watchdog
   * (`monotonic()`); 0 when none runs.
   */
  get runningSince(): number {
    return this.#get(doubles.heartbeat)
  }
  set runningSince(value: number) {
    this.#doubles[doubles.heartbeat] = value
  }

  clearStatistics(): void {
    this.#doubles.fill(0, doubles.lastMs, doubles.begun + 1)
  }

  /** Counts a cycle that began `ms` after the one before. */
  countInterval(ms: number): void {
    const all = this.#doubles
    const count = this.#get(doubles.intervals)
    all[doubles.lastMs] = ms
    if (count === 0 || ms < this.#get(doubles.minimumMs)) all[doubles.minimumMs] = ms
    if (ms > this.#get(doubles.maximumMs)) all[doubles.maximumMs] = ms
    all[doubles.sumMs] = this.#get(doubles.sumMs) + ms
    all[doubles.intervals] = count + 1
  }

  countExecution(ms: number): void {
    const all = this.#doubles
    all[doubles.executionLastMs] = ms
    if (ms > this.#get(doubles.executionMaximumMs)) all[doubles.executionMaximumMs] = ms
    all[doubles.executionSumMs] = this.#get(doubles.executionSumMs) + ms
  }

  countOverrun(): void {
    this.#doubles[doubles.overruns] = this.#get(doubles.overruns) + 1
  }

  countLostEvents(count: number): void {
    this.#doubles[doubles.lostEvents] = this.#get(doubles.lostEvents) + count
  }

  get statistics(): CycleStatistics {
    const cycles = this.#get(doubles.cycle)
    const average = (sum: number, count: number) => (count > 0 ? sum / count : 0)
    return {
      cycles,
      begunCycles: this.#get(doubles.begun),
      lastMs: this.#get(doubles.lastMs),
      minimumMs: this.#get(doubles.minimumMs),
      averageMs: average(this.#get(doubles.sumMs), this.#get(doubles.intervals)),
      maximumMs: this.#get(doubles.maximumMs),
      executionLastMs: this.#get(doubles.executionLastMs),
      executionMaximumMs: this.#get(doubles.executionMaximumMs),
      executionAverageMs: average(this.#get(doubles.executionSumMs), cycles),
      overruns: this.#get(doubles.overruns),
      lostEvents: this.#get(doubles.lostEvents),
    }
  }

  #get(index: number): number {
    return this.#doubles[index]!
  }
}
