/** The boxes of a LAD or FBD network with their pins and the connections between them: what a picture is made of. */
import { flowOutputs } from '../languages/ladder/elements.ts'
import type { CallNode, InstructionNode, LogicNetwork, WireEnd } from '../model/logic-network.ts'
import { operandText, pathText } from '../model/operand-text.ts'

/** A pin of a box. */
export interface Pin {
  readonly name: string
  /** Text of the operand at the pin. */
  operand?: string
  readonly isNegated: boolean
  /** Where its power flow or value comes from: another box, or the power rail (`rail`). */
  readonly sources: Source[]
  /** Boxes that it feeds. */
  readonly targets: Target[]
}

export type Source = 'rail' | { readonly box: Box; readonly pin: Pin }

export interface Target {
  readonly box: Box
  readonly pin: Pin
}

export interface Box {
  readonly node: InstructionNode | CallNode
  readonly inputs: Pin[]
  readonly outputs: Pin[]
  /** Text of the pin `operand`, of a jump its label: it is above the symbol. */
  operand?: string
  /** Text of the pin `bit`, which is below the symbol. */
  bit?: string
}

export interface NetworkGraph {
  /** In document order. */
  readonly boxes: readonly Box[]
  /** Pins that the power rail feeds, in document order. */
  readonly fromRail: readonly Target[]
}

/** Builds the graph of a network. Wires to pins of unknown boxes are left out. */
export function graphOf({ nodes, wires }: LogicNetwork): NetworkGraph {
  const operands = new Map<number, string>()
  const boxes = new Map<number, Box>()
  for (const node of nodes) {
    if (node.kind === 'operand') operands.set(node.uId, operandText(node.operand))
    else boxes.set(node.uId, { node, inputs: [], outputs: [] })
  }
  for (const box of boxes.values()) if (box.node.kind === 'call') addParameters(box, box.node)
  const fromRail: Target[] = []
  for (const { ends } of wires) {
    const [first, ...rest] = ends
    if (first === undefined) continue
    const source = sourceOf(first, boxes)
    const texts = ends.flatMap((end) => (end.kind === 'operand' ? [operands.get(end.uId) ?? ''] : []))
    // An output can be assigned to several operands.
    const operand = texts.length === 0 ? undefined : texts.join(', ')
    if (source !== undefined && source !== 'rail' && operand !== undefined) source.pin.operand = operand
    for (const end of rest) {
      if (end.kind !== 'pin') continue
      const box = boxes.get(end.uId)
      if (box === undefined) continue
      if (operand !== undefined && first.kind === 'operand') {
        setOperand(box, end.pin, operand)
        continue
      }
      const pin = pinOf(box, box.inputs, end.pin)
      if (source === undefined) continue
      pin.sources.push(source)
      if (source === 'rail') fromRail.push({ box, pin })
      else source.pin.targets.push({ box, pin })
    }
  }
  for (const box of boxes.values()) addFlowOutput(box)
  return { boxes: [...boxes.values()], fromRail }
}

/** A box with EN shows ENO, unless the mechanism is switched off; a timer shows Q, wired or not. */
function addFlowOutput(box: Box): void {
  const { node } = box
  const output = flowOutputOf(box)
  if (output !== undefined) pinOf(box, box.outputs, output)
  if (node.kind === 'part' && node.disabledEno === true) return
  if (box.inputs.some(({ name }) => name.toLowerCase() === 'en')) pinOf(box, box.outputs, 'eno')
}

function sourceOf(end: WireEnd, boxes: ReadonlyMap<number, Box>): Source | undefined {
  if (end.kind === 'powerrail') return 'rail'
  if (end.kind !== 'pin') return undefined
  const box = boxes.get(end.uId)
  return box && { box, pin: pinOf(box, box.outputs, end.pin) }
}

function setOperand(box: Box, name: string, operand: string): void {
  // The label of a jump is above it as well.
  if (name === 'operand' || name === 'label') box.operand = operand
  else if (name === 'bit') box.bit = operand
  else pinOf(box, box.inputs, name).operand = operand
}

const flowOutputOf = ({ node }: Box) => (node.kind === 'part' ? flowOutputs.get(node.name) : undefined)

function pinOf(box: Box, pins: Pin[], name: string): Pin {
  const known = pins.find((pin) => pin.name === name)
  if (known !== undefined) return known
  const pin: Pin = { name, isNegated: box.node.negated.includes(name), sources: [], targets: [] }
  // The power flow is at the top.
  if (/^eno?$/i.test(name) || flowOutputOf(box) === name) pins.unshift(pin)
  else pins.push(pin)
  return pin
}

/** All parameters of a called block in the order of its interface, connected or not. */
function addParameters(box: Box, { parameters, invisible }: CallNode): void {
  for (const { name, section } of parameters) {
    if (invisible.includes(name)) continue
    pinOf(box, section === 'Output' || section === 'Return' ? box.outputs : box.inputs, name)
  }
}

/** Names a pin in pictures and in values: `27 out`. */
export function flowName({ node }: Box, { name }: Pick<Pin, 'name'>): string {
  return `${node.uId} ${name}`
}

/** Text of the instance of a box: `"Motor_DB"`, `#timer`. */
export function instanceText({ node: { instance } }: Box): string | undefined {
  return instance === undefined ? undefined : pathText(instance.scope, instance.path)
}
