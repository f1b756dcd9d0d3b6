/**
 * Interrupts as instructions set and query them: SRT_DINT, SET_TINTL, SET_CINT and similar. A controller implements
 * `Interrupts`; the status numbers are those of the TIA help V19 of each instruction for S7-1500.
 */

/** Status of an instruction on an interrupt; 0 means success. */
export const interruptStatus = {
  /** The number is not that of an OB of this kind, or the program has no such OB. */
  wrongBlock: 0x8090,
  /** The time or cycle is outside its range. */
  wrongTime: 0x8091,
  /** DIS_IRT and EN_IRT have no such MODE. */
  wrongMode: 0x8091,
  /** The phase of a cyclic interrupt or the period of a time-of-day interrupt is wrong. */
  wrongPhase: 0x8092,
  /** There is no started interrupt to cancel. */
  notStarted: 0x80a0,
  /** The point in time is in the past. */
  past: 0x80a1,
} as const

/**
 * Limits of SET_CINT in microseconds. The TIA help has 100 µs as a cycle and no limit for single CPUs: what the fastest
 * can do is accepted for all.
 */
export const cyclicLimits = { least: 100, most: 60_000_000 } as const

/** Period of a time-of-day interrupt: `once`, or repeatedly from the first time on. */
export type InterruptPeriod = 'once' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'endOfMonth'

/** The result of QRY_DINT and QRY_TINT; bits of their STATUS as the help numbers them. */
export interface InterruptState {
  /** Bit 1: it is locked by DIS_IRT (DIS_AIRT does not count). */
  readonly isLocked: boolean
  /** Bit 2: it is started or activated, and has not occurred yet. */
  readonly isActive: boolean
  /** Bit 4: the OB is in the program. */
  readonly isLoaded: boolean
}

/** Functions return a status of `interruptStatus`, or 0, unless stated otherwise. */
export interface Interrupts {
  /** SRT_DINT: runs the OB once, after `nanoseconds`; replaces a pending start. The OB receives `sign`. */
  startDelay(block: number, nanoseconds: bigint, sign: number): number
  /** CAN_DINT */
  cancelDelay(block: number): number
  /** QRY_DINT; `undefined`: there is no such OB. */
  queryDelay(block: number): InterruptState | undefined
  /**
   * SET_TINT, SET_TINTL: first time in nanoseconds since 1970, in local time or UTC. It becomes active with
   * `activateTimeOfDay`, or at once when `isActive`.
   */
  setTimeOfDay(block: number, start: bigint, isLocal: boolean, period: InterruptPeriod, isActive: boolean): number
  /** ACT_TINT */
  activateTimeOfDay(block: number): number
  /** CAN_TINT */
  cancelTimeOfDay(block: number): number
  /** QRY_TINT; `undefined`: there is no such OB. */
  queryTimeOfDay(block: number): InterruptState | undefined
  /** SET_CINT: sets cycle and phase in microseconds; cycle 0 switches the interrupt off. */
  setCyclic(block: number, cycleUs: number, phaseUs: number): number
  /** QRY_CINT; `undefined`: there is no such OB. */
  queryCyclic(block: number): { readonly cycleUs: number; readonly phaseUs: number } | undefined
  /** The event class of an organization block of the program; `undefined`: it has none of this number. */
  classOf(block: number): string | undefined
  /** DIS_IRT: events of all interrupts (mode 0), of a class (1) or of one block (2) are discarded from now on. */
  lock(mode: number, block: number): number
  /** EN_IRT */
  unlock(mode: number, block: number): number
  /**
   * DIS_AIRT: interrupts of higher priority wait until there are as many releases as delays. Returns the number of
   * delays now.
   */
  delayAll(): number
  /** EN_AIRT: returns the number of delays left; `undefined`: no delay is pending. */
  releaseAll(): number | undefined
}
