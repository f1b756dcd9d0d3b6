/** What controllers need to run compiled programs: reading them, their memory, the host. Exported lazily by `runtimeTools` of the plugin. */
export { blobHash, decodeProgram, encodeProgram, type ProgramBlobs } from '../../plc/compiler/program-file.ts'
export { s5CounterLayout, s5Counters, s5TimerLayout, s5Timers } from '../../plc/library/s5-blocks.ts'
export { encodeValue } from '../../plc/program/memory-image.ts'
export { type Clock, VirtualClock } from '../../plc/runtime/clock.ts'
export { createHost, type HostOptions, type ProgramHost, StackOverflow } from '../../plc/runtime/host.ts'
export { functionBlocksThatAsk } from '../../plc/runtime/instance-names.ts'
export {
  type InterruptPeriod,
  type InterruptState,
  type Interrupts,
  interruptStatus,
} from '../../plc/runtime/interrupts.ts'
export { instancePaths, numberedBlocks } from '../../plc/runtime/numbered-blocks.ts'
