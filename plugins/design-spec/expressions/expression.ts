/**
 * Parser of entry actions and conditions: a Pratt parser over the tokens of lexer.ts.
 *
 * Priorities are those of SCL (S7-1200/S7-1500 programming manual, "Operators"): parentheses, unary + - NOT, * / MOD, +
 * -, < <= > >=, = <>, AND &, XOR, OR; equal priority from left to right. NOT binds more tightly than a comparison, and
 * `=` less tightly than `<`.
 */

import type { Literal } from '../../../plc/model/literal.ts'
import { type ExpressionFault, OPERATORS, type Token, tokenize } from './lexer.ts'

/** Operators with two operands. */
export type BinaryOperator = '*' | '/' | 'MOD' | '+' | '-' | '<' | '<=' | '>' | '>=' | '=' | '<>' | 'AND' | 'XOR' | 'OR'

/** `<CmType>.<Variable>` as written, or the name of a parameter, whose `cmType` is empty. */
export interface VariableNode {
  readonly kind: 'variable'
  readonly cmType: string
  readonly variable: string
  readonly at: number
  /** Place of the variable; of a parameter: what follows its name, where a "." may be missing. */
  readonly variableAt: number
}

/** A parsed expression. `at` is the offset of its first character, or of its operator when it has two operands. */
export type Expression =
  | VariableNode
  | { readonly kind: 'bool'; readonly value: boolean; readonly at: number }
  | { readonly kind: 'literal'; readonly literal: Literal; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: 'NOT' | '+' | '-'; readonly operand: Expression; readonly at: number }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: Expression
      readonly right: Expression
      readonly at: number
    }

/** `<CmType>.<Variable> := <value>` */
export interface Assignment {
  readonly target: VariableNode
  readonly value: Expression
  readonly at: number
}

/** Maximum length of an expression, in characters. */
export const EXPRESSION_LENGTH = 8192
/** Maximum nesting depth of parentheses and signs. */
const EXPRESSION_DEPTH = 64

const BINDING: Readonly<Record<BinaryOperator, number>> = {
  OR: 1,
  XOR: 2,
  AND: 3,
  '=': 4,
  '<>': 4,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  MOD: 7,
}
const UNARY_BINDING = 8

/**
 * Thrown to leave the parser at the first syntax fault, because the rest cannot be checked. One object is reused:
 * creating the stack of a new one costs more than the parsing. The parser keeps the fault.
 */
const SYNTAX_STOP = new Error('syntax fault')

/** Parses a condition. An empty text is a fault. */
export function parseCondition(text: string): { expression: Expression } | { fault: ExpressionFault } {
  return run(text, (parser) => {
    const expression = parser.expression(0)
    parser.expectEnd()
    return { expression }
  })
}

/** Parses an entry action: any number of assignments separated by `;`. */
export function parseActions(text: string): { actions: Assignment[] } | { fault: ExpressionFault } {
  return run(text, (parser) => {
    const actions: Assignment[] = []
    while (!parser.atEnd()) {
      if (parser.take(';')) continue
      actions.push(parser.assignment())
      if (!parser.atEnd() && !parser.take(';')) parser.expectEnd()
    }
    return { actions }
  })
}

function run<T>(text: string, parse: (parser: Parser) => T): T | { fault: ExpressionFault } {
  if (text.length > EXPRESSION_LENGTH)
    return { fault: tooLong(0, `The expression has ${text.length} characters.`, `${EXPRESSION_LENGTH} characters`) }
  const source = unwrapped(text)
  const lexed = tokenize(source)
  if ('fault' in lexed) return lexed
  const parser = new Parser(source, lexed.tokens)
  try {
    return parse(parser)
  } catch (error) {
    if (error === SYNTAX_STOP && parser.fault !== undefined) return { fault: parser.fault }
    throw error
  }
}

/**
 * A spreadsheet quotes a cell again that was typed with quotes, so `"Valve.Open=TRUE"` may arrive with its quotes. An
 * expression in one pair of double quotes has no other meaning. Blanks replace the quotes, so positions stay correct.
 */
function unwrapped(text: string): string {
  const match = /^(\s*)"([^"]*)"(\s*)$/.exec(text)
  return match === null ? text : `${match[1]} ${match[2]} ${match[3]}`
}

function tooLong(at: number, message: string, allowed: string): ExpressionFault {
  return { code: 'expression_too_long', at, value: '', message, allowed: `at most ${allowed}` }
}

class Parser {
  /** Set before SYNTAX_STOP is thrown. */
  fault: ExpressionFault | undefined
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0
  #open = 0

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text
    this.#tokens = tokens
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  atEnd(): boolean {
    return this.#token.kind === 'end'
  }

  take(operator: string): boolean {
    if (this.#token.kind !== 'operator' || this.#token.text !== operator) return false
    this.#next += 1
    return true
  }

  expectEnd(): void {
    const token = this.#token
    if (token.kind === 'end') return
    if (token.text === ')') this.#stop('expression_unbalanced', 'This ")" closes nothing.', 'as many ")" as "("')
    if (token.text === ':=') this.#stop('expression_syntax', 'A condition compares with =; := assigns.', OPERATORS, '=')
    if (token.text === ';')
      this.#stop('expression_syntax', 'A condition is one expression; join several with AND or OR.', OPERATORS)
    this.#stop('expression_syntax', `An operator is expected before ${this.#found()}.`, OPERATORS)
  }

  assignment(): Assignment {
    const at = this.#token.at
    const target = this.#variable()
    if (this.#token.text === '=' && this.#token.kind === 'operator') {
      this.#stop('expression_syntax', 'An entry action assigns with :=; = compares.', ':=', ':=')
    }
    if (!this.take(':='))
      this.#stop('expression_syntax', `:= is expected before ${this.#found()}.`, '<CmType>.<Variable>:=<value>', ':=')
    return { target, value: this.expression(0), at }
  }

  expression(binding: number): Expression {
    this.#deeper()
    let left = this.#prefix()
    for (;;) {
      const token = this.#token
      const power = token.kind === 'operator' ? BINDING[token.text as BinaryOperator] : undefined
      if (power === undefined || power <= binding) break
      this.#next += 1
      left = {
        kind: 'binary',
        operator: token.text as BinaryOperator,
        left,
        right: this.expression(power),
        at: token.at,
      }
    }
    this.#depth -= 1
    return left
  }

  #prefix(): Expression {
    const token = this.#token
    if (token.kind === 'literal') {
      this.#next += 1
      return { kind: 'literal', literal: token.literal, at: token.at }
    }
    if (token.kind === 'name') {
      const truth = !token.quoted && /^(true|false)$/i.test(token.text)
      if (!truth) return this.#variable()
      this.#next += 1
      return { kind: 'bool', value: token.text.toLowerCase() === 'true', at: token.at }
    }
    if (token.kind === 'operator' && (token.text === 'NOT' || token.text === '-' || token.text === '+')) {
      this.#next += 1
      return { kind: 'unary', operator: token.text, operand: this.expression(UNARY_BINDING), at: token.at }
    }
    if (this.take('(')) return this.#group(token.at)
    if (token.kind === 'end' && this.#open > 0) this.#unclosed(token.at)
    this.#stop(
      'expression_syntax',
      `A value is expected before ${this.#found()}.`,
      '<CmType>.<Variable>, a parameter, a constant, NOT, - or (',
    )
  }

  #group(at: number): Expression {
    this.#open += 1
    const inner = this.expression(0)
    if (!this.take(')')) {
      if (this.atEnd()) this.#unclosed(at)
      this.expectEnd()
    }
    this.#open -= 1
    return inner
  }

  #unclosed(at: number): never {
    this.#leave({
      code: 'expression_unbalanced',
      at,
      value: this.#text.slice(at, at + 40),
      message: 'A "(" is not closed.',
      allowed: 'as many ")" as "("',
    })
  }

  #variable(): VariableNode {
    const cmType = this.#token
    const form = '<CmType>.<Variable>'
    if (cmType.kind !== 'name') this.#stop('expression_syntax', `A variable is expected before ${this.#found()}.`, form)
    this.#next += 1
    if (!this.take('.'))
      return { kind: 'variable', cmType: '', variable: cmType.text, at: cmType.at, variableAt: this.#token.at }
    const variable = this.#token
    if (variable.kind !== 'name')
      this.#stop('expression_syntax', `The name of a variable is missing behind "${cmType.text}.".`, form)
    this.#next += 1
    return { kind: 'variable', cmType: cmType.text, variable: variable.text, at: cmType.at, variableAt: variable.at }
  }

  #deeper(): void {
    this.#depth += 1
    if (this.#depth <= EXPRESSION_DEPTH) return
    this.#leave(tooLong(this.#token.at, 'The expression is nested too deep.', `${EXPRESSION_DEPTH} levels`))
  }

  #found(): string {
    return this.#token.kind === 'end' ? 'the end' : `"${this.#token.text}"`
  }

  #stop(
    code: 'expression_syntax' | 'expression_unbalanced',
    message: string,
    allowed: readonly string[] | string,
    suggestion?: string,
  ): never {
    const fault: ExpressionFault = { code, at: this.#token.at, value: this.#token.text, message, allowed }
    this.#leave(suggestion === undefined ? fault : { ...fault, suggestion })
  }

  #leave(fault: ExpressionFault): never {
    this.fault = fault
    throw SYNTAX_STOP
  }
}
