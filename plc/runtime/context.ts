/** What routines of the runtime work with. */
import type { LinkedProgram } from '../compiler/codegen/linked-program.ts'
import type { Access } from '../program/type.ts'
import type { Clock } from './clock.ts'
import type { Interrupts } from './interrupts.ts'

/** A data block as PEEK and its like find it. */
export interface NumberedBlock {
  readonly address: number
  readonly size: number
  readonly access: Access
  /**
   * PLC data type, system type or function block that it is of, or `Array[0..9] of Int`; absent for data blocks with members of their own.
   * For TypeOf, `?=` and DB_ANY_TO_VARIANT.
   */
  readonly typeName?: string
}

/** Nanoseconds; of cycles only when there was one. */
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
  /** The data block of this number. */
  blockOfNumber(number: number): NumberedBlock | undefined
  /** Path of the instance at an address, of the function block that is named (program/numbered-blocks.ts). */
  instancePath(functionBlock: string, address: number): string | undefined
  /** Tells the code that called that the routine failed: ENO becomes FALSE. */
  fail(): void
  /** STP: the controller goes to STOP. */
  stop(): void
  /** RE_TRIGR: the cycle may take its full time again. */
  retriggerCycle(): void
  /** For RT_INFO; without it nothing was measured. */
  readonly cycleTimes?: () => CycleTimes
  /** Whether there is an organization block of this number. */
  readonly hasOrganizationBlock?: (number: number) => boolean
  /** Interrupts of the controller; without them instructions answer that there is no such OB. */
  readonly interrupts?: Interrupts
}

/** A routine: numbers for registers of up to 32 bits and reals, bigints for those of 64 bits. */
export type Routine = (...values: never[]) => number | bigint | undefined

/** Routines of one family by name. */
export type RoutineFamily = (context: RuntimeContext) => Readonly<Record<string, Routine>>
