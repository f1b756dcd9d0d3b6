/** Bodies of blocks in external sources: their text without the layout of the file, and STL networks. */

import type { Network } from '../model/object.ts'
import { Keyword } from '../scl/keywords.ts'
import { LAST_TRIVIA, TokenKind, type TokenList, tokenText } from '../scl/tokens.ts'
import { commentText, isComment } from './cursor.ts'
import { textIn } from './declarations.ts'

/**
 * The statements of a body: line ends as LF, without the line breaks that part it from BEGIN and END, and without
 * the TAB that TIA Portal puts before every line (formats.md section 5) when every line has it.
 */
export function codeOfBody(body: string): string {
  const text = body.replace(/\r\n?/g, '\n')
  // A regular expression with an open end (/[ \t]*$/) would look again from every blank.
  let start = 0
  while (text[start] === ' ' || text[start] === '\t') start++
  start = text[start] === '\n' ? start + 1 : 0
  let end = text.length
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  end = end > start && text[end - 1] === '\n' ? end - 1 : text.length
  const lines = text.slice(start, end).split('\n')
  const indented = lines.every((line) => line.startsWith('\t'))
  return indented ? lines.map((line) => line.slice(1)).join('\n') : lines.join('\n')
}

/** The body that `codeOfBody` reads as `code`, laid out as TIA Portal writes it. */
export function bodyOfCode(code: string): string {
  return `\n\t${code.replace(/\r\n?/g, '\n').replace(/\n/g, '\n\t')}\n`
}

/** Whether the first word behind BEGIN is NETWORK: the block is written in STL. */
export function isStatementList(tokens: TokenList, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    if ((tokens.kind[i] as number) <= LAST_TRIVIA) continue
    return tokens.keyword[i] === Keyword.NETWORK
  }
  return false
}

/** Networks of an STL body; tokens `from .. to` (exclusive) are the body. */
export function statementNetworks(tokens: TokenList, from: number, to: number, culture: string): Network[] {
  const networks: Network[] = []
  const starts: number[] = []
  for (let i = from; i < to; i++) if (tokens.keyword[i] === Keyword.NETWORK && opensLine(tokens, i)) starts.push(i)
  for (let n = 0; n < starts.length; n++) {
    const first = (starts[n] as number) + 1
    const last = starts[n + 1] ?? to
    networks.push(statementNetwork(tokens, first, last, n + 1, culture))
  }
  return networks
}

/** Whether only white space stands before the token on its line. */
export function opensLine(tokens: TokenList, index: number): boolean {
  for (let i = index - 1; i >= 0; i--) {
    const kind = tokens.kind[i]
    if (kind === TokenKind.NewLine) return true
    if (kind !== TokenKind.Whitespace) return false
  }
  return true
}

function statementNetwork(tokens: TokenList, from: number, to: number, number: number, culture: string): Network {
  let at = from
  let title = ''
  const comments: string[] = []
  const skipBlank = (): void => {
    while (at < to && (tokens.kind[at] === TokenKind.Whitespace || tokens.kind[at] === TokenKind.NewLine)) at++
  }
  skipBlank()
  if (at < to && tokens.kind[at] === TokenKind.Identifier && tokenText(tokens, at).toUpperCase() === 'TITLE') {
    while (at < to && tokens.kind[at] !== TokenKind.NewLine) {
      if (tokens.kind[at] === TokenKind.Text) title = tokenText(tokens, at)
      at++
    }
    skipBlank()
    // Comment lines directly behind the title are the network's comment.
    while (at < to && isComment(tokens.kind[at] as number)) {
      comments.push(commentText(tokens.kind[at] as number, tokenText(tokens, at)))
      at++
      skipBlank()
    }
  }
  // Statements begin at the start of their line.
  while (at > from && tokens.kind[at - 1] === TokenKind.Whitespace) at--
  const text = tokens.text.slice(tokens.start[at], tokens.start[to]).replace(/\r\n?/g, '\n').trimEnd()
  return {
    number,
    title: textIn(culture, title),
    comment: textIn(culture, comments.join('\n')),
    language: 'STL',
    parts: [],
    text,
  }
}
