/** Full-text search in the manual. The first search builds the index. */
import type MiniSearch from 'minisearch'
import type { Registry } from '../registry.ts'
import { sectionsOf } from './manual.ts'

/** A hit, as clients of this API family read it (docs/design.md#field-names). */
export interface Hit {
  readonly section: string
  readonly title: string
  readonly snippet: string
  /** 1 for the best hit, less for the others. */
  readonly relevance: number
}

interface Passage {
  readonly id: number
  readonly section: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

interface Index {
  readonly passages: readonly Passage[]
  readonly search: MiniSearch<Passage>
}

/** Characters of a snippet. */
const snippetLength = 240

const indexes = new WeakMap<Registry, Promise<Index>>()

/** Searches all sections; the best passage of each section, best section first. */
export async function searchManual(registry: Registry, q: string, limit: number): Promise<Hit[]> {
  let index = indexes.get(registry)
  if (!index) {
    index = buildIndex(registry)
    // A page that could not be made must not break every later search.
    index.catch(() => indexes.delete(registry))
    indexes.set(registry, index)
  }
  const { passages, search } = await index
  const results = search.search(q, { boost: { heading: 3, title: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' })
  const found =
    results.length > 0 ? results : search.search(q, { boost: { heading: 3, title: 2 }, prefix: true, fuzzy: 0.2 })
  const hits: Hit[] = []
  const best = found[0]?.score ?? 1
  for (const { id, score, terms } of found) {
    const passage = passages[id as number]!
    if (hits.some((hit) => hit.section === passage.section)) continue
    hits.push({
      section: passage.section,
      title: passage.heading === passage.title ? passage.title : `${passage.title}: ${passage.heading}`,
      snippet: snippetOf(passage, terms),
      relevance: Math.round((score / best) * 1000) / 1000,
    })
    if (hits.length === limit) break
  }
  return hits
}

async function buildIndex(registry: Registry): Promise<Index> {
  const { default: MiniSearchClass } = await import('minisearch')
  const passages: Passage[] = []
  for (const section of sectionsOf(registry)) {
    for (const part of (await section.text()).split(/^(?=##? )/m)) {
      const [first = '', ...rest] = part.split('\n')
      const heading = first.replace(/^#+ /, '')
      passages.push({
        id: passages.length,
        section: section.name,
        title: section.title,
        heading,
        text: rest.join('\n').trim(),
      })
    }
  }
  const search = new MiniSearchClass<Passage>({ fields: ['heading', 'title', 'text'], storeFields: [] })
  search.addAll(passages)
  return { passages, search }
}

/** The part of a passage around the first matching word. */
function snippetOf({ heading, text }: Passage, terms: readonly string[]): string {
  const plain = text
    .replace(/```\w*|[`*|]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return heading
  const lower = plain.toLowerCase()
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).map((i) => (i < 0 ? plain.length : i)))
  const start = at >= plain.length ? 0 : Math.max(0, plain.lastIndexOf(' ', Math.max(0, at - 60)) + 1)
  const end = start + snippetLength
  return `${start > 0 ? '… ' : ''}${plain.slice(start, end).trim()}${end < plain.length ? ' …' : ''}`
}
