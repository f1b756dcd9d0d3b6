/**
 * Durations and dates as S7 constants, and conversion of texts of other standards to that form
 * (docs/plc-semantics.md#durations-and-dates).
 */

const dayMs = 86_400_000
const units = [
  ['d', dayMs],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

/**
 * Writes `T#1m30s`, `T#-5ms`, `LT#10us`.
 * @param milliseconds whole, without sign
 * @param rest nanoseconds below a millisecond
 */
export function durationText(prefix: string, isNegative: boolean, milliseconds: number, rest = 0): string {
  let text = ''
  let left = milliseconds
  for (const [unit, size] of units) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) text += `${count}${unit}`
  }
  if (rest >= 1000) text += `${Math.floor(rest / 1000)}us`
  if (rest % 1000 > 0) text += `${rest % 1000}ns`
  return `${prefix}#${isNegative ? '-' : ''}${text === '' ? '0ms' : text}`
}

/** Writes nanoseconds as a constant of type LTime. */
export function longDurationText(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  return durationText('LT', nanoseconds < 0n, Number(size / 1_000_000n), Number(size % 1_000_000n))
}

/** Decodes three BCD digits and a time base to milliseconds; `undefined` when a digit is invalid. */
export function s5Milliseconds(word: number): number | undefined {
  const digits = [(word >> 8) & 15, (word >> 4) & 15, word & 15]
  if (word > 0x3fff || digits.some((digit) => digit > 9)) return undefined
  return digits.reduce((all, digit) => all * 10 + digit, 0) * 10 ** (((word >> 12) & 3) + 1)
}

/** Writes `2024-01-31`, from days since 1970. */
export function dayText(days: number): string {
  return new Date(days * dayMs).toISOString().slice(0, 10)
}

/** Writes `14:30:00.5` with as many groups of three digits as needed. */
export function clockText(milliseconds: number, rest = 0): string {
  const pair = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(milliseconds / 1000)
  const fraction = String((milliseconds % 1000) * 1_000_000 + rest).padStart(9, '0')
  const shown = fraction.replace(/(?:000){1,3}$/, '')
  const clock = `${pair(Math.floor(seconds / 3600))}:${pair(Math.floor(seconds / 60) % 60)}:${pair(seconds % 60)}`
  return shown === '' ? clock : `${clock}.${shown}`
}

/** Writes `2024-01-31-14:30:00`, from nanoseconds since 1970. */
export function dateTimeText(nanoseconds: bigint): string {
  const milliseconds = Number(nanoseconds / 1_000_000n)
  const days = Math.floor(milliseconds / dayMs)
  return `${dayText(days)}-${clockText(milliseconds - days * dayMs, Number(nanoseconds % 1_000_000n))}`
}

const isoDateTime = /^(\d{4}-\d{1,2}-\d{1,2})[T -](\d{1,2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?Z?$/i
const isoClock = /^(\d{1,2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?$/

/**
 * Adds the prefix of the type to a date, time of day or duration that has none or is in ISO 8601; other texts are not
 * changed. Controllers have no time zones: `Z` is read as the controller's own time.
 * @param type name of the scalar type, `Date_And_Time` or `DTL`
 */
export function withPrefix(type: string, text: string): string {
  const trimmed = text.trim()
  switch (type) {
    case 'Date':
      return /^\d{4}-\d{1,2}-\d{1,2}$/.test(trimmed) ? `D#${trimmed}` : trimmed
    case 'Time_Of_Day':
    case 'LTime_Of_Day': {
      const [, clock, seconds = ':00'] = isoClock.exec(trimmed) ?? []
      return clock === undefined ? trimmed : `${type === 'Time_Of_Day' ? 'TOD' : 'LTOD'}#${clock}${seconds}`
    }
    case 'LDT':
    case 'DTL':
    case 'Date_And_Time': {
      const [, day, clock, seconds = ':00'] = isoDateTime.exec(trimmed) ?? []
      return day === undefined ? trimmed : `${type === 'Date_And_Time' ? 'DT' : type}#${day}-${clock}${seconds}`
    }
    case 'Time':
    case 'LTime':
    case 'S5Time': {
      const prefix = type === 'Time' ? 'T' : type === 'LTime' ? 'LT' : 'S5T'
      return /^[+-]?\d[\d_.]*(?:d|h|m|s|ms|us|ns)(?:[\d_]|$)/i.test(trimmed) ? `${prefix}#${trimmed}` : trimmed
    }
    default:
      return trimmed
  }
}

const bcd = (byte: number) => (byte >> 4) * 10 + (byte & 15)

/** Writes eight bytes of BCD as `DT#…`; `undefined` when they are not a date. */
export function dateAndTimeText(bytes: DataView, at: number): string | undefined {
  const raw = Array.from({ length: 8 }, (_, i) => bytes.getUint8(at + i))
  if (raw.some((byte, i) => byte >> 4 > 9 || (i < 7 && (byte & 15) > 9))) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, hundredths = 0] = raw.map(bcd)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const full = year < 90 ? 2000 + year : 1900 + year
  const days = calendarDay(full, month, day)
  if (days === undefined) return undefined
  const milliseconds = hundredths * 10 + (raw[7]! >> 4)
  return `DT#${dayText(days)}-${clockText(((hour * 60 + minute) * 60 + second) * 1000 + milliseconds)}`
}

/** Returns the days since 1970 of a valid day. */
export function calendarDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime() / dayMs
    : undefined
}
