/** What controllers need to run compiled programs: reading them, their memory, the host. Exported lazily by `runtimeTools` of the plugin. */
export { blobHash, decodeProgram, encodeProgram, type ProgramBlobs } from './compile/program-file.ts'
export { encodeValue } from './program/memory-image.ts'
export { instancePaths, numberedBlocks } from './program/numbered-blocks.ts'
export { type Clock, VirtualClock } from './runtime/clock.ts'
export { createHost, type HostOptions, type ProgramHost, StackOverflow } from './runtime/host.ts'
export { functionBlocksThatAsk } from './runtime/instance-names.ts'
export { type InterruptPeriod, type InterruptState, type Interrupts, interruptStatus } from './runtime/interrupts.ts'
export { s5CounterLayout, s5Counters, s5TimerLayout, s5Timers } from './runtime/s5-blocks.ts'
