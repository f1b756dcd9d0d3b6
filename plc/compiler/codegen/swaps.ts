/**
 * Recognises two values that change places over a third one: `held := a; a := b; b := held`, the step of every sorting
 * of records. The swap does not read `held` again right after writing it, which the comparison of the next step would
 * wait for.
 */
import type { Place, Statement } from '../../ir/ir.ts'
import { Byte } from '../../program/scalars.ts'
import type { Type } from '../../program/type.ts'
import { mayOverlap, placeKey } from './forward.ts'
import { isInRegisters, sizeAt } from './overlap.ts'

/** `a` and `b` change places; `held` has the value of `a` afterwards. */
export interface Swap {
  readonly type: Type
  readonly a: Place
  readonly b: Place
  readonly held: Place
}

/**
 * Returns the swap that the three statements from index `i` on form. Only for places that are certain to be valid,
 * whose addresses depend on registers and constants, and with a `held` apart from both.
 */
export function swapAt(statements: readonly Statement[], i: number): Swap | undefined {
  const [first, second, third] = [statements[i], statements[i + 1], statements[i + 2]]
  if (first?.kind !== 'copy' || second?.kind !== 'copy' || third?.kind !== 'copy') return undefined
  const { type, from: a, to: held } = first
  const b = second.from
  if (!isSame(second.to, a) || !isSame(third.from, held) || !isSame(third.to, b)) return undefined
  if (a.isStandard !== held.isStandard || a.isStandard !== b.isStandard) return undefined
  const size = sizeAt(type, a)
  if (!isInRegisters(size) || sizeAt(second.type, a) !== size || sizeAt(third.type, a) !== size) return undefined
  return mayOverlap(held, size, a, size) || mayOverlap(held, size, b, size) ? undefined : { type, a, b, held }
}

/** Whether two places are certain to be the same. */
function isSame(one: Place, other: Place): boolean {
  const key = placeKey(one, Byte)
  return key !== undefined && key === placeKey(other, Byte)
}
