/** Records the calls that the rules about instances compare. */
import type { BlockContext } from '../block-context.ts'
import type { SourceRange } from '../source-range.ts'
import { instructionOf } from '../system-instances.ts'
import type { Variable } from '../values.ts'

/**
 * Records a call. An element with a variable index may be another one each time.
 * @param isAlways whether it runs whenever the current branch does: it has no EN
 */
export function noteInstanceCall(context: BlockContext, instance: Variable, at: SourceRange, isAlways: boolean): void {
  const { text, type } = instance
  if (text.includes('…')) return
  const { watch, network } = context
  const instruction = instructionOf(type)
  if (isAlways) watch.calls.push({ instance: text, instruction, branch: watch.branch, at: { network, ...at } })
  if (instruction !== undefined && /^T/.test(instruction))
    watch.timers.push({ instance: text, instruction, at: { network, ...at } })
}
