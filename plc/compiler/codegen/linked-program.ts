/** A program as one WebAssembly module with its memory map: what the compiler gives to the runtime. */
import type { ImportedFunction } from '../wasm/module.ts'
import type { ImageUse } from './image-use.ts'

/** A module with the map of its memory. Addresses are bytes. */
export interface LinkedProgram {
  /** The bytes of the module in parts; those that are as they were at the last link are the same objects. */
  readonly wasm: readonly Uint8Array[]
  readonly pages: number
  readonly areas: Readonly<
    Record<'I' | 'Q' | 'M' | 'PI' | 'PQ' | 'T' | 'C', { readonly address: number; readonly size: number }>
  >
  /** Bytes of the process images, and of their periphery, that the program uses. */
  readonly image: ImageUse
  /**
   * The host writes it before an organization block runs, which copies it at its beginning; see
   * `OrganizationBlock.startInformation`.
   */
  readonly startInformation: {
    readonly address: number
    readonly size: number
    /** Names of the organization blocks that read it. */
    readonly readers: readonly string[]
  }
  /** Data blocks by name in lower case. */
  readonly dataBlocks: ReadonlyMap<string, { readonly address: number; readonly size: number }>
  /** Bytes that must be in memory before anything runs. */
  readonly constants: readonly { readonly address: number; readonly bytes: Uint8Array }[]
  /** Names of blocks, by the number that faults contain. */
  readonly blockNumbers: readonly string[]
  readonly stackTop: number
  /** Imported routines, without the functions of the host itself. */
  readonly routines: readonly ImportedFunction[]
}
