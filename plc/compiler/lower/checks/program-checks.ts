/**
 * Rules over the whole program. Each compilation applies them again, to the small facts that the units of the blocks
 * contain.
 */
import type { Diagnostic, Program } from '../../../program/program.ts'
import type { BlockFacts } from './block-facts.ts'
import { instancesAcrossBlocks } from './instance-calls-across.ts'
import { overlappingOutputs } from './overlapping-outputs.ts'
import { recursiveCalls } from './recursion.ts'
import { unusedStatics } from './unused-statics.ts'

/**
 * Returns warnings about how blocks work together.
 * @param facts facts of the code blocks by their names in lower case, in the order of the program
 * @param isWhole whether all blocks are given; for a part of them only those warnings are returned that other blocks
 *   cannot change
 * @param isSound whether no block has an error: what is left out because of one would look unused
 */
export function checkProgram(
  program: Program,
  facts: ReadonlyMap<string, BlockFacts>,
  { isWhole, isSound }: { readonly isWhole: boolean; readonly isSound: boolean },
): Diagnostic[] {
  return [
    ...recursiveCalls(program, facts),
    ...(isWhole
      ? [
          ...overlappingOutputs(program, facts),
          ...instancesAcrossBlocks(program, facts),
          ...(isSound ? unusedStatics(program, facts) : []),
        ]
      : []),
  ]
}
