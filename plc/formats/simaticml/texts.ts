/**
 * Reads texts in several cultures, in the two forms of SimaticML (docs/formats.md#document-frame,
 * docs/formats.md#interface).
 */

import type { MultilingualText } from '../../model/multilingual-text.ts'
import { child, childrenOf, childText, type XmlElement } from './xml.ts'

/** Reads the texts of the child `MultilingualText` with that CompositionName, below an `ObjectList`. */
export function readComposition(
  objectList: XmlElement | undefined,
  composition: 'Title' | 'Comment',
): MultilingualText {
  const texts: Record<string, string> = {}
  for (const text of childrenOf(objectList, 'MultilingualText')) {
    if (text.attributes.CompositionName !== composition) continue
    for (const item of childrenOf(child(text, 'ObjectList'), 'MultilingualTextItem')) {
      const list = child(item, 'AttributeList')
      putText(texts, childText(list, 'Culture') ?? '', childText(list, 'Text') ?? '')
    }
  }
  return texts
}

/** Reads `<Comment><MultiLanguageText Lang="en-US">…` as used inside interfaces and networks. */
export function readInlineComment(element: XmlElement): MultilingualText {
  const texts: Record<string, string> = {}
  for (const text of childrenOf(element, 'MultiLanguageText')) putText(texts, text.attributes.Lang ?? '', text.text)
  return texts
}

/** Adds a text under its culture, safely for the name `__proto__`, which would reach the object's prototype. */
function putText(texts: Record<string, string>, culture: string, text: string): void {
  if (culture !== '__proto__') texts[culture] = text
}
