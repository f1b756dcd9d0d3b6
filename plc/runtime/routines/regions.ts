/** Whole values of any type in memory: their size, and clearing them. */
import { extentOf } from '../../program/layout.ts'
import { type Cell, partsOf, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { meant, type Region } from './memory.ts'

/** Returns the size of a value in its layout in bytes. */
export function sizeOfRegion({ type, isStandard }: Cell): number {
  return extentOf(type, isStandard ? 'standard' : 'optimized').size
}

/** Sets all scalars of a value to zero; texts keep their length. Does nothing when there is no variable. */
export function clearRegion({ view }: RuntimeContext, region: Region): void {
  const cell = meant(region)
  const pending: Cell[] = cell ? [cell] : []
  for (let one = pending.pop(); one; one = pending.pop()) {
    if (one.type.kind === 'scalar') writeBits(view, one.type, one, 0n)
    else pending.push(...partsOf(one))
  }
}
