/** Checks what clients send to change or create a block and converts it to the model's form. */

import { defined } from '../../lib/optional.ts'
import { parseDataType } from '../formats/source/declarations.ts'
import { lex } from '../languages/scl/lexer.ts'
import { lastTrivia, TokenKind } from '../languages/scl/tokens.ts'
import { FormatError } from '../model/fault.ts'
import type { MultilingualText } from '../model/multilingual-text.ts'
import {
  type ImportedObject,
  type InterfaceMember,
  type InterfaceSection,
  type Remanence,
  type SectionName,
  sectionNamed,
  sectionNames,
} from '../model/object.ts'
import { retyped } from './retyped-member.ts'

/**
 * A member as clients send it. A member that keeps its name and type also keeps what is not given (attributes, values
 * …).
 */
export interface MemberInput {
  readonly name: string
  readonly dataType: string
  readonly version?: string
  readonly startValue?: string
  readonly comment?: string | MultilingualText
  readonly remanence?: Remanence
  readonly members?: readonly MemberInput[]
}

export interface SectionInput {
  readonly section: string
  readonly members: readonly MemberInput[]
}

/** A fault with the code `edit`, to be thrown. */
export function editFault(message: string): FormatError {
  return new FormatError([{ code: 'edit', message, line: 1, column: 1 }])
}

/** Longest name of a block or member in TIA Portal. */
const maxName = 125

/**
 * Checks the name of a block or member: it must fit between double quotes on one line.
 * @throws FormatError
 */
export function checkName(name: string, what: string): void {
  if (name.trim() === '') throw editFault(`${what} needs a name`)
  if (name.length > maxName)
    throw editFault(`${what}: the name has ${name.length} characters, at most ${maxName} are allowed`)
  const bad = /["\p{Cc}\p{Cs}]/u.exec(name)?.[0]
  if (bad !== undefined)
    throw editFault(`${what} ${JSON.stringify(name)}: the character ${JSON.stringify(bad)} cannot be part of a name`)
}

/** What given members are part of. */
export interface MergeOptions {
  readonly culture: string
  readonly kind: ImportedObject['kind']
  /** The member of a section that the given ones are in. */
  readonly around?: Pick<InterfaceMember, 'name' | 'remanence'>
}

/**
 * Replaces the given sections; the others stay.
 * @throws FormatError naming the member whose name, type, value or remanence is not acceptable.
 */
export function mergeSections(
  current: readonly InterfaceSection[],
  given: readonly SectionInput[],
  options: MergeOptions,
): InterfaceSection[] {
  const replaced = new Map<SectionName, InterfaceMember[]>()
  for (const { section, members } of given) {
    const name = sectionNamed(section)
    if (name === undefined)
      throw editFault(`section ${JSON.stringify(section)} does not exist; allowed: ${sectionNames.join(', ')}`)
    const before = current.find((known) => known.section === name)?.members ?? []
    replaced.set(name, [
      ...(replaced.get(name) ?? []),
      // Types have one section, which has no name for people.
      ...toMembers(members, before, name === 'None' ? '' : name, { ...options, section: name }, 0),
    ])
  }
  const merged = current.map((section) => {
    const members = replaced.get(section.section)
    replaced.delete(section.section)
    return members === undefined ? section : { ...section, members }
  })
  return [...merged, ...[...replaced].map(([section, members]) => ({ section, members }))]
}

function toMembers(
  given: readonly MemberInput[],
  before: readonly InterfaceMember[],
  path: string,
  options: MergeOptions & { readonly section: SectionName },
  depth: number,
): InterfaceMember[] {
  if (depth > 32) throw editFault(`${path}: structures are nested deeper than 32 levels`)
  const seen = new Set<string>()
  return given.map((input) => {
    const where = path === '' ? input.name : `${path}.${input.name}`
    checkName(input.name, path === '' ? 'a member' : `a member of ${path}`)
    if (seen.has(input.name.toUpperCase())) throw editFault(`${where} is declared twice`)
    seen.add(input.name.toUpperCase())
    const same = before.find((member) => member.name === input.name)
    // A constant of a source that is declared by its value alone stays so.
    const isUntyped = input.dataType === '' && same?.dataType === ''
    const dataType = isUntyped ? '' : parseDataType(input.dataType)
    if (dataType === undefined) throw editFault(`${where}: ${JSON.stringify(input.dataType)} is not a data type`)
    if (input.startValue !== undefined) checkValue(input.startValue, where)
    const known = same && retyped(same, dataType)
    const remanence = checkedRemanence(input, known, where, options)
    const around = options.around ?? { name: input.name, ...defined({ remanence: remanence ?? known?.remanence }) }
    const members =
      input.members === undefined
        ? (known?.members ?? [])
        : toMembers(input.members, known?.members ?? [], where, { ...options, around }, depth + 1)
    const fresh: InterfaceMember = { name: input.name, dataType, comment: {}, attributes: [], members: [] }
    const { startValueConstant, ...base } = known ?? fresh
    return {
      ...base,
      members,
      ...defined({ version: input.version, startValue: input.startValue }),
      // A value that is given is no longer that of the constant.
      ...(startValueConstant === undefined || input.startValue !== undefined ? {} : { startValueConstant }),
      ...(input.comment === undefined ? {} : { comment: changedText(base.comment, input.comment, options.culture) }),
      ...defined({ remanence }),
    }
  })
}

/** Sections whose members can be retentive, by the kind of their object. */
const retentiveSections: Partial<Record<ImportedObject['kind'], readonly SectionName[]>> = {
  FB: ['Input', 'Output', 'InOut', 'Static'],
  GlobalDB: ['Static'],
  ArrayDB: ['None'],
}

/**
 * The remanence that a member gets of its input. Only whole members of the sections of function blocks and data blocks
 * are retentive: what is in a structure is so with it (docs/plc-semantics.md#retentivity).
 */
function checkedRemanence(
  { remanence }: MemberInput,
  known: InterfaceMember | undefined,
  where: string,
  { kind, section, around }: MergeOptions & { readonly section: SectionName },
): Remanence | undefined {
  if (remanence === undefined || remanence === known?.remanence) return remanence
  if (around !== undefined) {
    if (remanence === (around.remanence ?? 'NonRetain')) return undefined
    throw editFault(
      `${where}: ${remanence} is for a whole member of a section, and holds for all in it: set it for "${around.name}"`,
    )
  }
  if (remanence === 'NonRetain' || retentiveSections[kind]?.includes(section)) return remanence
  throw editFault(
    `${where}: ${remanence} is for members of Input, Output, InOut and Static of function blocks, and for data blocks`,
  )
}

/** A value is one line of tokens without `;` and comments. */
function checkValue(value: string, where: string): void {
  const tokens = lex(value)
  const bad =
    value.trim() === '' ||
    tokens.faults.length > 0 ||
    tokens.kind.some((kind) => kind === TokenKind.Semicolon || (kind !== TokenKind.Whitespace && kind <= lastTrivia))
  if (bad) throw editFault(`${where}: ${JSON.stringify(value)} is not a start value`)
}

/** Makes a text of plain input, which belongs to `culture`. */
export function toText(text: string | MultilingualText, culture: string): MultilingualText {
  if (typeof text !== 'string') return text
  return text === '' ? {} : { [culture]: text }
}

/**
 * Applies a client's text. Answers show one language only. So a text equal to that of any language changes nothing,
 * another text replaces that of `culture`, and an empty one deletes all languages.
 */
function changedText(before: MultilingualText, given: string | MultilingualText, culture: string): MultilingualText {
  if (typeof given !== 'string' || given === '') return toText(given, culture)
  return Object.values(before).includes(given) ? before : { ...before, [culture]: given }
}
