/**
 * Writes program objects as external source text, laid out as TIA Portal does (docs/formats.md#external-sources): SCL
 * blocks, data blocks, PLC data types. LAD, FBD and GRAPH networks from SimaticML have no source form.
 */

import { Keyword } from '../../model/keywords.ts'
import { anyText, type MultilingualText } from '../../model/multilingual-text.ts'
import { declaredName, isBuiltInType, quoted } from '../../model/names.ts'
import { namespaceOf } from '../../model/namespace.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, SectionName } from '../../model/object.ts'
import { pragmaOfSource, wordsOfAttributes } from './attribute-names.ts'
import { bodyOfCode, statementBody } from './body.ts'
import { elementPlace, type PlaceStep } from './element-place.ts'
import { eventEntries, needsEventLine } from './event-line.ts'
import { gantryLine, withGantryLine } from './gantry-line.ts'
import { arrayIndices } from './initial-values.ts'
import { inNamespace } from './namespaces.ts'
import { pragmaLiteral } from './pragma.ts'
import { readSource } from './read.ts'
import { codeOfNetworks, networkEntries } from './scl-networks.ts'

/** Block keyword by kind. */
const blockKeywords: Readonly<Record<string, string>> = {
  OB: 'ORGANIZATION_BLOCK',
  FB: 'FUNCTION_BLOCK',
  FC: 'FUNCTION',
  GlobalDB: 'DATA_BLOCK',
  InstanceDB: 'DATA_BLOCK',
  ArrayDB: 'DATA_BLOCK',
  UDT: 'TYPE',
}

/** `VAR` line by section; Static and Temp depend on remanence and kind. */
const linesOfSection: Readonly<Partial<Record<SectionName, string>>> = {
  Input: 'VAR_INPUT ',
  Output: 'VAR_OUTPUT ',
  InOut: 'VAR_IN_OUT ',
  Temp: 'VAR_TEMP ',
  Constant: 'VAR CONSTANT ',
}

/**
 * Returns the object as source text with LF line ends. Returns `undefined` when it has no source form: tables, objects
 * that are not part of the program, code with networks in another language than SCL, know-how protected blocks without
 * code. A block imported as a source returns its own text. Of texts in several cultures it takes that of `culture`,
 * without one the first. The text of an organization block has the line that says when it runs, where it needs it.
 * `writeSource` says what is lost.
 */
export function sourceTextOf(object: ImportedObject, culture?: string): string | undefined {
  const bare =
    object.text === undefined ? bareText(culture === undefined ? object : inCulture(object, culture)) : undefined
  const text = object.text ?? (bare === undefined ? undefined : inNamespace(namespaceOf(object), bare))
  return text === undefined || object.kind !== 'OB' ? text : withEventOf(object, text)
}

function withEventOf(object: ImportedObject, text: string): string {
  const told = readSource(text).blocks[0]?.object
  if (told === undefined || !needsEventLine(told, object)) return text
  return withGantryLine(text, Keyword.ORGANIZATION_BLOCK, eventEntries(object))
}

/**
 * The object with the texts of one culture, where it has them, before all others: sources have one text at each place.
 */
function inCulture(object: ImportedObject, culture: string): ImportedObject {
  const first = (text: MultilingualText) => firstIn(text, culture)
  return {
    ...object,
    title: first(object.title),
    comment: first(object.comment),
    interface: object.interface.map((section) => ({ ...section, members: membersIn(section.members, culture) })),
    networks: object.networks.map((network) => ({
      ...network,
      title: first(network.title),
      comment: first(network.comment),
    })),
  }
}

function firstIn(text: MultilingualText, culture: string): MultilingualText {
  const own = text[culture]
  return own === undefined || own === '' ? text : { [culture]: own }
}

/** The members with the comments of one culture, where they have them. */
export function membersIn(members: readonly InterfaceMember[], culture: string): InterfaceMember[] {
  return members.map((member) => ({
    ...member,
    comment: firstIn(member.comment, culture),
    members: membersIn(member.members, culture),
  }))
}

function bareText(object: ImportedObject): string | undefined {
  const keyword = blockKeywords[object.kind]
  if (keyword === undefined) return undefined
  if (object.kind === 'UDT') return typeText(object)
  if (keyword === 'DATA_BLOCK') return dataBlockText(object)
  if (object.isKnowHowProtected || sourceLanguage(object) === undefined) return undefined
  return codeBlockText(object, keyword)
}

/**
 * Returns the declarations of an object as in its source: VAR sections, or the structure of a type. Of texts in several
 * cultures it takes that of `culture`, without one the first.
 */
export function declarationText(kind: string, given: readonly InterfaceSection[], culture?: string): string {
  const sections =
    culture === undefined ? given : given.map((one) => ({ ...one, members: membersIn(one.members, culture) }))
  if (kind === 'UDT') {
    const members = sections.flatMap((section) => section.members)
    return ['STRUCT ', ...members.flatMap((member) => memberLines(member, 2)), '   END_STRUCT;'].join('\n')
  }
  return sections.flatMap(sectionLines).join('\n').trim()
}

/** The declarations to read by themselves: from the margin, without blanks at the ends of lines. */
export function readableDeclarations(kind: string, sections: readonly InterfaceSection[]): string {
  return declarationText(kind, sections)
    .replace(/\n {3}/g, '\n')
    .replace(/ +$/gm, '')
}

function headerLines(object: ImportedObject, pragma: readonly (readonly [string, string])[]): string[] {
  const title = anyText(object.title).replace(/\s*\n\s*/g, ' ')
  const lines: string[] = []
  if (title !== '') lines.push(`TITLE = ${title}`)
  if (pragma.length > 0)
    lines.push(`{ ${pragma.map(([name, value]) => `${name} := ${pragmaLiteral(value)}`).join('; ')} }`)
  if (object.author !== '') lines.push(`AUTHOR : ${headerValue(object.author)}`)
  if (object.family !== '') lines.push(`FAMILY : ${headerValue(object.family)}`)
  if (object.headerName !== '') lines.push(`NAME : ${headerValue(object.headerName)}`)
  if (object.version !== '') lines.push(`VERSION : ${object.version}`)
  const comment = anyText(object.comment)
  if (comment !== '') lines.push(...comment.split('\n').map((line) => `//${line === '' ? '' : ` ${line}`}`))
  return lines
}

function headerValue(text: string): string {
  return /^[A-Za-z_]\w*$/.test(text) ? text : pragmaLiteral(text)
}

function layoutPragma(object: ImportedObject): [string, string][] {
  const entries = pragmaOfSource(object)
  if (object.memoryLayout !== undefined)
    entries.push(['S7_Optimized_Access', object.memoryLayout === 'Optimized' ? 'TRUE' : 'FALSE'])
  return entries
}

function codeBlockText(object: ImportedObject, keyword: string): string {
  const result = object.interface.find(({ section }) => section === 'Return')?.members[0]
  const returns = object.kind === 'FC' ? ` : ${result?.dataType ?? 'Void'}` : ''
  const said = sourceLanguage(object) === 'SCL' ? networkEntries(object) : []
  const lines = [
    ...(said.length === 0 ? [] : [gantryLine(said)]),
    `${keyword} ${quoted(object.name)}${returns}`,
    ...headerLines(object, layoutPragma(object)),
  ]
  for (const section of object.interface) lines.push(...sectionLines(section))
  const body =
    sourceLanguage(object) === 'STL' ? statementBody(object.networks, anyText) : bodyOfCode(codeOfNetworks(object))
  return `${lines.join('\n')}\n\nBEGIN${body}END_${keyword}\n\n`
}

/** The source language that fits a block: SCL or STL when all of its networks are in it. */
function sourceLanguage({ language, networks }: ImportedObject): 'SCL' | 'STL' | undefined {
  const isAll = (wanted: string): boolean => networks.every((network) => network.language === wanted)
  if (isAll('STL') && (networks.length > 0 || language === 'STL')) return 'STL'
  return isAll('SCL') ? 'SCL' : undefined
}

/** Lines of a section, which is split wherever the remanence of its members changes. */
function sectionLines({ section, members }: InterfaceSection): string[] {
  if (section === 'Return' || section === 'Base') return []
  const shown = members.filter(({ informative }) => informative !== true)
  if (shown.length === 0) return []
  const lines: string[] = []
  let open: string | undefined
  for (const member of shown) {
    const line = `${(linesOfSection[section] ?? 'VAR').trimEnd()} ${remanenceWords[member.remanence ?? ''] ?? ''}`
    if (line !== open) {
      if (open !== undefined) lines.push('   END_VAR', '')
      lines.push(`   ${line}`)
      open = line
    }
    lines.push(...memberLines(member, 2))
  }
  lines.push('   END_VAR', '')
  return lines
}

const remanenceWords: Readonly<Record<string, string>> = { Retain: 'RETAIN', SetInIDB: 'DB_SPECIFIC' }

/** Writes a member, indented by three blanks a level; structures take several lines. */
export function memberLines(member: InterfaceMember, level: number): string[] {
  const indent = '   '.repeat(level)
  const comment = anyText(member.comment).replace(/\s*\n\s*/g, ' ')
  const tail = comment === '' ? '' : `   // ${comment}`
  const overlay = member.attributes.find(({ name }) => name === 'At')
  const head = `${indent}${declaredName(member.name)}${memberPragma(member)}${overlay === undefined ? '' : ` AT ${declaredName(overlay.value)}`}`
  // A constant may have its value alone.
  const typed = member.dataType === '' ? head : `${head} : ${member.dataType}`
  const structure = /^(Array\[.*\] of )?Struct$/i.exec(member.dataType)
  if (structure === null || member.members.length === 0) {
    const value = member.startValueConstant ?? member.startValue ?? arrayValue(member)
    return [`${typed}${value === undefined || value === '' ? '' : ` := ${value}`};${tail}`]
  }
  return [
    `${typed}${tail}`,
    ...member.members.flatMap((inner) => memberLines(inner, level + 1)),
    `${indent}END_STRUCT;`,
  ]
}

/**
 * `[1, 2, 3]` when the elements have values without a gap from the first one on; in an array of several dimensions the
 * last index counts first.
 */
function arrayValue({ dataType, subelements = [] }: InterfaceMember): string | undefined {
  const values = new Map(
    subelements.flatMap(({ path, startValue }) => (startValue === undefined ? [] : [[path, startValue] as const])),
  )
  const places = values.size === 0 ? undefined : arrayIndices(dataType, values.size)
  return places?.every((path) => values.has(path)) === true
    ? `[${places.map((path) => values.get(path)).join(', ')}]`
    : undefined
}

/** Attributes that are written only when they differ from the default, which is `true`. */
const defaultTrue = new Set(['ExternalAccessible', 'ExternalVisible', 'ExternalWritable', 'UserVisible'])

function memberPragma(member: InterfaceMember): string {
  const entries: [string, string][] = []
  if (member.version !== undefined && !member.dataType.startsWith('"'))
    entries.push(['InstructionName', baseType(member.dataType)], ['LibVersion', member.version])
  for (const { name, type, value, informative } of member.attributes) {
    if (informative === true || name === 'At' || name === 'Offset' || name === 'PaddedSize') continue
    if (defaultTrue.has(name) && value === 'true') continue
    // Elementary members are no set points by default; instances of blocks are written either way.
    if (name === 'SetPoint' && value === 'false' && (isBuiltInType(member.dataType) || member.version === undefined))
      continue
    const spelled = name === 'SetPoint' ? 'S7_SetPoint' : name === 'HiddenAssignment' ? 'S7_HiddenAssignment' : name
    entries.push([spelled, type === 'Boolean' ? (value === 'true' ? 'True' : 'False') : value])
  }
  if (entries.length === 0) return ''
  return ` { ${entries.map(([name, value]) => `${name} := ${pragmaLiteral(value)}`).join('; ')}}`
}

/** `TON_TIME` of `Array[0..3] of TON_TIME`. */
function baseType(dataType: string): string {
  return dataType.slice(dataType.lastIndexOf(' of ') + 1).replace(/^of /, '')
}

function typeText(object: ImportedObject): string {
  const members = object.interface.flatMap((section) => section.members)
  return [
    `TYPE ${quoted(object.name)}`,
    ...headerLines({ ...object, version: object.version || '0.1' }, pragmaOfSource(object)),
    '   STRUCT ',
    ...members.flatMap((member) => memberLines(member, 2)),
    '   END_STRUCT;',
    '',
    'END_TYPE',
    '',
    '',
  ].join('\n')
}

function dataBlockText(object: ImportedObject): string {
  const lines = [`DATA_BLOCK ${quoted(object.name)}`, ...headerLines(object, dataBlockPragma(object))]
  lines.push(...wordsOfAttributes(object))
  const assignments: string[] = []
  const members = object.interface.flatMap((section) => section.members)
  const retained = members.filter(({ remanence }) => remanence === 'Retain').length
  if (object.kind === 'InstanceDB') {
    const type = object.instanceOf ?? ''
    lines.push(isLibraryType(object) || type.toUpperCase() === 'DTL' ? type : quoted(type))
    for (const member of members) assignments.push(...valueAssignments(member, [], true))
  } else if (object.kind === 'ArrayDB') {
    const [element] = members
    if (element?.remanence !== undefined) lines.push(element.remanence === 'Retain' ? 'RETAIN' : 'NON_RETAIN')
    lines.push(element?.dataType ?? '')
    if (element !== undefined) assignments.push(...valueAssignments({ ...element, name: '' }, [], false))
  } else {
    // One word for the whole block, or separate sections where members differ.
    if (retained === 0 || retained === members.length) {
      lines.push(retained > 0 ? 'RETAIN' : 'NON_RETAIN', '   VAR ')
      lines.push(...members.flatMap((member) => memberLines(member, 2)), '   END_VAR', '')
    } else lines.push(...sectionLines({ section: 'Static', members }))
    for (const member of members) assignments.push(...valueAssignments(member, [], false))
  }
  return `${[...lines, '', 'BEGIN', ...assignments].join('\n')}\n\nEND_DATA_BLOCK\n\n`
}

function dataBlockPragma(object: ImportedObject): [string, string][] {
  const pragma = layoutPragma(object)
  const system = object.attributes.find(({ name }) => name === 'OfSystemLibElement')?.value
  const version = object.attributes.find(({ name }) => name === 'OfSystemLibVersion')?.value
  if (system !== undefined && system !== '') pragma.unshift(['InstructionName', system])
  if (version !== undefined && version !== '') pragma.splice(1, 0, ['LibVersion', version])
  return pragma
}

/** Instance DBs of system blocks name the library element, which is no name of the program. */
function isLibraryType(object: ImportedObject): boolean {
  return object.attributes.some(({ name, value }) => name === 'OfSystemLibElement' && value !== '')
}

/**
 * Values that the declaration cannot express: of single elements, and of members of a named type. `isCopy`: the member
 * is declared in such a type, so that its own value is not in the declaration either.
 */
function valueAssignments(member: InterfaceMember, outer: readonly PlaceStep[], isCopy: boolean): string[] {
  if (member.informative === true) return []
  const steps = [...outer, { name: member.name, dataType: member.dataType }]
  const lines: string[] = []
  const assign = (index: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`   ${elementPlace(steps, index)} := ${value};`)
  }
  if (isCopy && member.startValueIsInformative !== true) assign('', member.startValueConstant ?? member.startValue)
  if (isCopy || arrayValue(member) === undefined)
    for (const { path, startValue } of member.subelements ?? []) assign(path, startValue)
  for (const inner of member.members) lines.push(...valueAssignments(inner, steps, isCopy))
  for (const { members } of member.sections ?? [])
    for (const inner of members) lines.push(...valueAssignments(inner, steps, true))
  return lines
}
