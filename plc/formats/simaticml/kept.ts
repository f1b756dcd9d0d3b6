/** Parts of an element that the model does not interpret: taken out as XML text, and put back in their place. */

import { defined } from '../../../lib/optional.ts'
import { escapeAttribute, escapeText } from '../../../lib/xml-text.ts'
import type { Kept } from '../../model/kept.ts'
import type { XmlElement } from './xml.ts'
import type { XmlWriter } from './xml-write.ts'

/** The element as XML on one line, without namespace prefixes and their declarations. */
export function elementXml(element: XmlElement): string {
  let tag = `<${element.name}`
  for (const name in element.attributes)
    if (!name.startsWith('xmlns:')) tag += ` ${name}="${escapeAttribute(element.attributes[name] as string)}"`
  const content = element.children.length === 0 ? escapeText(element.text) : element.children.map(elementXml).join('')
  return content === '' ? `${tag} />` : `${tag}>${content}</${element.name}>`
}

/**
 * Collects everything of `element` except the attributes and children that its reader understands.
 *
 * @param known names of the attributes that the model represents; `UId` and namespace declarations are never kept
 * @param isKnown whether the model represents that child
 */
export function keptOf(
  element: XmlElement,
  known: readonly string[],
  isKnown: (child: XmlElement) => boolean,
  outer?: Kept,
): Kept | undefined {
  let attributes: Record<string, string> | undefined
  for (const name in element.attributes) {
    if (name === 'UId' || name === '__proto__' || name.startsWith('xmlns') || known.includes(name)) continue
    attributes ??= {}
    attributes[name] = element.attributes[name] as string
  }
  let elements: { at: number; xml: string }[] | undefined
  for (const [at, child] of element.children.entries()) {
    if (isKnown(child)) continue
    elements ??= []
    elements.push({ at, xml: elementXml(child) })
  }
  if (attributes === undefined && elements === undefined && outer === undefined) return undefined
  return {
    ...defined({ attributes, elements, outer }),
  }
}

/** Returns `{ kept }` or an empty object, for objects whose `kept` is optional. */
export function withKept(kept: Kept | undefined): { kept?: Kept } {
  return kept === undefined ? {} : { kept }
}

/** Writes children in order, and what was kept at its index among them. */
export function writeChildren(writer: XmlWriter, kept: Kept | undefined, children: readonly (() => void)[]): void {
  const elements = kept?.elements ?? []
  let next = 0
  let at = 0
  for (const child of children) {
    for (; elements[next]?.at === at; at++) writer.raw(elements[next++]?.xml ?? '')
    child()
    at++
  }
  for (; next < elements.length; next++) writer.raw(elements[next]?.xml ?? '')
}

/** Whether an element of that name was kept as it is: its reader shows it, but it is written from `kept`. */
export function holds(kept: Kept | undefined, name: string): boolean {
  return kept?.elements?.some(({ xml }) => xml.startsWith(`<${name} `) || xml.startsWith(`<${name}>`)) === true
}
