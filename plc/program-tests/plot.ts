/** The trace of variables over the last cycles as lines of text. */
import type { TestValue } from './model.ts'
import { ordinal, shownValue } from './variables.ts'

export interface TraceLine {
  readonly path: string
  /** One per cycle, the newest last. */
  readonly values: readonly TestValue[]
}

const levels = '▁▂▃▄▅▆▇█'

/**
 * Draws one line for each variable: Bool as low and high, numbers and times between their lowest and highest value,
 * other values by a mark where they change.
 */
export function plotOf(trace: readonly TraceLine[]): string[] {
  const width = Math.max(0, ...trace.map(({ path }) => path.length))
  return trace.map(({ path, values }) => `${path.padEnd(width)}  ${curve(values)}`)
}

/** The lowest and the highest of values that have an order. */
export function rangeOf(values: readonly TestValue[]): readonly [low: number, high: number] {
  const numbers = values.map((one) => (typeof one === 'boolean' ? Number(one) : Number(ordinal(one))))
  // The two levels of a Bool, whatever it was.
  return values.every((one) => typeof one === 'boolean') ? [0, 1] : [Math.min(...numbers), Math.max(...numbers)]
}

function curve(values: readonly TestValue[]): string {
  if (values.every((one) => typeof one === 'boolean'))
    return `${values.map((one) => (one ? '█' : '▁')).join('')}  ${shownValue(values.at(-1) ?? false)}`
  const numbers = values.map((one) => Number(ordinal(one)))
  const last = shownValue(values.at(-1) ?? null)
  if (numbers.some((one) => !Number.isFinite(one)))
    return `${values.map((one, i) => (i > 0 && shownValue(one) !== shownValue(values[i - 1] ?? null) ? '|' : '.')).join('')}  ${last}`
  const [low, high] = rangeOf(values)
  const drawn = numbers
    .map((one) => levels[high === low ? 0 : Math.round(((one - low) / (high - low)) * (levels.length - 1))])
    .join('')
  const shown = (wanted: number) => shownValue(values[numbers.indexOf(wanted)] ?? null)
  return `${drawn}  ${low === high ? last : `${shown(low)} .. ${shown(high)}, now ${last}`}`
}
