/** Reads `FlgNet` to a LAD or FBD network (SW.PlcBlocks.LADFBD_v5.xsd; docs/formats.md#lad-and-fbd-networks). */

import { defined } from '../../../lib/optional.ts'
import type { Instance, TemplateValue } from '../../model/instance.ts'
import type {
  CallNode,
  CallParameter,
  InstructionNode,
  LogicNetwork,
  NetworkLabel,
  NetworkNode,
  Wire,
  WireEnd,
} from '../../model/logic-network.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { keptOf, withKept } from './kept.ts'
import { checkBlockType, integer, readInstance, readOperand } from './operand-read.ts'
import { readInlineComment } from './texts.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/**
 * Reads a network. Faults: numbers that are missing, malformed or duplicate; wires to nothing, to the wrong kind of
 * element or twice into one pin; elements in places where they are not allowed.
 */
export function readLogicNetwork(net: XmlElement, faults: XmlFaults): LogicNetwork {
  const numbers: Numbers = { used: new Map(), faults }
  const labels = childrenOf(child(net, 'Labels'), 'LabelDeclaration').map((label) => readLabel(label, numbers))
  const nodes = readNodes(child(net, 'Parts'), numbers)
  const wires = readWires(child(net, 'Wires'), numbers)
  const isKnown = ({ name }: XmlElement): boolean => name === 'Labels' || name === 'Parts' || name === 'Wires'
  return { labels, nodes, wires, ...withKept(keptOf(net, ['xmlns'], isKnown)) }
}

interface Numbers {
  /** Elements by UId. */
  readonly used: Map<number, XmlElement>
  readonly faults: XmlFaults
}

/** Returns the element's UId and records it as used; 0 and a fault when it has none. */
function takeUId(element: XmlElement, { used, faults }: Numbers): number {
  const uId = integer(element, 'UId', faults)
  if (uId === undefined) {
    if (element.attributes.UId === undefined)
      faults.add('xml-structure', element, `<${element.name}> needs the attribute UId`)
    return 0
  }
  const other = used.get(uId)
  if (other !== undefined)
    faults.add('xml-reference', element, `UId ${uId} is given twice in this network, first to <${other.name}>`)
  else used.set(uId, element)
  return uId
}

function readLabel(declaration: XmlElement, numbers: Numbers): NetworkLabel {
  const label = child(declaration, 'Label')
  const name = label?.attributes.Name
  if (name === undefined)
    numbers.faults.add('xml-structure', declaration, 'a LabelDeclaration needs a <Label> with the attribute Name')
  const uId = declaration.attributes.UId === undefined ? undefined : takeUId(declaration, numbers)
  const comment = commentOf(declaration)
  const isKnown = (inner: XmlElement): boolean => inner === label || inner === comment?.element
  return {
    ...defined({ uId }),
    name: name ?? '',
    ...(comment === undefined ? {} : { comment: comment.text }),
    ...withKept(keptOf(declaration, [], isKnown)),
  }
}

/** A comment that contains only texts per culture; other comments are kept as XML. */
function commentOf(element: XmlElement): { element: XmlElement; text: MultilingualText } | undefined {
  const comment = child(element, 'Comment')
  if (comment === undefined || Object.keys(comment.attributes).some((name) => name !== 'UId')) return undefined
  const text = readInlineComment(comment)
  const count = comment.children.length
  return count > 0 && Object.keys(text).length === count ? { element: comment, text } : undefined
}

function readNodes(parts: XmlElement | undefined, numbers: Numbers): NetworkNode[] {
  const nodes: NetworkNode[] = []
  for (const element of parts?.children ?? []) {
    if (element.name === 'Access')
      nodes.push({ kind: 'operand', uId: takeUId(element, numbers), operand: readOperand(element, numbers.faults) })
    else if (element.name === 'Part') nodes.push(readInstruction(element, numbers))
    else if (element.name === 'Call') nodes.push(readCall(element, numbers))
    else
      numbers.faults.add(
        'xml-structure',
        element,
        `<${element.name}> cannot stand in Parts; allowed: Access, Part, Call`,
      )
  }
  return nodes
}

function names(element: XmlElement, name: string): string[] {
  return childrenOf(element, name).map((entry) => entry.attributes.Name ?? '')
}

const partChildren: ReadonlySet<string> = new Set(['TemplateValue', 'AutomaticTyped', 'Invisible', 'Negated'])

function readInstruction(part: XmlElement, numbers: Numbers): InstructionNode {
  const { Name: name, Version: version, DisabledENO: disabledEno } = part.attributes
  if (name === undefined || name === '')
    numbers.faults.add('xml-structure', part, 'a Part needs the attribute Name with the name of its instruction')
  const instance = child(part, 'Instance')
  const equation = child(part, 'Equation')
  const comment = commentOf(part)
  const known = ['Name', 'Version']
  if (disabledEno === 'true' || disabledEno === 'false') known.push('DisabledENO')
  return {
    kind: 'part',
    uId: takeUId(part, numbers),
    name: name ?? '',
    ...defined({ version }),
    ...(known.length === 2 ? {} : { disabledEno: disabledEno === 'true' }),
    ...(equation === undefined ? {} : { equation: equation.text }),
    ...(instance === undefined ? {} : { instance: takeInstance(instance, numbers) }),
    templates: childrenOf(part, 'TemplateValue').map(readTemplate),
    automaticTyped: names(part, 'AutomaticTyped'),
    invisible: names(part, 'Invisible'),
    negated: names(part, 'Negated'),
    ...(comment === undefined ? {} : { comment: comment.text }),
    ...withKept(
      keptOf(
        part,
        known,
        (inner) =>
          partChildren.has(inner.name) || inner === instance || inner === equation || inner === comment?.element,
      ),
    ),
  }
}

function takeInstance(element: XmlElement, numbers: Numbers): Instance {
  const uId = element.attributes.UId === undefined ? undefined : takeUId(element, numbers)
  return { ...defined({ uId }), ...readInstance(element, numbers.faults) }
}

function readTemplate(element: XmlElement): TemplateValue {
  return { name: element.attributes.Name ?? '', type: element.attributes.Type ?? '', value: element.text }
}

function readCall(call: XmlElement, numbers: Numbers): CallNode {
  const { faults } = numbers
  const info = child(call, 'CallInfo')
  if (info === undefined) faults.add('xml-structure', call, 'a Call needs a <CallInfo> that names the called block')
  else checkBlockType(info, faults)
  const uId = takeUId(call, numbers)
  const instance = child(info, 'Instance')
  const number = childrenOf(info, 'IntegerAttribute').find(isBlockNumber)
  const comment = commentOf(call)
  const isKnown = (inner: XmlElement): boolean =>
    inner === info || inner.name === 'Invisible' || inner.name === 'Negated' || inner === comment?.element
  const outer = keptOf(call, [], isKnown)
  const isKnownInfo = (inner: XmlElement): boolean =>
    inner === instance || inner === number || inner.name === 'Parameter'
  return {
    kind: 'call',
    uId,
    name: info?.attributes.Name ?? '',
    blockType: info?.attributes.BlockType ?? '',
    ...(number === undefined ? {} : { blockNumber: Number(number.text) }),
    ...(instance === undefined ? {} : { instance: takeInstance(instance, numbers) }),
    parameters: childrenOf(info, 'Parameter').map(readParameter),
    invisible: names(call, 'Invisible'),
    negated: names(call, 'Negated'),
    ...(comment === undefined ? {} : { comment: comment.text }),
    ...withKept(info === undefined ? outer : keptOf(info, ['Name', 'BlockType'], isKnownInfo, outer)),
  }
}

/** Whether it is the informative number of the called block, which exports with read-only attributes contain. */
function isBlockNumber({ attributes, text }: XmlElement): boolean {
  return attributes.Name === 'BlockNumber' && attributes.Informative === 'true' && /^\d{1,6}$/.test(text)
}

function readParameter(element: XmlElement): CallParameter {
  const { Name: name = '', Section: section, Type: type } = element.attributes
  return {
    name,
    ...defined({ section, type }),
    ...withKept(keptOf(element, ['Name', 'Section', 'Type'], () => false)),
  }
}

function readWires(wires: XmlElement | undefined, numbers: Numbers): Wire[] {
  const read: Wire[] = []
  /** Pins that a wire leads into, by UId and name. */
  const sinks = new Map<string, string>()
  for (const wire of wires?.children ?? []) {
    if (wire.name !== 'Wire') {
      numbers.faults.add('xml-structure', wire, `<${wire.name}> cannot stand in Wires; allowed: Wire`)
      continue
    }
    const uId = takeUId(wire, numbers)
    const ends: WireEnd[] = []
    for (const connector of wire.children) {
      const end = readEnd(connector, uId, numbers)
      if (end === undefined) continue
      if (end.kind === 'pin' && ends.length > 0) checkSink(connector, `${end.uId} ${end.pin}`, uId, sinks, numbers)
      ends.push(end)
    }
    if (ends.length === 0) numbers.faults.add('xml-structure', wire, `wire ${uId} has no ends`)
    read.push({ uId, ends, ...withKept(keptOf(wire, [], (inner) => inner.name in endKinds)) })
  }
  return read
}

function checkSink(connector: XmlElement, pin: string, wire: number, sinks: Map<string, string>, numbers: Numbers) {
  const other = sinks.get(pin)
  if (other === undefined) sinks.set(pin, String(wire))
  else
    numbers.faults.add(
      'xml-reference',
      connector,
      `wire ${wire} leads into pin ${JSON.stringify(connector.attributes.Name)} of UId ${connector.attributes.UId}, but wire ${other} does so already`,
    )
}

const endKinds = {
  Powerrail: 'powerrail',
  Openbranch: 'openbranch',
  OpenCon: 'open',
  IdentCon: 'operand',
  NameCon: 'pin',
} as const

function readEnd(connector: XmlElement, wire: number, numbers: Numbers): WireEnd | undefined {
  const { faults, used } = numbers
  const kind = endKinds[connector.name as keyof typeof endKinds]
  switch (kind) {
    case 'powerrail':
    case 'openbranch':
      return { kind }
    case 'open':
      return { kind, uId: takeUId(connector, numbers) }
    case 'operand':
    case 'pin': {
      const uId = integer(connector, 'UId', faults)
      const target = uId === undefined ? undefined : used.get(uId)
      const isOperand = target?.name === 'Access'
      const isBox = target?.name === 'Part' || target?.name === 'Call'
      if (target === undefined || !(isOperand || isBox))
        faults.add(
          'xml-reference',
          connector,
          `wire ${wire} leads to UId ${JSON.stringify(connector.attributes.UId ?? '')}, but Parts has no element with it`,
        )
      else if (isOperand !== (kind === 'operand'))
        faults.add(
          'xml-reference',
          connector,
          `wire ${wire} leads to UId ${uId} by ${connector.name}, but that is <${target.name}>: operands are reached by IdentCon, pins of parts and calls by NameCon`,
        )
      if (kind === 'operand') return { kind, uId: uId ?? 0 }
      const pin = connector.attributes.Name
      if (pin === undefined) faults.add('xml-structure', connector, 'a NameCon needs the attribute Name of a pin')
      return { kind, uId: uId ?? 0, pin: pin ?? '' }
    }
    default:
      faults.add(
        'xml-structure',
        connector,
        `<${connector.name}> cannot stand in a Wire; allowed: ${Object.keys(endKinds).join(', ')}`,
      )
      return undefined
  }
}
