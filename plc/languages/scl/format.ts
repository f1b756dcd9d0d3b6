/**
 * Formats SCL in external sources: indentation by structure, one blank between words and around operators, keywords in
 * upper case, comments behind code in one column. Line breaks stay where they are, so that a long call keeps the lines
 * that its author gave it. Formatting twice changes nothing, and the tokens of the program are the same afterwards.
 *
 * The style is that of sources which TIA Portal generates: VAR sections one level below the block, statements one level
 * below BEGIN, branches of CASE one level below their labels.
 */
import { LineIndex } from '../../model/fault.ts'
import { type Line, linesOf } from './format-lines.ts'
import { blockEnds, FormatNesting, type IndentUnits } from './format-nesting.ts'
import { needsBlank } from './format-spacing.ts'
import { TiaLayout } from './format-tia.ts'
import { lex } from './lexer.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from './tokens.ts'

export interface FormatOptions {
  /** Blanks of one level; 0: a tab. Default 4. */
  readonly indent?: number
  /** Default `upper`. */
  readonly keywords?: 'upper' | 'keep'
  /**
   * `tia`: as TIA Portal writes sources, so that those which it generates stay as they are; `indent` has no effect
   * then. Lines of bodies that begin with a tab are as its editor has them, and stay.
   */
  readonly style?: 'tia'
}

/** A place that cannot be read; lines and columns from 1. */
export interface FormatFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

export interface Formatted {
  /** The formatted text; the given one when there are faults. */
  readonly text: string
  readonly changed: boolean
  readonly faults: readonly FormatFault[]
}

/** A line of the result. */
interface OutputLine {
  readonly code: string
  /** Comment behind the code. */
  readonly comment?: string
}

const K = TokenKind

/**
 * Formats a source. A text with an unterminated comment, text or name is returned as it is, with the faults.
 * Work grows in line with the text.
 */
export function formatScl(text: string, { indent = 4, keywords = 'upper', style }: FormatOptions = {}): Formatted {
  const tokens = lex(text)
  if (tokens.faults.length > 0) {
    const places = new LineIndex(text)
    const faults = tokens.faults.map(({ offset, message }) => ({ ...places.at(offset), message }))
    return { text, changed: false, faults }
  }
  const level = indent === 0 ? '\t' : ' '.repeat(indent)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = new Formatter(tokens, style ?? level, keywords === 'upper').run()
  const joined = withComments(lines).join(lineBreak)
  const formatted = joined === '' ? '' : joined + lineBreak
  if (!sameProgram(tokens, lex(formatted))) throw new Error('formatting would change the program')
  return { text: formatted, changed: formatted !== text, faults: [] }
}

class Formatter {
  readonly #tokens: TokenList
  readonly #units: IndentUnits
  readonly #tia: TiaLayout | undefined
  readonly #upper: boolean
  readonly #nesting = new FormatNesting()
  readonly #out: OutputLine[] = []

  /** @param level text of one level, or `tia` */
  constructor(tokens: TokenList, level: string, upper: boolean) {
    this.#tokens = tokens
    this.#tia = level === 'tia' ? new TiaLayout(this.#nesting) : undefined
    this.#units = this.#tia ?? { of: (number) => level.repeat(number), step: level }
    this.#upper = upper
  }

  run(): OutputLine[] {
    const lines = linesOf(this.#tokens)
    const behind = followers(lines)
    for (const [i, line] of lines.entries()) {
      if (line.tokens.length === 0) this.#blankLine(line)
      else if (this.#nesting.isVerbatim(this.#tokens, line)) this.#verbatim(line)
      else this.#line(line, this.#tia?.isDeclared ? behind[i] : lines[i + 1])
    }
    while (this.#out.at(-1)?.code === '') this.#out.pop()
    this.#emptyLines(this.#tia?.linesAtEnd ?? 0)
    return this.#out
  }

  /** At most one blank line, and none at the beginning. In the style of TIA Portal those of bodies alone are free. */
  #blankLine(line: Line): void {
    if (this.#tia?.isBody) this.#out.push({ code: this.#written(line) ?? '\t' })
    if (this.#tia && this.#nesting.block !== undefined) return
    const last = this.#out.at(-1)
    if (last !== undefined && (last.code !== '' || last.comment !== undefined)) this.#out.push({ code: '' })
  }

  /** Statement lists (STL) are not SCL. */
  #verbatim({ tokens, first, end }: Line): void {
    for (const token of tokens) this.#nesting.see(this.#tokens, token, 0)
    this.#nesting.endLine()
    this.#out.push({ code: this.#tokens.text.slice(first, end).trimEnd() })
  }

  #emptyLines(count: number): void {
    for (let i = 0; i < count; i++) this.#out.push({ code: '' })
  }

  /** The text of a line of a body that the editor of TIA Portal has written. */
  #written({ first, end }: Line): string | undefined {
    const text = this.#tokens.text.slice(first, end)
    return text.startsWith('\t') ? text : undefined
  }

  #line(line: Line, next: Line | undefined): void {
    const source = this.#tokens
    const tia = this.#tia
    const word = tia ? firstWord(source, line) : 0
    const kept = tia?.isBody && !blockEnds.has(word) ? this.#written(line) : undefined
    if (kept !== undefined) {
      this.#keep(line, next, kept)
      tia?.lineSeen(word)
      return
    }
    const last = line.tokens.at(-1) as number
    const isTrailing = line.tokens.length > 1 && source.kind[last] === K.LineComment
    const code = isTrailing ? line.tokens.slice(0, -1) : line.tokens
    let text = this.#nesting.prefix(source, code, next, this.#units)
    if (tia?.isBlockComment(word) && isComment(source, line)) text = ''
    const empty = tia?.linesBefore(word, rest(source, line)) ?? 0
    if (this.#out.at(-1)?.code !== '') this.#emptyLines(empty)
    const isDeclared = tia?.isDeclared === true
    let column = text.length
    let previous = -1
    for (const token of code) {
      const blank = previous >= 0 && needsBlank(source, previous, token, this.#nesting) ? ' ' : ''
      const own = this.#text(token, previous)
      text += blank + own
      column = own.includes('\n') ? lastLineLength(own) : column + blank.length + own.length
      this.#nesting.see(source, token, column)
      previous = token
    }
    this.#nesting.endLine()
    tia?.lineSeen(word)
    const written = isTrailing ? tokenText(source, last) : undefined
    // TIA Portal keeps the comments of members as they are.
    const comment = isDeclared ? written : written?.trimEnd()
    const trimmed = text.replace(/[ \t]+$/, '')
    if (comment === undefined) this.#out.push({ code: tia?.withTail(trimmed) ?? trimmed })
    else if (isDeclared) this.#out.push({ code: `${text}${tia.beforeComment}${comment}` })
    else this.#out.push({ code: text, comment })
  }

  /** A line as it is written. */
  #keep(line: Line, next: Line | undefined, written: string): void {
    const source = this.#tokens
    this.#nesting.prefix(source, line.tokens, next, this.#units)
    for (const token of line.tokens) {
      const end = source.start[token + 1] as number
      const begin = Math.max(line.first, source.text.lastIndexOf('\n', end - 1) + 1)
      this.#nesting.see(source, token, end - begin)
    }
    this.#nesting.endLine()
    this.#out.push({ code: written })
  }

  #text(token: number, previous: number): string {
    const text = tokenText(this.#tokens, token)
    const kind = this.#tokens.kind[token] as number
    if (kind === K.LineComment) return text.trimEnd()
    if (kind !== K.Keyword || !this.#upper || !this.#nesting.isKeyword(this.#tokens, token, previous)) return text
    return text.toUpperCase()
  }
}

/** For each line the next one that is not empty. */
function followers(lines: readonly Line[]): (Line | undefined)[] {
  const found: (Line | undefined)[] = []
  let next: Line | undefined
  for (let i = lines.length - 1; i >= 0; i--) {
    found[i] = next
    if ((lines[i] as Line).tokens.length > 0) next = lines[i]
  }
  return found
}

/** The keyword that a line begins with; 0: none. */
function firstWord({ kind, keyword }: TokenList, { tokens }: Line): number {
  const first = tokens.find((token) => (kind[token] as number) > lastTrivia && kind[token] !== K.Pragma)
  return first === undefined ? 0 : (keyword[first] as number)
}

const isComment = ({ kind }: TokenList, { tokens }: Line): boolean =>
  tokens.every((token) => (kind[token] as number) <= lastTrivia)

/** The code of a line. */
function rest(source: TokenList, { tokens }: Line): string {
  const code = tokens.filter((token) => (source.kind[token] as number) > lastTrivia)
  return code.map((token) => tokenText(source, token)).join(' ')
}

/**
 * Joins code and comments. The comments of consecutive lines of one indentation are in one column, two blanks behind
 * the longest code.
 */
function withComments(lines: readonly OutputLine[]): string[] {
  const result: string[] = []
  for (let i = 0; i < lines.length; ) {
    let end = i
    const indent = indentOf(lines[i]?.code ?? '')
    while (lines[end]?.comment !== undefined && indentOf(lines[end]?.code ?? '') === indent) end++
    let width = 0
    for (const { code } of lines.slice(i, end)) width = Math.max(width, lastLineLength(code))
    for (; i < end; i++) {
      const { code, comment } = lines[i] as OutputLine
      result.push(`${code}${' '.repeat(width - lastLineLength(code) + 2)}${comment}`)
    }
    const next = lines[i]
    if (next === undefined || next.comment !== undefined) continue
    result.push(next.code)
    i++
  }
  return result
}

const indentOf = (code: string) => code.length - code.trimStart().length

const lastLineLength = (code: string) => code.length - (code.lastIndexOf('\n') + 1)

/** True when two texts differ in white space and in the case of keywords only. */
function sameProgram(before: TokenList, after: TokenList): boolean {
  const next = (tokens: TokenList, from: number) => {
    let i = from
    while (i < tokens.count && (tokens.kind[i] === K.Whitespace || tokens.kind[i] === K.NewLine)) i++
    return i
  }
  const textOf = (tokens: TokenList, i: number) => {
    const text = tokenText(tokens, i)
    const kind = tokens.kind[i] as number
    return kind === K.Keyword ? text.toUpperCase() : kind <= lastTrivia || kind === K.Text ? text.trim() : text
  }
  let a = next(before, 0)
  let b = next(after, 0)
  while (a < before.count && b < after.count) {
    if (before.kind[a] !== after.kind[b] || textOf(before, a) !== textOf(after, b)) return false
    a = next(before, a + 1)
    b = next(after, b + 1)
  }
  return a >= before.count && b >= after.count
}
