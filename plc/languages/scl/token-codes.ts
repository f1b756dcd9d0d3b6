/** Facts about tokens for the parser: one number for kind and keyword, and tables over it. */
import { Keyword, keywordTexts } from '../../model/keywords.ts'
import type { AssignmentOperator, BinaryOperator } from './syntax.ts'
import { TokenKind } from './tokens.ts'

const K = TokenKind

/*
 * Kind of token and keyword in one number: keywords are 64 and up. White space, comments and attributes (`{…}`) are
 * below `firstCode` and are skipped.
 */
export const firstCode = K.Pragma + 1
export const firstWordCode = 64
const codeOf = (keyword: number): number => firstWordCode + keyword
export const codeCount = firstWordCode + keywordTexts.length

export const T = {
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

export const unaryPower = 8
/** Binding power of an operator, 0 for everything else. */
export const bindingPowers = new Uint8Array(codeCount)
export const binaryOperators: (BinaryOperator | undefined)[] = new Array(codeCount).fill(undefined)
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
  bindingPowers[code] = power
  binaryOperators[code] = operator
}

export const assignmentOperators: (AssignmentOperator | undefined)[] = new Array(codeCount).fill(undefined)
for (const [code, operator] of [
  [K.Assign, ':='],
  [K.AddAssign, '+='],
  [K.SubAssign, '-='],
  [K.MulAssign, '*='],
  [K.DivAssign, '/='],
  [K.TryAssign, '?='],
] as const)
  assignmentOperators[code] = operator

/** Words that end a list of statements, with the statement that they close. */
export const closedStatements = new Uint8Array(codeCount)
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
  closedStatements[code] = opener

/** Words that begin a statement: the statement before ends there, even without `;`. */
export const opensStatement = new Uint8Array(codeCount)
for (const code of [T.If, T.Case, T.For, T.While, T.Repeat, T.Continue, T.Exit, T.Goto, T.Return, T.Region])
  opensStatement[code] = 1

/** Tokens that an expression can begin with. */
export const beginsExpression = new Uint8Array(codeCount)
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
  beginsExpression[code] = 1
