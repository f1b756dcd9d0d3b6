/**
 * Rule `overlapping-outputs` over the program: several blocks assign the same bits of the process image of the outputs.
 * The rule ignores set and reset, code that runs at startup only, and blocks that no organization block reaches.
 */
import { defined } from '../../../../lib/optional.ts'
import type { Diagnostic, Program } from '../../../program/program.ts'
import { type BlockFacts, type OutputAssignment, outputText, placeText } from './block-facts.ts'
import { runningBlocks } from './running-blocks.ts'

/**
 * Returns a warning for each overlap.
 * @param facts by the name of the block in lower case, in the order of the program
 */
export function overlappingOutputs(program: Program, facts: ReadonlyMap<string, BlockFacts>): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const before = new Map<number, { readonly block: string; readonly output: OutputAssignment }>()
  const running = runningBlocks(program, facts)
  for (const [key, { outputs }] of facts) {
    if (outputs.length === 0 || !running.has(key)) continue
    const block = program.blocks.get(key)?.name ?? key
    for (const output of outputs) {
      const { first, bits, network, line, column, uId } = output
      let other: { readonly block: string; readonly output: OutputAssignment } | undefined
      for (let bit = first; bit < first + bits; bit++) {
        const held = before.get(bit)
        if (held === undefined) before.set(bit, { block, output })
        else if (held.block !== block) other ??= held
      }
      if (other === undefined) continue
      diagnostics.push({
        code: 'overlapping-outputs',
        severity: 'warning',
        object: block,
        network,
        ...defined({ line, column, uId }),
        message: `${outputText(output)} is assigned here, and ${outputText(other.output)} in "${other.block}" (${placeText(other.output)}): the block that runs last decides.`,
        hint: 'Assign each output in one block.',
      })
    }
  }
  return diagnostics
}
