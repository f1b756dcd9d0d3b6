/** Values and addresses as programs write them; light enough to be imported at once by whoever shows or takes values of running programs. */

export { s5CounterLayout, s5Counters, s5TimerLayout, s5Timers } from '../../plc/library/s5-blocks.ts'
export { readAddress } from '../../plc/program/absolute-address.ts'
export { encodeValue } from '../../plc/program/memory-image.ts'
export { rangeOf, scalarNamed } from '../../plc/program/scalars.ts'
export { elementsOf, indexText, typeText } from '../../plc/program/symbol-rows.ts'
export type { Access, ScalarType, StringType } from '../../plc/program/type.ts'
