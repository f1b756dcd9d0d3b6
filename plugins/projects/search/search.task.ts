/** Builds the search index of a project, on the engine: a large program takes seconds. */
import type { Query } from 'minisearch'
import type { EngineTask } from '../../../core/index.ts'
import type { SearchEntry } from '../project-section.ts'

/** Options for building and loading the index, which must be the same. */
export const searchOptions = {
  fields: ['name', 'path', 'text'],
  storeFields: ['kind', 'name', 'device', 'path'],
  processTerm: (term: string) => {
    const lower = term.toLowerCase()
    // Names are written MotorStart or motor2: their words are found too.
    const words = term.split(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u)
    return words.length > 1 ? [lower, ...words.map((word) => word.toLowerCase())] : lower
  },
}

/** Words shorter than this are searched as they are. */
const shortest = 5

/** Options of a query: all words must match, also as prefixes and with one typing error; the name counts most. */
export const queryOptions = {
  boost: { name: 4, path: 1.5 },
  prefix: true,
  fuzzy: (term: string) => (term.length >= shortest ? 0.2 : false),
  combineWith: 'AND' as const,
  processTerm: (term: string) => term.toLowerCase(),
}

/** The query with each word also as it is when two neighbouring letters change places: two errors for `fuzzy`. */
export function transposed(q: string): Query {
  const queries = q
    .split(/[\p{Z}\p{P}\p{C}]+/u)
    .filter((word) => word !== '')
    .map((word) => {
      const swapped = Array.from(
        { length: word.length < shortest ? 0 : word.length - 1 },
        (_, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
      )
      return { combineWith: 'OR' as const, queries: [word, { queries: swapped, fuzzy: false }] }
    })
  return { combineWith: 'AND', queries }
}

/** The index as JSON text. */
export async function buildIndex(input: { readonly entries: readonly SearchEntry[] }): Promise<string> {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch(searchOptions)
  index.addAll(input.entries.map((entry, id) => ({ id, ...entry })))
  return JSON.stringify(index)
}

/** The task that builds the index. */
export function buildIndexTask(entries: readonly SearchEntry[]): EngineTask {
  return { module: import.meta.url, fn: 'buildIndex', input: { entries } }
}
