/**
 * Words of SCL statements: which are open, what closes them, what a wrong one probably means, and where a CASE
 * continues.
 */
import { nearest } from '../../../lib/nearest.ts'
import { Keyword, keywordTexts } from '../../model/keywords.ts'
import { ExpressionParser } from './expression-parser.ts'
import type { Expression } from './syntax.ts'
import {
  assignmentOperators,
  closedStatements,
  codeCount,
  firstCode,
  firstWordCode,
  opensStatement,
  T,
} from './token-codes.ts'
import { TokenKind, tokenText } from './tokens.ts'

const K = TokenKind

/** The word after the head of a statement, and the one at its end. */
const openings: ReadonlyMap<number, number> = new Map([
  [T.If, T.Then],
  [T.Case, T.Of],
  [T.For, T.Do],
  [T.While, T.Do],
])
const ends: ReadonlyMap<number, number> = new Map([
  [T.If, T.EndIf],
  [T.Case, T.EndCase],
  [T.For, T.EndFor],
  [T.While, T.EndWhile],
  [T.Repeat, T.EndRepeat],
])

/** Words that begin declarations. */
const sections: ReadonlySet<number> = new Set([
  Keyword.VAR,
  Keyword.VAR_INPUT,
  Keyword.VAR_OUTPUT,
  Keyword.VAR_IN_OUT,
  Keyword.VAR_TEMP,
])

export function keyword(code: number): string {
  return keywordTexts[code - firstWordCode] as string
}

/** The parts of the statement parser that look ahead. */
export class StatementWords extends ExpressionParser {
  /** How many statements of each kind are open, by the code of their first word. */
  protected readonly open = new Uint16Array(codeCount)
  /** The codes of the open statements, from the outermost to the innermost. */
  protected readonly nesting: number[] = []
  /** A token that closes the innermost statement although it is the word of another kind: END_IF after a FOR. */
  protected mistakenEnd = -1
  /** How many more tokens may be searched for the right word. */
  protected lookAhead = 100_000
  /** Whether the statements being parsed are directly those of a CASE branch, not of anything inside it. */
  protected inBranch = false
  /** Names after GOTO, in upper case; collected when a CASE needs them. */
  protected targets: Set<string> | undefined

  protected isOpen(code: number, opener: number): boolean {
    return (this.open[opener] as number) > 0 || (code === T.Else && (this.open[T.Case] as number) > 0)
  }

  protected enter(word: number): void {
    this.open[word]!++
    this.nesting.push(word)
  }

  protected leave(word: number): void {
    this.open[word]!--
    this.nesting.pop()
  }

  /** The end word of another kind where nothing closes what is open: reported, and taken as its end. */
  protected isMistakenEnd(code: number, opener: number): boolean {
    if (this.at === this.mistakenEnd) return true
    const innermost = this.nesting.at(-1)
    const right = innermost === undefined ? undefined : ends.get(innermost)
    if (innermost === undefined || right === undefined || right === code || ends.get(opener) !== code) return false
    if (this.isClosedLater(innermost, right)) return false
    // It closes its own statement, unless that has another end further on.
    if (this.isOpen(code, opener) && !this.isClosedLater(opener, code)) return false
    this.faultHere(
      'scl-stray-end',
      `${keyword(code)} stands where ${keyword(right)} belongs: it closes ${keyword(innermost)}`,
    )
    this.mistakenEnd = this.at
    return true
  }

  protected isClosedLater(opener: number, closer: number): boolean {
    let depth = 1
    for (let at = this.at + 1; at < this.to; at++) {
      if (this.lookAhead-- <= 0) return true
      const word = (this.keyword[at] as number) === 0 ? 0 : firstWordCode + (this.keyword[at] as number)
      if (word === opener) depth++
      else if (word === closer && --depth === 0) return true
    }
    return false
  }

  /**
   * `IFF #a THEN`: the word that a name was probably meant to be, when what belongs to that word follows on the line.
   */
  protected misspelt(): number | undefined {
    if (this.code !== K.Identifier || assignmentOperators[this.after(this.at)] !== undefined) return undefined
    const name = tokenText(this.tokens, this.at)
    const close = name.length > 8 ? undefined : nearest(name, ['IF', 'CASE', 'FOR', 'WHILE'])
    const word = [...openings.keys()].find((one) => keyword(one) === close)
    return word !== undefined && this.followsOnLine(openings.get(word) as number, word === T.For) ? word : undefined
  }

  /** Words of other languages are reported and read as those of SCL: `ELSEIF #a THEN`, `ENDIF`, `END IF`. */
  protected readForeignWord(): void {
    const text = tokenText(this.tokens, this.at)
    if (!/^E(?:L|ND)/i.test(text)) return
    if (/^EL(?:SE_?)?IF$/i.test(text) && this.open[T.If] !== 0 && this.followsOnLine(T.Then)) {
      this.faultHere('scl-expected', `${text} is written ELSIF here`)
      this.code = T.Elsif
      return
    }
    const behind = text.toUpperCase() === 'END' ? this.skipTrivia(this.at + 1) : undefined
    const word = behind === undefined ? /^END(?=[A-Z])(.*)$/i.exec(text)?.[1] : tokenText(this.tokens, behind)
    const opener = [...ends.keys()].find((one) => keyword(one) === word?.toUpperCase())
    const end = opener === undefined ? undefined : ends.get(opener)
    if (opener === undefined || end === undefined || this.open[opener] === 0) return
    const written = behind === undefined ? text : `${text} ${word}`
    this.faultHere('scl-expected', `${written} is written ${keyword(end)} here`)
    if (behind !== undefined) this.next()
    this.code = end
  }

  /** The condition of IF, WHILE or UNTIL; `:=` in it is reported and read as `=`. */
  protected condition(): Expression {
    const left = this.expression(1)
    if (this.code !== K.Assign) return left
    this.faultHere('scl-expected', '":=" assigns a value: a comparison is written "="')
    this.next()
    const right = this.expression(1)
    return { kind: 'binary', start: left.start, end: this.end, operator: '=', left, right }
  }

  /** `VAR … END_VAR` between statements is one fault. */
  protected skipDeclarations(): boolean {
    if (!sections.has(this.keyword[this.at] as number)) return false
    this.faultHere(
      'scl-not-a-statement',
      `${tokenText(this.tokens, this.at)} between statements: declarations stand before BEGIN`,
    )
    while (this.code !== K.EndOfFile && this.keyword[this.at] !== Keyword.END_VAR) this.next()
    this.next()
    return true
  }

  // ── Ends that belong to another statement ─────────────────────────────────────────────────────────────────────────

  /** Statements whose end is not below their first word. */
  readonly #uneven: { readonly start: number; readonly end: number }[] = []

  /** Records where a statement ends, at the word that closes it. */
  protected noteEnd(start: number): void {
    const [from, to] = [this.#indent(start), this.#indent(this.at)]
    if (from !== undefined && to !== undefined && from !== to) this.#uneven.push({ start, end: this.at })
  }

  /** A statement inside an open one whose end is below the first word of that one: it has no end of its own. */
  protected takenEndIn(start: number) {
    const { tokens } = this
    const indent = this.#indent(start)
    const taken = this.#uneven.find((one) => one.start > start && this.#indent(one.end) === indent)
    if (taken === undefined) return undefined
    const line = tokens.text.slice(0, tokens.start[taken.end] as number).split('\n').length
    const word = tokenText(tokens, taken.start).toUpperCase()
    return { start: taken.start, word, end: tokenText(tokens, taken.end).toUpperCase(), line }
  }

  /** Blanks before a word that opens its line; `undefined` for others. */
  #indent(index: number): number | undefined {
    const { start } = this.tokens
    const isFirst = (at: number) => at === this.from || this.kind[at - 1] === K.NewLine
    if (isFirst(index)) return 0
    if (this.kind[index - 1] !== K.Whitespace || !isFirst(index - 1)) return undefined
    return (start[index] as number) - (start[index - 1] as number)
  }

  /**
   * Inside a CASE branch: whether values and a colon begin here, and not a statement. Looks ahead over at most one
   * operand.
   */
  protected isCaseLabel(): boolean {
    const code = this.code
    if (code === K.LocalName || code === K.QuotedName || code === K.Identifier) return this.isNamedCaseLabel()
    return (
      code === K.Integer ||
      code === K.Real ||
      code === K.TypedLiteral ||
      code === K.String ||
      code === K.Minus ||
      code === K.Plus ||
      code === K.LeftParen ||
      code === T.True ||
      code === T.False
    )
  }

  /**
   * In a statement inside a branch, a number with a colon can only be the next branch; the statement was not closed.
   */
  protected isLiteralCaseLabel(): boolean {
    if (this.code !== K.Integer || this.open[T.Case] === 0) return false
    const next = this.after(this.at)
    return next === K.Colon || next === K.Range || next === K.Comma
  }

  protected isNamedCaseLabel(): boolean {
    let at = this.at
    let next = this.after(at)
    let single = true
    while (next === K.Dot) {
      single = false
      at = this.skipTrivia(this.skipTrivia(at + 1) + 1)
      next = this.after(at)
    }
    if (next === K.Comma || next === K.Range) return true
    if (next !== K.Colon) return false
    // `name:` is a jump label when a GOTO names it, otherwise the value of a constant.
    return !(single && this.code === K.Identifier && this.isJumpTarget())
  }

  protected skipTrivia(index: number): number {
    let at = index
    while (at < this.to && (this.kind[at] as number) < firstCode) at++
    return at
  }

  protected isJumpTarget(): boolean {
    if (this.targets === undefined) {
      this.targets = new Set()
      for (let i = this.from; i < this.to; i++)
        if (this.keyword[i] === Keyword.GOTO)
          this.targets.add(tokenText(this.tokens, Math.min(this.skipTrivia(i + 1), this.to)).toUpperCase())
    }
    return this.targets.has(tokenText(this.tokens, this.at).toUpperCase())
  }

  /**
   * THEN, OF, DO …: when it is missing but follows later on the line, the tokens between belong to the fault.
   * @returns false when braces follow, as in other languages: the statements in them are not statements here
   */
  protected opening(code: number, what: string): boolean {
    if (this.accept(code)) return true
    for (let at = this.end; at < this.at; at++) {
      if (this.kind[at] !== K.Pragma) continue
      const { start } = this.tokens
      const message = `expected ${what}, found "{": statements stand behind ${keyword(code)}, not in braces`
      this.fault('scl-expected', message, start[at] as number, (start[at] as number) + 1)
      return false
    }
    const name = this.code === K.Identifier ? tokenText(this.tokens, this.at) : ''
    const close = name.length > 8 ? undefined : nearest(name, [keyword(code), 'AND', 'OR', 'XOR', 'MOD'])
    const isOperator = close !== undefined && close !== keyword(code) && this.followsOnLine(code)
    if (isOperator) this.faultHere('scl-expected', `${name} is no operator: did you mean ${close}?`)
    else this.expected(what)
    if (close === keyword(code) && !this.followsOnLine(code) && !this.opensLine()) {
      this.next()
      return true
    }
    if (!this.followsOnLine(code)) return true
    while (this.code !== code) this.next()
    this.next()
    return true
  }

  /** Whether a token comes before the line or the statement ends. */
  protected followsOnLine(code: number, hasAssignment = false): boolean {
    for (let at = this.at; at < this.to; at++) {
      const kind = this.kind[at] as number
      if (kind === K.NewLine || kind === K.Semicolon) return false
      if (kind < firstCode) continue
      const word = this.keyword[at] as number
      const here = word === 0 ? kind : firstWordCode + word
      if (here === code) return true
      if (
        (assignmentOperators[here] !== undefined && !hasAssignment) ||
        closedStatements[here] !== 0 ||
        opensStatement[here] !== 0
      )
        return false
    }
    return false
  }
}
