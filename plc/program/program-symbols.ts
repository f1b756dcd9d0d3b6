/**
 * What a compiled program says of itself: every tag, data block, member and temporary with its type and place, and when its organization
 * blocks run. Types are told once each and by number, arrays by their bounds, so a program with a million elements has a small table.
 * Made by `programSymbols`, kept in the compiled program (compile/program-file.ts), read by controllers and by whoever shows their values.
 */
import type { Access, ScalarType, StringType } from './type.ts'

/** Index in `ProgramSymbols.types`. */
export type TypeNumber = number

/** Layout is part of it: the same PLC data type in a standard and in an optimized block is two types. */
export type SymbolType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarType }
  | { readonly kind: 'string'; readonly string: StringType }
  | { readonly kind: 'dateAndTime' }
  | {
      readonly kind: 'array'
      /** From the outermost on. */
      readonly dimensions: readonly { readonly low: number; readonly high: number }[]
      readonly element: TypeNumber
      /** From one element to the next: bytes, or bits when `isBits`. */
      readonly stride: number
      readonly isBits: boolean
    }
  | {
      readonly kind: 'struct'
      /** PLC data type, system type, or FB. */
      readonly name?: string
      readonly members: readonly SymbolMember[]
      /** Instance of an FB inside other data: how its members lie, when not as what is around (`accessInside` in layout.ts). */
      readonly access?: Access
    }
  /** What has no value to show: references, Variants, addresses of InOut parameters. */
  | { readonly kind: 'opaque'; readonly text: string }

export interface SymbolMember {
  readonly name: string
  readonly type: TypeNumber
  readonly section: 'Input' | 'Output' | 'InOut' | 'Static' | 'Temp' | 'None'
  /** From the beginning of what it is a member of, bytes. */
  readonly byte: number
  /** Of a Bool in standard layout. */
  readonly bit?: number
  readonly isRetentive: boolean
  readonly comment: string
  /** State that programs do not see (start of a timer, edge memory): kept and copied, never listed. */
  readonly isHidden?: boolean
}

export interface ProgramTagSymbol {
  readonly name: string
  readonly type: TypeNumber
  readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C'
  readonly byte: number
  readonly bit?: number
  readonly comment: string
  /** Tag table. */
  readonly table: string
}

export interface DataBlockSymbol {
  readonly name: string
  readonly number: number
  readonly kind: 'GlobalDB' | 'InstanceDB' | 'ArrayDB'
  readonly access: Access
  /** Bytes, from `LinkedProgram.dataBlocks`' address on. */
  readonly size: number
  readonly type: TypeNumber
  /** FB, PLC data type or system type that it is of. */
  readonly instanceOf?: string
  /**
   * Byte ranges whose values survive power-off; in standard access all or nothing (docs/plc-semantics.md#retentivity).
   */
  readonly retentive: readonly (readonly [byte: number, length: number])[]
  /** Hash of names, types and places of all members: with the same one a download keeps the values. */
  readonly layout: string
  /** Content hash of the document. */
  readonly document: string
}

export interface CodeBlockSymbol {
  readonly name: string
  readonly number: number
  readonly kind: 'OB' | 'FB' | 'FC'
  readonly language: string
  readonly document: string
  /** Content hash of its generated code. */
  readonly code: string
  /** Members of its frame, offsets from the frame's beginning. Those with an overlay (AT) lie as in a standard block. */
  readonly temporaries: readonly SymbolMember[]
  /** Temporaries of a single value: they live in registers and have no bytes. */
  readonly registers: readonly RegisterSymbol[]
}

/** A temporary that is no part of memory. */
export interface RegisterSymbol {
  readonly name: string
  readonly type: TypeNumber
  readonly section: 'Input' | 'Temp'
  readonly comment: string
}

/** An organization block and when it runs. */
export interface OrganizationBlock {
  readonly name: string
  readonly number: number
  /** `ProgramCycle`, `Startup`, `CyclicInterrupt`, `TimeDelayInterrupt`, `TimeOfDay`, `HardwareInterrupt`, `TimeErrorInterrupt`, `ProgrammingError` … */
  readonly eventClass: string
  /** 1 (lowest) to 26. */
  readonly priority: number
  /** Of a cyclic interrupt, microseconds. */
  readonly cycleTimeUs?: number
  readonly phaseUs?: number
  /** Of a time-of-day interrupt that is set in the block itself. */
  readonly timeOfDay?: {
    readonly start: string
    readonly period: 'Once' | 'Minute' | 'Hour' | 'Day' | 'Week' | 'Month' | 'Year' | 'EndOfMonth'
  }
  /**
   * Start information that the block takes: a controller writes these into `LinkedProgram.startInformation` right before it runs the block.
   * Offsets are from the beginning of that area.
   */
  readonly startInformation: readonly SymbolMember[]
  /** How the start information lies: big-endian in standard access. */
  readonly access: Access
}

export interface ProgramSymbols {
  readonly types: readonly SymbolType[]
  readonly tags: readonly ProgramTagSymbol[]
  readonly dataBlocks: readonly DataBlockSymbol[]
  readonly codeBlocks: readonly CodeBlockSymbol[]
  readonly organizationBlocks: readonly OrganizationBlock[]
}
