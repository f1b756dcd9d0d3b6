/** Patterns in which `*` matches any characters. */

/** A test for texts that match a pattern as a whole; case counts. Its work grows in line with the text. */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return (text) => text === pattern
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of parts) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}

/** A test against several patterns; one match is enough. */
export function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const tests = patterns.map(wildcard)
  return (text) => tests.some((test) => test(text))
}
