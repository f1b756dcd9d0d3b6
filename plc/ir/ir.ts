/**
 * The intermediate form between the languages and the code generator: typed, structured, without names. SCL, LAD, FBD,
 * STL and GRAPH are lowered to it after they are checked. Only correct programs are lowered, so a fault in the
 * intermediate form is a mistake in this compiler.
 *
 * Memory. Each controller has one linear memory. Areas (inputs, outputs, flags, each data block) have fixed addresses;
 * temporary data of a call are in a frame on a stack. Data of standard blocks and of the I, Q and M areas are
 * big-endian and packed, as S7 shows them under absolute addresses. Data of optimized blocks and of frames are
 * little-endian; each member is aligned to its size and a Bool takes a byte.
 *
 * Calls. An FB is a function of its instance's address: parameters are members of the instance, which the caller writes
 * before the call and reads after it. An FC is a function of its parameters: scalars are passed by value, all others by
 * address; its scalar outputs, its scalar in-outs and its return value are results. An `InOut` of scalar type is copied
 * in and out in both kinds; an `InOut` of any other type is an address (four bytes in an instance). A value in standard
 * layout is copied into a frame when the callee expects the other layout, and back.
 */
import type { ScalarType, Type } from '../program/type.ts'

// ── Places ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A place in memory: base + offset + the sum of its indices. */
export interface Place {
  readonly base: Base
  /** Bytes. */
  readonly offset: number
  /** Bit in the byte at `offset`, for a Bool of standard layout. */
  readonly bit?: number
  readonly indices: readonly PlaceIndex[]
  /** Big-endian, packed bits. */
  readonly isStandard: boolean
}

export type Base =
  /**
   * T and C: states of the S5 timers and counters, which have no address that programs can read (compiler/lower/s5.ts).
   */
  | { readonly kind: 'area'; readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C' }
  /**
   * Start information of an organization block; the controller writes it before the block runs
   * (program/organization-blocks.ts).
   */
  | { readonly kind: 'startInformation' }
  /** A data block, by name; the linker knows its address. */
  | { readonly kind: 'block'; readonly block: string }
  /** The instance of the FB that the code belongs to. */
  | { readonly kind: 'instance' }
  /** Temporary data of this call. */
  | { readonly kind: 'frame' }
  /** Bytes that never change: texts and other constants that are not scalars. Always in optimized layout. */
  | { readonly kind: 'constant'; readonly bytes: Uint8Array }
  /** The memory that an address points to. */
  | { readonly kind: 'pointer'; readonly address: Expression }

/**
 * An index of a place. A `value` outside `low … high` is a programming error at `site`: a read gives 0, a write is left
 * out, and so is a copy of a whole value.
 */
export interface PlaceIndex {
  readonly value: Expression
  readonly low: number | Expression
  readonly high: number | Expression
  /** Bytes from one element to the next; bits when `isBits`. */
  readonly stride: number
  readonly isBits?: boolean
  /** The value is known to be between the limits: no check is generated. */
  readonly isSafe?: boolean
  readonly site: Site
}

/** Limits that accept every address but NULL, for an index that moves nothing: places behind a reference have it. */
export const everyAddress = { low: 1, high: 0x7fff_ffff } as const

/** Whether a place is reached through a reference, which may be NULL. */
export function isBehindReference({ base, indices: [first] }: Place): boolean {
  return (
    base.kind === 'pointer' && first?.stride === 0 && first.low === everyAddress.low && first.high === everyAddress.high
  )
}

/** Index in the block's table of source places; used for errors and the source map. */
export type Site = number

// ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Every expression has a scalar type; the type of addresses is `address`. A value is always within its type: whatever
 * makes a value of a narrow type wraps it.
 */
export type Expression =
  | { readonly kind: 'constant'; readonly type: ScalarType; readonly value: bigint | number }
  | { readonly kind: 'load'; readonly type: ScalarType; readonly place: Place }
  /** A register of this call: a scalar temporary, a parameter by value, or a register that the lowering adds. */
  | { readonly kind: 'local'; readonly type: ScalarType | 'address'; readonly local: number }
  | {
      readonly kind: 'unary'
      readonly operator: UnaryOperator
      readonly type: ScalarType
      readonly operand: Expression
      /** Sets ENO to FALSE when there is no result: the smallest number negated, the root of a negative number. */
      readonly setsEno?: boolean
    }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      /** Type of both operands, and of the result, except that comparisons give Bool. */
      readonly type: ScalarType
      readonly left: Expression
      readonly right: Expression
      /** Sets ENO to FALSE on overflow, division by zero and NaN. */
      readonly setsEno: boolean
      /** The exact result is known to be within the type: it is not wrapped. */
      readonly isExact?: boolean
      /** Of a division: the divisor is known to be neither 0 nor -1, so nothing is left to check. */
      readonly isSafe?: boolean
    }
  | {
      readonly kind: 'convert'
      readonly from: ScalarType
      readonly type: ScalarType
      readonly operand: Expression
      /** `bits`: the same bits in another type. */
      readonly mode: 'value' | 'bits' | 'round' | 'truncate' | 'ceiling' | 'floor'
      readonly setsEno: boolean
      /** The value is known to be within the type: it is not wrapped. */
      readonly isExact?: boolean
    }
  /** Both sides are evaluated: S7 does not promise more (docs/plc-semantics.md#operators). */
  | {
      readonly kind: 'select'
      readonly type: ScalarType
      readonly condition: Expression
      readonly whenTrue: Expression
      readonly otherwise: Expression
    }
  | { readonly kind: 'address'; readonly place: Place }
  /** A routine of the runtime, by name (`sin`, `string.find`, `time.now` …). */
  | {
      readonly kind: 'routine'
      readonly routine: string
      readonly type: ScalarType | 'address'
      readonly arguments: readonly Expression[]
      readonly setsEno: boolean
    }
  /** ENO as it is now. */
  | { readonly kind: 'eno' }
  /** ENO of the block that was called last; valid right after its call. */
  | { readonly kind: 'calleeEno' }
  /** The controller's clock as it is now: nanoseconds since it was switched on, an LInt. */
  | { readonly kind: 'now' }
  /** Runs statements, then gives a value: used for calls inside expressions. */
  | { readonly kind: 'sequence'; readonly statements: readonly Statement[]; readonly value: Expression }

export type UnaryOperator = 'negate' | 'not' | 'abs' | 'sqrt'

export type BinaryOperator =
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'divide'
  | 'modulo'
  | 'and'
  | 'or'
  | 'xor'
  | 'shiftLeft'
  | 'shiftRight'
  | 'rotateLeft'
  | 'rotateRight'
  | 'equal'
  | 'notEqual'
  | 'less'
  | 'lessOrEqual'
  | 'greater'
  | 'greaterOrEqual'
  | 'minimum'
  | 'maximum'

// ── Statements ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type Statement =
  | {
      readonly kind: 'store'
      readonly place: Place
      readonly type: ScalarType
      readonly value: Expression
      readonly site: Site
    }
  | { readonly kind: 'setLocal'; readonly local: number; readonly value: Expression }
  | { readonly kind: 'setEno'; readonly value: Expression }
  /** Copies a whole value that is not a scalar; the places may have different layouts. */
  | { readonly kind: 'copy'; readonly type: Type; readonly from: Place; readonly to: Place; readonly site: Site }
  /** Fills with zeros; `size` in bytes. */
  | { readonly kind: 'clear'; readonly place: Place; readonly size: number }
  /** Calls a routine for its effect. */
  | {
      readonly kind: 'routine'
      readonly routine: string
      readonly arguments: readonly Expression[]
      readonly setsEno: boolean
    }
  | CallBlock
  | {
      readonly kind: 'if'
      readonly condition: Expression
      readonly whenTrue: readonly Statement[]
      readonly otherwise: readonly Statement[]
      readonly site: Site
    }
  /** Compares `selector` with constants; ranges include both limits; the first match is taken. */
  | {
      readonly kind: 'switch'
      readonly selector: Expression
      readonly type: ScalarType
      readonly branches: readonly {
        readonly ranges: readonly (readonly [bigint, bigint])[]
        readonly body: readonly Statement[]
      }[]
      readonly otherwise: readonly Statement[]
      readonly site: Site
    }
  /** Runs until a `leave` names it; `repeat` starts the next round. The watchdog checks every round. */
  | {
      readonly kind: 'loop'
      readonly label: number
      readonly body: readonly Statement[]
      readonly site: Site
      /**
       * For a FOR whose run variable is in a register: when the body assigns the variable once, that is the loop's own
       * step.
       */
      readonly counter?: Counter
      /**
       * The most rounds the loop can run, whatever the data are: the watchdog counts them all at once. 0: too few to
       * count.
       */
      readonly atMost?: number
      /** The constant step of a FOR; not 0. */
      readonly step?: bigint
      /** Register with the rounds that the watchdog counts for one round of this loop, which runs others. */
      readonly rounds?: number
      readonly safePoint?: SafePoint
    }
  /** A group that `leave` can name. */
  | { readonly kind: 'group'; readonly label: number; readonly body: readonly Statement[] }
  | { readonly kind: 'leave'; readonly label: number }
  | { readonly kind: 'repeat'; readonly label: number }
  /**
   * Statements with jumps between them in any direction (GOTO, LAD labels, STL); `goto` names a section by its index.
   */
  | {
      readonly kind: 'sections'
      readonly label: number
      readonly sections: readonly (readonly Statement[])[]
      readonly safePoint?: SafePoint
    }
  | { readonly kind: 'goto'; readonly label: number; readonly section: number }
  | { readonly kind: 'return' }

/**
 * What keeps memory and registers equal where another organization block may run in the middle of a loop: `before`
 * writes registers to memory, `after` reads them again.
 */
export interface SafePoint {
  readonly before: readonly Statement[]
  readonly after: readonly Statement[]
}

/** A run variable that goes from `from` to `to`, both included, in the body of its loop. */
export interface Counter {
  readonly local: number
  readonly from: Expression
  readonly to: Expression
  readonly step: bigint
}

export interface CallBlock {
  readonly kind: 'call'
  /** Name of the FB, FC or OB. */
  readonly block: string
  /** Address of the instance of an FB. */
  readonly instance?: Expression
  /** Arguments of an FC in the order of its signature: values and addresses. */
  readonly arguments: readonly Expression[]
  /** Registers that take the results of an FC, in the order of its signature. */
  readonly results: readonly number[]
  readonly site: Site
}

// ── Code of a block ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface BlockCode {
  readonly name: string
  readonly kind: 'OB' | 'FB' | 'FC'
  /**
   * Types of the registers. In an FC the first ones are its parameters and the next ones its results, both in the order
   * of its signature.
   */
  readonly locals: readonly (ScalarType | 'address')[]
  readonly signature: Signature
  /** Bytes of temporary data in the frame. */
  readonly frameSize: number
  readonly body: readonly Statement[]
  /**
   * A routine of the runtime: it leaves the ENO of the last called block unchanged and reports a failure in another
   * way.
   */
  readonly isRoutine?: boolean
  /** Source place of each site. */
  readonly sites: readonly SourceSite[]
}

/** What callers pass to an FC and get from it. */
export interface Signature {
  readonly parameters: readonly { readonly name: string; readonly type: ScalarType | 'address' }[]
  /** The return value first, when there is one; then scalar outputs and in-outs. */
  readonly results: readonly { readonly name: string; readonly type: ScalarType }[]
}

/**
 * A place in the source of a block: its network (from 1), and line and column in the network's text or the UId of a
 * node.
 */
export interface SourceSite {
  readonly network: number
  readonly line?: number
  readonly column?: number
  readonly uId?: number
}
