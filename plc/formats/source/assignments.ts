/** Start values in the BEGIN part of a data block's source, at any depth. */

import { TokenKind } from '../../languages/scl/tokens.ts'
import type { AssignedValue } from '../../model/assigned-value.ts'
import { Keyword } from '../../model/keywords.ts'
import { declaredName } from '../../model/names.ts'
import { Cursor } from './cursor.ts'
import { readValue } from './declarations.ts'
import { readPath } from './start-values.ts'
import type { ValueStep } from './value-place.ts'

/**
 * Lists the assignments of a data block's source text, in order. Anything else was reported when the source was read.
 */
export function sourceAssignments(text: string): AssignedValue[] {
  const found: AssignedValue[] = []
  for (const { steps, value } of assignmentsIn(text)) {
    const indices = steps.flatMap((step) => step.indices.flatMap((index) => index.split(',').map(Number)))
    const names = steps.map(({ name }) => name).filter((name) => name !== '')
    if (indices.every(Number.isInteger)) found.push({ names, indices, value })
  }
  return found
}

/** The assignments of a data block's source text with their places as `elementPlace` spells them. */
export function assignedPlaces(text: string): { readonly place: string; readonly value: string }[] {
  return assignmentsIn(text).map(({ steps, value }) => ({
    place: steps
      .map(
        ({ name, indices }) => `${name === '' ? '' : declaredName(name)}${indices.map((one) => `[${one}]`).join('')}`,
      )
      .join('.'),
    value,
  }))
}

function assignmentsIn(text: string): { readonly steps: readonly ValueStep[]; readonly value: string }[] {
  const cursor = new Cursor(text)
  const found: { steps: readonly ValueStep[]; value: string }[] = []
  while (!cursor.atEnd && cursor.keyword !== Keyword.BEGIN) cursor.next()
  cursor.next()
  while (!cursor.atEnd && cursor.keyword !== Keyword.END_DATA_BLOCK) {
    const before = cursor.index
    const steps = readPath(cursor)
    if (steps && cursor.accept(TokenKind.Assign)) found.push({ steps, value: readValue(cursor) })
    if (!cursor.accept(TokenKind.Semicolon) && cursor.index === before) cursor.next()
  }
  return found
}
