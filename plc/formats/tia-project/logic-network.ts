/** LAD and FBD networks: the stored `FlgNet` as a logic network. */
import { defined } from '../../../lib/optional.ts'
import type { TemplateValue } from '../../model/instance.ts'
import type { LogicNetwork, NetworkNode, Wire, WireEnd } from '../../model/logic-network.ts'
import { child, childrenOf, type XmlElement } from '../simaticml/xml.ts'
import type { Identifiers } from './identifiers.ts'

export interface NetworkReading {
  readonly network: LogicNetwork
  /** What was not understood, each with the element it was found at. */
  readonly problems: readonly string[]
}

/** Finds the version of an instruction by its name and the entry of the library. */
export type VersionOf = (instruction: string, entry: string | undefined) => string | undefined

/** Gates that TIA Portal exports under another name. */
const gateNames: Readonly<Record<string, string>> = { CALC: 'Calc', Scale: 'Scale_X' }
/** Gates whose pins are stored in capitals where they come from another language. */
const gatesOfLogic = new Set(['A', 'O', 'X'])

/**
 * Reads a stored network.
 * @param element `FlgNet`
 * @param versionOf the version of an instruction of the library in this project, by its name and library entry
 */
export function readLogicNetwork(element: XmlElement, identifiers: Identifiers, versionOf: VersionOf): NetworkReading {
  const problems: string[] = []
  const nodes: NetworkNode[] = []
  /** Operands without an identifier: pins that are left open. */
  const open = new Set<number>()
  for (const part of child(element, 'Parts')?.children ?? []) {
    const node = readNode(part, { identifiers, versionOf, problems })
    if (node === 'open') open.add(Number(part.attributes.UId))
    else if (node) nodes.push(node)
  }
  const present = new Set(nodes.map(({ uId }) => uId))
  const logic = new Set(
    nodes.flatMap((node) => (node.kind === 'part' && gatesOfLogic.has(node.name) ? [node.uId] : [])),
  )
  const calls = new Set(nodes.flatMap((node) => (node.kind === 'call' ? [node.uId] : [])))
  const wires: Wire[] = []
  for (const wire of childrenOf(child(element, 'Wires'), 'Wire')) {
    const ends = wire.children.map((end) => readEnd(end, { open, logic, calls }, problems))
    const known = ends.filter(
      (end) => end !== undefined && (!('uId' in end) || end.kind === 'open' || present.has(end.uId)),
    )
    if (known.length > 1) wires.push({ uId: Number(wire.attributes.UId), ends: known as WireEnd[] })
  }
  const labels = childrenOf(child(element, 'Labels'), 'ORef').map(({ attributes }) => ({
    uId: Number(attributes.UId),
    name: identifiers.name(attributes.RefId) ?? '',
  }))
  for (const { name, uId } of labels) if (name === '') problems.push(`label ${uId}: its name is not in the file`)
  return { network: { labels, nodes, wires }, problems }
}

interface Around {
  readonly identifiers: Identifiers
  readonly versionOf: VersionOf
  readonly problems: string[]
}

function readNode(element: XmlElement, around: Around): NetworkNode | 'open' | undefined {
  const { identifiers, problems } = around
  const uId = Number(element.attributes.UId)
  const reference = element.attributes.RefId
  const box = {
    uId,
    negated: childrenOf(element, 'Negated').map(({ attributes }) => attributes.PinName ?? ''),
    invisible: [],
  }
  const instance = readInstance(element, identifiers, problems)
  switch (element.name) {
    case 'ORef': {
      if (reference === undefined || reference === '-1') return 'open'
      const operand = identifiers.operand(reference)
      if (operand) return { kind: 'operand', uId, operand }
      problems.push(`operand ${uId}: ${identifiers.kind(reference) ?? 'no identifier'} ${reference} is not understood`)
      return undefined
    }
    case 'Part': {
      const gate = element.attributes.Gate ?? ''
      return {
        ...box,
        kind: 'part',
        name: gateNames[gate] ?? gate,
        ...(element.attributes.DisableENO === 'true' ? { disabledEno: true } : {}),
        ...readEquation(element),
        ...(instance ? { instance } : {}),
        templates: readTemplates(element),
        automaticTyped: childrenOf(element, 'AutomaticTyped').map(({ attributes }) => attributes.Name ?? ''),
      }
    }
    case 'LRef': {
      const name = identifiers.name(reference)
      if (!name) {
        problems.push(`box ${uId}: the instruction ${reference} is not in the file's identifiers`)
        return undefined
      }
      const version = around.versionOf(name, identifiers.libraryEntry(reference))
      if (version === undefined) problems.push(`box ${uId}: the version of the instruction ${name} is not in the file`)
      return {
        ...box,
        kind: 'part',
        name,
        ...defined({ version }),
        ...(instance ? { instance } : {}),
        templates: identifiers.templates(reference, element.attributes.UId),
        automaticTyped: [],
      }
    }
    case 'CRef': {
      const codeBlock = child(element, 'CodeBlock')?.attributes.RefId ?? reference
      const callee = identifiers.callee(codeBlock)
      if (!callee) {
        problems.push(`call ${uId}: the called block ${codeBlock} is not in the file's identifiers`)
        return undefined
      }
      return {
        ...box,
        kind: 'call',
        name: callee.name,
        blockType: callee.blockType,
        ...defined({ blockNumber: callee.number }),
        ...(instance ? { instance } : {}),
        parameters: identifiers.parameters(codeBlock),
      }
    }
    default:
      problems.push(`${element.name} ${uId}: an element that is not understood`)
      return undefined
  }
}

function readInstance(element: XmlElement, identifiers: Identifiers, problems: string[]) {
  const found = child(element, 'Instance')
  const reference = found?.attributes.RefId
  if (!found || reference === undefined) return undefined
  const instance = identifiers.instance(reference)
  if (!instance) {
    problems.push(
      `box ${element.attributes.UId}: its instance (${identifiers.kind(reference) ?? reference}) is not understood`,
    )
    return undefined
  }
  return { ...instance, uId: Number(found.attributes.UId) }
}

function readTemplates(element: XmlElement): TemplateValue[] {
  return childrenOf(element, 'TemplateValue').map(({ attributes, text }) => ({
    name: attributes.Name ?? '',
    type: attributes.Type ?? 'Type',
    value: text,
  }))
}

function readEquation(element: XmlElement): { equation?: string } {
  const equation = child(element, 'Equation')
  return equation ? { equation: equation.text } : {}
}

interface Kinds {
  readonly open: ReadonlySet<number>
  readonly logic: ReadonlySet<number>
  readonly calls: ReadonlySet<number>
}

function readEnd(element: XmlElement, { open, logic, calls }: Kinds, problems: string[]): WireEnd | undefined {
  const uId = Number(element.attributes.UId)
  switch (element.name) {
    case 'Powerrail':
      return { kind: 'powerrail' }
    case 'PCon': {
      const pin = element.attributes.PinName ?? ''
      // Calls have `EN` and `ENO` in some projects, and exports the small letters.
      const isSmall = logic.has(uId) || (calls.has(uId) && /^ENO?$/.test(pin))
      return { kind: 'pin', uId, pin: isSmall ? pin.toLowerCase() : pin }
    }
    case 'OCon':
      return open.has(uId) ? { kind: 'open', uId } : { kind: 'operand', uId }
    case 'Openbranch':
      return { kind: 'openbranch' }
    case 'OpenCon':
      return { kind: 'open', uId }
    default:
      problems.push(`wire end ${element.name}: not understood`)
      return undefined
  }
}
