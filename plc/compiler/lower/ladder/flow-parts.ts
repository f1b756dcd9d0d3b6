/** Parts that stand in the power flow: contacts, comparisons, ranges, gates, inversion, edges. */

import { and, binary, isTrue, not } from '../../../ir/build.ts'
import type { Expression } from '../../../ir/ir.ts'
import type { InstructionNode } from '../../../model/network.ts'
import { Bool } from '../../../program/scalars.ts'
import { type Comparison, comparison } from '../operators.ts'
import { readAs } from '../reading.ts'
import { flowValue, type InstructionLowering, type NetworkValues } from './network-values.ts'
import { inType } from './pin-types.ts'

/** The flow before a part; FBD leaves it out. */
function before(graph: NetworkValues, part: InstructionNode, pin = 'pre'): Expression | undefined {
  return graph.isConnected(part, pin) ? graph.flow(part, pin) : isTrue
}

/** `flow AND condition` */
function passed(flow: Expression, condition: Expression): Expression {
  return flow.kind === 'constant' && flow.value === 1n ? condition : and(flow, condition)
}

/** Sends on what asks for the flow and something else; a fault in one does not hide the other's. */
function pass(
  graph: NetworkValues,
  part: InstructionNode,
  flow: Expression | undefined,
  condition: Expression | undefined,
): void {
  if (flow && condition) graph.deliver(part, 'out', flowValue(passed(flow, condition)))
}

const contact: InstructionLowering = (graph, part) => {
  const flow = graph.flow(part, 'in')
  pass(graph, part, flow, graph.flow(part, 'operand'))
}

function compare(operator: Comparison): InstructionLowering {
  return (graph, part) => {
    const flow = before(graph, part)
    const at = graph.at(part)
    const side = (pin: string) => ({ operand: inType(graph.context, part, graph.input(part, pin), 'SrcType', pin), at })
    const value = comparison(graph.context, operator, side('in1'), side('in2'), at)
    pass(graph, part, flow, value.kind === 'result' ? value.expression : undefined)
  }
}

/** `min <= in <= max`, or not so. */
function range(isInside: boolean): InstructionLowering {
  return (graph, part) => {
    const flow = before(graph, part)
    const at = graph.at(part)
    const read = (pin: string) => inType(graph.context, part, graph.input(part, pin), 'SrcType', pin)
    const low = { operand: read('min'), at }
    const given = read('in')
    const high = { operand: read('max'), at }
    const operand =
      given.kind === 'result' ? { ...given, expression: graph.settle(given.expression, given.type) } : given
    const value = { operand, at }
    const left = comparison(graph.context, isInside ? '<=' : '>', low, value, at)
    const right = comparison(graph.context, isInside ? '<=' : '>', value, high, at)
    if (left.kind !== 'result' || right.kind !== 'result') return
    pass(graph, part, flow, binary(isInside ? 'and' : 'or', Bool, left.expression, right.expression))
  }
}

/** All inputs of a gate, also those its cardinality says are missing. */
function gate(operator: 'and' | 'or' | 'xor'): InstructionLowering {
  return (graph, part) => {
    const card = Number(part.templates.find(({ name }) => name === 'Card')?.value ?? 0)
    const wired = graph.index.numbered(graph.index.inputs(part.uId), 'in').numbered
    const last = Number(wired.at(-1)?.slice(2) ?? 0)
    const count = Math.max(last, Math.min(Number.isInteger(card) ? card : 0, 1000), 1)
    const inputs = Array.from({ length: count }, (_one, i) => graph.flow(part, `in${i + 1}`))
    const known = inputs.filter((input) => input !== undefined)
    if (known.length < inputs.length) return
    graph.deliver(part, 'out', flowValue(balanced(operator, known)))
  }
}

/** Halves, so that a gate of a thousand inputs is no term a thousand deep. */
function balanced(operator: 'and' | 'or' | 'xor', inputs: readonly Expression[]): Expression {
  const [first] = inputs
  if (inputs.length === 1 && first) return first
  const middle = (inputs.length + 1) >> 1
  return binary(operator, Bool, balanced(operator, inputs.slice(0, middle)), balanced(operator, inputs.slice(middle)))
}

const inversion: InstructionLowering = (graph, part) => {
  const flow = graph.flow(part, 'in')
  if (flow) graph.deliver(part, 'out', flowValue(not(flow)))
}

/** The edge of a value against its memory, which then holds the value. */
export function edge(
  graph: NetworkValues,
  part: InstructionNode,
  value: Expression | undefined,
  isRising: boolean,
): Expression | undefined {
  const memory = graph.target(part, 'bit')
  const old = readAs(graph.context, memory, Bool, graph.at(part), `At bit of ${part.name}`)
  if (!value || !old) return undefined
  const now = graph.settle(value)
  const result = graph.settle(isRising ? and(now, not(old)) : and(not(now), old))
  graph.write(part, memory, flowValue(now))
  return result
}

/** The edge of an operand; it is looked for whatever the flow is. */
function edgeContact(isRising: boolean): InstructionLowering {
  return (graph, part) => {
    const before = graph.isConnected(part, 'pre') ? 'pre' : graph.isConnected(part, 'in') ? 'in' : undefined
    const flow = before === undefined ? isTrue : graph.flow(part, before)
    const kept = flow && graph.settle(flow)
    pass(graph, part, kept, edge(graph, part, graph.flow(part, 'operand'), isRising))
  }
}

function edgeBox(isRising: boolean): InstructionLowering {
  return (graph, part) => {
    const value = edge(graph, part, graph.flow(part, 'in'), isRising)
    if (value) graph.deliver(part, 'out', flowValue(value))
  }
}

export const flowParts: Readonly<Record<string, InstructionLowering>> = {
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
