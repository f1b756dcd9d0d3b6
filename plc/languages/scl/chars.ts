/** Tables over char codes for the lexer. */

import { isIdentifierStart } from '../../model/names.ts'
import { TokenKind as K } from './tokens.ts'

const tabCode = 9
export const lineFeedCode = 10
export const carriageReturnCode = 13
export const spaceCode = 32
export const quoteCode = 34
export const hashCode = 35
export const dollarCode = 36
export const percentCode = 37
export const apostropheCode = 39
export const leftParenCode = 40
export const rightParenCode = 41
export const starCode = 42
export const plusCode = 43
export const minusCode = 45
export const dotCode = 46
export const slashCode = 47
export const colonCode = 58
export const equalCode = 61
const greaterCode = 62
export const underscoreCode = 95
export const leftBraceCode = 123
export const rightBraceCode = 125

/** Class of each ASCII character: the tokens that can begin with it. */
export const nameClass = 1
export const digitClass = 2
export const blankClass = 3
const otherClass = 4
export const charClasses = new Uint8Array(128).fill(otherClass)
for (let c = 0; c < 128; c++) {
  if (isIdentifierStart(c)) charClasses[c] = nameClass
  else if (isDigit(c)) charClasses[c] = digitClass
  else if (c === spaceCode || c === tabCode || c === 11 || c === 12) charClasses[c] = blankClass
}

/** Tokens of one character. */
export const singleKinds = new Uint8Array(128)
for (const [char, kind] of [
  ['=', K.Equal],
  ['<', K.Less],
  ['>', K.Greater],
  ['+', K.Plus],
  ['-', K.Minus],
  ['*', K.Star],
  ['/', K.Slash],
  ['&', K.Ampersand],
  ['(', K.LeftParen],
  [')', K.RightParen],
  ['[', K.LeftBracket],
  [']', K.RightBracket],
  [',', K.Comma],
  [';', K.Semicolon],
  [':', K.Colon],
  ['.', K.Dot],
  ['^', K.Caret],
  ['@', K.At],
] as const) {
  singleKinds[char.charCodeAt(0)] = kind
}

/** Tokens of two characters, by first and second code. */
export function pairKind(first: number, second: number): number {
  if (second === equalCode) {
    switch (first) {
      case colonCode:
        return K.Assign
      case plusCode:
        return K.AddAssign
      case minusCode:
        return K.SubAssign
      case starCode:
        return K.MulAssign
      case slashCode:
        return K.DivAssign
      case 63:
        return K.TryAssign
      case 60:
        return K.LessEqual
      case greaterCode:
        return K.GreaterEqual
      default:
        return 0
    }
  }
  if (second === greaterCode) return first === equalCode ? K.OutputAssign : first === 60 ? K.NotEqual : 0
  if (first === starCode && second === starCode) return K.Power
  if (first === dotCode && second === dotCode) return K.Range
  return 0
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Types whose literals contain `-`, `:` and `.` (dates and times of day). */
export const calendarTypes = new Set(
  'D DATE DT DATE_AND_TIME TOD TIME_OF_DAY LTOD LTIME_OF_DAY LDT DATE_AND_LTIME DTL LDATE'.split(' '),
)
