/**
 * XML that is only read, as a tree with lines: fast-xml-parser, closed and bounded. No DTD, no entities but the five of
 * XML and character references. This module loads fast-xml-parser: import it (and what uses it) lazily.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { hasForbiddenCharacters } from '../../../lib/xml-text.ts'
import { type FaultCode, FormatError, LineIndex } from '../../model/fault.ts'

/** An element. Names are as written, with a prefix if there is one. */
export interface XmlNode {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Child elements and texts in their order; white space between elements is left out. */
  readonly content: readonly (XmlNode | string)[]
  /** Line of its start tag, from 1. */
  readonly line: number
}

/** Bounds of a document. */
export interface XmlBounds {
  /** Characters. */
  readonly maxLength: number
  /** Levels of nested elements. */
  readonly maxDepth: number
}

/** Far above any real AML or GSDML file (the largest seen has 700 kB, 15 levels). */
const defaultBounds: XmlBounds = { maxLength: 128 * 1024 * 1024, maxDepth: 200 }

/**
 * Parses a document (with or without byte order mark).
 * @throws FormatError with one fault (`xml-syntax`, `xml-doctype`, `xml-limit`, `xml-reference`) and its line
 */
export function readXml(document: string, bounds: XmlBounds = defaultBounds): XmlNode {
  const text = document.replace(/^\uFEFF/, '')
  if (text.length > bounds.maxLength)
    throw faultAt('xml-limit', `the document has ${text.length} characters, at most ${bounds.maxLength} are read`)
  const valid = validate(text)
  if (valid !== undefined) throw faultAt('xml-syntax', `malformed XML: ${valid.message}`, valid.line, valid.column)
  const lines = new LineIndex(text)
  const declared = doctypeAt(text)
  if (declared >= 0) {
    const { line, column } = lines.at(declared)
    throw faultAt(
      'xml-doctype',
      'a document type declaration (DTD) is not allowed: it could define entities',
      line,
      column,
    )
  }
  const roots = parse(text, bounds.maxDepth)
    .map((node) => nodeOf(node, lines, 1))
    .filter((node) => typeof node !== 'string')
  const [root, second] = roots
  if (root === undefined) throw faultAt('xml-syntax', 'the document has no root element')
  if (second) throw faultAt('xml-syntax', `a second root element, ${second.name}; a document has one`, second.line)
  return root
}

/** The text directly in an element. */
export function textOf({ content }: XmlNode): string {
  return content.filter((one) => typeof one === 'string').join('')
}

/** The child elements of a name; without a name all. */
export function childrenOf({ content }: XmlNode, name?: string): XmlNode[] {
  return content.filter((one) => typeof one !== 'string').filter((one) => name === undefined || one.name === name)
}

/** The first child element of a name. */
export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return node.content.find((one) => typeof one !== 'string' && one.name === name) as XmlNode | undefined
}

function faultAt(code: FaultCode, message: string, line = 1, column = 1): FormatError {
  return new FormatError([{ code, message, line, column }])
}

function validate(text: string): { message: string; line: number; column: number } | undefined {
  const result = XMLValidator.validate(text)
  if (result === true) return undefined
  const { msg, line, col } = result.err
  return { message: msg, line: line || 1, column: col || 1 }
}

/** Offset of a DTD, or -1. Comments and CDATA sections may have the word. */
function doctypeAt(text: string): number {
  for (let at = text.indexOf('<!'); at >= 0; at = text.indexOf('<!', at + 2)) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<![CDATA[', at) ? ']]>' : undefined
    if (end === undefined) return at
    const closed = text.indexOf(end, at)
    if (closed < 0) return -1
    at = closed
  }
  return -1
}

/** What fast-xml-parser gives with `preserveOrder`: one key, the element's name, beside its attributes. */
type Parsed = Readonly<Record<string, unknown>>

// A symbol; the type of an index knows only text.
const metaData = XMLParser.getMetaDataSymbol() as unknown as string

function parse(text: string, maxNestedTags: number): Parsed[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    processEntities: false,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    captureMetaData: true,
    cdataPropName: '#cdata',
    ignoreDeclaration: true,
    ignorePiTags: true,
    jPath: false,
    maxNestedTags,
  })
  try {
    return parser.parse(text) as Parsed[]
  } catch (error) {
    const { message } = error as Error
    const isDepth = /nested tags/i.test(message)
    throw faultAt(
      isDepth ? 'xml-limit' : 'xml-syntax',
      isDepth ? `elements are nested deeper than ${maxNestedTags} levels` : message,
    )
  }
}

function nodeOf(parsed: Parsed, lines: LineIndex, parentLine: number): XmlNode | string {
  const name = Object.keys(parsed).find((key) => key !== ':@') ?? ''
  const value = parsed[name]
  if (name === '#text') return decode(String(value), parentLine)
  if (name === '#cdata') return (value as Parsed[]).map((one) => String(one['#text'] ?? '')).join('')
  const { startIndex = 0 } = (parsed[metaData] ?? {}) as { startIndex?: number }
  const { line } = lines.at(startIndex)
  const attributes: Record<string, string> = {}
  for (const [key, text] of Object.entries((parsed[':@'] ?? {}) as Record<string, string>))
    attributes[key] = decode(String(text), line)
  const all = (value as Parsed[]).map((one) => nodeOf(one, lines, line))
  const isMixed = all.some((one) => typeof one !== 'string')
  const content = isMixed ? all.filter((one) => typeof one !== 'string' || one.trim() !== '') : all
  return { name, attributes, content, line }
}

const predefined: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Resolves the five entities of XML and character references (XML 1.0, 4.1 and 4.6). */
function decode(text: string, line: number): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&\s]{0,40});?/g, (whole, name: string) => {
    const known = predefined[name]
    if (known !== undefined && whole.endsWith(';')) return known
    const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
    const code = hex !== undefined ? Number.parseInt(hex, 16) : decimal === undefined ? Number.NaN : Number(decimal)
    const character = code <= 0x10ffff && whole.endsWith(';') ? String.fromCodePoint(code) : undefined
    if (character !== undefined && !hasForbiddenCharacters(character)) return character
    throw faultAt('xml-reference', `"${whole}" is not an entity of XML or a character reference`, line)
  })
}
