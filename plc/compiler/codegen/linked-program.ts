/** A program as one WebAssembly module with the map of its memory: what the compiler hands to the runtime. */
import type { ImportedFunction } from '../wasm/module.ts'

/** A module with the map of its memory. Addresses are bytes. */
export interface LinkedProgram {
  readonly wasm: Uint8Array
  readonly pages: number
  readonly areas: Readonly<
    Record<'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C', { readonly address: number; readonly size: number }>
  >
  /** Written before an organization block runs, which copies it at its beginning; see `OrganizationBlock.startInformation`. */
  readonly startInformation: { readonly address: number; readonly size: number }
  /** By name in lower case. */
  readonly dataBlocks: ReadonlyMap<string, { readonly address: number; readonly size: number }>
  /** What must stand in memory before anything runs. */
  readonly constants: readonly { readonly address: number; readonly bytes: Uint8Array }[]
  /** Blocks by the number that faults name them with. */
  readonly blockNumbers: readonly string[]
  readonly stackTop: number
  /** What the module imports besides the functions of the host itself. */
  readonly routines: readonly ImportedFunction[]
}
