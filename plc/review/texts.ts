/** Titles and comments. */

import { tokenText } from '../languages/scl/tokens.ts'
import type { MessagePlace } from '../model/message-place.ts'
import { anyText, type MultilingualText } from '../model/multilingual-text.ts'
import { placesOfStatements } from '../model/statement.ts'
import type { ReviewedObject } from './reviewed-program.ts'

export function hasText(text: MultilingualText): boolean {
  return anyText(text).trim() !== ''
}

export interface FoundComment {
  /** Without the signs around it. */
  readonly text: string
  readonly place: MessagePlace
}

/** The comments in the code of a block, and those of its networks. */
export function* commentsOf(object: ReviewedObject): Generator<FoundComment> {
  for (const scl of object.scl)
    for (const i of scl.comments) {
      const text = tokenText(scl.tokens, i)
        .replace(/^(\/\/|\(\*|\/\*|\(\/\*)/, '')
        .replace(/(\*\)|\*\/\)?)$/, '')
      yield { text, place: scl.placeAt(scl.offsetOf(i)) }
    }
  for (const network of object.networks) {
    const { number, title, comment, statements } = network
    for (const text of new Set([...Object.values(title), ...Object.values(comment)]))
      if (text !== '') yield { text, place: { network: number } }
    const places = placesOfStatements(network)
    for (const [at, { comment: text }] of (statements ?? []).entries())
      if (text) yield { text, place: { network: number, ...places[at] } }
  }
}
