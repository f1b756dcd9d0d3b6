/**
 * The one compare of objects of a PLC program: by meaning, not by text. Blocks, types and tables are compared with it
 * wherever two of them are: project and controller, library type and instance, two versions, two snapshots.
 */

import { isDeepStrictEqual } from 'node:util'
import { diffArrays } from 'diff'
import { shortened } from '../../lib/shortened.ts'
import type { ImportedObject } from '../model/object.ts'
import { type Facets, facetsOf, type NetworkFacet, type Placed, type SectionFacet } from './object-facets.ts'
import { objectOf, type StoredDocument } from './stored-document.ts'

/**
 * - `code`: networks or statements, language
 * - `interface`: sections, names, types, retentivity and attributes of members
 * - `startValues`: start values of members
 * - `comments`: titles and comments, also those in the code
 * - `properties`: author, family, version, attributes, protection …
 * - `tags`, `constants`, `rows`: of tables
 * - `text`: nothing of these, only how it is written
 */
const aspects = [
  'code',
  'interface',
  'startValues',
  'comments',
  'properties',
  'tags',
  'constants',
  'rows',
  'text',
] as const
export type Aspect = (typeof aspects)[number]

/** One difference, from the left object to the right one. */
export interface Difference {
  readonly aspect: Aspect
  /** `Static.motor.speed`, `network 3`, `author`, the name of a row. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed' | 'moved'
  /** As text to read; absent: there is nothing on this side. */
  readonly left?: string
  readonly right?: string
}

/** The result of a compare. */
export interface ComparedObjects {
  /** Nothing differs but, at most, how it is written. */
  readonly isSameMeaning: boolean
  /** Equal to the last character. */
  readonly isSameText: boolean
  readonly aspects: readonly Aspect[]
  readonly differences: readonly Difference[]
  /** Differences that the list has no room for. */
  readonly omitted: number
}

/** A list of differences ends here; more are counted. */
const mostDifferences = 1000
/** A search for the nearest alignment of two lists ends here: its time grows with the square of what differs. */
const mostMoves = 2000

/** What of two documents of an object differs; a document that cannot be read differs in its text. */
export function aspectsOf(left: StoredDocument, right: StoredDocument): Aspect[] {
  try {
    return aspectsOfFacets(facetsOf(objectOf(left)), facetsOf(objectOf(right)))
  } catch {
    return ['text']
  }
}

function aspectsOfFacets(a: Facets, b: Facets): Aspect[] {
  const found = (Object.keys(a) as (keyof Facets)[]).filter((facet) => !isDeepStrictEqual(a[facet], b[facet]))
  return found.length > 0 ? found : ['text']
}

/**
 * Compares two documents.
 * @throws FormatError when one cannot be read
 */
export function compareDocuments(left: StoredDocument, right: StoredDocument): ComparedObjects {
  if (left.text === right.text && left.kind === right.kind)
    return { isSameMeaning: true, isSameText: true, aspects: [], differences: [], omitted: 0 }
  return compareObjects(objectOf(left), objectOf(right))
}

/** Compares two objects. Names and numbers of the objects themselves do not count; their kinds do. */
export function compareObjects(left: ImportedObject, right: ImportedObject): ComparedObjects {
  const [a, b] = [facetsOf(left), facetsOf(right)]
  const all: Difference[] = [
    ...(left.kind === right.kind ? [] : [changed('properties', 'kind', left.kind, right.kind)]),
    ...codeDifferences(a.code, b.code),
    ...membersDifferences(a.interface, b.interface),
    ...placedDifferences('startValues', a.startValues, b.startValues),
    ...placedDifferences('comments', a.comments, b.comments),
    ...propertyDifferences(a.properties, b.properties),
    ...placedDifferences('tags', named(a.tags), named(b.tags)),
    ...placedDifferences('constants', named(a.constants), named(b.constants)),
    ...placedDifferences('rows', named(a.rows), named(b.rows)),
  ]
  const isSameText = (left.xml ?? left.text) === (right.xml ?? right.text)
  const found = aspects.filter((aspect) => all.some((one) => one.aspect === aspect))
  return {
    isSameMeaning: all.length === 0,
    isSameText,
    aspects: all.length === 0 && !isSameText ? ['text'] : found,
    differences: all.slice(0, mostDifferences),
    omitted: Math.max(0, all.length - mostDifferences),
  }
}

function changed(aspect: Aspect, path: string, left: unknown, right: unknown): Difference {
  const [from, to] = [textOf(left), textOf(right)]
  if (left === undefined) return { aspect, path, change: 'added', right: to }
  if (right === undefined) return { aspect, path, change: 'removed', left: from }
  return { aspect, path, change: 'changed', left: from, right: to }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function codeDifferences(a: Facets['code'], b: Facets['code']): Difference[] {
  const found: Difference[] = []
  if (a.language !== b.language) found.push(changed('code', 'language', a.language, b.language))
  for (const { left, right, isSame } of pairedNetworks(a.code, b.code)) {
    if (isSame) continue
    if (right === undefined) found.push(networkGone(left!, a.code[left!]!))
    else if (left === undefined) found.push(networkCome(right, b.code[right]!))
    else found.push(...networkDifferences(left, a.code[left]!, b.code[right]!))
  }
  return found
}

/** A network or statement and its counterpart on the other side; indexes from 0, absent where a side has none. */
export interface NetworkPair {
  readonly left?: number
  readonly right?: number
  readonly isSame: boolean
}

/**
 * Pairs the networks of two lists, in order. Networks that were put in or taken out shift those behind them: they are
 * aligned by what is in them; where several in a row differ, the first is paired with the first.
 */
export function pairedNetworks(a: readonly unknown[], b: readonly unknown[]): NetworkPair[] {
  return paired(a, b, (gone, come) => {
    const both = Math.min(gone.length, come.length)
    return [
      { side: 'both', count: both },
      { side: 'left', count: gone.length - both },
      { side: 'right', count: come.length - both },
    ]
  })
}

/**
 * Pairs two lists in order.
 * @param pairsOf what belongs together of a run that differs
 */
function paired<T>(
  a: readonly T[],
  b: readonly T[],
  pairsOf: (gone: readonly T[], come: readonly T[]) => readonly Piece[],
): NetworkPair[] {
  const pairs: NetworkPair[] = []
  let [i, j] = [0, 0]
  const add = ({ side, count }: Piece, isSame: boolean) => {
    for (let k = 0; k < count; k++)
      pairs.push({ ...(side === 'right' ? {} : { left: i++ }), ...(side === 'left' ? {} : { right: j++ }), isSame })
  }
  const pieces = aligned(a, b)
  for (let at = 0; at < pieces.length; at++) {
    const { side, count } = pieces[at]!
    if (side === 'both') {
      add({ side, count }, true)
      continue
    }
    const next = pieces[at + 1]
    const isReplaced = side === 'left' && next?.side === 'right'
    if (isReplaced) at++
    const gone = side === 'left' ? count : 0
    const come = side === 'right' ? count : isReplaced ? next.count : 0
    for (const run of pairsOf(a.slice(i, i + gone), b.slice(j, j + come))) add(run, false)
  }
  return pairs
}

interface Piece {
  readonly side: 'both' | 'left' | 'right'
  readonly count: number
}

/**
 * Two lists as runs that both have, that the left one has, that the right one has; what differs comes as left, then
 * right.
 */
function aligned(a: readonly unknown[], b: readonly unknown[]): Piece[] {
  return runsOf(
    a.map((one) => JSON.stringify(one)),
    b.map((one) => JSON.stringify(one)),
    (x, y) => x === y,
  )
}

function runsOf<T>(a: readonly T[], b: readonly T[], isSame: (x: T, y: T) => boolean): Piece[] {
  const runs = diffArrays([...a], [...b], { maxEditLength: mostMoves, comparator: isSame })
  if (runs === undefined)
    return [
      { side: 'left', count: a.length },
      { side: 'right', count: b.length },
    ]
  return runs.map(({ added, removed, value }) => ({
    side: removed ? 'left' : added ? 'right' : 'both',
    count: value.length,
  }))
}

const networkGone = (at: number, network: NetworkFacet): Difference => ({
  aspect: 'code',
  path: `network ${at + 1}`,
  change: 'removed',
  left: networkText(network),
})
const networkCome = (at: number, network: NetworkFacet): Difference => ({
  aspect: 'code',
  path: `network ${at + 1}`,
  change: 'added',
  right: networkText(network),
})

/** The logic of a network as text: statements, or the language of what is drawn. */
function networkText({ code, language, graph, statements, chart }: NetworkFacet): string {
  if (code !== undefined) return code
  return `${language} ${JSON.stringify(graph ?? statements ?? chart ?? null)}`
}

/** Statement by statement where there is text, else the network as a whole. */
function networkDifferences(at: number, a: NetworkFacet, b: NetworkFacet): Difference[] {
  const path = `network ${at + 1}`
  const { code: from, ...others } = a
  const { code: to, ...otherOthers } = b
  if (from === undefined || to === undefined || !isDeepStrictEqual(others, otherOthers)) {
    const [before, after] = [networkText(a), networkText(b)]
    if (before !== after) return [changed('code', path, before, after)]
    return [
      ...(a.language === b.language ? [] : [changed('code', `${path}, language`, a.language, b.language)]),
      ...(isDeepStrictEqual(a.kept, b.kept)
        ? []
        : [changed('code', `${path}, what is not interpreted`, a.kept, b.kept)]),
    ]
  }
  const [left, right] = [statementsOf(from), statementsOf(to)]
  const found: Difference[] = []
  const placeOf = (index: number): string => `${path}, statement ${index + 1}`
  for (const { left: i, right: j, isSame } of paired(left, right, alikeRuns)) {
    if (isSame) continue
    const statement = i === undefined ? undefined : left[i]
    found.push(changed('code', placeOf(i ?? j!), statement, j === undefined ? undefined : right[j]))
  }
  return found
}

/** Names, numbers and keywords of a statement. */
const wordsOf = (statement: string): readonly string[] => statement.match(/"[^"]*"|[#%\w.]+/g) ?? [statement]

/** Statements at the same place that are alike belong together. */
const alikeRuns = (gone: readonly string[], come: readonly string[]): Piece[] =>
  runsOf(gone.map(wordsOf), come.map(wordsOf), areAlike)

/** Half of the words of the longer statement are in the other one. */
function areAlike(a: readonly string[], b: readonly string[]): boolean {
  const rest = [...b]
  let common = 0
  for (const word of a) {
    const at = rest.indexOf(word)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return common * 2 >= Math.max(a.length, b.length)
}

/** Statements of text that has no comments; a semicolon in a string or name ends none. */
function statementsOf(code: string): string[] {
  const found = code.match(/(?:"[^"\n]*"|'(?:\$.|[^'$\n])*'|[^;"'])+;?|["';]/g) ?? []
  return found.map((one) => one.trim()).filter((one) => one !== '')
}

/** A declaration by its path; members of structures have entries of their own. */
function declarationsOf(sections: readonly SectionFacet[]): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (members: SectionFacet['members'], above: string): void => {
    for (const { name, dataType, version, remanence, accessibility, attributes, members: inner } of members) {
      const path = `${above}.${name}`
      const more = [
        ...(version === undefined ? [] : [`version ${version}`]),
        ...(remanence === undefined ? [] : [remanence]),
        ...(accessibility === undefined ? [] : [accessibility]),
        ...attributes.map((one) => `${one.name}=${one.value}`),
      ]
      found.set(path, more.length === 0 ? dataType : `${dataType} {${more.join(', ')}}`)
      visit(inner, path)
    }
  }
  for (const { section, members, base } of sections) {
    visit(members, section)
    for (const one of base ?? []) visit(one.members, `${section}.${one.section}`)
  }
  return found
}

function membersDifferences(a: readonly SectionFacet[], b: readonly SectionFacet[]): Difference[] {
  const [left, right] = [declarationsOf(a), declarationsOf(b)]
  const found = mapDifferences('interface', left, right)
  if (found.length > 0 || isDeepStrictEqual(a, b)) return found
  const [from, to] = [[...left.keys()], [...right.keys()]]
  const at = from.findIndex((path, i) => path !== to[i])
  // The same members in another order, or sections without members.
  if (at < 0) return [changed('interface', 'sections', a.map(sectionName).join(', '), b.map(sectionName).join(', '))]
  return [
    { aspect: 'interface', path: from[at]!, change: 'moved', left: `${at + 1}`, right: `${to.indexOf(from[at]!) + 1}` },
  ]
}

const sectionName = ({ section }: SectionFacet): string => section

function mapDifferences(
  aspect: Aspect,
  left: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
): Difference[] {
  const found: Difference[] = []
  for (const [path, value] of left) {
    const other = right.get(path)
    if (!right.has(path)) found.push(changed(aspect, path, value, undefined))
    else if (!isDeepStrictEqual(value, other)) found.push(changed(aspect, path, value, other))
  }
  for (const [path, value] of right) if (!left.has(path)) found.push(changed(aspect, path, undefined, value))
  return found
}

/** Rows by their names; rows of one name count from 1. */
function named(rows: readonly unknown[]): Placed[] {
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const { name, address } = row as { readonly name?: string; readonly address?: string }
    const plain = name || address || 'row'
    const count = (counts.get(plain) ?? 0) + 1
    counts.set(plain, count)
    return [count === 1 ? plain : `${plain} (${count})`, row]
  })
}

function placedDifferences(aspect: Aspect, a: readonly Placed[], b: readonly Placed[]): Difference[] {
  const mapOf = (list: readonly Placed[]) =>
    new Map(
      list.map(([place, ...values]) => [place, values.length === 1 ? values[0] : values.find((v) => v !== undefined)]),
    )
  const [left, right] = [mapOf(a), mapOf(b)]
  const found = mapDifferences(aspect, left, right)
  if (found.length > 0 || isDeepStrictEqual(a, b)) return found
  const [from, to] = [a.map(([place]) => place), b.map(([place]) => place)]
  const at = from.findIndex((place, i) => place !== to[i])
  // Only the order of rows; members in another order are differences of the interface.
  if (at < 0) return [changed(aspect, from[0] ?? '', a, b)]
  if (aspect === 'startValues' || aspect === 'comments') return []
  return [{ aspect, path: from[at]!, change: 'moved', left: `${at + 1}`, right: `${to.indexOf(from[at]!) + 1}` }]
}

function propertyDifferences(a: Facets['properties'], b: Facets['properties']): Difference[] {
  const { attributes: own = [], ...left } = a as { attributes?: readonly { name: string; value: string }[] }
  const { attributes: others = [], ...right } = b as { attributes?: readonly { name: string; value: string }[] }
  const mapOf = (properties: object, attributes: readonly { name: string; value: string }[]) =>
    new Map<string, unknown>([
      ...Object.entries(properties).filter(([, value]) => value !== undefined && value !== ''),
      ...attributes.map(({ name, value }) => [name, value] as const),
    ])
  return mapDifferences('properties', mapOf(left, own), mapOf(right, others))
}

/** A compare as text: one line for each difference, under its aspect. */
export function comparisonText(left: string, right: string, compared: ComparedObjects): string {
  const { isSameText, isSameMeaning, differences, omitted } = compared
  const head = `${left} -> ${right}`
  if (isSameText) return `${head}: equal\n`
  if (isSameMeaning) return `${head}: equal in meaning; only the text differs\n`
  const lines = [head]
  for (const aspect of compared.aspects) {
    lines.push(aspect)
    for (const { path, change, left: from, right: to } of differences.filter((one) => one.aspect === aspect))
      lines.push(
        change === 'added'
          ? `  + ${path}: ${short(to)}`
          : change === 'removed'
            ? `  - ${path}: ${short(from)}`
            : change === 'moved'
              ? `  ~ ${path}: place ${from} -> ${to}`
              : `  ~ ${path}: ${short(from)} -> ${short(to)}`,
      )
  }
  if (omitted > 0) lines.push(`and ${omitted} more`)
  return `${lines.join('\n')}\n`
}

const longestText = 200

function short(text = ''): string {
  return shortened(text, longestText)
}
