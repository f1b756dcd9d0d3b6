/** Compares networks in what SIMATIC SD can express. */

import { canonicalNetwork } from '../../languages/ladder/canonical.ts'
import {
  type CallNode,
  callName,
  type LogicNetwork,
  type NetworkNode,
  type OperandNode,
} from '../../model/logic-network.ts'
import type { LiteralOperand, Operand, PathComponent } from '../../model/operand.ts'

/**
 * Whether two networks are the same, apart from what SIMATIC SD leaves to the program around it: types of literals and
 * parameters, versions of instructions, numbers of called blocks, and what is not shown.
 */
export function isSameLogic(one: LogicNetwork | undefined, other: LogicNetwork | undefined): boolean {
  if (one === undefined || other === undefined)
    return [one, other].every(
      (network) => network === undefined || (network.nodes.length === 0 && network.labels.length === 0),
    )
  return JSON.stringify(plainNetwork(one)) === JSON.stringify(plainNetwork(other))
}

function plainNetwork(network: LogicNetwork): unknown {
  const { labels, nodes, wires } = canonicalNetwork(network)
  return {
    labels: labels.map(({ name }) => name),
    nodes: nodes.map((node) => {
      if (node.kind === 'operand') return ['operand', plainOperand(node.operand)]
      const instance = node.instance && [node.instance.scope, node.instance.path.map(plainComponent)]
      if (node.kind === 'call') return ['call', instance ?? node.name, node.negated]
      const { name, disabledEno, equation, templates, automaticTyped, negated } = node
      // A type that follows from the operands means the same whether it is written or not.
      const said = templates.filter((template) => template.value !== '')
      return [
        'part',
        name,
        disabledEno === true,
        equation,
        instance,
        said,
        automaticTyped.length > 0 ? automaticTyped : [],
        negated,
      ]
    }),
    wires: wires.map(({ ends }) => ends),
  }
}

function plainComponent(component: {
  name: string
  indices?: readonly Operand[]
  slice?: string
  access?: string
}): unknown {
  return [component.name.toUpperCase(), component.indices?.map(plainOperand), component.slice, component.access]
}

function plainOperand(operand: Operand): unknown {
  switch (operand.kind) {
    case 'symbol':
      return ['symbol', operand.scope, operand.path.map(plainComponent)]
    case 'literal':
      return ['literal', operand.value]
    case 'address':
      return ['address', operand.area, operand.blockNumber, operand.bitOffset]
    case 'constant':
      // Without the program, a global constant looks like a tag.
      return operand.scope === 'GlobalConstant'
        ? ['symbol', 'GlobalVariable', [[operand.name.toUpperCase(), undefined, undefined, undefined]]]
        : ['constant', operand.name.toUpperCase()]
    case 'label':
      return ['label', operand.name]
    default:
      return operand
  }
}

/**
 * What two networks of the same logic differ in: all that `isSameLogic` passes over. One sentence for each kind of
 * difference.
 */
export function logicLosses(before: LogicNetwork | undefined, after: LogicNetwork | undefined): string[] {
  if (before === undefined || after === undefined) return []
  const one = canonicalNetwork(before)
  const other = canonicalNetwork(after)
  if (JSON.stringify(one) === JSON.stringify(other)) return []
  const losses = new Set<string>()
  for (const [index, node] of one.nodes.entries()) {
    const twin = other.nodes[index]
    if (twin === undefined || JSON.stringify(node) === JSON.stringify(twin)) continue
    if (node.kind === 'operand' && twin.kind === 'operand') operandLosses(node.operand, twin.operand, losses)
    else if (node.kind !== 'operand' && twin.kind !== 'operand') boxLosses(node, twin, losses)
  }
  for (const [index, label] of one.labels.entries())
    if (JSON.stringify(label) !== JSON.stringify(other.labels[index]))
      losses.add(`the comment of the label ${label.name} is left out`)
  if (one.kept !== undefined) losses.add('what is not interpreted of it is left out')
  return [...losses]
}

function boxLosses(
  box: Exclude<NetworkNode, OperandNode>,
  twin: Exclude<NetworkNode, OperandNode>,
  losses: Set<string>,
) {
  const name = box.kind === 'call' ? `the call of "${callName(box)}"` : box.name
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const tell = (what: string): unknown => losses.add(`${name}: ${what} is left out`)
  if (!same(box.comment, twin.comment)) tell('its comment')
  if (!same(box.invisible, twin.invisible)) tell('which pins are not shown')
  if (!same(box.kept, twin.kept)) tell('what is not interpreted of it')
  if (!same(box.negated, twin.negated)) tell('which pins are negated')
  instanceLosses(box, twin, losses)
  if (box.kind === 'call' && twin.kind === 'call') {
    if (box.blockNumber !== undefined && twin.blockNumber === undefined) tell(`the block's number ${box.blockNumber}`)
    if (!same(plainParameters(box), plainParameters(twin)))
      losses.add(`${name}: the parameters that the call knows become those of the block`)
    // A call that is not resolved is that of an FC in SimaticML, whatever it calls.
    const isUnresolved = box.name === '' && box.instance !== undefined
    if (box.blockType !== twin.blockType && !isUnresolved)
      losses.add(`${name}: the kind ${box.blockType} becomes ${twin.blockType}`)
  } else if (box.kind === 'part' && twin.kind === 'part') {
    if (box.version !== twin.version) {
      if (twin.version === undefined) tell(`its version ${box.version}`)
      else losses.add(`${name}: its version ${box.version ?? ''} becomes ${twin.version}`.replace('  ', ' '))
    }
    if (!same(box.templates, twin.templates)) tell('a type that follows from the operands')
    if (!same(box.automaticTyped, twin.automaticTyped)) tell('that a type follows from the operands')
  }
}

/** A parameter whose type is not known has none. */
function plainParameters({ parameters }: CallNode): unknown {
  return parameters.map(({ name, section, type = '', kept }) => [name, section, type, kept])
}

function instanceLosses(
  box: Exclude<NetworkNode, OperandNode>,
  twin: Exclude<NetworkNode, OperandNode>,
  losses: Set<string>,
) {
  if (box.instance === undefined || twin.instance === undefined) return
  pathLosses(box.instance.path, twin.instance.path, losses)
  const { path: _one, ...own } = box.instance
  const { path: _other, ...others } = twin.instance
  if (JSON.stringify(own) !== JSON.stringify(others)) losses.add('what is not interpreted of an instance is left out')
}

function pathLosses(path: readonly PathComponent[], twin: readonly PathComponent[], losses: Set<string>): void {
  for (const [index, { name, indices = [], kept }] of path.entries()) {
    const other = twin[index]
    for (const [at, operand] of indices.entries()) {
      const now = other?.indices?.[at]
      if (now !== undefined) operandLosses(operand, now, losses)
    }
    if (other !== undefined && name !== other.name) losses.add(`the spelling ${name} becomes ${other.name}`)
    if (JSON.stringify(kept) !== JSON.stringify(other?.kept))
      losses.add(`what is not interpreted of ${name} is left out`)
  }
}

function operandLosses(operand: Operand, twin: Operand, losses: Set<string>): void {
  if (JSON.stringify(operand) === JSON.stringify(twin)) return
  if (operand.kind === 'literal' && twin.kind === 'literal') {
    const type = ({ type, scope }: LiteralOperand) => type ?? scope
    if (type(operand) !== type(twin))
      losses.add(`the literal ${operand.value}: its type ${type(operand)} becomes ${type(twin)}`)
    else losses.add(`the literal ${operand.value}: what is not interpreted of it is left out`)
  } else if (operand.kind === 'symbol' && twin.kind === 'symbol') pathLosses(operand.path, twin.path, losses)
  else if (operand.kind === 'constant' && twin.kind === 'symbol')
    losses.add(`that "${operand.name}" is a constant is left out: it becomes a variable where no constant has its name`)
  else if (operand.kind === 'address' && twin.kind === 'address')
    losses.add(`the address of the type ${operand.type} gets the type ${twin.type}`)
  else losses.add(`what is not interpreted of an operand is left out`)
}
