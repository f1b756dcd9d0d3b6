/**
 * Parses XML to a light tree with positions, by saxes. Bounded and closed: no DTD, no entities except the five of XML
 * and character references, limits on size, depth and number of elements. This module loads saxes: import it (and what
 * uses it) lazily.
 */

import { SaxesParser } from 'saxes'
import { defined } from '../../../lib/optional.ts'
import { type FaultCode, FormatError, type FormatFault, LineIndex } from '../../model/fault.ts'

/** An element; names are local (a namespace prefix is removed). Offsets are UTF-16 units in the parsed text. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Character data directly inside, white space included, when there are no child elements; else ''. */
  readonly text: string
  readonly parent: XmlElement | undefined
  /** Offset of `<`. */
  readonly start: number
  /** Offset after the `>` of the start tag. */
  readonly contentStart: number
  /** Offset of the `<` of the end tag; equals `contentStart` when the element is self-closing. */
  readonly contentEnd: number
  /** Offset after the whole element. */
  readonly end: number
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
interface OpenElement extends Omit<Mutable<XmlElement>, 'children' | 'parent'> {
  children: XmlElement[]
  parent: OpenElement | undefined
}

export interface XmlLimits {
  /** Limit for the characters of a document. */
  readonly maxLength: number
  readonly maxDepth: number
  readonly maxElements: number
}

/** Far above any real export (the largest seen has 600 kB, 16 levels), far below what would overload the process. */
export const defaultLimits: XmlLimits = { maxLength: 128 * 1024 * 1024, maxDepth: 200, maxElements: 8_000_000 }

/**
 * Parses a whole document.
 * @throws FormatError with one fault (`xml-syntax`, `xml-doctype`, `xml-limit`) at the first thing that is wrong.
 */
export function parseXml(text: string, limits: XmlLimits = defaultLimits): XmlElement {
  if (text.length > limits.maxLength)
    throw fault('xml-limit', `the document has ${text.length} characters, at most ${limits.maxLength} are read`, 1, 1)
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  let current: OpenElement | undefined
  let root: OpenElement | undefined
  let depth = 0
  let elements = 0
  const stop = (code: FaultCode, message: string): never => {
    throw fault(code, message, parser.line, parser.columnIndex + 1, pathOf(current), parser.position)
  }

  parser.on('error', (error) => stop('xml-syntax', `malformed XML: ${plainMessage(error)}`))
  parser.on('doctype', () =>
    stop('xml-doctype', 'a document type declaration (DTD) is not allowed: it could define entities'),
  )
  parser.on('opentag', (tag) => {
    depth++
    elements++
    if (depth > limits.maxDepth) stop('xml-limit', `elements are nested deeper than ${limits.maxDepth} levels`)
    if (elements > limits.maxElements) stop('xml-limit', `more than ${limits.maxElements} elements`)
    const position = parser.position
    const colon = tag.name.indexOf(':')
    const element: OpenElement = {
      name: colon === -1 ? tag.name : tag.name.slice(colon + 1),
      attributes: tag.attributes,
      children: [],
      text: '',
      parent: current,
      // "<" is not allowed inside a tag, not even in attribute values.
      start: text.lastIndexOf('<', position - 1),
      contentStart: position,
      contentEnd: position,
      end: position,
    }
    if (current === undefined) root = element
    else current.children.push(element)
    current = element
  })
  parser.on('closetag', (tag) => {
    depth--
    const element = current as OpenElement
    element.end = parser.position
    element.contentEnd = tag.isSelfClosing ? element.contentStart : text.lastIndexOf('<', parser.position - 1)
    if (element.children.length > 0) element.text = ''
    current = element.parent
  })
  const addText = (value: string): void => {
    if (current !== undefined && current.children.length === 0) current.text += value
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  if (root === undefined) throw fault('xml-syntax', 'the document has no root element', 1, 1)
  return root
}

/** saxes puts "line:column: " before its messages. */
function plainMessage(error: Error): string {
  return error.message.replace(/^(?:\d+:\d+: )/, '')
}

function fault(code: FaultCode, message: string, line: number, column: number, path?: string, offset?: number) {
  const entry: FormatFault = {
    code,
    message,
    line,
    column,
    ...(path === undefined || path === '' ? {} : { path }),
    ...defined({ offset }),
  }
  return new FormatError([entry])
}

/** `/Document/SW.Blocks.FB[1]/AttributeList`: names from the root, numbered where a name repeats. */
export function pathOf(element: Pick<XmlElement, 'name' | 'parent' | 'children'> | undefined): string {
  const steps: string[] = []
  for (let at = element; at !== undefined; at = at.parent) {
    const { name } = at
    const twins = at.parent?.children.filter((sibling) => sibling.name === name) ?? []
    const index = twins.indexOf(at as XmlElement)
    steps.push(twins.length > 1 && index !== -1 ? `${name}[${index + 1}]` : name)
  }
  return steps.length === 0 ? '' : `/${steps.reverse().join('/')}`
}

/** First child of that name. */
export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (element === undefined) return undefined
  for (const candidate of element.children) if (candidate.name === name) return candidate
  return undefined
}

/** All children of that name, in order. */
export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element === undefined ? [] : element.children.filter((candidate) => candidate.name === name)
}

/** Text of the first child of that name; `undefined` when it is absent. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return child(element, name)?.text
}

/** Collects faults of a document with positions. */
export class XmlFaults {
  readonly faults: FormatFault[] = []
  readonly #text: string
  #lines: LineIndex | undefined

  constructor(text: string) {
    this.#text = text
  }

  add(code: FaultCode, element: XmlElement, message: string): void {
    if (this.faults.length >= 100) return
    this.#lines ??= new LineIndex(this.#text)
    this.faults.push({ code, message, ...this.#lines.at(element.start), offset: element.start, path: pathOf(element) })
  }

  /** @throws FormatError when anything was added. */
  throwIfAny(): void {
    if (this.faults.length > 0) throw new FormatError(this.faults)
  }
}
