/** Calculates the next start of a time-of-day interrupt. Times are ms since 1970, all in the same time zone. */
import type { InterruptPeriod } from '../../../plc/runtime/interrupts.ts'

const minute = 60_000
const fixed: Partial<Record<InterruptPeriod, number>> = {
  minute,
  hour: 60 * minute,
  day: 24 * 60 * minute,
  week: 7 * 24 * 60 * minute,
}

/**
 * Returns the first time after `now`; `undefined` when there is none. Months and years without such a day are skipped.
 */
export function nextOccurrence(start: number, period: InterruptPeriod, now: number): number | undefined {
  if (start > now && period !== 'endOfMonth') return start
  const length = fixed[period]
  if (length !== undefined) return start + (Math.floor((now - start) / length) + 1) * length
  if (period === 'once') return undefined
  const first = new Date(start)
  const timeOfDay = ((start % (24 * 60 * minute)) + 24 * 60 * minute) % (24 * 60 * minute)
  const from = new Date(Math.max(start, now))
  // The next 29th of February is at most eight years away.
  const stepMonths = period === 'year' ? 12 : 1
  let month =
    period === 'year'
      ? from.getUTCFullYear() * 12 + first.getUTCMonth()
      : from.getUTCFullYear() * 12 + from.getUTCMonth()
  for (let tries = 0; tries < 10; tries++, month += stepMonths) {
    const [year, inYear] = [Math.floor(month / 12), month % 12]
    const last = new Date(Date.UTC(year, inYear + 1, 0)).getUTCDate()
    const day = period === 'endOfMonth' ? last : first.getUTCDate()
    if (day > last) continue
    const time = Date.UTC(year, inYear, day) + timeOfDay
    if (time > now && time >= start) return time
  }
  return undefined
}
