/**
 * Token kinds of SCL and of external sources, and the list that the lexer fills. Kinds up to `lastTrivia` have no
 * meaning for the program (white space, comments).
 */

export const TokenKind = {
  Whitespace: 0,
  /** One line break: CR LF, LF or CR. */
  NewLine: 1,
  /** `// …` up to the end of the line. */
  LineComment: 2,
  /** `(* … *)`, may be nested. */
  BlockComment: 3,
  // Slash, star, text, star, slash.
  SlashComment: 4,
  // The same in parentheses: a comment in several languages.
  MultilingualComment: 5,
  /** `{ … }`: attributes of a block, member or call. */
  Pragma: 6,
  Identifier: 7,
  Keyword: 8,
  /** `#x`, `#"x y"`. */
  LocalName: 9,
  /** `"x"`. */
  QuotedName: 10,
  /** `%I0.0`, `%DB1.DBX0.0`. */
  Address: 11,
  /** `%X0` after a dot. */
  Slice: 12,
  /** `:P` after an operand: immediate access to the periphery. */
  Periphery: 13,
  /** `12`, `1_000`, `16#FF`. */
  Integer: 14,
  Real: 15,
  /** `T#5s`, `INT#5`, `DT#2024-01-01-00:00:00`, `P#M0.0 BYTE 4`, `WSTRING#'x'`, `"UDT"#NAME`. */
  TypedLiteral: 16,
  /** `'…'`. */
  String: 17,
  /** Raw rest of a line: name of a REGION, text after END_REGION, text of a TITLE. */
  Text: 18,
  Unknown: 19,
  Assign: 20,
  AddAssign: 21,
  SubAssign: 22,
  MulAssign: 23,
  DivAssign: 24,
  /** `?=`. */
  TryAssign: 25,
  /** `=>`. */
  OutputAssign: 26,
  Equal: 27,
  NotEqual: 28,
  Less: 29,
  LessEqual: 30,
  Greater: 31,
  GreaterEqual: 32,
  Plus: 33,
  Minus: 34,
  Star: 35,
  Power: 36,
  Slash: 37,
  Ampersand: 38,
  LeftParen: 39,
  RightParen: 40,
  LeftBracket: 41,
  RightBracket: 42,
  Comma: 43,
  Semicolon: 44,
  Colon: 45,
  Dot: 46,
  /** `..`. */
  Range: 47,
  /** `^`: dereference. */
  Caret: 48,
  At: 49,
  EndOfFile: 50,
} as const

export type TokenKindValue = (typeof TokenKind)[keyof typeof TokenKind]

/** Highest kind without meaning for the program. */
export const lastTrivia = TokenKind.MultilingualComment

/** Something the lexer had to guess: an unterminated comment, string, name or pragma, or a stray character. */
export interface LexFault {
  readonly offset: number
  readonly message: string
}

/**
 * All tokens of a text. Token `i` spans `start[i] .. start[i + 1]`; together they cover the whole text. The last one
 * (`count - 1`) is `EndOfFile` and empty.
 */
export interface TokenList {
  readonly text: string
  readonly count: number
  readonly kind: Uint8Array
  readonly start: Uint32Array
  /** Number of the keyword (see `KEYWORDS`), 0 for every other kind. */
  readonly keyword: Uint8Array
  readonly faults: readonly LexFault[]
}

/** Exact text of token `index`. */
export function tokenText(tokens: TokenList, index: number): string {
  return tokens.text.slice(tokens.start[index] as number, tokens.start[index + 1] as number)
}
