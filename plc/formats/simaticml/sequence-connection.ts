/**
 * `Connection` of a sequence program: from a step, transition or branch to the next one (SW.PlcBlocks.Graph_v6.xsd).
 */

import { defined } from '../../../lib/optional.ts'
import type { Connection, SequenceNode } from '../../model/sequence.ts'
import { keptOf, withKept } from './kept.ts'
import { integer } from './operand-read.ts'
import type { SequenceNumbers } from './sequence-check.ts'
import { child, type XmlElement, type XmlFaults } from './xml.ts'
import type { XmlWriter } from './xml-write.ts'

/** Reads a connection; faults for references that lead nowhere. */
export function readConnection(connection: XmlElement, numbers: SequenceNumbers, faults: XmlFaults): Connection {
  const [from, to, link] = ['NodeFrom', 'NodeTo', 'LinkType'].map((name) => child(connection, name))
  const type = link?.text.trim() ?? ''
  if (type !== 'Direct' && type !== 'Jump')
    faults.add('xml-value', link ?? connection, `LinkType is ${JSON.stringify(type)}; allowed: Direct, Jump`)
  const known = new Set([from, to, link])
  return {
    from: readNode(connection, from, 'NodeFrom', numbers, faults),
    to: readNode(connection, to, 'NodeTo', numbers, faults),
    link: type === 'Jump' ? 'Jump' : 'Direct',
    ...withKept(keptOf(connection, [], (inner) => known.has(inner))),
  }
}

function readNode(
  connection: XmlElement,
  node: XmlElement | undefined,
  name: string,
  numbers: SequenceNumbers,
  faults: XmlFaults,
): SequenceNode {
  const reference = node?.children[0]
  if (reference === undefined || node?.children.length !== 1) {
    faults.add(
      'xml-structure',
      node ?? connection,
      `a Connection needs <${name}> with one of StepRef, TransitionRef, BranchRef, EndConnection`,
    )
    return { kind: 'end' }
  }
  if (reference.name === 'EndConnection') return { kind: 'end' }
  if (reference.attributes.Number === undefined)
    faults.add('xml-structure', reference, `<${reference.name}> needs the attribute Number`)
  const given = integer(reference, 'Number', faults)
  const number = given ?? 0
  switch (reference.name) {
    case 'StepRef':
      if (given !== undefined) numbers.checkReference(reference, 'Step', given)
      return { kind: 'step', number }
    case 'TransitionRef':
      if (given !== undefined) numbers.checkReference(reference, 'Transition', given)
      return { kind: 'transition', number }
    case 'BranchRef': {
      const into = integer(reference, 'In', faults)
      const out = integer(reference, 'Out', faults)
      if (into === undefined && out === undefined)
        faults.add('xml-structure', reference, 'a BranchRef needs the attribute In or Out')
      if (given !== undefined && into !== undefined) numbers.checkBranch(reference, number, 'In', into)
      if (given !== undefined && out !== undefined) numbers.checkBranch(reference, number, 'Out', out)
      return {
        kind: 'branch',
        number,
        ...defined({ in: into, out }),
      }
    }
    default:
      faults.add(
        'xml-structure',
        reference,
        `<${reference.name}> cannot stand in ${name}; allowed: StepRef, TransitionRef, BranchRef, EndConnection`,
      )
      return { kind: 'end' }
  }
}

/** Writes one end of a connection. */
export function writeNode(writer: XmlWriter, node: SequenceNode): void {
  if (node.kind === 'step') writer.leaf('StepRef', { Number: node.number })
  else if (node.kind === 'transition') writer.leaf('TransitionRef', { Number: node.number })
  else if (node.kind === 'branch') writer.leaf('BranchRef', { Number: node.number, In: node.in, Out: node.out })
  else writer.leaf('EndConnection')
}
