/** Adds the places in the text of the object to diagnostics. */

import { placesOf } from '../formats/places.ts'
import { FormatError } from '../model/fault.ts'
import type { ImportedObject } from '../model/object.ts'
import type { Diagnostic } from '../program/program.ts'

/** Returns the diagnostics of an object with `sourceLine` and `sourceColumn`; those that have them stay as they are. */
export function located(object: ImportedObject, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.every(({ sourceLine }) => sourceLine !== undefined)) return diagnostics
  const placeOf = finderOf(object)
  if (placeOf === undefined) return diagnostics
  return diagnostics.map((diagnostic) => {
    if (diagnostic.sourceLine !== undefined) return diagnostic
    const { line, column } = placeOf(diagnostic)
    return { ...diagnostic, sourceLine: line, sourceColumn: column }
  })
}

/** Objects that were made in memory have no text. */
function finderOf(object: ImportedObject) {
  if ((object.xml ?? object.text ?? '') === '') return undefined
  try {
    return placesOf(object)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return undefined
  }
}
