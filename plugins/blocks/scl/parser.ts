/**
 * Parser of SCL statements: recursive descent over the token list, operators by binding power. It always gives a tree; a fault is reported
 * with its place and reading goes on behind it. Linear in the number of tokens whatever they are.
 *
 * Operator priorities: S7-1200 manual, table "Operators in SCL" (plc-semantics.md 2.3): `=` and `<>` bind looser than `<` and `>`, `**` binds
 * tighter than a sign, operators of one level go from left to right.
 */
import { KEYWORDS, Keyword } from './keywords.ts'
import { lex } from './lexer.ts'
import type {
  Argument,
  Assignment,
  AssignmentOperator,
  BinaryOperator,
  Call,
  CaseBranch,
  Expression,
  IfBranch,
  Range,
  Statement,
  SyntaxCode,
  SyntaxDiagnostic,
  SyntaxTree,
  UnaryOperator,
} from './syntax.ts'
import { TokenKind, type TokenList, tokenText } from './tokens.ts'

const K = TokenKind

export interface ParseOptions {
  /** Tokens of the text, when it was split already. */
  readonly tokens?: TokenList
  /** First token and the one behind the last; default: all. */
  readonly from?: number
  readonly to?: number
}

export interface ParseResult {
  readonly tree: SyntaxTree
  /** In the order of their places. */
  readonly diagnostics: readonly SyntaxDiagnostic[]
}

/** Deepest nesting of statements and expressions. Real programs stay below 30; walkers of the tree may recurse. */
const MAX_DEPTH = 200
/** Longest chain of operators, members or indices on one level, since it makes the tree as deep as it is long. */
const MAX_CHAIN = 4000
/** Faults beyond this number are not listed. */
const MAX_DIAGNOSTICS = 200

/**
 * Reads SCL statements, as they stand between BEGIN and the end of a block. Never throws.
 * @param text ignored when `options.tokens` is given
 */
export function parseScl(text: string, options: ParseOptions = {}): ParseResult {
  const tokens = options.tokens ?? lex(text)
  return new Parser(tokens, options.from ?? 0, Math.min(options.to ?? tokens.count - 1, tokens.count - 1)).run()
}

/*
 * Kind of token and keyword in one number: keywords are 64 and up. White space, comments and attributes (`{…}`) lie below FIRST and are
 * passed over.
 */
const FIRST = K.Pragma + 1
const WORD = 64
const codeOf = (keyword: number): number => WORD + keyword
const CODES = WORD + KEYWORDS.length

const T = {
  And: codeOf(Keyword.AND),
  Or: codeOf(Keyword.OR),
  Xor: codeOf(Keyword.XOR),
  Not: codeOf(Keyword.NOT),
  Mod: codeOf(Keyword.MOD),
  Div: codeOf(Keyword.DIV),
  If: codeOf(Keyword.IF),
  Then: codeOf(Keyword.THEN),
  Else: codeOf(Keyword.ELSE),
  Elsif: codeOf(Keyword.ELSIF),
  EndIf: codeOf(Keyword.END_IF),
  Case: codeOf(Keyword.CASE),
  Of: codeOf(Keyword.OF),
  EndCase: codeOf(Keyword.END_CASE),
  For: codeOf(Keyword.FOR),
  To: codeOf(Keyword.TO),
  By: codeOf(Keyword.BY),
  Do: codeOf(Keyword.DO),
  EndFor: codeOf(Keyword.END_FOR),
  While: codeOf(Keyword.WHILE),
  EndWhile: codeOf(Keyword.END_WHILE),
  Repeat: codeOf(Keyword.REPEAT),
  Until: codeOf(Keyword.UNTIL),
  EndRepeat: codeOf(Keyword.END_REPEAT),
  Continue: codeOf(Keyword.CONTINUE),
  Exit: codeOf(Keyword.EXIT),
  Goto: codeOf(Keyword.GOTO),
  Return: codeOf(Keyword.RETURN),
  Region: codeOf(Keyword.REGION),
  EndRegion: codeOf(Keyword.END_REGION),
  True: codeOf(Keyword.TRUE),
  False: codeOf(Keyword.FALSE),
} as const

const UNARY_POWER = 8
/** Binding power of an operator, 0 for everything else. */
const POWER = new Uint8Array(CODES)
const OPERATOR: (BinaryOperator | undefined)[] = new Array(CODES).fill(undefined)
for (const [code, power, operator] of [
  [T.Or, 1, 'OR'],
  [T.Xor, 2, 'XOR'],
  [T.And, 3, 'AND'],
  [K.Ampersand, 3, 'AND'],
  [K.Equal, 4, '='],
  [K.NotEqual, 4, '<>'],
  [K.Less, 5, '<'],
  [K.LessEqual, 5, '<='],
  [K.Greater, 5, '>'],
  [K.GreaterEqual, 5, '>='],
  [K.Plus, 6, '+'],
  [K.Minus, 6, '-'],
  [K.Star, 7, '*'],
  [K.Slash, 7, '/'],
  [T.Mod, 7, 'MOD'],
  [T.Div, 7, 'DIV'],
  [K.Power, 9, '**'],
] as const) {
  POWER[code] = power
  OPERATOR[code] = operator
}

const ASSIGNMENT: (AssignmentOperator | undefined)[] = new Array(CODES).fill(undefined)
for (const [code, operator] of [
  [K.Assign, ':='],
  [K.AddAssign, '+='],
  [K.SubAssign, '-='],
  [K.MulAssign, '*='],
  [K.DivAssign, '/='],
  [K.TryAssign, '?='],
] as const)
  ASSIGNMENT[code] = operator

/** Words that end a list of statements, with the statement they belong to. */
const CLOSES = new Uint8Array(CODES)
for (const [code, opener] of [
  [T.Elsif, T.If],
  [T.Else, T.If],
  [T.EndIf, T.If],
  [T.EndCase, T.Case],
  [T.EndFor, T.For],
  [T.EndWhile, T.While],
  [T.Until, T.Repeat],
  [T.EndRepeat, T.Repeat],
  [T.EndRegion, T.Region],
] as const)
  CLOSES[code] = opener

/** Words that begin a statement: what was before them ends there, even without `;`. */
const OPENS = new Uint8Array(CODES)
for (const code of [T.If, T.Case, T.For, T.While, T.Repeat, T.Continue, T.Exit, T.Goto, T.Return, T.Region])
  OPENS[code] = 1

/** Tokens an expression can begin with. */
const BEGINS = new Uint8Array(CODES)
for (const code of [
  K.Identifier,
  K.LocalName,
  K.QuotedName,
  K.Address,
  K.Integer,
  K.Real,
  K.TypedLiteral,
  K.String,
  K.LeftParen,
  K.Plus,
  K.Minus,
  T.Not,
  T.True,
  T.False,
])
  BEGINS[code] = 1

class Parser {
  readonly #tokens: TokenList
  readonly #kind: Uint8Array
  readonly #keyword: Uint8Array
  readonly #from: number
  readonly #to: number
  /** Current token: its number and its code. */
  #at = 0
  #code: number = K.EndOfFile
  /** Behind the last token that was taken. */
  #end = 0
  #depth = 0
  /** How many statements of each kind are open, by the code of their first word. */
  readonly #open = new Uint16Array(CODES)
  /** Whether the statements being read are those of a CASE branch, not of anything inside it. */
  #inBranch = false
  /** Regions that a CASE label went through: their END_REGION comes later. */
  #looseRegions = 0
  /** Names behind GOTO, in upper case; made when a CASE needs to know. */
  #targets: Set<string> | undefined
  readonly #diagnostics: SyntaxDiagnostic[] = []
  #lastFault = -1

  constructor(tokens: TokenList, from: number, to: number) {
    this.#tokens = tokens
    this.#kind = tokens.kind
    this.#keyword = tokens.keyword
    this.#from = from
    this.#to = to
  }

  run(): ParseResult {
    this.#end = this.#from
    this.#settle(this.#from)
    const statements: Statement[] = []
    // Nothing is open here, so only the end of the text ends the list.
    this.#statements(statements)
    return { tree: { tokens: this.#tokens, statements }, diagnostics: this.#all() }
  }

  // ── Tokens ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Makes the first token at or behind `index` that is no trivia the current one. */
  #settle(index: number): void {
    const kind = this.#kind
    const to = this.#to
    let at = index
    while (at < to && (kind[at] as number) < FIRST) at++
    this.#at = at
    if (at >= to) this.#code = K.EndOfFile
    else {
      const word = this.#keyword[at] as number
      this.#code = word === 0 ? (kind[at] as number) : WORD + word
    }
  }

  #next(): void {
    if (this.#at >= this.#to) return
    this.#end = this.#at + 1
    this.#settle(this.#at + 1)
  }

  /** Code of the token behind `index` that is no trivia. */
  #after(index: number): number {
    let at = index + 1
    while (at < this.#to && (this.#kind[at] as number) < FIRST) at++
    if (at >= this.#to) return K.EndOfFile
    const word = this.#keyword[at] as number
    return word === 0 ? (this.#kind[at] as number) : WORD + word
  }

  #accept(code: number): boolean {
    if (this.#code !== code) return false
    this.#next()
    return true
  }

  /** Takes the token, or reports that it is missing and stays. */
  #expect(code: number, what: string): boolean {
    if (this.#code === code) {
      this.#next()
      return true
    }
    this.#expected(what)
    return false
  }

  /** Whether the current token stands on another line than the one before it. */
  #opensLine(): boolean {
    for (let i = this.#at - 1; i >= this.#from; i--) {
      const kind = this.#kind[i] as number
      if (kind === K.NewLine) return true
      if (kind >= FIRST) return false
    }
    return true
  }

  // ── Faults ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** One fault a place: what follows from the first is not told. */
  #fault(code: SyntaxCode, message: string, start: number, end: number): void {
    if (start === this.#lastFault) return
    this.#lastFault = start
    if (this.#diagnostics.length < MAX_DIAGNOSTICS) this.#diagnostics.push({ code, message, start, end })
    else if (this.#diagnostics.length === MAX_DIAGNOSTICS)
      this.#diagnostics.push({ code: 'scl-too-many-faults', message: 'there are more faults', start, end })
  }

  #faultHere(code: SyntaxCode, message: string): void {
    const { start } = this.#tokens
    this.#fault(code, message, start[this.#at] as number, start[Math.min(this.#at + 1, this.#to)] as number)
  }

  #expected(what: string, code: SyntaxCode = 'scl-expected'): void {
    this.#faultHere(code, `expected ${what}, found ${this.#found()}`)
  }

  #found(): string {
    if (this.#code === K.EndOfFile) return 'the end of the text'
    const text = tokenText(this.#tokens, this.#at)
    return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
  }

  /** Own faults and those of the lexer; where the lexer objected, what the parser says of the same token is dropped. */
  #all(): SyntaxDiagnostic[] {
    const { start, faults } = this.#tokens
    const [from, to] = [start[this.#from] as number, start[this.#to] as number]
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

  // ── Statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Statements up to a word that ends them, a label of the CASE they are in, or the end. */
  #statements(into: Statement[]): void {
    for (;;) {
      const code = this.#code
      if (code === K.EndOfFile) return
      const opener = code < CODES ? (CLOSES[code] as number) : 0
      if (opener !== 0) {
        if (this.#isOpen(code, opener)) return
        this.#strayEnd(code)
        continue
      }
      if (this.#inBranch ? this.#isCaseLabel() : this.#isLiteralCaseLabel()) return
      into.push(this.#statement())
    }
  }

  #isOpen(code: number, opener: number): boolean {
    return (this.#open[opener] as number) > 0 || (code === T.Else && (this.#open[T.Case] as number) > 0)
  }

  #strayEnd(code: number): void {
    if (code === T.EndRegion && this.#looseRegions > 0) this.#looseRegions--
    else {
      const word = KEYWORDS[code - WORD] as string
      const opener = KEYWORDS[(CLOSES[code] as number) - WORD] as string
      this.#faultHere('scl-stray-end', `${word} without ${opener}`)
    }
    this.#next()
    if (code === T.Elsif) this.#skip()
    this.#accept(K.Text)
    this.#accept(K.Semicolon)
  }

  #statement(): Statement {
    const start = this.#at
    const code = this.#code
    if (code >= WORD) {
      if (this.#depth >= MAX_DEPTH) return this.#tooDeep(start)
      this.#depth++
      const statement = this.#keywordStatement(start, code)
      this.#depth--
      return statement
    }
    if (code === K.Semicolon) {
      this.#next()
      return { kind: 'empty', start, end: this.#end }
    }
    if (code === K.Identifier && this.#after(start) === K.Colon) {
      this.#next()
      this.#next()
      return { kind: 'label', start, end: this.#end }
    }
    return this.#simpleStatement(start)
  }

  #keywordStatement(start: number, code: number): Statement {
    switch (code) {
      case T.If:
        return this.#if(start)
      case T.Case:
        return this.#case(start)
      case T.For:
        return this.#for(start)
      case T.While:
        return this.#while(start)
      case T.Repeat:
        return this.#repeat(start)
      case T.Region:
        return this.#region(start)
      case T.Exit:
        this.#next()
        this.#semicolon('EXIT')
        return { kind: 'exit', start, end: this.#end }
      case T.Continue:
        this.#next()
        this.#semicolon('CONTINUE')
        return { kind: 'continue', start, end: this.#end }
      case T.Return:
        this.#next()
        this.#semicolon('RETURN')
        return { kind: 'return', start, end: this.#end }
      case T.Goto:
        return this.#goto(start)
      default:
        return this.#simpleStatement(start)
    }
  }

  /** An assignment or a call. */
  #simpleStatement(start: number): Statement {
    if (BEGINS[this.#code] === 0) {
      this.#expected('a statement', 'scl-not-a-statement')
      this.#skip(true)
      this.#accept(K.Semicolon)
      return { kind: 'faulty', start, end: this.#end, expression: undefined }
    }
    const target = this.#operandOrFault()
    const operator = ASSIGNMENT[this.#code]
    if (operator !== undefined) {
      const value = this.#assigned(target)
      this.#semicolon('the assignment')
      return { kind: 'assignment', start, end: this.#end, operator, target, value }
    }
    if (target.kind === 'call') {
      this.#semicolon('the call')
      return { kind: 'callStatement', start, end: this.#end, call: target }
    }
    if (target.kind !== 'missing')
      this.#expected(
        target.kind === 'literal' ? 'an assignment or a call' : '":=" or "(" behind the operand',
        'scl-not-a-statement',
      )
    this.#skip()
    this.#accept(K.Semicolon)
    return { kind: 'faulty', start, end: this.#end, expression: target }
  }

  /** What stands at the beginning of a statement; only operands are right there. */
  #operandOrFault(): Expression {
    const code = this.#code
    if (code === K.Identifier || code === K.LocalName || code === K.QuotedName || code === K.Address)
      return this.#postfix(this.#primary())
    return this.#expression(1)
  }

  /** Behind the target of an assignment: the operator and what is assigned. */
  #assigned(target: Expression): Expression | Assignment {
    const chain: { target: Expression; operator: AssignmentOperator }[] = []
    let value = target
    for (let operator = ASSIGNMENT[this.#code]; operator !== undefined; operator = ASSIGNMENT[this.#code]) {
      if (chain.length === MAX_CHAIN) {
        this.#tooLong()
        break
      }
      chain.push({ target: value, operator })
      this.#next()
      value = this.#expression(1)
    }
    let result: Expression | Assignment = value
    for (let i = chain.length - 1; i > 0; i--) {
      const link = chain[i] as (typeof chain)[number]
      result = {
        kind: 'assignment',
        start: link.target.start,
        end: this.#end,
        operator: link.operator,
        target: link.target,
        value: result,
      }
    }
    return result
  }

  #goto(start: number): Statement {
    this.#next()
    const label = this.#code === K.Identifier ? this.#at : -1
    if (label === -1) this.#expected('the name of a label behind GOTO')
    else this.#next()
    this.#semicolon('GOTO')
    return { kind: 'goto', start, end: this.#end, label }
  }

  #if(start: number): Statement {
    this.#open[T.If]!++
    const branches: IfBranch[] = []
    let otherwise: Statement[] | undefined
    while (this.#code === T.If || this.#code === T.Elsif) {
      const branchStart = this.#at
      this.#next()
      const condition = this.#expression(1)
      this.#opening(T.Then, 'THEN behind the condition')
      const body = this.#body()
      branches.push({ start: branchStart, end: this.#end, condition, body })
      if (this.#code !== T.Elsif) break
    }
    while (this.#code === T.Else || (this.#code === T.Elsif && otherwise !== undefined)) {
      if (otherwise !== undefined) {
        this.#faultHere('scl-expected', `${KEYWORDS[this.#code - WORD]} behind ELSE: expected END_IF`)
        const isElsif = this.#code === T.Elsif
        this.#next()
        if (isElsif) {
          this.#expression(1)
          this.#accept(T.Then)
        }
      } else this.#next()
      otherwise ??= []
      this.#body(otherwise)
    }
    this.#open[T.If]!--
    this.#close(start, T.EndIf, 'IF')
    return { kind: 'if', start, end: this.#end, branches, otherwise }
  }

  #case(start: number): Statement {
    this.#next()
    this.#open[T.Case]!++
    const selector = this.#expression(1)
    this.#opening(T.Of, 'OF behind the selector')
    const branches: CaseBranch[] = []
    let otherwise: Statement[] | undefined
    const outer = this.#inBranch
    this.#inBranch = true
    while (this.#code !== K.EndOfFile && this.#code !== T.EndCase) {
      if (this.#code === T.Else) {
        if (otherwise !== undefined) this.#faultHere('scl-expected', 'a second ELSE: expected END_CASE')
        this.#next()
        this.#accept(K.Colon)
        otherwise ??= []
        this.#statements(otherwise)
      } else if (this.#code === T.Region) {
        // A region around whole branches: only text for people.
        this.#next()
        this.#accept(K.Text)
        this.#looseRegions++
      } else if (this.#code === T.EndRegion && this.#looseRegions > 0) this.#strayEnd(this.#code)
      else if (BEGINS[this.#code] !== 0 && this.#isCaseLabel()) branches.push(this.#caseBranch())
      else {
        const opener = CLOSES[this.#code] as number
        if (opener !== 0 && this.#isOpen(this.#code, opener)) break
        if (opener !== 0) this.#strayEnd(this.#code)
        else this.#strayStatements()
      }
    }
    this.#inBranch = outer
    this.#open[T.Case]!--
    this.#close(start, T.EndCase, 'CASE')
    return { kind: 'case', start, end: this.#end, selector, branches, otherwise }
  }

  /** Statements before the first label of a CASE. */
  #strayStatements(): void {
    this.#expected('a value and ":", ELSE or END_CASE')
    const before = this.#at
    this.#statements([])
    // Nothing was taken: the token can begin neither a statement nor a branch.
    if (this.#at === before) this.#next()
  }

  #caseBranch(): CaseBranch {
    const start = this.#at
    const labels: (Expression | Range)[] = []
    do {
      const from = this.#expression(1)
      if (this.#code === K.Range) {
        this.#next()
        const to = this.#expression(1)
        labels.push({ kind: 'range', start: from.start, end: this.#end, from, to })
      } else labels.push(from)
    } while (this.#accept(K.Comma))
    this.#expect(K.Colon, '":" behind the values of a branch')
    const body: Statement[] = []
    this.#statements(body)
    return { start, end: this.#end, labels, body }
  }

  /** Inside a CASE branch: whether values and a colon begin here, and not a statement. Looks ahead over one operand at most. */
  #isCaseLabel(): boolean {
    const code = this.#code
    if (code === K.LocalName || code === K.QuotedName || code === K.Identifier) return this.#isNamedCaseLabel()
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

  /** In a statement inside a branch: a number with a colon can only be the next branch; the statement was not closed. */
  #isLiteralCaseLabel(): boolean {
    if (this.#code !== K.Integer || this.#open[T.Case] === 0) return false
    const next = this.#after(this.#at)
    return next === K.Colon || next === K.Range || next === K.Comma
  }

  #isNamedCaseLabel(): boolean {
    let at = this.#at
    let next = this.#after(at)
    let single = true
    while (next === K.Dot) {
      single = false
      at = this.#skipTrivia(this.#skipTrivia(at + 1) + 1)
      next = this.#after(at)
    }
    if (next === K.Comma || next === K.Range) return true
    if (next !== K.Colon) return false
    // `name:` is a jump label when something jumps there, else the value of a constant.
    return !(single && this.#code === K.Identifier && this.#isJumpTarget())
  }

  #skipTrivia(index: number): number {
    let at = index
    while (at < this.#to && (this.#kind[at] as number) < FIRST) at++
    return at
  }

  #isJumpTarget(): boolean {
    if (this.#targets === undefined) {
      this.#targets = new Set()
      for (let i = this.#from; i < this.#to; i++)
        if (this.#keyword[i] === Keyword.GOTO)
          this.#targets.add(tokenText(this.#tokens, Math.min(this.#skipTrivia(i + 1), this.#to)).toUpperCase())
    }
    return this.#targets.has(tokenText(this.#tokens, this.#at).toUpperCase())
  }

  #for(start: number): Statement {
    this.#next()
    this.#open[T.For]!++
    const variable = BEGINS[this.#code] === 1 ? this.#postfix(this.#primary()) : this.#missing()
    this.#opening(K.Assign, '":=" behind the variable of FOR')
    const from = this.#expression(1)
    this.#opening(T.To, 'TO behind the first value')
    const to = this.#expression(1)
    const by = this.#accept(T.By) ? this.#expression(1) : undefined
    this.#opening(T.Do, by === undefined ? 'BY or DO behind the last value' : 'DO behind the step')
    const body = this.#body()
    this.#open[T.For]!--
    this.#close(start, T.EndFor, 'FOR')
    return { kind: 'for', start, end: this.#end, variable, from, to, by, body }
  }

  #while(start: number): Statement {
    this.#next()
    this.#open[T.While]!++
    const condition = this.#expression(1)
    this.#opening(T.Do, 'DO behind the condition')
    const body = this.#body()
    this.#open[T.While]!--
    this.#close(start, T.EndWhile, 'WHILE')
    return { kind: 'while', start, end: this.#end, condition, body }
  }

  #repeat(start: number): Statement {
    this.#next()
    this.#open[T.Repeat]!++
    const body = this.#body()
    let until: Expression
    if (this.#accept(T.Until)) {
      until = this.#expression(1)
      this.#accept(K.Semicolon)
    } else {
      this.#expected('UNTIL')
      until = { kind: 'missing', start: this.#end, end: this.#end }
    }
    this.#open[T.Repeat]!--
    this.#close(start, T.EndRepeat, 'REPEAT')
    return { kind: 'repeat', start, end: this.#end, body, until }
  }

  #region(start: number): Statement {
    this.#next()
    const name = this.#code === K.Text ? this.#at : -1
    this.#accept(K.Text)
    this.#open[T.Region]!++
    const body: Statement[] = []
    // A region in a CASE branch may hold the next label: the branch, and the region with it, ends there.
    this.#statements(body)
    this.#open[T.Region]!--
    if (this.#code === T.EndRegion) {
      this.#next()
      this.#accept(K.Text)
      this.#accept(K.Semicolon)
    } else if (this.#inBranch && this.#code !== K.EndOfFile && CLOSES[this.#code] === 0) this.#looseRegions++
    else this.#unclosed(start, 'REGION', 'END_REGION')
    return { kind: 'region', start, end: this.#end, name, body }
  }

  /** Statements inside a statement. */
  #body(statements: Statement[] = []): Statement[] {
    const outer = this.#inBranch
    this.#inBranch = false
    this.#statements(statements)
    this.#inBranch = outer
    return statements
  }

  /** THEN, OF, DO …: when it is missing, what is left of the line goes with the fault. */
  #opening(code: number, what: string): void {
    if (this.#accept(code)) return
    this.#expected(what)
    if (this.#opensLine() || this.#code === K.EndOfFile) return
    for (let previous = -1; this.#at !== previous && !this.#opensLine(); ) {
      previous = this.#at
      if (this.#accept(code)) return
      if (this.#code === K.Semicolon || CLOSES[this.#code] !== 0 || OPENS[this.#code] !== 0) return
      this.#next()
    }
    this.#accept(code)
  }

  #close(start: number, code: number, word: string): void {
    if (this.#code !== code) {
      this.#unclosed(start, word, KEYWORDS[code - WORD] as string)
      return
    }
    this.#next()
    this.#semicolon(KEYWORDS[code - WORD] as string)
  }

  #unclosed(start: number, word: string, end: string): void {
    const { start: offsets } = this.#tokens
    this.#fault(
      'scl-unclosed',
      `${word} without ${end}: found ${this.#found()} first`,
      offsets[start] as number,
      offsets[start + 1] as number,
    )
  }

  /** The `;` behind a statement. When it is missing and the line ends, the next line is read as a statement of its own. */
  #semicolon(behind: string): void {
    if (this.#code === K.Semicolon) {
      this.#next()
      return
    }
    const place = this.#tokens.start[this.#end] as number
    const atEnd = this.#code === K.EndOfFile || CLOSES[this.#code] !== 0 || OPENS[this.#code] !== 0 || this.#opensLine()
    if (atEnd && this.#lastFault === this.#tokens.start[this.#at]) return
    if (atEnd) this.#fault('scl-missing-semicolon', `expected ";" behind ${behind}`, Math.max(place - 1, 0), place)
    else {
      this.#expected(`";" behind ${behind}`, 'scl-missing-semicolon')
      this.#skip()
      this.#accept(K.Semicolon)
    }
  }

  /** Passes over what cannot be read, up to the end of the statement. At least one token goes when `force` is set. */
  #skip(force = false): void {
    if (force) this.#next()
    for (;;) {
      const code = this.#code
      if (code === K.EndOfFile || code === K.Semicolon || CLOSES[code] !== 0 || OPENS[code] !== 0) return
      if (BEGINS[code] !== 0 && this.#opensLine()) return
      this.#next()
    }
  }

  #tooDeep(start: number): Statement {
    this.#faultHere('scl-too-deep', `nested deeper than ${MAX_DEPTH} levels`)
    this.#skip(true)
    this.#accept(K.Semicolon)
    return { kind: 'faulty', start, end: this.#end, expression: undefined }
  }

  #tooLong(): void {
    this.#faultHere('scl-too-deep', `a chain of more than ${MAX_CHAIN} operators`)
    this.#skip(true)
  }

  // ── Expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** An expression of operators that bind at least as tight as `power`. */
  #expression(power: number): Expression {
    const start = this.#at
    if (this.#depth >= MAX_DEPTH) {
      this.#faultHere('scl-too-deep', `nested deeper than ${MAX_DEPTH} levels`)
      this.#skip(true)
      return { kind: 'missing', start: Math.min(start, this.#end), end: this.#end }
    }
    this.#depth++
    let left = this.#prefix(start)
    for (let length = 0; ; length++) {
      const code = this.#code
      const own = POWER[code] as number
      if (own === 0 || own < power) break
      if (length === MAX_CHAIN) {
        this.#tooLong()
        break
      }
      this.#next()
      const right = this.#expression(own + 1)
      left = {
        kind: 'binary',
        start: left.start,
        end: this.#end,
        operator: OPERATOR[code] as BinaryOperator,
        left,
        right,
      }
    }
    this.#depth--
    return left
  }

  #prefix(start: number): Expression {
    const code = this.#code
    if (code === K.Minus || code === K.Plus || code === T.Not) {
      this.#next()
      const operator: UnaryOperator = code === K.Minus ? '-' : code === K.Plus ? '+' : 'NOT'
      const operand = this.#expression(UNARY_POWER)
      return { kind: 'unary', start, end: this.#end, operator, operand }
    }
    return this.#postfix(this.#primary())
  }

  #primary(): Expression {
    const start = this.#at
    switch (this.#code) {
      case K.LocalName:
      case K.QuotedName:
      case K.Identifier:
        this.#next()
        return { kind: 'name', start, end: this.#end }
      case K.Integer:
      case K.Real:
      case K.TypedLiteral:
      case K.String:
      case T.True:
      case T.False:
        this.#next()
        return { kind: 'literal', start, end: this.#end }
      case K.Address:
        this.#next()
        return { kind: 'address', start, end: this.#end }
      case K.LeftParen: {
        this.#next()
        const inner = this.#expression(1)
        if (!this.#accept(K.RightParen)) {
          this.#expected('")"')
          this.#skipTo(K.RightParen)
        }
        return { kind: 'group', start, end: this.#end, inner }
      }
      default:
        // IEC 61131-3 has the operators as functions too: DIV(20, 4).
        if ((POWER[this.#code] as number) > 0 && this.#code >= WORD && this.#after(start) === K.LeftParen) {
          this.#next()
          return { kind: 'name', start, end: this.#end }
        }
        return this.#missing()
    }
  }

  #missing(): Expression {
    this.#expected('an expression', 'scl-missing-expression')
    return { kind: 'missing', start: this.#end, end: this.#end }
  }

  /** Members, indices, slices, `^`, `:P` and calls behind an operand. */
  #postfix(operand: Expression): Expression {
    let object = operand
    const { start } = operand
    for (let length = 0; ; length++) {
      const code = this.#code
      if (code !== K.Dot && code !== K.LeftBracket && code !== K.LeftParen && code !== K.Caret && code !== K.Periphery)
        return object
      if (operand.kind === 'literal' || operand.kind === 'group' || operand.kind === 'missing') return object
      if (length === MAX_CHAIN) {
        this.#tooLong()
        return object
      }
      switch (code) {
        case K.Dot:
          this.#next()
          object = this.#member(object, start)
          break
        case K.LeftBracket: {
          this.#next()
          const indices = [this.#expression(1)]
          while (this.#accept(K.Comma)) indices.push(this.#expression(1))
          if (!this.#accept(K.RightBracket)) {
            this.#expected('"," or "]" behind the index')
            this.#skipTo(K.RightBracket)
          }
          object = { kind: 'index', start, end: this.#end, object, indices }
          break
        }
        case K.LeftParen:
          object = this.#call(object, start)
          break
        case K.Caret:
          this.#next()
          object = { kind: 'dereference', start, end: this.#end, object }
          break
        default:
          this.#next()
          object = { kind: 'periphery', start, end: this.#end, object }
      }
    }
  }

  #member(object: Expression, start: number): Expression {
    const code = this.#code
    if (code === K.Slice) {
      this.#next()
      return { kind: 'slice', start, end: this.#end, object }
    }
    // Behind a dot the lexer takes every word as a name. Numbers: I0.0, DBX2.3. TIA Portal itself wrote `#app.#member`.
    if (
      code === K.Identifier ||
      code === K.QuotedName ||
      code === K.LocalName ||
      code === K.Integer ||
      code === K.TypedLiteral ||
      code === K.Address
    ) {
      this.#next()
      return { kind: 'member', start, end: this.#end, object }
    }
    this.#expected('the name of a member behind "."')
    return object
  }

  #call(callee: Expression, start: number): Call {
    const pragma = this.#pragmaBefore(this.#at)
    this.#next()
    const list: Argument[] = []
    if (this.#depth >= MAX_DEPTH) {
      this.#faultHere('scl-too-deep', `nested deeper than ${MAX_DEPTH} levels`)
      this.#skip(true)
    } else {
      this.#depth++
      while (this.#code !== K.RightParen) {
        const before = this.#at
        list.push(this.#argument())
        if (this.#accept(K.Comma)) {
          if (this.#code === K.RightParen) this.#expected('an argument behind ","', 'scl-missing-expression')
          continue
        }
        if (this.#code === K.RightParen) break
        this.#expected('"," or ")" behind the argument')
        // A forgotten comma: the next argument stands there.
        if (this.#at !== before && BEGINS[this.#code] !== 0) continue
        this.#skipTo(K.Comma)
        if (this.#tokens.kind[this.#end - 1] !== K.Comma) break
      }
      this.#depth--
    }
    if (!this.#accept(K.RightParen) && this.#code !== K.Semicolon) this.#expected('")" behind the arguments')
    else if (this.#code === K.Semicolon && this.#kind[this.#end - 1] !== K.RightParen)
      this.#expected('")" behind the arguments')
    return { kind: 'call', start, end: this.#end, callee, arguments: list, pragma }
  }

  /** Attributes directly before a token. */
  #pragmaBefore(index: number): number {
    for (let i = index - 1; i >= this.#from && (this.#kind[i] as number) < FIRST; i--)
      if (this.#kind[i] === K.Pragma) return i
    return -1
  }

  #argument(): Argument {
    const start = this.#at
    const code = this.#code
    if (code === K.Identifier || code === K.QuotedName || code >= WORD || code === K.LocalName) {
      const next = this.#after(start)
      if (next === K.Assign || next === K.OutputAssign) {
        this.#next()
        this.#next()
        const value = this.#code === K.Comma || this.#code === K.RightParen ? undefined : this.#expression(1)
        return {
          kind: 'argument',
          start,
          end: this.#end,
          name: start,
          isOutput: next === K.OutputAssign,
          value,
        }
      }
    }
    const value = this.#expression(1)
    return { kind: 'argument', start: value.start, end: this.#end, name: -1, isOutput: false, value }
  }

  /** Passes over what cannot be read up to `code`, which is taken; stops at the end of the statement. */
  #skipTo(code: number): void {
    for (;;) {
      if (this.#code === code) {
        this.#next()
        return
      }
      const here = this.#code
      if (here === K.EndOfFile || here === K.Semicolon || CLOSES[here] !== 0 || OPENS[here] !== 0) return
      // The bracket around what is skipped belongs to someone else.
      if (here === K.RightParen || here === K.RightBracket) return
      if (BEGINS[here] !== 0 && this.#opensLine()) return
      this.#next()
    }
  }
}
