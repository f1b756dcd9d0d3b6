/** Copies ranges out of memory that another thread writes, quickly: the copy counts only when nothing was written meanwhile. */
import type { MemoryRange } from './contract.ts'

/** Below it a loop is faster than a view of its own. Bytes. */
const few = 16

/** One after the other; views of one buffer. */
export function copyRanges(memory: Uint8Array, ranges: readonly MemoryRange[], target: Uint8Array): void {
  let at = 0
  for (const { address, size } of ranges) {
    if (size <= few) for (let i = 0; i < size; i++) target[at + i] = memory[address + i] ?? 0
    else target.set(memory.subarray(address, address + size), at)
    at += size
  }
}

export function sizeOf(ranges: readonly MemoryRange[]): number {
  let size = 0
  for (const range of ranges) size += range.size
  return size
}

/** The parts of a buffer that `copyRanges` filled. */
export function partsOf(ranges: readonly MemoryRange[], copied: Uint8Array): Uint8Array[] {
  let at = 0
  return ranges.map(({ size }) => {
    at += size
    return copied.subarray(at - size, at)
  })
}
