/**
 * Reads `Graph` to the sequences of a GRAPH function block (SW.PlcBlocks.Graph_v6.xsd and its predecessors v1, v4, v5;
 * docs/formats.md#graph). What the model has no place for is kept at its element.
 */

import { defined } from '../../../lib/optional.ts'
import type { Kept } from '../../model/kept.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type {
  Action,
  Branch,
  Condition,
  PermanentOperation,
  Sequence,
  SequenceProgram,
  Step,
  Transition,
} from '../../model/sequence.ts'
import { readLogicNetwork } from './flgnet-read.ts'
import { elementXml, keptOf, withKept } from './kept.ts'
import { integer } from './operand-read.ts'
import { readActionLine } from './sequence-action.ts'
import { SequenceNumbers } from './sequence-check.ts'
import { readConnection } from './sequence-connection.ts'
import { completeAlarms, defaultAlarms } from './sequence-defaults.ts'
import { readStatementList } from './statement-list-read.ts'
import { structuredTextText } from './structured-text-read.ts'
import { readInlineComment } from './texts.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/**
 * Reads a sequence program. Faults: what `SequenceNumbers` checks of numbers, names and references; values the schema
 * does not know; elements without required parts; faults of the networks inside.
 */
export function readSequenceProgram(graph: XmlElement, faults: XmlFaults): SequenceProgram {
  const before = child(graph, 'PreOperations')
  const after = child(graph, 'PostOperations')
  const alarms = child(graph, 'AlarmsSettings')
  const isUsual = alarms !== undefined && completeAlarms(elementXml(alarms)) === defaultAlarms
  const numbers = new SequenceNumbers(graph, faults)
  const isKnown = (inner: XmlElement): boolean =>
    inner === before || inner === after || inner.name === 'Sequence' || (inner === alarms && isUsual)
  return {
    before: readOperations(before, faults),
    sequences: childrenOf(graph, 'Sequence').map((sequence) => readSequence(sequence, numbers, faults)),
    after: readOperations(after, faults),
    ...withKept(
      withInner(withCompleteAlarms(keptOf(graph, ['xmlns'], isKnown)), [
        keptOfGroup(before, 'PermanentOperation'),
        keptOfGroup(after, 'PermanentOperation'),
      ]),
    ),
  }
}

/** Versions later than the file's require more settings; the model contains those of the latest. */
function withCompleteAlarms(kept: Kept | undefined): Kept | undefined {
  if (kept?.elements === undefined) return kept
  const elements = kept.elements.map(({ at, xml }) => ({
    at,
    xml: xml.startsWith('<AlarmsSettings') ? completeAlarms(xml) : xml,
  }))
  return { ...kept, elements }
}

// ── What elements have in common ────────────────────────────────────────────────────────────────────────────────────

type NamedKept = readonly [name: string, kept: Kept] | undefined

/** What is unusual about an element that only groups others of one name. */
function keptOfGroup(group: XmlElement | undefined, ...names: readonly string[]): NamedKept {
  const kept = group === undefined ? undefined : keptOf(group, [], ({ name }) => names.includes(name))
  return kept === undefined ? undefined : [(group as XmlElement).name, kept]
}

function withInner(kept: Kept | undefined, groups: readonly NamedKept[]): Kept | undefined {
  const inner = groups.filter((group) => group !== undefined)
  return inner.length === 0 ? kept : { ...kept, inner: Object.fromEntries(inner) }
}

interface FoundText {
  readonly text: MultilingualText
  /** Absent for elements without texts, and for unusual ones, which are kept as they are. */
  readonly element?: XmlElement
}

/** Reads the texts of a child such as `Title` or `Comment`. */
function textsOf(parent: XmlElement, name: string): FoundText {
  const element = child(parent, name)
  if (element === undefined || element.children.length === 0) return { text: {} }
  const isUsual =
    Object.keys(element.attributes).every((attribute) => attribute === 'UId') &&
    element.children.every(
      (inner) =>
        inner.name === 'MultiLanguageText' &&
        Object.keys(inner.attributes).every((attribute) => attribute === 'Lang' || attribute === 'UId'),
    )
  const text = readInlineComment(element)
  return isUsual && Object.keys(text).length === element.children.length ? { text, element } : { text }
}

/** Reads a number that an element must have; 0 and a fault when it is missing. */
function required(element: XmlElement, name: string, faults: XmlFaults): number {
  if (element.attributes[name] === undefined)
    faults.add('xml-structure', element, `<${element.name}> needs the attribute ${name}`)
  return integer(element, name, faults) ?? 0
}

function oneOf<T extends string>(
  element: XmlElement,
  name: string,
  allowed: readonly T[],
  faults: XmlFaults,
): T | undefined {
  const value = element.attributes[name]
  if (value !== undefined && !(allowed as readonly string[]).includes(value))
    faults.add(
      'xml-value',
      element,
      `${name} is ${JSON.stringify(value)}; allowed: ${allowed.filter((entry) => entry !== '').join(', ')}`,
    )
  return value as T | undefined
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1'
}

// ── Sequences ───────────────────────────────────────────────────────────────────────────────────────────────────────

function readSequence(sequence: XmlElement, numbers: SequenceNumbers, faults: XmlFaults): Sequence {
  const title = textsOf(sequence, 'Title')
  const comment = textsOf(sequence, 'Comment')
  const [steps, transitions, branches, connections] = ['Steps', 'Transitions', 'Branches', 'Connections'].map((name) =>
    child(sequence, name),
  )
  const known = new Set([title.element, comment.element, steps, transitions, branches, connections])
  const groups = [
    keptOfGroup(steps, 'Step'),
    keptOfGroup(transitions, 'Transition'),
    keptOfGroup(branches, 'Branch'),
    keptOfGroup(connections, 'Connection'),
  ]
  const read = {
    steps: childrenOf(steps, 'Step').map((step) => readStep(step, faults)),
    transitions: childrenOf(transitions, 'Transition').map((transition) => readTransition(transition, faults)),
    branches: childrenOf(branches, 'Branch').map((branch) => readBranch(branch, faults)),
  }
  numbers.checkSequence(sequence, read)
  return {
    title: title.text,
    comment: comment.text,
    ...read,
    connections: childrenOf(connections, 'Connection').map((connection) => readConnection(connection, numbers, faults)),
    ...withKept(
      withInner(
        keptOf(sequence, [], (inner) => known.has(inner)),
        groups,
      ),
    ),
  }
}

function readStep(step: XmlElement, faults: XmlFaults): Step {
  const { Name: name, Init: init, MaximumStepTime: maximumTime, WarningTime: warningTime } = step.attributes
  if (name === undefined) faults.add('xml-structure', step, 'a Step needs the attribute Name')
  const comment = textsOf(step, 'Comment')
  const actions = child(step, 'Actions')
  const supervisions = child(step, 'Supervisions')
  const interlocks = child(step, 'Interlocks')
  const [supervision, ...otherSupervisions] = childrenOf(supervisions, 'Supervision')
  const [interlock, ...otherInterlocks] = childrenOf(interlocks, 'Interlock')
  for (const other of [...otherSupervisions, ...otherInterlocks])
    faults.add('xml-structure', other, `step ${step.attributes.Number} has more than one ${other.name}`)
  const known = new Set([comment.element, actions, supervisions, interlocks])
  const groups = [
    keptOfGroup(actions, 'Action'),
    keptOfGroup(supervisions, 'Supervision'),
    keptOfGroup(interlocks, 'Interlock'),
  ]
  const attributes = ['Number', 'Name', 'Init', 'MaximumStepTime', 'WarningTime']
  return {
    number: required(step, 'Number', faults),
    name: name ?? '',
    isInitial: isTrue(init),
    ...defined({ maximumTime, warningTime }),
    comment: comment.text,
    actions: childrenOf(actions, 'Action').map((action) => readAction(action, faults)),
    ...(supervision === undefined ? {} : { supervision: readCondition(supervision, faults) }),
    ...(interlock === undefined ? {} : { interlock: readCondition(interlock, faults) }),
    ...withKept(
      withInner(
        keptOf(step, attributes, (inner) => known.has(inner)),
        groups,
      ),
    ),
  }
}

const qualifiers = ['', 'N', 'S', 'R', 'D', 'L', 'ON', 'OFF', 'CD', 'CR', 'CS', 'CU', 'TD', 'TF', 'TL', 'TR'] as const
const events = ['', 'S1', 'S0', 'V1', 'V0', 'L1', 'L0', 'A1', 'R1'] as const

function readAction(action: XmlElement, faults: XmlFaults): Action {
  const line = readActionLine(action, faults)
  const kept = keptOf(action, ['Qualifier', 'Event', 'Interlock'], () => line.isUsual)
  return {
    qualifier: oneOf(action, 'Qualifier', qualifiers, faults) ?? '',
    event: oneOf(action, 'Event', events, faults) ?? '',
    needsInterlock: isTrue(action.attributes.Interlock),
    text: line.text,
    operands: line.operands,
    ...withKept(kept),
  }
}

/** Reads a supervision or interlock. */
function readCondition(element: XmlElement, faults: XmlFaults): Condition {
  const { condition, known, attributes } = readConditionContent(element, faults)
  return { ...condition, ...withKept(keptOf(element, attributes, (inner) => known.has(inner))) }
}

function readConditionContent(element: XmlElement, faults: XmlFaults) {
  const { ProgrammingLanguage: language } = element.attributes
  if (language === undefined)
    faults.add('xml-structure', element, `<${element.name}> needs the attribute ProgrammingLanguage, LAD or FBD`)
  const alarm = textsOf(element, 'AlarmText')
  const net = child(element, 'FlgNet')
  const condition: Condition = {
    language: language ?? '',
    ...(net === undefined ? {} : { graph: readLogicNetwork(net, faults) }),
    ...(alarm.element === undefined ? {} : { alarmText: alarm.text }),
  }
  return { condition, known: new Set([alarm.element, net]), attributes: ['ProgrammingLanguage'] }
}

function readTransition(element: XmlElement, faults: XmlFaults): Transition {
  const { Name: name, IsMissing: isMissing } = element.attributes
  if (name === undefined) faults.add('xml-structure', element, 'a Transition needs the attribute Name')
  const comment = textsOf(element, 'Comment')
  const { condition, known, attributes } = readConditionContent(element, faults)
  attributes.push('Name', 'Number')
  if (isMissing === 'false') attributes.push('IsMissing')
  return {
    ...condition,
    number: required(element, 'Number', faults),
    name: name ?? '',
    comment: comment.text,
    ...withKept(keptOf(element, attributes, (inner) => known.has(inner) || inner === comment.element)),
  }
}

const branchTypes = ['SimBegin', 'SimEnd', 'AltBegin', 'AltEnd'] as const

function readBranch(branch: XmlElement, faults: XmlFaults): Branch {
  if (branch.attributes.Type === undefined) faults.add('xml-structure', branch, 'a Branch needs the attribute Type')
  return {
    number: required(branch, 'Number', faults),
    type: oneOf(branch, 'Type', branchTypes, faults) ?? 'AltBegin',
    cardinality: required(branch, 'Cardinality', faults),
    ...withKept(keptOf(branch, ['Number', 'Type', 'Cardinality'], () => false)),
  }
}

// ── Permanent operations ────────────────────────────────────────────────────────────────────────────────────────────

function readOperations(group: XmlElement | undefined, faults: XmlFaults): PermanentOperation[] {
  return childrenOf(group, 'PermanentOperation').map((element) => readOperation(element, faults))
}

function readOperation(element: XmlElement, faults: XmlFaults): PermanentOperation {
  const { ProgrammingLanguage: language } = element.attributes
  if (language === undefined)
    faults.add('xml-structure', element, 'a PermanentOperation needs the attribute ProgrammingLanguage')
  const title = textsOf(element, 'Title')
  const comment = textsOf(element, 'Comment')
  const net = child(element, 'FlgNet')
  const list = child(element, 'StatementList')
  const known = new Set([title.element, comment.element, net, list])
  const text = child(element, 'StructuredText')
  return {
    title: title.text,
    comment: comment.text,
    language: language ?? '',
    ...(net === undefined ? {} : { graph: readLogicNetwork(net, faults) }),
    ...(list === undefined ? {} : { statements: readStatementList(list, faults).statements }),
    // The text shows the content of the element, which is kept.
    ...(text === undefined ? {} : { text: structuredTextText(text) }),
    ...withKept(keptOf(element, ['ProgrammingLanguage'], (inner) => known.has(inner))),
  }
}
