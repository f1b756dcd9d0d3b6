/** A reading position in a token list that passes over trivia, and the faults found on the way. */
import type { SyntaxCode, SyntaxDiagnostic } from './syntax.ts'
import { BEGINS, CLOSES, FIRST, OPENS, WORD } from './token-codes.ts'
import { TokenKind, type TokenList, tokenText } from './tokens.ts'

const K = TokenKind

/** Faults beyond this number are not listed. */
const MAX_DIAGNOSTICS = 200

export class TokenReader {
  protected readonly tokens: TokenList
  protected readonly kind: Uint8Array
  protected readonly keyword: Uint8Array
  protected readonly from: number
  protected readonly to: number
  /** Current token: its number and its code. */
  protected at = 0
  protected code: number = K.EndOfFile
  /** Behind the last token that was taken. */
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

  /** Makes the first token at or behind `index` that is no trivia the current one. */
  protected settle(index: number): void {
    const kind = this.kind
    const to = this.to
    let at = index
    while (at < to && (kind[at] as number) < FIRST) at++
    this.at = at
    if (at >= to) this.code = K.EndOfFile
    else {
      const word = this.keyword[at] as number
      this.code = word === 0 ? (kind[at] as number) : WORD + word
    }
  }

  protected next(): void {
    if (this.at >= this.to) return
    this.end = this.at + 1
    this.settle(this.at + 1)
  }

  /** Code of the token behind `index` that is no trivia. */
  protected after(index: number): number {
    let at = index + 1
    while (at < this.to && (this.kind[at] as number) < FIRST) at++
    if (at >= this.to) return K.EndOfFile
    const word = this.keyword[at] as number
    return word === 0 ? (this.kind[at] as number) : WORD + word
  }

  protected accept(code: number): boolean {
    if (this.code !== code) return false
    this.next()
    return true
  }

  /** Takes the token, or reports that it is missing and stays. */
  protected expect(code: number, what: string): boolean {
    if (this.code === code) {
      this.next()
      return true
    }
    this.expected(what)
    return false
  }

  /** Whether the current token stands on another line than the one before it. */
  protected opensLine(): boolean {
    for (let i = this.at - 1; i >= this.from; i--) {
      const kind = this.kind[i] as number
      if (kind === K.NewLine) return true
      if (kind >= FIRST) return false
    }
    return true
  }

  /** One fault a place: what follows from the first is not told. */
  protected fault(code: SyntaxCode, message: string, start: number, end: number): void {
    if (start === this.lastFault) return
    this.lastFault = start
    if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push({ code, message, start, end })
    else if (this.#diagnostics.length === MAX_DIAGNOSTICS)
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
    const text = tokenText(this.tokens, this.at)
    return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
  }

  /** Own faults and those of the lexer; where the lexer objected, what the parser says of the same token is dropped. */
  protected all(): SyntaxDiagnostic[] {
    const { start, faults } = this.tokens
    const [from, to] = [start[this.from] as number, start[this.to] as number]
    const lexical = faults.filter(({ offset }) => offset >= from && offset < Math.max(to, from + 1))
    const byPlace = (a: SyntaxDiagnostic, b: SyntaxDiagnostic) => a.start - b.start
    if (lexical.length === 0) return this.#diagnostics.sort(byPlace)
    const places = new Set(lexical.map(({ offset }) => offset))
    return this.#diagnostics
      .filter((diagnostic) => !places.has(diagnostic.start))
      .concat(
        lexical.map(({ offset, message }) => ({ code: 'scl-token', message, start: offset, end: offset + 1 }) as const),
      )
      .sort(byPlace)
  }

  /** Passes over what cannot be read, up to the end of the statement. At least one token goes when `force` is set. */
  protected skip(force = false): void {
    if (force) this.next()
    for (;;) {
      const code = this.code
      if (code === K.EndOfFile || code === K.Semicolon || CLOSES[code] !== 0 || OPENS[code] !== 0) return
      if (BEGINS[code] !== 0 && this.opensLine()) return
      this.next()
    }
  }
}
