/**
 * Parses network expressions to a syntax tree by recursive descent. A faulty statement is reported, and parsing
 * continues after its `;`.
 */

import { defined } from '../../../lib/optional.ts'
import { type FormatFault, LineIndex } from '../../model/fault.ts'
import { isIdentifierPart, isIdentifierStart } from '../../model/names.ts'
import type { Operand, PathComponent, SymbolScope } from '../../model/operand.ts'
import { type OperandNames, scanOperand } from '../../model/operand-reader.ts'
import { ExpressionFault, faultAt } from './expression-fault.ts'
import type { Argument, Braces, Call, Expression, OperandExpression, Statement, Target } from './expression-syntax.ts'

/** The deepest nesting of parentheses and IFs. */
const deepestNesting = 200

export interface ParsedExpression {
  readonly statements: readonly Statement[]
  readonly faults: readonly FormatFault[]
}

/** Parses a list of statements. Faults have line and column in `text`; the statements around them are still parsed. */
export function parseExpression(text: string, names: OperandNames = {}): ParsedExpression {
  return new ExpressionParser(text, names).parse()
}

const comparisons = ['<>', '<=', '>=', '=', '<', '>'] as const
/** Words that have a meaning of their own where an operand or a statement can begin. */
const reservedWords: ReadonlySet<string> = new Set(
  'AND OR XOR NOT MOD IF THEN END_IF ELSE ELSIF GOTO RETURN RAIL RLO ENO OPENBRANCH'.split(' '),
)

class ExpressionParser {
  readonly #text: string
  readonly #names: OperandNames
  readonly #faults: FormatFault[] = []
  readonly #lines: LineIndex
  #at = 0
  #depth = 0

  constructor(text: string, names: OperandNames) {
    this.#text = text
    this.#names = names
    this.#lines = new LineIndex(text)
  }

  parse(): ParsedExpression {
    const statements: Statement[] = []
    for (;;) {
      try {
        this.#depth = 0
        this.#skipBlanks()
        if (this.#at >= this.#text.length) return { statements, faults: this.#faults }
        if (this.#take(';')) continue
        statements.push(this.#statement())
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw error
        this.#faults.push(faultAt(this.#lines, error.at, error.message))
        this.#recover(error.at)
      }
    }
  }

  /** Continues after the end of the statement. */
  #recover(at: number): void {
    const end = this.#text.indexOf(';', Math.max(at, this.#at))
    this.#at = end === -1 ? this.#text.length : end + 1
  }

  // ── Statements ──────────────────────────────────────────────────────────────────────────────────────────────────

  #statement(): Statement {
    const at = this.#at
    const word = this.#peekWord()
    switch (word) {
      case 'IF':
        return this.#if()
      case 'GOTO': {
        this.#takeWord()
        const label = this.#labelName()
        this.#end()
        return { kind: 'jump', at, label }
      }
      case 'RETURN':
        this.#takeWord()
        this.#end()
        return { kind: 'return', at, label: '' }
      case 'ELSE':
      case 'ELSIF':
      case 'END_IF':
      case 'THEN':
        throw this.#fault(
          `${word} stands here without its IF; there is no ELSE in a network: write the other case as an IF of its own`,
        )
    }
    const label = this.#label()
    if (label !== undefined) return { kind: 'label', at, name: label }
    const first = this.#assignee()
    const targets = [first]
    while (this.#take(',')) targets.push(this.#assignee())
    if (this.#take(':=')) {
      const value = this.#expression()
      this.#end()
      return { kind: 'assign', at, targets, value }
    }
    if (first.target.kind === 'call' && targets.length === 1 && !first.isNegated) {
      this.#end()
      return { kind: 'call', at, call: first.target }
    }
    throw this.#fault('expected := and an expression')
  }

  /** Parses `name:` when it is not the beginning of `name := …`. */
  #label(): string | undefined {
    const found = this.#match(/[\p{L}_][\p{L}\p{N}_]*(?=\s*:(?!=))/uy)
    if (found === undefined) return undefined
    this.#skipBlanks()
    this.#at++
    return found[0]
  }

  #labelName(): string {
    this.#skipBlanks()
    const found = this.#match(/[\p{L}_][\p{L}\p{N}_]*/uy)
    if (found === undefined) throw this.#fault('expected the name of a jump label')
    return found[0]
  }

  #if(): Statement {
    const at = this.#at
    this.#takeWord()
    this.#enter()
    const condition = this.#expression()
    if (this.#peekWord() !== 'THEN') throw this.#fault('expected THEN')
    this.#takeWord()
    const body: Statement[] = []
    for (;;) {
      this.#skipBlanks()
      if (this.#take(';')) continue
      if (this.#peekWord() === 'END_IF') break
      if (this.#at >= this.#text.length) throw new ExpressionFault(at, 'this IF has no END_IF')
      body.push(this.#statement())
    }
    this.#takeWord()
    this.#depth--
    this.#end()
    if (body.length === 0) throw new ExpressionFault(at, 'this IF has no statement; write what shall be done')
    return { kind: 'if', at, condition, body }
  }

  /** A statement ends with `;`, before END_IF, or at the end of the text. */
  #end(): void {
    this.#skipBlanks()
    if (this.#take(';') || this.#at >= this.#text.length || this.#peekWord() === 'END_IF') return
    throw this.#fault('expected ; or an operator')
  }

  #assignee(): { target: Target; isNegated: boolean } {
    this.#skipBlanks()
    const isNegated = this.#match(/NOT\s*\{\s*(?:pin|out)\s*\}/iy) !== undefined
    return { target: this.#target(), isNegated }
  }

  #target(): Target {
    this.#skipBlanks()
    const at = this.#at
    if (this.#take('???')) return { kind: 'open', at }
    const wire = this.#wire()
    if (wire !== undefined) return { kind: 'wire', at, name: wire }
    const call = this.#callOrOperand()
    if (call.kind === 'operand') return { kind: 'operand', at, operand: call.operand }
    return call
  }

  // ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────

  #expression(): Expression {
    this.#enter()
    const expression = this.#logic('or', 'OR', () => this.#logic('xor', 'XOR', () => this.#conjunction()))
    this.#depth--
    return expression
  }

  #conjunction(): Expression {
    return this.#logic('and', 'AND', () => this.#comparison())
  }

  #logic(kind: 'and' | 'or' | 'xor', word: string, operand: () => Expression): Expression {
    const first = operand()
    const items = [first]
    while (this.#takeOperator(word)) items.push(operand())
    return items.length === 1 ? first : { kind, at: first.at, items }
  }

  #takeOperator(word: string): boolean {
    if (word === 'AND' && this.#take('&')) return true
    if (this.#peekWord() !== word) return false
    this.#takeWord()
    return true
  }

  #comparison(): Expression {
    const left = this.#sum()
    this.#skipBlanks()
    const operator = comparisons.find((text) => this.#text.startsWith(text, this.#at))
    if (operator === undefined || this.#text.startsWith('=>', this.#at)) return left
    this.#at += operator.length
    const braces = this.#braces()
    const right = this.#sum()
    return { kind: 'compare', at: left.at, operator, items: [left, right], ...(braces && { braces }) }
  }

  #sum(): Expression {
    return this.#arithmetic(['+', '-'], () => this.#arithmetic(['*', '/', 'MOD'], () => this.#unary()))
  }

  /** One operator over several operands is one box: `#a + #b + #c`. */
  #arithmetic(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = operators.find((text) => (text === 'MOD' ? this.#takeOperator(text) : this.#take(text)))
      if (operator === undefined) return left
      const braces = this.#braces()
      const items = [left, operand()]
      if (operator === '+' || operator === '*') while (this.#take(operator)) items.push(operand())
      left = { kind: 'arithmetic', at: left.at, operator, items, ...(braces && { braces }) }
    }
  }

  #unary(): Expression {
    this.#skipBlanks()
    const at = this.#at
    if (this.#peekWord() !== 'NOT') return this.#primary()
    this.#takeWord()
    const mark = this.#braces()?.words[0]
    this.#enter()
    const inner = this.#unary()
    this.#depth--
    return { kind: 'not', at, inner, ...defined({ mark }) }
  }

  #primary(): Expression {
    this.#skipBlanks()
    const at = this.#at
    if (this.#take('???')) return { kind: 'open', at }
    if (this.#take('(')) {
      const inner = this.#expression()
      if (!this.#take(')')) throw this.#fault('expected )')
      return { kind: 'group', at, inner }
    }
    const wire = this.#wire()
    if (wire !== undefined) return { kind: 'wire', at, name: wire }
    switch (this.#peekWord()) {
      case 'TRUE':
      case 'RAIL': {
        const value = this.#takeWord()
        const literal: Operand = { kind: 'literal', scope: 'LiteralConstant', value }
        return { kind: 'rail', at, isWord: value.toUpperCase() === 'RAIL', literal }
      }
      case 'ENO':
        this.#takeWord()
        return { kind: 'eno', at, name: '' }
      case 'RLO':
        this.#takeWord()
        return { kind: 'rlo', at, name: '' }
      case 'OPENBRANCH':
        this.#takeWord()
        return { kind: 'openbranch', at }
    }
    const braces = this.#braces()
    this.#skipBlanks()
    const signed = this.#signedNumber()
    if (signed !== undefined) return { kind: 'operand', at, operand: signed, ...(braces && { braces }) }
    const found = this.#callOrOperand()
    if (found.kind === 'call') {
      if (braces !== undefined) throw new ExpressionFault(braces.at, 'braces of a call stand behind its name')
      return found
    }
    return braces === undefined ? found : { ...found, braces }
  }

  #signedNumber(): Operand | undefined {
    const sign = this.#match(/[+-](?=\d)/y)
    if (sign === undefined) return undefined
    const number = scanOperand(this.#text, this.#at)
    if (number?.operand.kind !== 'literal') throw this.#fault('expected a number')
    this.#at = number.end
    return { ...number.operand, value: sign[0] + number.operand.value }
  }

  #wire(): string | undefined {
    this.#skipBlanks()
    return this.#match(/wire#(\w{1,40})/iy)?.[1]
  }

  /** Parses an operand, or a call when `(` or braces follow the name. */
  #callOrOperand(): OperandExpression | Call {
    this.#skipBlanks()
    const at = this.#at
    const bare = this.#instructionName()
    if (bare !== undefined) return this.#callBehind(at, { name: bare, isBlock: false })
    const found = scanOperand(this.#text, at, this.#names)
    if (found === undefined || reservedWords.has(this.#peekWord())) throw this.#expectedOperand()
    this.#at = found.end
    const isQuoted = this.#text.charCodeAt(found.end - 1) === 34
    const { operand } = found
    if (operand.kind === 'constant' || operand.kind === 'symbol') {
      this.#skipBlanks()
      if (this.#text.startsWith('(', this.#at) || this.#text.startsWith('{', this.#at)) {
        if (operand.kind === 'constant') throw new ExpressionFault(at, `the constant ${operand.name} cannot be called`)
        return this.#callBehind(at, calleeOf(operand.scope, operand.path, isQuoted))
      }
    }
    return { kind: 'operand', at, operand }
  }

  /** A plain word that is followed by `(` or braces, or `Part'name'`. */
  #instructionName(): string | undefined {
    const part = this.#match(/Part(?=')/y)
    if (part !== undefined) return this.#apostrophes()
    const word = this.#match(/[\p{L}_][\p{L}\p{N}_]*(?=\s*[({])/uy)
    return word?.[0]
  }

  #apostrophes(): string {
    const found = scanOperand(this.#text, this.#at)
    if (found?.operand.kind !== 'literal' || !found.operand.value.startsWith("'"))
      throw this.#fault("expected a text in apostrophes: '…'")
    this.#at = found.end
    return found.operand.value.slice(1, -1).replace(/\$(.)/gs, '$1')
  }

  #callBehind(at: number, callee: Pick<Call, 'name' | 'isBlock' | 'instance'>): Call {
    const braces = this.#braces()
    if (!this.#take('(')) throw this.#fault('expected ( and the arguments')
    this.#enter()
    const args: Argument[] = []
    if (!this.#take(')')) {
      do args.push(this.#argument())
      while (this.#take(','))
      if (!this.#take(')')) throw this.#fault('expected , or )')
    }
    this.#depth--
    const output = this.#output()
    return {
      kind: 'call',
      at,
      ...callee,
      args,
      ...defined({ braces, output }),
    }
  }

  #output(): string | undefined {
    if (!this.#text.startsWith('.', this.#at)) return undefined
    this.#at++
    if (this.#text.startsWith("'", this.#at)) return this.#apostrophes()
    const found = this.#match(/[\p{L}_][\p{L}\p{N}_]*/uy)
    if (found === undefined) throw this.#fault('expected the name of an output behind the point')
    return found[0]
  }

  #argument(): Argument {
    this.#skipBlanks()
    const at = this.#at
    const name = this.#argumentName()
    if (name === undefined) return { at, value: this.#expression() }
    if (this.#take('=>')) {
      this.#skipBlanks()
      const { target, isNegated } = this.#assignee()
      return { at, name, target, isNegated }
    }
    if (!this.#take(':=')) throw this.#fault('expected := or =>')
    return { at, name, value: this.#expression() }
  }

  #argumentName(): string | undefined {
    const word = this.#match(/[\p{L}_][\p{L}\p{N}_]*(?=\s*(?::=|=>))/uy)?.[0]
    if (word !== undefined || !this.#text.startsWith("'", this.#at)) return word
    const back = this.#at
    const name = this.#apostrophes()
    this.#skipBlanks()
    if (this.#text.startsWith(':=', this.#at) || this.#text.startsWith('=>', this.#at)) return name
    this.#at = back
    return undefined
  }

  /** `{Int}`, `{SrcType := Int, Version := 5.1, auto}`. */
  #braces(): Braces | undefined {
    this.#skipBlanks()
    const at = this.#at
    if (!this.#take('{')) return undefined
    const entries = new Map<string, string>()
    const words: string[] = []
    do {
      const name = this.#braceValue()
      if (this.#take(':=')) entries.set(name, this.#braceValue())
      else words.push(name)
    } while (this.#take(','))
    if (!this.#take('}')) throw this.#fault('expected , or } in braces')
    return { at, entries, words }
  }

  #braceValue(): string {
    this.#skipBlanks()
    if (this.#text.startsWith("'", this.#at)) return this.#apostrophes()
    const found = this.#match(/[\p{L}\p{N}_.]+(?: [\p{L}\p{N}_.]+)?/uy)
    if (found === undefined) throw this.#fault('expected a word or a text in apostrophes')
    return found[0]
  }

  // ── Characters ──────────────────────────────────────────────────────────────────────────────────────────────────

  #take(text: string): boolean {
    this.#skipBlanks()
    if (!this.#text.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }

  /** The word at the position in upper case; empty when there is none. */
  #peekWord(): string {
    this.#skipBlanks()
    return this.#text.slice(this.#at, this.#wordEnd()).toUpperCase()
  }

  #takeWord(): string {
    const end = this.#wordEnd()
    const word = this.#text.slice(this.#at, end)
    this.#at = end
    return word
  }

  #wordEnd(): number {
    let end = this.#at
    if (!isIdentifierStart(this.#text.charCodeAt(end))) return end
    while (end < this.#text.length && isIdentifierPart(this.#text.charCodeAt(end))) end++
    return end
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return undefined
    this.#at = pattern.lastIndex
    return found
  }

  /** White space and comments. */
  #skipBlanks(): void {
    for (;;) {
      while (this.#at < this.#text.length && /\s/.test(this.#text.charAt(this.#at))) this.#at++
      if (this.#text.startsWith('//', this.#at)) {
        const end = this.#text.indexOf('\n', this.#at)
        this.#at = end === -1 ? this.#text.length : end
      } else if (this.#text.startsWith('(*', this.#at)) {
        const end = this.#text.indexOf('*)', this.#at)
        if (end === -1) throw this.#fault('this comment has no end: *)')
        this.#at = end + 2
      } else return
    }
  }

  #enter(): void {
    if (++this.#depth > deepestNesting)
      throw this.#fault(`this is nested more than ${deepestNesting} deep; use wire#1 := … for a part of it`)
  }

  #expectedOperand(): ExpressionFault {
    const rest = this.#text.slice(this.#at, this.#at + 20).split('\n')[0] ?? ''
    const found = rest === '' ? 'the text ends' : `found ${JSON.stringify(rest)}`
    return this.#fault(`expected an operand (#local, "global", %I0.0, a literal), NOT, ( or a call; ${found}`)
  }

  #fault(message: string): ExpressionFault {
    return new ExpressionFault(this.#at, message)
  }
}

/** Finds what a path before `(` calls: the last name, on the instance before it. */
function calleeOf(
  scope: SymbolScope,
  path: readonly PathComponent[],
  isQuoted: boolean,
): Pick<Call, 'name' | 'isBlock' | 'instance'> {
  const last = path.at(-1) as PathComponent
  const isWhole = path.length === 1 || last.indices !== undefined
  // `"FC"(…)`, `"DB"(…)`, `#inst(…)`, `#list[1](…)`: only the program knows whether the name is a block or an instance.
  if (isWhole && scope === 'GlobalVariable' && last.indices === undefined) return { name: last.name, isBlock: true }
  if (isWhole) return { name: '', isBlock: true, instance: { scope, path } }
  return { name: last.name, isBlock: isQuoted, instance: { scope, path: path.slice(0, -1) } }
}
