/** Tables over char codes for the lexer. */

import { isIdentifierStart } from '../../model/names.ts'
import { TokenKind as K } from './tokens.ts'

const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const QUOTE = 34
export const HASH = 35
export const DOLLAR = 36
export const PERCENT = 37
export const APOSTROPHE = 39
export const LEFT_PAREN = 40
export const RIGHT_PAREN = 41
export const STAR = 42
export const PLUS = 43
export const MINUS = 45
export const DOT = 46
export const SLASH = 47
export const COLON = 58
export const EQUAL = 61
const GREATER = 62
export const UNDERSCORE = 95
export const LEFT_BRACE = 123
export const RIGHT_BRACE = 125

/** Class of each ASCII character: the tokens that can begin with it. */
export const NAME = 1
export const DIGIT = 2
export const BLANK = 3
const OTHER = 4
export const CLASS = new Uint8Array(128).fill(OTHER)
for (let c = 0; c < 128; c++) {
  if (isIdentifierStart(c)) CLASS[c] = NAME
  else if (isDigit(c)) CLASS[c] = DIGIT
  else if (c === SPACE || c === TAB || c === 11 || c === 12) CLASS[c] = BLANK
}

/** Tokens of one character. */
export const SINGLE = new Uint8Array(128)
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
  SINGLE[char.charCodeAt(0)] = kind
}

/** Tokens of two characters, by first and second code. */
export function pairKind(first: number, second: number): number {
  if (second === EQUAL) {
    switch (first) {
      case COLON:
        return K.Assign
      case PLUS:
        return K.AddAssign
      case MINUS:
        return K.SubAssign
      case STAR:
        return K.MulAssign
      case SLASH:
        return K.DivAssign
      case 63:
        return K.TryAssign
      case 60:
        return K.LessEqual
      case GREATER:
        return K.GreaterEqual
      default:
        return 0
    }
  }
  if (second === GREATER) return first === EQUAL ? K.OutputAssign : first === 60 ? K.NotEqual : 0
  if (first === STAR && second === STAR) return K.Power
  if (first === DOT && second === DOT) return K.Range
  return 0
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** Types whose literals contain `-`, `:` and `.` (dates and times of day). */
export const CALENDAR_TYPES = new Set(
  'D DATE DT DATE_AND_TIME TOD TIME_OF_DAY LTOD LTIME_OF_DAY LDT DATE_AND_LTIME DTL LDATE'.split(' '),
)
