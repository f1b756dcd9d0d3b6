/** A reading position in a token list that skips white space and comments. */

import { shortened } from '../../../lib/shortened.ts'
import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, type TokenKindValue, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import { type FaultCode, type FormatFault, LineIndex } from '../../model/fault.ts'

/** Faults beyond this number are not recorded: a file that is not a source would report every word. */
export const maxFaults = 100

export class Cursor {
  readonly tokens: TokenList
  readonly faults: FormatFault[] = []
  /** Name of the block being read; becomes the `path` of faults. */
  blockName = ''
  /** Index of the current token, which is never white space or a comment. */
  index = 0
  #lines: LineIndex | undefined

  constructor(text: string) {
    this.tokens = lex(text)
    this.#settle()
  }

  get kind(): TokenKindValue {
    return this.tokens.kind[this.index] as TokenKindValue
  }
  /** Number of the current keyword, 0 when the token is not one. */
  get keyword(): number {
    return this.tokens.keyword[this.index] as number
  }
  get start(): number {
    return this.tokens.start[this.index] as number
  }
  get end(): number {
    return this.tokens.start[this.index + 1] as number
  }
  get text(): string {
    return tokenText(this.tokens, this.index)
  }
  get atEnd(): boolean {
    return this.kind === TokenKind.EndOfFile
  }

  /** Whether the current token is the name or keyword `word` (upper case). */
  isWord(word: string): boolean {
    const kind = this.kind
    return (
      (kind === TokenKind.Identifier || kind === TokenKind.Keyword) &&
      this.end - this.start === word.length &&
      this.text.toUpperCase() === word
    )
  }

  next(): void {
    if (this.index < this.tokens.count - 1) this.index++
    this.#settle()
  }

  /** Kind of the token after the current one, without white space and comments. */
  peek(): TokenKindValue {
    let index = this.index + 1
    while (index < this.tokens.count && (this.tokens.kind[index] as number) <= lastTrivia) index++
    return (this.tokens.kind[Math.min(index, this.tokens.count - 1)] ?? TokenKind.EndOfFile) as TokenKindValue
  }

  /** Whether a pragma follows on the same line. */
  hasPragmaBehind(): boolean {
    let index = this.index + 1
    while (this.tokens.kind[index] === TokenKind.Whitespace) index++
    return this.tokens.kind[index] === TokenKind.Pragma
  }

  /** Moves to the first token that begins at or after `offset`. */
  skipTo(offset: number): void {
    while (!this.atEnd && this.start < offset) this.next()
  }

  /** Advances when the current token is of `kind`. */
  accept(kind: TokenKindValue): boolean {
    if (this.kind !== kind) return false
    this.next()
    return true
  }

  acceptKeyword(keyword: number): boolean {
    if (this.keyword !== keyword) return false
    this.next()
    return true
  }

  /** Records a fault at the current token, or at `offset`. */
  fault(message: string, code: FaultCode = 'source-syntax', offset = this.start): void {
    if (this.faults.length >= maxFaults) return
    this.#lines ??= new LineIndex(this.tokens.text)
    const { line, column } = this.#lines.at(offset)
    this.faults.push({
      code,
      message,
      line,
      column,
      offset,
      ...(this.blockName === '' ? {} : { path: this.blockName }),
    })
  }

  /** Records "expected …, found …" at the current token. */
  expected(what: string): void {
    const found = this.atEnd ? 'the end of the file' : JSON.stringify(shortened(this.text, 40))
    this.fault(`expected ${what}, found ${found}`)
  }

  /** Comment on the same line after token `index` (exclusive), without its marks; '' when there is none. */
  commentAfter(index: number): string {
    for (let i = index + 1; i < this.tokens.count; i++) {
      const kind = this.tokens.kind[i] as number
      if (kind === TokenKind.Whitespace) continue
      return isComment(kind) ? commentText(kind, tokenText(this.tokens, i)) : ''
    }
    return ''
  }

  #settle(): void {
    const { kind } = this.tokens
    while ((kind[this.index] as number) <= lastTrivia) this.index++
  }
}

export function isComment(kind: number): boolean {
  return kind >= TokenKind.LineComment && kind <= lastTrivia
}

/** Returns the text of a comment without marks and without the blank that TIA Portal puts after `//`. */
export function commentText(kind: number, text: string): string {
  if (kind === TokenKind.LineComment) {
    const inner = text.slice(2)
    return (inner.startsWith(' ') ? inner.slice(1) : inner).trimEnd()
  }
  const open = kind === TokenKind.MultilingualComment ? 3 : 2
  const close = text.endsWith('*/)') ? 3 : text.endsWith('*)') || text.endsWith('*/') ? 2 : 0
  return text.slice(open, Math.max(open, text.length - close)).trim()
}

/** Whether only white space precedes the token on its line. */
export function opensLine(tokens: TokenList, index: number): boolean {
  for (let i = index - 1; i >= 0; i--) {
    const kind = tokens.kind[i]
    if (kind === TokenKind.NewLine) return true
    if (kind !== TokenKind.Whitespace) return false
  }
  return true
}
