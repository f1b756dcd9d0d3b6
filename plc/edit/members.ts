/**
 * Adds, changes and deletes members of a stored block's interface. The text is edited in place, so that everything else
 * stays as it was. Loads saxes (through the reader); import lazily.
 */

import type { Edit } from '../formats/simaticml/element-edit.ts'
import { writeMember } from '../formats/simaticml/interface-write.ts'
import { attributeEdit } from '../formats/simaticml/value-edit.ts'
import { child, childrenOf, type XmlElement } from '../formats/simaticml/xml.ts'
import { XmlWriter } from '../formats/simaticml/xml-write.ts'
import { commentText, isComment } from '../formats/source/cursor.ts'
import { lex } from '../languages/scl/lexer.ts'
import { tokenText } from '../languages/scl/tokens.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection } from '../model/object.ts'
import { type EditOptions, editXml, replaceContent, rereadText, singleBlock } from './edit.ts'
import { editFault } from './input.ts'
import { isRenaming, type MemberEdit, type MemberStep, memberSteps } from './member-input.ts'
import { sourceText } from './member-text.ts'

/**
 * Returns the block after the edit.
 * @throws FormatError when the block has no such member or section, or the new one is not acceptable
 */
export function editMembers(object: ImportedObject, edit: MemberEdit, options: EditOptions = {}): ImportedObject {
  const { steps, sections } = memberSteps(object, edit, options.culture ?? 'en-US')
  const edited = steps.reduce((before, step) => applyStep(before, step, options), object)
  if (isSameInterface(edited.interface, sections)) return edited
  // Declarations that cannot be split are rewritten as a whole, if nothing is lost by that.
  const written = { interface: sections.map(({ section, members }) => ({ section, members })) }
  const anew = replaceContent(object, written, options)
  const lost = lostComment(object, anew, options)
  if (lost === undefined) return anew
  throw editFault(
    `the member stands in a declaration that cannot be changed by itself, and writing all of them anew would lose the comment ${JSON.stringify(lost)}: change the text of "${object.name}"`,
  )
}

/** A comment of the declarations that is missing after the edit. */
function lostComment(before: ImportedObject, after: ImportedObject, options: EditOptions): string | undefined {
  if (before.text === undefined || after.text === undefined) return undefined
  const comments = (text: string) => {
    const [start, end] = singleBlock(text, options).layout.declarations
    const tokens = lex(text.slice(start, end))
    return [...Array(tokens.count - 1).keys()]
      .filter((i) => isComment(tokens.kind[i] as number))
      .map((i) => commentText(tokens.kind[i] as number, tokenText(tokens, i)).trim())
  }
  const kept = comments(after.text)
  return comments(before.text).find((comment) => comment !== '' && !kept.some((other) => other.includes(comment)))
}

function applyStep(object: ImportedObject, step: MemberStep, options: EditOptions): ImportedObject {
  if (object.text === undefined) return editXml(object, (root, xml) => xmlEdits(root, xml, step))
  return rereadText(object, sourceText(object, object.text, step, options), options)
}

/**
 * Whether names, types and values of all members are the same. A source has separate sections for retentive members, so
 * their order among the others may differ.
 */
function isSameInterface(a: readonly InterfaceSection[], b: readonly InterfaceSection[]): boolean {
  const shape = (members: readonly InterfaceMember[]): unknown =>
    members.map((member) => [member.name, member.dataType, member.startValue ?? '', shape(member.members)])
  const filled = (sections: readonly InterfaceSection[]) =>
    sections
      .filter(({ members }) => members.length > 0)
      .map(({ section, members }) => [section, shape(section === 'Static' ? [...members].sort(byName) : members)])
  return JSON.stringify(filled(a)) === JSON.stringify(filled(b))
}

function byName(a: InterfaceMember, b: InterfaceMember): number {
  return a.name < b.name ? -1 : 1
}

// ── SimaticML ───────────────────────────────────────────────────────────────────────────────────────────────────────

function xmlEdits(root: XmlElement, xml: string, step: MemberStep): Edit[] {
  const sections = child(child(child(root, 'AttributeList'), 'Interface'), 'Sections')
  if (sections === undefined) throw editFault(`<${root.name}> has no interface`)
  const section = childrenOf(sections, 'Section').find(({ attributes }) => attributes.Name === step.section)
  if (step.kind === 'insert') {
    if (section === undefined) return [newSection(sections, step)]
    const holder = step.parent.reduce<XmlElement | undefined>(memberElement, section)
    if (holder === undefined) throw editFault(`${step.parent.join('.')} is not in the XML of the interface`)
    return [xmlInsertion(holder, step, xml)]
  }
  const element = step.path.reduce<XmlElement | undefined>(memberElement, section)
  if (element === undefined) throw editFault(`${step.path.join('.')} is not in the XML of the interface`)
  if (step.kind === 'replace' && isRenaming(step)) return [attributeEdit(xml, element, 'Name', step.member.name)]
  if (step.kind === 'replace') {
    const indent = indentOf(xml, element.start)
    return [{ start: element.start, end: element.end, text: written(step.member, indent).trimStart() }]
  }
  const holder = element.parent
  if (holder?.name === 'Section' && holder.children.length === 1) {
    const closed = xml.slice(holder.start, holder.contentStart).replace(/\s*>$/, ' />')
    return [{ start: holder.start, end: holder.end, text: closed }]
  }
  const line = xml.lastIndexOf('\n', element.start - 1) + 1
  const isAlone = line > 0 && xml.slice(line, element.start).trim() === ''
  const rest = /^[^\S\n]*\r?\n/.exec(xml.slice(element.end, element.end + 200))
  return [
    {
      start: isAlone && rest ? line : element.start,
      end: isAlone && rest ? element.end + rest[0].length : element.end,
      text: '',
    },
  ]
}

function memberElement(holder: XmlElement | undefined, name: string): XmlElement | undefined {
  return childrenOf(holder, 'Member').find(({ attributes }) => attributes.Name === name)
}

function newSection(sections: XmlElement, { section, member }: MemberStep & { kind: 'insert' }): Edit {
  const writer = new XmlWriter(4)
  writer.element('Section', { Name: section }, () => writeMember(writer, member, []))
  const last = sections.children.at(-1)
  const at = last?.end ?? sections.contentStart
  return { start: at, end: at, text: `\n${writer.toString()}` }
}

function xmlInsertion(holder: XmlElement, { member, index }: MemberStep & { kind: 'insert' }, xml: string): Edit {
  const members = childrenOf(holder, 'Member')
  const next = members[index]
  if (next !== undefined) {
    const indent = indentOf(xml, next.start)
    const line = xml.lastIndexOf('\n', next.start - 1) + 1
    const isAlone = line > 0 && xml.slice(line, next.start).trim() === ''
    const text = written(member, indent)
    return isAlone
      ? { start: line, end: line, text: `${text}\n` }
      : { start: next.start, end: next.start, text: text.trimStart() }
  }
  const indent = `${indentOf(xml, holder.start)}  `
  const text = written(member, indent)
  if (holder.contentStart === holder.end) {
    const open = xml.slice(holder.start, holder.end).replace(/\s*\/>$/, '>')
    return { start: holder.start, end: holder.end, text: `${open}\n${text}\n${indent.slice(2)}</${holder.name}>` }
  }
  // Members come after the attributes and the comment of a structure.
  const before = members.at(-1) ?? childrenOf(holder, 'Comment').at(-1) ?? child(holder, 'AttributeList')
  if (before === undefined && holder.children.length === 0)
    return { start: holder.contentStart, end: holder.contentEnd, text: `\n${text}\n${indent.slice(2)}` }
  const at = before?.end ?? holder.contentStart
  return { start: at, end: at, text: `\n${text}` }
}

function indentOf(xml: string, at: number): string {
  const line = xml.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(xml.slice(line, at))?.[0] ?? ''
}

/** A member as lines, indented like those around it. */
function written(member: InterfaceMember, indent: string): string {
  const writer = new XmlWriter(0)
  const warnings: string[] = []
  writeMember(writer, member, warnings)
  if (warnings[0] !== undefined) throw editFault(warnings.join('; '))
  return writer
    .toString()
    .split('\n')
    .map((line) => indent + line)
    .join('\n')
}
