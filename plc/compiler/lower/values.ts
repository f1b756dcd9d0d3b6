/** The form of names and expressions before they become instructions: variables, constants, results. */

import type { Expression, Place, Statement } from '../../ir/ir.ts'
import type { ConstantValue } from '../../program/constants.ts'
import type { ProgramBlock } from '../../program/program.ts'
import type { ArrayType, Member, ScalarType, StructType, Type } from '../../program/type.ts'
import type { SourceRange } from './source-range.ts'

/** A variable with a place of its own: a member, a tag, a register. */
export interface Variable {
  readonly kind: 'variable'
  readonly type: Type
  readonly at: At
  /** Reason why it cannot be assigned. */
  readonly readOnly?: 'input' | 'constant' | 'in'
  /** Its name in messages. */
  readonly text: string
  /** The array that contains it as an element, and the number of the element, counted from 0 over all dimensions. */
  readonly element?: {
    readonly of: ArrayType
    readonly place: Place
    readonly number: Expression
    /** Actual limits of an `Array[*]`. */
    readonly limits?: readonly Limits[]
  }
  /** The structure that contains it as a member that others follow, and its number among the members. */
  readonly member?: { readonly of: StructType; readonly place: Place; readonly number: number }
  /** For a part of an array that has fewer indices than the array has dimensions. */
  readonly partOf?: { readonly type: ArrayType; readonly indices: number }
  /** Actual limits of an `Array[*]` parameter (open-arrays.ts). */
  readonly limits?: readonly Limits[]
  /** Distance of its elements in bytes (DInt), for an `Array[*]` of texts of any length. */
  readonly stride?: Expression
  /** Statement that must run before it is read: Q and ET of a timer follow the clock. */
  readonly refresh?: Statement
  /** The selected bits of it (`.%X3`), with the number of the first one. */
  readonly slice?: { readonly of: ScalarType; readonly shift: number }
}

export type At = { readonly kind: 'place'; readonly place: Place } | { readonly kind: 'local'; readonly local: number }

/** A computed value. */
export interface Result {
  readonly kind: 'result'
  readonly type: ScalarType
  readonly expression: Expression
  /** Whether there is a value to give: without it an assignment leaves its target as it is (GET_ERR_ID). */
  readonly isGiven?: Expression
}

/** A whole data block, an FB or FC by its name: not a value, but something to call or to access members of. */
export interface BlockName {
  readonly kind: 'block'
  readonly block: ProgramBlock
  readonly text: string
}

/** A faulty operand whose fault is reported. Its uses are not reported again. */
export interface Wrong {
  readonly kind: 'wrong'
}
export const wrong: Wrong = { kind: 'wrong' }

export type Value = Variable | ConstantValue | Result
export type Operand = Value | BlockName | Wrong

/** Whether values of two non-scalar types can be copied as a whole: the types have the same name, or the same shape. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kind === 'unknown' || b.kind === 'unknown') return true
  switch (a.kind) {
    case 'scalar':
      return false
    case 'string':
      return b.kind === 'string' && a.isWide === b.isWide
    case 'array':
      return (
        b.kind === 'array' &&
        a.dimensions.length === b.dimensions.length &&
        a.dimensions.every(({ low, high }, i) => {
          const other = b.dimensions[i]
          if (low === undefined || high === undefined || other?.low === undefined || other.high === undefined)
            return true
          return high - low === other.high - other.low
        }) &&
        samePart(a.element, b.element)
      )
    case 'struct':
    case 'instance':
      if (a.kind !== b.kind) return false
      if (a.name !== undefined && b.kind === a.kind && b.name !== undefined)
        return a.name.toLowerCase() === b.name.toLowerCase()
      return a.isSystem === b.isSystem && sameParts(a.members, b.members, samePart)
    case 'reference':
      return b.kind === 'reference' && sameType(a.target, b.target)
    case 'pointer':
      return b.kind === 'pointer' && a.form === b.form
    default:
      return a.kind === b.kind
  }
}

/** Limits of a dimension at run time. */
export interface Limits {
  readonly low: Expression
  readonly high: Expression
}

/** An operand of an operator with its place in the source. */
export interface Side {
  readonly operand: Operand
  readonly at: SourceRange
}

/** An argument of a call. */
export interface CallArgument {
  /** Absent for an argument by position. */
  readonly name?: string
  readonly isOutput: boolean
  /** Its direction is not written (STL): the parameter determines it. */
  readonly isEither?: boolean
  /** Absent for `name :=` with no value after it. */
  readonly operand?: Operand
  readonly at: SourceRange
}

/** A lowered call: its statements, and the value it gives. */
export interface Called {
  readonly statements: readonly Statement[]
  readonly value?: Value
}

/** An index of an array element. */
export interface Index {
  readonly expression: Expression
  /** Its value when known at compile time. */
  readonly constant?: bigint
  readonly at: SourceRange
}

type Same = (a: Type, b: Type) => boolean

/** Parts have the same layout, so texts inside of arrays and structures have the same length. */
function samePart(a: Type, b: Type): boolean {
  return a.kind === 'string' && b.kind === 'string' ? a.length === b.length && sameType(a, b) : sameType(a, b)
}

function sameParts(a: readonly Member[], b: readonly Member[], same: Same): boolean {
  return a.length === b.length && a.every(({ type }, i) => same(type, b[i]?.type ?? { kind: 'void' }))
}

/**
 * Whether a value of one type can be assigned to another as a whole: types are the same, or structures and PLC data
 * types
 * whose members have the same types in the same order, whatever they are called
 * (docs/plc-semantics.md#arrays-and-structures).
 */
export function isAssignable(to: Type, from: Type): boolean {
  if (sameType(to, from)) return true
  if (to.kind === 'array' && from.kind === 'array')
    return sameType({ ...to, element: from.element }, from) && isAssignablePart(to.element, from.element)
  if (to.kind !== 'struct' || from.kind !== 'struct' || to.isSystem || from.isSystem) return false
  return sameParts(to.members, from.members, isAssignablePart)
}

function isAssignablePart(to: Type, from: Type): boolean {
  return to.kind === 'string' ? samePart(to, from) : isAssignable(to, from)
}
