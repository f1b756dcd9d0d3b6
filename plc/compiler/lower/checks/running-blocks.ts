/** Which blocks run in a cycle, for rules over the program. */
import type { Program } from '../../../program/program.ts'
import type { BlockFacts } from './block-facts.ts'

/** Numbers of startup organization blocks, besides those with the event class of startup. */
const startupNumbers = new Set([100, 101, 102])

/**
 * Blocks that organization blocks other than startup ones reach; all blocks when the program has no such organization
 * block.
 */
export function runningBlocks(program: Program, facts: ReadonlyMap<string, BlockFacts>): ReadonlySet<string> {
  const reached = new Set<string>()
  for (const key of facts.keys()) {
    const block = program.blocks.get(key)
    if (block?.kind === 'OB' && !startupNumbers.has(block.number) && !/startup/i.test(block.eventClass ?? ''))
      reached.add(key)
  }
  if (reached.size === 0) return new Set(facts.keys())
  for (const key of reached) for (const { block } of facts.get(key)?.calls ?? []) reached.add(block.toLowerCase())
  return reached
}
