/**
 * Statements of an SCL network as they appear in a `.s7dcl` file: indented with the block (docs/formats.md#simatic-sd).
 */

/** Statements, and where they are in the body of a network. */
export interface UnindentedText {
  readonly text: string
  /** Offset in the body of the first character of the text. */
  readonly at: number
  /** Characters that every line of the body has more. */
  readonly indent: number
}

/**
 * Returns the statements without the line break after NETWORK, the indentation of the file and the line of END_NETWORK.
 */
export function withoutIndentation(body: string): UnindentedText {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const last = lines.pop() ?? ''
  if (lines.length === 0) return { text: last.trim(), at: last.length - last.trimStart().length, indent: 0 }
  const isBehindLine = lines[0]?.trim() === ''
  const at = isBehindLine ? (/\r\n?|\n/.exec(body)?.[0].length ?? 0) + (lines[0] as string).length : 0
  if (isBehindLine) lines.shift()
  // TIA Portal indents statements by one level more than END_NETWORK.
  const usual = `${/^\s*/.exec(last)?.[0] ?? ''}    `
  const filled = lines.filter((line) => line.trim() !== '')
  const indent = filled.every((line) => line.startsWith(usual)) ? usual.length : commonIndent(filled)
  const text = lines
    .map((line) => (line.trim() === '' ? line.slice(Math.min(indent, line.length)) : line.slice(indent)))
    .join('\n')
  return { text, at: at + Math.min(indent, lines[0]?.length ?? 0), indent }
}

function commonIndent(lines: readonly string[]): number {
  let common: string | undefined
  for (const line of lines) {
    const own = /^[ \t]*/.exec(line)?.[0] ?? ''
    if (common === undefined) common = own
    while (!own.startsWith(common)) common = common.slice(0, -1)
  }
  return common?.length ?? 0
}
