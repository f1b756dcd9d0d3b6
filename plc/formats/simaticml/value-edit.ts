/** Edits one value in XML text: an attribute or a text, escaped as it was before. */

import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import type { Edit } from './element-edit.ts'
import type { XmlElement } from './xml.ts'

export type Encoder = (value: string) => string

/** Ways to escape a value. XML requires it only for `&` and `<`. */
const encoders: readonly Encoder[] = [
  escapeText,
  escapeAttribute,
  (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
  (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;'),
]

/** Finds how a value is escaped in the text, so that only a name in it changes. */
function encoderOf(written: string, value: string, usual: Encoder): Encoder {
  return [usual, ...encoders].find((encode) => encode(value) === written) ?? usual
}

const attributePattern = /([^\s=/<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Replaces the value of an existing attribute, escaped as it was. */
export function attributeEdit(xml: string, element: XmlElement, name: string, value: string): Edit {
  const range = attributeRange(xml, element, name)
  if (range === undefined) throw new Error(`<${element.name}> has no attribute ${name}`)
  const encode = encoderOf(xml.slice(range.start, range.end), element.attributes[name] ?? '', escapeAttribute)
  return { ...range, text: encode(value) }
}

/** Replaces the text of an element without child elements, escaped as it was. */
export function contentEdit(xml: string, { contentStart: start, contentEnd: end, text }: XmlElement, by: string): Edit {
  return { start, end, text: encoderOf(xml.slice(start, end), text, escapeText)(by) }
}

/** Where the value of an attribute is in the text, without its quotes. */
function attributeRange(xml: string, element: XmlElement, name: string): { start: number; end: number } | undefined {
  const tag = xml.slice(element.start, element.contentStart)
  for (const match of tag.matchAll(attributePattern)) {
    if (match[1] !== name) continue
    const value = match[2] ?? match[3] ?? ''
    const start = element.start + match.index + match[0].length - 1 - value.length
    return { start, end: start + value.length }
  }
  return undefined
}
