/** The samples of a trace as CSV (RFC 4180). */
import { stringify } from 'csv-stringify/sync'
import type { TraceSample } from '../controller/contract.ts'
import { type TraceColumn, traceValues } from './trace-columns.ts'
import type { JsonValue } from './value-fault.ts'

/** Number of samples converted to text at once. */
const samplesAtOnce = 500

/**
 * Writes a trace as CSV, piece by piece: a line of names, then for each sample its cycle, its time (ISO 8601, virtual)
 * and its values. Bools are 0 and 1, structures and arrays JSON.
 */
export async function* traceCsv(
  samples: Iterable<TraceSample>,
  columns: readonly TraceColumn[],
): AsyncGenerator<string, void> {
  let text = line(['cycle', 'time', ...columns.map(({ tag }) => tag.name)])
  let count = 0
  for (const sample of samples) {
    text += line([String(sample.cycle), timeText(sample.time), ...traceValues(sample, columns).map(cellText)])
    if (++count % samplesAtOnce !== 0) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** Shows microseconds only when there are any. */
function timeText(milliseconds: number): string {
  const microseconds = Math.round(milliseconds * 1000)
  const whole = Math.floor(microseconds / 1000)
  const rest = microseconds - whole * 1000
  const text = new Date(whole).toISOString()
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}

function cellText(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function line(cells: string[]): string {
  return stringify([cells], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
}
