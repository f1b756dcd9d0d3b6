/** What routines of the runtime can use. */
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import type { Access } from '../program/type.ts'
import type { Alarms } from './alarms.ts'
import type { StartedBlocks } from './block-events.ts'
import type { Clock } from './clock.ts'
import type { ErrorMasks } from './error-masks.ts'
import type { Hardware } from './hardware.ts'
import type { ImageUpdates } from './image-updates.ts'
import type { Interrupts } from './interrupts.ts'
import type { Network } from './network.ts'
import type { TestFunctions } from './test-functions.ts'

/** A data block for PEEK and similar instructions. */
export interface NumberedBlock {
  readonly address: number
  readonly size: number
  readonly access: Access
  /**
   * Its PLC data type, system type or function block, or `Array[0..9] of Int`; absent for data blocks with members of
   * their own. Used by TypeOf, `?=` and DB_ANY_TO_VARIANT.
   */
  readonly typeName?: string
}

/** Times in nanoseconds; those of cycles are present only after a cycle. */
export interface CycleTimes {
  readonly last?: bigint
  readonly shortest?: bigint
  readonly longest?: bigint
  /** Settings of the controller. */
  readonly minimum: bigint
  readonly monitoring: bigint
}

export interface RuntimeContext {
  readonly program: LinkedProgram
  readonly view: DataView
  readonly bytes: Uint8Array
  readonly clock: Clock
  /** Returns the data block of this number. */
  blockOfNumber(number: number): NumberedBlock | undefined
  /** Returns the path of the instance of a function block at an address (plc/runtime/numbered-blocks.ts). */
  instancePath(functionBlock: string, address: number): string | undefined
  /** Reports to the calling code that the routine failed: ENO becomes FALSE. */
  fail(): void
  /** Synchronous errors that the program masks. */
  readonly masks: ErrorMasks
  /** STP: puts the controller in STOP. */
  stop(): void
  /** RE_TRIGR: restarts the monitoring time of the cycle. */
  retriggerCycle(): void
  /** Cycle times for RT_INFO; without it nothing is measured. */
  readonly cycleTimes?: () => CycleTimes
  /** The process image of the controller, for UPDAT_PI and similar instructions. */
  readonly image?: ImageUpdates
  /** Whether an organization block of this number exists. */
  readonly hasOrganizationBlock?: (number: number) => boolean
  /** The organization blocks that were started, for RD_SINFO; without it nothing is told. */
  readonly startedBlocks?: () => StartedBlocks
  /** Interrupts of the controller; without them instructions report that there is no such OB. */
  readonly interrupts?: Interrupts
  /** Alarms of the controller; without them instructions succeed and nothing is reported. */
  readonly alarms?: Alarms
  /** Connections of the controller; without it no partner is there. */
  readonly network?: Network
  /** The configured hardware; without it every identifier is accepted. */
  readonly hardware?: () => Hardware | undefined
  /** Present where tests run. */
  readonly tests?: TestFunctions
}

/** A routine: numbers for registers of up to 32 bits and reals, bigints for those of 64 bits. */
export type Routine = (...values: never[]) => number | bigint | undefined

/** Routines of one family by name. */
export type RoutineFamily = (context: RuntimeContext) => Readonly<Record<string, Routine>>
