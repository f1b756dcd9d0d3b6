/**
 * Rule `overlapping-outputs` inside a block: LAD and FBD assign the same output at two places in every call, so the
 * first assignment has no effect.
 */
import type { BlockContext } from '../block-context.ts'
import { type FoundOutput, outputText, placeText } from './block-facts.ts'

/** Reports each coil or box that overwrites an earlier assignment to the same output. */
export function checkDoubleCoils(context: BlockContext, outputs: readonly FoundOutput[]): void {
  const before = new Map<number, FoundOutput>()
  for (const output of outputs) {
    const { first, bits, isAlways, network, uId } = output
    // Only elements of LAD and FBD networks should write an output once: a text often assigns a default first, then
    // another value.
    if (!isAlways || uId === undefined) continue
    let other: FoundOutput | undefined
    for (let bit = first; bit < first + bits; bit++) {
      other ??= before.get(bit)
      before.set(bit, output)
    }
    if (other === undefined) continue
    context.diagnostics.push({
      code: 'overlapping-outputs',
      severity: 'warning',
      object: context.block.name,
      network,
      uId,
      message: `${outputText(output)} is assigned here, and ${outputText(other)} in ${placeText(other)} of the same block: the last one counts.`,
      hint: 'Bring both conditions together in front of one coil, or use set and reset.',
    })
  }
}
