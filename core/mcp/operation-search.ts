/** Search over operations by what they do, for `find_operations` and `gantry operations`. */
import type MiniSearch from 'minisearch'
import type { Operation } from '../contract/operation.ts'
import { agreement, meaningOfPhrase, termOf } from '../input/meaning.ts'
import { toolsetOf } from './catalogue.ts'

interface Entry {
  readonly id: string
  readonly words: string
  readonly title: string
  readonly asks: string
  readonly description: string
  readonly toolset: string
}

const indexes = new WeakMap<readonly Operation[], Promise<MiniSearch<Entry>>>()

/**
 * Operations that match the words, the best first: what has the words, in the order of how well its verb and its
 * subject are those asked for. Words that mean the same count as the same (`remove`, `delete`), and a word also matches
 * words that begin with it or differ by a letter or two.
 */
export async function searchOperations(operations: readonly Operation[], query: string): Promise<Operation[]> {
  let index = indexes.get(operations)
  if (!index) {
    index = makeIndex(operations)
    indexes.set(operations, index)
  }
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const asked = meaningOfPhrase(query)
  const found = (await index).search(query).flatMap(({ id, score }) => {
    const operation = byId.get(id as string)
    return operation ? [{ operation, score: score * agreement(asked, operation) }] : []
  })
  return found.sort((a, b) => b.score - a.score).map(({ operation }) => operation)
}

async function makeIndex(operations: readonly Operation[]): Promise<MiniSearch<Entry>> {
  const { default: Search } = await import('minisearch')
  const index = new Search<Entry>({
    idField: 'id',
    fields: ['words', 'title', 'asks', 'description', 'toolset'],
    processTerm: (word) => termOf(word) ?? null,
    searchOptions: {
      boost: { words: 3, title: 4, asks: 4, toolset: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  index.addAll(
    operations.map((operation) => ({
      id: operation.id,
      words: operation.id.replace(/[.-]/g, ' '),
      title: operation.title,
      asks: operation.asks?.join('; ') ?? '',
      description: operation.description ?? '',
      toolset: toolsetOf(operation),
    })),
  )
  return index
}
