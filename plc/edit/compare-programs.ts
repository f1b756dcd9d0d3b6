/**
 * How equal two programs are, object by object: figures for each kind of thing, and the differences with their places.
 */
import { isDeepStrictEqual } from 'node:util'
import { diffArrays } from 'diff'
import type { MultilingualText } from '../model/multilingual-text.ts'
import type { ImportedObject, InterfaceMember } from '../model/object.ts'
import { compareObjects, type Difference, pairedNetworks } from './compare.ts'
import { comparedForm } from './compared-form.ts'
import { facetsOf } from './object-facets.ts'

/** What is counted. `sclLines` are lines of statements without blank ones. */
export const comparedKinds = ['blocks', 'members', 'networks', 'sclLines', 'tags', 'constants'] as const
export type ComparedKind = (typeof comparedKinds)[number]

/** How many there are on the right side, and how many of them the left side has just so. */
export interface EqualCount {
  readonly equal: number
  readonly total: number
}

export interface ObjectDifference extends Difference {
  readonly name: string
  readonly kind: string
}

export interface ComparedPrograms {
  readonly counts: Readonly<Record<ComparedKind, EqualCount>>
  readonly differences: readonly ObjectDifference[]
  /** How many differences there are of each object that has more of them than its list has room for, beyond these. */
  readonly omitted: readonly { readonly name: string; readonly kind: string; readonly count: number }[]
  /** Names of objects that one side has and the other has not, with their kinds. */
  readonly onlyLeft: readonly { readonly name: string; readonly kind: string }[]
  readonly onlyRight: readonly { readonly name: string; readonly kind: string }[]
}

/**
 * Compares the objects of two programs. Objects are paired by name, without regard to case; tables have names of their
 * own. Networks of LAD and FBD are compared without ids and order of writing. An object of the right side that the left
 * side has not counts with all that is in it as not equal.
 */
export function comparePrograms(left: readonly ImportedObject[], right: readonly ImportedObject[]): ComparedPrograms {
  const others = new Map(left.map((object) => [keyOf(object), object]))
  const tally = new Tally()
  const differences: ObjectDifference[] = []
  const onlyRight: { name: string; kind: string }[] = []
  const found = new Set<string>()
  const omitted: ComparedPrograms['omitted'][number][] = []
  for (const object of right) {
    const key = keyOf(object)
    const other = others.get(key)
    found.add(key)
    const { name, kind } = object
    if (other === undefined) onlyRight.push({ name, kind })
    const isSource = object.format === 'source' && other?.format === 'simaticml'
    const full = other && comparedForm(isSource ? withoutUnsaid(other, object) : other)
    const b = withSameInterface(comparedForm(isSource ? withoutAttributes(object) : object), full)
    const a = full && withSameInterface(full, b)
    const compared = a && compareObjects(a, b)
    for (const one of compared?.differences ?? []) differences.push({ name, kind, ...one })
    if (compared && compared.omitted > 0) omitted.push({ name, kind, count: compared.omitted })
    if (!isTable(object)) tally.add('blocks', compared?.isSameMeaning === true)
    count(tally, a, b)
  }
  const onlyLeft = left.filter((object) => !found.has(keyOf(object))).map(({ name, kind }) => ({ name, kind }))
  return { counts: tally.counts, differences, omitted, onlyLeft, onlyRight }
}

class Tally {
  readonly counts = Object.fromEntries(comparedKinds.map((kind) => [kind, { equal: 0, total: 0 }])) as Record<
    ComparedKind,
    { equal: number; total: number }
  >

  add(kind: ComparedKind, isEqual: boolean): void {
    this.counts[kind].total++
    if (isEqual) this.counts[kind].equal++
  }
}

const isTable = ({ kind }: ImportedObject): boolean => /Table$/.test(kind)
const keyOf = (object: ImportedObject): string =>
  `${isTable(object) ? object.kind : 'block'} ${object.name.toLowerCase()}`

/** An instance has the interface of its type: a side that leaves it out says nothing else. */
function withSameInterface(object: ImportedObject, other: ImportedObject | undefined): ImportedObject {
  const isLeftOut = object.kind === 'InstanceDB' && other?.kind === 'InstanceDB' && other.interface.length === 0
  return isLeftOut ? { ...object, interface: [] } : object
}

/** An external source says number, language and access by words of its own, which are in fields. */
const withoutAttributes = (object: ImportedObject): ImportedObject => ({ ...object, attributes: [] })

/** What a source does not say is not compared: attributes, and title and comments where it has none. */
function withoutUnsaid(object: ImportedObject, source: ImportedObject): ImportedObject {
  const { number: _, title, comment, interface: sections, ...rest } = object
  return {
    ...rest,
    ...(source.number === undefined ? {} : { number: object.number! }),
    title: isEmpty(source.title) ? {} : title,
    comment: isEmpty(source.comment) ? {} : comment,
    interface: source.interface.some(({ members }) => members.some(hasComment))
      ? sections
      : sections.map(({ section, members }) => ({ section, members: members.map(withoutComments) })),
    attributes: [],
  }
}

const isEmpty = (text: MultilingualText): boolean => Object.values(text).every((one) => one === '')
const hasComment = ({ comment, members }: InterfaceMember): boolean => !isEmpty(comment) || members.some(hasComment)
const withoutComments = (member: InterfaceMember): InterfaceMember => ({
  ...member,
  comment: {},
  members: member.members.map(withoutComments),
})

function count(tally: Tally, left: ImportedObject | undefined, right: ImportedObject): void {
  const members = membersOf(left)
  for (const [path, member] of membersOf(right)) tally.add('members', members.get(path) === member)
  const partners = partnersOf(left, right)
  for (const [at, { text, graph, statements, chart }] of right.networks.entries()) {
    const other = left?.networks[partners.get(at) ?? -1]
    if (text !== undefined) countLines(tally, other?.text, text)
    else
      tally.add(
        'networks',
        other !== undefined &&
          isDeepStrictEqual([other.graph, other.statements, other.chart], [graph, statements, chart]),
      )
  }
  for (const [kind, rows, others] of [
    ['tags', right.tags, left?.tags],
    ['constants', right.constants, left?.constants],
  ] as const) {
    const known = new Map<string, object>((others ?? []).map((row) => [row.name, row]))
    for (const row of rows ?? []) tally.add(kind, isDeepStrictEqual(known.get(row.name), row))
  }
}

/** The networks of the left side by their partners on the right; indexes from 0. */
function partnersOf(left: ImportedObject | undefined, right: ImportedObject): ReadonlyMap<number, number> {
  if (left === undefined) return new Map()
  const pairs = pairedNetworks(facetsOf(left).code.code, facetsOf(right).code.code)
  return new Map(
    pairs.flatMap(({ left: i, right: j }) => (i === undefined || j === undefined ? [] : [[j, i] as const])),
  )
}

/**
 * Lines that both have in the same order are equal; a search for the nearest alignment ends at this many differences.
 */
const mostMoves = 2000

function countLines(tally: Tally, left: string | undefined, right: string): void {
  const [from, to] = [linesOf(left ?? ''), linesOf(right)]
  const runs = diffArrays(from, to, { maxEditLength: mostMoves })
  const equal = runs?.reduce((sum, { added, removed, value }) => sum + (added || removed ? 0 : value.length), 0) ?? 0
  for (let i = 0; i < to.length; i++) tally.add('sclLines', i < equal)
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

/**
 * Type and start values of each member, by its path. Members of a type are the type's own, and exports repeat them as
 * they like: of those only the ones with values count.
 */
function membersOf(object: ImportedObject | undefined): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (list: readonly InterfaceMember[], above: string, isOfType: boolean): void => {
    for (const { name, dataType, startValue, startValueConstant, subelements = [], members, sections = [] } of list) {
      const path = `${above}.${name}`
      const values = subelements.flatMap((one) => (one.startValue === undefined ? [] : [[one.path, one.startValue]]))
      const hasValue = startValue !== undefined || startValueConstant !== undefined || values.length > 0
      if (!isOfType || hasValue) found.set(path, JSON.stringify([dataType, startValue, startValueConstant, values]))
      visit(members, path, isOfType)
      for (const { members: inner } of sections) visit(inner, path, true)
    }
  }
  for (const { section, members } of object?.interface ?? []) visit(members, section, false)
  return found
}
