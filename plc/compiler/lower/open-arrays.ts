/**
 * `Array[*]` parameters. What is passed is the address of a descriptor in the caller's frame, native: the address of the first element, then
 * the lower and the upper limit of each dimension (DInt). The called block takes them into registers before anything else. A descriptor lives
 * as long as the call, so such a parameter is read by its own block only.
 */

import { address, behind, binary, constant, load, local, setLocal, store } from '../../ir/build.ts'
import type { Expression, Place, PlaceIndex, Statement } from '../../ir/ir.ts'
import { extentOf, strideOf } from '../../program/layout.ts'
import { DInt, UDInt } from '../../program/scalars.ts'
import type { ArrayType, StructType, Type } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import type { Index } from './reading.ts'
import { sameType, type Variable } from './values.ts'

/** Limits of a dimension as they are when the block runs. */
export interface Limits {
  readonly low: Expression
  readonly high: Expression
}

/** Bytes of the address, and of a limit. */
const word = 4

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

/** Makes a descriptor in the frame. `place`: where the elements lie now, which may be a copy. */
export function passOpenArray(
  context: BlockContext,
  variable: Variable,
  place: Place,
): { readonly address: Expression; readonly before: readonly Statement[] } {
  const limits = limitsOf(variable)
  const descriptor = context.frame(descriptorType(limits.length))
  const at = (offset: number): Place => ({ ...descriptor, offset: descriptor.offset + offset })
  const { bit: _bit, ...start } = place
  return {
    address: address(descriptor),
    before: [
      store(UDInt, at(0), address(start)),
      ...limits.flatMap(({ low, high }, i) => [
        store(DInt, at(word * (1 + 2 * i)), low),
        store(DInt, at(word * (2 + 2 * i)), high),
      ]),
    ],
  }
}

function descriptorType(dimensions: number): StructType {
  const member = { section: 'None', isRetentive: false, comment: '' } as const
  return {
    kind: 'struct',
    isSystem: true,
    members: Array.from({ length: 1 + 2 * dimensions }, (_one, i) => ({
      ...member,
      name: `${i}`,
      type: i === 0 ? UDInt : DInt,
    })),
  }
}

/** The parameter in the block it belongs to. `descriptor`: the address it was given. */
export function openParameter(
  context: BlockContext,
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

/** The number of an element from 0, over all dimensions. */
export function elementNumber(limits: readonly Limits[], indices: readonly Expression[]): Expression {
  let number: Expression = constant(DInt, 0n)
  for (const [i, index] of indices.entries()) {
    const { low, high } = limits[i] ?? { low: constant(DInt, 0n), high: constant(DInt, 0n) }
    const count = binary('add', DInt, binary('subtract', DInt, high, low), constant(DInt, 1n))
    number = binary('add', DInt, binary('multiply', DInt, number, count), binary('subtract', DInt, index, low))
  }
  return number
}

/** Where an element lies: each index is checked against its own limits, the way from the first element follows from all of them. */
export function openElement(
  context: BlockContext,
  type: ArrayType,
  place: Place,
  limits: readonly Limits[],
  indices: readonly (Index & { readonly whole: Expression })[],
): Place {
  const { size, isBits } = strideOf(type, place.isStandard ? 'standard' : 'optimized')
  const bits = isBits ? ({ isBits: true } as const) : {}
  const [only, ...others] = indices
  const checks = indices.map(({ expression, at }, i): PlaceIndex => {
    const { low, high } = limits[i] as Limits
    return { value: expression, low, high, stride: others.length === 0 ? size : 0, site: context.site(at), ...bits }
  })
  const whole = indices.map((one) => one.whole)
  const way: PlaceIndex[] =
    only && others.length > 0
      ? [
          {
            value: elementNumber(limits, whole),
            low: 0,
            // It lies inside when the indices do.
            high: constant(DInt, 0x7fff_ffffn),
            stride: size,
            isSafe: true,
            site: context.site(only.at),
            ...bits,
          },
        ]
      : []
  return { ...place, ...(isBits ? { bit: 0 } : {}), indices: [...place.indices, ...checks, ...way] }
}
