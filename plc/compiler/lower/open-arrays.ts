/**
 * `Array[*]` parameters. The caller passes the address of a little-endian descriptor in its frame: the address of the
 * first element, then the lower and the upper limit of each dimension (DInt), and for texts of any length the distance
 * of two elements (DInt). The called block first reads them into
 * registers. A descriptor exists only during the call, so only the block with the parameter reads it.
 */

import { address, binary, constant, store } from '../../ir/build.ts'
import type { Expression, Place, PlaceIndex, Statement } from '../../ir/ir.ts'
import { strideOf } from '../../program/layout.ts'
import { DInt, UDInt } from '../../program/scalars.ts'
import type { ArrayType, StructType } from '../../program/type.ts'
import type { BlockContext } from './block-context.ts'
import { limitsOf, takesAnyLength, word } from './open-array-parameters.ts'
import type { Index, Limits, Variable } from './values.ts'

/**
 * Makes a descriptor in the frame.
 * @param place the current place of the elements, which may be a copy
 * @param wanted the type of the parameter
 */
export function passOpenArray(
  context: BlockContext,
  variable: Variable,
  place: Place,
  wanted: ArrayType,
): { readonly address: Expression; readonly before: readonly Statement[] } {
  const limits = limitsOf(variable)
  const { type, stride } = variable
  const size = type.kind === 'array' ? strideOf(type, place.isStandard ? 'standard' : 'optimized').size : 0
  const distance = takesAnyLength(wanted) ? [stride ?? constant(DInt, BigInt(size))] : []
  const descriptor = context.frame(descriptorType(2 * limits.length + distance.length))
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
      ...distance.map((bytes) => store(DInt, at(word * (1 + 2 * limits.length)), bytes)),
    ],
  }
}

/** @param words behind the address */
function descriptorType(words: number): StructType {
  const member = { section: 'None', isRetentive: false, comment: '' } as const
  return {
    kind: 'struct',
    isSystem: true,
    members: Array.from({ length: 1 + words }, (_one, i) => ({
      ...member,
      name: `${i}`,
      type: i === 0 ? UDInt : DInt,
    })),
  }
}

/** Returns the number of an element from 0, over all dimensions. */
export function elementNumber(limits: readonly Limits[], indices: readonly Expression[]): Expression {
  let number: Expression = constant(DInt, 0n)
  for (const [i, index] of indices.entries()) {
    const { low, high } = limits[i] ?? { low: constant(DInt, 0n), high: constant(DInt, 0n) }
    const count = binary('add', DInt, binary('subtract', DInt, high, low), constant(DInt, 1n))
    number = binary('add', DInt, binary('multiply', DInt, number, count), binary('subtract', DInt, index, low))
  }
  return number
}

/**
 * Returns the place of an element: each index is checked against its own limits; together they give the distance from
 * the first element.
 */
export function openElement(
  context: BlockContext,
  type: ArrayType,
  { place, stride }: { readonly place: Place; readonly stride?: Expression | undefined },
  limits: readonly Limits[],
  indices: readonly (Index & { readonly whole: Expression })[],
): Place {
  const { size, isBits } = strideOf(type, place.isStandard ? 'standard' : 'optimized')
  const bits = isBits ? ({ isBits: true } as const) : {}
  const [only, ...others] = indices
  const isDirect = others.length === 0 && stride === undefined
  const checks = indices.map(({ expression, at }, i): PlaceIndex => {
    const { low, high } = limits[i] as Limits
    return { value: expression, low, high, stride: isDirect ? size : 0, site: context.site(at), ...bits }
  })
  const number = elementNumber(
    limits,
    indices.map((one) => one.whole),
  )
  const way: PlaceIndex[] =
    only && !isDirect
      ? [
          {
            value: stride === undefined ? number : binary('multiply', DInt, number, stride),
            low: 0,
            // It is inside when the indices are.
            high: constant(DInt, 0x7fff_ffffn),
            stride: stride === undefined ? size : 1,
            isSafe: true,
            site: context.site(only.at),
            ...bits,
          },
        ]
      : []
  return { ...place, ...(isBits ? { bit: 0 } : {}), indices: [...place.indices, ...checks, ...way] }
}
