/** A network of LAD or FBD as lines to read: its instructions with all they have, then its connections. */

import { canonicalNetwork } from '../languages/ladder/canonical.ts'
import type { LogicNetwork, NetworkNode } from '../model/logic-network.ts'
import { operandText } from '../model/operand-text.ts'
import { outline } from './outline.ts'

/** Instructions are named with a number where a name repeats; UIds are not shown. */
export function networkLines(graph: LogicNetwork | undefined): string[] {
  if (graph === undefined) return ['no network']
  const { nodes, wires, labels } = canonicalNetwork(graph)
  const names = new Map<number, string>()
  const counts = new Map<string, number>()
  const lines = labels.map(({ name, comment }) => outline({ label: name, comment }).join(' '))
  for (const node of nodes) {
    const name = nameOf(node)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    names.set(node.uId, count === 1 || node.kind === 'operand' ? name : `${name}.${count}`)
    const detail = detailOf(node)
    if (detail !== '') lines.push(`${names.get(node.uId)}: ${detail}`)
  }
  for (const { ends } of wires) {
    const [source, ...sinks] = ends.map((end) =>
      end.kind === 'pin'
        ? `${names.get(end.uId)}.${end.pin}`
        : end.kind === 'operand'
          ? (names.get(end.uId) ?? '')
          : end.kind,
    )
    lines.push(`${source} -> ${sinks.join(' ')}`)
  }
  return lines
}

function nameOf(node: NetworkNode): string {
  if (node.kind !== 'operand') return node.name
  const { operand } = node
  const type = operand.kind === 'literal' ? `${operand.type ?? ''}#` : ''
  return `${type}${operandText(operand)}`
}

function detailOf(node: NetworkNode): string {
  if (node.kind === 'operand') return ''
  const { kind, uId: _uId, name: _name, instance, ...rest } = node
  const own = instance === undefined ? {} : { instance: `${instance.scope} ${instance.path.map((one) => one.name)}` }
  const [line = ''] =
    outline({ ...(kind === 'call' ? { kind } : {}), ...own, ...rest })
      .join(' ')
      .match(/.+/) ?? []
  return line
}
