/** Records the calls that the rule `instance-called-twice` compares. */
import type { BlockContext } from '../block-context.ts'
import type { SourceRange } from '../source-range.ts'
import { instructionOf } from '../system-instances.ts'
import type { Variable } from '../values.ts'

/** Records a call that runs whenever the current branch does. An element with a variable index may be another one. */
export function noteInstanceCall(context: BlockContext, instance: Variable, at: SourceRange): void {
  const { text, type } = instance
  if (text.includes('…')) return
  const { watch, network } = context
  watch.calls.push({ instance: text, instruction: instructionOf(type), branch: watch.branch, at: { network, ...at } })
}
