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
import { FormatNesting } from './format-nesting.ts'
import { needsBlank } from './format-spacing.ts'
import { lex } from './lexer.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from './tokens.ts'

export interface FormatOptions {
  /** Blanks of one level; 0: a tab. Default 4. */
  readonly indent?: number
  /** Default `upper`. */
  readonly keywords?: 'upper' | 'keep'
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
export function formatScl(text: string, { indent = 4, keywords = 'upper' }: FormatOptions = {}): Formatted {
  const tokens = lex(text)
  if (tokens.faults.length > 0) {
    const places = new LineIndex(text)
    const faults = tokens.faults.map(({ offset, message }) => ({ ...places.at(offset), message }))
    return { text, changed: false, faults }
  }
  const level = indent === 0 ? '\t' : ' '.repeat(indent)
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = new Formatter(tokens, level, keywords === 'upper').run()
  const joined = withComments(lines).join(lineBreak)
  const formatted = joined === '' ? '' : joined + lineBreak
  if (!sameProgram(tokens, lex(formatted))) throw new Error('formatting would change the program')
  return { text: formatted, changed: formatted !== text, faults: [] }
}

class Formatter {
  readonly #tokens: TokenList
  readonly #level: string
  readonly #upper: boolean
  readonly #nesting = new FormatNesting()
  readonly #out: OutputLine[] = []

  constructor(tokens: TokenList, level: string, upper: boolean) {
    this.#tokens = tokens
    this.#level = level
    this.#upper = upper
  }

  run(): OutputLine[] {
    const lines = linesOf(this.#tokens)
    for (const [i, line] of lines.entries()) {
      if (line.tokens.length === 0) this.#blankLine()
      else if (this.#nesting.isVerbatim(this.#tokens, line)) this.#verbatim(line)
      else this.#line(line, lines[i + 1])
    }
    while (this.#out.at(-1)?.code === '') this.#out.pop()
    return this.#out
  }

  /** At most one blank line, and none at the beginning. */
  #blankLine(): void {
    const last = this.#out.at(-1)
    if (last !== undefined && (last.code !== '' || last.comment !== undefined)) this.#out.push({ code: '' })
  }

  /** Statement lists (STL) are not SCL. */
  #verbatim({ tokens, first, end }: Line): void {
    for (const token of tokens) this.#nesting.see(this.#tokens, token, 0)
    this.#nesting.endLine()
    this.#out.push({ code: this.#tokens.text.slice(first, end).trimEnd() })
  }

  #line(line: Line, next: Line | undefined): void {
    const source = this.#tokens
    const last = line.tokens.at(-1) as number
    const isTrailing = line.tokens.length > 1 && source.kind[last] === K.LineComment
    const code = isTrailing ? line.tokens.slice(0, -1) : line.tokens
    let text = this.#nesting.prefix(source, code, next, this.#level)
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
    this.#out.push(
      isTrailing ? { code: text, comment: tokenText(source, last).trimEnd() } : { code: text.replace(/[ \t]+$/, '') },
    )
  }

  #text(token: number, previous: number): string {
    const text = tokenText(this.#tokens, token)
    const kind = this.#tokens.kind[token] as number
    if (kind === K.LineComment) return text.trimEnd()
    if (kind !== K.Keyword || !this.#upper || !this.#nesting.isKeyword(this.#tokens, token, previous)) return text
    return text.toUpperCase()
  }
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
