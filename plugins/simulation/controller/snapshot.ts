/**
 * Copies ranges quickly out of memory that another thread writes. The copy is valid only when nothing was written
 * during it.
 */
import type { MemoryRange } from './contract.ts'

/** Number of bytes below which a loop is faster than creating a view. */
const few = 16

/** Copies ranges one after the other to `target`. */
export function copyRanges(memory: Uint8Array, ranges: readonly MemoryRange[], target: Uint8Array): void {
  let at = 0
  for (const { address, size } of ranges) {
    if (size <= few) for (let i = 0; i < size; i++) target[at + i] = memory[address + i]!
    else target.set(memory.subarray(address, address + size), at)
    at += size
  }
}

/** Total number of bytes of the ranges. */
export function sizeOf(ranges: readonly MemoryRange[]): number {
  let size = 0
  for (const range of ranges) size += range.size
  return size
}

/** Returns the parts of a buffer that `copyRanges` filled, as views of it. */
export function partsOf(ranges: readonly MemoryRange[], copied: Uint8Array): Uint8Array[] {
  let at = 0
  return ranges.map(({ size }) => {
    at += size
    return copied.subarray(at - size, at)
  })
}
