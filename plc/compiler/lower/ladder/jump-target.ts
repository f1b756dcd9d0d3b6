/** The label at a pin of a box that jumps to one of several labels. */
import type { Statement } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import type { Operand as ModelOperand } from '../../../model/operand.ts'
import type { NetworkValues } from './network-values.ts'

/** The operand that an output is wired to: labels can be on either side. */
function sinkOf(network: NetworkValues, { uId }: InstructionNode, pin: string): ModelOperand | undefined {
  const [end] = network.index.sinks({ kind: 'pin', uId, pin })
  return end?.kind === 'operand' ? network.index.operand(end.uId) : undefined
}

/**
 * Returns the statement of the jump to the label at a pin; `undefined`: there is no such label, which is then reported.
 */
export function jumpTarget(network: NetworkValues, box: InstructionNode, pin: string): Statement | undefined {
  const label = network.index.operandAt(box.uId, pin) ?? sinkOf(network, box, pin)
  const target = label?.kind === 'label' ? network.surroundings.jumps?.get(label.name.toUpperCase()) : undefined
  if (!target) {
    const name = label?.kind === 'label' ? `There is no label ${label.name}.` : `${pin} needs a label.`
    network.report(box, 'no-label', name, 'A label stands at the beginning of a network.')
  }
  return target
}
