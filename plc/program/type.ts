/**
 * Resolved data types of a program: every name is followed to its type. Facts: docs/plc-semantics.md#data-types,
 * docs/plc-semantics.md#memory. One elementary type is one object, and each declared type (UDT, FB, system type) is one
 * object of its program, so types compare by `===` where their names decide, and by `sameType` where their shape does.
 */

export type Type =
  | ScalarType
  | StringType
  | DateAndTimeType
  | ArrayType
  | StructType
  | InstanceType
  | ReferenceType
  | PointerType
  | VoidType
  | UnknownType

/**
 * Family of a scalar type, which decides about operators and conversions. `hardware`: HW_*, OB_*, CONN_* …, numbers
 * that programs do not calculate with.
 */
export type ScalarFamily =
  | 'bool'
  | 'bits'
  | 'integer'
  | 'real'
  | 'duration'
  | 'date'
  | 'timeOfDay'
  | 'dateTime'
  | 'character'
  | 'hardware'

/** A value that fits into a register: `Bool` … `LReal`, times, dates, characters, `DB_ANY`, `HW_ANY`. */
export interface ScalarType {
  readonly kind: 'scalar'
  /** As TIA Portal spells it. */
  readonly name: string
  readonly family: ScalarFamily
  readonly bits: 1 | 8 | 16 | 32 | 64
  readonly isSigned: boolean
}

/** `String[20]`, `WString[20]`. */
export interface StringType {
  readonly kind: 'string'
  readonly isWide: boolean
  /** Largest number of characters; 254 when it is not written. -1: a parameter `String` that accepts any length. */
  readonly length: number
}

/** `Date_And_Time`: eight bytes of BCD. */
export interface DateAndTimeType {
  readonly kind: 'dateAndTime'
}

export interface ArrayType {
  readonly kind: 'array'
  /** Dimensions from the outermost on, 1 to 6. */
  readonly dimensions: readonly Dimension[]
  readonly element: Type
}

/** Limits of a dimension. `Array[*]` leaves both undefined, which is allowed only for a parameter. */
export interface Dimension {
  readonly low: number | undefined
  readonly high: number | undefined
}

/**
 * A structure: of a member (no name), a PLC data type, `DTL`, or a system data type (`IEC_TIMER`, `ERROR_STRUCT` …).
 */
export interface StructType {
  readonly kind: 'struct'
  /** Name without quotes; absent for the structure of a member. */
  readonly name?: string
  readonly isSystem: boolean
  readonly members: readonly Member[]
}

/** Data of a function block, of the program or of the system (`TON_TIME`, `R_TRIG` …). */
export interface InstanceType {
  readonly kind: 'instance'
  readonly name: string
  readonly isSystem: boolean
  /** Members of Input, Output, InOut and Static; Temp and Constant are not data of an instance. */
  readonly members: readonly Member[]
  /**
   * Layout of the data of an FB of the program, whatever the data around it have. Absent for system types, which have
   * the layout of the data around them.
   */
  readonly access?: Access
}

/** `REF_TO T`. */
export interface ReferenceType {
  readonly kind: 'reference'
  readonly target: Type
}

/** `Variant`, `Any`, `Pointer`. */
export interface PointerType {
  readonly kind: 'pointer'
  readonly form: 'Variant' | 'Any' | 'Pointer'
}

export interface VoidType {
  readonly kind: 'void'
}

/**
 * A type that cannot be resolved. The fault is reported at its declaration; uses of the type are not reported again.
 */
export interface UnknownType {
  readonly kind: 'unknown'
  readonly text: string
}

export type Section = 'Input' | 'Output' | 'InOut' | 'Static' | 'Temp' | 'Constant' | 'Return' | 'None'

export interface Member {
  readonly name: string
  readonly type: Type
  readonly section: Section
  /** Start value as it is written; for a constant its value. */
  readonly startValue?: string
  readonly isRetentive: boolean
  /** A value that the commissioning engineer sets (`SetPoint`): snapshots of setpoints hold it. */
  readonly isSetpoint?: boolean
  /** Start values of its parts: of elements, and of nested members. Later ones override earlier ones. */
  readonly parts?: readonly ElementValue[]
  /** Name of the member whose memory it shares (`AT`). */
  readonly overlays?: string
  readonly comment: string
  /** State of a system type that programs do not see (start of a timer, edge memory). */
  readonly isHidden?: boolean
  /**
   * Follows the member before it without the gap between sections: IEC timers and counters are also used as structures.
   */
  readonly isJoined?: boolean
}

/**
 * A start value of a part, with its path: `["list", [3], "speed"]` are names of members and the indices of an element
 * (one per dimension).
 */
export interface ElementValue {
  readonly path: readonly (string | readonly number[])[]
  readonly value: string
}

/** Layout of a block's data in memory (`S7_Optimized_Access`). */
export type Access = 'optimized' | 'standard'
