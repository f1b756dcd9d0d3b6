/** Names of the whole program, as people look for them. */
import { compareTexts } from '../../lib/compare-texts.ts'
import type { Declared } from './declared.ts'
import type { ProgramFiles } from './program.ts'

/** A name that is declared. */
export interface WorkspaceSymbol {
  readonly declared: Declared
  /** The block or type that it is a member of. */
  readonly container?: string
}

/** Longer lists help nobody, and slow editors down. */
const mostSymbols = 500

/**
 * Blocks, types, tags and constants whose names are like a query, and members when it is not empty: equal names first,
 * then those that begin with it, contain it, and have its letters in this order. Case is ignored.
 */
export function symbolsLike(files: ProgramFiles, query: string): WorkspaceSymbol[] {
  const wanted = query.replace(/[#"]/g, '').toUpperCase()
  const found: { readonly rank: number; readonly symbol: WorkspaceSymbol }[] = []
  const add = (declared: Declared, container?: string) => {
    const rank = likeness(declared.name.toUpperCase(), wanted)
    const symbol = container === undefined ? { declared } : { declared, container }
    if (rank !== undefined) found.push({ rank: rank + (container === undefined ? 0 : 0.5), symbol })
  }
  for (const object of files.everyObject()) {
    add(object)
    if (wanted !== '') for (const member of object.members) add(member, object.name)
  }
  return found
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        compareTexts(a.symbol.declared.name, b.symbol.declared.name) ||
        compareTexts(a.symbol.container ?? '', b.symbol.container ?? ''),
    )
    .slice(0, mostSymbols)
    .map(({ symbol }) => symbol)
}

/** How like a name is to a query, 0: equal; undefined: it is not. */
function likeness(name: string, wanted: string): number | undefined {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  let at = 0
  for (const letter of wanted) {
    at = name.indexOf(letter, at) + 1
    if (at === 0) return undefined
  }
  return 3
}
