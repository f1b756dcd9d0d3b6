/** Networks: `FlgNet` (LAD, FBD), `Graph`, `StructuredText` and `StatementList` below `NetworkSource` (formats.md 1.6-1.8). */

import type { Network, NetworkPart } from '../model/object.ts'
import { partsOfGraph } from '../model/parts.ts'
import { readLogicGraph } from './graph-read.ts'
import { checkScope } from './operand-read.ts'
import { statementListText } from './statement-list.ts'
import { structuredTextText } from './structured-text-read.ts'
import type { XmlElement, XmlFaults } from './xml.ts'

/** Content of one network; `source` is the element `NetworkSource`. */
export function readNetworkSource(
  source: XmlElement | undefined,
  faults: XmlFaults,
): Pick<Network, 'parts' | 'text' | 'graph' | 'statements' | 'chart'> {
  const content = source?.children[0]
  switch (content?.name) {
    case 'FlgNet': {
      const graph = readLogicGraph(content, faults)
      return { graph, parts: partsOfGraph(graph) }
    }
    case 'Graph':
      return { parts: readChart(content, faults) }
    case 'StructuredText':
      checkScopes(content, faults)
      return { parts: [], text: structuredTextText(content) }
    case 'StatementList':
      checkScopes(content, faults)
      return { parts: [], text: statementListText(content) }
    default:
      return { parts: [] }
  }
}

function checkScopes(element: XmlElement, faults: XmlFaults): void {
  const pending: XmlElement[] = [element]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.name === 'Access') checkScope(at, faults)
    for (const inner of at.children) pending.push(inner)
  }
}

/** Steps and transitions of all sequences, then the parts of every network inside. */
function readChart(chart: XmlElement, faults: XmlFaults): NetworkPart[] {
  const parts: NetworkPart[] = []
  const nets: XmlElement[] = []
  const pending: XmlElement[] = [chart]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.name === 'FlgNet') {
      nets.push(at)
      continue
    }
    if (at.name === 'Step' || at.name === 'Transition')
      parts.push({
        uId: Number(at.attributes.Number ?? 0),
        type: at.name,
        ...(at.attributes.Name === undefined ? {} : { signal: at.attributes.Name }),
        negated: false,
        isGlobal: false,
        parameters: [],
      })
    for (let i = at.children.length - 1; i >= 0; i--) pending.push(at.children[i] as XmlElement)
  }
  for (const net of nets) parts.push(...partsOfGraph(readLogicGraph(net, faults)))
  return parts
}
