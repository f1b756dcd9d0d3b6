/** One interface member as clients send it, and the interface after adding, changing or deleting it. */

import { defined } from '../../lib/optional.ts'
import { sectionOrder } from '../formats/simaticml/interface-write.ts'
import { UnknownNameError } from '../model/fault.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import {
  type ImportedObject,
  type InterfaceMember,
  type InterfaceSection,
  type MemberAttribute,
  type ProgramObjectKind,
  type Remanence,
  type SectionName,
  sectionNamed,
} from '../model/object.ts'
import { editFault, type MemberInput, type MergeOptions, mergeSections } from './input.ts'

/** The fields of a member; on a change, fields that are not given stay. */
export interface MemberFields {
  readonly dataType?: string
  readonly version?: string
  /** An empty text means no value. */
  readonly startValue?: string
  readonly comment?: string | MultilingualText
  readonly remanence?: Remanence
  /** `{ ExternalWritable: false }`. */
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
  readonly members?: readonly MemberInput[]
  /** Counted from 1, among the members of the same section or structure. */
  readonly position?: number
}

export type MemberEdit =
  | {
      readonly kind: 'add'
      readonly section?: string
      readonly members: readonly (MemberFields & { readonly name: string; readonly section?: string })[]
    }
  | {
      readonly kind: 'update'
      readonly name: string
      readonly section?: string
      readonly newName?: string
      readonly fields: MemberFields
    }
  | { readonly kind: 'delete'; readonly name: string; readonly section?: string }

/** A single step of an edit, the same for text and XML. */
export type MemberStep =
  | {
      readonly kind: 'insert'
      readonly section: SectionName
      readonly parent: readonly string[]
      readonly member: InterfaceMember
      readonly index: number
    }
  | {
      readonly kind: 'replace'
      readonly section: SectionName
      readonly path: readonly string[]
      readonly member: InterfaceMember
      readonly before: InterfaceMember
    }
  | { readonly kind: 'remove'; readonly section: SectionName; readonly path: readonly string[] }

/** Whether the step changes only the name. */
export function isRenaming({ member, before }: MemberStep & { readonly kind: 'replace' }): boolean {
  return JSON.stringify({ ...member, name: '' }) === JSON.stringify({ ...before, name: '' })
}

/** Attributes whose meaning TIA Portal defines (`SystemDefined`). */
const systemAttributes = new Set([
  'ExternalAccessible',
  'ExternalVisible',
  'ExternalWritable',
  'SetPoint',
  'UserVisible',
  'UserReadOnly',
  'UserDeletable',
  'CodeReadOnly',
  'HiddenAssignment',
])

/**
 * Returns the steps of an edit, and the interface after them.
 * @throws FormatError naming the member, section or value that is not acceptable
 */
export function memberSteps(
  object: ImportedObject,
  edit: MemberEdit,
  culture: string,
): { readonly steps: readonly MemberStep[]; readonly sections: readonly InterfaceSection[] } {
  checkHasInterface(object)
  if (edit.kind === 'add') {
    let sections = object.interface
    const steps = edit.members.map((fields) => {
      const step = insertion(object, sections, fields, fields.section ?? edit.section, culture)
      sections = applied(sections, step)
      return step
    })
    return { steps, sections }
  }
  const found = locate(object, edit.name, edit.section)
  if (edit.kind === 'delete') {
    const step: MemberStep = { kind: 'remove', section: found.section, path: found.path }
    return { steps: [step], sections: applied(object.interface, step) }
  }
  return changeSteps(object, found, edit, culture)
}

/**
 * Checks that the object has an interface of its own.
 * @throws FormatError for an object without an interface, or with that of another one
 */
export function checkHasInterface(object: ImportedObject): void {
  const { kind, name } = object
  if (sectionOrder[kind as ProgramObjectKind] === undefined) throw editFault(`${kind} "${name}" has no interface`)
  if (kind === 'InstanceDB')
    throw editFault(`the interface of "${name}" is that of its type "${object.instanceOf ?? ''}": change it there`)
}

interface Found {
  readonly section: SectionName
  readonly path: readonly string[]
  readonly member: InterfaceMember
  readonly siblings: readonly InterfaceMember[]
}

/**
 * Finds a member by its dotted name; parts with dots are in quotes: `drive."a.b".speed`.
 * @throws UnknownNameError
 */
export function locate(object: ImportedObject, name: string, section: string | undefined): Found {
  const wanted = section === undefined ? undefined : sectionName(object, section)
  const path = pathOf(name)
  const places = object.interface
    .filter((candidate) => wanted === undefined || candidate.section === wanted)
    .flatMap((candidate) => search(candidate.section, candidate.members, path) ?? [])
  const [place] = places
  if (place !== undefined) return place
  const known = object.interface.flatMap(({ members }) => members.map((member) => member.name))
  throw new UnknownNameError(wanted === undefined ? 'member' : `${wanted} member`, name, known)
}

function search(section: SectionName, members: readonly InterfaceMember[], path: readonly string[]): Found | undefined {
  const [first, ...rest] = path
  const member = members.find(({ name }) => name.toUpperCase() === first?.toUpperCase())
  if (member === undefined) return undefined
  if (rest.length === 0) return { section, path: [member.name], member, siblings: members }
  const inner = search(section, member.members, rest)
  return inner && { ...inner, path: [member.name, ...inner.path] }
}

/** The parts of a dotted name. */
function pathOf(name: string): string[] {
  const parts = [...name.matchAll(/"([^"]*)"|[^."]+/g)].map(([whole, quoted]) => quoted ?? whole)
  return parts.length === 0 ? [name] : parts
}

function sectionName(object: ImportedObject, given: string): SectionName {
  const allowed = sectionOrder[object.kind as ProgramObjectKind] ?? []
  const name = sectionNamed(given)
  if (name !== undefined && allowed.includes(name)) return name
  throw editFault(
    `section ${JSON.stringify(given)} does not exist in ${object.kind} "${object.name}"; it has ${allowed.join(', ')}`,
  )
}

function insertion(
  object: ImportedObject,
  sections: readonly InterfaceSection[],
  fields: MemberFields & { readonly name: string },
  given: string | undefined,
  culture: string,
): MemberStep {
  const allowed = sectionOrder[object.kind as ProgramObjectKind] ?? []
  const path = pathOf(fields.name)
  const parent = path.slice(0, -1)
  const own = path.at(-1) as string
  const holder =
    parent.length === 0
      ? undefined
      : locate({ ...object, interface: sections }, parent.map(quotedPart).join('.'), given)
  if (holder !== undefined && !/struct$/i.test(holder.member.dataType))
    throw editFault(
      `${parent.join('.')} is a ${holder.member.dataType} and takes no members; only Struct has members of its own`,
    )
  if (holder === undefined && given === undefined && allowed.length !== 1)
    throw editFault(`${fields.name}: name a section: ${allowed.join(', ')}`)
  const section = holder?.section ?? sectionName(object, given ?? (allowed[0] as string))
  if (section === 'Return')
    throw editFault(`the return value is there already; change its data type with its name Ret_Val`)
  const siblings = holder?.member.members ?? sections.find((candidate) => candidate.section === section)?.members ?? []
  requireFreeName(object, sections, holder, own, fields.name)
  if (fields.dataType === undefined) throw editFault(`${fields.name}: a new member needs a data type`)
  const index = indexOf(fields.position, siblings.length + 1)
  return {
    kind: 'insert',
    section,
    parent: holder?.path ?? [],
    member: memberOf(
      { ...fields, name: own },
      undefined,
      section,
      optionsOf(object, sections, section, parent, culture),
    ),
    index,
  }
}

function quotedPart(part: string): string {
  return part.includes('.') ? `"${part}"` : part
}

/** Checks that a name is free: names are unique among all sections of a block, and within a structure. */
function requireFreeName(
  object: ImportedObject,
  sections: readonly InterfaceSection[],
  holder: Found | undefined,
  name: string,
  shown: string,
): void {
  const upper = name.toUpperCase()
  const [taken] =
    holder !== undefined
      ? holder.member.members.filter((member) => member.name.toUpperCase() === upper).map(() => holder.path.join('.'))
      : sections
          .filter(({ members }) => members.some((member) => member.name.toUpperCase() === upper))
          .map(({ section }) => `section ${section}`)
  if (taken !== undefined) throw editFault(`"${object.name}" has a member ${shown} already, in ${taken}`)
}

function indexOf(position: number | undefined, last: number): number {
  if (position === undefined) return last - 1
  if (!Number.isInteger(position) || position < 1 || position > last)
    throw editFault(`/position: ${position} is not between 1 and ${last}`)
  return position - 1
}

/** What a member is part of. */
function optionsOf(
  { kind }: ImportedObject,
  sections: readonly InterfaceSection[],
  section: SectionName,
  [outermost]: readonly string[],
  culture: string,
): MergeOptions {
  const around = sections
    .find((candidate) => candidate.section === section)
    ?.members.find(({ name }) => name.toUpperCase() === outermost?.toUpperCase())
  return { culture, kind, ...defined({ around }) }
}

/** Makes the member from the given fields, checked like the members of a whole section. */
function memberOf(
  fields: MemberFields & { readonly name: string },
  before: InterfaceMember | undefined,
  section: SectionName,
  options: MergeOptions,
): InterfaceMember {
  const { attributes, position: _position, startValue, ...rest } = fields
  const input: MemberInput = {
    ...rest,
    dataType: fields.dataType ?? before?.dataType ?? '',
    ...(startValue ? { startValue } : {}),
  }
  const known = before === undefined ? [] : [{ ...before, name: fields.name }]
  const [merged] = mergeSections([{ section, members: known }], [{ section, members: [input] }], options)
  const member = merged?.members[0] as InterfaceMember
  const { startValue: _value, startValueConstant: _constant, ...without } = member
  const valued: InterfaceMember = startValue === '' ? without : member
  return attributes === undefined ? valued : { ...valued, attributes: withAttributes(valued.attributes, attributes) }
}

function withAttributes(
  before: readonly MemberAttribute[],
  given: NonNullable<MemberFields['attributes']>,
): MemberAttribute[] {
  const changed = new Map(before.map((attribute) => [attribute.name, attribute]))
  for (const [name, value] of Object.entries(given)) {
    if (!/^[A-Za-z]\w{0,60}$/.test(name)) throw editFault(`${JSON.stringify(name)} is no name of an attribute`)
    const type =
      typeof value === 'boolean'
        ? 'Boolean'
        : typeof value === 'number'
          ? Number.isInteger(value)
            ? 'Integer'
            : 'Real'
          : 'String'
    const known = changed.get(name)
    changed.set(name, {
      ...(known ?? { name, type, ...(systemAttributes.has(name) ? { systemDefined: true } : {}) }),
      value: String(value),
    })
  }
  return [...changed.values()]
}

function changeSteps(object: ImportedObject, found: Found, edit: MemberEdit & { kind: 'update' }, culture: string) {
  const { section, path, member: before, siblings } = found
  const { fields, newName } = edit
  const name = newName ?? before.name
  if (section === 'Return' && name !== before.name)
    throw editFault(`the return value is always called ${before.name}; only its data type can be changed`)
  if (newName !== undefined && newName.toUpperCase() !== before.name.toUpperCase()) {
    const holder = path.length === 1 ? undefined : locate(object, path.slice(0, -1).map(quotedPart).join('.'), section)
    requireFreeName(object, object.interface, holder, newName, newName)
  }
  const parent = path.slice(0, -1)
  const options = optionsOf(object, object.interface, section, parent, culture)
  const member = memberOf({ ...fields, name }, before, section, options)
  const at = siblings.indexOf(before)
  const index = fields.position === undefined ? at : indexOf(fields.position, siblings.length)
  const steps: MemberStep[] =
    index === at && sameRemanence(before, member)
      ? [{ kind: 'replace', section, path, member, before }]
      : [
          { kind: 'remove', section, path },
          { kind: 'insert', section, parent, member, index },
        ]
  return { steps, sections: steps.reduce(applied, object.interface) }
}

function sameRemanence(a: InterfaceMember, b: InterfaceMember): boolean {
  return (a.remanence ?? 'NonRetain') === (b.remanence ?? 'NonRetain')
}

/** The interface after a step. */
function applied(sections: readonly InterfaceSection[], step: MemberStep): readonly InterfaceSection[] {
  const inSection = (members: readonly InterfaceMember[]) =>
    step.kind === 'insert'
      ? inside(members, step.parent, (list) => [...list.slice(0, step.index), step.member, ...list.slice(step.index)])
      : inside(members, step.path.slice(0, -1), (list) =>
          list.flatMap((member) =>
            member.name !== step.path.at(-1) ? member : step.kind === 'replace' ? step.member : [],
          ),
        )
  if (!sections.some(({ section }) => section === step.section))
    return [...sections, { section: step.section, members: inSection([]) }]
  return sections.map((section) =>
    section.section === step.section ? { ...section, members: inSection(section.members) } : section,
  )
}

function inside(
  members: readonly InterfaceMember[],
  path: readonly string[],
  change: (members: readonly InterfaceMember[]) => InterfaceMember[],
): InterfaceMember[] {
  const [first, ...rest] = path
  if (first === undefined) return change(members)
  return members.map((member) =>
    member.name === first ? { ...member, members: inside(member.members, rest, change) } : member,
  )
}
