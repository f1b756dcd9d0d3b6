/** Full-text search over operations, for `find_operations` and `gantry operations`. */
import type MiniSearch from 'minisearch'
import type { Operation } from '../operation.ts'
import { toolsetOf } from './catalogue.ts'

interface Entry {
  readonly id: string
  readonly words: string
  readonly title: string
  readonly description: string
  readonly toolset: string
}

const indexes = new WeakMap<readonly Operation[], Promise<MiniSearch<Entry>>>()

/**
 * Operations that match the words, the best first. A word also matches words that begin with it or differ by a letter
 * or two.
 */
export async function searchOperations(operations: readonly Operation[], query: string): Promise<Operation[]> {
  let index = indexes.get(operations)
  if (!index) {
    index = makeIndex(operations)
    indexes.set(operations, index)
  }
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const found = (await index).search(query)
  return found.flatMap(({ id }) => byId.get(id as string) ?? [])
}

async function makeIndex(operations: readonly Operation[]): Promise<MiniSearch<Entry>> {
  const { default: Search } = await import('minisearch')
  const index = new Search<Entry>({
    idField: 'id',
    fields: ['words', 'title', 'description', 'toolset'],
    searchOptions: {
      boost: { words: 3, title: 4, toolset: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(
    operations.map((operation) => ({
      id: operation.id,
      words: operation.id.replace(/[.-]/g, ' '),
      title: operation.title,
      description: operation.description ?? '',
      toolset: toolsetOf(operation),
    })),
  )
  return index
}
