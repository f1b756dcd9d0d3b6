/**
 * What clients see of a network or sequence program: its elements with the operands wired to them. Derived from the
 * model, never stored.
 */

import { defined } from '../../lib/optional.ts'
import type { Instance, TemplateValue } from './instance.ts'
import type { CallNode, InstructionNode, LogicNetwork } from './logic-network.ts'
import type { ElementPin, NetworkElement } from './object.ts'
import type { Operand } from './operand.ts'
import { operandText, pathText } from './operand-text.ts'
import type { Condition, PermanentOperation, SequenceProgram } from './sequence.ts'

/** Operands by pin name; the pins in the order of their wires. */
type PinOperands = ReadonlyMap<string, Operand>
const noPins: PinOperands = new Map()

/** Lists instructions and calls in document order. */
export function elementsOfNetwork(network: LogicNetwork): NetworkElement[] {
  const pins = pinOperands(network)
  const elements: NetworkElement[] = []
  for (const node of network.nodes) {
    if (node.kind === 'part') elements.push(instructionView(node, pins.get(node.uId) ?? noPins))
    else if (node.kind === 'call') elements.push(callView(node, pins.get(node.uId) ?? noPins))
  }
  return elements
}

/** Steps and transitions of all sequences, then the elements of every network inside. */
export function elementsOfSequences(body: SequenceProgram): NetworkElement[] {
  const elements: NetworkElement[] = []
  const inner: NetworkElement[] = []
  const addNetwork = (condition: Condition | PermanentOperation | undefined): void => {
    if (condition?.graph !== undefined) inner.push(...elementsOfNetwork(condition.graph))
  }
  body.before.forEach(addNetwork)
  for (const { steps, transitions } of body.sequences) {
    for (const { number, name, supervision, interlock } of steps) {
      elements.push(sequenceElement('Step', number, name))
      addNetwork(supervision)
      addNetwork(interlock)
    }
    for (const transition of transitions) {
      elements.push(sequenceElement('Transition', transition.number, transition.name))
      addNetwork(transition)
    }
  }
  body.after.forEach(addNetwork)
  return [...elements, ...inner]
}

function sequenceElement(type: string, number: number, name: string): NetworkElement {
  return {
    uId: number,
    type,
    ...(name === '' ? {} : { signal: name }),
    negated: false,
    isGlobal: false,
    parameters: [],
  }
}

function pinOperands({ nodes, wires }: LogicNetwork): Map<number, Map<string, Operand>> {
  const operands = new Map<number, Operand>()
  for (const node of nodes) if (node.kind === 'operand') operands.set(node.uId, node.operand)
  const pins = new Map<number, Map<string, Operand>>()
  for (const { ends } of wires) {
    let operand: Operand | undefined
    for (const end of ends) if (end.kind === 'operand') operand = operands.get(end.uId) ?? operand
    if (operand === undefined) continue
    for (const end of ends) {
      if (end.kind !== 'pin') continue
      const known = pins.get(end.uId)
      if (known === undefined) pins.set(end.uId, new Map([[end.pin, operand]]))
      else known.set(end.pin, operand)
    }
  }
  return pins
}

function instructionView(instruction: InstructionNode, pins: PinOperands): NetworkElement {
  const { uId, name, version, instance, negated } = instruction
  const operand = pins.get('operand')
  const templates = templateValues(instruction.templates)
  const parameters: ElementPin[] = []
  for (const [pin, value] of pins)
    if (pin !== 'operand') parameters.push({ name: pin, ...operandValue(value), ...negation(negated, pin) })
  return {
    uId,
    type: name,
    ...(operand === undefined ? instanceSignal(instance) : operandSignal(operand)),
    negated: negated.includes('operand'),
    ...defined({ version, templates }),
    parameters,
  }
}

function callView(call: CallNode, pins: PinOperands): NetworkElement {
  const { uId, name, instance, negated } = call
  return {
    uId,
    type: 'Call',
    ...instanceSignal(instance),
    negated: false,
    ...(name === '' ? {} : { blockName: name }),
    parameters: call.parameters.map(({ name: pin, section, type }) => ({
      name: pin,
      ...defined({ section, type }),
      ...operandValue(pins.get(pin)),
      ...negation(negated, pin),
    })),
  }
}

function operandValue(operand: Operand | undefined): { value?: string } {
  return operand === undefined ? {} : { value: operandText(operand) }
}

function negation(negated: readonly string[], pin: string): { negated?: true } {
  return negated.includes(pin) ? { negated: true } : {}
}

type Signal = Pick<NetworkElement, 'isGlobal' | 'signal' | 'address'>

function operandSignal(operand: Operand): Signal {
  const text = operandText(operand)
  return {
    signal: text,
    isGlobal: isVisibleInProgram(operand),
    ...(operand.kind === 'address' ? { address: text } : {}),
  }
}

function instanceSignal(instance: Instance | undefined): Signal {
  if (instance === undefined) return { isGlobal: false }
  return { signal: pathText(instance.scope, instance.path), isGlobal: instance.scope === 'GlobalVariable' }
}

/** Whether an operand means the same everywhere in the program. */
function isVisibleInProgram(operand: Operand): boolean {
  switch (operand.kind) {
    case 'address':
    case 'indirect':
      return true
    case 'symbol':
    case 'constant':
    case 'literal':
      return (
        operand.scope === 'GlobalVariable' || operand.scope === 'GlobalConstant' || operand.scope === 'AddressConstant'
      )
    default:
      return false
  }
}

function templateValues(templates: readonly TemplateValue[]): Record<string, string> | undefined {
  if (templates.length === 0) return undefined
  return Object.fromEntries(templates.map(({ name, value }) => [name, value]))
}
