/**
 * Reads the header of a block in an external source: everything between its name and its first section. `TITLE = …`,
 * `AUTHOR : …`, `FAMILY : …`, `NAME : …`, `VERSION : …`, `KNOW_HOW_PROTECT`, pragmas, the block comment, and
 * RETAIN/NON_RETAIN of data blocks. Facts: docs/formats.md#external-sources.
 */

import { lastTrivia, TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import { Keyword } from '../../model/keywords.ts'
import { unquoted } from '../../model/names.ts'
import type { ObjectAttribute, Remanence } from '../../model/object.ts'
import { type Cursor, commentText, isComment } from './cursor.ts'
import { parsePragma } from './pragma.ts'

export interface SourceHeader {
  title: string
  comment: string
  author: string
  family: string
  headerName: string
  version: string
  isKnowHowProtected: boolean
  memoryLayout?: 'Optimized' | 'Standard'
  remanence?: Remanence
  attributes: ObjectAttribute[]
  /** Attributes in braces that blocks do not have, each with the offset of its braces. */
  unknown: { readonly name: string; readonly offset: number }[]
}

/**
 * Attributes in braces that TIA Portal writes before the sections; those of STEP 7 begin with S7_ and a small letter.
 */
const knownAttributes: ReadonlySet<string> = new Set(
  (
    'S7_OPTIMIZED_ACCESS S7_SETOBSTATUS DB_ACCESSIBLE_FROM_OPC_UA DB_ACCESSIBLE_FROM_WEBSERVER PUBLISHED INSTRUCTIONNAME ' +
    'LIBVERSION ORIGINALPARTNAME PRIORITYNUMBER CYCLICTIME PHASEOFFSET'
  ).split(' '),
)

/** Reads header entries until something else follows. Comments among them are the block's comment. */
export function readHeader(cursor: Cursor): SourceHeader {
  const header: SourceHeader = {
    title: '',
    comment: '',
    author: '',
    family: '',
    headerName: '',
    version: '',
    isKnowHowProtected: false,
    attributes: [],
    unknown: [],
  }
  const comments: string[] = []
  let scanned = cursor.index
  const collect = (): void => {
    for (; scanned < cursor.index; scanned++) {
      const kind = cursor.tokens.kind[scanned] as number
      if (isComment(kind)) comments.push(commentText(kind, tokenText(cursor.tokens, scanned)))
    }
  }
  do collect()
  while (readEntry(cursor, header))
  header.comment = comments.join('\n')
  return header
}

/** Words that are attributes without a value. */
const flags = ['UNLINKED', 'READ_ONLY', 'STANDARD', 'CODE_VERSION1'] as const

function readEntry(cursor: Cursor, header: SourceHeader): boolean {
  if (cursor.kind === TokenKind.Pragma) {
    addAttributes(header, parsePragma(cursor.text), cursor.start)
    cursor.next()
    return true
  }
  if (cursor.acceptKeyword(Keyword.RETAIN)) header.remanence = 'Retain'
  else if (cursor.acceptKeyword(Keyword.NON_RETAIN)) header.remanence = 'NonRetain'
  else if (cursor.kind !== TokenKind.Identifier) return false
  else if (cursor.isWord('TITLE')) header.title = readTitle(cursor)
  else if (cursor.isWord('AUTHOR')) header.author = readEntryValue(cursor)
  else if (cursor.isWord('FAMILY')) header.family = readEntryValue(cursor)
  else if (cursor.isWord('NAME')) header.headerName = readEntryValue(cursor)
  else if (cursor.isWord('VERSION')) header.version = readEntryValue(cursor)
  else if (cursor.isWord('KNOW_HOW_PROTECT')) {
    header.isKnowHowProtected = true
    cursor.next()
  } else if (flags.some((flag) => cursor.isWord(flag))) {
    header.attributes.push({ name: cursor.text.toUpperCase(), value: 'TRUE' })
    cursor.next()
  } else if (cursor.peek() === TokenKind.Colon) {
    cursor.fault(
      `header entry ${cursor.text} does not exist; allowed: TITLE =, AUTHOR :, FAMILY :, NAME :, VERSION :, KNOW_HOW_PROTECT`,
    )
    readEntryValue(cursor)
  } else return false
  return true
}

function addAttributes(header: SourceHeader, entries: readonly ObjectAttribute[], offset: number): void {
  for (const entry of entries) {
    header.attributes.push(entry)
    if (!knownAttributes.has(entry.name.toUpperCase()) && !/^S7_[a-z]/.test(entry.name))
      header.unknown.push({ name: entry.name, offset })
    if (entry.name.toUpperCase() === 'S7_OPTIMIZED_ACCESS')
      header.memoryLayout = entry.value.toUpperCase() === 'FALSE' ? 'Standard' : 'Optimized'
  }
}

/** Reads a title; the lexer has made the text after `TITLE =` one token. Quotes belong to the text. */
function readTitle(cursor: Cursor): string {
  cursor.next()
  if (!cursor.accept(TokenKind.Equal)) {
    cursor.expected('"=" behind TITLE')
    return ''
  }
  if (cursor.kind !== TokenKind.Text) return ''
  const title = cursor.text
  cursor.next()
  return title
}

/**
 * Reads the value after `AUTHOR :` and similar: the rest of the line up to a comment, quoted or not. It is taken from
 * the text, because names and mail addresses are not made of the language's tokens.
 */
function readEntryValue(cursor: Cursor): string {
  const entry = cursor.text.toUpperCase()
  cursor.next()
  if (!cursor.accept(TokenKind.Colon)) {
    cursor.expected(`":" behind ${entry}`)
    return ''
  }
  const { tokens } = cursor
  const from = cursor.start
  if (tokens.text.slice(tokens.start[cursor.index - 1], from).includes('\n')) return ''
  let end = from
  let index = cursor.index
  for (; index < tokens.count; index++) {
    const kind = tokens.kind[index] as number
    if (kind === TokenKind.NewLine || kind === TokenKind.EndOfFile || isComment(kind)) break
    // Several entries may share a line; a pragma is never part of a value.
    if (kind === TokenKind.Pragma) break
    if (kind > lastTrivia) end = tokens.start[index + 1] as number
  }
  cursor.skipTo(tokens.start[index] as number)
  return withoutQuotes(tokens.text.slice(from, end).trim())
}

function withoutQuotes(text: string): string {
  if (text.length >= 2 && text.startsWith("'") && text.endsWith("'"))
    return text.slice(1, -1).replace(/\$(['$])/g, '$1')
  return unquoted(text)
}
