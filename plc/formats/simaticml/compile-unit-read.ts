/**
 * Reads networks: `FlgNet` (LAD, FBD), `Graph`, `StructuredText` and `StatementList` below `NetworkSource`
 * (docs/formats.md#lad-and-fbd-networks and the two sections after it).
 */

import { elementsOfNetwork, elementsOfSequences } from '../../model/network-elements.ts'
import type { Network } from '../../model/object.ts'
import { readLogicNetwork } from './flgnet-read.ts'
import { checkScope } from './operand-read.ts'
import { readSequenceProgram } from './sequence-read.ts'
import { readStatementList } from './statement-list-read.ts'
import { structuredTextText } from './structured-text-read.ts'
import type { XmlElement, XmlFaults } from './xml.ts'

/** Reads the content of one network; `source` is the element `NetworkSource`. */
export function readNetworkSource(
  source: XmlElement | undefined,
  faults: XmlFaults,
): Pick<Network, 'parts' | 'text' | 'graph' | 'statements' | 'chart'> {
  const content = source?.children[0]
  switch (content?.name) {
    case 'FlgNet': {
      const graph = readLogicNetwork(content, faults)
      return { graph, parts: elementsOfNetwork(graph) }
    }
    case 'Graph': {
      const chart = readSequenceProgram(content, faults)
      return { chart, parts: elementsOfSequences(chart) }
    }
    case 'StructuredText':
      checkScopes(content, faults)
      return { parts: [], text: structuredTextText(content) }
    case 'StatementList':
      return { parts: [], ...readStatementList(content, faults) }
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
