/** Lines of a source, for the formatter: tokens without white space. A token of several lines belongs to its first. */
import { TokenKind, type TokenList } from './tokens.ts'

const K = TokenKind

export interface Line {
  /** Numbers of its tokens. */
  readonly tokens: readonly number[]
  /** Offsets of its text, without the line break. */
  readonly first: number
  readonly end: number
}

export function linesOf(tokens: TokenList): Line[] {
  const lines: Line[] = []
  let line: number[] = []
  let first = 0
  for (let i = 0; i < tokens.count; i++) {
    const kind = tokens.kind[i]
    if (kind === K.NewLine || kind === K.EndOfFile) {
      const end = tokens.start[i] as number
      if (kind === K.NewLine || line.length > 0) lines.push({ tokens: line, first, end })
      line = []
      first = tokens.start[i + 1] as number
    } else if (kind !== K.Whitespace) line.push(i)
  }
  return lines
}

const labelKinds = new Set<number>([
  K.Identifier,
  K.LocalName,
  K.QuotedName,
  K.Integer,
  K.TypedLiteral,
  K.String,
  K.Minus,
  K.Plus,
  K.Comma,
  K.Range,
  K.Dot,
])

/** True when a statement begins with a label of a CASE branch or of a GOTO: `1, 3..5:`, `#RUN:`. */
export function isLabel(tokens: TokenList, line: readonly number[], from = 0): boolean {
  for (let i = from; i < line.length; i++) {
    const kind = tokens.kind[line[i] as number] as number
    if (kind === K.Colon) return i > from
    if (!labelKinds.has(kind)) return false
  }
  return false
}
