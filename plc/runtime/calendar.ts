/**
 * Points in time as nanoseconds since 1970-01-01 and as S7 stores them: DTL (12 bytes), DATE_AND_TIME (8 bytes BCD);
 * docs/plc-semantics.md#durations-and-dates.
 */

const perDay = 86_400_000_000_000n
const perSecond = 1_000_000_000n
const perMillisecond = 1_000_000n

/** Divides and rounds towards the past, also before 1970. */
function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}

interface Moment {
  readonly year: number
  readonly month: number
  readonly day: number
  /** 1 is Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanosecond: number
}

function momentOf(nanoseconds: bigint): Moment {
  const seconds = floorDivide(nanoseconds, perSecond)
  const date = new Date(Number(seconds) * 1000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay() + 1,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond: Number(nanoseconds - seconds * perSecond),
  }
}

/** Returns nanoseconds since 1970; `undefined` when there is no such day or time. */
function nanosecondsOf(moment: Omit<Moment, 'weekday'>): bigint | undefined {
  const { year, month, day, hour, minute, second, nanosecond } = moment
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second))
  date.setUTCFullYear(year, month - 1, day)
  const isDay = month >= 1 && month <= 12 && date.getUTCDate() === day && date.getUTCMonth() === month - 1
  if (!isDay || hour > 23 || minute > 59 || second > 59 || nanosecond > 999_999_999) return undefined
  return BigInt(date.getTime()) * perMillisecond + BigInt(nanosecond)
}

/** Last year that both DTL and LDT can represent. */
const lastYear = 2262
/** The end of both, 2262-04-11-23:47:16.854775807. */
const lastMoment = 2n ** 63n - 1n

/** The first moment of a DATE_AND_TIME. */
const firstDateAndTime = BigInt(Date.UTC(1990, 0, 1)) * perMillisecond

/** Writes a DTL; returns false when it cannot represent the year, and writes its first moment, 1970-01-01. */
export function writeDtl(view: DataView, address: number, isStandard: boolean, nanoseconds: bigint): boolean {
  const { year, month, day, weekday, hour, minute, second, nanosecond } = momentOf(nanoseconds)
  if (year < 1970 || year > lastYear) {
    writeDtl(view, address, isStandard, 0n)
    return false
  }
  view.setUint16(address, year, !isStandard)
  for (const [i, value] of [month, day, weekday, hour, minute, second].entries()) view.setUint8(address + 2 + i, value)
  view.setUint32(address + 8, nanosecond, !isStandard)
  return true
}

/** Returns the point in time of a DTL; `undefined` when it contains none. The weekday is ignored. */
export function readDtl(view: DataView, address: number, isStandard: boolean): bigint | undefined {
  const year = view.getUint16(address, !isStandard)
  if (year < 1970 || year > lastYear) return undefined
  const at = (offset: number) => view.getUint8(address + offset)
  const nanoseconds = nanosecondsOf({
    year,
    month: at(2),
    day: at(3),
    hour: at(5),
    minute: at(6),
    second: at(7),
    nanosecond: view.getUint32(address + 8, !isStandard),
  })
  return nanoseconds !== undefined && nanoseconds <= lastMoment ? nanoseconds : undefined
}

/** The first moment that no clock can be set to: 2201-01-01 (TIA Portal help of WR_SYS_T). */
export const endOfClock = BigInt(Date.UTC(2201, 0, 1)) * 1_000_000n

/**
 * Returns the fault of a DTL as the RET_VAL of WR_SYS_T and WR_LOC_T (TIA Portal help); 0: none.
 * @param beyond that of a year that no clock can be set to
 */
export function dtlStatus(view: DataView, address: number, isStandard: boolean, beyond: number): number {
  const at = (offset: number) => view.getUint8(address + offset)
  const year = view.getUint16(address, !isStandard)
  if (at(2) < 1 || at(2) > 12) return 0x8082
  if (at(3) < 1 || at(3) > 31) return 0x8083
  if (at(5) > 23) return 0x8084
  if (at(6) > 59) return 0x8085
  if (at(7) > 59) return 0x8086
  if (view.getUint32(address + 8, !isStandard) > 999_999_999) return 0x8087
  if (year < 1970 || year > 2200) return beyond
  return readDtl(view, address, isStandard) === undefined ? 0x8080 : 0
}

function bcd(value: number): number {
  return (Math.floor(value / 10) << 4) | (value % 10)
}

function fromBcd(byte: number): number {
  const [high, low] = [byte >> 4, byte & 15]
  return high > 9 || low > 9 ? Number.NaN : high * 10 + low
}

/**
 * Writes a DATE_AND_TIME; digits after the milliseconds are cut off. Returns false outside 1990 to 2089, and writes
 * its first moment.
 */
export function writeDateAndTime(view: DataView, address: number, nanoseconds: bigint): boolean {
  const { year, month, day, weekday, hour, minute, second, nanosecond } = momentOf(nanoseconds)
  if (year < 1990 || year > 2089) {
    writeDateAndTime(view, address, firstDateAndTime)
    return false
  }
  const milliseconds = Math.floor(nanosecond / 1_000_000)
  for (const [i, value] of [year % 100, month, day, hour, minute, second, Math.floor(milliseconds / 10)].entries())
    view.setUint8(address + i, bcd(value))
  view.setUint8(address + 7, ((milliseconds % 10) << 4) | weekday)
  return true
}

export function readDateAndTime(view: DataView, address: number): bigint | undefined {
  const [year, month, day, hour, minute, second, hundredths] = Array.from({ length: 7 }, (_one, i) =>
    fromBcd(view.getUint8(address + i)),
  ) as [number, number, number, number, number, number, number]
  const last = view.getUint8(address + 7) >> 4
  if ([year, month, day, hour, minute, second, hundredths].some(Number.isNaN) || last > 9) return undefined
  return nanosecondsOf({
    year: year < 90 ? 2000 + year : 1900 + year,
    month,
    day,
    hour,
    minute,
    second,
    nanosecond: (hundredths * 10 + last) * 1_000_000,
  })
}

/** Returns the day, and the nanoseconds since its midnight. */
export function splitDay(nanoseconds: bigint): { readonly day: bigint; readonly time: bigint } {
  const day = floorDivide(nanoseconds, perDay)
  return { day, time: nanoseconds - day * perDay }
}

/** Converts S5TIME to milliseconds; `undefined` when its digits are invalid. */
export function fromS5Time(value: number): number | undefined {
  const digits = [value >> 8, value >> 4, value].map((nibble) => nibble & 15)
  if (digits.some((digit) => digit > 9)) return undefined
  const count = digits.reduce((sum, digit) => sum * 10 + digit, 0)
  return count * 10 * 10 ** ((value >> 12) & 3)
}

/**
 * Converts milliseconds to S5TIME with the smallest base that fits, cut off below it; `undefined` beyond 2h46m30s or
 * below 0.
 */
export function toS5Time(milliseconds: number): number | undefined {
  if (milliseconds < 0) return undefined
  for (let code = 0; code < 4; code++) {
    const count = Math.floor(milliseconds / (10 * 10 ** code))
    if (count <= 999)
      return (code << 12) | (Math.floor(count / 100) << 8) | (Math.floor((count / 10) % 10) << 4) | (count % 10)
  }
  return undefined
}
