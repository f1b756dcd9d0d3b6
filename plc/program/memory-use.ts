/**
 * How much memory of a CPU a compiled program takes, in bytes, as "Resources" of TIA Portal lists it: code work memory,
 * data work memory, load memory. The size of S7 machine code is not published; a block counts as many bytes as the code
 * that is generated for it, which is of the same order.
 */
import type { ProgramSymbols } from './program-symbols.ts'

/** Bytes of work memory for code and for data, and of load memory. */
export interface MemoryUse {
  readonly codeBytes: number
  readonly dataBytes: number
  readonly loadBytes: number
}

/** What a block takes. */
export interface BlockMemory extends MemoryUse {
  readonly name: string
  readonly kind: string
  readonly number: number
}

/**
 * Lists what each block takes. Load memory has code and start values of every block; data blocks that are only stored
 * there take no work memory.
 */
export function memoryOfBlocks({ codeBlocks, dataBlocks }: ProgramSymbols): BlockMemory[] {
  return [
    ...codeBlocks.map(({ name, kind, number, codeSize = 0 }) => {
      return { name, kind, number, codeBytes: codeSize, dataBytes: 0, loadBytes: codeSize }
    }),
    ...dataBlocks.map(({ name, kind, number, size, isOnlyLoaded }) => {
      return { name, kind, number, codeBytes: 0, dataBytes: isOnlyLoaded ? 0 : size, loadBytes: size }
    }),
  ]
}

/** What a program takes. */
export function memoryUse(symbols: ProgramSymbols): MemoryUse {
  let [codeBytes, dataBytes, loadBytes] = [0, 0, 0]
  for (const block of memoryOfBlocks(symbols)) {
    codeBytes += block.codeBytes
    dataBytes += block.dataBytes
    loadBytes += block.loadBytes
  }
  return { codeBytes, dataBytes, loadBytes }
}
