/** What controllers recorded of the variables of a trend, as columns for its curves. */

import type { Answer } from '../answers.ts'

/** Columns of uPlot: times in seconds, then the values of each variable; null: none. */
export type Columns = (number | null)[][]

/** What a controller recorded of a variable: its clock may be another than that of this page. */
export type Recorded = Answer<'hmi.read-trends'>['series'][number]

/** A recorded value holds until the next one, but no longer than this: then nothing was recorded, ms. */
const longestHold = 2000

/**
 * The columns of what was recorded, with times of this page's clock. Variables of different controllers were recorded
 * at different times: where one has no point, its value before holds, so that each curve is one line.
 */
export function historyColumns(variables: readonly number[], series: readonly Recorded[], now: number): Columns {
  const rows = new Map<number, (number | null)[]>()
  for (const { variable, now: theirs, points } of series) {
    const at = variables.indexOf(variable)
    for (const [time = 0, value = 0] of points) {
      const own = time + now - theirs
      const row = rows.get(own) ?? variables.map(() => null)
      row[at] = value
      rows.set(own, row)
    }
  }
  const times = [...rows.keys()].sort((a, b) => a - b)
  const columns = variables.map((_one, i) => {
    let last: { readonly time: number; readonly value: number } | undefined
    return times.map((time) => {
      const value = rows.get(time)![i] ?? null
      if (value !== null) last = { time, value }
      return last !== undefined && time - last.time <= longestHold ? last.value : null
    })
  })
  return [times.map((time) => time / 1000), ...columns]
}
