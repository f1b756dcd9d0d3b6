/**
 * Reads declarations of external sources: VAR sections, structures, arrays, start values, member pragmas, `AT`. Facts:
 * docs/formats.md#external-sources.
 */

import { defined } from '../../../lib/optional.ts'
import { TokenKind } from '../../languages/scl/tokens.ts'
import { Keyword } from '../../model/keywords.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { canonicalTypeName, quoted, unquoted } from '../../model/names.ts'
import type {
  InterfaceMember,
  InterfaceSection,
  MemberAttribute,
  ObjectAttribute,
  Remanence,
  SectionName,
  Subelement,
} from '../../model/object.ts'
import { Cursor, opensLine } from './cursor.ts'
import { arrayLimits } from './initial-values.ts'
import { parsePragma } from './pragma.ts'

/** Deepest nesting of structures and array types; TIA Portal allows 8 levels. */
const maxDepth = 64

/** A member while its block is still being read. */
export interface MutableMember
  extends Omit<InterfaceMember, 'members' | 'startValue' | 'subelements' | 'comment' | 'sections'> {
  members: MutableMember[]
  startValue?: string
  comment: MultilingualText
  sections?: readonly InterfaceSection[]
  subelements?: Subelement[]
}

export interface DeclarationContext {
  /** Culture of the comments; sources do not name one. */
  readonly culture: string
  /** Remanence of the section's members. */
  readonly remanence?: Remanence
  /**
   * Assignments follow the type without a word between: a bracket at the beginning of a line is an element of the
   * array, no length of a string.
   */
  readonly hasAssignmentsNext?: boolean
}

/** Whether a keyword opens a section of declarations. */
export function isSectionKeyword(keyword: number): boolean {
  return (
    keyword === Keyword.VAR ||
    keyword === Keyword.VAR_INPUT ||
    keyword === Keyword.VAR_OUTPUT ||
    keyword === Keyword.VAR_IN_OUT ||
    keyword === Keyword.VAR_TEMP ||
    keyword === Keyword.CONST ||
    keyword === Keyword.LABEL
  )
}

/**
 * Reads one section from its keyword to its END. `plainVar` is the section that `VAR` without an addition means: Static
 * in FBs and DBs, Temp in FCs and OBs. `blockRemanence` is the remanence in the block's header.
 */
export function readSection(
  cursor: Cursor,
  plainVar: SectionName,
  culture: string,
  blockRemanence?: Remanence,
): { section: SectionName; members: MutableMember[] } {
  const keyword = cursor.keyword
  let section: SectionName = plainVar
  if (keyword === Keyword.VAR_INPUT) section = 'Input'
  else if (keyword === Keyword.VAR_OUTPUT) section = 'Output'
  else if (keyword === Keyword.VAR_IN_OUT) section = 'InOut'
  else if (keyword === Keyword.VAR_TEMP) section = 'Temp'
  else if (keyword === Keyword.CONST) section = 'Constant'
  const opened = cursor.text.toUpperCase()
  cursor.next()
  if (keyword === Keyword.LABEL) {
    skipLabels(cursor)
    return { section: 'Temp', members: [] }
  }
  let remanence = blockRemanence
  for (;;) {
    if (cursor.acceptKeyword(Keyword.CONSTANT)) section = 'Constant'
    else if (cursor.acceptKeyword(Keyword.RETAIN)) remanence = 'Retain'
    else if (cursor.acceptKeyword(Keyword.NON_RETAIN)) remanence = 'NonRetain'
    else if (cursor.acceptKeyword(Keyword.DB_SPECIFIC)) remanence = 'SetInIDB'
    else break
  }
  const end = keyword === Keyword.CONST ? Keyword.END_CONST : Keyword.END_VAR
  const context: DeclarationContext = { culture, ...defined({ remanence }) }
  const members = readMembers(cursor, end, context, 0)
  if (!cursor.acceptKeyword(end)) cursor.expected(`${end === Keyword.END_VAR ? 'END_VAR' : 'END_CONST'} for ${opened}`)
  cursor.accept(TokenKind.Semicolon)
  return { section, members }
}

/** Skips labels: they are declared in classic sources only, and need no declaration. */
function skipLabels(cursor: Cursor): void {
  while (!cursor.atEnd && !cursor.acceptKeyword(Keyword.END_LABEL)) {
    if (closesDeclarations(cursor.keyword)) {
      cursor.expected('END_LABEL')
      return
    }
    cursor.next()
  }
  cursor.accept(TokenKind.Semicolon)
}

/** Whether a keyword ends a list of members whatever is open: something is missing before it. */
function closesDeclarations(keyword: number): boolean {
  return (
    keyword === Keyword.END_VAR ||
    keyword === Keyword.END_STRUCT ||
    keyword === Keyword.END_CONST ||
    keyword === Keyword.BEGIN ||
    keyword === Keyword.END_TYPE ||
    keyword === Keyword.END_FUNCTION ||
    keyword === Keyword.END_FUNCTION_BLOCK ||
    keyword === Keyword.END_ORGANIZATION_BLOCK ||
    keyword === Keyword.END_DATA_BLOCK ||
    isSectionKeyword(keyword)
  )
}

/** Reads members up to the keyword `end` (not consumed). Faulty members are reported and skipped. */
export function readMembers(cursor: Cursor, end: number, context: DeclarationContext, depth: number): MutableMember[] {
  const members: MutableMember[] = []
  if (depth > maxDepth) {
    cursor.fault(`structures nested deeper than ${maxDepth} levels`, 'source-limit')
    skipStructure(cursor)
    return members
  }
  while (!cursor.atEnd && cursor.keyword !== end && !closesDeclarations(cursor.keyword)) {
    const before = cursor.index
    readDeclaration(cursor, context, depth, members)
    if (cursor.index === before) cursor.next()
  }
  return members
}

function skipStructure(cursor: Cursor): void {
  let open = 1
  while (!cursor.atEnd) {
    if (cursor.keyword === Keyword.STRUCT) open++
    else if (cursor.keyword === Keyword.END_STRUCT && --open === 0) return
    else if (closesDeclarations(cursor.keyword) && cursor.keyword !== Keyword.END_STRUCT) return
    cursor.next()
  }
}

/** Skips the rest of a faulty declaration. */
function recover(cursor: Cursor): void {
  while (!cursor.atEnd && !closesDeclarations(cursor.keyword)) {
    if (cursor.accept(TokenKind.Semicolon)) return
    cursor.next()
  }
}

interface DeclaredName {
  readonly name: string
  readonly pragma: ObjectAttribute[]
}

/** Reads `a {pragma}, b AT c : Type := value;   // comment`. */
function readDeclaration(cursor: Cursor, context: DeclarationContext, depth: number, into: MutableMember[]): void {
  const names: DeclaredName[] = []
  let overlaid: string | undefined
  let address: string | undefined
  const leading = readPragmas(cursor)
  do {
    const name = readName(cursor)
    if (name === undefined) {
      cursor.expected('the name of a member')
      recover(cursor)
      return
    }
    names.push({ name, pragma: [...leading, ...readPragmas(cursor)] })
    if (cursor.acceptKeyword(Keyword.AT)) {
      if (cursor.kind === TokenKind.Address) address = cursor.text
      else overlaid = unquoted(cursor.text.replace(/^#/, ''))
      cursor.next()
    }
  } while (cursor.accept(TokenKind.Comma))
  const typed = cursor.accept(TokenKind.Colon)
  // A constant may be declared by its value alone: `MAX := 10;`.
  if (!typed && cursor.kind !== TokenKind.Assign) {
    cursor.expected(`":" and a data type for member ${JSON.stringify(names[0]?.name)}`)
    recover(cursor)
    return
  }
  const typePragma = typed ? readPragmas(cursor) : []
  const type = typed ? readType(cursor, context, depth) : { dataType: '', members: [], comment: '' }
  if (type === undefined) {
    recover(cursor)
    return
  }
  const value = cursor.accept(TokenKind.Assign) || cursor.accept(TokenKind.Equal) ? readValue(cursor) : undefined
  const startValue = value === undefined ? undefined : bracketed(type.dataType, value)
  const semicolon = cursor.index
  if (!cursor.accept(TokenKind.Semicolon)) cursor.expected('";" behind the declaration')
  const comment = cursor.commentAfter(semicolon) || type.comment
  for (const { name, pragma } of names) {
    const { attributes, version } = memberAttributes([...pragma, ...typePragma], type.dataType)
    if (overlaid !== undefined) attributes.push({ name: 'At', type: 'String', value: overlaid, systemDefined: true })
    if (address !== undefined) attributes.push({ name: 'Address', type: 'String', value: address })
    into.push({
      name,
      dataType: type.dataType,
      ...defined({ version, startValue }),
      comment: textIn(context.culture, comment),
      ...defined({ remanence: context.remanence }),
      attributes,
      members: type.members,
    })
  }
}

/** Classic sources list the values of an array without brackets: `1, 2, 3`, `10 (0)`; a list of one is that value. */
function bracketed(dataType: string, value: string): string {
  if (!/^Array\[/i.test(dataType)) return value
  const isList = /^[^["'(]*,|^\s*\d+\s*\(/.test(value)
  const isOnly = /^[^["']*$/.test(value) && arrayLimits(dataType)?.every(([low, high]) => low === high) === true
  return isList || isOnly ? `[${value}]` : value
}

/** A text in one culture; empty texts give `{}`. */
export function textIn(culture: string, text: string): MultilingualText {
  return text === '' ? {} : { [culture]: text }
}

function readPragmas(cursor: Cursor): ObjectAttribute[] {
  const entries: ObjectAttribute[] = []
  while (cursor.kind === TokenKind.Pragma) {
    entries.push(...parsePragma(cursor.text))
    cursor.next()
  }
  return entries
}

function readName(cursor: Cursor): string | undefined {
  const { kind, text } = cursor
  let name: string | undefined
  if (kind === TokenKind.Identifier || (kind === TokenKind.Keyword && !closesDeclarations(cursor.keyword))) name = text
  else if (kind === TokenKind.QuotedName) name = unquoted(text)
  else if (kind === TokenKind.LocalName) name = unquoted(text.slice(1))
  if (name !== undefined) cursor.next()
  return name
}

/** Names of attributes in pragmas that SimaticML spells differently. */
const simaticmlNames: Readonly<Record<string, string>> = {
  S7_SetPoint: 'SetPoint',
  S7_HiddenAssignment: 'HiddenAssignment',
}
const booleanValue = /^(true|false)$/i

function memberAttributes(
  pragma: readonly ObjectAttribute[],
  dataType: string,
): { attributes: MemberAttribute[]; version: string | undefined } {
  const attributes: MemberAttribute[] = []
  let version: string | undefined
  for (const { name, value } of pragma) {
    if (name === 'LibVersion') version = value
    else if (name === 'InstructionName' && value.toUpperCase() === dataType.toUpperCase()) continue
    else if (booleanValue.test(value))
      attributes.push({
        name: simaticmlNames[name] ?? name,
        type: 'Boolean',
        value: value.toLowerCase(),
        systemDefined: true,
      })
    else attributes.push({ name: simaticmlNames[name] ?? name, type: 'String', value, systemDefined: true })
  }
  return { attributes, version }
}

/** Parses a data type and returns it in TIA Portal's spelling; `undefined` when the text is not a type. */
export function parseDataType(text: string): string | undefined {
  const cursor = new Cursor(text)
  if (/^struct$/i.test(text.trim())) return 'Struct'
  const array = /^\s*(array\s*\[.*\]\s*of\s+)struct\s*$/i.exec(text)
  const type = readType(array === null ? cursor : new Cursor(`${array[1]}Bool`), { culture: '' }, 0)
  if (type === undefined || cursor.faults.length > 0 || (array === null && !cursor.atEnd)) return undefined
  return array === null ? type.dataType : type.dataType.replace(/Bool$/, 'Struct')
}

interface TypeReference {
  readonly dataType: string
  readonly members: MutableMember[]
  /** Comment after the word STRUCT: it describes the member. */
  readonly comment: string
}

/** Reads a data type; `undefined` (and a fault) when there is none. */
export function readType(cursor: Cursor, context: DeclarationContext, depth: number): TypeReference | undefined {
  if (depth > maxDepth) {
    cursor.fault(`types nested deeper than ${maxDepth} levels`, 'source-limit')
    return undefined
  }
  if (cursor.keyword === Keyword.STRUCT) return readStruct(cursor, context, depth)
  if (cursor.keyword === Keyword.ARRAY) return readArray(cursor, context, depth)
  if (cursor.acceptKeyword(Keyword.REF_TO)) {
    const target = readType(cursor, context, depth + 1)
    return target && { ...target, dataType: `REF_TO ${target.dataType}` }
  }
  const { kind } = cursor
  if (kind !== TokenKind.Identifier && kind !== TokenKind.QuotedName) {
    cursor.expected('a data type')
    return undefined
  }
  let dataType = kind === TokenKind.QuotedName ? cursor.text : canonicalTypeName(cursor.text)
  cursor.next()
  // Namespaces: `_.Motors.Type`.
  while (cursor.kind === TokenKind.Dot) {
    cursor.next()
    dataType += `.${cursor.text}`
    cursor.next()
  }
  const close = cursor.kind === TokenKind.LeftBracket ? TokenKind.RightBracket : TokenKind.RightParen
  const isElement = context.hasAssignmentsNext === true && opensLine(cursor.tokens, cursor.index)
  if (!isElement && (cursor.kind === TokenKind.LeftBracket || cursor.kind === TokenKind.LeftParen)) {
    cursor.next()
    const length = readUntil(cursor, close)
    if (length === undefined) return undefined
    dataType += `[${length}]`
  } else if (cursor.kind === TokenKind.Integer && /^(UDT|S?FB)$/i.test(dataType)) {
    // Classic sources name types by number: `UDT 5`, `FB 10`.
    dataType = dataType.toUpperCase() + cursor.text
    cursor.next()
  }
  // A type or block of the program, by the name that its own source gives it.
  if (/^(UDT|FB)\d+$/i.test(dataType)) dataType = quoted(dataType.toUpperCase())
  return { dataType, members: [], comment: '' }
}

function readStruct(cursor: Cursor, context: DeclarationContext, depth: number): TypeReference {
  const comment = cursor.commentAfter(cursor.index)
  // A pragma directly after the word belongs to the structure; on a line of its own it belongs to the first member
  // (SIMATIC SD).
  if (cursor.hasPragmaBehind()) {
    cursor.next()
    readPragmas(cursor)
  } else cursor.next()
  const members = readMembers(cursor, Keyword.END_STRUCT, { culture: context.culture }, depth + 1)
  if (!cursor.acceptKeyword(Keyword.END_STRUCT)) cursor.expected('END_STRUCT')
  return { dataType: 'Struct', members, comment }
}

function readArray(cursor: Cursor, context: DeclarationContext, depth: number): TypeReference | undefined {
  cursor.next()
  if (!cursor.accept(TokenKind.LeftBracket)) {
    cursor.expected('"[" behind ARRAY')
    return undefined
  }
  const limits = readUntil(cursor, TokenKind.RightBracket)
  if (limits === undefined) return undefined
  if (!cursor.acceptKeyword(Keyword.OF)) {
    cursor.expected('OF behind the limits of the array')
    return undefined
  }
  readPragmas(cursor)
  const element = readType(cursor, context, depth + 1)
  return element && { ...element, dataType: `Array[${limits}] of ${element.dataType}` }
}

/** Reads texts up to the token `close` (consumed), joined as TIA Portal writes them: `0..9, 1..2`. */
function readUntil(cursor: Cursor, close: number): string | undefined {
  let text = ''
  while (cursor.kind !== close) {
    if (cursor.atEnd || cursor.kind === TokenKind.Semicolon || closesDeclarations(cursor.keyword)) {
      cursor.expected(close === TokenKind.RightBracket ? '"]"' : '")"')
      return undefined
    }
    text += cursor.kind === TokenKind.Comma ? ', ' : cursor.text
    cursor.next()
  }
  cursor.next()
  return text
}

/** Reads the text of a start value, up to the `;` (not consumed). */
export function readValue(cursor: Cursor): string {
  const start = cursor.start
  let end = start
  while (!cursor.atEnd && cursor.kind !== TokenKind.Semicolon && !closesDeclarations(cursor.keyword)) {
    end = cursor.end
    cursor.next()
  }
  if (end === start) cursor.expected('a value')
  return cursor.tokens.text.slice(start, end)
}

/** Orders sections as TIA Portal does; sections of one name are merged, missing ones of `always` added empty. */
export function orderSections(
  sections: ReadonlyMap<SectionName, readonly InterfaceMember[]>,
  order: readonly SectionName[],
): InterfaceSection[] {
  const names = [...order, ...[...sections.keys()].filter((name) => !order.includes(name))]
  return names.map((section) => ({ section, members: sections.get(section) ?? [] }))
}
