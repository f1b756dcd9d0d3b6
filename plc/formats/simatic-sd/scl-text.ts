/**
 * Statements of an SCL network as they appear in a `.s7dcl` file: indented with the block (docs/formats.md#simatic-sd).
 */

/**
 * Returns the statements without the line break after NETWORK, the indentation of the file and the line of END_NETWORK.
 */
export function withoutIndentation(body: string): string {
  const lines = body.replace(/\r\n?/g, '\n').split('\n')
  const last = lines.pop() ?? ''
  if (lines.length === 0) return last.trim()
  if (lines[0]?.trim() === '') lines.shift()
  // TIA Portal indents statements by one level more than END_NETWORK.
  const usual = `${/^\s*/.exec(last)?.[0] ?? ''}    `
  const filled = lines.filter((line) => line.trim() !== '')
  const indent = filled.every((line) => line.startsWith(usual)) ? usual.length : commonIndent(filled)
  return lines
    .map((line) => (line.trim() === '' ? line.slice(Math.min(indent, line.length)) : line.slice(indent)))
    .join('\n')
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
