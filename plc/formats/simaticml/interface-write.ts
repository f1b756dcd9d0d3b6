/**
 * Writes interfaces as SimaticML: all sections of the kind in order, members with attributes, values and comments
 * (docs/formats.md#interface).
 */

import type { Kept } from '../../model/kept.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import type {
  InterfaceMember,
  InterfaceSection,
  MemberAttribute,
  ProgramObjectKind,
  SectionName,
  Subelement,
} from '../../model/object.ts'
import { listedElements } from '../source/initial-values.ts'
import { holds, writeChildren } from './kept.ts'
import { namespacesOf, type TargetVersion } from './versions.ts'
import type { XmlWriter } from './xml-write.ts'

/** Sections that are always written for a kind, in this order; other sections of the object follow. */
export const sectionOrder: Readonly<Partial<Record<ProgramObjectKind, readonly SectionName[]>>> = {
  OB: ['Input', 'Temp', 'Constant'],
  FB: ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'],
  FC: ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'],
  GlobalDB: ['Static'],
  InstanceDB: ['Input', 'Output', 'InOut', 'Static'],
  ArrayDB: ['None'],
  UDT: ['None'],
}

export interface InterfaceOptions {
  readonly version: TargetVersion
  /** Writes only sections that the object has. By default those that its kind always has are added. */
  readonly onlyGiven?: boolean
}

/** Writes `<Interface>`; returns what could not be expressed. */
export function writeInterface(
  writer: XmlWriter,
  kind: ProgramObjectKind,
  sections: readonly InterfaceSection[],
  { version, onlyGiven = false }: InterfaceOptions,
): string[] {
  const warnings: string[] = []
  writer.element('Interface', {}, () =>
    writer.element('Sections', { xmlns: namespacesOf(version).interface }, () => {
      const written = onlyGiven ? sections : completeSections(kind, sections)
      for (const section of written) writeSection(writer, section, warnings)
    }),
  )
  return warnings
}

/** The sections in the order of the kind, including those that it always has. */
function completeSections(kind: ProgramObjectKind, sections: readonly InterfaceSection[]): InterfaceSection[] {
  const order: readonly SectionName[] = ['Base', ...(sectionOrder[kind] ?? [])]
  const given = (name: SectionName): InterfaceSection[] => sections.filter(({ section }) => section === name)
  const complete: InterfaceSection[] = []
  for (const name of order) {
    const present = given(name)
    const [first] = present
    if (first !== undefined) complete.push({ ...first, members: present.flatMap(({ members }) => members) })
    else if (name !== 'Base') complete.push({ section: name, members: [] })
  }
  return [...complete, ...sections.filter(({ section }) => !order.includes(section))]
}

function writeSection(writer: XmlWriter, section: InterfaceSection, warnings: string[]): void {
  const { section: name, members, base, baseKept, kept } = section
  const children = members.map((member) => () => writeMember(writer, member, warnings))
  if (base !== undefined) children.unshift(() => writeSections(writer, base, baseKept, warnings))
  writer.element('Section', { Name: name, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

/** `<Sections>` inside a member or section. */
function writeSections(
  writer: XmlWriter,
  sections: readonly InterfaceSection[],
  kept: Kept | undefined,
  warnings: string[],
): void {
  writer.element('Sections', { ...kept?.attributes }, () =>
    writeChildren(
      writer,
      kept,
      sections.map((section) => () => writeSection(writer, section, warnings)),
    ),
  )
}

/**
 * Writes a member; children in the order in which TIA Portal writes them.
 * @param around data types of what the member is in, from outside to inside
 */
export function writeMember(
  writer: XmlWriter,
  member: InterfaceMember,
  warnings: string[],
  around: readonly string[] = [],
): void {
  const { kept, sections, assignedProDiagFB: proDiag, comment } = member
  const attributes = {
    Name: member.name,
    Datatype: member.dataType,
    Version: member.version,
    Remanence: member.remanence,
    Accessibility: member.accessibility,
    Informative: member.informative === true ? 'true' : undefined,
    ...kept?.attributes,
  }
  const children: (() => void)[] = []
  if (member.attributes.length > 0 && !holds(kept, 'AttributeList'))
    children.push(() => writeAttributes(writer, member.attributes))
  if (Object.keys(comment).length > 0 && !holds(kept, 'Comment'))
    children.push(() => writeComment(writer, comment, member.commentIsInformative === true))
  for (const inner of member.members)
    children.push(() => writeMember(writer, inner, warnings, [...around, member.dataType]))
  if (sections !== undefined) children.push(() => writeSections(writer, sections, member.sectionsKept, warnings))
  children.push(...startValueWriters(writer, member, warnings, around))
  if (proDiag !== undefined) children.push(() => writer.leaf('AssignedProDiagFB', {}, proDiag))
  for (const element of member.subelements ?? []) children.push(() => writeSubelement(writer, element))
  writer.element('Member', attributes, () => writeChildren(writer, kept, children))
}

function writeSubelement(writer: XmlWriter, { path, startValue, comment, kept }: Subelement): void {
  const children: (() => void)[] = []
  if (startValue !== undefined && !holds(kept, 'StartValue'))
    children.push(() => writer.leaf('StartValue', {}, startValue))
  if (comment !== undefined && Object.keys(comment).length > 0 && !holds(kept, 'Comment'))
    children.push(() => writeComment(writer, comment))
  writer.element('Subelement', { Path: path, ...kept?.attributes }, () => writeChildren(writer, kept, children))
}

function writeAttributes(writer: XmlWriter, attributes: readonly MemberAttribute[]): void {
  writer.element('AttributeList', {}, () => {
    for (const { name, type, value, systemDefined, informative } of attributes)
      writer.leaf(
        `${type}Attribute`,
        {
          Name: name,
          Informative: informative === true ? 'true' : undefined,
          SystemDefined: systemDefined === true ? 'true' : undefined,
        },
        value,
      )
  })
}

/**
 * SimaticML has one value per element of an array, and none for a whole structure. A list that each structure of an
 * array has is that of the elements in each of them; those with a value of their own have that.
 */
function startValueWriters(
  writer: XmlWriter,
  member: InterfaceMember,
  warnings: string[],
  around: readonly string[],
): (() => void)[] {
  const { startValue, name, dataType } = member
  if (startValue === undefined) return []
  if (startValue.startsWith('[')) {
    const elements = listedElements(member, around)
    if (elements === undefined) {
      warnings.push(`the start value ${startValue} of ${name} : ${dataType} cannot be spread over the array's elements`)
      return []
    }
    return elements.map((element) => () => writeSubelement(writer, element))
  }
  if (startValue.startsWith('(')) {
    warnings.push(
      `the start value ${startValue} of ${name} : ${dataType} is a structure's; SimaticML has values of its members only`,
    )
    return []
  }
  const attributes = {
    ConstantName: member.startValueConstant,
    IsBulkValue: member.startValueIsBulk === true ? 'true' : undefined,
    Informative: member.startValueIsInformative === true ? 'true' : undefined,
  }
  return [() => writer.leaf('StartValue', attributes, startValue)]
}

/** `<Comment>` with one text per culture; nothing for `{}`. */
export function writeComment(writer: XmlWriter, comment: MultilingualText, isInformative = false): void {
  const texts = Object.entries(comment)
  if (texts.length === 0) return
  writer.element('Comment', { Informative: isInformative ? 'true' : undefined }, () => {
    for (const [culture, text] of texts) writer.leaf('MultiLanguageText', { Lang: culture }, text)
  })
}
