/** Whole values in memory, whatever their type: their size, and clearing them. */
import { extentOf } from '../../program/layout.ts'
import { type Cell, partsOf, writeBits } from '../cells.ts'
import type { RuntimeContext } from '../context.ts'
import { meant, type Region } from './memory.ts'

/** Bytes of a value as it lies. */
export function sizeOfRegion({ type, isStandard }: Cell): number {
  return extentOf(type, isStandard ? 'standard' : 'optimized').size
}

/** Zeros for all scalars of a value; texts keep their length. Nothing where there is no variable. */
export function clearRegion({ view }: RuntimeContext, region: Region): void {
  const cell = meant(region)
  const pending: Cell[] = cell ? [cell] : []
  for (let one = pending.pop(); one; one = pending.pop()) {
    if (one.type.kind === 'scalar') writeBits(view, one.type, one, 0n)
    else pending.push(...partsOf(one))
  }
}
