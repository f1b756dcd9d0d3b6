/** Bodies of blocks in external sources: their text without the layout of the file, and STL networks. */

import { lastTrivia, TokenKind, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { internationalMnemonic, type MnemonicSet } from '../../languages/stl/mnemonics.ts'
import type { StlNames } from '../../languages/stl/operand.ts'
import { Keyword } from '../../model/keywords.ts'
import type { Network } from '../../model/object.ts'
import type { StatementPlace } from '../../model/statement.ts'
import { commentText, isComment, opensLine } from './cursor.ts'
import { textIn } from './declarations.ts'
import { mnemonicSetOf, readStatements } from './statements-read.ts'
import { statementsText } from './statements-write.ts'

/**
 * Returns the statements of a body: line ends as LF, without the line breaks that separate it from BEGIN and END, and
 * without the TAB that TIA Portal puts before every line (docs/formats.md#external-sources) when every line has it.
 */
export function codeOfBody(body: string): string {
  const { lines, isIndented } = linesOfBody(body)
  return isIndented ? lines.map((line) => line.slice(1)).join('\n') : lines.join('\n')
}

/** The lines of the statements of a body, with the layout of the file. */
interface BodyLines {
  readonly lines: readonly string[]
  /** The rest of the line of BEGIN comes before them. */
  readonly isBehindLine: boolean
  /** Every line begins with a TAB. */
  readonly isIndented: boolean
}

function linesOfBody(body: string): BodyLines {
  const text = body.replace(/\r\n?/g, '\n')
  // A regular expression with an open end (/[ \t]*$/) would start again at every blank.
  let start = 0
  while (text[start] === ' ' || text[start] === '\t') start++
  start = text[start] === '\n' ? start + 1 : 0
  let end = text.length
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  end = end > start && text[end - 1] === '\n' ? end - 1 : text.length
  const lines = text.slice(start, end).split('\n')
  return { lines, isBehindLine: start > 0, isIndented: lines.every((line) => line.startsWith('\t')) }
}

/** Returns what finds the offset in a body of a line and column (from 1) of its statements (see `codeOfBody`). */
export function placesInBody(body: string): (line: number, column: number) => number {
  const { isBehindLine, isIndented } = linesOfBody(body)
  const starts = lineStarts(body)
  const [skipped, indent] = [isBehindLine ? 0 : 1, isIndented ? 1 : 0]
  return (line, column) => Math.min((starts[line - skipped] ?? body.length) + indent + column - 1, body.length)
}

/** Returns the offsets at which the lines of a text begin; lines end with LF, CR or both. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1)
  }
  return starts
}

/** The inverse of `codeOfBody`: lays out a body as TIA Portal writes it. */
export function bodyOfCode(code: string): string {
  return `\n\t${code.replace(/\r\n?/g, '\n').replace(/\n/g, '\n\t')}\n`
}

/** Statements with a title: a region, which an SCL source has in place of networks. Without a title they stay alone. */
export function regionOfCode(title: string, code: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  return line === '' ? code : `REGION ${line}\n${code}\nEND_REGION`
}

/** Tokens that may follow a mnemonic; in SCL none of them follows the first word of a statement. */
const operandKinds: ReadonlySet<number> = new Set([
  TokenKind.Identifier,
  TokenKind.LocalName,
  TokenKind.QuotedName,
  TokenKind.Address,
  TokenKind.Integer,
  TokenKind.Real,
  TokenKind.TypedLiteral,
  TokenKind.String,
])

/**
 * Whether a body is written in STL: its first word after BEGIN is NETWORK, or an instruction of STL with an operand
 * (`A #x`, `lab: L 5`), without one (`SET;`), or with a bracket that stays open (`A(;`).
 */
export function isStatementList(tokens: TokenList, from: number, to: number): boolean {
  const next = (at: number) => {
    let index = at
    while (index < to && (tokens.kind[index] as number) <= lastTrivia) index++
    return index
  }
  const kindAt = (at: number) => (at < to ? (tokens.kind[at] as number) : -1)
  let word = next(from)
  if (tokens.keyword[word] === Keyword.NETWORK && word < to) return true
  const colon = next(word + 1)
  if (kindAt(word) === TokenKind.Identifier && kindAt(colon) === TokenKind.Colon) word = next(colon + 1)
  const isWord = kindAt(word) === TokenKind.Identifier || kindAt(word) === TokenKind.Keyword
  const text = isWord ? tokenText(tokens, word).toUpperCase() : ''
  const mnemonic = internationalMnemonic(text, 'international') ?? internationalMnemonic(text, 'german')
  if (mnemonic === undefined) return false
  const behind = next(word + 1)
  if (kindAt(behind) === TokenKind.LeftParen) return kindAt(next(behind + 1)) === TokenKind.Semicolon
  return operandKinds.has(kindAt(behind)) || kindAt(behind) === TokenKind.Semicolon
}

/** Options for reading the networks of an STL body. */
export interface StatementBodyOptions {
  readonly culture: string
  readonly names: StlNames
  readonly fault: (message: string, offset: number) => void
}

/** Reads the networks of an STL body; tokens `from .. to` (exclusive) are the body. */
export function statementNetworks(
  tokens: TokenList,
  from: number,
  to: number,
  options: StatementBodyOptions,
): Network[] {
  const starts = networkTokens(tokens, from, to)
  const heads = networkHeads(tokens, from, to)
  const ends = heads.map((_, n) => tokens.start[starts[n + 1] ?? to] as number)
  // One set of mnemonics for the whole block.
  let mnemonics: MnemonicSet | undefined
  for (let n = 0; n < heads.length && mnemonics === undefined; n++)
    mnemonics = mnemonicSetOf(tokens.text, heads[n]?.end, ends[n])
  const set = mnemonics ?? 'international'
  return heads.map((head, n) => statementNetwork(tokens.text, n + 1, head, ends[n] as number, set, options))
}

function networkTokens(tokens: TokenList, from: number, to: number): number[] {
  const starts: number[] = []
  for (let i = from; i < to; i++) if (tokens.keyword[i] === Keyword.NETWORK && opensLine(tokens, i)) starts.push(i)
  return starts
}

/** The heads of all networks. A body without the word NETWORK is one network without a head. */
function networkHeads(tokens: TokenList, from: number, to: number): NetworkHead[] {
  const starts = networkTokens(tokens, from, to)
  if (starts.length === 0)
    return [{ title: '', comments: [], end: tokens.start[skipLineEnd(tokens, from, to)] as number }]
  return starts.map((start, n) => readHead(tokens, start + 1, starts[n + 1] ?? to))
}

/** Offsets at which the text of each network of an STL body begins; tokens `from .. to` (exclusive) are the body. */
export function statementNetworkStarts(tokens: TokenList, from: number, to: number): number[] {
  return networkHeads(tokens, from, to).map(({ end }) => end)
}

/**
 * `NETWORK`, its title, its comment, its statements. The comment consists of the comment lines directly after the
 * title; a blank line ends it and separates it from statements that begin with a comment.
 */
function statementNetwork(
  text: string,
  number: number,
  head: NetworkHead,
  to: number,
  mnemonics: MnemonicSet,
  { culture, names, fault }: StatementBodyOptions,
): Network {
  const offsets: number[] = []
  const statements = readStatements(text, { from: head.end, to, mnemonics, names, offsets, fault })
  const code = text.slice(head.end, to)
  return {
    number,
    title: textIn(culture, head.title),
    comment: textIn(culture, head.comments.join('\n')),
    language: 'STL',
    parts: [],
    statements,
    statementPlaces: placesOf(code, offsets, head.end),
    text: code.replace(/\r\n?/g, '\n').trimEnd(),
  }
}

/** Line and column of ascending offsets in a text that begins at the offset `from`. */
function placesOf(code: string, offsets: readonly number[], from: number): StatementPlace[] {
  const starts = lineStarts(code)
  let line = 1
  return offsets.map((offset) => {
    while (from + (starts[line] ?? code.length) <= offset && line < starts.length) line++
    return { line, column: offset - from - (starts[line - 1] as number) + 1 }
  })
}

interface NetworkHead {
  readonly title: string
  readonly comments: readonly string[]
  /** Offset of the statements. */
  readonly end: number
}

function readHead(tokens: TokenList, from: number, to: number): NetworkHead {
  let title = ''
  const comments: string[] = []
  let at = skipLineEnd(tokens, from, to)
  const head = titleBehind(tokens, from, to)
  if (head !== undefined) {
    comments.push(...head.comments)
    for (at = head.index; at < to && tokens.kind[at] !== TokenKind.NewLine; at++)
      if (tokens.kind[at] === TokenKind.Text) title = tokenText(tokens, at)
    at = skipLineEnd(tokens, at, to)
    for (let line = commentLine(tokens, at, to); line !== undefined; line = commentLine(tokens, at, to)) {
      comments.push(line.text)
      at = line.next
    }
  }
  return { title, comments, end: separated(tokens.text, tokens.start[at] as number, tokens.start[to] as number) }
}

/** Finds `TITLE` after NETWORK with only blank lines and comments between, and those comments. */
function titleBehind(tokens: TokenList, from: number, to: number): { index: number; comments: string[] } | undefined {
  const comments: string[] = []
  for (let index = from; index < to; index++) {
    const kind = tokens.kind[index] as number
    if (isComment(kind)) comments.push(commentText(kind, tokenText(tokens, index)))
    else if (kind > lastTrivia) {
      const isTitle = kind === TokenKind.Identifier && tokenText(tokens, index).toUpperCase() === 'TITLE'
      return isTitle && nextKind(tokens, index, to) === TokenKind.Equal ? { index, comments } : undefined
    }
  }
  return undefined
}

function nextKind(tokens: TokenList, index: number, to: number): number | undefined {
  for (let next = index + 1; next < to; next++) if ((tokens.kind[next] as number) > lastTrivia) return tokens.kind[next]
  return undefined
}

/** Index after the blanks and the line end at `at`. */
function skipLineEnd(tokens: TokenList, at: number, to: number): number {
  let next = at
  while (next < to && tokens.kind[next] === TokenKind.Whitespace) next++
  return next < to && tokens.kind[next] === TokenKind.NewLine ? next + 1 : at
}

/** The comment that fills the line at `at`, and the index of the next line. */
function commentLine(tokens: TokenList, at: number, to: number): { text: string; next: number } | undefined {
  let index = at
  while (index < to && tokens.kind[index] === TokenKind.Whitespace) index++
  if (index >= to || !isComment(tokens.kind[index] as number)) return undefined
  const next = skipLineEnd(tokens, index + 1, to)
  if (next === index + 1 && next < to) return undefined
  return { text: commentText(tokens.kind[index] as number, tokenText(tokens, index)), next }
}

/** A blank line before the first comment among the statements only separates it from the network's comment. */
function separated(text: string, from: number, end: number): number {
  separator.lastIndex = from
  const found = separator.exec(text)
  return found === null || separator.lastIndex > end ? from : from + (found[1] as string).length
}

const separator = /([ \t]*(?:\r\n|\r|\n))(?:[ \t]*[\r\n])*[ \t]*\/\//y

/** Writes the body of an STL block between BEGIN and END, from LF to LF: the inverse of `statementNetworks`. */
export function statementBody(networks: readonly Network[], text: (value: Network['title']) => string): string {
  const lines: string[] = ['']
  for (const { title, comment, statements = [] } of networks) {
    lines.push('NETWORK', `TITLE = ${text(title).replace(/\s*\n\s*/g, ' ')}`)
    const about = text(comment)
    if (about !== '') lines.push(...about.split('\n').map((line) => `//${line === '' ? '' : ` ${line}`}`))
    const first = statements.find(
      ({ mnemonic, label, comment: own }) => !(mnemonic === '' && label === undefined && own === undefined),
    )
    if (first?.mnemonic === '' && first.label === undefined) lines.push('')
    const code = statementsText(statements, { indent: '      ' })
    if (code !== '') lines.push(code.endsWith('\n') ? code.slice(0, -1) : code)
  }
  return `${lines.join('\n')}\n`
}
