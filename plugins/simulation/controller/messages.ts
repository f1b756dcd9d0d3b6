/**
 * Messages between the gateway and the controller's thread. Requests are executed at the cycle control point, in order.
 */

import type { LinkedProgram } from '../../../plc/compiler/codegen/linked-program.ts'
import type { Raised, StartInformation } from '../../../plc/runtime/block-events.ts'
import type { NumberedBlock } from '../../../plc/runtime/context.ts'
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import type { AlarmBatch, AlarmSelection, AlarmSource } from './alarm-messages.ts'
import type {
  ConfiguredConnection,
  ControllerOptions,
  CycleCounts,
  DiagnosticEntry,
  Force,
  MemoryRange,
  MemoryWrite,
  Modification,
  OperatingState,
  Snapshot,
  TraceOptions,
  Transition,
} from './contract.ts'
import type { IoDevice, IoModule } from './io-modules.ts'
import type { NetworkEvent, NetworkRequest } from './network-messages.ts'
import type { OrganizationBlockPlan } from './organization-blocks.ts'
import type { SupervisionPlan } from './supervisions.ts'

/** A program ready to run: its module is compiled, and its memory contains start values and the retentive data. */
export interface RunnableProgram {
  readonly linked: Omit<LinkedProgram, 'wasm'>
  readonly module: WebAssembly.Module
  readonly memory: WebAssembly.Memory
  /** Start values. */
  readonly image: readonly { readonly address: number; readonly bytes: Uint8Array }[]
  /** Data blocks with the ranges that survive a warm restart. Addresses are absolute. */
  readonly dataBlocks: readonly {
    readonly address: number
    readonly size: number
    readonly retentive: readonly (readonly [address: number, length: number])[]
  }[]
  readonly organizationBlocks: readonly OrganizationBlockPlan[]
  readonly numbers: ReadonlyMap<number, NumberedBlock>
  /** Paths of instances by function block and address, for function blocks that request them. */
  readonly instancePaths: ReadonlyMap<string, string>
  /** What can raise alarms. */
  readonly alarms: readonly AlarmSource[]
  /** Configured modules of the package; none: every address of the periphery exists. */
  readonly modules: readonly IoModule[]
  /** Configured IO devices of the package. */
  readonly devices: readonly IoDevice[]
  /** Connections of the package; one of the instance with the same ID is used in its place. */
  readonly connections: readonly ConfiguredConnection[]
  readonly supervisions: readonly SupervisionPlan[]
  /** Supervisions that cannot be watched, and why. */
  readonly unwatched: readonly string[]
  /** Code blocks by name: their number, and their kind as in start information. */
  readonly codeBlocks: ReadonlyMap<string, { readonly number: number; readonly type: number }>
}

/** Values that a load copies from the memory of the old program. */
export type Copy = CopiedBytes | CopiedElements
interface CopiedBytes {
  readonly from: number
  readonly to: number
  readonly size: number
  /** Of the single byte only one bit, which is another one there. */
  readonly fromBit?: number
  readonly toBit?: number
}
/** The same copies in each element of an array; their places are from the beginning of the element. */
interface CopiedElements {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly fromStride: number
  readonly toStride: number
  readonly each: readonly Copy[]
}

/** A request to the thread. */
export type Request =
  | { readonly kind: 'transition'; readonly transition: Exclude<Transition, 'powerOn' | 'powerOff'> }
  | { readonly kind: 'end' }
  | { readonly kind: 'configure'; readonly options: ControllerOptions }
  | {
      readonly kind: 'load'
      readonly program: RunnableProgram
      readonly copies: readonly Copy[]
      readonly generation: number
      readonly inRun: boolean
      readonly forces: readonly Force[]
    }
  | { readonly kind: 'read'; readonly generation: number; readonly ranges: readonly MemoryRange[] }
  | { readonly kind: 'write'; readonly generation: number; readonly writes: readonly MemoryWrite[] }
  | { readonly kind: 'forces'; readonly generation: number; readonly forces: readonly Force[] }
  | { readonly kind: 'modifications'; readonly generation: number; readonly modifications: readonly Modification[] }
  | { readonly kind: 'advance'; readonly cycles?: number; readonly milliseconds?: number }
  | { readonly kind: 'acknowledge'; readonly selection: AlarmSelection; readonly by: string }
  | { readonly kind: 'network'; readonly event: NetworkEvent }
  | { readonly kind: 'cancel'; readonly request: number }
  | { readonly kind: 'setTime'; readonly time: number }
  | { readonly kind: 'raise'; readonly block: number; readonly information: StartInformation }
  | {
      readonly kind: 'startTrace'
      readonly name: string
      readonly generation: number
      readonly options: TraceOptions
      readonly buffer: SharedArrayBuffer
    }
  | { readonly kind: 'stopTrace'; readonly name: string }

/** A scan boundary. */
export type Boundary = Omit<Snapshot, 'bytes'>

/** The answer to each kind of request. */
export interface Answers {
  transition: OperatingState
  end: undefined
  configure: undefined
  load: undefined
  read: Boundary & { readonly bytes: Uint8Array }
  write: undefined
  forces: undefined
  /** Cycles since STARTUP. */
  modifications: CycleCounts
  advance: { cycles: number; time: number }
  /** Names of the alarms that were acknowledged. */
  acknowledge: readonly string[]
  network: undefined
  cancel: undefined
  setTime: undefined
  raise: Raised
  startTrace: undefined
  stopTrace: undefined
}

/** A request with the number that its answer repeats. */
export type Numbered = Request & { readonly id: number }

/** A diagnostic entry from the thread; the gateway adds number and place in the source. */
export type RawEntry = Omit<DiagnosticEntry, 'number' | 'network' | 'line' | 'column'> & { readonly site?: number }

/** Problem codes with which the thread refuses a request. */
export type RefusalCode = 'conflict' | 'invalid_operating_state' | 'internal_error' | 'other_program'

/** Reports from the thread. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | {
      readonly kind: 'refusal'
      readonly id: number
      readonly code: RefusalCode
      readonly detail: string
    }
  | { readonly kind: 'state'; readonly state: OperatingState }
  | { readonly kind: 'diagnostic'; readonly entry: RawEntry }
  | { readonly kind: 'alarms'; readonly batch: AlarmBatch }
  | { readonly kind: 'network'; readonly request: NetworkRequest }
  | { readonly kind: 'timeZone'; readonly zone: TimeZone }

/** Data for the start of the thread. */
export interface WorkerData {
  readonly control: SharedArrayBuffer
  readonly port: import('node:worker_threads').MessagePort
  readonly options: ControllerOptions
  readonly program?: RunnableProgram
  readonly generation: number
  /** True when the retentive data could not be restored. */
  readonly isRetentiveLost: boolean
  readonly forces: readonly Force[]
  /** That the program set before; absent: that of the options. */
  readonly timeZone?: TimeZone
  /** Words of `alarmWords`. */
  readonly alarmWords: SharedArrayBuffer
}
