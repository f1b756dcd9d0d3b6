/** Traces as tables: which tags a trace records, and its samples as CSV (RFC 4180). */
import { problem } from '../../../core/index.ts'
import type { LoadedProgram, MemoryRange, TraceSample } from '../controller/contract.ts'
import { resolveTag } from './resolve.ts'
import type { ResolvedTag } from './resolved-tag.ts'
import type { JsonValue } from './value-fault.ts'

/** A column of a trace. */
export interface TraceColumn {
  readonly tag: ResolvedTag
  /** Index of its bytes in a sample. */
  readonly range: number
}

/** The most single values in a sample. */
export const mostTraced = 1000

/**
 * Returns what a trace of tags records: `ranges` for `Controller.startTrace`, and its columns. A structure or an array
 * is one column.
 * @throws GatewayError as `resolveTag`; `unacceptable_content` for more than 1 000 values
 */
export function traceColumns(
  program: LoadedProgram,
  names: readonly string[],
): { readonly ranges: readonly MemoryRange[]; readonly columns: readonly TraceColumn[] } {
  const columns = names.map((name, range): TraceColumn => ({ tag: resolveTag(program, name), range }))
  const leaves = columns.reduce((all, { tag }) => all + tag.codec.leaves, 0)
  if (leaves > mostTraced)
    throw problem('unacceptable_content', `A trace of ${leaves} values is too large; it records up to ${mostTraced}.`)
  return { ranges: columns.map(({ tag: { address, size } }) => ({ address, size })), columns }
}

/** Returns the values of a sample in the order of the columns. */
export function traceValues(sample: TraceSample, columns: readonly TraceColumn[]): JsonValue[] {
  return columns.map(({ tag, range }) => {
    const bytes = sample.bytes[range]
    if (!bytes) return null
    return tag.codec.decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, tag.bit ?? 0)
  })
}

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
  const whole = Math.floor(milliseconds)
  const rest = Math.round((milliseconds - whole) * 1000)
  const text = new Date(whole).toISOString()
  return rest === 0 || rest === 1000 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}

function cellText(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}
