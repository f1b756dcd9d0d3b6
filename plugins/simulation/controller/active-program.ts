/** The program that a controller runs, with its memory. */
import { type GatewayError, isGatewayError } from '../../../core/index.ts'
import { problem } from '../problems.ts'
import type { Controller, LoadedProgram, MemoryRange, MemoryWrite } from './contract.ts'
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
  return problem('conflict', 'Another program was loaded meanwhile: the addresses are those of the one before.', {
    extra: { isOtherProgram: true },
  })
}

/** A program is loaded between two tries; more loads than this in the time of one access are no accident. */
const mostTries = 50

/**
 * Accesses the memory of the loaded program; when a load replaces it meanwhile, again with the new one. A load in RUN
 * is therefore not seen by those who read and write.
 * @param work finds addresses in the program and accesses the controller; it runs once for each program
 */
export async function onProgram<T>(
  controller: Pick<Controller, 'program'>,
  work: (program: LoadedProgram | undefined) => Promise<T>,
): Promise<T> {
  for (let i = 1; ; i++)
    try {
      return await work(controller.program)
    } catch (error) {
      const isOther = isGatewayError(error) && error.details.extra?.isOtherProgram === true
      if (!isOther || i === mostTries) throw error
    }
}
