/**
 * Places of messages in the text of an object, whatever its format. The XML reader is loaded with it: import it lazily.
 */

import { LineIndex } from '../model/fault.ts'
import type { MessagePlace } from '../model/message-place.ts'
import type { ImportedObject } from '../model/object.ts'
import { xmlPlaces } from './simaticml/places.ts'
import { sourcePlaces } from './source/places.ts'
import type { SourceLayout } from './source/read.ts'

/** Line and column (from 1, in UTF-16 code units) in the text of an object. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * Returns what finds the place of a message in the text of its object (`xml` or `text`): the line of the statement, the
 * element of the node, the declaration of the member, else the beginning of what is around it.
 * @param layout of a source, when it is known from reading it
 */
export function placesOf(object: ImportedObject, layout?: SourceLayout): (place: MessagePlace) => TextPlace {
  const offsetOf = object.format === 'source' ? sourcePlaces(object, layout) : xmlPlaces(object)
  const lines = new LineIndex(object.xml ?? object.text ?? '')
  return (place) => lines.at(offsetOf(place))
}
