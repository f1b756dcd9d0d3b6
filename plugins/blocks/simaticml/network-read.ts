/** Networks: `FlgNet` (LAD, FBD), `Graph`, `StructuredText` and `StatementList` below `NetworkSource` (formats.md 1.6-1.8). */

import type { Network, NetworkPart, PartParameter } from '../model/object.ts'
import { addressText, isGlobalScope, operandText, SCOPES, symbolText } from './operand.ts'
import { statementListText } from './statement-list.ts'
import { structuredTextText } from './structured-text-read.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/** Parts and text of one network; `source` is the element `NetworkSource`. */
export function readNetworkSource(source: XmlElement | undefined, faults: XmlFaults): Pick<Network, 'parts' | 'text'> {
  const content = source?.children[0]
  switch (content?.name) {
    case 'FlgNet':
      return { parts: readFlgNet(content, faults) }
    case 'Graph':
      return { parts: readGraph(content, faults) }
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

function checkScope(access: XmlElement, faults: XmlFaults): void {
  const scope = access.attributes.Scope
  if (scope === undefined || !SCOPES.has(scope))
    faults.add(
      'xml-value',
      access,
      `Access has the unknown scope ${JSON.stringify(scope)}; allowed: ${[...SCOPES].join(', ')}`,
    )
}

/** By UId of a part and name of its pin: the operand of the IdentCon on the pin's wire. */
type PinOperands = ReadonlyMap<string, ReadonlyMap<string, XmlElement>>

/** Parts and calls of a LAD/FBD network in document order, each with the operands wired to it. */
export function readFlgNet(net: XmlElement, faults: XmlFaults): NetworkPart[] {
  const nodes = new Map<string, XmlElement>()
  const boxes: XmlElement[] = []
  for (const element of child(net, 'Parts')?.children ?? []) {
    const uId = element.attributes.UId
    if (uId !== undefined) nodes.set(uId, element)
    if (element.name === 'Access') checkScope(element, faults)
    else if (element.name === 'Part' || element.name === 'Call') boxes.push(element)
  }
  const pins = readWires(net, nodes, faults)
  return boxes.map((box) => (box.name === 'Call' ? readCall(box, pins) : readPart(box, pins)))
}

function readWires(net: XmlElement, nodes: ReadonlyMap<string, XmlElement>, faults: XmlFaults): PinOperands {
  const pins = new Map<string, Map<string, XmlElement>>()
  for (const wire of child(net, 'Wires')?.children ?? []) {
    let operand: XmlElement | undefined
    for (const connector of wire.children) {
      if (connector.name !== 'IdentCon' && connector.name !== 'NameCon') continue
      const uId = connector.attributes.UId ?? ''
      const node = nodes.get(uId)
      if (node === undefined)
        faults.add(
          'xml-reference',
          connector,
          `wire ${wire.attributes.UId ?? ''} leads to UId ${JSON.stringify(uId)}, but Parts has no element with it`,
        )
      else if (connector.name === 'IdentCon') operand = node
    }
    if (operand === undefined) continue
    for (const connector of wire.children) {
      if (connector.name !== 'NameCon') continue
      const { UId: uId = '', Name: pin = '' } = connector.attributes
      const known = pins.get(uId)
      if (known === undefined) pins.set(uId, new Map([[pin, operand]]))
      else known.set(pin, operand)
    }
  }
  return pins
}

function readPart(part: XmlElement, pins: PinOperands): NetworkPart {
  const { UId: uId, Name: type = '', Version: version } = part.attributes
  const negatedPins = new Set(childrenOf(part, 'Negated').map((element) => element.attributes.Name ?? ''))
  const operands = pins.get(uId ?? '')
  const operand = operands?.get('operand')
  const instance = child(part, 'Instance')
  const templates = readTemplates(part)
  const parameters: PartParameter[] = []
  for (const [pin, access] of operands ?? []) {
    if (pin === 'operand') continue
    parameters.push({ name: pin, value: operandText(access), ...(negatedPins.has(pin) ? { negated: true } : {}) })
  }
  return {
    uId: Number(uId ?? 0),
    type,
    ...signalOf(operand, instance),
    negated: negatedPins.has('operand'),
    ...(version === undefined ? {} : { version }),
    ...(templates === undefined ? {} : { templates }),
    parameters,
  }
}

function signalOf(
  operand: XmlElement | undefined,
  instance: XmlElement | undefined,
): Pick<NetworkPart, 'isGlobal'> & Partial<Pick<NetworkPart, 'signal' | 'address'>> {
  if (operand !== undefined) {
    const address = child(operand, 'Address')
    return {
      signal: operandText(operand),
      isGlobal: isGlobalScope(operand.attributes.Scope),
      ...(address === undefined ? {} : { address: addressText(address) }),
    }
  }
  if (instance !== undefined)
    return {
      signal: symbolText(instance, instance.attributes.Scope),
      isGlobal: isGlobalScope(instance.attributes.Scope),
    }
  return { isGlobal: false }
}

function readTemplates(part: XmlElement): Record<string, string> | undefined {
  const values = childrenOf(part, 'TemplateValue')
  if (values.length === 0) return undefined
  return Object.fromEntries(values.map((value) => [value.attributes.Name ?? '', value.text]))
}

function readCall(call: XmlElement, pins: PinOperands): NetworkPart {
  const info = child(call, 'CallInfo')
  const uId = call.attributes.UId
  const negatedPins = new Set(childrenOf(call, 'Negated').map((element) => element.attributes.Name ?? ''))
  const parameters = childrenOf(info, 'Parameter').map((parameter): PartParameter => {
    const { Name: name = '', Section: section, Type: type } = parameter.attributes
    const operand = pins.get(uId ?? '')?.get(name)
    return {
      name,
      ...(section === undefined ? {} : { section }),
      ...(type === undefined ? {} : { type }),
      ...(operand === undefined ? {} : { value: operandText(operand) }),
      ...(negatedPins.has(name) ? { negated: true } : {}),
    }
  })
  return {
    uId: Number(uId ?? 0),
    type: 'Call',
    ...signalOf(undefined, child(info, 'Instance')),
    negated: false,
    ...(info?.attributes.Name === undefined ? {} : { blockName: info.attributes.Name }),
    parameters,
  }
}

/** Steps and transitions of all sequences, then the parts of every network inside. */
function readGraph(graph: XmlElement, faults: XmlFaults): NetworkPart[] {
  const parts: NetworkPart[] = []
  const nets: XmlElement[] = []
  const pending: XmlElement[] = [graph]
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
  for (const net of nets) parts.push(...readFlgNet(net, faults))
  return parts
}
