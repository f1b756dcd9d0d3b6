/**
 * The comment line of Gantry: `// Gantry { Name := 'value'; … }`. Before a block, or before the statements of a
 * network, it says what external sources and SIMATIC SD have no word for. Engineering tools skip it, as any comment
 * (docs/formats.md#external-sources).
 */

import { lex } from '../../languages/scl/lexer.ts'
import { lastTrivia, TokenKind, type TokenList, tokenText } from '../../languages/scl/tokens.ts'
import type { ObjectAttribute } from '../../model/object.ts'
import { parsePragma, pragmaLiteral } from './pragma.ts'

const form = /^\/\/\s*Gantry\s*(\{.*\})\s*$/i

/** Whether a comment is such a line. */
export function isGantryLine(comment: string): boolean {
  return form.test(comment)
}

/** Returns what a comment says, when it is such a line. */
export function entriesOfLine(comment: string): ObjectAttribute[] | undefined {
  const entries = form.exec(comment)?.[1]
  return entries === undefined ? undefined : parsePragma(entries)
}

/** Returns the line, without a line end. The lines of a value are entries of the same name. */
export function gantryLine(entries: readonly ObjectAttribute[]): string {
  const said = entries.flatMap(({ name, value }) =>
    value.split(/\r\n?|\n/).map((line) => `${name} := ${pragmaLiteral(line)}`),
  )
  return `// Gantry { ${said.join('; ')} }`
}

/** Returns the value of a name; several entries of it are lines of one text. */
export function valueOfLine(entries: readonly ObjectAttribute[], name: string): string | undefined {
  const own = entries.filter((entry) => entry.name.toLowerCase() === name.toLowerCase())
  return own.length === 0 ? undefined : own.map(({ value }) => value).join('\n')
}

/** Finds the nearest line between the token `keyword`, which begins a block, and what is before the block. */
export function gantryLineBefore(
  tokens: TokenList,
  keyword: number,
): { readonly entries: readonly ObjectAttribute[]; readonly token: number } | undefined {
  for (let token = keyword - 1; token >= 0; token--) {
    const kind = tokens.kind[token] as number
    if (kind > lastTrivia && kind !== TokenKind.Pragma) return undefined
    const entries = kind === TokenKind.LineComment ? entriesOfLine(tokenText(tokens, token)) : undefined
    if (entries !== undefined) return { entries, token }
  }
  return undefined
}

/**
 * Returns the source text of a block with the entries in its line: in place of those of the same names, if it has any.
 */
export function withGantryLine(text: string, blockKeyword: number, entries: readonly ObjectAttribute[]): string {
  const tokens = lex(text)
  let keyword = 0
  while (keyword < tokens.count && tokens.keyword[keyword] !== blockKeyword) keyword++
  if (keyword === tokens.count) return text
  const present = gantryLineBefore(tokens, keyword)
  const isReplaced = (name: string): boolean => entries.some((one) => one.name.toLowerCase() === name.toLowerCase())
  const line = gantryLine([...entries, ...(present?.entries.filter(({ name }) => !isReplaced(name)) ?? [])])
  if (present !== undefined)
    return text.slice(0, tokens.start[present.token]) + line + text.slice(tokens.start[present.token + 1] as number)
  const at = tokens.start[keyword] as number
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return `${text.slice(0, at)}${line}${eol}${text.slice(at)}`
}
