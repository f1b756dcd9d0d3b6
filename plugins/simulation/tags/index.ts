/** Values of running programs by name: find, read, write, list, follow, trace. README.md describes the parts. */
export {
  type InputPaths,
  planOf,
  planWrites,
  readPlanned,
  readTags,
  readValue,
  requireProgram,
  type TagInput,
  valueAsRead,
  writeTags,
  writeValue,
} from './batch.ts'
export { type BlockValue, blockValues } from './block-values.ts'
export { formatValue, parseModifyValue } from './display.ts'
export { activeForces, ForcedBits, forceFault, forcesOf } from './forces.ts'
export { tagList } from './list.ts'
export { resolveTag } from './resolve.ts'
export type { ResolvedTag } from './resolved-tag.ts'
export { scalarValue } from './scalar-codec.ts'
export { type TraceColumn, traceColumns, traceValues } from './trace-columns.ts'
export type { JsonValue } from './value-fault.ts'
export { type TagChange, watchTags } from './watch.ts'
