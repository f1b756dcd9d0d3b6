/** Compares two SimaticML texts, or two networks, by meaning. For tests and checks. */

import { byAlphabet } from '../formats/simaticml/versions.ts'
import { pathOf, type XmlElement } from '../formats/simaticml/xml.ts'
import type { Network } from '../model/object.ts'

export interface CompareOptions {
  /** Ignores versions in the names of namespaces, and whether a fragment has a namespace. */
  readonly ignoreNamespaceVersions?: boolean
  /** Elements of the first text that the second may lack, e.g. what an export left out. */
  readonly isLeftOut?: (element: XmlElement) => boolean
  /** Elements that only the second text needs to have. */
  readonly isAdded?: (element: XmlElement) => boolean
}

/**
 * Returns the first difference, or `undefined`. It ignores the numbers in `ID` (but they must number the same objects),
 * the order of XML attributes and of the entries of an object's AttributeList, white space between elements, comments,
 * and `DocumentInfo`.
 */
export function difference(a: XmlElement, b: XmlElement, options: CompareOptions = {}): string | undefined {
  if (a.name !== b.name) return `${pathOf(a)}: <${b.name}> instead of <${a.name}>`
  return attributeDifference(a, b, options) ?? contentDifference(a, b, options)
}

function attributeDifference(a: XmlElement, b: XmlElement, options: CompareOptions): string | undefined {
  const ofA = comparableAttributes(a, options)
  const ofB = comparableAttributes(b, options)
  for (const name of new Set([...ofA.keys(), ...ofB.keys()]))
    if (ofA.get(name) !== ofB.get(name))
      return `${pathOf(a)}/@${name}: ${JSON.stringify(ofB.get(name))} instead of ${JSON.stringify(ofA.get(name))}`
  return undefined
}

function comparableAttributes({ attributes }: XmlElement, options: CompareOptions): Map<string, string> {
  const comparable = new Map<string, string>()
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'ID') comparable.set(name, '')
    else if (!name.startsWith('xmlns') || options.ignoreNamespaceVersions !== true) comparable.set(name, value)
  }
  return comparable
}

function contentDifference(a: XmlElement, b: XmlElement, options: CompareOptions): string | undefined {
  const ofA = comparableChildren(a).filter((inner) => options.isLeftOut?.(inner) !== true)
  const ofB = comparableChildren(b).filter((inner) => options.isAdded?.(inner) !== true)
  if (a.children.length === 0 && b.children.length === 0 && a.text !== b.text)
    return `${pathOf(a)}: ${JSON.stringify(b.text.slice(0, 100))} instead of ${JSON.stringify(a.text.slice(0, 100))}`
  for (const [index, inner] of ofA.entries()) {
    const other = ofB[index]
    if (other === undefined) return `${pathOf(inner)} is missing`
    const found = difference(inner, other, options)
    if (found !== undefined) return found
  }
  const more = ofB[ofA.length]
  return more === undefined ? undefined : `${pathOf(more)} is more than there was`
}

function comparableChildren(element: XmlElement): readonly XmlElement[] {
  const { name, parent, children } = element
  if (name === 'Document') return children.filter((inner) => inner.name !== 'DocumentInfo')
  const isOfObject = name === 'AttributeList' && parent?.attributes.ID !== undefined
  return isOfObject ? [...children].sort((a, b) => byAlphabet(a.name, b.name)) : children
}

/** Renumbers the UIds of each network in the order of their first use, and removes `parts`, which are derived. */
export function comparableNetworks(networks: readonly Network[]): unknown {
  const numbers = new Map<number, number>()
  const text = JSON.stringify(networks, (key, value) => {
    if (key === 'graph') numbers.clear()
    if (key === 'parts') return []
    if (key !== 'uId') return value
    if (!numbers.has(value)) numbers.set(value, numbers.size)
    return numbers.get(value)
  })
  return JSON.parse(text)
}
