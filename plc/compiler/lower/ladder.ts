/** Lowers LAD and FBD networks to the intermediate form, and also the conditions of GRAPH, which are such networks. */

import type { Statement } from '../../ir/ir.ts'
import { boxesInOrder } from '../../languages/ladder/box-order.ts'
import { edgeBoxes, flowElements } from '../../languages/ladder/elements.ts'
import type { Box } from '../../languages/ladder/network-index.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { BlockContext } from './block-context.ts'
import { lowerCallNode, lowerLibraryBox } from './ladder/block-calls.ts'
import { coils } from './ladder/coils.ts'
import { comparisonBoxes } from './ladder/comparison-boxes.ts'
import { contacts } from './ladder/contacts.ts'
import { type InstructionLowering, type NetworkSurroundings, NetworkValues } from './ladder/network-values.ts'
import { s5Boxes } from './ladder/s5-boxes.ts'
import { typeChecks } from './ladder/type-checks.ts'
import { valueBoxes } from './ladder/value-boxes.ts'

const lowerings: ReadonlyMap<string, InstructionLowering> = new Map(
  [contacts, coils, s5Boxes, typeChecks, comparisonBoxes, valueBoxes].flatMap((table) => Object.entries(table)),
)

/** Coils of which a network has one (TIA help, "JMP", "JMPN", "RET"). */
const leaving = /^(Jump(Not)?|Return(True|False|Value)?)$/

/** Whether an element of LAD and FBD of this name is compiled as such, not as an instruction or block of the name. */
export function isLadderElement(name: string): boolean {
  return lowerings.has(name)
}

/**
 * Lowers one network; faults go to `context.diagnostics` with the UId of the node.
 *
 * Coils and boxes are evaluated in the order of the document, which is TIA Portal's (top to bottom, left to right); the
 * elements that feed one of them come right before it, its inputs from top to bottom. A signal is evaluated once.
 * @param surroundings the targets of jumps, and the effect of the coil at the end of a condition of GRAPH
 */
export function lowerLogicNetwork(
  context: BlockContext,
  network: LogicNetwork,
  surroundings: NetworkSurroundings = {},
): Statement[] {
  const values = new NetworkValues(context, network, surroundings)
  for (const { from, to } of values.index.strays) {
    const uId = 'uId' in to ? to.uId : 'uId' in from ? from.uId : undefined
    const place = uId === undefined ? {} : { uId }
    context.report('wrong-connection', place, 'A connection leads to something that cannot take it.')
  }
  const [, ...others] = network.nodes.filter((node) => node.kind === 'part' && leaving.test(node.name))
  for (const { uId } of others)
    context.report(
      'second-jump',
      { uId },
      'Another coil of this network jumps or returns already.',
      'Put it into a network of its own.',
    )
  // Contacts and gates are evaluated when a coil or box needs them.
  for (const box of boxesInOrder(values.index, (one) => !waits(values.index, one))) {
    if (box.kind === 'call') lowerCallNode(values, box)
    else (lowerings.get(box.name) ?? lowerLibraryBox)(values, box)
    values.done(box)
  }
  return values.statements
}

function waits(index: NetworkValues['index'], box: Box): boolean {
  const isFlow =
    box.kind === 'part' && (flowElements.has(box.name) || edgeBoxes.has(box.name) || /^(O|A|X|Not)$/.test(box.name))
  if (!isFlow) return false
  return index
    .outputs(box.uId)
    .some((pin) => index.sinks({ kind: 'pin', uId: box.uId, pin }).some(({ kind }) => kind === 'pin'))
}
