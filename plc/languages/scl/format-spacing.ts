/** Blanks between the tokens of a line, for the formatter. */
import { Keyword } from '../../model/keywords.ts'
import { lex } from './lexer.ts'
import { TokenKind, type TokenList, tokenText } from './tokens.ts'

const K = TokenKind

/** What the spacing needs to know of the place. */
export interface Surroundings {
  /** Statements, not declarations. */
  readonly isCode: boolean
  /** True for `+` and `-` that belong to the operand behind them. */
  isSign(token: number): boolean
}

const noneBefore = new Set<number>([
  K.Semicolon,
  K.Comma,
  K.RightParen,
  K.RightBracket,
  K.LeftBracket,
  K.Dot,
  K.Range,
  K.Caret,
  K.Slice,
  K.Periphery,
])
const noneAfter = new Set<number>([K.LeftParen, K.LeftBracket, K.Dot, K.Range])
/** Behind these a sign belongs to the number or operand that follows. */
const operand = new Set<number>([
  K.Identifier,
  K.LocalName,
  K.QuotedName,
  K.Address,
  K.Slice,
  K.Periphery,
  K.Integer,
  K.Real,
  K.TypedLiteral,
  K.String,
  K.RightParen,
  K.RightBracket,
  K.Caret,
])

/** True when there is a blank between two neighbouring tokens of a line. */
export function needsBlank(tokens: TokenList, left: number, right: number, place: Surroundings): boolean {
  return isApart(tokens, left, right, place) || (wasApart(tokens, left, right) && wouldJoin(tokens, left, right))
}

function wasApart(tokens: TokenList, left: number, right: number): boolean {
  return (tokens.start[left + 1] as number) < (tokens.start[right] as number)
}

/** Whether two tokens without a blank between them are others: `( *`, `. .`. */
function wouldJoin(tokens: TokenList, left: number, right: number): boolean {
  const first = tokenText(tokens, left)
  const both = lex(first + tokenText(tokens, right))
  return both.start[1] !== first.length || both.kind[0] !== tokens.kind[left] || both.kind[1] !== tokens.kind[right]
}

function isApart(tokens: TokenList, left: number, right: number, place: Surroundings): boolean {
  const before = tokens.kind[left] as number
  const after = tokens.kind[right] as number
  // What the lexer does not know stays as it is written.
  if (before === K.Unknown || after === K.Unknown || before === K.At || after === K.At)
    return wasApart(tokens, left, right)
  if (isComment(before) || isComment(after)) return true
  if (noneBefore.has(after)) return false
  if (noneAfter.has(before)) return false
  if (after === K.Colon) return !place.isCode
  if (place.isSign(left)) return false
  if (after === K.LeftParen)
    return before === K.Keyword
      ? true
      : isOperator(before) || before === K.Comma || (wasApart(tokens, left, right) && !operand.has(before))
  return true
}

const isComment = (kind: number) => kind >= K.LineComment && kind <= K.Pragma
const isOperator = (kind: number) => kind >= K.Assign && kind <= K.Ampersand

/** True when `+` or `-` is a sign: no operand is before it. */
export function isSign(tokens: TokenList, token: number, previous: number): boolean {
  const kind = tokens.kind[token]
  if (kind !== K.Minus && kind !== K.Plus) return false
  if (previous < 0) return true
  const word = tokens.keyword[previous]
  if (tokens.kind[previous] === K.Keyword) return word !== Keyword.TRUE && word !== Keyword.FALSE
  return !operand.has(tokens.kind[previous] as number)
}
