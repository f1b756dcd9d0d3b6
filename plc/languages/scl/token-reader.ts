/** A reading position in a token list that skips trivia, and the faults found so far. */
import { shortened } from '../../../lib/shortened.ts'
import type { SyntaxCode, SyntaxDiagnostic } from './syntax.ts'
import { beginsExpression, closedStatements, firstCode, firstWordCode, opensStatement } from './token-codes.ts'
import { TokenKind, type TokenList, tokenText } from './tokens.ts'

const K = TokenKind

/** Faults beyond this number are not listed. */
const maxDiagnostics = 200

export class TokenReader {
  protected readonly tokens: TokenList
  protected readonly kind: Uint8Array
  protected readonly keyword: Uint8Array
  protected readonly from: number
  protected readonly to: number
  /** Current token: its number and its code. */
  protected at = 0
  protected code: number = K.EndOfFile
  /** The index after the last consumed token. */
  protected end = 0
  readonly #diagnostics: SyntaxDiagnostic[] = []
  /** Place of the last fault. */
  protected lastFault = -1

  /** Reads the tokens `from .. to` (exclusive). */
  constructor(tokens: TokenList, from: number, to: number) {
    this.tokens = tokens
    this.kind = tokens.kind
    this.keyword = tokens.keyword
    this.from = from
    this.to = to
    this.end = from
    this.settle(from)
  }

  /** Makes the first token at or after `index` that is not trivia the current one. */
  protected settle(index: number): void {
    const kind = this.kind
    const to = this.to
    let at = index
    while (at < to && (kind[at] as number) < firstCode) at++
    this.at = at
    if (at >= to) this.code = K.EndOfFile
    else {
      const word = this.keyword[at] as number
      this.code = word === 0 ? (kind[at] as number) : firstWordCode + word
    }
  }

  protected next(): void {
    if (this.at >= this.to) return
    this.end = this.at + 1
    this.settle(this.at + 1)
  }

  /** Code of the token after `index` that is not trivia. */
  protected after(index: number): number {
    let at = index + 1
    while (at < this.to && (this.kind[at] as number) < firstCode) at++
    if (at >= this.to) return K.EndOfFile
    const word = this.keyword[at] as number
    return word === 0 ? (this.kind[at] as number) : firstWordCode + word
  }

  protected accept(code: number): boolean {
    if (this.code !== code) return false
    this.next()
    return true
  }

  /** Consumes the token, or reports that it is missing and stays. */
  protected expect(code: number, what: string): boolean {
    if (this.code === code) {
      this.next()
      return true
    }
    this.expected(what)
    return false
  }

  /** Whether the current token is on another line than the one before it. */
  protected opensLine(): boolean {
    for (let i = this.at - 1; i >= this.from; i--) {
      const kind = this.kind[i] as number
      if (kind === K.NewLine) return true
      if (kind >= firstCode) return false
    }
    return true
  }

  /** Records one fault per place: what follows from the first is not reported. */
  protected fault(code: SyntaxCode, message: string, start: number, end: number): void {
    if (start === this.lastFault) return
    this.lastFault = start
    if (this.#diagnostics.length < maxDiagnostics) this.#diagnostics.push({ code, message, start, end })
    else if (this.#diagnostics.length === maxDiagnostics)
      this.#diagnostics.push({ code: 'scl-too-many-faults', message: 'there are more faults', start, end })
  }

  protected faultHere(code: SyntaxCode, message: string): void {
    const { start } = this.tokens
    this.fault(code, message, start[this.at] as number, start[Math.min(this.at + 1, this.to)] as number)
  }

  protected expected(what: string, code: SyntaxCode = 'scl-expected'): void {
    this.faultHere(code, `expected ${what}, found ${this.found()}`)
  }

  protected found(): string {
    if (this.code === K.EndOfFile) return 'the end of the text'
    return JSON.stringify(shortened(tokenText(this.tokens, this.at), 40))
  }

  /** The parser's faults and those of the lexer; where both report the same token, that of the lexer is kept. */
  protected all(): SyntaxDiagnostic[] {
    const { start, faults } = this.tokens
    const [from, to] = [start[this.from] as number, start[this.to] as number]
    const lexical = faults.filter(({ offset }) => offset >= from && offset < Math.max(to, from + 1))
    const byPlace = (a: SyntaxDiagnostic, b: SyntaxDiagnostic) => a.start - b.start
    if (lexical.length === 0) return this.#diagnostics.sort(byPlace)
    // Operators of other languages: the parser reports them better, because it knows what they mean.
    const known = this.#diagnostics.filter(({ code }) => code === 'scl-token')
    const told = lexical
      .filter(({ offset }) => !known.some((one) => offset >= one.start && offset < one.end))
      .map(({ offset, message }) => ({ code: 'scl-token', message, ...this.#extentAt(offset) }) as const)
    return this.#diagnostics
      .filter(({ code, start: at }) => code === 'scl-token' || !told.some((one) => at >= one.start && at <= one.next))
      .concat(told.map(({ code, message, start: at, end }) => ({ code, message, start: at, end })))
      .sort(byPlace)
  }

  /**
   * The part of the token at an offset on its first line, and where the next one begins: what is missing there follows
   * from its fault.
   */
  #extentAt(offset: number): { readonly start: number; readonly end: number; readonly next: number } {
    const { start, text } = this.tokens
    let [low, high] = [this.from, this.to]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((start[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    let following = low + 1
    while (following < this.to && (this.kind[following] as number) < firstCode) following++
    const end = start[Math.min(low + 1, this.to)] as number
    const line = text.slice(offset, end).search(/[\r\n]/)
    return {
      start: offset,
      end: Math.max(line < 0 ? end : offset + line, offset + 1),
      next: start[Math.min(following, this.to)] as number,
    }
  }

  /** Skips what cannot be parsed, up to the end of the statement; at least one token when `force` is set. */
  protected skip(force = false): void {
    if (force) this.next()
    for (;;) {
      const code = this.code
      if (code === K.EndOfFile || code === K.Semicolon || closedStatements[code] !== 0 || opensStatement[code] !== 0)
        return
      if (beginsExpression[code] !== 0 && this.opensLine()) return
      this.next()
    }
  }
}
