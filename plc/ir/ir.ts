/**
 * The intermediate form between the languages and the code generator: typed, structured, free of names. SCL, LAD, FBD, STL and GRAPH are
 * lowered to it after they were checked; only correct programs get here, so nothing in it can be wrong but by our mistake.
 *
 * Memory. One linear memory per controller. Areas (inputs, outputs, flags, each data block) have fixed addresses; a call's temporary data lie
 * in a frame on a stack. Data of standard blocks and of the I, Q and M areas are big-endian and packed as S7 shows them under absolute
 * addresses; those of optimized blocks and of frames are little-endian, each member aligned to its size, a Bool a byte.
 *
 * Calls. An FB is a function of its instance's address: parameters are members of the instance, a caller writes them before and reads them
 * after the call. An FC is a function of its parameters: scalars by value, all else by address; its scalar outputs, in-outs and its return
 * value are results. `InOut` of scalar type is copied in and out in both; `InOut` of any other type is an address (four bytes in an
 * instance). What lies in standard layout is copied into a frame when the callee wants the other layout, and back.
 */
import type { ScalarType, Type } from '../program/type.ts'

// ── Places ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Somewhere in memory: base + offset + the sum of its indices. */
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
  /** T and C: states of the S5 timers and counters, not seen from outside (lower/s5.ts). */
  | { readonly kind: 'area'; readonly area: 'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C' }
  /** What the system tells an organization block; written before it runs (organization-blocks.ts). */
  | { readonly kind: 'startInformation' }
  /** A data block, by name; the linker knows its address. */
  | { readonly kind: 'block'; readonly block: string }
  /** The instance the code works on. */
  | { readonly kind: 'instance' }
  /** Temporary data of this call. */
  | { readonly kind: 'frame' }
  /** Bytes that never change: texts and other constants that are no scalars. Always native. */
  | { readonly kind: 'constant'; readonly bytes: Uint8Array }
  /** What an address points to. */
  | { readonly kind: 'pointer'; readonly address: Expression }

/** `value` must lie in `low … high`, else it is a programming error at `site`: a read gives 0, a write is left out. */
export interface PlaceIndex {
  readonly value: Expression
  readonly low: number | Expression
  readonly high: number | Expression
  /** Bytes from one element to the next; bits when `isBits`. */
  readonly stride: number
  readonly isBits?: boolean
  /** It was shown that the value lies between the limits: nothing is checked. */
  readonly isSafe?: boolean
  readonly site: Site
}

/** Every address but NULL, as limits of an index that moves nothing: what stands behind a reference has it. */
export const everyAddress = { low: 1, high: 0x7fff_ffff } as const

/** Whether a place lies behind a reference, which may be NULL. */
export function isBehindReference({ base, indices: [first] }: Place): boolean {
  return (
    base.kind === 'pointer' && first?.stride === 0 && first.low === everyAddress.low && first.high === everyAddress.high
  )
}

/** Number of an entry in the block's table of places in the source; for errors and the source map. */
export type Site = number

// ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every expression has a scalar type; addresses are `address`. A value is always within its type: narrow types are wrapped by whoever makes them. */
export type Expression =
  | { readonly kind: 'constant'; readonly type: ScalarType; readonly value: bigint | number }
  | { readonly kind: 'load'; readonly type: ScalarType; readonly place: Place }
  /** A register of this call: a scalar Temp, a parameter by value, something the lowering needs. */
  | { readonly kind: 'local'; readonly type: ScalarType | 'address'; readonly local: number }
  | {
      readonly kind: 'unary'
      readonly operator: UnaryOperator
      readonly type: ScalarType
      readonly operand: Expression
      /** The result sets ENO to FALSE: the smallest number negated, the root of a negative one. */
      readonly setsEno?: boolean
    }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      /** Of both operands; of the result too, but for comparisons (Bool). */
      readonly type: ScalarType
      readonly left: Expression
      readonly right: Expression
      /** The result sets ENO to FALSE on overflow, division by zero, NaN. */
      readonly setsEno: boolean
      /** It was shown that the exact result is within the type: it need not be wrapped. */
      readonly isExact?: boolean
    }
  | {
      readonly kind: 'convert'
      readonly from: ScalarType
      readonly type: ScalarType
      readonly operand: Expression
      /** `bits`: the same bits in another type. */
      readonly mode: 'value' | 'bits' | 'round' | 'truncate' | 'ceiling' | 'floor'
      readonly setsEno: boolean
      /** It was shown that the type has the value: it need not be wrapped. */
      readonly isExact?: boolean
    }
  /** Both sides are worked out: S7 does not promise more (docs/plc-semantics.md#operators). */
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
  /** ENO of the block that was called last, right behind its call. */
  | { readonly kind: 'calleeEno' }
  /** The controller's clock as it is now: nanoseconds since it was switched on, an LInt. */
  | { readonly kind: 'now' }
  /** Statements, then a value: calls inside expressions. */
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
  /** A whole value that is no scalar; both places may lie in different layouts. */
  | { readonly kind: 'copy'; readonly type: Type; readonly from: Place; readonly to: Place; readonly site: Site }
  /** Zeros. `size` in bytes. */
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
  /** `selector` is compared with constants; ranges are inclusive; the first match is taken. */
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
  /** Runs for ever; `leave` and `repeat` name it. The watchdog looks in at every round. */
  | {
      readonly kind: 'loop'
      readonly label: number
      readonly body: readonly Statement[]
      readonly site: Site
      /** Of FOR with a run variable in a register: nothing but the loop's own step assigns it when the body assigns it once. */
      readonly counter?: Counter
      /** It runs at most so often whatever the data are: the watchdog counts its rounds at once. 0: too few to count. */
      readonly atMost?: number
    }
  /** A group that `leave` can name. */
  | { readonly kind: 'group'; readonly label: number; readonly body: readonly Statement[] }
  | { readonly kind: 'leave'; readonly label: number }
  | { readonly kind: 'repeat'; readonly label: number }
  /** Statements with jumps between them in any direction (GOTO, LAD labels, STL): `goto` names a section by its index. */
  | { readonly kind: 'sections'; readonly label: number; readonly sections: readonly (readonly Statement[])[] }
  | { readonly kind: 'goto'; readonly label: number; readonly section: number }
  | { readonly kind: 'return' }

/** A run variable goes from `from` to `to`, both included, in the body of its loop. */
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
  /** Of an FC, in the order of its signature: values and addresses. */
  readonly arguments: readonly Expression[]
  /** Of an FC: the registers its results go to, in the order of its signature. */
  readonly results: readonly number[]
  readonly site: Site
}

// ── Code of a block ─────────────────────────────────────────────────────────────────────────────────────────────────

export interface BlockCode {
  readonly name: string
  readonly kind: 'OB' | 'FB' | 'FC'
  /** Registers. Of an FC the first ones are its parameters, the next ones its results, both in the order of its signature. */
  readonly locals: readonly (ScalarType | 'address')[]
  readonly signature: Signature
  /** Bytes of temporary data in the frame. */
  readonly frameSize: number
  readonly body: readonly Statement[]
  /** A routine of the runtime: it leaves the ENO of the block that was called last alone, and tells otherwise that it failed. */
  readonly isRoutine?: boolean
  /** Where each site is. */
  readonly sites: readonly SourceSite[]
}

/** What callers of an FC pass and get. */
export interface Signature {
  readonly parameters: readonly { readonly name: string; readonly type: ScalarType | 'address' }[]
  /** The return value first, when there is one; then scalar outputs and in-outs. */
  readonly results: readonly { readonly name: string; readonly type: ScalarType }[]
}

/** A place in the source of a block: its network (from 1), and line and column in the network's text or the UId of a node. */
export interface SourceSite {
  readonly network: number
  readonly line?: number
  readonly column?: number
  readonly uId?: number
}
