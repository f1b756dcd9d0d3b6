/** Elements in the power flow: contacts, comparisons, ranges, gates, inversion, edges. */

import { and, binary, isTrue, not } from '../../../ir/build.ts'
import type { Expression } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/logic-network.ts'
import { Bool } from '../../../program/scalars.ts'
import type { Comparison } from '../operator-names.ts'
import { comparison } from '../operators.ts'
import { readAs } from '../reading.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'
import { inType } from './pin-types.ts'

/** The flow before a box; FBD may leave it out. */
function before(network: NetworkValues, box: InstructionNode, pin = 'pre'): Expression | undefined {
  return network.isConnected(box, pin) ? network.flow(box, pin) : isTrue
}

/** `flow AND condition` */
function passed(flow: Expression, condition: Expression): Expression {
  return flow.kind === 'constant' && flow.value === 1n ? condition : and(flow, condition)
}

/** Evaluates an element that needs the flow and an operand; a fault in one does not hide a fault in the other. */
function pass(
  network: NetworkValues,
  box: InstructionNode,
  flow: Expression | undefined,
  condition: Expression | undefined,
): void {
  if (flow && condition) network.deliver(box, 'out', flowValue(passed(flow, network.probed(box, condition))))
}

const contact: InstructionLowering = (network, box) => {
  const flow = network.flow(box, 'in')
  pass(network, box, flow, network.flow(box, 'operand'))
}

function compare(operator: Comparison): InstructionLowering {
  return (network, box) => {
    const flow = before(network, box)
    const at = network.at(box)
    const side = (pin: string) => ({
      operand: inType(network.context, box, network.input(box, pin), 'SrcType', pin),
      at,
    })
    const value = comparison(network.context, operator, side('in1'), side('in2'), at)
    pass(network, box, flow, value.kind === 'result' ? value.expression : undefined)
  }
}

/** `min <= in <= max`, or its negation, which is TRUE for NaN (TIA help V19, "OUT_RANGE"). */
function range(isInside: boolean): InstructionLowering {
  return (network, box) => {
    const flow = before(network, box)
    const at = network.at(box)
    const read = (pin: string) => inType(network.context, box, network.input(box, pin), 'SrcType', pin)
    const low = { operand: read('min'), at }
    const given = read('in')
    const high = { operand: read('max'), at }
    const operand =
      given.kind === 'result' ? { ...given, expression: network.settle(given.expression, given.type) } : given
    const value = { operand, at }
    const left = comparison(network.context, '<=', low, value, at, false)
    const right = comparison(network.context, '<=', value, high, at, false)
    if (left.kind !== 'result' || right.kind !== 'result') return
    const inside = binary('and', Bool, left.expression, right.expression)
    pass(network, box, flow, isInside ? inside : not(inside))
  }
}

/** A gate with all its inputs, including those that its cardinality requires but that are missing. */
function gate(operator: 'and' | 'or' | 'xor'): InstructionLowering {
  return (network, box) => {
    const card = Number(box.templates.find(({ name }) => name === 'Card')?.value ?? 0)
    const wired = network.index.numbered(network.index.inputs(box.uId), 'in').numbered
    const last = Number(wired.at(-1)?.slice(2) ?? 0)
    const count = Math.max(last, Math.min(Number.isInteger(card) ? card : 0, 1000), 1)
    const inputs = Array.from({ length: count }, (_one, i) => network.flow(box, `in${i + 1}`))
    const known = inputs.filter((input) => input !== undefined)
    if (known.length < inputs.length) return
    network.deliver(box, 'out', flowValue(network.probed(box, balanced(operator, known))))
  }
}

/** Splits the inputs in halves, so that a gate of a thousand inputs is not a term a thousand levels deep. */
function balanced(operator: 'and' | 'or' | 'xor', inputs: readonly Expression[]): Expression {
  const [first] = inputs
  if (inputs.length === 1 && first) return first
  const middle = (inputs.length + 1) >> 1
  return binary(operator, Bool, balanced(operator, inputs.slice(0, middle)), balanced(operator, inputs.slice(middle)))
}

const inversion: InstructionLowering = (network, box) => {
  const flow = network.flow(box, 'in')
  if (flow) network.deliver(box, 'out', flowValue(not(flow)))
}

/** The edge of a value compared with its memory, which then gets the value. */
export function edge(
  network: NetworkValues,
  box: InstructionNode,
  value: Expression | undefined,
  isRising: boolean,
): Expression | undefined {
  const memory = network.target(box, 'bit')
  const old = readAs(network.context, memory, Bool, network.at(box), `At bit of ${box.name}`)
  if (!value || !old) return undefined
  const now = network.settle(value)
  const result = network.settle(isRising ? and(now, not(old)) : and(not(now), old))
  network.write(box, memory, flowValue(now))
  return result
}

/** The edge of an operand, evaluated with or without flow. */
function edgeContact(isRising: boolean): InstructionLowering {
  return (network, box) => {
    const before = network.isConnected(box, 'pre') ? 'pre' : network.isConnected(box, 'in') ? 'in' : undefined
    const flow = before === undefined ? isTrue : network.flow(box, before)
    const kept = flow && network.settle(flow)
    pass(network, box, kept, edge(network, box, network.flow(box, 'operand'), isRising))
  }
}

function edgeBox(isRising: boolean): InstructionLowering {
  return (network, box) => {
    const value = edge(network, box, network.flow(box, 'in'), isRising)
    if (value) network.deliver(box, 'out', flowValue(network.probed(box, value)))
  }
}

export const contacts: Readonly<Record<string, InstructionLowering>> = {
  Contact: contact,
  PContact: edgeContact(true),
  NContact: edgeContact(false),
  Eq: compare('='),
  Ne: compare('<>'),
  Lt: compare('<'),
  Le: compare('<='),
  Gt: compare('>'),
  Ge: compare('>='),
  InRange: range(true),
  OutRange: range(false),
  A: gate('and'),
  O: gate('or'),
  X: gate('xor'),
  Not: inversion,
  PBox: edgeBox(true),
  NBox: edgeBox(false),
}
