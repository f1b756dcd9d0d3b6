/** Names that generated code, the linker and the host share: globals, exports, functions of the host. */
import type { ImportedFunction } from '../wasm/module.ts'
import { ValueType } from '../wasm/opcodes.ts'

/** Names of the globals that all blocks share. */
export const globalNames = {
  /** ENO of the block that ended last. */
  eno: 'eno',
  /** Set by a routine that failed. */
  failed: 'failed',
  /** Lowest address of the frames in use. */
  stack: 'stack',
  /** Lowest address that frames may have. */
  limit: 'limit',
} as const

/**
 * What the host sets before it runs a block and reads at each look, in memory: JavaScript writes memory in a few
 * nanoseconds, a global takes ten times as long. Offsets in bytes.
 */
export const controlCells = {
  /** The clock in nanoseconds, an LInt. */
  now: 0,
  /** Rounds of loops until the next check by the watchdog, a DInt. */
  rounds: 8,
  size: 16,
} as const
/** Symbol of the address of these. */
export const controlSymbol = 'control'

/** Functions of the host that generated code calls directly. */
export const hostFunctions: readonly ImportedFunction[] = [
  // Number of the block, site, packed fault (library/faults.ts), address of the data block or 0.
  {
    name: 'fault',
    type: { parameters: [ValueType.i32, ValueType.i32, ValueType.i32, ValueType.i32], results: [] },
  },
  { name: 'watchdog', type: { parameters: [ValueType.i32, ValueType.i32], results: [] } },
  // Number of the block, packed access (library/faults.ts), first byte: an access past the process image (%I0.0:P).
  { name: 'periphery', type: { parameters: [ValueType.i32, ValueType.i32, ValueType.i32], results: [] } },
  { name: 'stackOverflow', type: { parameters: [ValueType.i32], results: [] } },
]

/** Symbol of a block's number. */
export function numberSymbol(block: string): string {
  return `number ${block.toLowerCase()}`
}
export function functionSymbol(block: string): string {
  return `block ${block.toLowerCase()}`
}
