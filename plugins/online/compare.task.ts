/** What of two documents of an object differs; run on the engine, in batches. Deep imports: the engine shall not load whole plugins. */
import { isDeepStrictEqual } from 'node:util'
import { objectOf, type StoredDocument } from '../../plc/edit/stored-document.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network } from '../../plc/model/object.ts'

/**
 * - `code`: networks or statements, language
 * - `interface`: sections, names, types, retentivity and attributes of members
 * - `startValues`: start values of members
 * - `comments`: titles and comments, also those in the code
 * - `properties`: author, family, version, attributes, protection …
 * - `tags`, `constants`, `rows`: of tables
 * - `text`: nothing of these, only how it is written
 */
export type Aspect =
  | 'code'
  | 'interface'
  | 'startValues'
  | 'comments'
  | 'properties'
  | 'tags'
  | 'constants'
  | 'rows'
  | 'text'

export interface DocumentPair {
  readonly offline: StoredDocument
  readonly online: StoredDocument
}

/** One list of aspects for each pair. A document that cannot be read differs in its text. */
export function differencesOf({ pairs }: { readonly pairs: readonly DocumentPair[] }): Aspect[][] {
  return pairs.map(({ offline, online }) => {
    try {
      return differences(facetsOf(objectOf(offline)), facetsOf(objectOf(online)))
    } catch {
      return ['text']
    }
  })
}

type Facets = Readonly<Record<'code' | 'interface' | 'startValues' | 'comments' | 'properties' | 'rows', unknown>>

function differences(a: Facets, b: Facets): Aspect[] {
  const found = (Object.keys(a) as (keyof Facets)[]).filter((facet) => !isDeepStrictEqual(a[facet], b[facet]))
  return found.length > 0 ? found : ['text']
}

function facetsOf(object: ImportedObject): Facets {
  const comments: unknown[] = [object.title, object.comment]
  const startValues: unknown[] = []
  const sections = object.interface.map((section) => sectionFacet(section, comments, startValues))
  const code = object.networks.map((network) => networkFacet(network, comments))
  const { author, family, headerName, version, memoryLayout, isKnowHowProtected, secondaryType, instanceOf } = object
  const attributes = object.attributes.filter(({ readOnly }) => readOnly !== true)
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
      kept: object.kept,
    },
    rows: object.entries ?? [],
  }
}

function sectionFacet(section: InterfaceSection, comments: unknown[], startValues: unknown[]): unknown {
  return {
    section: section.section,
    base: section.base?.map((one) => sectionFacet(one, comments, startValues)),
    members: section.members.map((member) => memberFacet(member, '', comments, startValues)),
  }
}

/** What of a member is its declaration; comments and start values go into the lists, with the member's path. */
function memberFacet(member: InterfaceMember, above: string, comments: unknown[], startValues: unknown[]): unknown {
  const { name, dataType, version, remanence, accessibility, attributes, members } = member
  const path = above === '' ? name : `${above}.${name}`
  if (Object.keys(member.comment).length > 0) comments.push([path, member.comment])
  const { startValue, startValueConstant } = member
  if (startValue !== undefined || startValueConstant !== undefined)
    startValues.push([path, startValue, startValueConstant])
  for (const { path: index, startValue: value, comment } of member.subelements ?? []) {
    if (value !== undefined) startValues.push([`${path}[${index}]`, value])
    if (comment !== undefined && Object.keys(comment).length > 0) comments.push([`${path}[${index}]`, comment])
  }
  const inner = members.map((one) => memberFacet(one, path, comments, startValues))
  return { name, dataType, version, remanence, accessibility, attributes, members: inner }
}

function networkFacet(network: Network, comments: unknown[]): unknown {
  const { language, text, title, comment, graph, statements, chart, kept } = network
  if (Object.keys(title).length + Object.keys(comment).length > 0) comments.push([network.number, title, comment])
  if (text !== undefined) {
    const { code, comments: inside } = splitComments(text)
    if (inside.length > 0) comments.push([network.number, inside])
    return { language, code, kept }
  }
  return { language, graph, statements, chart, kept }
}

/** Strings, quoted names and comments of SCL and STL: what is not one of them is code. */
const pieces = /"[^"\n]*"|'(?:\$.|[^'$\n])*'|\/\/[^\n]*|\(\*[\s\S]*?(?:\*\)|$)|\/\*[\s\S]*?(?:\*\/|$)/g

/** Statements without comments and blanks between the words, and the comments. */
function splitComments(text: string): { code: string; comments: string[] } {
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
  return { code: plain.replace(/\0/g, () => kept[at++] ?? ''), comments }
}
