/** Stimuli of tests: a table of text with a column of times and one column for each variable. */
import { parse } from 'csv-parse/sync'
import { durationOf } from './durations.ts'
import type { TestValue } from './model.ts'
import { plainValue } from './read-tests.ts'

export interface Stimulus {
  readonly paths: readonly string[]
  /** By time; `values` in the order of `paths`, undefined: unchanged. */
  readonly rows: readonly { readonly nanoseconds: bigint; readonly values: readonly (TestValue | undefined)[] }[]
}

/** What is wrong in a table. */
export class StimulusError extends Error {
  override readonly name = 'StimulusError'
}

/**
 * Reads a table. The first column is `time` (seconds), `time ms` or `time s`, or holds constants such as `T#1s`; times
 * rise from row to row. The separator is a comma, a semicolon or a tab.
 * @throws StimulusError with the line
 */
export function readStimulus(text: string): Stimulus {
  const first = text.slice(0, text.search(/[\r\n]|$/))
  const delimiter = [';', '\t', ','].find((one) => first.includes(one)) ?? ','
  let lines: { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
  try {
    // `info: true` gives records with their lines, which the types of csv-parse do not say.
    lines = parse(text, { delimiter, bom: true, info: true, trim: true, skip_empty_lines: true }) as never
  } catch (error) {
    throw new StimulusError((error as Error).message)
  }
  const [head, ...rest] = lines
  const [time = '', ...paths] = head?.record ?? []
  const unit = /^time\s*[[(]?\s*(ms|s|)\s*[\])]?$/i.exec(time)?.[1]
  if (unit === undefined || paths.length === 0 || paths.includes(''))
    throw new StimulusError('line 1: the columns are "time" (or "time ms") and then one variable each.')
  if (rest.length === 0) throw new StimulusError('there are no rows.')
  let before = -1n
  const rows = rest.map(({ record: [at = '', ...cells], info }) => {
    const factor = unit.toLowerCase() === 'ms' ? 1e6 : 1e9
    const number = at === '' ? Number.NaN : Number(at)
    const nanoseconds = durationOf(at) ?? (Number.isFinite(number) ? BigInt(Math.round(number * factor)) : -1n)
    if (nanoseconds <= before)
      throw new StimulusError(`line ${info.lines}: "${at}" is no time above that of the row before it.`)
    before = nanoseconds
    return { nanoseconds, values: cells.map((cell) => (cell === '' ? undefined : plainValue(cell))) }
  })
  return { paths, rows }
}
