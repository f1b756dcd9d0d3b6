/** How deep a YAML text is nested, found without recursion: the readers of YAML call themselves for each level. */
import { Lexer, Parser } from 'yaml'

/** Deepest nesting that is read. */
export const deepestYaml = 50

/** What a text that is nested deeper is refused with. */
export const yamlTooDeep = `lists and mappings are nested deeper than ${deepestYaml} levels`

/** The offset of the first list or mapping that is nested too deep; `undefined` when there is none. */
export function tooDeepInYaml(text: string): number | undefined {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset
    // Only running the parser moves it on: what it gives is not needed.
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > deepestYaml + 1) return at
  }
  return undefined
}
