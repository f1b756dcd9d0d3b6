/** The boxes of LAD and FBD networks with what is at their pins. */
import type { CallNode, InstructionNode, LogicNetwork } from '../model/logic-network.ts'
import type { Operand } from '../model/operand.ts'
import { operandText } from '../model/operand-text.ts'
import type { ReviewedObject } from './reviewed-program.ts'

/** A box, contact or coil. */
export interface FoundBox {
  readonly box: InstructionNode | CallNode
  readonly network: number
  /** Operands at its pins; `undefined` for a pin that other logic feeds or takes. Open pins are not in it. */
  readonly pins: ReadonlyMap<string, Operand | undefined>
}

/** Every box of the LAD and FBD networks of an object. */
export function* everyBox(object: ReviewedObject): Generator<FoundBox> {
  for (const { graph, number } of object.graphs) yield* boxesOf(graph, number)
}

function* boxesOf(graph: LogicNetwork, network: number): Generator<FoundBox> {
  const operands = new Map<number, Operand>()
  const pins = new Map<number, Map<string, Operand | undefined>>()
  for (const node of graph.nodes)
    if (node.kind === 'operand') operands.set(node.uId, node.operand)
    else pins.set(node.uId, new Map())
  for (const { ends } of graph.wires) {
    const isOpen = ends.some(({ kind }) => kind === 'open')
    const operand = ends.find((end) => end.kind === 'operand')
    for (const end of ends)
      if (end.kind === 'pin' && !isOpen)
        pins.get(end.uId)?.set(end.pin, operand?.kind === 'operand' ? operands.get(operand.uId) : undefined)
  }
  for (const node of graph.nodes) if (node.kind !== 'operand') yield { box: node, network, pins: pins.get(node.uId)! }
}

/** Every contact with its operand. */
export function* everyContact(object: ReviewedObject) {
  for (const { box, network, pins } of everyBox(object)) {
    const operand = pins.get('operand')
    if (box.kind === 'part' && box.name === 'Contact' && operand) yield { contact: box, operand, network }
  }
}

/** An operand as text in one form, for comparing. */
export function operandForm(operand: Operand): string {
  return operandText(operand).toLowerCase()
}
