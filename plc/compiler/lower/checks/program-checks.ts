/** Rules over the whole program. They are asked anew at each compilation, with the small facts that the units of the blocks keep. */
import type { Diagnostic, Program } from '../../../program/program.ts'
import type { BlockFacts } from './block-facts.ts'
import { overlappingOutputs } from './overlapping-outputs.ts'
import { recursiveCalls } from './recursion.ts'

/**
 * Warnings about how blocks work together.
 * @param facts of the code blocks by their names in lower case, in the order of the program
 * @param isWhole all blocks are there; of a part of them only what the others cannot change is told
 */
export function checkProgram(program: Program, facts: ReadonlyMap<string, BlockFacts>, isWhole: boolean): Diagnostic[] {
  return [...recursiveCalls(program, facts), ...(isWhole ? overlappingOutputs(program, facts) : [])]
}
