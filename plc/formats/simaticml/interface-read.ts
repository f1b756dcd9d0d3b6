/** Reads `Interface > Sections` of blocks and types (docs/formats.md#interface; SW.InterfaceSections_v5.xsd). */

import { defined } from '../../../lib/optional.ts'
import type { Kept } from '../../model/kept.ts'
import {
  type InterfaceMember,
  type InterfaceSection,
  type MemberAttribute,
  type SectionName,
  type Subelement,
  sectionNames,
} from '../../model/object.ts'
import { keptOf, withKept } from './kept.ts'
import { readInlineComment } from './texts.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/** Reads the sections below `<Interface>`; a namespace of any version is accepted. */
export function readInterface(element: XmlElement | undefined, faults: XmlFaults): InterfaceSection[] {
  const sections = child(element, 'Sections')
  return sections === undefined ? [] : readSections(sections, faults)
}

function readSections(element: XmlElement, faults: XmlFaults): InterfaceSection[] {
  return childrenOf(element, 'Section').map((section) => {
    const name = section.attributes.Name
    if (name === undefined || !(sectionNames as readonly string[]).includes(name))
      faults.add(
        'xml-value',
        section,
        `section ${JSON.stringify(name)} does not exist; allowed: ${sectionNames.join(', ')}`,
      )
    const base = child(section, 'Sections')
    const baseKept = base === undefined ? undefined : keptOfSections(base)
    return {
      section: name as SectionName,
      members: childrenOf(section, 'Member').map((member) => readMember(member, faults)),
      ...(base === undefined ? {} : { base: readSections(base, faults) }),
      ...defined({ baseKept }),
      ...withKept(keptOf(section, ['Name'], (inner) => inner === base || inner.name === 'Member')),
    }
  })
}

/** The type and version that the sections come from, and their attributes. */
function keptOfSections(sections: XmlElement): Kept | undefined {
  return keptOf(sections, [], ({ name }) => name === 'Section')
}

function readMember(element: XmlElement, faults: XmlFaults): InterfaceMember {
  const { Name: name, Datatype: dataType, Version: version } = element.attributes
  if (name === undefined) faults.add('xml-structure', element, 'a Member needs the attribute Name')
  if (dataType === undefined)
    faults.add('xml-structure', element, `member ${JSON.stringify(name)} needs the attribute Datatype`)
  const { Remanence: remanence, Accessibility: accessibility, Informative: informative } = element.attributes
  const isRemanence = remanence === 'Retain' || remanence === 'SetInIDB' || remanence === 'NonRetain'
  const list = child(element, 'AttributeList')
  const startValue = child(element, 'StartValue')
  const comment = child(element, 'Comment')
  const sections = child(element, 'Sections')
  const proDiag = child(element, 'AssignedProDiagFB')
  const isPlainList = list !== undefined && isPlain(list, [], isMemberAttribute)
  const isPlainComment = comment !== undefined && isPlain(comment, ['Informative'], isPlainText)
  const isKnown = (part: XmlElement): boolean =>
    part.name === 'Member' ||
    part.name === 'Subelement' ||
    part === startValue ||
    part === sections ||
    part === proDiag ||
    (part === list && isPlainList) ||
    (part === comment && isPlainComment)
  const known = ['Name', 'Datatype', 'Version', 'Accessibility', 'Informative']
  if (isRemanence) known.push('Remanence')
  const subelements = childrenOf(element, 'Subelement').map(readSubelement)
  const sectionsKept = sections === undefined ? undefined : keptOfSections(sections)
  return {
    name: name ?? '',
    dataType: dataType ?? '',
    ...defined({ version }),
    ...readStartValue(startValue),
    comment: comment === undefined ? {} : readInlineComment(comment),
    ...(comment?.attributes.Informative === 'true' ? { commentIsInformative: true } : {}),
    ...(isRemanence ? { remanence } : {}),
    ...defined({ accessibility }),
    ...(informative === 'true' ? { informative: true } : {}),
    attributes: list === undefined ? [] : readAttributes(list),
    members: childrenOf(element, 'Member').map((member) => readMember(member, faults)),
    ...(sections === undefined ? {} : { sections: readSections(sections, faults) }),
    ...defined({ sectionsKept }),
    ...(subelements.length === 0 ? {} : { subelements }),
    ...(proDiag === undefined ? {} : { assignedProDiagFB: proDiag.text }),
    ...withKept(keptOf(element, known, isKnown)),
  }
}

function readStartValue(
  element: XmlElement | undefined,
): Pick<InterfaceMember, 'startValue' | 'startValueConstant' | 'startValueIsInformative' | 'startValueIsBulk'> {
  if (element === undefined) return {}
  const { ConstantName: constant, Informative: informative, IsBulkValue: bulk } = element.attributes
  return {
    startValue: element.text,
    ...defined({ startValueConstant: constant }),
    ...(informative === 'true' ? { startValueIsInformative: true } : {}),
    ...(bulk === 'true' ? { startValueIsBulk: true } : {}),
  }
}

/** Whether the model can represent all of an element: it has only known attributes and known children. */
function isPlain(element: XmlElement, known: readonly string[], isKnown: (child: XmlElement) => boolean): boolean {
  for (const name in element.attributes) if (name !== 'UId' && !known.includes(name)) return false
  return element.children.every(isKnown)
}

function isPlainText(element: XmlElement): boolean {
  return element.name === 'MultiLanguageText' && isPlain(element, ['Lang'], () => false)
}

function isMemberAttribute(element: XmlElement): boolean {
  return (
    /^(Boolean|Integer|Real|String|Date)Attribute$/.test(element.name) &&
    isPlain(element, ['Name', 'Informative', 'SystemDefined'], () => false)
  )
}

function readSubelement(element: XmlElement): Subelement {
  const startValue = child(element, 'StartValue')
  const comment = child(element, 'Comment')
  const isPlainValue = startValue !== undefined && isPlain(startValue, [], () => false)
  const isPlainComment = comment !== undefined && isPlain(comment, [], isPlainText)
  return {
    path: element.attributes.Path ?? '',
    ...(startValue === undefined ? {} : { startValue: startValue.text }),
    ...(comment === undefined ? {} : { comment: readInlineComment(comment) }),
    ...withKept(
      keptOf(
        element,
        ['Path'],
        (part) => (part === startValue && isPlainValue) || (part === comment && isPlainComment),
      ),
    ),
  }
}

function readAttributes(list: XmlElement): MemberAttribute[] {
  return list.children.map((element) => ({
    name: element.attributes.Name ?? '',
    type: element.name.replace('Attribute', '') as MemberAttribute['type'],
    value: element.text,
    ...(element.attributes.SystemDefined === 'true' ? { systemDefined: true } : {}),
    ...(element.attributes.Informative === 'true' ? { informative: true } : {}),
  }))
}
