/** The program that a controller runs, with its memory. */
import type { GatewayError } from '../../../core/index.ts'
import { problem } from '../problems.ts'
import type { LoadedProgram, MemoryRange, MemoryWrite } from './contract.ts'
import type { RetentiveLayout } from './retentive.ts'

/** A program with the memory it runs in. */
export interface Active {
  readonly program: LoadedProgram
  readonly memory: Uint8Array
  readonly generation: number
  readonly retentive: RetentiveLayout
}

/** Returns the parts of a program that the plan of a load and the retentive data use. */
export function partsOfProgram({ compiled: { linked }, symbols }: LoadedProgram) {
  return { linked, symbols }
}

/** The range that a write changes. */
export function rangeOf({ address, bytes }: MemoryWrite): MemoryRange {
  return { address, size: bytes.length }
}

/** The problem when another program was loaded during an access to memory. */
export function otherProgram(): GatewayError {
  return problem('conflict', 'Another program was loaded meanwhile: the addresses are those of the one before.')
}
