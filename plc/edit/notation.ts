/**
 * The form of texts and values in which notation does not count: `#a` and `a`, upper and lower case, `16#FF` and 255,
 * brackets that change nothing. Equal forms mean the same program.
 */
import { isObject } from '../../lib/is-object.ts'
import { parseScl } from '../languages/scl/parser.ts'
import { type Call, type Expression, nameOf, type Statement } from '../languages/scl/syntax.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from '../languages/scl/tokens.ts'
import { parseNumber, parseTyped, prefixType } from '../model/literal.ts'

/** A statement as it is written, with one blank between the words, and its form. */
export interface StatementForm {
  readonly written: string
  readonly form: string
}

/**
 * The form of a constant: `16#FF` and `255`, `T#1s` and `TIME#1000ms`, `1.0` and `1.00` have the same.
 *
 * @param type data type of what has the value: a prefix that only repeats it does not count, and `1` in a Real is 1.0
 */
export function literalForm(text: string, type = ''): string {
  const [, sign = '', body = ''] = /^\s*([+-]?)\s*(.*?)\s*$/s.exec(text) ?? []
  const minus = sign === '-' ? '-' : ''
  const [, prefix, rest = ''] = /^([A-Za-z][A-Za-z_]*)#(.*)$/s.exec(body) ?? []
  const own = prefixType(type)
  if (prefix !== undefined) {
    const literal = parseTyped(prefix, rest)
    if (!('kind' in literal) || literal.kind !== 'typed') return text.toUpperCase()
    const { family, name } = literal.type
    if (family === 'bool') return own?.name === name ? boolForm(rest) : `Bool#${boolForm(rest)}`
    const value = literal.value ?? (/string|character/.test(family) ? rest : rest.toUpperCase())
    const shown = family === 'real' ? `real ${value}` : String(value)
    return minus + (own?.name === name && family !== 'date' ? shown : `${name}#${shown}`)
  }
  if (/^\d/.test(body)) {
    const number = parseNumber(body)
    if ('kind' in number && number.kind === 'integer')
      return own?.family === 'bool' ? boolForm(body) : minus + (own?.family === 'real' ? 'real ' : '') + number.value
    if ('kind' in number && number.kind === 'real') return `${minus}real ${number.value}`
  }
  return /^(true|false)$/i.test(body) ? body.toUpperCase() : text
}

const boolForm = (text: string): string => (text === '1' ? 'TRUE' : text === '0' ? 'FALSE' : text.toUpperCase())

/** Fields of operands, calls and rows that are names, types or addresses: they have no case. */
const caseless: ReadonlySet<string> = new Set(['name', 'dataType', 'logicalAddress', 'address'])

/**
 * The form of networks, statements, sequences and rows as plain data: names without case, constants by their value.
 * What is kept of a file without being interpreted stays as it is.
 */
export function dataForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dataForm)
  if (!isObject(value)) return value
  const type = typeof value.dataType === 'string' ? value.dataType : typeof value.type === 'string' ? value.type : ''
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      if (key === 'kept' || key === 'attributes') return [key, one]
      if (typeof one !== 'string') return [key, dataForm(one)]
      if (caseless.has(key)) return [key, one.toLowerCase()]
      return [key, /value$/i.test(key) ? literalForm(one, type) : one]
    }),
  )
}

/** A text taken apart. */
export interface TextForms {
  readonly statements: readonly StatementForm[]
  readonly comments: readonly string[]
}

/**
 * The statements of SCL, one for each semicolon, and the comments apart from them.
 *
 * @param locals names of the members of the block in lower case: such a name needs no `#`
 */
export function sclStatements(text: string, locals: ReadonlySet<string>): TextForms {
  const { tree, diagnostics } = parseScl(text)
  const { tokens } = tree
  const writer = new FormWriter(tokens, locals)
  // A text with faults is compared word by word: its expressions are guesses.
  const expressions = diagnostics.length > 0 ? [] : expressionsOf(tree.statements)
  const forms = new Map(expressions.map((one) => [one.start, one]))
  const found: StatementForm[] = []
  const comments: string[] = []
  let [written, form, isApart] = ['', '', false]
  let inside = 0
  for (let at = 0; at < tokens.count - 1; at++) {
    const kind = tokens.kind[at]!
    if (kind <= lastTrivia) {
      isApart = true
      if (kind > TokenKind.NewLine) comments.push(tokenText(tokens, at).trim())
      continue
    }
    written += (isApart && written !== '' ? ' ' : '') + tokenText(tokens, at)
    isApart = false
    const expression = forms.get(at)
    if (expression !== undefined && expression.end > at) {
      form += ` ${writer.expression(expression)}`
      inside = expression.end
    } else if (at >= inside) form += ` ${writer.token(at)}`
    if (kind !== TokenKind.Semicolon) continue
    found.push({ written, form })
    written = form = ''
  }
  if (written !== '') found.push({ written, form })
  return { statements: found, comments }
}

/** All expressions of statements that are no part of another one, in the order of the text. */
function expressionsOf(statements: readonly Statement[]): Expression[] {
  const found: Expression[] = []
  const visit = (list: readonly Statement[]): void => {
    for (const one of list) {
      if (one.kind === 'assignment') {
        let link = one
        for (; link.value.kind === 'assignment'; link = link.value) found.push(link.target)
        found.push(link.target, link.value)
      } else if (one.kind === 'callStatement') found.push(one.call)
      else if (one.kind === 'while') {
        found.push(one.condition)
        visit(one.body)
      } else if (one.kind === 'repeat') {
        visit(one.body)
        found.push(one.until)
      } else if (one.kind === 'for') {
        found.push(one.variable, one.from, one.to, ...(one.by === undefined ? [] : [one.by]))
        visit(one.body)
      } else if (one.kind === 'region') visit(one.body)
      else if (one.kind === 'if' || one.kind === 'case') {
        if (one.kind === 'case') found.push(one.selector)
        for (const branch of one.branches) {
          if ('condition' in branch) found.push(branch.condition)
          else
            for (const label of branch.labels)
              found.push(...(label.kind === 'range' ? [label.from, label.to] : [label]))
          visit(branch.body)
        }
        visit(one.otherwise ?? [])
      }
    }
  }
  visit(statements)
  return found
}

/** Operators for which the order of brackets makes no difference. */
const associative: ReadonlySet<string> = new Set(['AND', 'OR', 'XOR'])

class FormWriter {
  readonly #tokens: TokenList
  readonly #locals: ReadonlySet<string>

  constructor(tokens: TokenList, locals: ReadonlySet<string>) {
    this.#tokens = tokens
    this.#locals = locals
  }

  /** A word outside of expressions, or in a text with faults. */
  token(at: number): string {
    const [kind, text] = [this.#tokens.kind[at], tokenText(this.#tokens, at)]
    if (kind === TokenKind.Identifier || kind === TokenKind.LocalName || kind === TokenKind.QuotedName)
      return this.#name(at)
    if (kind === TokenKind.Integer || kind === TokenKind.Real || kind === TokenKind.TypedLiteral)
      return literalForm(text)
    return kind === TokenKind.String || kind === TokenKind.Text ? text : text.toUpperCase()
  }

  /** The first name of an operand: of a member of the block, or of the program. */
  #name(at: number, isCalled = false): string {
    const name = nameOf(this.#tokens, at).toLowerCase()
    const kind = this.#tokens.kind[at]
    if (kind === TokenKind.LocalName) return `#${name}`
    if (kind === TokenKind.QuotedName) return `"${name}"`
    if (this.#locals.has(name)) return `#${name}`
    // A bare name that is called may be an instruction; a block of its name is another one.
    return isCalled ? name : `"${name}"`
  }

  expression(node: Expression, isCalled = false): string {
    switch (node.kind) {
      case 'group':
        return this.expression(node.inner, isCalled)
      case 'name':
        return this.#name(node.start, isCalled)
      case 'literal':
      case 'address':
        return this.token(node.start)
      case 'unary':
        return `(${node.operator} ${this.expression(node.operand)})`
      case 'binary':
        return this.#chain(node)
      case 'call':
        return this.#call(node)
      case 'missing':
        return ''
      default:
        return this.#operand(node, isCalled)
    }
  }

  /** Members, indices and slices of an operand; by a loop, since chains may be long. */
  #operand(node: Expression, isCalled: boolean): string {
    const parts: string[] = []
    let at = node
    while ('object' in at) {
      if (at.kind === 'index') parts.push(`[${at.indices.map((one) => this.expression(one)).join(',')}]`)
      else if (at.kind === 'member') parts.push(`.${nameOf(this.#tokens, at.end - 1).toLowerCase()}`)
      else parts.push(tokenText(this.#tokens, at.end - 1).toUpperCase())
      at = at.object
    }
    return [this.expression(at, isCalled && parts.length === 0), ...parts.reverse()].join('')
  }

  #chain(node: Expression): string {
    const parts: string[] = []
    let at = withoutGroup(node)
    let last = ''
    while (at.kind === 'binary') {
      const { operator, left, right } = at
      const isSame = last === operator && associative.has(operator)
      if (last !== '' && !isSame) parts.push(')')
      last = operator
      const pushed = this.expression(right)
      // `a AND (b AND c)` is `a AND b AND c`.
      const inner = withoutGroup(right)
      const isFlat = associative.has(operator) && inner.kind === 'binary' && inner.operator === operator
      parts.push(` ${operator} ${isFlat ? pushed.slice(1, -1) : pushed}`)
      at = withoutGroup(left)
    }
    const opened = parts.filter((one) => one === ')').length + 1
    return `${'('.repeat(opened)}${this.expression(at)}${parts.reverse().join('')})`
  }

  #call({ callee, arguments: given, pragma }: Call): string {
    const attributes = pragma < 0 ? '' : tokenText(this.#tokens, pragma).replace(/\s+/g, '').toLowerCase()
    const list = given.map(({ name, isOutput, value }) => {
      const formal = name < 0 ? '' : `${nameOf(this.#tokens, name).toLowerCase()}${isOutput ? '=>' : ':='}`
      return formal + (value === undefined ? '' : this.expression(value))
    })
    return `${this.expression(callee, true)}${attributes}(${list.join(',')})`
  }
}

function withoutGroup(node: Expression): Expression {
  let at = node
  while (at.kind === 'group') at = at.inner
  return at
}
