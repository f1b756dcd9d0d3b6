/**
 * `Array[*]` parameters in the block that declares them: its registers with the address of the elements and the limits,
 * which the caller passes in a descriptor (open-arrays.ts).
 */

import { behind, constant, load, local, setLocal } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import { DInt, UDInt } from '../../program/scalars.ts'
import type { ArrayType, ScalarType, Type } from '../../program/type.ts'
import { type Limits, sameType, type Variable } from './values.ts'

/** Size of the address, and of a limit, in bytes. */
export const word = 4

/** Whether the type is an array with a dimension without limits. */
export function isOpenArray(type: Type): type is ArrayType {
  return type.kind === 'array' && type.dimensions.some(({ low, high }) => low === undefined || high === undefined)
}

/** Length of a text that is declared without one. */
const usualLength = 254

/** Whether an `Array[*]` takes texts of any length: its elements are declared as String or WString without a length. */
export function takesAnyLength({ element }: ArrayType): boolean {
  return element.kind === 'string' && element.length === usualLength
}

/**
 * Whether an `Array[*]` parameter accepts an array: it has as many dimensions, and the same elements of the same size;
 * texts may be shorter or longer (TIA Portal help, "Array[*]").
 */
export function fitsOpenArray(open: ArrayType, given: Type): given is ArrayType {
  if (given.kind !== 'array' || given.dimensions.length !== open.dimensions.length) return false
  const [a, b] = [open.element, given.element]
  if (!(a === b || sameType(a, b))) return false
  return takesAnyLength(open) || extentOf(a, 'optimized').size === extentOf(b, 'optimized').size
}

/** Returns the limits of an array: those of its type, or those passed with it. */
export function limitsOf({ type, limits }: Variable): readonly Limits[] {
  if (limits) return limits
  if (type.kind !== 'array') return []
  return type.dimensions.map(({ low = 0, high = -1 }) => ({
    low: constant(DInt, BigInt(low)),
    high: constant(DInt, BigInt(high)),
  }))
}

/** What a parameter needs from its block (`BlockContext`). */
interface Registers {
  local(type: ScalarType | 'address'): number
  /** Statements that run before all others. */
  readonly prologue: Statement[]
}

/** Returns the parameter as a variable of its block. `descriptor`: the address that was passed. */
export function openParameter(
  context: Registers,
  type: ArrayType,
  descriptor: Expression,
  isStandard: boolean,
  text: string,
): Variable {
  const pointer = context.local('address')
  const elements = context.local('address')
  const read = (offset: number, of: typeof UDInt) => load(of, behind(local('address', pointer), false, offset))
  context.prologue.push(setLocal(pointer, descriptor), setLocal(elements, read(0, UDInt)))
  const limit = (offset: number): Expression => {
    const register = context.local(DInt)
    context.prologue.push(setLocal(register, read(offset, DInt)))
    return local(DInt, register)
  }
  const limits = type.dimensions.map((_dimension, i) => ({
    low: limit(word * (1 + 2 * i)),
    high: limit(word * (2 + 2 * i)),
  }))
  const stride = takesAnyLength(type) ? { stride: limit(word * (1 + 2 * limits.length)) } : {}
  return {
    kind: 'variable',
    type,
    at: { kind: 'place', place: behind(local('address', elements), isStandard) },
    text,
    limits,
    ...stride,
  }
}
