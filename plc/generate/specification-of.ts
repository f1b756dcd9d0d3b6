/**
 * Reads a block or type as its specification: the inverse of generating it. Networks are text where the text gives the
 * same network, else elements and wires.
 */

import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../lib/optional.ts'
import { languageNamed } from '../edit/network-input.ts'
import { statementsText } from '../formats/source/statements-write.ts'
import { canonicalNetwork } from '../languages/ladder/canonical.ts'
import { compileExpression } from '../languages/ladder/compile-expression.ts'
import { type DeclaredNames, declaredNames } from '../languages/ladder/declared-names.ts'
import { networkExpression } from '../languages/ladder/expression.ts'
import type { ProgramNames } from '../languages/ladder/program-names.ts'
import { FormatError } from '../model/fault.ts'
import type { LogicNetwork } from '../model/logic-network.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceSection, Network } from '../model/object.ts'
import type { Action, Condition, SequenceNode, SequenceProgram, Step, Transition } from '../model/sequence.ts'
import { systemMembers } from './chart-interface.ts'
import { memberSpecification, sectionSpecifications, textOf } from './members.ts'
import { isFieldAttribute } from './object-of.ts'
import type {
  ActionSpecification,
  BlockSpecification,
  ChartSpecification,
  ConditionSpecification,
  MemberSpecification,
  NetworkSpecification,
  SectionSpecification,
  SpecifiedKind,
} from './specification.ts'

export interface SpecificationOptions {
  /** The names of the program around it: the text of a network needs the interfaces of the blocks it calls. */
  readonly declared?: DeclaredNames
  /** LAD and FBD networks as text, where that gives the same network (default), or always as elements and wires. */
  readonly networks?: 'text' | 'graph'
}

/**
 * The specification of an object in the form of SimaticML.
 * @throws FormatError for what is no block or type of a program
 */
export function specificationOf(object: ImportedObject, options: SpecificationOptions = {}): BlockSpecification {
  const { kind, name, number, language, author, family, headerName, version, memoryLayout } = object
  const isCode = kind === 'OB' || kind === 'FB' || kind === 'FC'
  if (!isCode && !kind.endsWith('DB') && kind !== 'UDT')
    throw new FormatError([
      {
        code: 'unsupported',
        message: `a ${kind} has no specification: only blocks and types have`,
        line: 1,
        column: 1,
      },
    ])
  if (object.element.startsWith('SW.') && !/^SW\.(?:Blocks|Types)\./.test(object.element))
    throw new FormatError([
      {
        code: 'unsupported',
        message: `"${name}" is a technology object (${object.element}), which has no specification`,
        line: 1,
        column: 1,
      },
    ])
  const names = declaredNames(object.interface, options.declared ?? { objects: [], tags: [] })
  const reading: Reading = { names, isText: options.networks !== 'graph' }
  const chart = object.networks[0]?.chart
  const networks = chart === undefined ? object.networks.map((network) => networkOf(network, language, reading)) : []
  const [only] = networks
  const isPlainCode =
    language === 'SCL' && networks.length === 1 && only?.title === undefined && only?.comment === undefined
  return {
    kind: kind as SpecifiedKind,
    name,
    ...defined({ number }),
    ...(isCode ? { language: languageNamed(language) } : {}),
    ...defined({ title: textOf(object.title), comment: textOf(object.comment) }),
    ...defined({ author: author || undefined, family: family || undefined, userId: headerName || undefined }),
    ...defined({ version: version || undefined, memoryLayout: kind === 'UDT' ? undefined : memoryLayout }),
    ...defined({ eventClass: object.secondaryType, instanceOf: object.instanceOf }),
    ...(kind === 'ArrayDB' ? { dataType: object.interface[0]?.members[0]?.dataType ?? '' } : {}),
    ...attributesOf(object),
    ...interfaceOf(object),
    ...(chart === undefined ? {} : { chart: chartOf(chart, reading) }),
    ...(isPlainCode ? { code: only?.code ?? '' } : networks.length === 0 ? {} : { networks }),
  }
}

interface Reading {
  readonly names: ProgramNames
  readonly isText: boolean
}

/** Attributes that no field says, and that differ from those of a new block. */
function attributesOf({ kind, attributes, number }: ImportedObject): Pick<BlockSpecification, 'attributes'> {
  const own = attributes.filter(({ name, value, readOnly }) => {
    if (readOnly === true || isFieldAttribute(name) || (name === 'Namespace' && value === '')) return false
    return name !== 'AutoNumber' && !(name === 'SetENOAutomatically' && value === 'false')
  })
  // A number that is given is fixed, unless it is said that it is not.
  const isAuto = (attributes.find(({ name }) => name === 'AutoNumber')?.value ?? 'true') === 'true'
  if (kind !== 'UDT' && isAuto !== (number === undefined)) own.push({ name: 'AutoNumber', value: String(isAuto) })
  if (own.length === 0) return {}
  return {
    attributes: Object.fromEntries(
      own.map(({ name, value }) => [name, value === 'true' ? true : value === 'false' ? false : value]),
    ),
  }
}

/** The interface without what is made for the block anyway. */
function interfaceOf(object: ImportedObject): Pick<BlockSpecification, 'interface'> {
  const { kind, interface: sections, networks, attributes } = object
  const chart = networks[0]?.chart
  const graphVersion = attributes.find(({ name }) => name === 'GraphVersion')?.value === '5.0' ? '5.0' : '6.0'
  const own = chart === undefined ? sectionSpecifications(sections) : withoutSystem(sections, chart, graphVersion)
  const given = own.filter(
    ({ section, members: [only, ...others] }) =>
      !(kind === 'FC' && section === 'Return' && others.length === 0 && isVoid(only)),
  )
  if (kind === 'ArrayDB') {
    const [member, ...others] = given[0]?.members ?? []
    // Nothing but the array that `dataType` says.
    const isPlain = others.length === 0 && member !== undefined && Object.keys(member).length === 2
    return isPlain && member.name === object.name ? {} : { interface: given }
  }
  return given.length === 0 ? {} : { interface: given }
}

const isVoid = (member: MemberSpecification | undefined): boolean =>
  member !== undefined &&
  member.name === 'Ret_Val' &&
  /^void$/i.test(member.dataType) &&
  Object.keys(member).length === 2

/** Parameters of the system that are all there, and data of the system as it is made, are not told. */
function withoutSystem(
  sections: readonly InterfaceSection[],
  chart: SequenceProgram,
  graphVersion: '5.0' | '6.0',
): SectionSpecification[] {
  const made = systemMembers(chart, graphVersion)
  return sections.flatMap((section): SectionSpecification[] => {
    if (section.section === 'Base') return []
    const system = new Map((made.get(section.section) ?? []).map((member) => [member.name, member]))
    const isMade = (member: InterfaceSection['members'][number]) => {
      const known = system.get(member.name)
      return known !== undefined && isDeepStrictEqual(memberSpecification(member), memberSpecification(known))
    }
    const all = section.members.filter(isMade)
    const isWhole = section.section === 'Static' || all.length === system.size
    const members = isWhole ? section.members.filter((member) => !isMade(member)) : section.members
    return sectionSpecifications([{ ...section, members }])
  })
}

function networkOf(network: Network, blockLanguage: string, reading: Reading): NetworkSpecification {
  const { language, text, statements, graph } = network
  return {
    ...(language === blockLanguage ? {} : { language }),
    ...defined({ title: textOf(network.title), comment: textOf(network.comment) }),
    ...contentOf({ language, ...defined({ text, statements, graph }) }, reading),
  }
}

function contentOf(
  { language, text, statements, graph }: Pick<Network, 'language' | 'text' | 'statements' | 'graph'>,
  reading: Reading,
): NetworkSpecification {
  if (graph !== undefined) return logicOf(graph, language, reading)
  if (statements !== undefined) return { code: statementsText(statements) }
  return text === undefined ? {} : { code: text }
}

function logicOf(graph: LogicNetwork, language: string, reading: Reading): NetworkSpecification {
  const expressions = reading.isText ? exactText(graph, language, reading.names) : undefined
  return expressions === undefined ? { graph } : { expressions: oneOrMany(expressions) }
}

const oneOrMany = (texts: readonly string[]): string | readonly string[] =>
  texts.length === 1 ? (texts[0] as string) : texts

/** The network as text, when the text is read as the same network. */
function exactText(graph: LogicNetwork, language: string, names: ProgramNames): readonly string[] | undefined {
  if (language !== 'LAD' && language !== 'FBD') return undefined
  const { statements, isComplete } = networkExpression(graph, { language, detail: 'exact' })
  if (!isComplete || statements.length === 0) return undefined
  try {
    const again = compileExpression(statements, { language, names })
    return isDeepStrictEqual(canonicalNetwork(again), canonicalNetwork(graph)) ? statements : undefined
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

// ── GRAPH ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function chartOf({ before, sequences, after }: SequenceProgram, reading: Reading): ChartSpecification {
  const operations = (list: SequenceProgram['before']): NetworkSpecification[] =>
    list.map(({ title, comment, language, graph, statements }) => ({
      language,
      ...defined({ title: textOf(title), comment: textOf(comment) }),
      ...contentOf({ language, ...defined({ graph, statements }) }, reading),
    }))
  // A new block has one empty operation on each side.
  const isEmpty = (list: readonly NetworkSpecification[]) =>
    list.length === 0 || (list.length === 1 && Object.keys(list[0] ?? {}).length === 1)
  const [first, last] = [operations(before), operations(after)]
  return {
    ...(isEmpty(first) ? {} : { before: first }),
    sequences: sequences.map(({ title, comment, steps, transitions, branches, connections }) => ({
      ...defined({ title: givenText(title), comment: givenText(comment) }),
      steps: steps.map((step) => stepOf(step, reading)),
      transitions: transitions.map((transition) => transitionOf(transition, reading)),
      ...(branches.length === 0
        ? {}
        : { branches: branches.map(({ number, type, cardinality }) => ({ number, type, cardinality })) }),
      connections: connections.map(({ from, to, link }) => ({
        from: nodeText(from),
        to: nodeText(to),
        ...(link === 'Jump' ? { jump: true } : {}),
      })),
    })),
    ...(isEmpty(last) ? {} : { after: last }),
  }
}

/** In a chart an empty text stays, as its language is part of the file. */
const givenText = (text: MultilingualText): MultilingualText | undefined =>
  Object.keys(text).length === 0 ? undefined : text

function nodeText(node: SequenceNode): string {
  switch (node.kind) {
    case 'end':
      return 'END'
    case 'branch':
      return `B${node.number}.${node.in ?? node.out ?? 0}`
    default:
      return `${node.kind === 'step' ? 'S' : 'T'}${node.number}`
  }
}

function stepOf(step: Step, reading: Reading) {
  const actions = step.actions.map(actionOf)
  while (actions.at(-1) === '') actions.pop()
  return {
    number: step.number,
    name: step.name,
    ...(step.isInitial ? { initial: true } : {}),
    ...defined({ maximumTime: step.maximumTime, warningTime: step.warningTime, comment: textOf(step.comment) }),
    ...(actions.length === 0 ? {} : { actions }),
    ...defined({
      interlock: step.interlock && conditionOf(step.interlock, 'IlCoil', reading),
      supervision: step.supervision && conditionOf(step.supervision, 'SvCoil', reading),
    }),
  }
}

function actionOf({ event, qualifier, needsInterlock, text }: Action): ActionSpecification {
  if (event === '' && qualifier === '' && !needsInterlock && text === '') return ''
  return {
    ...(event === '' ? {} : { event }),
    ...(qualifier === '' ? {} : { qualifier }),
    ...(needsInterlock ? { needsInterlock } : {}),
    text,
  }
}

function transitionOf(transition: Transition, reading: Reading) {
  const condition = conditionOf(transition, 'TrCoil', reading)
  return {
    number: transition.number,
    name: transition.name,
    ...defined({ comment: textOf(transition.comment), condition }),
  }
}

/** Nothing for a condition that is always true. */
function conditionOf(
  { graph, language, alarmText }: Condition,
  coil: string,
  reading: Reading,
): ConditionSpecification | undefined {
  const content = graph === undefined ? {} : logicOf(graph, language, reading)
  const { expressions } = content
  const plain = typeof expressions === 'string' ? conditionText(expressions, coil) : undefined
  const text = alarmText === undefined ? undefined : textOf(alarmText)
  if (plain === 'TRUE' && language === 'LAD' && text === undefined) return undefined
  if (plain !== undefined && language === 'LAD' && text === undefined) return plain
  return {
    ...(language === 'FBD' ? { language } : {}),
    ...(plain === undefined ? content : { expressions: plain }),
    ...defined({ alarmText: text }),
  } as ConditionSpecification
}

/** `#a` of `TrCoil() := #a;`. */
function conditionText(statement: string, coil: string): string | undefined {
  const begin = `${coil}() := `
  return statement.startsWith(begin) ? statement.slice(begin.length).replace(/;$/, '') : undefined
}
