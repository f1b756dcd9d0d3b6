/** LAD and FBD networks to the intermediate form; also the conditions of GRAPH, which are such networks. */
import { comparePins } from '../ladder/canonical.ts'
import { EDGE_BOXES, FLOW_ELEMENTS } from '../ladder/elements.ts'
import type { Box } from '../ladder/graph-index.ts'
import type { LogicGraph } from '../model/network.ts'
import type { Statement } from '../program/ir.ts'
import type { BlockContext } from './block-context.ts'
import { lowerCallNode, lowerLibraryPart } from './ladder/block-parts.ts'
import { coilParts } from './ladder/coil-parts.ts'
import { flowParts } from './ladder/flow-parts.ts'
import { type GraphSurroundings, GraphValues, type PartLowering } from './ladder/graph-values.ts'
import { s5Parts } from './ladder/s5-parts.ts'
import { typeParts } from './ladder/type-parts.ts'
import { valueParts } from './ladder/value-parts.ts'

export type { GraphSurroundings } from './ladder/graph-values.ts'

const parts: ReadonlyMap<string, PartLowering> = new Map(
  [flowParts, coilParts, s5Parts, typeParts, valueParts].flatMap((table) => Object.entries(table)),
)

/**
 * Lowers one network; faults are in `context.diagnostics` with the UId of the node.
 *
 * Coils and boxes are worked on in the order of the document, which is TIA Portal's (top to bottom, left to right); what feeds one of them right
 * before it, its inputs from top to bottom. A signal is worked out once.
 * @param surroundings where jumps lead, and what the coil at the end of a condition of GRAPH does
 */
export function lowerGraph(
  context: BlockContext,
  graph: LogicGraph,
  surroundings: GraphSurroundings = {},
): Statement[] {
  const values = new GraphValues(context, graph, surroundings)
  for (const { from, to } of values.index.strays) {
    const uId = 'uId' in to ? to.uId : 'uId' in from ? from.uId : undefined
    const place = uId === undefined ? {} : { uId }
    context.report('wrong-connection', place, 'A connection leads to something that cannot take it.')
  }
  for (const box of inOrder(values)) {
    if (box.kind === 'call') lowerCallNode(values, box)
    else (parts.get(box.name) ?? lowerLibraryPart)(values, box)
    values.done(box)
  }
  return values.statements
}

/** Each box behind those that feed it. Contacts and gates wait for the coil or box that asks for them. */
function inOrder({ index }: GraphValues): Box[] {
  const order: Box[] = []
  const state = new Map<number, 'open' | 'done'>()
  for (const root of [...index.boxes.filter((box) => !waits(index, box)), ...index.boxes]) {
    const pending: Box[] = [root]
    for (let box = pending.at(-1); box !== undefined; box = pending.at(-1)) {
      const known = state.get(box.uId)
      if (known !== undefined) {
        pending.pop()
        if (known === 'open') order.push(box)
        state.set(box.uId, 'done')
        continue
      }
      state.set(box.uId, 'open')
      for (const pin of [...index.inputs(box.uId)].sort(comparePins).reverse()) {
        const source = index.source(box.uId, pin)
        const feeder = source?.kind === 'pin' ? index.box(source.uId) : undefined
        if (feeder !== undefined && !state.has(feeder.uId)) pending.push(feeder)
      }
    }
  }
  return order
}

function waits(index: GraphValues['index'], box: Box): boolean {
  const isFlow =
    box.kind === 'part' && (FLOW_ELEMENTS.has(box.name) || EDGE_BOXES.has(box.name) || /^(O|A|X|Not)$/.test(box.name))
  if (!isFlow) return false
  return index
    .outputs(box.uId)
    .some((pin) => index.sinks({ kind: 'pin', uId: box.uId, pin }).some(({ kind }) => kind === 'pin'))
}
