/**
 * What functions and operators on times give, computed with unbounded integers and a calendar of its own: it shares no
 * code with the compiler and the runtime. Rules: docs/plc-semantics.md#sums-differences-and-conversions-of-times.
 */

export type TimeName = 'Time' | 'LTime' | 'S5Time' | 'Time_Of_Day' | 'LTime_Of_Day' | 'Date' | 'DT' | 'LDT' | 'DTL'

/**
 * A value in the unit of its type: milliseconds, nanoseconds, days since 1990; an S5Time as its milliseconds, DT, LDT
 * and DTL as nanoseconds since 1970. `undefined`: a DT or DTL that is no date.
 */
export type TimeValue = bigint | undefined

export interface Outcome {
  /** `unchanged`: the target keeps what it has. */
  readonly value: bigint | 'unchanged'
  readonly ok: boolean
}

const millisecond = 1_000_000n
const day = 86_400_000_000_000n
const epoch1990 = 7305n * day
const endOfLong = 2n ** 63n

/** Days since 1970 of a date of the Gregorian calendar. */
export function daysOf(year: number, month: number, dayOfMonth: number): bigint {
  const y = BigInt(month <= 2 ? year - 1 : year)
  const m = BigInt((month + 9) % 12)
  return 365n * y + y / 4n - y / 100n + y / 400n + (153n * m + 2n) / 5n + BigInt(dayOfMonth - 1) - 719_468n
}

/** Year, month and day of a number of days since 1970, which is not before it. */
export function dateOf(days: bigint): readonly [number, number, number] {
  let year = 1970 + Number(days / 366n)
  while (daysOf(year + 1, 1, 1) <= days) year++
  let month = 1
  while (month < 12 && daysOf(year, month + 1, 1) <= days) month++
  return [year, month, Number(days - daysOf(year, month, 1)) + 1]
}

const first90 = daysOf(1990, 1, 1) * day
const end90 = daysOf(2090, 1, 1) * day

/** Nanoseconds of a value: of a duration, since midnight, or since 1970. */
export function nanosecondsOf(type: TimeName, value: bigint): bigint {
  if (type === 'Time' || type === 'S5Time' || type === 'Time_Of_Day') return value * millisecond
  return type === 'Date' ? value * day + epoch1990 : value
}

const isDuration = (type: TimeName) => type === 'Time' || type === 'LTime' || type === 'S5Time'
const isClock = (type: TimeName) => type === 'Time_Of_Day' || type === 'LTime_Of_Day'

/** The value of a type for nanoseconds; what does not fit is as T_ADD gives it. */
function give(type: TimeName, nanoseconds: bigint): Outcome {
  switch (type) {
    case 'Time': {
      // Sums are counted in 64 bits of nanoseconds.
      const counted = cut(64, nanoseconds)
      const { value, ok } = cut(32, counted.value / millisecond)
      return { value, ok: ok && counted.ok }
    }
    case 'LTime':
      return cut(64, nanoseconds)
    case 'S5Time':
      return s5Time(nanoseconds / millisecond)
    case 'Time_Of_Day':
    case 'LTime_Of_Day': {
      const inDay = ((nanoseconds % day) + day) % day
      return { value: type === 'Time_Of_Day' ? inDay / millisecond : inDay, ok: inDay === nanoseconds }
    }
    case 'Date': {
      const days = (nanoseconds - (((nanoseconds % day) + day) % day)) / day - 7305n
      return { value: BigInt.asUintN(16, days), ok: days >= 0n && days < 65_536n }
    }
    case 'LDT':
      return { value: BigInt.asUintN(64, nanoseconds), ok: nanoseconds >= 0n && nanoseconds < endOfLong }
    case 'DTL': {
      const ok = nanoseconds >= 0n && nanoseconds < endOfLong
      return { value: ok ? nanoseconds : 0n, ok }
    }
    case 'DT': {
      const ok = nanoseconds >= first90 && nanoseconds < end90
      return { value: ok ? (nanoseconds / millisecond) * millisecond : first90, ok }
    }
  }
}

function cut(bits: 32 | 64, value: bigint): Outcome & { readonly value: bigint } {
  const low = BigInt.asIntN(bits, value)
  return { value: low, ok: low === value }
}

/** The milliseconds that the smallest possible base of an S5Time can count. */
function s5Time(milliseconds: bigint): Outcome {
  if (milliseconds < 0n) return { value: 0n, ok: false }
  for (const base of [10n, 100n, 1000n, 10_000n])
    if (milliseconds / base <= 999n) return { value: (milliseconds / base) * base, ok: true }
  return { value: 9_990_000n, ok: false }
}

/** T_ADD, T_SUB, and `+`, `-` of a point or duration and a duration. */
export function shifted(a: TimeName, x: TimeValue, b: TimeName, y: bigint, sign: 1n | -1n): Outcome {
  if (x === undefined) return { value: a === 'DT' ? first90 : 0n, ok: false }
  return give(a, nanosecondsOf(a, x) + sign * nanosecondsOf(b, y))
}

/** T_DIFF, and `-` of two points. */
export function between(a: TimeName, x: TimeValue, b: TimeName, y: TimeValue, result: 'Time' | 'LTime'): Outcome {
  if (x === undefined || y === undefined) return { value: 0n, ok: false }
  const { value, ok } = give(result, nanosecondsOf(a, x) - nanosecondsOf(b, y))
  return ok ? { value, ok } : { value: 0n, ok }
}

/** T_COMBINE and its kin. */
export function combined(days: bigint, clock: TimeName, time: bigint, result: TimeName): Outcome {
  return give(result, nanosecondsOf('Date', days) + nanosecondsOf(clock, time))
}

/** Conversions by name: `LDT_TO_TOD`. */
export function convertedTime(from: TimeName, value: TimeValue, to: TimeName): Outcome {
  if (value === undefined) return { ...give(to, 0n), ok: false }
  const nanoseconds = nanosecondsOf(from, value)
  if (isDuration(from) && (to === 'Time' || isClock(to))) {
    const given = give(to, nanoseconds)
    return given.ok ? given : { value: 'unchanged', ok: false }
  }
  if (isClock(from) && to === 'DT') return give(to, nanoseconds + first90)
  // Of a point in time a time of day is the rest of the day.
  return isClock(to) ? { ...give(to, nanoseconds), ok: true } : give(to, nanoseconds)
}

/** `*` and `/` of a duration and an integer. */
export function scaled(type: 'Time' | 'LTime', value: bigint, operator: '*' | '/', factor: bigint): Outcome {
  if (operator === '/' && factor === 0n) return { value: 0n, ok: false }
  return cut(type === 'Time' ? 32 : 64, operator === '*' ? value * factor : value / factor)
}

/** How two values compare: -1, 0, 1. */
export function comparedTimes(a: TimeName, x: bigint, b: TimeName, y: bigint): number {
  const [left, right] = [nanosecondsOf(a, x), nanosecondsOf(b, y)]
  return left < right ? -1 : left > right ? 1 : 0
}
