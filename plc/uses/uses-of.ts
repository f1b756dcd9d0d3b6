/** Lists every name of the whole program that an object uses. */

import { lex } from '../languages/scl/lexer.ts'
import { nameOf, type SyntaxTree } from '../languages/scl/syntax.ts'
import { TokenKind } from '../languages/scl/tokens.ts'
import { isBuiltInType, isPlainIdentifier } from '../model/names.ts'
import { namespaceOf } from '../model/namespace.ts'
import type { ImportedObject, InterfaceMember, InterfaceSection, Network, WatchEntry } from '../model/object.ts'
import { parseOperand } from '../model/operand-reader.ts'
import { addLogicUses } from './network-uses.ts'
import { addOperand } from './operand-uses.ts'
import { addScl } from './scl-uses.ts'
import { addSequenceUses } from './sequence-uses.ts'
import { addStatements } from './statement-uses.ts'
import { addSupervisions } from './supervision-uses.ts'
import type { ObjectUses, Use, UseAccess, UsePlace } from './use.ts'
import { addAssignedConstants } from './value-uses.ts'

/** Lists what an object uses, and what it offers to its callers. */
export function usesOf(object: ImportedObject): ObjectUses {
  const namespace = namespaceOf(object)
  return { uses: usesIn(object), parameters: parametersOf(object), ...(namespace === '' ? {} : { namespace }) }
}

/**
 * Lists what an object uses: in its interface, its networks, its rows.
 * @param treeOf the tree of the SCL network with a number, when it is parsed already
 */
export function usesIn(object: ImportedObject, treeOf?: (network: number) => SyntaxTree | undefined): readonly Use[] {
  const uses: Use[] = []
  const { kind, instanceOf, attributes } = object
  if (instanceOf !== undefined && instanceOf !== '')
    uses.push({
      name: instanceOf,
      path: [],
      text: `"${instanceOf}"`,
      access: 'Instance',
      place: {},
      ...(isSystemType(object, instanceOf) ? { isBare: true } : {}),
    })
  // The interface of an instance data block is that of its type, so its uses are counted there.
  if (kind !== 'InstanceDB')
    for (const section of object.interface)
      for (const member of section.members) addMember(uses, section, member, '', object.format === 'source')
  if (object.text !== undefined && kind.endsWith('DB')) addAssignedConstants(uses, object.text, 'Static')
  for (const { name, value } of attributes) if (name === 'ArrayDataType') addType(uses, value, {}, 'Type')
  addSupervisions(uses, object)
  for (const network of object.networks) addNetwork(uses, network, object.interface, treeOf?.(network.number))
  if (object.xml !== undefined) addCalledTypes(uses, object.xml)
  for (const { name, dataType } of object.tags ?? []) addType(uses, dataType, { row: name }, 'Type')
  for (const { name, dataType } of object.constants ?? []) addType(uses, dataType, { row: name }, 'Type')
  for (const entry of object.entries ?? []) addEntry(uses, entry)
  return uses
}

/** SimaticML names the library element; sources leave the quotes out. */
function isSystemType({ attributes, text }: ImportedObject, type: string): boolean {
  if (text !== undefined) return !text.includes(`"${type}"`)
  return attributes.some(({ name }) => name === 'OfSystemLibElement')
}

const parameterSections = ['Input', 'Output', 'InOut']

function parametersOf({ kind, interface: sections }: ImportedObject): ObjectUses['parameters'] {
  if (kind !== 'FB' && kind !== 'FC') return []
  // Of two members with one name the first says the section.
  const sectionByName = new Map<string, string>()
  for (const { section, members } of sections)
    for (const { name } of members) if (!sectionByName.has(name)) sectionByName.set(name, section)
  return parameterSections
    .flatMap((wanted) =>
      sections
        .filter(({ section }) => section === wanted)
        .flatMap(({ members }) => members.filter((one) => !isOverlay(one))),
    )
    .map(({ name }) => ({ name, section: sectionByName.get(name) ?? '' }))
}

/** An overlay of another member's memory (AT) is not a parameter of its own. */
function isOverlay({ attributes }: InterfaceMember): boolean {
  return attributes.some(({ name }) => name === 'At')
}

/** Lists the names of the whole program that one network uses. */
export function usesOfNetwork(network: Network, sections: readonly InterfaceSection[]): readonly Use[] {
  const uses: Use[] = []
  addNetwork(uses, network, sections)
  return uses
}

function addNetwork(into: Use[], network: Network, sections: readonly InterfaceSection[], tree?: SyntaxTree): void {
  const place: UsePlace = { network: network.number }
  const { graph, chart, statements, text, language } = network
  if (graph !== undefined) addLogicUses(into, graph, place)
  else if (chart !== undefined) addSequenceUses(into, chart, sections, place)
  else if (statements !== undefined) addStatements(into, network, sections, place)
  else if (text !== undefined && language === 'SCL') addScl(into, text, sections, place, tree)
}

/**
 * Function blocks that SCL calls: the text names the instance, SimaticML may name the block beside it. The caller
 * decides whether it is one of the program.
 */
function addCalledTypes(into: Use[], xml: string): void {
  for (const [index, unit] of xml.split('<SW.Blocks.CompileUnit ').slice(1).entries()) {
    if (!unit.includes('<StructuredText')) continue
    const names = new Set<string>()
    for (const [, attributes = ''] of unit.matchAll(/<CallInfo\b([^>]*)>/g)) {
      const name = /\bBlockType="FB"/.test(attributes) ? /\bName="([^"]+)"/.exec(attributes)?.[1] : undefined
      if (name !== undefined) names.add(unescaped(name))
    }
    for (const name of names)
      into.push({ name, path: [], text: `"${name}"`, access: 'Call', place: { network: index + 1 }, isBare: true })
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => entities[name] ?? all)
}

function addMember(
  into: Use[],
  { section }: InterfaceSection,
  member: InterfaceMember,
  above: string,
  isSource: boolean,
): void {
  const path = `${above === '' ? (section === 'None' ? '' : `${section}.`) : `${above}.`}${member.name}`
  const place = { member: path }
  addType(into, member.dataType, place, 'Type')
  if (isSource) addBareType(into, member.dataType, place)
  const { assignedProDiagFB: watching } = member
  // TIA Portal's own block need not be in the program.
  if (watching !== undefined && watching !== '')
    into.push({ name: watching, path: [], text: `"${watching}"`, access: 'Read', place, isBare: true })
  const constants =
    member.startValueConstant === undefined ? constantsIn(member.startValue) : [member.startValueConstant]
  for (const name of constants) into.push({ name, path: [], text: `"${name}"`, access: 'Read', place })
  for (const { path: index, startValue } of member.subelements ?? [])
    for (const name of constantsIn(startValue))
      into.push({ name, path: [], text: `"${name}"`, access: 'Read', place: { member: `${path}[${index}]` } })
  for (const inner of member.members) addMember(into, { section, members: [] }, inner, path, isSource)
}

/** The constants that a start value names, each once: `"LIMIT"`, `["FIRST", 3("OTHER")]`. */
function constantsIn(startValue: string | undefined): Iterable<string> {
  if (startValue === undefined || !startValue.includes('"')) return []
  const tokens = lex(startValue)
  const names = new Set<string>()
  for (let i = 0; i < tokens.count; i++) if (tokens.kind[i] === TokenKind.QuotedName) names.add(nameOf(tokens, i))
  return names
}

/** Adds the names in a data type: the type itself, and the constants between brackets, limits and lengths. */
function addType(into: Use[], dataType: string, place: UsePlace, access: UseAccess): void {
  let depth = 0
  for (const [text, name] of dataType.matchAll(/"([^"]+)"|[[\]]/g)) {
    if (text === '[') depth++
    else if (text === ']') depth--
    if (name !== undefined) into.push({ name, path: [], text, access: depth > 0 ? 'Read' : access, place })
  }
  // By its namespace: `_.hall.Motor`, `hall.Motor`.
  const [, whole, spaced] = /(?:^|\s)((?:[^\s.";#[\]()]+\.)+([^\s.";#[\]()]+))\s*$/.exec(dataType) ?? []
  if (whole !== undefined && spaced !== undefined) into.push({ name: spaced, path: [], text: whole, access, place })
}

/** Sources may leave out the quotes of a type; without them it may be one of the system too. */
function addBareType(into: Use[], dataType: string, place: UsePlace): void {
  const type = dataType
    .replace(/^\s*array\s*\[[\s\S]*\]\s*of\s+/i, '')
    .replace(/^REF_TO\s+/i, '')
    .trim()
  if (isPlainIdentifier(type) && !isBuiltInType(type))
    into.push({ name: type, path: [], text: type, access: 'Type', place, isBare: true })
}

/** A row of a watch or force table: by its symbol, or by its address when it has none. */
function addEntry(into: Use[], entry: WatchEntry): void {
  const written = entry.name.trim() === '' ? entry.address : entry.name
  const operand = parseOperand(written.trim())
  if (operand === undefined) return
  const writes = entry.modifyIntention === true || entry.forceIntention === true
  addOperand(into, operand, { access: writes ? 'ReadWrite' : 'Read', place: { row: written } })
}
