/**
 * Stored root elements back into a SimaticML file: byte order mark, frame, IDs renumbered in document order.
 * Nothing inside the elements is interpreted, so nothing is lost. Loads saxes; import lazily.
 */

import { SaxesParser } from 'saxes'
import { encodeWithBom } from '../formats/decode.ts'
import { FormatError } from '../model/fault.ts'
import { namespacesOf, type TargetVersion, versionNumber } from './versions.ts'
import { escapeAttribute } from './xml-write.ts'

export interface WrapOptions {
  /**
   * Version in the frame, e.g. `V16` or `V14 SP1`. With `target` given it is not needed.
   */
  readonly engineeringVersion?: string
  /**
   * Rewrite for this version: namespaces of the fragments, and attributes it does not know left out (`Namespace`
   * before V18, `DBAccessibleFromWebserver` before V17; formats.md 1.3).
   */
  readonly target?: TargetVersion
}

/**
 * The file's bytes (UTF-8 with byte order mark).
 * @throws FormatError when a root element is not well-formed XML.
 */
export function wrapDocument(roots: readonly string[], options: WrapOptions = {}): Uint8Array {
  return encodeWithBom(wrapDocumentText(roots, options))
}

/** As `wrapDocument`, as text without byte order mark. */
export function wrapDocumentText(roots: readonly string[], options: WrapOptions = {}): string {
  const version = options.target ?? options.engineeringVersion
  const eol = roots[0]?.includes('\r\n') === true ? '\r\n' : '\n'
  const numbering = { next: 0 }
  const lines = ['<?xml version="1.0" encoding="utf-8"?>', '<Document>']
  if (version !== undefined) lines.push(`  <Engineering version="${escapeAttribute(version)}" />`)
  for (const root of roots) lines.push(`  ${rewrite(root, numbering, options.target)}`)
  lines.push('</Document>')
  return lines.join(eol)
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Numbers IDs (upper-case hexadecimal, formats.md 1.2) and adapts what depends on the version. */
function rewrite(root: string, numbering: { next: number }, target: TargetVersion | undefined): string {
  const replacements: Replacement[] = []
  const parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true })
  parser.on('error', (error) => {
    throw new FormatError([
      {
        code: 'xml-syntax',
        message: `stored element: ${error.message}`,
        line: parser.line,
        column: parser.columnIndex + 1,
      },
    ])
  })
  parser.on('attribute', ({ name, value }) => {
    const text = name === 'ID' ? hexId(numbering.next++) : isXmlns(name) ? namespaceFor(value, target) : undefined
    if (text === undefined || text === value) return
    // The parser stands behind the closing quote, and the value cannot hold that quote.
    const end = parser.position - 1
    const start = root.lastIndexOf(root[end] as string, end - 1) + 1
    replacements.push({ start, end, text })
  })
  if (target !== undefined) dropUnknownAttributes(parser, root, target, replacements)
  parser.write(root).close()
  let result = ''
  let at = 0
  for (const { start, end, text } of replacements) {
    result += root.slice(at, start) + text
    at = end
  }
  return result + root.slice(at)
}

function hexId(number: number): string {
  return number.toString(16).toUpperCase()
}

function isXmlns(name: string): boolean {
  return name === 'xmlns' || name.startsWith('xmlns:')
}

/** The same namespace in the target's version; unknown namespaces stay. */
function namespaceFor(namespace: string, target: TargetVersion | undefined): string | undefined {
  if (target === undefined) return undefined
  const stem = namespace.replace(/\/v\d+$/, '/')
  return Object.values(namespacesOf(target)).find((candidate) => candidate.replace(/\/v\d+$/, '/') === stem)
}

/** First version that knows an attribute of a block or type. */
const INTRODUCED: Readonly<Record<string, number>> = { Namespace: 18, DBAccessibleFromWebserver: 17 }

function dropUnknownAttributes(
  parser: SaxesParser<{ xmlns: false; position: true }>,
  root: string,
  target: TargetVersion,
  replacements: Replacement[],
): void {
  const open: { name: string; start: number }[] = []
  parser.on('opentag', ({ name }) => open.push({ name, start: root.lastIndexOf('<', parser.position - 1) }))
  parser.on('closetag', ({ name }) => {
    const element = open.pop()
    if (element === undefined || (INTRODUCED[name] ?? 0) <= versionNumber(target)) return
    // Only attributes of the object itself: <SW.Blocks.FB><AttributeList><Namespace />.
    if (open.length !== 2 || open[1]?.name !== 'AttributeList') return
    let { start } = element
    while (start > 0 && /\s/.test(root[start - 1] as string)) start--
    replacements.push({ start, end: parser.position, text: '' })
  })
}
