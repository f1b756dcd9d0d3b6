/** `Interface > Sections` of blocks and types (formats.md 1.5; SW.InterfaceSections_v5.xsd). */

import {
  type InterfaceMember,
  type InterfaceSection,
  type MemberAttribute,
  type MultilingualText,
  SECTION_NAMES,
  type SectionName,
  type Subelement,
} from '../model/object.ts'
import { readInlineComment } from './texts.ts'
import { child, childrenOf, type XmlElement, type XmlFaults } from './xml.ts'

/** Sections below `<Interface>`; a namespace of any version is accepted. */
export function readInterface(element: XmlElement | undefined, faults: XmlFaults): InterfaceSection[] {
  const sections = child(element, 'Sections')
  return sections === undefined ? [] : readSections(sections, faults)
}

function readSections(element: XmlElement, faults: XmlFaults): InterfaceSection[] {
  return childrenOf(element, 'Section').map((section) => {
    const name = section.attributes.Name
    if (name === undefined || !(SECTION_NAMES as readonly string[]).includes(name))
      faults.add(
        'xml-value',
        section,
        `section ${JSON.stringify(name)} does not exist; allowed: ${SECTION_NAMES.join(', ')}`,
      )
    const base = child(section, 'Sections')
    return {
      section: name as SectionName,
      members: childrenOf(section, 'Member').map((member) => readMember(member, faults)),
      ...(base === undefined ? {} : { base: readSections(base, faults) }),
    }
  })
}

function readMember(element: XmlElement, faults: XmlFaults): InterfaceMember {
  const { Name: name, Datatype: dataType, Version: version } = element.attributes
  if (name === undefined) faults.add('xml-structure', element, 'a Member needs the attribute Name')
  if (dataType === undefined)
    faults.add('xml-structure', element, `member ${JSON.stringify(name)} needs the attribute Datatype`)
  const { Remanence: remanence, Accessibility: accessibility, Informative: informative } = element.attributes
  let startValue: XmlElement | undefined
  let comment: MultilingualText = {}
  let attributes: readonly MemberAttribute[] = []
  let sections: InterfaceSection[] | undefined
  let proDiag: string | undefined
  const members: InterfaceMember[] = []
  const subelements: Subelement[] = []
  for (const part of element.children) {
    switch (part.name) {
      case 'AttributeList':
        attributes = readAttributes(part)
        break
      case 'Member':
        members.push(readMember(part, faults))
        break
      case 'Sections':
        sections = readSections(part, faults)
        break
      case 'StartValue':
        startValue = part
        break
      case 'Comment':
        comment = readInlineComment(part)
        break
      case 'Subelement':
        subelements.push(readSubelement(part))
        break
      case 'AssignedProDiagFB':
        proDiag = part.text
        break
    }
  }
  const constant = startValue?.attributes.ConstantName
  return {
    name: name ?? '',
    dataType: dataType ?? '',
    ...(version === undefined ? {} : { version }),
    ...(startValue === undefined ? {} : { startValue: startValue.text }),
    ...(constant === undefined ? {} : { startValueConstant: constant }),
    comment,
    ...(remanence === 'Retain' || remanence === 'SetInIDB' || remanence === 'NonRetain' ? { remanence } : {}),
    ...(accessibility === undefined ? {} : { accessibility }),
    ...(informative === 'true' ? { informative: true } : {}),
    attributes,
    members,
    ...(sections === undefined ? {} : { sections }),
    ...(subelements.length === 0 ? {} : { subelements }),
    ...(proDiag === undefined ? {} : { assignedProDiagFB: proDiag }),
  }
}

function readSubelement(element: XmlElement): Subelement {
  const startValue = child(element, 'StartValue')
  const comment = child(element, 'Comment')
  return {
    path: element.attributes.Path ?? '',
    ...(startValue === undefined ? {} : { startValue: startValue.text }),
    ...(comment === undefined ? {} : { comment: readInlineComment(comment) }),
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
