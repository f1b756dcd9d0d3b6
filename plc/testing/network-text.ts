/**
 * LAD and FBD networks as text in the order in which they are written, with the UIds that messages name: each box with
 * its options on a line, then all wires. network-lines.ts is without order and UIds.
 */
import type { TemplateValue } from '../model/instance.ts'
import type { LogicNetwork, NetworkNode, WireEnd } from '../model/logic-network.ts'
import { operandText, pathText } from '../model/operand-text.ts'

/** Returns the network as text. */
export function networkText({ labels, nodes, wires }: LogicNetwork): string {
  const operands = new Map(nodes.flatMap((node) => (node.kind === 'operand' ? [[node.uId, node.operand]] : [])))
  const endText = (end: WireEnd): string => {
    if (end.kind === 'pin') return `${end.uId}.${end.pin}`
    if (end.kind !== 'operand') return end.kind
    const operand = operands.get(end.uId)
    return operand ? operandText(operand) : `operand ${end.uId}`
  }
  return [
    ...labels.map(({ name }) => `  label ${name}`),
    ...nodes.flatMap((node) => boxText(node)),
    ...(wires.length === 0 ? [] : [`  ${wires.map(({ ends }) => ends.map(endText).join(' > ')).join('; ')}`]),
  ].join('\n')
}

function boxText(node: NetworkNode): string[] {
  if (node.kind === 'operand') return []
  const { uId, name, negated, invisible, instance } = node
  const template = ({ name: one, value }: TemplateValue) => `${one}=${value}`
  const own =
    node.kind === 'call'
      ? [
          `calls ${node.blockType}`,
          ...node.parameters.map((one) => `${one.section ?? ''} ${one.name} : ${one.type ?? ''}`.trim()),
        ]
      : [
          node.version && `version ${node.version}`,
          node.disabledEno !== undefined && `disabledEno ${node.disabledEno}`,
          node.equation && `equation ${node.equation}`,
          ...node.templates.map(template),
          ...node.automaticTyped.map((one) => `automatic ${one}`),
        ]
  const facts = [
    instance && `of ${pathText(instance.scope, instance.path)}`,
    ...own,
    ...negated.map((pin) => `not ${pin}`),
    ...invisible.map((pin) => `hides ${pin}`),
  ].filter(Boolean)
  return [`  ${uId} ${name}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`]
}
