/**
 * The one compare of objects of a PLC program: by meaning, not by text. Blocks, types and tables are compared with it
 * wherever two of them are: project and controller, library type and instance, two versions, two snapshots.
 */

import { isDeepStrictEqual } from 'node:util'
import { diffArrays } from 'diff'
import { shortened } from '../../lib/shortened.ts'
import type { ImportedObject } from '../model/object.ts'
import { dataForm, literalForm, type StatementForm } from './notation.ts'
import { type Facets, facetsOf, type NetworkFacet, type Placed, type SectionFacet } from './object-facets.ts'
import { objectOf, type StoredDocument } from './stored-document.ts'

/**
 * - `code`: networks or statements, language
 * - `interface`: sections, names, types, retentivity and attributes of members
 * - `startValues`: start values of members
 * - `comments`: titles and comments, also those in the code
 * - `properties`: author, family, version, attributes, protection …
 * - `tags`, `constants`, `rows`: of tables
 * - `text`: nothing of these, only how it is written: notation, or blanks
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
    const found = compareObjects(objectOf(left), objectOf(right)).aspects
    return found.length > 0 ? [...found] : ['text']
  } catch {
    return ['text']
  }
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
  const code = codeDifferences(a.code, b.code)
  const all: Difference[] = [
    ...(left.kind === right.kind ? [] : [changed('properties', 'kind', left.kind, right.kind)]),
    ...code.differences,
    ...membersDifferences(a.interface, b.interface),
    ...placedDifferences('startValues', a.startValues, b.startValues, valueForms(a, b)),
    ...placedDifferences('comments', a.comments, b.comments),
    ...code.comments,
    ...propertyDifferences(a.properties, b.properties),
    ...rowDifferences('tags', a.tags, b.tags),
    ...rowDifferences('constants', a.constants, b.constants),
    ...rowDifferences('rows', a.rows, b.rows),
  ]
  const isSameText = (left.xml ?? left.text) === (right.xml ?? right.text)
  const found = aspects.filter((aspect) => all.some((one) => one.aspect === aspect))
  return {
    isSameMeaning: all.every(({ aspect }) => aspect === 'text'),
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

/** What differs in the networks, and in their titles and comments. */
function codeDifferences(a: Facets['code'], b: Facets['code']): { differences: Difference[]; comments: Difference[] } {
  const found: Difference[] = []
  const comments: Difference[] = []
  if (a.language !== b.language) found.push(changed('code', 'language', a.language, b.language))
  for (const { left, right, isSame } of pairedNetworks(a.code, b.code)) {
    const [from, to] = [a.code[left ?? -1], b.code[right ?? -1]]
    const path = `network ${(left ?? right)! + 1}`
    if (from === undefined || to === undefined)
      found.push(changed('code', path, from && networkText(from), to && networkText(to)))
    else if (!isSame) found.push(...networkDifferences(path, from, to))
    else found.push(...writtenDifferences(path, from, to))
    for (const one of placedDifferences('comments', from?.comments ?? [], to?.comments ?? []))
      comments.push({ ...one, path: `${path}, ${one.path}` })
  }
  return { differences: found, comments }
}

/** A network and its counterpart on the other side; indexes from 0, absent where a side has none. */
export interface NetworkPair {
  readonly left?: number
  readonly right?: number
  /** Equal but for notation, title and comments. */
  readonly isSame: boolean
}

/** What networks are paired by. */
export type PairedNetwork = Pick<NetworkFacet, 'form' | 'comments' | 'isEmpty'>

/**
 * Pairs the networks of two lists, in order, once for all that is in them. Networks that were put in or taken out shift
 * those behind them, so they are aligned: first those that are equal with title and comments, then what lies between by
 * the logic, then by the title; what is left over is paired in its order.
 */
export function pairedNetworks(a: readonly PairedNetwork[], b: readonly PairedNetwork[]): NetworkPair[] {
  const whole = ({ form, comments }: PairedNetwork) => JSON.stringify([form, comments])
  // Networks without logic, or without a title, are not the same ones for that.
  const logic = ({ form, isEmpty }: PairedNetwork) => (isEmpty ? undefined : form)
  const title = ({ comments: [first] }: PairedNetwork) => (first?.[0] === 'title' ? JSON.stringify(first) : undefined)
  return pairedBy([whole, logic, title], a, b, 0, 0).map((pair) => ({
    ...pair,
    isSame: pair.left !== undefined && pair.right !== undefined && a[pair.left]!.form === b[pair.right]!.form,
  }))
}

type KeyOf = (network: PairedNetwork) => string | undefined

/** @param i indexes of the first ones of these parts of the lists */
function pairedBy(
  [keyOf, ...rest]: readonly KeyOf[],
  a: readonly PairedNetwork[],
  b: readonly PairedNetwork[],
  i: number,
  j: number,
): { left?: number; right?: number }[] {
  if (keyOf === undefined || a.length === 0 || b.length === 0)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, k) => ({
      ...(k < a.length ? { left: i + k } : {}),
      ...(k < b.length ? { right: j + k } : {}),
    }))
  const [keys, others] = [a.map(keyOf), b.map(keyOf)]
  const runs = runsOf(keys, others, (x, y) => x !== undefined && x === y)
  const pairs: { left?: number; right?: number }[] = []
  let [from, to, gone, come] = [0, 0, 0, 0]
  const flush = () => {
    pairs.push(...pairedBy(rest, a.slice(from, from + gone), b.slice(to, to + come), i + from, j + to))
    from += gone
    to += come
    gone = come = 0
  }
  for (const { side, count } of runs) {
    if (side === 'left') gone += count
    else if (side === 'right') come += count
    else {
      flush()
      for (let k = 0; k < count; k++) pairs.push({ left: i + from++, right: j + to++ })
    }
  }
  flush()
  return pairs
}

/** Pairs statements in order: equal ones, and of a run that differs those that are alike. */
function pairedStatements(a: readonly StatementForm[], b: readonly StatementForm[]): NetworkPair[] {
  const pairs: NetworkPair[] = []
  let [i, j] = [0, 0]
  const add = ({ side, count }: Piece, isSame: boolean) => {
    for (let k = 0; k < count; k++)
      pairs.push({ ...(side === 'right' ? {} : { left: i++ }), ...(side === 'left' ? {} : { right: j++ }), isSame })
  }
  const pieces = runsOf(a, b, (x, y) => x.form === y.form)
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
    for (const run of alikeRuns(a.slice(i, i + gone), b.slice(j, j + come))) add(run, false)
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

/** The logic of a network as text: statements, or the language of what is drawn. */
function networkText({ logic, isEmpty }: NetworkFacet): string {
  const { code, language, graph, statements, chart } = logic
  if (isEmpty) return `${language} (empty)`
  return code ?? `${language} ${JSON.stringify(graph ?? statements ?? chart ?? null)}`
}

/** Statement by statement where there is text, else the network as a whole. */
function networkDifferences(path: string, a: NetworkFacet, b: NetworkFacet): Difference[] {
  const { code: from, ...others } = a.logic
  const { code: to, ...otherOthers } = b.logic
  if (from === undefined || to === undefined || !isDeepStrictEqual(others, otherOthers)) {
    const [before, after] = [networkText(a), networkText(b)]
    if (before !== after) return [changed('code', path, before, after)]
    return [
      ...(others.language === otherOthers.language
        ? []
        : [changed('code', `${path}, language`, others.language, otherOthers.language)]),
      ...(isDeepStrictEqual(others.kept, otherOthers.kept)
        ? []
        : [changed('code', `${path}, what is not interpreted`, others.kept, otherOthers.kept)]),
    ]
  }
  return statementDifferences(path, a, b)
}

function statementDifferences(path: string, a: NetworkFacet, b: NetworkFacet): Difference[] {
  return pairedStatements(a.statements, b.statements).flatMap(({ left, right, isSame }) => {
    const [from, to] = [a.statements[left ?? -1]?.written, b.statements[right ?? -1]?.written]
    const place = `${path}, statement ${(left ?? right)! + 1}`
    return from === to ? [] : [changed(isSame ? 'text' : 'code', place, from, to)]
  })
}

/** Of two networks that mean the same what is written differently. */
function writtenDifferences(path: string, a: NetworkFacet, b: NetworkFacet): Difference[] {
  if (isDeepStrictEqual(a.logic, b.logic) || (a.isEmpty && b.isEmpty)) return []
  if (a.logic.code !== undefined && b.logic.code !== undefined) return statementDifferences(path, a, b)
  return [changed('text', path, networkText(a), networkText(b))]
}

/** Names, numbers and keywords of a statement. */
const wordsOf = (statement: string): readonly string[] => statement.match(/"[^"]*"|[#%\w.]+/g) ?? [statement]

/** Statements at the same place that are alike belong together. */
const alikeRuns = (gone: readonly StatementForm[], come: readonly StatementForm[]): Piece[] =>
  runsOf(
    gone.map(({ written }) => wordsOf(written)),
    come.map(({ written }) => wordsOf(written)),
    areAlike,
  )

/** Half of the words of the longer statement are in the other one. */
function areAlike(a: readonly string[], b: readonly string[]): boolean {
  const left = new Map<string, number>()
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of a) {
    const count = left.get(word) ?? 0
    if (count === 0) continue
    left.set(word, count - 1)
    common++
  }
  return common * 2 >= Math.max(a.length, b.length)
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
  // Types have no case; attributes are behind them in braces.
  const form: FormOf = (text) => String(text).replace(/^[^{]*/, (type) => type.toLowerCase())
  const found = mapDifferences('interface', left, right, form)
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

/** What of a value its meaning is; the whole of it by default. */
type FormOf = (value: unknown, path: string) => unknown

/** Entries by their paths, which have no case. Where form and path mean the same, they are written differently. */
function mapDifferences(
  aspect: Aspect,
  left: ReadonlyMap<string, unknown>,
  right: ReadonlyMap<string, unknown>,
  formOf: FormOf = (value) => value,
): Difference[] {
  const found: Difference[] = []
  const others = new Map([...right].map(([path, value]) => [path.toLowerCase(), { path, value }]))
  const own = new Set<string>()
  for (const [path, value] of left) {
    const key = path.toLowerCase()
    own.add(key)
    const other = others.get(key)
    if (other === undefined) found.push(changed(aspect, path, value, undefined))
    else if (!isDeepStrictEqual(formOf(value, key), formOf(other.value, key)))
      found.push(changed(aspect, path, value, other.value))
    else if (!isDeepStrictEqual(value, other.value)) found.push(changed('text', path, value, other.value))
    else if (path !== other.path) found.push(changed('text', path, path, other.path))
  }
  for (const [path, value] of right)
    if (!own.has(path.toLowerCase())) found.push(changed(aspect, path, undefined, value))
  return found
}

/** Start values by the types of their members. */
function valueForms(a: Facets, b: Facets): FormOf {
  const types = new Map([...typesOf(a.interface), ...typesOf(b.interface)])
  return (value, path) => {
    const type = types.get(path.replace(/\[[^\]]*\]$/, '')) ?? ''
    const plain = /^array\b.*\bof\s+(.*)$/is.exec(type)?.[1] ?? type
    return typeof value === 'string' ? literalForm(value, plain) : dataForm(value)
  }
}

function* typesOf(sections: readonly SectionFacet[]): Generator<[path: string, type: string]> {
  const inner = function* (members: SectionFacet['members'], above: string): Generator<[string, string]> {
    for (const one of members) {
      const path = `${above}${one.name.toLowerCase()}`
      yield [path, one.dataType]
      yield* inner(one.members, `${path}.`)
    }
  }
  for (const { members } of sections) yield* inner(members, '')
}

const nameOfRow = (row: unknown): string => {
  const { name, address } = row as { readonly name?: string; readonly address?: string }
  return name || address || 'row'
}

/** Rows by their names. Rows of one name are aligned by what is in them, and count from 1. */
function rowDifferences(aspect: Aspect, a: readonly unknown[], b: readonly unknown[]): Difference[] {
  const [left, right] = [byName(a), byName(b)]
  const places = new Map<unknown, string>()
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const [from, to] = [left.get(key) ?? [], right.get(key) ?? []]
    const rows = (list: readonly unknown[]) =>
      list.map((row): PairedNetwork => ({ form: JSON.stringify(dataForm(row)), comments: [], isEmpty: false }))
    for (const [count, { left: i, right: j }] of pairedNetworks(rows(from), rows(to)).entries())
      for (const row of [from[i ?? -1], to[j ?? -1]])
        if (row !== undefined) places.set(row, count === 0 ? nameOfRow(row) : `${nameOfRow(row)} (${count + 1})`)
  }
  const placed = (list: readonly unknown[]) => list.map((row): Placed => [places.get(row)!, row])
  return placedDifferences(aspect, placed(a), placed(b), dataForm)
}

function byName(rows: readonly unknown[]): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  for (const row of rows) {
    const key = nameOfRow(row).toLowerCase()
    const known = found.get(key)
    if (known === undefined) found.set(key, [row])
    else known.push(row)
  }
  return found
}

function placedDifferences(
  aspect: Aspect,
  a: readonly Placed[],
  b: readonly Placed[],
  formOf: FormOf = (value) => value,
): Difference[] {
  const mapOf = (list: readonly Placed[]) =>
    new Map(
      list.map(([place, ...values]) => [place, values.length === 1 ? values[0] : values.find((v) => v !== undefined)]),
    )
  const found = mapDifferences(aspect, mapOf(a), mapOf(b), formOf)
  if (found.length > 0 || isDeepStrictEqual(a, b)) return found
  const [from, to] = [a.map(([place]) => place), b.map(([place]) => place)]
  const at = from.findIndex((place, i) => place !== to[i])
  // Only the order of rows; members in another order are differences of the interface.
  if (at < 0 && from.length === to.length) return [changed(aspect, from[0] ?? '', a, b)]
  if (at < 0 || aspect === 'startValues' || aspect === 'comments') return []
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
  const lines = [isSameMeaning ? `${head}: equal in meaning; only the text differs` : head]
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
