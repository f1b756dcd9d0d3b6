/** Values of running programs by name: find, read, write, list, follow, trace. README.md describes the parts. */
export {
  type InputPaths,
  planOf,
  planWrites,
  readPlanned,
  readTags,
  readValue,
  requireProgram,
  type Slot,
  type TagInput,
  type TagValue,
  writeTags,
  writeValue,
} from './batch.ts'
export { type BlockValue, blockValues } from './block-values.ts'
export { formatValue, parseModifyValue } from './display.ts'
export { type ActiveForce, activeForces, forceFault, forcesOf } from './forces.ts'
export { type TagEntry, type TagFilter, type TagListOptions, type TagPage, tagFilters, tagList } from './list.ts'
export { resolveTag } from './resolve.ts'
export type { ResolvedTag, TagArea } from './resolved-tag.ts'
export { scalarValue } from './scalar-codec.ts'
export { type TraceColumn, traceColumns, traceValues } from './trace-columns.ts'
export type { JsonValue } from './value-fault.ts'
export { type TagChange, type WatchOptions, watchTags } from './watch.ts'
