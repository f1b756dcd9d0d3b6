/**
 * Members of a stored block's interface added, changed and deleted. The text is edited in place: what an edit does not concern stays as it
 * was. Loads saxes (through the reader); import lazily.
 */

import { type EditOptions, editXml, replaceContent, rereadText, singleBlock } from './edit.ts'
import { editFault } from './edit-input.ts'
import { type MemberEdit, type MemberStep, memberSteps } from './member-input.ts'
import { memberName } from './model/names.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection } from './model/object.ts'
import type { Edit } from './simaticml/element-edit.ts'
import { writeMember } from './simaticml/interface-write.ts'
import { child, childrenOf, type XmlElement } from './simaticml/xml.ts'
import { XmlWriter } from './simaticml/xml-write.ts'
import { type MemberPlace, memberPlaces } from './source/member-places.ts'
import { declarationText, memberLines } from './source/write.ts'

/**
 * The block after the edit.
 * @throws FormatError when the block has no such member or section, or the new one is not acceptable
 */
export function editMembers(object: ImportedObject, edit: MemberEdit, options: EditOptions = {}): ImportedObject {
  const { steps, sections } = memberSteps(object, edit, options.culture ?? 'en-US')
  const edited = steps.reduce((before, step) => applyStep(before, step, options), object)
  if (isSameInterface(edited.interface, sections)) return edited
  // Declarations that cannot be taken apart (`a, b : Int`) are written anew as a whole.
  return replaceContent(object, { interface: sections.map(({ section, members }) => ({ section, members })) }, options)
}

function applyStep(object: ImportedObject, step: MemberStep, options: EditOptions): ImportedObject {
  if (object.text === undefined) return editXml(object, (root, xml) => xmlEdits(root, xml, step))
  return rereadText(object, sourceText(object, object.text, step, options), options)
}

/**
 * Names, types and values of all members are as they should be. A source has sections of their own for retentive members, so their order
 * among the others may differ.
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
  // Members stand behind the attributes and the comment of a structure.
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

/** A member as lines with the indentation of those around it. */
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

// ── External sources ────────────────────────────────────────────────────────────────────────────────────────────────

function sourceText(object: ImportedObject, text: string, step: MemberStep, options: EditOptions): string {
  const { layout } = singleBlock(text, options)
  const isCode = object.kind === 'FC' || object.kind === 'OB'
  const { sections, members } = memberPlaces(text, layout.declarations, isCode ? 'Temp' : 'Static')
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = (member: InterfaceMember, level: number) => `${memberLines(member, level).join(eol)}${eol}`
  const splice = (start: number, end: number, by: string) => text.slice(0, start) + by + text.slice(end)
  if (step.kind === 'insert') {
    const siblings = members.filter((place) => isChild(place, step.section, step.parent))
    const next = siblings[step.index]
    const level = step.parent.length + 2
    if (next !== undefined && fits(next, step.member)) return splice(next.start, next.start, lines(step.member, level))
    if (step.parent.length > 0) {
      const holder = members.find((place) => isAt(place, step.section, step.parent))
      const at = holder?.innerEnd
      return at === undefined ? text : splice(at, at, lines(step.member, level))
    }
    const open = sections.filter((place) => place.section === step.section && fits(place, step.member)).at(-1)
    if (open !== undefined) return splice(open.end, open.end, lines(step.member, level))
    const declared = declarationText(object.kind, [{ section: step.section, members: [step.member] }]).replace(
      /\r?\n/g,
      eol,
    )
    const [start, end] = layout.declarations
    return start === end
      ? splice(start, start, `   ${declared}${eol}${eol}`)
      : splice(end, end, `${text.slice(0, end).endsWith('\n') ? '' : eol}   ${declared}${eol}`)
  }
  if (step.section === 'Return' && layout.returnType !== undefined && step.kind === 'replace')
    return splice(...layout.returnType, step.member.dataType)
  const place = members.find((candidate) => isAt(candidate, step.section, step.path))
  if (place === undefined || place.isShared) return text
  const declared = splice(
    place.start,
    place.end,
    step.kind === 'remove' ? '' : lines(step.member, step.path.length + 1),
  )
  return layout.body === undefined || object.language !== 'DB'
    ? declared
    : withStartValues(text, declared, step, layout.body)
}

/** `BEGIN` of a data block assigns values by name: they go, or change, with their member. */
function withStartValues(
  text: string,
  declared: string,
  step: MemberStep & { kind: 'replace' | 'remove' },
  [start, end]: readonly [number, number],
): string {
  const shift = declared.length - text.length
  const path = step.path.map(memberName).join('.')
  const renamed =
    step.kind === 'remove' ? undefined : [...step.path.slice(0, -1), step.member.name].map(memberName).join('.')
  const changedType = step.kind === 'replace' && step.member.dataType !== step.before.dataType
  const body = declared.slice(start + shift, end + shift).replace(/^[^\n]*(?:\n|$)/gm, (line) => {
    const found = /^(\s*)([^:;]+?)(\s*:=\s*)([^;]*)(;.*)$/s.exec(line)
    const name = found?.[2] ?? ''
    const isOwn = name === path || (name.startsWith(path) && /[.[]/.test(name.charAt(path.length)))
    if (found === null || !isOwn) return line
    if (renamed === undefined || changedType) return ''
    const value = step.kind === 'replace' && name === path ? (step.member.startValue ?? '') : found[4]
    return value === '' ? '' : `${found[1]}${renamed}${name.slice(path.length)}${found[3]}${value}${found[5]}`
  })
  return declared.slice(0, start + shift) + body + declared.slice(end + shift)
}

function isAt(place: MemberPlace, section: string, path: readonly string[]): boolean {
  return (
    place.section === section && place.path.length === path.length && path.every((name, i) => name === place.path[i])
  )
}

function isChild(place: MemberPlace, section: string, parent: readonly string[]): boolean {
  return (
    place.section === section &&
    place.path.length === parent.length + 1 &&
    parent.every((name, i) => name === place.path[i])
  )
}

/** A member may stand in a section of its own remanence only. */
function fits(place: Pick<MemberPlace, 'remanence'>, member: InterfaceMember): boolean {
  return member.remanence === undefined || (place.remanence ?? 'NonRetain') === member.remanence
}
