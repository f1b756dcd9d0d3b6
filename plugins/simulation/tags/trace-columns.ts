/** The columns of a trace of tags, and the values of its samples. */
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

/** Maximum number of single values in a sample. */
const mostTraced = 1000

/**
 * Plans a trace of tags: `ranges` for `Controller.startTrace`, and the columns. A structure or an array is one column.
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

/** The values of a sample in the order of the columns. */
export function traceValues(sample: TraceSample, columns: readonly TraceColumn[]): JsonValue[] {
  return columns.map(({ tag, range }) => {
    const bytes = sample.bytes[range]
    if (!bytes) return null
    return tag.codec.decode(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, tag.bit ?? 0)
  })
}
