/**
 * `Array[*]` parameters in the block that has them: its registers with the address of the elements and the limits, which the caller gives in a
 * descriptor (open-arrays.ts).
 */

import { behind, constant, load, local, setLocal } from '../../ir/build.ts'
import type { Expression, Statement } from '../../ir/ir.ts'
import { extentOf } from '../../program/layout.ts'
import { DInt, UDInt } from '../../program/scalars.ts'
import type { ArrayType, ScalarType, Type } from '../../program/type.ts'
import { type Limits, sameType, type Variable } from './values.ts'

/** Bytes of the address, and of a limit. */
export const word = 4

/** Whether it is an array that has a dimension without limits. */
export function isOpenArray(type: Type): type is ArrayType {
  return type.kind === 'array' && type.dimensions.some(({ low, high }) => low === undefined || high === undefined)
}

/** Whether the array holds an `Array[*]` parameter can take: as many dimensions, the same elements in the same number of bytes. */
export function fitsOpenArray(open: ArrayType, given: Type): given is ArrayType {
  if (given.kind !== 'array' || given.dimensions.length !== open.dimensions.length) return false
  const [a, b] = [open.element, given.element]
  return (a === b || sameType(a, b)) && extentOf(a, 'optimized').size === extentOf(b, 'optimized').size
}

/** Limits of an array: numbers of its type, or those that came with it. */
export function limitsOf({ type, limits }: Variable): readonly Limits[] {
  if (limits) return limits
  if (type.kind !== 'array') return []
  return type.dimensions.map(({ low = 0, high = -1 }) => ({
    low: constant(DInt, BigInt(low)),
    high: constant(DInt, BigInt(high)),
  }))
}

/** What a parameter needs of its block (`BlockContext`). */
interface Registers {
  local(type: ScalarType | 'address'): number
  /** What is done before anything else. */
  readonly prologue: Statement[]
}

/** The parameter in the block it belongs to. `descriptor`: the address it was given. */
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
  return {
    kind: 'variable',
    type,
    at: { kind: 'place', place: behind(local('address', elements), isStandard) },
    text,
    limits,
  }
}
