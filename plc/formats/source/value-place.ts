/**
 * Places of start values that are assigned after the declarations, `motor.list[3].speed := 1.5;`: in members, elements
 * of arrays, and members of named types, of which the interface gets a copy as SimaticML has it
 * (docs/formats.md#interface).
 */

import { plainType, userType } from '../../model/names.ts'
import type { InterfaceMember, InterfaceSection, Remanence, SectionName, Subelement } from '../../model/object.ts'
import type { MutableMember } from './declarations.ts'
import { spreadArrayValue } from './initial-values.ts'

/** One step in the path of an assignment: a name and the indices after it (`1,2`), one text for each bracket. */
export interface ValueStep {
  /** `''`: the elements of an array data block have no name. */
  readonly name: string
  readonly indices: readonly string[]
}

/**
 * Finds the interface of a block or PLC data type of the program, or of a type of the system (kind `system`), by its
 * name, case ignored.
 */
export type InterfaceLookup = (
  name: string,
) => { readonly kind: string; readonly sections: readonly InterfaceSection[] } | undefined

export interface ValuePlace {
  readonly member: MutableMember
  /** `Path` of the subelement; `undefined` for the member itself. */
  readonly path: string | undefined
  /** The data type at the place. */
  readonly dataType: string
}

/**
 * Finds the place of a value. Members of a named type are added to the member of that type: a copy of the type without
 * values. Returns what is wrong when there is no such place, or the type is not known.
 */
export function placeOf(
  members: MutableMember[],
  steps: readonly ValueStep[],
  interfaceOf: InterfaceLookup | undefined,
): ValuePlace | string {
  let level = members
  const indices: string[] = []
  for (const [at, step] of steps.entries()) {
    const member = step.name === '' ? level[0] : byName(level).get(step.name.toUpperCase())
    if (member === undefined) return `no member ${JSON.stringify(step.name)} is declared here`
    indices.push(...step.indices)
    if (at === steps.length - 1)
      return {
        member,
        path: indices.length === 0 ? undefined : indices.join(';'),
        dataType: elementOf(member.dataType, step.indices.length),
      }
    const inner = membersOf(member, interfaceOf)
    if (inner === undefined) return `${member.name} is of type ${member.dataType}, whose members are not known here`
    level = inner
  }
  return 'an assignment needs the name of a member'
}

/** The data type behind a number of brackets. */
function elementOf(dataType: string, brackets: number): string {
  let type = dataType
  for (let i = 0; i < brackets; i++) type = type.replace(/^Array\[[^\]]*\] of /i, '')
  return type
}

/**
 * Sets the value of a place; the later of two values counts. A list for an array inside of an array is spread over its
 * elements.
 */
export function setValue({ member, path, dataType }: ValuePlace, value: string): void {
  const isOfElements = path !== undefined || (member.subelements ?? []).length > 0
  const listed = isOfElements && value.startsWith('[') ? spreadArrayValue(dataType, value) : undefined
  if (listed !== undefined) {
    for (const element of listed)
      setElement(member, { ...element, path: path === undefined ? element.path : `${path};${element.path}` })
  } else if (path === undefined) member.startValue = value
  else setElement(member, { path, startValue: value })
}

/** What has values of its own for elements. */
interface Elements {
  readonly dataType: string
  startValue?: string
  subelements?: Subelement[]
}

/** Places of subelements by their path; maps, because large data blocks assign thousands of values. */
const elementIndexes = new WeakMap<Subelement[], Map<string, number>>()

/**
 * Gives an element a value or a comment. One list for the whole array becomes a value for each element first; in an
 * array of structures, where the list is that of each of them, it stays beside the element.
 */
export function setElement(member: Elements, element: Subelement): void {
  member.subelements ??= []
  const { subelements, startValue } = member
  let known = elementIndexes.get(subelements)
  if (known === undefined) {
    known = new Map(subelements.map(({ path }, i) => [path, i]))
    elementIndexes.set(subelements, known)
  }
  const depth = ({ path }: Subelement) => path.split(';').length
  if (startValue?.startsWith('[') === true) {
    const listed = spreadArrayValue(member.dataType, startValue)?.filter((one) => depth(one) === depth(element))
    if (listed !== undefined && listed.length > 0) delete member.startValue
    for (const one of listed ?? []) if (!known.has(one.path)) known.set(one.path, subelements.push(one) - 1)
  }
  const at = known.get(element.path)
  if (at === undefined) known.set(element.path, subelements.push(element) - 1)
  else subelements[at] = { ...(subelements[at] as Subelement), ...element }
}

/** Members by name; a map, because large data blocks assign thousands of values. The first of two counts. */
const memberIndexes = new WeakMap<readonly MutableMember[], ReadonlyMap<string, MutableMember>>()

function byName(level: readonly MutableMember[]): ReadonlyMap<string, MutableMember> {
  const known = memberIndexes.get(level)
  if (known !== undefined) return known
  const index = new Map([...level].reverse().map((member) => [member.name.toUpperCase(), member]))
  memberIndexes.set(level, index)
  return index
}

/** Members inside a member; for a named type, those of the copy of the type that belongs to the member. */
function membersOf(member: MutableMember, interfaceOf: InterfaceLookup | undefined): MutableMember[] | undefined {
  if (member.members.length > 0) return member.members
  if (member.sections === undefined) {
    const type = typeOf(member.dataType, interfaceOf)
    if (type === undefined) return undefined
    member.sections = dataSections(type.sections).map(({ section, members }) => ({
      section,
      members: members.map(copyOf),
    }))
  }
  const parts = member.sections.map(({ members }) => members as MutableMember[])
  // The same list every time where there is one: its names are indexed.
  return parts.length === 1 ? parts[0] : parts.flat()
}

/** Types of the program are in quotes, those of the system are not (docs/formats.md#interface). */
function typeOf(dataType: string, interfaceOf: InterfaceLookup | undefined): ReturnType<InterfaceLookup> {
  const own = userType(dataType)
  const name = own ?? plainType(dataType)
  const type = name === undefined ? undefined : interfaceOf?.(name)
  return (type?.kind === 'system') === (own === undefined) ? type : undefined
}

/** The sections of a block or type that its instances have data of. */
function dataSections(sections: readonly InterfaceSection[]): InterfaceSection[] {
  return sections.filter(({ section }) => section !== 'Temp' && section !== 'Constant' && section !== 'Return')
}

/**
 * The members of an instance data block: copies of those of its type without values. Only static ones, as the members
 * of a PLC data type are, can have the remanence.
 */
export function instanceMembers(
  sections: readonly InterfaceSection[],
  remanence?: Remanence,
): Map<SectionName, MutableMember[]> {
  const copies = new Map<SectionName, MutableMember[]>()
  for (const { section, members } of dataSections(sections)) {
    const own = section === 'None' ? 'Static' : section
    const added = members.map(
      (member): MutableMember => ({
        ...copyOf(member),
        ...(remanence !== undefined && own === 'Static' ? { remanence } : {}),
      }),
    )
    copies.set(own, [...(copies.get(own) ?? []), ...added])
  }
  return copies
}

/** Copies a member without values, as the start of a copy of a named type. */
function copyOf(member: InterfaceMember): MutableMember {
  const {
    startValue: _value,
    startValueConstant: _constant,
    startValueIsInformative: _isInformative,
    startValueIsBulk: _isBulk,
    subelements: _elements,
    sections: _sections,
    ...rest
  } = member
  return { ...rest, comment: {}, members: member.members.map(copyOf) }
}
