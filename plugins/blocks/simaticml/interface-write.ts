/** Interfaces as SimaticML: all sections of the kind in order, members with attributes, values and comments (formats.md 1.5). */

import type {
  InterfaceMember,
  InterfaceSection,
  MemberAttribute,
  MultilingualText,
  ProgramObjectKind,
  SectionName,
} from '../model/object.ts'
import { spreadArrayValue } from '../source/initial-values.ts'
import { namespacesOf, type TargetVersion } from './versions.ts'
import type { XmlWriter } from './xml-write.ts'

/** Sections that are always written for a kind, in this order; further ones of the object follow. */
export const SECTION_ORDER: Readonly<Partial<Record<ProgramObjectKind, readonly SectionName[]>>> = {
  OB: ['Input', 'Temp', 'Constant'],
  FB: ['Input', 'Output', 'InOut', 'Static', 'Temp', 'Constant'],
  FC: ['Input', 'Output', 'InOut', 'Temp', 'Constant', 'Return'],
  GlobalDB: ['Static'],
  InstanceDB: ['Input', 'Output', 'InOut', 'Static'],
  ArrayDB: ['None'],
  UDT: ['None'],
}

/** Writes `<Interface>`; returns what could not be expressed. */
export function writeInterface(
  writer: XmlWriter,
  kind: ProgramObjectKind,
  sections: readonly InterfaceSection[],
  version: TargetVersion,
): string[] {
  const order = SECTION_ORDER[kind] ?? []
  const names = [...new Set([...sections.map(({ section }) => section).filter((name) => name === 'Base'), ...order])]
  for (const { section } of sections) if (!names.includes(section)) names.push(section)
  const warnings: string[] = []
  writer.element('Interface', {}, () =>
    writer.element('Sections', { xmlns: namespacesOf(version).interface }, () => {
      for (const name of names) {
        const members = sections.filter(({ section }) => section === name).flatMap((section) => section.members)
        writeSection(writer, { section: name, members }, warnings)
      }
    }),
  )
  return warnings
}

function writeSection(writer: XmlWriter, section: InterfaceSection, warnings: string[]): void {
  writer.element('Section', { Name: section.section }, () => {
    for (const member of section.members) writeMember(writer, member, warnings)
  })
}

function writeMember(writer: XmlWriter, member: InterfaceMember, warnings: string[]): void {
  const attributes = {
    Name: member.name,
    Datatype: member.dataType,
    Version: member.version,
    Remanence: member.remanence,
    Accessibility: member.accessibility,
    Informative: member.informative === true ? 'true' : undefined,
  }
  writer.element('Member', attributes, () => {
    writeAttributes(writer, member.attributes)
    for (const inner of member.members) writeMember(writer, inner, warnings)
    if (member.sections !== undefined)
      writer.element('Sections', {}, () => {
        for (const section of member.sections ?? []) writeSection(writer, section, warnings)
      })
    writeStartValue(writer, member, warnings)
    writeComment(writer, member.comment)
    if (member.assignedProDiagFB !== undefined) writer.leaf('AssignedProDiagFB', {}, member.assignedProDiagFB)
    for (const element of member.subelements ?? [])
      writer.element('Subelement', { Path: element.path }, () => {
        if (element.startValue !== undefined) writer.leaf('StartValue', {}, element.startValue)
        writeComment(writer, element.comment ?? {})
      })
  })
}

function writeAttributes(writer: XmlWriter, attributes: readonly MemberAttribute[]): void {
  if (attributes.length === 0) return
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

/** SimaticML has one value per element of an array, and none for a whole structure. */
function writeStartValue(writer: XmlWriter, member: InterfaceMember, warnings: string[]): void {
  const { startValue, name, dataType } = member
  if (startValue === undefined) return
  if (startValue.startsWith('[')) {
    const elements = spreadArrayValue(dataType, startValue)
    if (elements === undefined) {
      warnings.push(`the start value ${startValue} of ${name} : ${dataType} cannot be spread over the array's elements`)
      return
    }
    for (const { path, startValue: value } of elements)
      writer.element('Subelement', { Path: path }, () => writer.leaf('StartValue', {}, value ?? ''))
  } else if (startValue.startsWith('(')) {
    warnings.push(
      `the start value ${startValue} of ${name} : ${dataType} is a structure's; SimaticML has values of its members only`,
    )
  } else writer.leaf('StartValue', { ConstantName: member.startValueConstant }, startValue)
}

/** `<Comment>` with one text per culture; nothing for `{}`. */
export function writeComment(writer: XmlWriter, comment: MultilingualText): void {
  const texts = Object.entries(comment)
  if (texts.length === 0) return
  writer.element('Comment', {}, () => {
    for (const [culture, text] of texts) writer.leaf('MultiLanguageText', { Lang: culture }, text)
  })
}
