/** Members of interfaces: from a specification, and back. */

import { defined } from '../../lib/optional.ts'
import { checkName, toText } from '../edit/input.ts'
import { parseDataType } from '../formats/source/declarations.ts'
import { lex } from '../languages/scl/lexer.ts'
import { lastTrivia, TokenKind } from '../languages/scl/tokens.ts'
import { parseElementaryType } from '../model/data-type.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import {
  type InterfaceMember,
  type InterfaceSection,
  type MemberAttribute,
  sectionNamed,
  sectionNames,
} from '../model/object.ts'
import type { SpecificationFaults } from './faults.ts'
import type { AttributeValue, MemberSpecification, SectionSpecification, Text } from './specification.ts'

/** Structures are nested at most this deep. */
const deepest = 32

interface Reading {
  readonly faults: SpecificationFaults
  readonly culture: string
}

/** Reads sections; sections that are given twice are one. */
export function sectionsOf(
  given: readonly SectionSpecification[],
  at: string,
  reading: Reading,
  depth = 0,
): InterfaceSection[] {
  const sections = new Map<InterfaceSection['section'], InterfaceMember[]>()
  const seen = new Set<string>()
  for (const [i, { section, members }] of given.entries()) {
    const name = sectionNamed(section)
    if (name === undefined) {
      reading.faults.add(
        `${at}/${i}/section`,
        `${JSON.stringify(section)} is no section; allowed: ${sectionNames.join(', ')}`,
      )
      continue
    }
    const read = membersOf(members, `${at}/${i}/members`, reading, seen, depth)
    const known = sections.get(name)
    if (known === undefined) sections.set(name, read)
    else known.push(...read)
  }
  return [...sections].map(([section, members]) => ({ section, members }))
}

function membersOf(
  given: readonly MemberSpecification[],
  at: string,
  reading: Reading,
  seen: Set<string>,
  depth: number,
): InterfaceMember[] {
  const { faults } = reading
  if (depth > deepest && given.length > 0) {
    faults.add(at, `structures are nested deeper than ${deepest} levels`)
    return []
  }
  return given.flatMap((member, i) => {
    const place = `${at}/${i}`
    faults.part(`${place}/name`, () => checkName(member.name, 'a member'))
    const key = member.name.toUpperCase()
    if (seen.has(key)) faults.add(`${place}/name`, `${JSON.stringify(member.name)} is declared twice`)
    seen.add(key)
    const read = memberOf(member, place, reading, depth)
    return read === undefined ? [] : [read]
  })
}

function memberOf(
  member: MemberSpecification,
  at: string,
  reading: Reading,
  depth: number,
): InterfaceMember | undefined {
  const { faults, culture } = reading
  const dataType = parseDataType(member.dataType)
  if (dataType === undefined) {
    faults.add(`${at}/dataType`, `${JSON.stringify(member.dataType)} is no data type`)
    return undefined
  }
  const { startValue, startValueConstant, version, remanence, accessibility, attributes = {} } = member
  if (startValue !== undefined && !isValue(startValue))
    faults.add(`${at}/startValue`, `${JSON.stringify(startValue)} is no start value`)
  if (startValueConstant !== undefined && startValue === undefined)
    faults.add(`${at}/startValueConstant`, 'needs the value of the constant in startValue')
  if (member.members !== undefined && member.members.length > 0 && !/struct$/i.test(dataType))
    faults.add(`${at}/members`, `a member of type ${dataType} has none; they belong to a Struct`)
  if (member.typeMembers !== undefined && !hasTypeMembers(dataType))
    faults.add(`${at}/typeMembers`, `a member of type ${dataType} has none; they belong to a PLC data type or a block`)
  const inner = membersOf(member.members ?? [], `${at}/members`, reading, new Set(), depth + 1)
  const sections =
    member.typeMembers === undefined
      ? undefined
      : sectionsOf(member.typeMembers, `${at}/typeMembers`, reading, depth + 1)
  const subelements = member.elements?.map(({ path, startValue: value, comment }, i) => {
    if (value !== undefined && !isValue(value))
      faults.add(`${at}/elements/${i}/startValue`, `${JSON.stringify(value)} is no start value`)
    if (!/^-?\d+(?:[,;]-?\d+)*$/.test(path))
      faults.add(`${at}/elements/${i}/path`, `${JSON.stringify(path)} is no index; an index is 1, 0,2 or 1;0`)
    const texts = comment === undefined ? undefined : toText(comment, culture)
    return { path, ...defined({ startValue: value, comment: texts }) }
  })
  return {
    name: member.name,
    dataType,
    comment: toText(member.comment ?? '', culture),
    attributes: Object.entries(attributes).map(([name, value]) => attributeOf(name, value)),
    members: inner,
    ...defined({ version, startValue, startValueConstant, remanence, accessibility, sections, subelements }),
  }
}

/** Whether a type is described elsewhere, so that its members may have values of their own where it is used. */
function hasTypeMembers(dataType: string): boolean {
  return !/struct$/i.test(dataType) && (parseElementaryType(dataType) === undefined || /^dtl$/i.test(dataType))
}

/** A value is one line of tokens without `;` and comments. */
function isValue(value: string): boolean {
  const tokens = lex(value)
  return (
    value.trim() !== '' &&
    tokens.faults.length === 0 &&
    !tokens.kind.some((kind) => kind === TokenKind.Semicolon || (kind !== TokenKind.Whitespace && kind <= lastTrivia))
  )
}

function attributeOf(name: string, value: AttributeValue): MemberAttribute {
  if (typeof value === 'object') return { name, ...value }
  if (typeof value === 'boolean') return { name, type: 'Boolean', value: String(value) }
  if (typeof value === 'number')
    return { name, type: Number.isInteger(value) ? 'Integer' : 'Real', value: String(value) }
  return { name, type: 'String', value }
}

// ── Back ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Sections as a specification; those without members are left out. */
export function sectionSpecifications(sections: readonly InterfaceSection[]): SectionSpecification[] {
  return sections
    .filter(({ members }) => members.length > 0)
    .map(({ section, members }) => ({ section, members: members.map(memberSpecification) }))
}

export function memberSpecification(member: InterfaceMember): MemberSpecification {
  const { name, dataType, version, remanence, accessibility, members, sections, subelements = [] } = member
  // What is informative is the type's.
  const startValue = member.startValueIsInformative === true ? undefined : member.startValue
  const startValueConstant = startValue === undefined ? undefined : member.startValueConstant
  const comment = member.commentIsInformative === true ? undefined : textOf(member.comment)
  const typeMembers = sections?.some(hasOwn) === true ? sectionSpecifications(sections) : undefined
  return {
    name,
    dataType,
    ...defined({ version, startValue, startValueConstant, comment, remanence, accessibility }),
    ...(member.attributes.length === 0
      ? {}
      : { attributes: Object.fromEntries(member.attributes.map((one) => [one.name, attributeValue(one)])) }),
    ...(members.length === 0 ? {} : { members: members.map(memberSpecification) }),
    ...(subelements.length === 0
      ? {}
      : {
          elements: subelements.map(({ path, startValue: value, comment: texts }) => ({
            path,
            ...defined({ startValue: value, comment: texts && textOf(texts) }),
          })),
        }),
    ...defined({ typeMembers }),
  }
}

/** Whether the copy of a type has values or comments of its own. */
function hasOwn({ members }: InterfaceSection): boolean {
  return members.some(
    (member) =>
      (member.startValue !== undefined && member.startValueIsInformative !== true) ||
      member.subelements?.some(({ startValue }) => startValue !== undefined) === true ||
      (member.commentIsInformative !== true && Object.values(member.comment).some((text) => text !== '')) ||
      hasOwn({ section: 'None', members: member.members }) ||
      member.sections?.some(hasOwn) === true,
  )
}

function attributeValue({ type, value, systemDefined, informative }: MemberAttribute): AttributeValue {
  if (systemDefined === undefined && informative === undefined) {
    if (type === 'Boolean' && (value === 'true' || value === 'false')) return value === 'true'
    if (type === 'Integer' && String(Number(value)) === value && Number.isInteger(Number(value))) return Number(value)
    if (type === 'String') return value
  }
  return { type, value, ...defined({ systemDefined, informative }) }
}

/** Nothing for an empty text. Texts stay by culture: their languages are part of the block. */
export function textOf(text: MultilingualText): Text | undefined {
  return Object.values(text).every((value) => value === '') ? undefined : text
}
