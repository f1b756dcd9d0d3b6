/** What names and expressions are before they become instructions: variables, constants, results. */

import type { Expression, Place, Statement } from '../../ir/ir.ts'
import type { ConstantValue } from '../../program/constants.ts'
import type { ProgramBlock } from '../../program/program.ts'
import type { ArrayType, ScalarType, Type } from '../../program/type.ts'
import type { SourceRange } from './source-range.ts'

/** Something with a place of its own: a member, a tag, a register. */
export interface Variable {
  readonly kind: 'variable'
  readonly type: Type
  readonly at: At
  /** Why nothing may be assigned to it. */
  readonly readOnly?: 'input' | 'constant' | 'in'
  /** As messages name it. */
  readonly text: string
  /** Of which array it is an element, and which one, counted from 0 over all dimensions. */
  readonly element?: {
    readonly of: ArrayType
    readonly place: Place
    readonly number: Expression
    /** Of an `Array[*]`: its actual limits. */
    readonly limits?: readonly Limits[]
  }
  /** A part of an array with fewer indices than that has dimensions. */
  readonly partOf?: { readonly type: ArrayType; readonly indices: number }
  /** Of an `Array[*]` parameter: its actual limits (lower/open-arrays.ts). */
  readonly limits?: readonly Limits[]
  /** What must be done before it is read: Q and ET of a timer follow the clock. */
  readonly refresh?: Statement
  /** The bits of it that are meant (`.%X3`): number of the first one. */
  readonly slice?: { readonly of: ScalarType; readonly shift: number }
}

export type At = { readonly kind: 'place'; readonly place: Place } | { readonly kind: 'local'; readonly local: number }

/** A value that was worked out. */
export interface Result {
  readonly kind: 'result'
  readonly type: ScalarType
  readonly expression: Expression
}

/** A whole data block, an FB or FC by its name: not a value, but something that is called or gone into. */
export interface BlockName {
  readonly kind: 'block'
  readonly block: ProgramBlock
  readonly text: string
}

/** Something that is wrong and was reported. What is done with it is not reported again. */
export interface Wrong {
  readonly kind: 'wrong'
}
export const wrong: Wrong = { kind: 'wrong' }

export type Value = Variable | ConstantValue | Result
export type Operand = Value | BlockName | Wrong

/** Whether values of two types that are no scalars may be copied as a whole: the same name, or the same shape. */
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
        sameType(a.element, b.element)
      )
    case 'struct':
    case 'instance':
      if (a.kind !== b.kind) return false
      if (a.name !== undefined && b.kind === a.kind && b.name !== undefined)
        return a.name.toLowerCase() === b.name.toLowerCase()
      return (
        a.members.length === b.members.length &&
        a.members.every((member, i) => {
          const other = b.members[i]
          return other !== undefined && (member.type === other.type || sameType(member.type, other.type))
        })
      )
    case 'reference':
      return b.kind === 'reference' && sameType(a.target, b.target)
    case 'pointer':
      return b.kind === 'pointer' && a.form === b.form
    default:
      return a.kind === b.kind
  }
}

/** Limits of a dimension as they are when the block runs. */
export interface Limits {
  readonly low: Expression
  readonly high: Expression
}

/** A side of an operator with the place it stands at. */
export interface Side {
  readonly operand: Operand
  readonly at: SourceRange
}

/** What a caller passes. */
export interface CallArgument {
  /** Absent: by position. */
  readonly name?: string
  readonly isOutput: boolean
  /** Its direction is not written (STL): it is that of the parameter. */
  readonly isEither?: boolean
  /** Absent: `name :=` with nothing behind it. */
  readonly operand?: Operand
  readonly at: SourceRange
}

/** A call that was worked out: what is done, and the value it gives. */
export interface Called {
  readonly statements: readonly Statement[]
  readonly value?: Value
}

/** An index of an array element. */
export interface Index {
  readonly expression: Expression
  /** Where it is known already. */
  readonly constant?: bigint
  readonly at: SourceRange
}
