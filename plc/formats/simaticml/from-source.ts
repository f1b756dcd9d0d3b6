/** Blocks of sources that a source text alone cannot hold: those with several networks, or in LAD or FBD. */

import { defined } from '../../../lib/optional.ts'
import type { ImportedObject } from '../../model/object.ts'
import { isMoreThanSource } from '../source/scl-networks.ts'
import type { CalleeLookup } from './callee.ts'
import { readSimaticMlText } from './read.ts'
import { writeObject } from './write.ts'

/**
 * Returns the form in which a block of a source is stored: its own text, or SimaticML when the line of Gantry says that
 * the block is more than one body in SCL (formats/source/scl-networks.ts), so that its networks can be worked on as
 * such.
 */
export function storedFormOf(
  object: ImportedObject,
  { culture, callee }: { readonly culture: string; readonly callee?: CalleeLookup },
): ImportedObject {
  if (!isMoreThanSource(object)) return object
  const { text: _text, ...model } = object
  // The version is only the form of the elements: the document says none, as the source did.
  const { xml } = writeObject(model, { version: 'V19', culture, ...defined({ callee }) })
  const [stored] = readSimaticMlText(`<Document>${xml}</Document>`).objects
  if (stored === undefined) throw new Error(`no object in the XML of ${object.name}`)
  const { warnings = [] } = object
  return warnings.length === 0 ? stored : { ...stored, warnings }
}
