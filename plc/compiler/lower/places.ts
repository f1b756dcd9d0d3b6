/** Layout of values in memory: optimized or standard access. */

import type { Place } from '../../ir/ir.ts'
import { accessInside } from '../../program/layout.ts'
import type { Access, Type } from '../../program/type.ts'

export function accessOf({ isStandard }: Place): Access {
  return isStandard ? 'standard' : 'optimized'
}

/**
 * Returns the place of a value in its layout: an instance of an FB has the layout of its block, whatever is around it.
 */
export function placeOfValue(type: Type, place: Place): Place {
  const isStandard = accessInside(type, accessOf(place)) === 'standard'
  return isStandard === place.isStandard ? place : { ...place, isStandard }
}
