/**
 * Constants in the values after BEGIN of a data block source; values of members whose type is declared elsewhere are
 * only there.
 */

import { lex } from '../languages/scl/lexer.ts'
import { nameOf } from '../languages/scl/syntax.ts'
import { TokenKind as K, type TokenList } from '../languages/scl/tokens.ts'
import { Keyword } from '../model/keywords.ts'
import type { Use } from './use.ts'

/** Adds the constants named in `member := "CONSTANT";`, unless the interface already names them at that member. */
export function addAssignedConstants(into: Use[], text: string, section: string): void {
  const tokens = lex(text)
  const placeOf = (member: string | undefined, name: string) => `${member} ${name}`.toUpperCase()
  const known = new Set(into.map(({ place, name }) => placeOf(place.member, name)))
  let inValues = false
  let statement = 0
  let value = -1
  let before: number = K.EndOfFile
  for (let i = 0; i < tokens.count - 1; i++) {
    const kind = tokens.kind[i] as number
    if (kind <= K.Pragma) continue
    if (!inValues) {
      inValues = tokens.keyword[i] === Keyword.BEGIN
      statement = i + 1
      continue
    }
    if (kind === K.Semicolon) {
      statement = i + 1
      value = -1
    } else if (kind === K.Assign && value === -1) value = i
    else if (kind === K.QuotedName && value !== -1 && before !== K.Dot) {
      const name = nameOf(tokens, i)
      const member = `${section}.${pathIn(tokens, statement, value)}`
      if (!known.has(placeOf(member, name)))
        into.push({ name, path: [], text: `"${name}"`, access: 'Read', place: { member } })
    }
    before = kind
  }
}

/** The path that is between two tokens, as places spell it: names without quotes, no blanks and comments. */
function pathIn(tokens: TokenList, from: number, to: number): string {
  let path = ''
  for (let i = from; i < to; i++) if ((tokens.kind[i] as number) > K.Pragma) path += nameOf(tokens, i)
  return path
}
