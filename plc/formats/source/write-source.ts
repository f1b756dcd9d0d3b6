/** Writes an object as external source, and says what the text does not hold of it. */

import type { ImportedObject } from '../../model/object.ts'
import { lossesOf } from './losses.ts'
import { readSource } from './read.ts'
import { sourceTextOf } from './write.ts'

export interface WrittenSource {
  /** The source, lines ending with LF. */
  readonly text: string
  /** What the text leaves out or says differently. */
  readonly warnings: readonly string[]
}

/**
 * Returns the object as source; `undefined` when it has no such form (see `sourceTextOf`). `culture` is that of the
 * texts: sources have one text at each place.
 */
export function writeSource(object: ImportedObject, culture: string): WrittenSource | undefined {
  const text = sourceTextOf(object, culture)
  if (text === undefined) return undefined
  const [block] = readSource(text, { culture }).blocks
  return { text, warnings: block === undefined ? [] : lossesOf(object, block.object) }
}
