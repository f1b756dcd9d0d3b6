/**
 * Parses expressions of SCL by binding power.
 *
 * Operator priorities: S7-1200 manual, table "Operators in SCL" (docs/plc-semantics.md#operators): `=` and `<>` bind
 * looser than `<` and `>`, `**` binds tighter than a sign, operators of one level go from left to right.
 */
import type { Argument, BinaryOperator, Call, Expression, UnaryOperator } from './syntax.ts'
import {
  beginsExpression,
  binaryOperators,
  bindingPowers,
  closedStatements,
  firstCode,
  firstWordCode,
  opensStatement,
  T,
  unaryPower,
} from './token-codes.ts'
import { TokenReader } from './token-reader.ts'
import { TokenKind, tokenText } from './tokens.ts'

const K = TokenKind

/** Deepest nesting of statements and expressions. Real programs stay below 30; walkers of the tree may recurse. */
export const maxDepth = 200
/**
 * Highest tree of one expression: a chain of operators or members makes a tree as high as the chain is long, and every
 * walker of it, down to the code generator, takes a part of the stack for each level (`test/depth.int.test.ts`).
 */
export const maxChain = 500

/** Operators of other languages. */
const foreignOperators: Readonly<
  Record<string, { readonly text: string; readonly right: string; readonly code: number }>
> = {
  '==': { text: '==', right: '=', code: K.Equal },
  '!=': { text: '!=', right: '<>', code: K.NotEqual },
  '&&': { text: '&&', right: 'AND', code: K.Ampersand },
  '||': { text: '||', right: 'OR', code: T.Or },
}

export class ExpressionParser extends TokenReader {
  protected depth = 0
  /** Height of the expression that was read last. */
  private height = 0

  /** Parses an expression of operators that bind at least as tightly as `power`. */
  protected expression(power: number): Expression {
    const start = this.at
    if (this.depth >= maxDepth) {
      this.faultHere('scl-too-deep', `nested deeper than ${maxDepth} levels`)
      this.skip(true)
      this.height = 1
      return { kind: 'missing', start: Math.min(start, this.end), end: this.end }
    }
    this.depth++
    let left = this.prefix(start)
    let height = this.height
    for (;;) {
      const code = this.operatorHere()
      const own = bindingPowers[code] as number
      if (own === 0 || own < power) break
      if (height > maxChain) {
        this.tooLong()
        break
      }
      this.next()
      const right = this.expression(own + 1)
      height = Math.max(height, this.height) + 1
      left = {
        kind: 'binary',
        start: left.start,
        end: this.end,
        operator: binaryOperators[code] as BinaryOperator,
        left,
        right,
      }
    }
    this.depth--
    this.height = height
    return left
  }

  /** The operator at the current token. One of another language is reported and read with its meaning there. */
  private operatorHere(): number {
    const { code } = this
    if (code !== K.Equal && code !== K.Ampersand && code !== K.Unknown) return code
    const offset = this.tokens.start[this.at] as number
    const meant = foreignOperators[this.tokens.text.slice(offset, offset + 2)]
    if (!meant) return code
    this.fault(
      'scl-token',
      `${JSON.stringify(meant.text)} is no operator here: write ${meant.right}`,
      offset,
      offset + 2,
    )
    // The second of its characters is a separate token.
    this.next()
    return meant.code
  }

  /** `!x` of other languages is reported and read as NOT. */
  private isForeignNot(): boolean {
    if (this.code !== K.Unknown) return false
    const offset = this.tokens.start[this.at] as number
    if (this.tokens.text[offset] !== '!') return false
    this.fault('scl-token', '"!" is no operator here: write NOT', offset, offset + 1)
    return true
  }

  protected prefix(start: number): Expression {
    const code = this.isForeignNot() ? T.Not : this.code
    if (code === K.Minus || code === K.Plus || code === T.Not) {
      this.next()
      const operator: UnaryOperator = code === K.Minus ? '-' : code === K.Plus ? '+' : 'NOT'
      const operand = this.expression(unaryPower)
      this.height++
      return { kind: 'unary', start, end: this.end, operator, operand }
    }
    return this.postfix(this.primary())
  }

  protected primary(): Expression {
    const start = this.at
    this.height = 1
    switch (this.code) {
      case K.LocalName:
      case K.QuotedName:
      case K.Identifier:
        this.next()
        return { kind: 'name', start, end: this.end }
      case K.Integer:
      case K.Real:
      case K.TypedLiteral:
      case K.String:
      case T.True:
      case T.False:
        this.next()
        if (this.readForeignLiteral(start)) return { kind: 'missing', start, end: this.end }
        return { kind: 'literal', start, end: this.end }
      case K.Address:
        this.next()
        return { kind: 'address', start, end: this.end }
      case K.LeftParen: {
        this.next()
        const inner = this.expression(1)
        this.height++
        if (!this.accept(K.RightParen)) {
          this.expected('")"')
          this.skipTo(K.RightParen)
        }
        return { kind: 'group', start, end: this.end, inner }
      }
      default:
        // IEC 61131-3 has the operators as functions too: DIV(20, 4).
        if (
          (bindingPowers[this.code] as number) > 0 &&
          this.code >= firstWordCode &&
          this.after(start) === K.LeftParen
        ) {
          this.next()
          return { kind: 'name', start, end: this.end }
        }
        return this.missing()
    }
  }

  /** `5s` and `0xFF` are reported as what they are meant to be. */
  protected readForeignLiteral(start: number): boolean {
    // Directly behind the number.
    if (this.code !== K.Identifier || this.at !== start + 1) return false
    const [number, rest] = [tokenText(this.tokens, start), tokenText(this.tokens, this.at)]
    const right = /^(?:ms|s|m|h|d)$/i.test(rest)
      ? `a duration is written T#${number}${rest}`
      : number === '0' && /^x[0-9a-f]+$/i.test(rest)
        ? `hexadecimal numbers are written 16#${rest.slice(1)}`
        : undefined
    if (right === undefined) return false
    this.faultHere('scl-token', `${number}${rest} is no number: ${right}`)
    this.next()
    return true
  }

  /** Whether an operand follows `^`, which then is meant as a power. */
  protected isPower(): boolean {
    const code = this.code
    return (code === K.Integer || code === K.Real || code === K.LocalName || code === K.QuotedName) && !this.opensLine()
  }

  protected power(left: Expression, start: number): Expression {
    const { start: offsets } = this.tokens
    const caret = offsets[this.end - 1] as number
    this.fault('scl-token', '"^" is no operator here: a power is written **', caret, caret + 1)
    const right = this.postfix(this.primary())
    return { kind: 'binary', start, end: this.end, operator: '**', left, right }
  }

  protected missing(): Expression {
    this.expected('an expression', 'scl-missing-expression')
    return { kind: 'missing', start: this.end, end: this.end }
  }

  /** Parses members, indices, slices, `^`, `:P` and calls after an operand. */
  protected postfix(operand: Expression): Expression {
    if (operand.kind === 'literal' || operand.kind === 'group' || operand.kind === 'missing') return operand
    let object: Expression = operand
    const { start } = operand
    for (let height = this.height; ; height = Math.max(height, this.height) + 1) {
      this.height = height
      const code = this.code
      if (code !== K.Dot && code !== K.LeftBracket && code !== K.LeftParen && code !== K.Caret && code !== K.Periphery)
        return object
      if (height > maxChain) {
        this.tooLong()
        return object
      }
      switch (code) {
        case K.Dot:
          this.next()
          object = this.member(object, start)
          break
        case K.LeftBracket: {
          this.next()
          const indices = [this.expression(1)]
          let highest = this.height
          while (this.accept(K.Comma)) {
            indices.push(this.expression(1))
            highest = Math.max(highest, this.height)
          }
          this.height = highest
          if (!this.accept(K.RightBracket)) {
            this.expected('"," or "]" behind the index')
            this.skipTo(K.RightBracket)
          }
          object = { kind: 'index', start, end: this.end, object, indices }
          break
        }
        case K.LeftParen:
          object = this.call(object, start)
          break
        case K.Caret:
          this.next()
          if (this.isPower()) return this.power(object, start)
          object = { kind: 'dereference', start, end: this.end, object }
          break
        default:
          this.next()
          object = { kind: 'periphery', start, end: this.end, object }
      }
    }
  }

  protected member(object: Expression, start: number): Expression {
    const code = this.code
    if (code === K.Slice) {
      this.next()
      return { kind: 'slice', start, end: this.end, object }
    }
    // After a dot the lexer reads every word as a name. Numbers: I0.0, DBX2.3. TIA Portal itself wrote `#app.#member`.
    if (
      code === K.Identifier ||
      code === K.QuotedName ||
      code === K.LocalName ||
      code === K.Integer ||
      code === K.TypedLiteral ||
      code === K.Address
    ) {
      this.next()
      return { kind: 'member', start, end: this.end, object }
    }
    this.expected('the name of a member behind "."')
    return object
  }

  protected call(callee: Expression, start: number): Call {
    const pragma = this.pragmaBefore(this.at)
    this.next()
    const list: Argument[] = []
    let highest = 1
    if (this.depth >= maxDepth) {
      this.faultHere('scl-too-deep', `nested deeper than ${maxDepth} levels`)
      this.skip(true)
    } else {
      this.depth++
      while (this.code !== K.RightParen) {
        const before = this.at
        list.push(this.argument())
        highest = Math.max(highest, this.height)
        if (this.accept(K.Comma)) {
          if (this.code === K.RightParen) this.expected('an argument behind ","', 'scl-missing-expression')
          continue
        }
        if (this.code === K.RightParen) break
        this.expected('"," or ")" behind the argument')
        // A missing comma: the next argument follows directly.
        const next = this.after(this.at)
        const isArgument = next === K.Assign || next === K.OutputAssign || list.at(-1)?.name === -1
        if (this.at !== before && beginsExpression[this.code] !== 0 && isArgument) continue
        this.skipTo(K.Comma)
        // A bracket that closes something else ends the list: nothing was skipped.
        if (this.at === before || this.tokens.kind[this.end - 1] !== K.Comma) break
      }
      this.depth--
    }
    if (!this.accept(K.RightParen) && this.code !== K.Semicolon) this.expected('")" behind the arguments')
    else if (this.code === K.Semicolon && this.kind[this.end - 1] !== K.RightParen)
      this.expected('")" behind the arguments')
    this.height = highest
    return { kind: 'call', start, end: this.end, callee, arguments: list, pragma }
  }

  /** Attributes directly before a token. */
  protected pragmaBefore(index: number): number {
    for (let i = index - 1; i >= this.from && (this.kind[i] as number) < firstCode; i--)
      if (this.kind[i] === K.Pragma) return i
    return -1
  }

  protected argument(): Argument {
    const start = this.at
    const code = this.code
    if (code === K.Identifier || code === K.QuotedName || code >= firstWordCode || code === K.LocalName) {
      const next = this.after(start)
      if (next === K.Assign || next === K.OutputAssign) {
        this.next()
        this.next()
        const value = this.code === K.Comma || this.code === K.RightParen ? undefined : this.expression(1)
        return {
          kind: 'argument',
          start,
          end: this.end,
          name: start,
          isOutput: next === K.OutputAssign,
          value,
        }
      }
    }
    const value = this.expression(1)
    return { kind: 'argument', start: value.start, end: this.end, name: -1, isOutput: false, value }
  }

  /** Skips what cannot be parsed up to `code`, which is consumed; stops at the end of the statement. */
  protected skipTo(code: number): void {
    for (;;) {
      if (this.code === code) {
        this.next()
        return
      }
      const here = this.code
      if (here === K.EndOfFile || here === K.Semicolon || closedStatements[here] !== 0 || opensStatement[here] !== 0)
        return
      // This bracket belongs to an enclosing construct.
      if (here === K.RightParen || here === K.RightBracket) return
      if (beginsExpression[here] !== 0 && this.opensLine()) return
      this.next()
    }
  }

  protected tooLong(): void {
    this.faultHere('scl-too-deep', `a chain of more than ${maxChain} operators`)
    this.skip(true)
  }
}
