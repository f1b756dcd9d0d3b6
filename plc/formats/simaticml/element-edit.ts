/**
 * Edits an element's text in place: attributes of the AttributeList and multilingual texts. Everything else stays as it
 * was. Loads saxes (through the reader); import lazily.
 */

import { escapeText } from '../../../lib/xml-text.ts'
import type { MultilingualText } from '../../model/multilingual-text.ts'
import { readComposition } from './texts.ts'
import { child, childrenOf, type XmlElement } from './xml.ts'
import { XmlWriter } from './xml-write.ts'

/** A part of a text to replace. Offsets are those of {@link XmlElement}. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits that do not overlap; insertions at the same place keep their order. New text gets the line ends of the
 * old.
 * @param base offset in the document at which `text` begins
 */
export function applyEdits(text: string, edits: readonly Edit[], base = 0): string {
  const isDos = text.includes('\r\n')
  let result = ''
  let at = 0
  for (const { start, end, text: by } of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, start - base) + (isDos ? by.replace(/\r?\n/g, '\r\n') : by)
    at = end - base
  }
  return result + text.slice(at)
}

/** The changes to make to an element. */
export interface ElementChange {
  /**
   * Attributes of the AttributeList by name; `undefined` leaves one as it is. An empty one that is absent is not added.
   */
  readonly attributes?: Readonly<Record<string, string | undefined>>
  /** Comment by culture; `undefined` leaves it as it is. Cultures with an empty text count as absent. */
  readonly comment?: MultilingualText | undefined
  /** Gives the IDs of new elements. Default: all 0, for documents whose IDs are given anew when they are exported. */
  readonly nextId?: () => string
}

/**
 * Returns the edits that change attributes and comment of an element. A new attribute is inserted in alphabetical
 * order.
 */
export function elementEdits(element: XmlElement, { attributes = {}, comment, nextId }: ElementChange): Edit[] {
  const isSelfClosing = element.contentStart === element.end
  if (!isSelfClosing) return [...attributeEdits(element, attributes), ...commentEdits(element, comment, nextId)]
  const list = attributeList(attributes)
  const objects = comment === undefined || sameText(comment, {}) ? '' : objectList(comment, nextId)
  if (list === '' && objects === '') return []
  const closed = `>${list}${objects}</${element.name}>`
  return [{ start: element.end - '/>'.length, end: element.end, text: closed }]
}

function attributeXml(name: string, value: string): string {
  return value === '' ? `<${name} />` : `<${name}>${escapeText(value)}</${name}>`
}

/** A whole AttributeList; '' when it would be empty. */
function attributeList(attributes: Readonly<Record<string, string | undefined>>): string {
  const filled = Object.entries(attributes).filter((entry): entry is [string, string] => !!entry[1])
  const sorted = filled.sort(([a], [b]) => (a < b ? -1 : 1))
  if (sorted.length === 0) return ''
  return `<AttributeList>${sorted.map(([name, value]) => attributeXml(name, value)).join('')}</AttributeList>`
}

function attributeEdits(element: XmlElement, attributes: NonNullable<ElementChange['attributes']>): Edit[] {
  const list = child(element, 'AttributeList')
  if (!list || list.children.length === 0) {
    const text = attributeList(attributes)
    if (text === '') return []
    const at = list ?? { start: element.contentStart, end: element.contentStart }
    return [{ start: at.start, end: at.end, text }]
  }
  return Object.entries(attributes).flatMap(([name, value]): Edit[] => {
    const present = child(list, name)
    if (value === undefined || present?.text === value) return []
    const text = attributeXml(name, value)
    if (present) return [{ start: present.start, end: present.end, text }]
    if (value === '') return []
    const at = list.children.find((other) => other.name > name)?.start ?? list.contentEnd
    return [{ start: at, end: at, text }]
  })
}

function commentEdits(
  element: XmlElement,
  comment: MultilingualText | undefined,
  nextId: (() => string) | undefined,
): Edit[] {
  const objects = child(element, 'ObjectList')
  if (comment === undefined || sameText(readComposition(objects, 'Comment'), comment)) return []
  const text = commentXml(comment, nextId)
  const old = childrenOf(objects, 'MultilingualText').find((one) => one.attributes.CompositionName === 'Comment')
  if (old) return [{ start: old.start, end: old.end, text }]
  if (objects && objects.children.length > 0) return [{ start: objects.contentStart, end: objects.contentStart, text }]
  const at = objects ?? { start: element.contentEnd, end: element.contentEnd }
  return [{ start: at.start, end: at.end, text: objectList(comment, nextId) }]
}

function objectList(comment: MultilingualText, nextId?: () => string): string {
  return `<ObjectList>${commentXml(comment, nextId)}</ObjectList>`
}

function sameText(a: MultilingualText, b: MultilingualText): boolean {
  const filled = (text: MultilingualText) =>
    JSON.stringify(
      Object.entries(text)
        .filter(([, value]) => value !== '')
        .sort(),
    )
  return filled(a) === filled(b)
}

/** A comment as an element of an ObjectList; see {@link ElementChange.nextId}. */
export function commentXml(comment: MultilingualText, nextId = () => '0'): string {
  const writer = new XmlWriter(5)
  writer.element('MultilingualText', { ID: nextId(), CompositionName: 'Comment' }, () =>
    writer.element('ObjectList', {}, () => {
      for (const [culture, text] of Object.entries(comment))
        writer.element('MultilingualTextItem', { ID: nextId(), CompositionName: 'Items' }, () =>
          writer.element('AttributeList', {}, () => {
            writer.leaf('Culture', {}, culture)
            writer.leaf('Text', {}, text)
          }),
        )
    }),
  )
  return writer.toString()
}
