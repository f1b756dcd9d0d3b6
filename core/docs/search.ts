/** Full-text search in the manual. The first search builds the index. */
import type MiniSearch from 'minisearch'
import type { Registry } from '../plugins/registry.ts'
import { type Section, sectionsOf } from './manual.ts'

/** A hit, as clients of this API family read it (docs/design.md#field-names). */
export interface Hit {
  readonly section: string
  readonly title: string
  readonly snippet: string
  /** Path of the place in the browser's manual. */
  readonly url: string
  /** 1 for the best hit, less for the others. */
  readonly relevance: number
}

interface Passage {
  readonly id: number
  readonly section: string
  readonly part: Section['part']
  readonly title: string
  readonly heading: string
  readonly url: string
  readonly text: string
}

interface Index {
  readonly passages: readonly Passage[]
  readonly search: MiniSearch<Passage>
}

/** Who searches mostly wants to use Gantry: of equal hits those in the guide come first. */
const weights: Readonly<Record<Section['part'], number>> = { Guide: 1.5, Reference: 1.2, Background: 1 }

/** Characters of a snippet. */
const snippetLength = 240

const indexes = new WeakMap<Registry, Promise<Index>>()

/** Searches all sections; the best passages of each section (one unless told), best first. */
export async function searchManual(registry: Registry, q: string, limit: number, ofSection = 1): Promise<Hit[]> {
  let index = indexes.get(registry)
  if (!index) {
    index = buildIndex(registry)
    // A page that could not be made must not break every later search.
    index.catch(() => indexes.delete(registry))
    indexes.set(registry, index)
  }
  const { passages, search } = await index
  const options = {
    boost: { heading: 3, title: 2 },
    boostDocument: (id: unknown) => weights[passages[id as number]!.part],
    prefix: true,
    fuzzy: 0.2,
  }
  const results = search.search(q, { ...options, combineWith: 'AND' })
  const found = results.length > 0 ? results : search.search(q, options)
  const hits: Hit[] = []
  const counts = new Map<string, number>()
  const best = found[0]?.score ?? 1
  for (const { id, score, terms } of found) {
    const passage = passages[id as number]!
    const taken = counts.get(passage.section) ?? 0
    if (taken === ofSection) continue
    counts.set(passage.section, taken + 1)
    hits.push({
      section: passage.section,
      title: passage.heading === passage.title ? passage.title : `${passage.title}: ${passage.heading}`,
      snippet: snippetOf(passage, terms),
      url: passage.url,
      relevance: Math.round((score / best) * 1000) / 1000,
    })
    if (hits.length === limit) break
  }
  return hits
}

async function buildIndex(registry: Registry): Promise<Index> {
  const [{ default: MiniSearchClass }, { passagesOf }] = await Promise.all([
    import('minisearch'),
    import('./markdown.ts'),
  ])
  const passages: Passage[] = []
  for (const section of sectionsOf(registry)) {
    const page = `/docs/${encodeURIComponent(section.name)}`
    for (const { heading, anchor, depth, text } of passagesOf(await section.text())) {
      passages.push({
        id: passages.length,
        section: section.name,
        part: section.part,
        title: section.title,
        heading,
        url: depth === 1 ? page : `${page}#${anchor}`,
        text,
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
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/```\w*|[`*|]|-{3,}|[\u2500-\u25ff]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain === '') return heading
  const lower = plain.toLowerCase()
  const at = Math.min(...terms.map((term) => lower.indexOf(term)).map((i) => (i < 0 ? plain.length : i)))
  const start = at >= plain.length ? 0 : Math.max(0, plain.lastIndexOf(' ', Math.max(0, at - 60)) + 1)
  const end = start + snippetLength
  return `${start > 0 ? '… ' : ''}${plain.slice(start, end).trim()}${end < plain.length ? ' …' : ''}`
}
