/** Splits an entry action or a condition into tokens with exact positions. */
import { type Literal, parseNumber, parseText, parseTyped, prefixType } from '../../../plc/model/literal.ts'

/** Why an expression cannot be read, with the position. */
export interface ExpressionFault {
  readonly code:
    | 'expression_syntax'
    | 'expression_unbalanced'
    | 'expression_too_long'
    | 'literal_invalid'
    | 'value_out_of_range'
    | 'cm_type_unknown'
    | 'variable_unknown'
    | 'type_mismatch'
    | 'condition_not_boolean'
    | 'action_writes_input'
    | 'parameter_unknown'
    | 'parameter_written'
  /** Offset in the text, from 0. */
  readonly at: number
  /** The part of the text that is wrong. */
  readonly value: string
  readonly message: string
  readonly allowed?: readonly string[] | string
  readonly suggestion?: string | undefined
}

/** A token of an expression. `text` is as written; operators and words are in upper case. */
export type Token =
  | { readonly kind: 'name'; readonly text: string; readonly at: number; readonly quoted: boolean }
  | { readonly kind: 'literal'; readonly literal: Literal; readonly text: string; readonly at: number }
  | { readonly kind: 'operator'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number }

/** Words that are operators; as names they must be quoted. */
const WORD_OPERATORS = new Set(['AND', 'OR', 'XOR', 'NOT', 'MOD'])

/** Operators of other languages and their equivalents. */
const FOREIGN: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '<>',
  '&&': 'AND',
  '||': 'OR',
  '!': 'NOT',
  '=>': '>=',
  '=<': '<=',
  '|': 'OR',
  '%': 'MOD',
  '^': 'XOR',
}

const PATTERNS = {
  space: /\s+/y,
  word: /[\p{L}_][\p{L}\p{M}\p{Nd}_]*/uy,
  // A number includes the letters after it, so that "3Way" is one wrong number and not two tokens.
  number: /(?:16|8|2)#[0-9A-Za-z_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?[\p{L}\p{Nd}_]*/uy,
  text: /'(?:\$.|[^$'])*'/suy,
  quoted: /"([^"]+)"/y,
  foreign: /==|!=|&&|\|\||=>|=<|[!|%^]/y,
  operator: /:=|<>|<=|>=|[=<>()+\-*/&.;]/y,
  duration: /-?[0-9A-Za-z_.]*/y,
  date: /[0-9][0-9.:-]*/y,
  typedNumber:
    /[+-]?(?:(?:16|8|2)#[0-9A-Za-z_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:[eE][+-]?[0-9]+)?[\p{L}\p{Nd}_]*|[A-Za-z]+)/uy,
}

/**
 * Splits an expression into tokens; the last is always of kind `end`.
 * @returns the tokens, or the first fault.
 */
export function tokenize(text: string): { tokens: Token[] } | { fault: ExpressionFault } {
  const tokens: Token[] = []
  let at = 0
  const match = (pattern: RegExp, from: number): RegExpExecArray | null => {
    pattern.lastIndex = from
    return pattern.exec(text)
  }
  while (at < text.length) {
    const space = match(PATTERNS.space, at)
    if (space !== null) {
      at += space[0].length
      continue
    }
    const character = text[at]!
    const word = match(PATTERNS.word, at)?.[0]
    if (word !== undefined && text[at + word.length] === '#') {
      const typed = readTyped(text, at, word, match)
      if ('fault' in typed) return typed
      tokens.push(typed.token)
      at = typed.end
    } else if (word !== undefined) {
      tokens.push(wordToken(word, at))
      at += word.length
    } else if (/[0-9]/.test(character)) {
      const number = match(PATTERNS.number, at)![0]
      const literal = parseNumber(number)
      if (!('kind' in literal))
        return { fault: { ...literal, at, value: number, message: `${literal.message}${nameHint(number)}` } }
      tokens.push({ kind: 'literal', literal, text: number, at })
      at += number.length
    } else if (character === "'") {
      const quoted = match(PATTERNS.text, at)?.[0]
      if (quoted === undefined) return { fault: unclosed(text, at, 'text', "'") }
      const literal = parseText(quoted)
      if (!('kind' in literal)) return { fault: { ...literal, at, value: quoted } }
      tokens.push({ kind: 'literal', literal, text: quoted, at })
      at += quoted.length
    } else if (character === '"') {
      const quoted = match(PATTERNS.quoted, at)
      if (quoted === null) return { fault: unclosed(text, at, 'name', '"') }
      tokens.push({ kind: 'name', text: quoted[1]!, at, quoted: true })
      at += quoted[0].length
    } else {
      const foreign = match(PATTERNS.foreign, at)?.[0]
      if (foreign !== undefined) return { fault: foreignOperator(foreign, at) }
      const operator = match(PATTERNS.operator, at)?.[0]
      if (operator === undefined) return { fault: strangeCharacter(text, at) }
      tokens.push({ kind: 'operator', text: operator === '&' ? 'AND' : operator, at })
      at += operator.length
    }
  }
  tokens.push({ kind: 'end', text: '', at: text.length })
  return { tokens }
}

function wordToken(word: string, at: number): Token {
  const upper = word.toUpperCase()
  if (WORD_OPERATORS.has(upper)) return { kind: 'operator', text: upper, at }
  return { kind: 'name', text: word, at, quoted: false }
}

type Matcher = (pattern: RegExp, from: number) => RegExpExecArray | null

function readTyped(
  text: string,
  at: number,
  prefix: string,
  match: Matcher,
): { token: Token; end: number } | { fault: ExpressionFault } {
  const from = at + prefix.length + 1
  const type = prefixType(prefix)
  let pattern = PATTERNS.typedNumber
  if (type?.family === 'duration') pattern = PATTERNS.duration
  else if (type?.family === 'date') pattern = PATTERNS.date
  else if (type?.family === 'string' || type?.family === 'character') pattern = PATTERNS.text
  const body = match(pattern, from)?.[0] ?? ''
  if (pattern === PATTERNS.text && body === '') {
    if (text[from] === "'") return { fault: unclosed(text, from, 'text', "'") }
    return {
      fault: {
        code: 'literal_invalid',
        at,
        value: text.slice(at, from),
        message: `${prefix}# needs a text in single quotes.`,
        allowed: `${prefix}#'…'`,
      },
    }
  }
  const literal = parseTyped(prefix, body)
  const value = text.slice(at, from + body.length)
  if (!('kind' in literal)) return { fault: { ...literal, at, value } }
  return { token: { kind: 'literal', literal, text: value, at }, end: from + body.length }
}

function nameHint(number: string): string {
  return /^[0-9]+\p{L}/u.test(number)
    ? ` A name that starts with a digit is written in double quotes: "${number}".`
    : ''
}

function unclosed(text: string, at: number, what: string, quote: string): ExpressionFault {
  return {
    code: 'expression_unbalanced',
    at,
    value: text.slice(at),
    message: `The ${what} that starts with ${quote} at character ${at + 1} is not closed.`,
    allowed: `a closing ${quote}`,
  }
}

function foreignOperator(operator: string, at: number): ExpressionFault {
  const right = FOREIGN[operator]!
  return {
    code: 'expression_syntax',
    at,
    value: operator,
    message: `${operator} is no operator here; write ${right}.`,
    allowed: OPERATORS,
    suggestion: right,
  }
}

function strangeCharacter(text: string, at: number): ExpressionFault {
  const character = String.fromCodePoint(text.codePointAt(at)!)
  return {
    code: 'expression_syntax',
    at,
    value: character,
    message: `The character "${character}" cannot stand in an expression.`,
    allowed: OPERATORS,
  }
}

/** All operators, listed in faults. */
export const OPERATORS: readonly string[] = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'AND',
  '&',
  'OR',
  'XOR',
  'NOT',
  '+',
  '-',
  '*',
  '/',
  'MOD',
  '(',
  ')',
  ':=',
]
