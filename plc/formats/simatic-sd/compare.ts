/** Compares networks in what SIMATIC SD can express. */

import { canonicalNetwork } from '../../languages/ladder/canonical.ts'
import type { LogicNetwork } from '../../model/logic-network.ts'
import type { Operand } from '../../model/operand.ts'

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
