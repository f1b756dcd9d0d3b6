/** Builds the search index of a project, on the engine: a large program takes seconds. */
import type { EngineTask } from '../../core/index.ts'
import type { SearchEntry } from './project-section.ts'

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

/** Options of a query: all words must match, also as prefixes and with one typing error; the name counts most. */
export const queryOptions = {
  boost: { name: 4, path: 1.5 },
  prefix: true,
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  combineWith: 'AND' as const,
  processTerm: (term: string) => term.toLowerCase(),
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
