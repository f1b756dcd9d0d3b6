/** The parts of an object in the form in which they are compared: same facets, same meaning. */
import { canonicalNetwork, canonicalSequences } from '../languages/ladder/canonical.ts'
import type { Kept } from '../model/kept.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network } from '../model/object.ts'
import { dataForm, type StatementForm, sclStatements, type TextForms } from './notation.ts'

/** A place in the object and what is there; places are unique in their list. */
export type Placed = readonly [place: string, ...value: unknown[]]

/** The parts of an object, each plain data that can be compared as a whole. */
export interface Facets {
  readonly code: { readonly language: string; readonly code: readonly NetworkFacet[] }
  readonly interface: readonly SectionFacet[]
  readonly startValues: readonly Placed[]
  readonly comments: readonly Placed[]
  readonly properties: Readonly<Record<string, unknown>>
  readonly tags: readonly unknown[]
  readonly constants: readonly unknown[]
  readonly rows: readonly unknown[]
}

/** A network: its logic, and apart from it title and comments. */
export interface NetworkFacet {
  readonly logic: NetworkLogic
  /** The logic in the form in which notation does not count (notation.ts), as one text. */
  readonly form: string
  /** Its statements where it is a text. */
  readonly statements: readonly StatementForm[]
  /** Nothing is in it. */
  readonly isEmpty: boolean
  /** Places are `title`, `comment` and `in the code`. */
  readonly comments: readonly Placed[]
}

/** The logic of a network as it is written. UIds only number its parts: those are of the canonical form. */
export interface NetworkLogic {
  readonly language: string
  /** Statements with one blank between the words. */
  readonly code?: string
  readonly graph?: unknown
  readonly statements?: unknown
  readonly chart?: unknown
  readonly kept?: unknown
}

export interface SectionFacet {
  readonly section: string
  readonly base: readonly SectionFacet[] | undefined
  readonly members: readonly MemberFacet[]
}

export interface MemberFacet {
  readonly name: string
  readonly dataType: string
  readonly version: string | undefined
  readonly remanence: string | undefined
  readonly accessibility: string | undefined
  readonly attributes: InterfaceMember['attributes']
  readonly members: readonly MemberFacet[]
}

/** Takes an object apart. Its name and number are no part of what it means. */
export function facetsOf(object: ImportedObject): Facets {
  const comments: Placed[] = []
  if (hasText(object.title)) comments.push(['(title)', object.title])
  if (hasText(object.comment)) comments.push(['(comment)', object.comment])
  const startValues: Placed[] = []
  const sections = object.interface.map((section) => sectionFacet(section, comments, startValues))
  const locals = new Set(object.interface.flatMap(({ members }) => members.map(({ name }) => name.toLowerCase())))
  const code = object.networks.map((network) => networkFacet(network, locals))
  const { author, family, headerName, version, memoryLayout, isKnowHowProtected, secondaryType, instanceOf } = object
  const attributes = object.attributes.filter(({ name, readOnly }) => readOnly !== true && !inFields.has(name))
  const rowsOf = (rows: readonly { readonly name: string; readonly comment: object }[] | undefined) =>
    (rows ?? []).map(({ comment, ...row }) => {
      if (hasText(comment)) comments.push([row.name, comment])
      return row
    })
  return {
    code: { language: object.language, code },
    interface: sections,
    startValues,
    comments,
    properties: {
      author,
      family,
      headerName,
      version,
      memoryLayout,
      isKnowHowProtected,
      secondaryType,
      instanceOf,
      attributes,
      kept: keptContent(object.kept),
    },
    tags: rowsOf(object.tags),
    constants: rowsOf(object.constants),
    rows: object.entries ?? [],
  }
}

/** Attributes of SimaticML that an object has fields for, and its name and number. */
const inFields: ReadonlySet<string> = new Set([
  ...['Name', 'Number', 'ProgrammingLanguage', 'HeaderAuthor', 'HeaderFamily', 'HeaderName', 'HeaderVersion'],
  ...['MemoryLayout', 'IsKnowHowProtected', 'SecondaryType', 'InstanceOfName'],
])

/** Without the places among the attributes, which change with these. */
function keptContent(kept: Kept | undefined): unknown {
  return kept && { ...kept, elements: kept.elements?.map(({ xml }) => xml) }
}

const hasText = (text: object): boolean => Object.keys(text).length > 0

function sectionFacet(section: InterfaceSection, comments: Placed[], startValues: Placed[]): SectionFacet {
  return {
    section: section.section,
    base: section.base?.map((one) => sectionFacet(one, comments, startValues)),
    members: section.members.map((member) => memberFacet(member, '', comments, startValues)),
  }
}

/** What of a member is its declaration; comments and start values go into the lists, with the member's path. */
function memberFacet(member: InterfaceMember, above: string, comments: Placed[], startValues: Placed[]): MemberFacet {
  const { name, dataType, version, remanence, accessibility, attributes, members } = member
  const path = above === '' ? name : `${above}.${name}`
  if (hasText(member.comment)) comments.push([path, member.comment])
  const { startValue, startValueConstant } = member
  if (startValue !== undefined || startValueConstant !== undefined)
    startValues.push([path, startValue, startValueConstant])
  for (const { path: index, startValue: value, comment } of member.subelements ?? []) {
    if (value !== undefined) startValues.push([`${path}[${index}]`, value])
    if (comment !== undefined && hasText(comment)) comments.push([`${path}[${index}]`, comment])
  }
  const inner = members.map((one) => memberFacet(one, path, comments, startValues))
  return { name, dataType, version, remanence, accessibility, attributes, members: inner }
}

function networkFacet(network: Network, locals: ReadonlySet<string>): NetworkFacet {
  const { language, text, title, comment, graph, statements, chart, kept } = network
  const comments: Placed[] = []
  if (hasText(title)) comments.push(['title', title])
  if (hasText(comment)) comments.push(['comment', comment])
  if (text !== undefined) {
    // Statement lists have a model, and their text is split as text.
    const split = statements === undefined ? sclStatements(text, locals) : splitComments(text)
    if (split.comments.length > 0) comments.push(['in the code', split.comments])
    const code = split.statements.map(({ written }) => written).join(' ')
    const forms = statements === undefined ? split.statements.map(({ form }) => form) : dataForm(statements)
    return {
      logic: { language, code, kept },
      form: JSON.stringify([language, forms, kept]),
      statements: split.statements,
      isEmpty: code === '',
      comments,
    }
  }
  const logic = {
    language,
    graph: graph && canonicalNetwork(graph),
    statements,
    chart: chart && canonicalSequences(chart),
    kept,
  }
  const isEmpty = !graph?.nodes.length && !statements?.length && chart === undefined && kept === undefined
  // An empty network is the same in LAD and FBD, and whether a file has its element or not.
  return { logic, form: isEmpty ? '' : JSON.stringify(dataForm(logic)), statements: [], isEmpty, comments }
}

/** Statements of text that has no comments; a semicolon in a string or name ends none. */
function statementsOf(code: string): StatementForm[] {
  const found = code.match(/(?:"[^"\n]*"|'(?:\$.|[^'$\n])*'|[^;"'])+;?|["';]/g) ?? []
  return found
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((written) => ({ written, form: written.replace(/'(?:\$.|[^'$\n])*'|[^']+/g, upper) }))
}

const upper = (piece: string): string => (piece.startsWith("'") ? piece : piece.toUpperCase())

/** Strings, quoted names and comments of STL: what is not one of them is code. */
const pieces = /"[^"\n]*"|'(?:\$.|[^'$\n])*'|\/\/[^\n]*|\(\*[\s\S]*?(?:\*\)|$)|\/\*[\s\S]*?(?:\*\/|$)/g

/** Statements of a statement list without comments and with one blank between the words, and the comments. */
function splitComments(text: string): TextForms {
  const comments: string[] = []
  const kept: string[] = []
  const code = text.replace(pieces, (piece) => {
    if (/^["']/.test(piece)) {
      kept.push(piece)
      return '\0'
    }
    comments.push(piece.trim())
    return ' '
  })
  let at = 0
  const plain = code.replace(/\s+/g, ' ').trim()
  return { statements: statementsOf(plain.replace(/\0/g, () => kept[at++] ?? '')), comments }
}
