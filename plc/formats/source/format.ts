/** Formats whole sources, and only those that can be read: the structure of any others would be a guess. */
import { type FormatOptions, type Formatted, formatScl } from '../../languages/scl/format.ts'
import { lex } from '../../languages/scl/lexer.ts'
import { parseScl } from '../../languages/scl/parser.ts'
import { lastTrivia, TokenKind, tokenText } from '../../languages/scl/tokens.ts'
import { LineIndex } from '../../model/fault.ts'
import { codeFaults } from './code-faults.ts'
import { readSource } from './read.ts'

const beginnings: ReadonlySet<string> = new Set([
  'FUNCTION',
  'FUNCTION_BLOCK',
  'ORGANIZATION_BLOCK',
  'DATA_BLOCK',
  'TYPE',
  'NAMESPACE',
])

/**
 * Formats a source, or statements alone. A text that cannot be parsed is returned as it is, with the faults; see
 * `formatScl` for the style.
 */
export function formatSource(text: string, options: FormatOptions = {}): Formatted {
  const formatted = formatScl(text, options)
  if (formatted.faults.length > 0) return formatted
  const faults = isStatements(text) ? statementFaults(text) : sourceFaults(text)
  return faults.length > 0 ? { text, changed: false, faults } : formatted
}

function sourceFaults(text: string) {
  const { blocks, faults } = readSource(text)
  return [...faults, ...codeFaults(text, blocks)]
    .sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
    .map(({ line = 1, column = 1, message }) => ({ line, column, message }))
}

function statementFaults(text: string) {
  const places = new LineIndex(text)
  return parseScl(text).diagnostics.map(({ start, message }) => ({ ...places.at(start), message }))
}

/** A text that does not begin as a source does. */
function isStatements(text: string): boolean {
  const tokens = lex(text)
  let first = 0
  while (first < tokens.count && (tokens.kind[first]! <= lastTrivia || tokens.kind[first] === TokenKind.Pragma)) first++
  return first >= tokens.count || !beginnings.has(tokenText(tokens, first).toUpperCase())
}
