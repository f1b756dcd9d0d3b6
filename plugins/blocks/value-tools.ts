/** Values and addresses as programs write them; light enough to be imported at once by whoever shows or takes values of running programs. */
export { readAddress } from './program/absolute-address.ts'
export { encodeValue } from './program/memory-image.ts'
export { rangeOf, scalarNamed } from './program/scalars.ts'
export { elementsOf, indexText, typeText } from './program/symbol-rows.ts'
export type { Access, ScalarType, StringType } from './program/type.ts'
export { s5CounterLayout, s5Counters, s5TimerLayout, s5Timers } from './runtime/s5-blocks.ts'
