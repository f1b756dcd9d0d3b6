/** Writes sequence programs as `Graph` (SW.PlcBlocks.Graph_v6.xsd; docs/formats.md#graph), as TIA Portal does. */

import type { Kept } from '../../model/kept.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type {
  Action,
  Branch,
  Condition,
  Connection,
  PermanentOperation,
  Sequence,
  SequenceProgram,
  Step,
  Transition,
} from '../../model/sequence.ts'
import { writeLogicNetwork } from './flgnet-write.ts'
import { holds, writeChildren } from './kept.ts'
import { actionTokens } from './sequence-action.ts'
import { writeNode } from './sequence-connection.ts'
import { defaultAlarms } from './sequence-defaults.ts'
import { writeStatementList } from './statement-list-write.ts'
import { namespacesOf, type TargetVersion } from './versions.ts'
import type { XmlAttributes, XmlWriter } from './xml-write.ts'

export interface SequenceOptions {
  readonly version: TargetVersion
}

type Write = () => void

/**
 * Writes the content of a GRAPH block's one network. The networks inside are renumbered; they share the namespace of
 * the sequence program.
 * @throws FormatError as `writeLogicNetwork` and `writeStatementList` do.
 */
export function writeSequenceProgram(writer: XmlWriter, body: SequenceProgram, options: SequenceOptions): void {
  const { before, sequences, after, kept } = body
  const operations = (name: string, entries: readonly PermanentOperation[]): Write =>
    group(writer, kept, name, entries, (entry) => writeOperation(writer, entry, options))
  const children = [
    operations('PreOperations', before),
    ...sequences.map((sequence) => () => writeSequence(writer, sequence, options)),
    operations('PostOperations', after),
  ]
  // The schema requires it.
  if (!holds(kept, 'AlarmsSettings')) children.push(() => writer.raw(defaultAlarms))
  element(writer, 'Graph', { xmlns: namespacesOf(options.version).graph }, kept, children)
}

function element(
  writer: XmlWriter,
  name: string,
  attributes: XmlAttributes,
  kept: Kept | undefined,
  children: readonly Write[],
): void {
  writer.element(name, { ...attributes, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

/** Writes an element that only groups others; what was kept of it is at the element around it. */
function group<T>(
  writer: XmlWriter,
  outer: Kept | undefined,
  name: string,
  entries: readonly T[],
  write: (entry: T) => void,
): Write {
  return () =>
    element(
      writer,
      name,
      {},
      outer?.inner?.[name],
      entries.map((entry) => () => write(entry)),
    )
}

/** What was kept, without the empty elements that now have a text. */
function refilled(
  kept: Kept | undefined,
  texts: Readonly<Record<string, MultilingualText | undefined>>,
): Kept | undefined {
  const isRefilled = (xml: string): boolean =>
    Object.entries(texts).some(([name, text]) => xml === `<${name} />` && Object.keys(text ?? {}).length > 0)
  if (kept?.elements?.some(({ xml }) => isRefilled(xml)) !== true) return kept
  return { ...kept, elements: kept.elements.filter(({ xml }) => !isRefilled(xml)) }
}

/**
 * Writes `Title`, `Comment` and similar elements; nothing without texts, and nothing when the element was kept as it
 * is.
 */
function texts(writer: XmlWriter, name: string, text: MultilingualText | undefined, kept: Kept | undefined): Write[] {
  const entries = Object.entries(text ?? {})
  if (entries.length === 0 || holds(kept, name)) return []
  return [
    () =>
      writer.element(name, {}, () => {
        for (const [culture, value] of entries) writer.leaf('MultiLanguageText', { Lang: culture }, value)
      }),
  ]
}

function writeSequence(writer: XmlWriter, sequence: Sequence, options: SequenceOptions): void {
  const { title, comment, steps, transitions, branches, connections } = sequence
  const kept = refilled(sequence.kept, { Title: title, Comment: comment })
  element(writer, 'Sequence', {}, kept, [
    ...texts(writer, 'Title', title, kept),
    ...texts(writer, 'Comment', comment, kept),
    group(writer, kept, 'Steps', steps, (step) => writeStep(writer, step, options)),
    group(writer, kept, 'Transitions', transitions, (transition) => writeTransition(writer, transition, options)),
    group(writer, kept, 'Branches', branches, (branch) => writeBranch(writer, branch)),
    group(writer, kept, 'Connections', connections, (connection) => writeConnection(writer, connection)),
  ])
}

function writeStep(writer: XmlWriter, step: Step, options: SequenceOptions): void {
  const { number, name, isInitial, maximumTime, warningTime, comment, actions, supervision, interlock } = step
  const kept = refilled(step.kept, { Comment: comment })
  const attributes = {
    Number: number,
    Init: String(isInitial),
    Name: name,
    MaximumStepTime: maximumTime,
    WarningTime: warningTime,
  }
  const conditions = (names: string, condition: Condition | undefined): Write =>
    group(writer, kept, names, condition === undefined ? [] : [condition], (entry) =>
      writeCondition(writer, names.slice(0, -1), {}, entry, [], options),
    )
  element(writer, 'Step', attributes, kept, [
    ...texts(writer, 'Comment', comment, kept),
    group(writer, kept, 'Actions', actions, (action) => writeAction(writer, action)),
    conditions('Supervisions', supervision),
    conditions('Interlocks', interlock),
  ])
}

function writeAction(writer: XmlWriter, { qualifier, event, needsInterlock, text, kept }: Action): void {
  const attributes = {
    Event: event || undefined,
    Interlock: needsInterlock ? 'true' : undefined,
    Qualifier: qualifier || undefined,
  }
  // An unusual line was kept as a whole.
  const tokens = kept?.elements === undefined ? actionTokens(text) : []
  element(
    writer,
    'Action',
    attributes,
    kept,
    tokens.map((token) => () => writer.raw(token)),
  )
}

function writeCondition(
  writer: XmlWriter,
  name: string,
  attributes: XmlAttributes,
  condition: Condition,
  first: readonly Write[],
  options: SequenceOptions,
): void {
  const { language, graph, alarmText } = condition
  const kept = refilled(condition.kept, { AlarmText: alarmText })
  const children = [...first, ...texts(writer, 'AlarmText', alarmText, kept)]
  if (graph !== undefined) children.push(() => writeLogicNetwork(writer, graph, { ...options, withoutNamespace: true }))
  element(writer, name, { ...attributes, ProgrammingLanguage: language }, kept, children)
}

function writeTransition(writer: XmlWriter, transition: Transition, options: SequenceOptions): void {
  const { number, name, comment } = transition
  const kept = refilled(transition.kept, { Comment: comment })
  const attributes = { IsMissing: 'false', Name: name, Number: number }
  const condition = kept === undefined ? transition : { ...transition, kept }
  writeCondition(writer, 'Transition', attributes, condition, texts(writer, 'Comment', comment, kept), options)
}

function writeBranch(writer: XmlWriter, { number, type, cardinality, kept }: Branch): void {
  element(writer, 'Branch', { Number: number, Type: type, Cardinality: cardinality }, kept, [])
}

function writeConnection(writer: XmlWriter, { from, to, link, kept }: Connection): void {
  element(writer, 'Connection', {}, kept, [
    () => writer.element('NodeFrom', {}, () => writeNode(writer, from)),
    () => writer.element('NodeTo', {}, () => writeNode(writer, to)),
    () => writer.leaf('LinkType', {}, link),
  ])
}

function writeOperation(writer: XmlWriter, operation: PermanentOperation, options: SequenceOptions): void {
  const { title, comment, language, graph, statements } = operation
  const kept = refilled(operation.kept, { Title: title, Comment: comment })
  const children = [...texts(writer, 'Title', title, kept), ...texts(writer, 'Comment', comment, kept)]
  if (graph !== undefined) children.push(() => writeLogicNetwork(writer, graph, { ...options, withoutNamespace: true }))
  if (statements !== undefined) children.push(() => writeStatementList(writer, statements, options))
  element(writer, 'PermanentOperation', { ProgrammingLanguage: language }, kept, children)
}
