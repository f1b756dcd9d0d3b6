/**
 * The marks between which a person writes in generated SCL. What is between them is kept when the block is generated
 * again:
 *
 *     // <user before>
 *     …
 *     // </user>
 */

const begin = /^[ \t]*\/\/[ \t]*<user(?:[ \t]+([\w.]+))?>[ \t]*$/
const end = /^[ \t]*\/\/[ \t]*<\/user>[ \t]*$/

/** An empty region; generated text has these. */
export function userRegion(name: string): string[] {
  return [`// <user ${name}>`, '// </user>']
}

/** What is between the marks of a text, by the names of the regions in lower case; empty ones are left out. */
export function userTexts(text: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  let name: string | undefined
  let lines: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const opened = begin.exec(line)
    if (opened) {
      name = (opened[1] ?? '').toLowerCase()
      lines = []
    } else if (name !== undefined && end.test(line)) {
      if (lines.some((one) => one.trim() !== '')) found.set(name, lines)
      name = undefined
    } else if (name !== undefined) lines.push(line)
  }
  return found
}

/** The generated text with what a person wrote; `lost` are regions that it no longer has, with their text. */
export function withUserTexts(
  generated: string,
  kept: ReadonlyMap<string, readonly string[]>,
): { text: string; kept: string[]; lost: { name: string; text: string }[] } {
  const used = new Set<string>()
  const out: string[] = []
  for (const line of generated.split('\n')) {
    out.push(line)
    const name = begin.exec(line)?.[1]?.toLowerCase()
    const lines = name === undefined ? undefined : kept.get(name)
    if (name === undefined || lines === undefined) continue
    used.add(name)
    out.push(...lines)
  }
  const lost = [...kept].filter(([name]) => !used.has(name))
  return {
    text: out.join('\n'),
    kept: [...used],
    lost: lost.map(([name, lines]) => ({ name, text: lines.join('\n').trim() })),
  }
}
