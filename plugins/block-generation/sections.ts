/**
 * The interface of a specification has two forms: sections `{ section, members }`, and members that name their section,
 * as the content of a block shows them. The generator takes sections.
 */

import { type Fault, GatewayError, isGatewayError, isObject, problem } from '../../core/index.ts'
import type { SpecifiedKind } from '../../plc/generate/specification.ts'

/** What the schema lets through: a section, or a member of a section. */
interface Entry extends Readonly<Record<string, unknown>> {
  readonly section?: string
  readonly name?: string
  readonly dataType?: string
  readonly members?: readonly unknown[]
}

/** Sections, and where each member is in what was given. */
export interface Sections {
  readonly sections: readonly { readonly section: string; readonly members: readonly unknown[] }[]
  /** Pointers of each section and its members. */
  readonly places: readonly { readonly at: string; readonly members: readonly string[] }[]
}

/**
 * @param at pointer of the list
 * @throws GatewayError `invalid_input` for an entry that is neither a section nor a member
 */
export function sectionsOf(given: readonly unknown[], kind: SpecifiedKind, at: string): Sections {
  const usual = { UDT: 'None', DB: 'Static', GlobalDB: 'Static' }[kind as string]
  const found = new Map<string, { section: string; members: unknown[]; place: { at: string; members: string[] } }>()
  const faults: Fault[] = []
  for (const [i, entry] of (given as readonly Entry[]).entries()) {
    const { section = usual, ...member } = entry
    const place = `${at}/${i}`
    const fault = faultOf(entry, section)
    if (fault) faults.push({ ...fault, path: `${place}${fault.path}` })
    if (fault || section === undefined) continue
    const group = found.get(section) ?? { section, members: [], place: { at: place, members: [] } }
    found.set(section, group)
    const isSection = member.name === undefined
    const added = isSection ? (member.members ?? []) : [member]
    for (const [n, one] of added.entries()) {
      group.members.push(one)
      group.place.members.push(isSection ? `${place}/members/${n}` : place)
    }
  }
  const [first] = faults
  if (first) throw problem('invalid_input', `${first.path}: ${first.message}`, { errors: faults })
  const groups = [...found.values()]
  return { sections: groups.map(({ place: _place, ...group }) => group), places: groups.map(({ place }) => place) }
}

function faultOf(entry: Entry, section: string | undefined): Fault | undefined {
  if (entry.name === undefined && entry.members === undefined)
    return { path: '', message: 'is neither a section { section, members } nor a member { section, name, dataType }' }
  if (entry.name !== undefined && entry.dataType === undefined)
    return { path: '/dataType', message: 'is missing: a member has a data type' }
  if (section === undefined) {
    const message = 'must name the section: Input, Output, InOut, Static, Temp, Constant, Return'
    return { path: '/section', message }
  }
  if (entry.name !== undefined) return undefined
  const extra = Object.keys(entry).find((field) => field !== 'section' && field !== 'members')
  return extra === undefined ? undefined : { path: `/${extra}`, message: 'is of a member; a section has none' }
}

/**
 * Does something with the sections; the pointers of its faults are those of what was given.
 * @throws what it throws
 */
export async function atGivenPlaces<T>(places: Sections['places'], at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const faults = isGatewayError(error) ? error.details.errors : undefined
    if (!isGatewayError(error) || !faults?.some((fault) => isObject(fault) && fault.path?.startsWith(at))) throw error
    const given = (path: string) => {
      if (!path.startsWith(at)) return path
      const rest = path.slice(at.length)
      const [found = '', section, member] = /^\/(\d+)(?:\/members\/(\d+))?/.exec(rest) ?? []
      const of = places[Number(section)]
      const place = member === undefined ? of?.at : of?.members[Number(member)]
      return place === undefined ? path : `${place}${rest.slice(found.length)}`
    }
    const errors = faults.map((fault) => (fault.path === undefined ? fault : { ...fault, path: given(fault.path) }))
    const before = faults[0]?.path
    const after = errors[0]?.path
    const message = before && after ? error.message.replace(before, after) : error.message
    throw new GatewayError(error.code, message, { ...error.details, errors })
  }
}
