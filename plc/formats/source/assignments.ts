/** Start values in the BEGIN part of a data block's source, at any depth. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import type { AssignedValue } from '../../model/assigned-value.ts'
import { Keyword } from '../../model/keywords.ts'
import { Cursor } from './cursor.ts'
import { readValue } from './declarations.ts'
import { readPath } from './start-values.ts'

/**
 * Lists the assignments of a data block's source text, in order. Anything else was reported when the source was read.
 */
export function sourceAssignments(text: string): AssignedValue[] {
  const cursor = new Cursor(text)
  const found: AssignedValue[] = []
  while (!cursor.atEnd && cursor.keyword !== Keyword.BEGIN) cursor.next()
  cursor.next()
  while (!cursor.atEnd && cursor.keyword !== Keyword.END_DATA_BLOCK) {
    const before = cursor.index
    const path = readPath(cursor)
    if (path && cursor.accept(TokenKind.Assign)) {
      const indices = path.steps.flatMap((step) => step.indices.flatMap((index) => index.split(',').map(Number)))
      const names = path.steps.map(({ name }) => name).filter((name) => name !== '')
      const value = readValue(cursor)
      if (indices.every(Number.isInteger)) found.push({ names, indices, value })
    }
    if (!cursor.accept(TokenKind.Semicolon) && cursor.index === before) cursor.next()
  }
  return found
}
