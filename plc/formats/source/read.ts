/**
 * Reads external sources (.scl .awl .db .udt): several blocks per file, every header, every kind of block. Facts:
 * docs/formats.md#external-sources. After a fault, reading continues with the next block.
 */

import { defined } from '../../../lib/optional.ts'
import { TokenKind } from '../../languages/scl/tokens.ts'
import { type FormatFault, LineIndex } from '../../model/fault.ts'
import { Keyword } from '../../model/keywords.ts'
import { unquoted } from '../../model/names.ts'
import type { ImportedObject, Network, SectionName } from '../../model/object.ts'
import type { PathComponent } from '../../model/operand.ts'
import { systemTypeVersion } from '../../model/system-type-version.ts'
import { type BlockLine, readBlockLine, unknownInLine } from './block-line.ts'
import { type BlockSyntax, findEnd, syntaxOfKeyword } from './block-syntax.ts'
import { codeOfBody, isStatementList, statementNetworks } from './body.ts'
import { Cursor, opensLine } from './cursor.ts'
import {
  isSectionKeyword,
  type MutableMember,
  orderSections,
  readMembers,
  readSection,
  readType,
  textIn,
} from './declarations.ts'
import { declaredEvent } from './event-class.ts'
import { readHeader, type SourceHeader } from './header.ts'
import { type NamespaceOfBlock, NamespaceReader, namespaceAttribute, namespaceFrame } from './namespaces.ts'
import { networksOfCode } from './scl-networks.ts'
import { readStartValues } from './start-values.ts'
import { type InterfaceLookup, instanceMembers } from './value-place.ts'

export interface SourceOptions {
  /** Culture of titles and comments; sources do not name one. Default `en-US`. */
  readonly culture?: string
  /**
   * The types of the program, so that start values of their members are in the interface too. By default they are in
   * the text of the block only.
   */
  readonly interfaceOf?: InterfaceLookup
}

/** Where the parts of a block are in its own text (`object.text`), as offsets from its beginning. */
export interface SourceLayout {
  readonly name: readonly [start: number, end: number]
  /** Data type after the colon of a FUNCTION. */
  readonly returnType?: readonly [start: number, end: number]
  /** First to last section of declarations; when there are none, the empty range where they would be. */
  readonly declarations: readonly [start: number, end: number]
  /** Between BEGIN and END; `undefined` for types and for blocks without BEGIN and statements. */
  readonly body?: readonly [start: number, end: number]
}

export interface SourceBlock {
  readonly object: ImportedObject
  readonly layout: SourceLayout
  /** The block's part of the file. */
  readonly place: readonly [start: number, end: number]
  /** Number of characters that its text has before that: the words of a namespace that an earlier block opened. */
  readonly ahead: number
}

/**
 * The content of a source file. The texts of all blocks, in order, make up the file, except that each includes the
 * NAMESPACE it is in.
 */
export interface SourceFile {
  readonly blocks: readonly SourceBlock[]
  readonly faults: readonly FormatFault[]
}

/**
 * Reads the decoded text of a source file (no BOM; see `decodeText`). Never throws: whatever cannot be read is a fault
 * with line and column, and the blocks around it are still returned.
 */
export function readSource(text: string, options: SourceOptions = {}): SourceFile {
  const cursor = new Cursor(text)
  const { culture = 'en-US', interfaceOf } = options
  const blocks: PlacedBlock[] = []
  const namespaces = new NamespaceReader(cursor)
  let stray = false
  while (!cursor.atEnd) {
    const syntax = syntaxOfKeyword.get(cursor.keyword)
    const namespace = syntax === undefined ? namespaces.read() : undefined
    if (syntax !== undefined) {
      const within = namespaces.enter()
      blocks.push({ ...readBlock(cursor, syntax, culture, interfaceOf), namespace: within })
      stray = false
    } else if (namespace !== undefined) {
      const last = blocks.at(-1)
      if (last !== undefined && namespace.closed !== undefined) last.end = namespace.closed
      stray = false
    } else {
      // One fault for a run of unexpected tokens, not one per word.
      if (!stray)
        cursor.expected('FUNCTION_BLOCK, FUNCTION, ORGANIZATION_BLOCK, DATA_BLOCK or TYPE at the beginning of a block')
      stray = true
      cursor.next()
    }
    cursor.blockName = ''
  }
  namespaces.finish()
  if (blocks.length === 0 && cursor.faults.length === 0)
    cursor.fault('the file holds no block: it has only white space and comments', 'source-structure', 0)
  reportLexicalFaults(cursor, blocks)
  return { blocks: slice(text, blocks), faults: cursor.faults.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)) }
}

interface PlacedBlock extends ReadBlock {
  end: number
  readonly namespace: NamespaceOfBlock | undefined
}

/** Divides the whole text among the blocks: each takes the text before it, the last one also what follows. */
function slice(text: string, blocks: readonly PlacedBlock[]): SourceBlock[] {
  let start = 0
  return blocks.map((block, i) => {
    const end = i === blocks.length - 1 ? text.length : lineEnd(text, block.end)
    const own = text.slice(start, end)
    const [before, behind] = namespaceFrame(block.namespace, own)
    const shift = before.length - start
    const relative = (range: readonly [number, number]): [number, number] => [range[0] + shift, range[1] + shift]
    const layout: SourceLayout = {
      name: relative(block.layout.name),
      ...(block.layout.returnType === undefined ? {} : { returnType: relative(block.layout.returnType) }),
      declarations: relative(block.layout.declarations),
      ...(block.layout.body === undefined ? {} : { body: relative(block.layout.body) }),
    }
    const attributes = [...namespaceAttribute(block.namespace), ...block.object.attributes]
    const object: ImportedObject = { ...block.object, attributes, text: `${before}${own}${behind}` }
    const place = [start, end] as const
    start = end
    return { object, layout, place, ahead: before.length }
  })
}

/** Returns the offset after the line break when only blanks precede it from `from` on, otherwise `from`. */
function lineEnd(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  if (text[at] === '\r') at++
  return text[at] === '\n' ? at + 1 : from
}

/**
 * Reports characters that the lexer did not accept outside of bodies. Inside, the compiler reports them, except for
 * those that swallow the rest of the file.
 */
function reportLexicalFaults(cursor: Cursor, blocks: readonly ReadBlock[]): void {
  for (const { offset, message } of cursor.tokens.faults) {
    const inBody = blocks.some(({ layout: { body } }) => body !== undefined && offset >= body[0] && offset < body[1])
    const { start, count } = cursor.tokens
    const isOpenEnded = count > 1 && (start[count - 2] as number) === offset && message.startsWith('comment')
    if (!inBody || isOpenEnded) cursor.fault(message, 'source-syntax', offset)
  }
}

interface ReadBlock {
  readonly object: ImportedObject
  readonly layout: SourceLayout
}

function readBlock(
  cursor: Cursor,
  syntax: BlockSyntax,
  culture: string,
  interfaceOf: InterfaceLookup | undefined,
): ReadBlock & { end: number } {
  const line = readBlockLine(cursor.tokens, cursor.index, syntax.kind)
  cursor.next()
  const nameStart = cursor.start
  const { name, number } = readBlockName(cursor, syntax)
  const nameEnd = Math.max(nameStart, previousEnd(cursor))
  cursor.blockName = name
  const result = syntax.kind === 'FC' && cursor.accept(TokenKind.Colon) ? readReturnType(cursor, culture) : undefined
  const header = readHeader(cursor)
  const declared = readDeclarations(cursor, syntax, header, culture)
  const type = declared.instanceOf === undefined ? undefined : interfaceOf?.(declared.instanceOf)
  if (type !== undefined) {
    for (const [section, copies] of instanceMembers(type.sections, header.remanence))
      declared.sections.set(section, copies)
  }
  if (syntax.kind === 'FC') {
    declared.sections.set('Return', [
      { name: 'Ret_Val', dataType: result?.dataType ?? 'Void', comment: {}, attributes: [], members: [] },
    ])
  }
  const body = readBody(cursor, syntax, declared, line, culture, interfaceOf)
  const order = isInstance(declared) ? [...declared.sections.keys()] : (declared.order ?? syntax.sections)
  const sections = orderSections(declared.sections, order)
  const object: ImportedObject = {
    kind: syntax.kind === 'DB' ? declared.dbKind : syntax.kind,
    element: syntax.element,
    format: 'source',
    name,
    ...defined({ number }),
    ...(syntax.kind === 'OB' ? declaredEvent({ name, number, title: header.title, sections, line: line?.event }) : {}),
    language: syntax.kind === 'DB' ? 'DB' : syntax.kind === 'UDT' ? '' : body.language,
    title: textIn(culture, header.title),
    comment: textIn(culture, header.comment),
    author: header.author,
    family: header.family,
    headerName: header.headerName,
    version: header.version,
    ...defined({ memoryLayout: header.memoryLayout }),
    isKnowHowProtected: header.isKnowHowProtected,
    ...defined({ instanceOf: declared.instanceOf }),
    attributes: [
      ...headerAttributes(header),
      ...(line?.event?.schedule ?? []),
      ...(type?.kind === 'UDT' ? [{ name: 'InstanceOfType', value: 'UDT' }] : []),
      ...(type?.kind === 'system' ? libraryAttributes(declared.instanceOf ?? '', header) : []),
    ],
    interface: sections,
    networks: body.networks,
    ...warningsOf(cursor, syntax, header, line),
  }
  const layout: SourceLayout = {
    name: [nameStart, nameEnd],
    ...(result === undefined ? {} : { returnType: result.range }),
    declarations: declared.range,
    ...defined({ body: body.range }),
  }
  return { object, layout, end: body.end }
}

function warningsOf(
  { tokens }: Cursor,
  { element }: BlockSyntax,
  { unknown }: SourceHeader,
  line: BlockLine | undefined,
): Pick<ImportedObject, 'warnings'> {
  const found = [
    ...unknown.map(({ name, offset }) => ({ offset, message: `blocks have no attribute ${name}` })),
    ...unknownInLine(line, tokens, element),
  ]
  if (found.length === 0) return {}
  const lines = new LineIndex(tokens.text)
  return {
    warnings: found.map(({ offset, message }) => {
      const at = lines.at(offset)
      return `line ${at.line}, column ${at.column}: ${message}; it has no effect`
    }),
  }
}

function isInstance(declared: Declared): boolean {
  return declared.dbKind === 'InstanceDB'
}

function headerAttributes(header: SourceHeader): ImportedObject['attributes'] {
  const attributes = [...header.attributes]
  if (header.remanence !== undefined)
    attributes.push({ name: header.remanence === 'Retain' ? 'RETAIN' : 'NON_RETAIN', value: 'TRUE' })
  return attributes
}

/** What instance data of a system type needs in SimaticML, as far as the source does not say it. */
function libraryAttributes(type: string, header: SourceHeader): ImportedObject['attributes'] {
  const given = new Set(header.attributes.map(({ name }) => name.toUpperCase()))
  const version = systemTypeVersion(type)
  return [
    ...(given.has('INSTRUCTIONNAME') ? [] : [{ name: 'InstructionName', value: type }]),
    ...(given.has('LIBVERSION') || version === undefined ? [] : [{ name: 'LibVersion', value: version }]),
  ]
}

/** `"Name"`, `Name`, `FB12`, and the classic `FB 12`. */
function readBlockName(cursor: Cursor, syntax: BlockSyntax): { name: string; number?: number } {
  const { kind, text } = cursor
  if (kind === TokenKind.QuotedName) {
    const name = unquoted(text)
    if (name.length === 0 || name.startsWith('"')) cursor.fault(`${syntax.element} needs a name between the quotes`)
    cursor.next()
    return { name }
  }
  if (kind !== TokenKind.Identifier && kind !== TokenKind.Address) {
    cursor.expected(`the name of the ${syntax.element}`)
    return { name: '' }
  }
  cursor.next()
  const match = /^%?(OB|FB|FC|DB|UDT)(\d*)$/i.exec(text)
  if (match === null) return { name: text }
  if (match[2] !== '') return { name: text.replace('%', ''), number: Number(match[2]) }
  if (cursor.kind !== TokenKind.Integer) return { name: text }
  const digits = cursor.text
  cursor.next()
  return { name: `${text.toUpperCase()}${digits}`, number: Number(digits) }
}

function readReturnType(
  cursor: Cursor,
  culture: string,
): { dataType: string; range: readonly [number, number] } | undefined {
  const { start } = cursor
  const type = readType(cursor, { culture }, 0)
  return type && { dataType: type.dataType, range: [start, previousEnd(cursor)] }
}

interface Declared {
  readonly sections: Map<SectionName, MutableMember[]>
  readonly order?: readonly SectionName[]
  readonly range: readonly [number, number]
  readonly dbKind: 'GlobalDB' | 'InstanceDB' | 'ArrayDB'
  readonly instanceOf?: string
}

function readDeclarations(cursor: Cursor, syntax: BlockSyntax, header: SourceHeader, culture: string): Declared {
  const sections = new Map<SectionName, MutableMember[]>()
  const start = cursor.start
  if (syntax.kind === 'UDT') return readTypeDeclaration(cursor, sections, culture)
  if (syntax.kind === 'DB') {
    const typed = readDataBlockType(cursor, sections, header, culture)
    if (typed !== undefined) return typed
  }
  let end = start
  while (isSectionKeyword(cursor.keyword)) {
    const { section, members } = readSection(cursor, syntax.plainVar, culture, header.remanence)
    const known = sections.get(section)
    if (known === undefined) sections.set(section, members)
    else known.push(...members)
    end = previousEnd(cursor)
  }
  return { sections, range: [start, Math.max(start, end)], dbKind: 'GlobalDB' }
}

/** End of the token before the current one, without comments and white space. */
function previousEnd(cursor: Cursor): number {
  const { tokens } = cursor
  let index = cursor.index - 1
  while (index > 0 && (tokens.kind[index] as number) <= TokenKind.MultilingualComment) index--
  return tokens.start[index + 1] as number
}

/** Reads `TYPE "T" : STRUCT … END_STRUCT; END_TYPE`; the colon is optional. */
function readTypeDeclaration(cursor: Cursor, sections: Map<SectionName, MutableMember[]>, culture: string): Declared {
  cursor.accept(TokenKind.Colon)
  const start = cursor.start
  if (cursor.acceptKeyword(Keyword.STRUCT)) {
    sections.set('None', readMembers(cursor, Keyword.END_STRUCT, { culture }, 0))
    if (!cursor.acceptKeyword(Keyword.END_STRUCT)) cursor.expected('END_STRUCT')
    cursor.accept(TokenKind.Semicolon)
  } else cursor.expected('STRUCT: a PLC data type is a structure')
  return { sections, range: [start, Math.max(start, previousEnd(cursor))], dbKind: 'GlobalDB' }
}

/** Data blocks of a structure, an array, an FB, a UDT or a system type; `undefined` when VAR sections follow. */
function readDataBlockType(
  cursor: Cursor,
  sections: Map<SectionName, MutableMember[]>,
  header: SourceHeader,
  culture: string,
): Declared | undefined {
  cursor.accept(TokenKind.Colon)
  const start = cursor.start
  const context = { culture, ...defined({ remanence: header.remanence }) }
  const range = (): [number, number] => [start, Math.max(start, previousEnd(cursor))]
  if (cursor.acceptKeyword(Keyword.STRUCT)) {
    sections.set('Static', readMembers(cursor, Keyword.END_STRUCT, context, 0))
    if (!cursor.acceptKeyword(Keyword.END_STRUCT)) cursor.expected('END_STRUCT')
    cursor.accept(TokenKind.Semicolon)
    return { sections, range: range(), dbKind: 'GlobalDB' }
  }
  if (cursor.keyword === Keyword.ARRAY) {
    const type = readType(cursor, context, 0)
    cursor.accept(TokenKind.Semicolon)
    if (type !== undefined)
      sections.set('None', [
        {
          ...{ name: 'Array', dataType: type.dataType, comment: {}, attributes: [], members: type.members },
          ...defined({ remanence: header.remanence }),
        },
      ])
    return { sections, order: ['None'], range: range(), dbKind: 'ArrayDB' }
  }
  if (cursor.kind === TokenKind.QuotedName || cursor.kind === TokenKind.Identifier) {
    const type = readType(cursor, context, 0)
    cursor.accept(TokenKind.Semicolon)
    return {
      sections,
      range: range(),
      dbKind: 'InstanceDB',
      ...(type === undefined ? {} : { instanceOf: unquoted(type.dataType) }),
    }
  }
  return undefined
}

interface Body {
  readonly language: string
  readonly networks: readonly Network[]
  readonly range?: readonly [number, number]
  /** Offset after the END keyword, or where reading of the block stopped. */
  readonly end: number
}

/** Reads from BEGIN to END. Without END the block ends before the next one. */
function readBody(
  cursor: Cursor,
  syntax: BlockSyntax,
  declared: Declared,
  line: BlockLine | undefined,
  culture: string,
  interfaceOf: InterfaceLookup | undefined,
): Body {
  const endWord = `END_${syntax.element}`
  if (syntax.kind === 'UDT') return { language: '', networks: [], end: closeType(cursor, syntax, endWord) }
  if (syntax.kind !== 'DB') skipToBegin(cursor, syntax.end)
  const begun = cursor.keyword === Keyword.BEGIN
  const beginIndex = cursor.index
  const from = begun ? cursor.end : previousEnd(cursor)
  if (begun) cursor.next()
  const firstIndex = begun ? beginIndex + 1 : indexAt(cursor, from)
  const endIndex = findEnd(cursor.tokens, cursor.index, syntax.end)
  const to = cursor.tokens.start[endIndex] as number
  const closed = cursor.tokens.keyword[endIndex] === syntax.end
  if (syntax.kind === 'DB') {
    if (begun) readStartValues(cursor, to, [...declared.sections.values()].flat(), interfaceOf)
    else if (cursor.start < to) cursor.expected('BEGIN, VAR or END_DATA_BLOCK')
  }
  cursor.skipTo(to)
  if (!closed) cursor.expected(`${endWord} of ${syntax.element} ${JSON.stringify(cursor.blockName)}`)
  let end = to
  if (closed) {
    cursor.next()
    cursor.accept(TokenKind.Semicolon)
    end = previousEnd(cursor)
  }
  const { tokens } = cursor
  const text = tokens.text.slice(from, to)
  const range = begun || text.trim() !== '' ? { range: [from, to] as const } : {}
  if (syntax.kind === 'DB') return { language: 'DB', networks: [], end, ...range }
  if (isStatementList(tokens, firstIndex, endIndex))
    return { language: 'STL', networks: readNetworks(cursor, firstIndex, endIndex, declared, culture), end, ...range }
  const networks = networksOfCode(codeOfBody(text), line?.networks, culture)
  return { language: line?.networks.language ?? 'SCL', networks, end, ...range }
}

/** What is between the declarations and BEGIN is a fault. Without BEGIN the code begins there. */
function skipToBegin(cursor: Cursor, end: number): void {
  if (cursor.keyword === Keyword.BEGIN) return
  const { tokens, index } = cursor
  const to = findEnd(tokens, index, end)
  for (let i = index; i < to; i++) {
    if (tokens.keyword[i] !== Keyword.BEGIN || !opensLine(tokens, i)) continue
    cursor.expected('a section or BEGIN')
    cursor.skipTo(tokens.start[i] as number)
    return
  }
}

/** Reads the networks of an STL body, resolving statements with the names of the block's own interface. */
function readNetworks(cursor: Cursor, from: number, to: number, declared: Declared, culture: string): Network[] {
  const locals = new Set<string>()
  const constants = new Set<string>()
  for (const [section, members] of declared.sections)
    for (const { name } of members) (section === 'Constant' ? constants : locals).add(name.toUpperCase())
  return statementNetworks(cursor.tokens, from, to, {
    culture,
    names: {
      isLocal: (name) => locals.has(name.toUpperCase()) || constants.has(name.toUpperCase()),
      isConstant: (name, isLocal) => isLocal && constants.has(name.toUpperCase()),
      instructionOf: (path) => instructionOf([...declared.sections.values()].flat(), path),
    },
    fault: (message, offset) => cursor.fault(message, 'source-syntax', offset),
  })
}

/** Types of timers and counters name their data type after the instruction: `TON_TIME`, `CTU_INT`. */
const typedInstance = /^(TON|TOF|TP|TONR|CTU|CTD|CTUD)_(L?TIME|[US]?S?INT|U?DINT)$/i

/** The built-in instruction of an instance. Members of its type have the version of a library. */
function instructionOf(members: readonly MutableMember[], path: readonly PathComponent[]): string | undefined {
  let within: readonly MutableMember[] = members
  let member: MutableMember | undefined
  for (const { name } of path) {
    member = within.find((candidate) => candidate.name.toUpperCase() === name.toUpperCase())
    within = member?.members ?? []
  }
  const type = member?.dataType.replace(/^Array\[.*\] of /i, '') ?? ''
  const typed = typedInstance.exec(type)?.[1]
  if (typed !== undefined) return typed.toUpperCase()
  return member?.version === undefined || type.startsWith('"') ? undefined : type
}

function closeType(cursor: Cursor, syntax: BlockSyntax, endWord: string): number {
  if (cursor.keyword !== syntax.end) {
    cursor.expected(endWord)
    const index = findEnd(cursor.tokens, cursor.index, syntax.end)
    cursor.skipTo(cursor.tokens.start[index] as number)
    if (cursor.keyword !== syntax.end) return cursor.start
  }
  const end = cursor.end
  cursor.next()
  return cursor.accept(TokenKind.Semicolon) ? previousEnd(cursor) : end
}

function indexAt(cursor: Cursor, offset: number): number {
  let index = cursor.index
  while (index > 0 && (cursor.tokens.start[index] as number) > offset) index--
  return index
}
