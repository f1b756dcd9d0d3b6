/**
 * The symbols of a compiled program: every tag, data block, member and temporary with its type and place, and when its
 * organization blocks run. Each type is listed once and used by number, arrays by their bounds, so a program with a
 * million elements has a small table. Made by `programSymbols`, stored in the compiled program
 * (compiler/program-file.ts), read by controllers and by tools that show their values.
 */
import type { Access, ScalarType, StringType } from './type.ts'

/** Index in `ProgramSymbols.types`. */
export type TypeNumber = number

/** A type with its layout: the same PLC data type in a standard and in an optimized block is two types. */
export type SymbolType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarType }
  | { readonly kind: 'string'; readonly string: StringType }
  | { readonly kind: 'dateAndTime' }
  | {
      readonly kind: 'array'
      /** Dimensions from the outermost on. */
      readonly dimensions: readonly { readonly low: number; readonly high: number }[]
      readonly element: TypeNumber
      /** Distance between elements: bytes, or bits when `isBits`. */
      readonly stride: number
      readonly isBits: boolean
    }
  | {
      readonly kind: 'struct'
      /** Name of the PLC data type, system type or FB. */
      readonly name?: string
      readonly members: readonly SymbolMember[]
      /**
       * For an instance of an FB inside other data: the layout of its members, when it differs from that of the data
       * around it (`accessInside` in layout.ts).
       */
      readonly access?: Access
    }
  /** A type without a value to show: references, Variants, addresses of InOut parameters. */
  | { readonly kind: 'opaque'; readonly text: string }

export interface SymbolMember {
  readonly name: string
  readonly type: TypeNumber
  readonly section: 'Input' | 'Output' | 'InOut' | 'Static' | 'Temp' | 'None'
  /** Offset in bytes from the beginning of the structure that contains it. */
  readonly byte: number
  /** Bit of a Bool in standard layout. */
  readonly bit?: number
  readonly isRetentive: boolean
  /** It, or what is inside it, is a setpoint (`SetPoint`). */
  readonly isSetpoint?: boolean
  readonly comment: string
  /** State that programs do not see (start of a timer, edge memory): stored and copied, never listed. */
  readonly isHidden?: boolean
}

export interface ProgramTagSymbol {
  readonly name: string
  readonly type: TypeNumber
  readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C'
  readonly byte: number
  readonly bit?: number
  readonly comment: string
  /** Name of the tag table. */
  readonly table: string
}

export interface DataBlockSymbol {
  readonly name: string
  readonly number: number
  readonly kind: 'GlobalDB' | 'InstanceDB' | 'ArrayDB'
  readonly access: Access
  /** Size in bytes, from the address in `LinkedProgram.dataBlocks` on. */
  readonly size: number
  readonly type: TypeNumber
  /** FB, PLC data type or system type of an instance data block. */
  readonly instanceOf?: string
  /**
   * Byte ranges whose values survive power-off; in standard access all bytes or none
   * (docs/plc-semantics.md#retentivity).
   */
  readonly retentive: readonly (readonly [byte: number, length: number])[]
  /**
   * Access, and hash of names, types and places of all members: while it is unchanged, so is the meaning of every byte.
   */
  readonly layout: string
  /** Content hash of the document. */
  readonly document: string
  /** Present when it is write-protected in the device: partners can only read it. */
  readonly isReadOnly?: true
  /** Present when it is only stored in load memory. */
  readonly isOnlyLoaded?: true
}

export interface CodeBlockSymbol {
  readonly name: string
  readonly number: number
  readonly kind: 'OB' | 'FB' | 'FC'
  readonly language: string
  readonly document: string
  /** Content hash of its generated code. */
  readonly code: string
  /** Bytes of its generated code with its constants; absent in programs that another version compiled. */
  readonly codeSize?: number
  /**
   * Members of its frame with offsets from the frame's beginning. Those with an overlay (AT) have the layout of a
   * standard block.
   */
  readonly temporaries: readonly SymbolMember[]
  /** Scalar temporaries: they are in registers and have no bytes. */
  readonly registers: readonly RegisterSymbol[]
}

/** A temporary in a register. */
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
  /**
   * `ProgramCycle`, `Startup`, `CyclicInterrupt`, `TimeDelayInterrupt`, `TimeOfDay`, `HardwareInterrupt`,
   * `TimeErrorInterrupt`, `ProgrammingError` …
   */
  readonly eventClass: string
  /** Priority, 1 (lowest) to 26. */
  readonly priority: number
  /** Cycle of a cyclic interrupt in microseconds. */
  readonly cycleTimeUs?: number
  readonly phaseUs?: number
  /** See `EventAttributes`. */
  readonly processImagePartition?: number
  readonly eventsToBeQueued?: number
  readonly isTimeErrorEnabled?: boolean
  /** Schedule of a time-of-day interrupt whose block sets it itself. */
  readonly timeOfDay?: {
    readonly start: string
    readonly period: 'Once' | 'Minute' | 'Hour' | 'Day' | 'Week' | 'Month' | 'Year' | 'EndOfMonth'
  }
  /**
   * Start information that the block reads: a controller writes it to `LinkedProgram.startInformation` right before it
   * runs the block. Offsets are from the beginning of that area.
   */
  readonly startInformation: readonly SymbolMember[]
  /** Layout of the start information: big-endian in standard access. */
  readonly access: Access
}

export interface ProgramSymbols {
  readonly types: readonly SymbolType[]
  readonly tags: readonly ProgramTagSymbol[]
  readonly dataBlocks: readonly DataBlockSymbol[]
  readonly codeBlocks: readonly CodeBlockSymbol[]
  readonly organizationBlocks: readonly OrganizationBlock[]
}
