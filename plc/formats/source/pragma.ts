/** Pragmas of external sources: `{ S7_Optimized_Access := 'TRUE'; DB_Accessible_From_OPC_UA := 'FALSE' }`. */

import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import type { ObjectAttribute } from '../../model/object.ts'

/** Parses the entries of a pragma, in order; `text` includes the braces. Entries without a value get ''. */
export function parsePragma(text: string): ObjectAttribute[] {
  const tokens = lex(text.slice(1, -1))
  const entries: ObjectAttribute[] = []
  let name = ''
  let value = ''
  let inValue = false
  const flush = (): void => {
    if (name !== '') entries.push({ name, value: value.trim() })
    name = ''
    value = ''
    inValue = false
  }
  for (let i = 0; i < tokens.count; i++) {
    const kind = tokens.kind[i] as number
    // Blocks and members separate entries by ";", calls by ",".
    if (kind === TokenKind.Semicolon || kind === TokenKind.Comma || kind === TokenKind.EndOfFile) flush()
    else if (!inValue && (kind === TokenKind.Assign || kind === TokenKind.Equal)) inValue = true
    else if (kind <= lastTrivia) {
      if (inValue && kind === TokenKind.Whitespace) value += ' '
    } else if (inValue) value += pragmaValue(kind, tokenText(tokens, i))
    else name += tokenText(tokens, i)
  }
  return entries
}

function pragmaValue(kind: number, text: string): string {
  if (kind !== TokenKind.String && kind !== TokenKind.QuotedName) return text
  return withoutEscapes(text.length >= 2 ? text.slice(1, -1) : '')
}

/** Undoes `$'` and `$$`; other escapes stay as they are. */
function withoutEscapes(text: string): string {
  return text.includes('$') ? text.replace(/\$(['"$])/g, '$1') : text
}

/** Writes a pragma value in apostrophes. */
export function pragmaLiteral(value: string): string {
  return `'${value.replace(/[$']/g, (char) => `$${char}`)}'`
}
