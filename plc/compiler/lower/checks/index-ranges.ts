/** Rule `loop-leaves-array`: the run variable of a FOR with constant limits leads out of an array. */
import type { Expression } from '../../../ir/ir.ts'
import type { BlockContext } from '../block-context.ts'
import type { SourceRange } from '../source-range.ts'
import { type Interval, intervalOf } from './watch.ts'

/** Reports an index that is outside of the limits in some round of the loops around it. */
export function checkIndexRange(
  context: BlockContext,
  index: Expression,
  [low, high]: Interval,
  array: string,
  at: SourceRange,
): void {
  const found = intervalOf(index, context.watch.ranges)
  if (found === undefined || (found[0] >= low && found[1] <= high)) return
  context.report(
    'loop-leaves-array',
    at,
    `In the loop this index runs from ${found[0]} to ${found[1]}, but ${array} has the elements ${low} to ${high}.`,
    'Let the loop end at the limits of the array.',
    'warning',
  )
}
