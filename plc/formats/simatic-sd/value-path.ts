/** Paths of start values: members and elements by name and index. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import { unquoted } from '../../model/names.ts'
import type { Cursor } from '../source/cursor.ts'
import type { ValueStep } from '../source/value-place.ts'
import { endsNetwork, isAt } from './rung-syntax.ts'

/**
 * Reads the path that an assignment begins with: `list[3].speed`, or `[3]` in an array data block; `undefined` when
 * there is none.
 */
export function readValuePath(cursor: Cursor): ValueStep[] | undefined {
  const steps: { name: string; indices: string[] }[] = []
  if (cursor.kind === TokenKind.LeftBracket) steps.push({ name: '', indices: [] })
  for (let wantsName = steps.length === 0; ; ) {
    if (wantsName) {
      const { kind, text } = cursor
      if (kind === TokenKind.LocalName) steps.push({ name: unquoted(text.slice(1)), indices: [] })
      else if (
        kind === TokenKind.Identifier ||
        kind === TokenKind.QuotedName ||
        (kind === TokenKind.Keyword && !endsNetwork(cursor))
      )
        steps.push({ name: unquoted(text), indices: [] })
      else return undefined
      cursor.next()
      wantsName = false
    } else if (cursor.accept(TokenKind.Dot)) wantsName = true
    else if (cursor.kind === TokenKind.LeftBracket) {
      cursor.next()
      let index = ''
      while (!cursor.atEnd && !isAt(cursor, TokenKind.RightBracket) && !isAt(cursor, TokenKind.Semicolon)) {
        index += cursor.text
        cursor.next()
      }
      if (index === '' || !cursor.accept(TokenKind.RightBracket)) return undefined
      steps.at(-1)?.indices.push(index)
    } else return steps
  }
}
