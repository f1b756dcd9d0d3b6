/** Start values in the BEGIN part of a data block's source, at any depth. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import type { AssignedValue } from '../../model/assigned-value.ts'
import { Keyword } from '../../model/keywords.ts'
import { declaredName } from '../../model/names.ts'
import { Cursor } from './cursor.ts'
import { readValue } from './declarations.ts'
import { type AssignedPath, readPath } from './start-values.ts'

/**
 * Lists the assignments of a data block's source text, in order. Anything else was reported when the source was read.
 */
export function sourceAssignments(text: string): AssignedValue[] {
  const found: AssignedValue[] = []
  for (const { path, value } of assignmentsIn(text)) {
    const indices = path.steps.flatMap((step) => step.indices.flatMap((index) => index.split(',').map(Number)))
    const names = path.steps.map(({ name }) => name).filter((name) => name !== '')
    if (indices.every(Number.isInteger)) found.push({ names, indices, value })
  }
  return found
}

/** The assignments of a data block's source text with their places as `elementPlace` spells them. */
export function assignedPlaces(text: string): { readonly place: string; readonly value: string }[] {
  return assignmentsIn(text).map(({ path, value }) => ({
    place: path.steps
      .map(
        ({ name, indices }) => `${name === '' ? '' : declaredName(name)}${indices.map((one) => `[${one}]`).join('')}`,
      )
      .join('.'),
    value,
  }))
}

function assignmentsIn(text: string): { readonly path: AssignedPath; readonly value: string }[] {
  const cursor = new Cursor(text)
  const found: { path: AssignedPath; value: string }[] = []
  while (!cursor.atEnd && cursor.keyword !== Keyword.BEGIN) cursor.next()
  cursor.next()
  while (!cursor.atEnd && cursor.keyword !== Keyword.END_DATA_BLOCK) {
    const before = cursor.index
    const path = readPath(cursor)
    if (path && cursor.accept(TokenKind.Assign)) found.push({ path, value: readValue(cursor) })
    if (!cursor.accept(TokenKind.Semicolon) && cursor.index === before) cursor.next()
  }
  return found
}
