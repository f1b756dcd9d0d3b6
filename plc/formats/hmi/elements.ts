/**
 * Parts that all HMI elements have: attributes, links, texts, colours (docs/formats.md#hmi). Loads saxes: import
 * lazily.
 */
import { child, childrenOf, parseXml, type XmlElement } from '../simaticml/xml.ts'
import type { PropertyValue, Texts } from './model.ts'

/** Name of a property for the name of an attribute: `BackColor` is `backColor`, `IOField` stays. */
export function propertyName(attribute: string): string {
  return attribute.slice(0, 1).toLowerCase() + attribute.slice(1)
}

/** Name of the attribute of a property. */
export function attributeName(property: string): string {
  return property.slice(0, 1).toUpperCase() + property.slice(1)
}

/** The attributes of an element by name. */
export function attributesOf(element: XmlElement): Map<string, string> {
  const list = child(element, 'AttributeList')
  return new Map((list?.children ?? []).map((one) => [one.name, one.text]))
}

/** Names of the objects that an element links to, by the name of the link. */
export function linksOf(element: XmlElement): Record<string, string> {
  const links: Record<string, string> = {}
  for (const link of child(element, 'LinkList')?.children ?? []) {
    const name = child(link, 'Name')?.text
    if (name !== undefined) links[link.name] = name
  }
  return links
}

/** Elements of the ObjectList with this CompositionName; all when it is absent. */
export function partsOf(element: XmlElement, composition?: string): XmlElement[] {
  const all = child(element, 'ObjectList')?.children ?? []
  return composition === undefined
    ? [...all]
    : all.filter(({ attributes }) => attributes.CompositionName === composition)
}

/** The multilingual texts of an element by property; empty texts are left out. */
export function textsOf(element: XmlElement): Record<string, Texts> {
  const texts: Record<string, Texts> = {}
  for (const part of childrenOf(child(element, 'ObjectList'), 'MultilingualText')) {
    const text = textOf(part)
    if (Object.keys(text).length > 0) texts[propertyName(part.attributes.CompositionName ?? 'Text')] = text
  }
  return texts
}

/** A `MultilingualText` by culture, without empty ones. */
export function textOf(element: XmlElement): Texts {
  const text: Record<string, string> = {}
  for (const item of partsOf(element, 'Items')) {
    const list = child(item, 'AttributeList')
    const culture = child(list, 'Culture')?.text
    const value = child(list, 'Text')
    const plain = value === undefined ? '' : plainText(value)
    if (culture !== undefined && plain !== '') text[culture] = plain
  }
  return text
}

/** The texts of parsed documents: the tree has no text between elements, which rich texts consist of. */
const sources = new WeakMap<XmlElement, string>()

/** Parses a document whose rich texts can be read. */
export function parseHmi(text: string): XmlElement {
  const root = parseXml(text)
  sources.set(root, text)
  return root
}

/** Text of `<body><p>…</p></body>`, which stands as elements or escaped. */
function plainText(element: XmlElement): string {
  if (element.children.length === 0) return richToPlain(element.text)
  let root = element
  while (root.parent !== undefined) root = root.parent
  return richToPlain((sources.get(root) ?? '').slice(element.contentStart, element.contentEnd).trim())
}

/** The plain text of an escaped rich text; a plain one is returned as it is. */
function richToPlain(text: string): string {
  if (!text.startsWith('<body>')) return text
  const plain = text
    .replace(/<\/p>\s*<p[^>]*>/g, '\n')
    .replace(/<br\s*\/?>/g, '\n')
    .replace(/<[^>]*>/g, '')
  return plain
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}

/** The rich text of a plain one, as TIA Portal escapes it in an export. */
export function plainToRich(text: string): string {
  const lines = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').split('\n')
  return `<body>${lines.map((line) => `<p>${line}</p>`).join('')}</body>`
}

const colour = /^\s*(\d{1,3}), (\d{1,3}), (\d{1,3})\s*$/

/** A value of an attribute: colours become `#rrggbb`, numbers and truth values are typed. */
export function propertyValue(text: string): PropertyValue {
  const rgb = colour.exec(text)
  if (rgb !== null)
    return `#${rgb
      .slice(1)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

/** The text of an attribute for a value. */
export function attributeText(value: PropertyValue): string {
  if (typeof value !== 'string') return String(value)
  const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value)
  return rgb === null
    ? value
    : rgb
        .slice(1)
        .map((part) => Number.parseInt(part, 16))
        .join(', ')
}
