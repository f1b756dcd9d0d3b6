/**
 * Local time: its distance from the system time (UTC), and daylight saving as TimeTransformationRule describes it (TIA
 * Portal help of SET_TIMEZONE, WR_LOC_T and RD_LOC_T). Times are nanoseconds since 1970.
 */

/** A day and time of every year, in the local time before the change. */
export interface Changeover {
  /** 1 is January. */
  readonly month: number
  /** 1 is the first such weekday of the month, 5 the last. */
  readonly week: number
  /** 1 is Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

export interface TimeZone {
  /** Standard time minus system time. */
  readonly bias: bigint
  readonly daylight?: {
    /** Daylight time minus standard time. */
    readonly bias: bigint
    readonly start: Changeover
    readonly end: Changeover
  }
}

const perMillisecond = 1_000_000n
const perDay = 86_400_000

/** The moment of a change in a year, as local time. */
function momentOf({ month, week, weekday, hour, minute }: Changeover, year: number): bigint {
  const first = Date.UTC(year, month - 1, 1)
  const ahead = (weekday - 1 - new Date(first).getUTCDay() + 7) % 7
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  let day = 1 + ahead + 7 * (week - 1)
  if (day > last) day -= 7
  return BigInt(first + (day - 1) * perDay + (hour * 60 + minute) * 60_000) * perMillisecond
}

/** Whether daylight saving applies at a system time. */
export function isDaylight({ bias, daylight }: TimeZone, systemTime: bigint): boolean {
  if (!daylight) return false
  const standard = systemTime + bias
  const year = new Date(Number(standard / perMillisecond)).getUTCFullYear()
  const start = momentOf(daylight.start, year)
  const end = momentOf(daylight.end, year) - daylight.bias
  // In the south summer is at the turn of the year.
  return start < end ? standard >= start && standard < end : standard >= start || standard < end
}

/** Local time minus system time. */
export function offsetAt(zone: TimeZone, systemTime: bigint): bigint {
  return zone.daylight && isDaylight(zone, systemTime) ? zone.bias + zone.daylight.bias : zone.bias
}

/**
 * Returns the system time of a local time; `undefined` when the changeover to daylight saving left it out.
 * @param isFirst of a time that comes twice, whether that of daylight saving is meant
 */
export function systemTimeOf(zone: TimeZone, localTime: bigint, isFirst: boolean): bigint | undefined {
  const standard = localTime - zone.bias
  if (!zone.daylight) return standard
  const inDaylight = standard - zone.daylight.bias
  const mayBeDaylight = isDaylight(zone, inDaylight)
  if (isDaylight(zone, standard)) return mayBeDaylight ? inDaylight : undefined
  return mayBeDaylight && isFirst ? inDaylight : standard
}

const within = (value: number, low: number, high: number) => value >= low && value <= high

function isChangeover({ month, week, weekday, hour, minute }: Changeover): boolean {
  return (
    within(month, 1, 12) && within(week, 1, 5) && within(weekday, 1, 7) && within(hour, 0, 23) && within(minute, 0, 59)
  )
}

/** The zone of a TimeTransformationRule, whose biases are minutes; `undefined`: a value is out of its range. */
export function timeZoneOf(
  bias: number,
  daylightBias: number,
  start: Changeover,
  end: Changeover,
): TimeZone | undefined {
  if (!within(bias, -720, 780) || !within(daylightBias, 0, 120)) return undefined
  const nanoseconds = (minutes: number) => BigInt(minutes) * 60_000n * perMillisecond
  if (daylightBias === 0) return { bias: nanoseconds(bias) }
  if (!isChangeover(start) || !isChangeover(end)) return undefined
  return { bias: nanoseconds(bias), daylight: { bias: nanoseconds(daylightBias), start, end } }
}
