/** Reads start values assigned in the BEGIN part of a data block: `motor.list[3].speed := 1.5;`. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import { unquoted } from '../../model/names.ts'
import type { Cursor } from './cursor.ts'
import { type MutableMember, readValue } from './declarations.ts'
import { type InterfaceLookup, placeOf, setValue, type ValueStep } from './value-place.ts'

/**
 * Reads assignments up to offset `end` and stores each value at its place. Those of members whose type is not known
 * stay in the block's text only.
 */
export function readStartValues(
  cursor: Cursor,
  end: number,
  members: MutableMember[],
  interfaceOf: InterfaceLookup | undefined,
): void {
  while (!cursor.atEnd && cursor.start < end) {
    if (cursor.accept(TokenKind.Semicolon)) continue
    const steps = readPath(cursor)
    if (steps === undefined || !cursor.accept(TokenKind.Assign)) {
      cursor.expected('an assignment "member := value;"')
      while (!cursor.atEnd && cursor.start < end && !cursor.accept(TokenKind.Semicolon)) cursor.next()
      continue
    }
    const place = placeOf(members, steps, interfaceOf)
    const value = readValue(cursor)
    if (typeof place !== 'string') setValue(place, value)
    if (!cursor.accept(TokenKind.Semicolon) && cursor.start < end) cursor.expected('";" behind the value')
  }
}

/**
 * Reads the left side of an assignment; `undefined` when it is not one.
 * @param isEnd whether a keyword ends what holds the assignments; it is no name then
 */
export function readPath(cursor: Cursor, isEnd = (_: Cursor) => false): ValueStep[] | undefined {
  const steps: { name: string; indices: string[] }[] = []
  let expectName = cursor.kind !== TokenKind.LeftBracket
  // The elements of an array DB have no name: `[3] := 5;`.
  if (!expectName) steps.push({ name: '', indices: [] })
  for (;;) {
    if (expectName) {
      const { kind, text } = cursor
      if (kind === TokenKind.LocalName) steps.push({ name: unquoted(text.slice(1)), indices: [] })
      else if (
        kind === TokenKind.Identifier ||
        kind === TokenKind.QuotedName ||
        (kind === TokenKind.Keyword && !isEnd(cursor))
      )
        steps.push({ name: unquoted(text), indices: [] })
      else return undefined
      cursor.next()
      expectName = false
    } else if (cursor.accept(TokenKind.Dot)) expectName = true
    else if (cursor.accept(TokenKind.LeftBracket)) {
      let index = ''
      while (!cursor.atEnd && cursor.kind !== TokenKind.RightBracket && cursor.kind !== TokenKind.Semicolon) {
        index += cursor.text
        cursor.next()
      }
      if (index === '' || !cursor.accept(TokenKind.RightBracket)) return undefined
      steps.at(-1)?.indices.push(index)
    } else return steps
  }
}
