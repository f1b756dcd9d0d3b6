/**
 * Edits of an element's text, in place: attributes of the AttributeList and multilingual texts. What an edit does not concern stays as it
 * was. Loads saxes (through the reader); import lazily.
 */
import type { MultilingualText } from '../model/object.ts'
import { readComposition } from './texts.ts'
import { child, childrenOf, type XmlElement } from './xml.ts'
import { escapeText, XmlWriter } from './xml-write.ts'

/** A part of a text to replace. Offsets are those of {@link XmlElement}. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits that do not overlap; what is put in at one place comes in the order given. Line ends of new text become those of the old.
 * @param base what the offsets of the edits count from
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

/**
 * Sets attributes of an element's AttributeList. A new one goes where the alphabet puts it; an empty one that is absent is not added.
 * @param attributes by name; `undefined`: it stays as it is
 */
export function attributeEdits(element: XmlElement, attributes: Readonly<Record<string, string | undefined>>): Edit[] {
  const list = child(element, 'AttributeList')
  const wanted = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const xml = (name: string, value: string) =>
    value === '' ? `<${name} />` : `<${name}>${escapeText(value)}</${name}>`
  if (!list || list.contentEnd === list.contentStart) {
    const text = `<AttributeList>${wanted.map(([name, value]) => xml(name, value)).join('')}</AttributeList>`
    if (list) return [{ start: list.start, end: list.end, text }]
    return [{ start: element.contentStart, end: element.contentStart, text }]
  }
  return wanted.flatMap(([name, value]): Edit[] => {
    const present = child(list, name)
    if (present?.text === value) return []
    if (present) return [{ start: present.start, end: present.end, text: xml(name, value) }]
    if (value === '') return []
    const at = list.children.find((other) => other.name > name)?.start ?? list.contentEnd
    return [{ start: at, end: at, text: xml(name, value) }]
  })
}

/** Gives an element another comment. Cultures with an empty text count as absent. */
export function commentEdits(element: XmlElement, comment: MultilingualText): Edit[] {
  const objects = child(element, 'ObjectList')
  if (sameText(readComposition(objects, 'Comment'), comment)) return []
  const text = commentXml(comment)
  const old = childrenOf(objects, 'MultilingualText').find((one) => one.attributes.CompositionName === 'Comment')
  if (old) return [{ start: old.start, end: old.end, text }]
  if (objects && objects.contentEnd > objects.contentStart)
    return [{ start: objects.contentStart, end: objects.contentStart, text }]
  const whole = `<ObjectList>${text}</ObjectList>`
  if (objects) return [{ start: objects.start, end: objects.end, text: whole }]
  return [{ start: element.contentEnd, end: element.contentEnd, text: whole }]
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

/** A comment as an element of an ObjectList. */
export function commentXml(comment: MultilingualText): string {
  const writer = new XmlWriter(5)
  writer.element('MultilingualText', { ID: '0', CompositionName: 'Comment' }, () =>
    writer.element('ObjectList', {}, () => {
      for (const [culture, text] of Object.entries(comment))
        writer.element('MultilingualTextItem', { ID: '0', CompositionName: 'Items' }, () =>
          writer.element('AttributeList', {}, () => {
            writer.leaf('Culture', {}, culture)
            writer.leaf('Text', {}, text)
          }),
        )
    }),
  )
  return writer.toString()
}
