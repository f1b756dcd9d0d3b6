/**
 * Parser of SCL statements: recursive descent over the token list, operators by binding power. It always returns a
 * tree; a fault is reported with its place and parsing continues after it. Linear in the number of tokens.
 */

import { keywordTexts } from '../../model/keywords.ts'
import { maxChain, maxDepth } from './expression-parser.ts'
import { lex } from './lexer.ts'
import { keyword, StatementWords } from './statement-words.ts'
import type {
  Assignment,
  AssignmentOperator,
  CaseBranch,
  Expression,
  IfBranch,
  Range,
  Statement,
  SyntaxDiagnostic,
  SyntaxTree,
} from './syntax.ts'
import {
  assignmentOperators,
  beginsExpression,
  closedStatements,
  codeCount,
  firstWordCode,
  opensStatement,
  T,
} from './token-codes.ts'
import { TokenKind, type TokenList, tokenText } from './tokens.ts'

const K = TokenKind
/** What follows the name of a member at the beginning of a statement, beside assignments. */
const inOperand: ReadonlySet<number> = new Set([K.LeftParen, K.LeftBracket, K.Dot, K.Caret, K.Equal, K.Plus, K.Minus])

export interface ParseOptions {
  /** Tokens of the text, if it was already split. */
  readonly tokens?: TokenList
  /** First token, and the one after the last; default: all. */
  readonly from?: number
  readonly to?: number
}

export interface ParseResult {
  readonly tree: SyntaxTree
  /** In the order of their places. */
  readonly diagnostics: readonly SyntaxDiagnostic[]
}

/**
 * Parses SCL statements, as found between BEGIN and the end of a block. Never throws.
 * @param text ignored when `options.tokens` is given
 */
export function parseScl(text: string, options: ParseOptions = {}): ParseResult {
  const tokens = options.tokens ?? lex(text)
  return new StatementParser(
    tokens,
    options.from ?? 0,
    Math.min(options.to ?? tokens.count - 1, tokens.count - 1),
  ).run()
}

class StatementParser extends StatementWords {
  /** Regions that contain a CASE label: their END_REGION comes later. */
  private looseRegions = 0

  run(): ParseResult {
    const statements: Statement[] = []
    // Nothing is open here, so only the end of the text ends the list.
    this.statements(statements)
    return { tree: { tokens: this.tokens, statements }, diagnostics: this.all() }
  }

  /** Parses statements up to a word that ends them, a label of the enclosing CASE, or the end. */
  private statements(into: Statement[]): void {
    for (;;) {
      if (this.code === K.Identifier) this.readForeignWord()
      const code = this.code
      if (code === K.EndOfFile) return
      const opener = code < codeCount ? (closedStatements[code] as number) : 0
      if (opener !== 0) {
        if (this.isMistakenEnd(code, opener) || this.isOpen(code, opener)) return
        this.strayEnd(code)
        continue
      }
      if (this.inBranch ? this.isCaseLabel() : this.isLiteralCaseLabel()) return
      into.push(this.statement())
    }
  }

  private strayEnd(code: number): void {
    if (code === T.EndRegion && this.looseRegions > 0) this.looseRegions--
    else {
      const word = keywordTexts[code - firstWordCode] as string
      const opener = keywordTexts[(closedStatements[code] as number) - firstWordCode] as string
      this.faultHere('scl-stray-end', `${word} without ${opener}`)
    }
    this.next()
    if (code === T.Elsif) this.skip()
    this.accept(K.Text)
    this.accept(K.Semicolon)
  }

  private statement(): Statement {
    const start = this.at
    const code = this.code
    if (code >= firstWordCode) {
      if (this.depth >= maxDepth) return this.tooDeep(start)
      this.depth++
      const statement = this.keywordStatement(start, code)
      this.depth--
      return statement
    }
    if (code === K.Semicolon) {
      this.next()
      return { kind: 'empty', start, end: this.end }
    }
    if (code === K.Identifier && this.after(start) === K.Colon) {
      this.next()
      this.next()
      return { kind: 'label', start, end: this.end }
    }
    return this.simpleStatement(start)
  }

  private keywordStatement(start: number, code: number): Statement {
    switch (code) {
      case T.If:
        return this.if(start)
      case T.Case:
        return this.case(start)
      case T.For:
        return this.for(start)
      case T.While:
        return this.while(start)
      case T.Repeat:
        return this.repeat(start)
      case T.Region:
        return this.region(start)
      case T.Exit:
        this.next()
        this.semicolon('EXIT')
        return { kind: 'exit', start, end: this.end }
      case T.Continue:
        this.next()
        this.semicolon('CONTINUE')
        return { kind: 'continue', start, end: this.end }
      case T.Return:
        this.next()
        if (beginsExpression[this.code] !== 0 && !this.opensLine()) {
          this.faultHere('scl-expected', 'RETURN takes no value: assign it to the name of the function before')
          this.skip()
          this.accept(K.Semicolon)
        } else this.semicolon('RETURN')
        return { kind: 'return', start, end: this.end }
      case T.Goto:
        return this.goto(start)
      default:
        return this.simpleStatement(start)
    }
  }

  /** An assignment or a call. */
  private simpleStatement(start: number): Statement {
    if (this.skipDeclarations()) return { kind: 'faulty', start, end: this.end, expression: undefined }
    if (beginsExpression[this.code] === 0) {
      this.expected('a statement', 'scl-not-a-statement')
      this.skip(true)
      this.accept(K.Semicolon)
      return { kind: 'faulty', start, end: this.end, expression: undefined }
    }
    if (this.isHashedRegion()) {
      this.faultHere('scl-not-a-statement', 'REGION and END_REGION are written without "#"')
      do this.next()
      while (this.code !== K.EndOfFile && !this.opensLine())
      return { kind: 'faulty', start, end: this.end, expression: undefined }
    }
    const meant = this.misspelt()
    if (meant !== undefined) {
      const name = tokenText(this.tokens, start)
      this.faultHere('scl-not-a-statement', `${name} begins no statement: did you mean ${keyword(meant)}?`)
      return this.keywordStatement(start, meant)
    }
    const target = this.operandOrFault()
    const operator = assignmentOperators[this.code] ?? this.foreignAssignment(target)
    if (operator !== undefined) {
      const value = this.assigned(target, operator)
      this.semicolon('the assignment')
      return { kind: 'assignment', start, end: this.end, operator, target, value }
    }
    if (target.kind === 'call') {
      this.semicolon('the call')
      return { kind: 'callStatement', start, end: this.end, call: target }
    }
    const sign = tokenText(this.tokens, this.at)
    if ((this.code === K.Plus || this.code === K.Minus) && this.after(this.at) === this.code)
      this.faultHere('scl-not-a-statement', `"${sign}${sign}" is no operator here: write ${sign}= 1`)
    else if (target.kind !== 'missing')
      this.expected(
        target.kind === 'literal' ? 'an assignment or a call' : '":=" or "(" behind the operand',
        'scl-not-a-statement',
      )
    this.skip()
    this.accept(K.Semicolon)
    return { kind: 'faulty', start, end: this.end, expression: target }
  }

  /** `#region Motor`, `#END_REGION`: as other languages write it. A member can have the name. */
  private isHashedRegion(): boolean {
    if (this.code !== K.LocalName || !/^#(END_?)?REGION$/i.test(tokenText(this.tokens, this.at))) return false
    const following = this.after(this.at)
    return assignmentOperators[following] === undefined && !inOperand.has(following)
  }

  /** `x = 1;` where an assignment is meant is reported and read as an assignment. */
  private foreignAssignment(target: Expression): AssignmentOperator | undefined {
    if (this.code !== K.Equal || target.kind === 'literal' || target.kind === 'call' || target.kind === 'missing')
      return undefined
    this.expected('":=" behind the operand', 'scl-not-a-statement')
    return ':='
  }

  /** Parses the beginning of a statement; only operands are valid there. */
  private operandOrFault(): Expression {
    const code = this.code
    if (code === K.Identifier || code === K.LocalName || code === K.QuotedName || code === K.Address)
      return this.postfix(this.primary())
    return this.expression(1)
  }

  /** Parses what follows the target of an assignment: the operator and the value. */
  private assigned(target: Expression, first: AssignmentOperator): Expression | Assignment {
    const chain: { target: Expression; operator: AssignmentOperator }[] = []
    let value = target
    for (
      let operator: AssignmentOperator | undefined = first;
      operator !== undefined;
      operator = assignmentOperators[this.code]
    ) {
      if (chain.length === maxChain) {
        this.tooLong()
        break
      }
      chain.push({ target: value, operator })
      this.next()
      value = this.expression(1)
    }
    let result: Expression | Assignment = value
    for (let i = chain.length - 1; i > 0; i--) {
      const link = chain[i] as (typeof chain)[number]
      result = {
        kind: 'assignment',
        start: link.target.start,
        end: this.end,
        operator: link.operator,
        target: link.target,
        value: result,
      }
    }
    return result
  }

  private goto(start: number): Statement {
    this.next()
    const label = this.code === K.Identifier ? this.at : -1
    if (label === -1) this.expected('the name of a label behind GOTO')
    else this.next()
    this.semicolon('GOTO')
    return { kind: 'goto', start, end: this.end, label }
  }

  private if(start: number): Statement {
    this.enter(T.If)
    const branches: IfBranch[] = []
    let otherwise: Statement[] | undefined
    let isElseIf = false
    while (branches.length === 0 || this.code === T.Elsif) {
      const branchStart = this.at
      this.next()
      const condition = this.condition()
      if (!this.opening(T.Then, 'THEN behind the condition')) {
        branches.push({ start: branchStart, end: this.end, condition, body: [] })
        while (this.accept(T.Else));
        this.leave(T.If)
        return { kind: 'if', start, end: this.end, branches, otherwise }
      }
      const body = this.body()
      branches.push({ start: branchStart, end: this.end, condition, body })
      if (this.code !== T.Elsif) break
    }
    while (this.code === T.Else || (this.code === T.Elsif && otherwise !== undefined)) {
      if (otherwise !== undefined) {
        this.faultHere('scl-expected', `${keywordTexts[this.code - firstWordCode]} behind ELSE: expected END_IF`)
        const isElsif = this.code === T.Elsif
        this.next()
        if (isElsif) {
          this.expression(1)
          this.accept(T.Then)
        }
      } else {
        this.next()
        isElseIf = this.code === T.If && !this.opensLine()
      }
      otherwise ??= []
      this.body(otherwise)
    }
    this.leave(T.If)
    this.close(
      start,
      T.EndIf,
      'IF',
      isElseIf ? '; ELSE IF begins an IF of its own, write ELSIF to go on with this one' : '',
    )
    return { kind: 'if', start, end: this.end, branches, otherwise }
  }

  private case(start: number): Statement {
    this.next()
    this.enter(T.Case)
    const selector = this.expression(1)
    this.opening(T.Of, 'OF behind the selector')
    const branches: CaseBranch[] = []
    let otherwise: Statement[] | undefined
    const outer = this.inBranch
    this.inBranch = true
    while (this.code !== K.EndOfFile && this.code !== T.EndCase) {
      if (this.code === T.Else) {
        if (otherwise !== undefined) this.faultHere('scl-expected', 'a second ELSE: expected END_CASE')
        this.next()
        this.accept(K.Colon)
        otherwise ??= []
        this.statements(otherwise)
      } else if (this.code === T.Region) {
        // A region around whole branches: its name is only text for people.
        this.next()
        this.accept(K.Text)
        this.looseRegions++
      } else if (this.code === T.EndRegion && this.looseRegions > 0) this.strayEnd(this.code)
      else if (beginsExpression[this.code] !== 0 && this.isCaseLabel()) branches.push(this.caseBranch())
      else {
        const opener = closedStatements[this.code] as number
        if (opener !== 0 && (this.isMistakenEnd(this.code, opener) || this.isOpen(this.code, opener))) break
        if (opener !== 0) this.strayEnd(this.code)
        else this.strayStatements()
      }
    }
    this.inBranch = outer
    this.leave(T.Case)
    this.close(start, T.EndCase, 'CASE')
    return { kind: 'case', start, end: this.end, selector, branches, otherwise }
  }

  /** Parses statements before the first label of a CASE. */
  private strayStatements(): void {
    this.expected('a value and ":", ELSE or END_CASE')
    const before = this.at
    this.statements([])
    // Nothing was consumed: the token can begin neither a statement nor a branch.
    if (this.at === before) this.next()
  }

  private caseBranch(): CaseBranch {
    const start = this.at
    const labels: (Expression | Range)[] = []
    do {
      const from = this.expression(1)
      if (this.code === K.Range) {
        this.next()
        const to = this.expression(1)
        labels.push({ kind: 'range', start: from.start, end: this.end, from, to })
      } else labels.push(from)
    } while (this.accept(K.Comma))
    this.expect(K.Colon, '":" behind the values of a branch')
    const body: Statement[] = []
    this.statements(body)
    return { start, end: this.end, labels, body }
  }

  private for(start: number): Statement {
    this.next()
    this.enter(T.For)
    const variable = beginsExpression[this.code] === 1 ? this.postfix(this.primary()) : this.missing()
    this.expect(K.Assign, '":=" behind the variable of FOR')
    const from = this.expression(1)
    this.expect(T.To, 'TO behind the first value')
    const to = this.expression(1)
    const by = this.accept(T.By) ? this.expression(1) : undefined
    const isOpened = this.opening(T.Do, by === undefined ? 'BY or DO behind the last value' : 'DO behind the step')
    const body = isOpened ? this.body() : []
    this.leave(T.For)
    if (!isOpened) return { kind: 'for', start, end: this.end, variable, from, to, by, body }
    this.close(start, T.EndFor, 'FOR')
    return { kind: 'for', start, end: this.end, variable, from, to, by, body }
  }

  private while(start: number): Statement {
    this.next()
    this.enter(T.While)
    const condition = this.condition()
    const isOpened = this.opening(T.Do, 'DO behind the condition')
    const body = isOpened ? this.body() : []
    this.leave(T.While)
    if (!isOpened) return { kind: 'while', start, end: this.end, condition, body }
    this.close(start, T.EndWhile, 'WHILE')
    return { kind: 'while', start, end: this.end, condition, body }
  }

  private repeat(start: number): Statement {
    this.next()
    this.enter(T.Repeat)
    const body = this.body()
    let until: Expression
    if (this.accept(T.Until)) {
      until = this.condition()
      this.accept(K.Semicolon)
    } else {
      this.expected('UNTIL')
      until = { kind: 'missing', start: this.end, end: this.end }
    }
    this.leave(T.Repeat)
    this.close(start, T.EndRepeat, 'REPEAT')
    return { kind: 'repeat', start, end: this.end, body, until }
  }

  private region(start: number): Statement {
    this.next()
    const name = this.code === K.Text ? this.at : -1
    this.accept(K.Text)
    this.enter(T.Region)
    const body: Statement[] = []
    // A region in a CASE branch may contain the next label: the branch, and the region with it, ends there.
    this.statements(body)
    this.leave(T.Region)
    if (this.code === T.EndRegion) {
      this.next()
      this.accept(K.Text)
      this.accept(K.Semicolon)
    } else if (this.inBranch && this.code !== K.EndOfFile && closedStatements[this.code] === 0) this.looseRegions++
    else this.unclosed(start, 'REGION', 'END_REGION')
    return { kind: 'region', start, end: this.end, name, body }
  }

  /** Statements inside a statement. */
  private body(statements: Statement[] = []): Statement[] {
    const outer = this.inBranch
    this.inBranch = false
    this.statements(statements)
    this.inBranch = outer
    return statements
  }

  private close(start: number, code: number, word: string, hint = ''): void {
    if (this.code !== code && this.at !== this.mistakenEnd) {
      this.unclosed(start, word, keywordTexts[code - firstWordCode] as string, hint)
      return
    }
    if (this.code === code) this.noteEnd(start)
    this.next()
    this.semicolon(keywordTexts[code - firstWordCode] as string)
  }

  private unclosed(start: number, word: string, end: string, hint = ''): void {
    const { start: offsets } = this.tokens
    const inner = this.takenEndIn(start)
    if (inner !== undefined) {
      const message = `${inner.word} without an end of its own: the ${inner.end} in line ${inner.line} closes it, but stands below the ${word} around it`
      this.fault('scl-unclosed', message, offsets[inner.start] as number, offsets[inner.start + 1] as number)
      return
    }
    this.fault(
      'scl-unclosed',
      `${word} without ${end}: found ${this.found()} first${hint}`,
      offsets[start] as number,
      offsets[start + 1] as number,
    )
  }

  /**
   * The `;` after a statement. When it is missing and the line ends, the next line is parsed as a statement of its own.
   */
  private semicolon(behind: string): void {
    if (this.code === K.Semicolon) {
      this.next()
      return
    }
    const place = this.tokens.start[this.end] as number
    const atEnd =
      this.code === K.EndOfFile ||
      closedStatements[this.code] !== 0 ||
      opensStatement[this.code] !== 0 ||
      this.opensLine()
    if (atEnd && this.lastFault === this.tokens.start[this.at]) return
    if (atEnd) this.fault('scl-missing-semicolon', `expected ";" behind ${behind}`, Math.max(place - 1, 0), place)
    else {
      const isDecimal =
        this.code === K.Comma && this.kind[this.at - 1] === K.Integer && this.kind[this.at + 1] === K.Integer
      this.expected(
        isDecimal ? 'a decimal point: numbers have no comma' : `";" behind ${behind}`,
        'scl-missing-semicolon',
      )
      this.skip()
      this.accept(K.Semicolon)
    }
  }

  private tooDeep(start: number): Statement {
    this.faultHere('scl-too-deep', `nested deeper than ${maxDepth} levels`)
    this.skip(true)
    this.accept(K.Semicolon)
    return { kind: 'faulty', start, end: this.end, expression: undefined }
  }
}
