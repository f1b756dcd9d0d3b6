/** Checks the syntax of scripts with acorn. */
import { parse } from 'acorn'

/** The first fault of a script; lines and columns count from 1 in its source. */
export function scriptFault(
  parameters: readonly string[],
  source: string,
): { readonly message: string; readonly line: number; readonly column: number } | undefined {
  const head = `async function script(${parameters.join(', ')}) {\n`
  try {
    const { body } = parse(`${head}${source}\n}`, { ecmaVersion: 2022, sourceType: 'script' })
    // A script could close the function and go on behind it.
    if (body.length === 1 && body[0]?.type === 'FunctionDeclaration') return undefined
    return { message: 'it has more closing than opening braces', line: 1, column: 1 }
  } catch (error) {
    const { message, loc } = error as SyntaxError & { loc?: { line: number; column: number } }
    const lines = source.split('\n')
    const line = (loc?.line ?? 2) - 1
    // What lies in the function around the source is told at its begin or end.
    const place =
      line < 1
        ? { line: 1, column: 1 }
        : line > lines.length
          ? { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
          : { line, column: (loc?.column ?? 0) + 1 }
    return { message: message.replace(/ \(\d+:\d+\)$/, ''), ...place }
  }
}

/** The variables that a script names: `Tags('Data.speed')`. */
export function variablesIn(source: string): string[] {
  const names = [...source.matchAll(/\bTags\(\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)\s*\)/g)]
  return [...new Set(names.map(([, a, b, c]) => (a ?? b ?? c) as string))]
}
