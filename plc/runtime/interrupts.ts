/**
 * Interrupts as instructions set and ask for them: SRT_DINT, SET_TINTL, SET_CINT and their like. A controller implements `Interrupts`; the
 * status numbers are those of the TIA Portal help of each instruction. An OB that is not loaded answers `notLoaded`.
 */

/** Status of an instruction on an interrupt; 0 when it was done. */
export const interruptStatus = {
  /** The number is none of an OB of this kind. */
  wrongBlock: 0x8090,
  /** The time, cycle or phase lies outside its range. */
  wrongTime: 0x8091,
  /** Cancelling: nothing was started. */
  notStarted: 0x80a0,
  /** The point in time lies in the past. */
  past: 0x80a1,
  /** There is no such OB in the program. */
  notLoaded: 0x80b0,
} as const

/** Time-of-day interrupts: `once`, or again and again from the first time on. */
export type InterruptPeriod = 'once' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year' | 'endOfMonth'

/** What QRY_DINT and QRY_TINT tell; bits of their STATUS as the help numbers them. */
export interface InterruptState {
  /** Bit 1: execution is locked (DIS_AIRT does not count). */
  readonly isLocked: boolean
  /** Bit 2: it was started, or activated, and has not come yet. */
  readonly isActive: boolean
  /** Bit 4: the OB is in the program. */
  readonly isLoaded: boolean
}

/** Every function answers a status of `interruptStatus`, or 0. */
export interface Interrupts {
  /** SRT_DINT: the OB runs once, `nanoseconds` from now; a start that is pending is replaced. `sign` is handed to the OB. */
  startDelay(block: number, nanoseconds: bigint, sign: number): number
  /** CAN_DINT */
  cancelDelay(block: number): number
  /** QRY_DINT; `undefined`: there is no such OB. */
  queryDelay(block: number): InterruptState | undefined
  /** SET_TINT, SET_TINTL: first time in nanoseconds since 1970, in local time or UTC. It becomes active with `activateTimeOfDay`, or at once. */
  setTimeOfDay(block: number, start: bigint, isLocal: boolean, period: InterruptPeriod, isActive: boolean): number
  /** ACT_TINT */
  activateTimeOfDay(block: number): number
  /** CAN_TINT */
  cancelTimeOfDay(block: number): number
  /** QRY_TINT; `undefined`: there is no such OB. */
  queryTimeOfDay(block: number): InterruptState | undefined
  /** SET_CINT: cycle 0 switches the interrupt off. Microseconds. */
  setCyclic(block: number, cycleUs: number, phaseUs: number): number
  /** QRY_CINT; `undefined`: there is no such OB. */
  queryCyclic(block: number): { readonly cycleUs: number; readonly phaseUs: number } | undefined
  /** DIS_AIRT and EN_AIRT: interrupts of higher priority wait until delays and releases are even. The number of delays now. */
  delayAll(): number
  /** EN_AIRT; `undefined`: no delay is pending. */
  releaseAll(): number | undefined
}
