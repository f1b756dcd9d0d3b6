/** Helpers that build expressions and statements of the intermediate form. */

import { defined } from '../../lib/optional.ts'
import { Bool } from '../program/scalars.ts'
import type { ScalarType } from '../program/type.ts'
import type { BinaryOperator, Expression, Place, Site, Statement } from './ir.ts'

export function constant(type: ScalarType, value: bigint | number): Expression {
  return { kind: 'constant', type, value }
}

export const isTrue: Expression = constant(Bool, 1n)
export const isFalse: Expression = constant(Bool, 0n)

export function local(type: ScalarType | 'address', number: number): Expression {
  return { kind: 'local', type, local: number }
}

export function setLocal(number: number, value: Expression): Statement {
  return { kind: 'setLocal', local: number, value }
}

/** A binary operation that leaves ENO unchanged; `type` is the type of both operands. */
export function binary(
  operator: BinaryOperator,
  type: ScalarType,
  left: Expression,
  right: Expression,
  setsEno = false,
): Expression {
  return { kind: 'binary', operator, type, left, right, setsEno }
}

export function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'not', type: Bool, operand }
}

export function and(left: Expression, right: Expression): Expression {
  return binary('and', Bool, left, right)
}

export function or(left: Expression, right: Expression): Expression {
  return binary('or', Bool, left, right)
}

/**
 * Two real numbers differ: NaN is neither equal nor unequal to any number (docs/plc-semantics.md#arithmetic). Each side
 * is read twice.
 */
export function realsDiffer(type: ScalarType, left: Expression, right: Expression): Expression {
  return or(binary('less', type, left, right), binary('greater', type, left, right))
}

export function convert(
  operand: Expression,
  from: ScalarType,
  type: ScalarType,
  mode: 'value' | 'bits' = 'value',
  setsEno = false,
): Expression {
  return from === type ? operand : { kind: 'convert', from, type, operand, mode, setsEno }
}

export function address(place: Place): Expression {
  return { kind: 'address', place }
}

/** The place at `offset` bytes after the address in `pointer`. */
export function behind(pointer: Expression, isStandard: boolean, offset = 0, bit?: number): Place {
  return {
    base: { kind: 'pointer', address: pointer },
    offset,
    indices: [],
    isStandard,
    ...defined({ bit }),
  }
}

export function load(type: ScalarType, place: Place): Expression {
  return { kind: 'load', type, place }
}

export function store(type: ScalarType, place: Place, value: Expression, site: Site = 0): Statement {
  return { kind: 'store', type, place, value, site }
}

export function when(
  condition: Expression,
  whenTrue: readonly Statement[],
  otherwise: readonly Statement[] = [],
): Statement {
  return { kind: 'if', condition, whenTrue, otherwise, site: 0 }
}
