/** The operations that index a project and search it. What they do is loaded on first use. */
import { command, get, noInput, type Operation, post, query } from '../../../core/index.ts'
import { requireProject } from '../project.ts'

const index = command({
  id: 'projects.index',
  title: 'Index the project for search and navigation',
  description: 'Builds the index that `GET /api/projects/search` answers from, anew from the present content.',
  input: noInput,
  output: (t) =>
    t.Object({
      entries: t.Integer(),
      counts: t.Record(t.String(), t.Integer(), { description: 'Entries by kind.' }),
      indexedAt: t.DateTime(),
    }),
  http: [post('/api/projects/actions/index'), post('/api/projects/actions/index-async', 'async')],
  mcp: { toolset: 'projects' },
  needsInstance: true,
  async run(_input, ctx) {
    const project = requireProject(ctx)
    const [{ indexProject }, { iso }] = await Promise.all([import('./search.ts'), import('../overview.ts')])
    const { entries, counts, indexedAt } = await indexProject(ctx, project)
    return { entries, counts, indexedAt: iso(indexedAt) }
  },
})

const search = query({
  id: 'projects.search',
  title: 'Search the indexed project by names and text',
  description:
    'Finds devices, blocks, types, tags by words, beginnings of words, and with a slip in a word. `stale`: the content has changed since it was indexed.',
  input: (t) =>
    t.Object({
      q: t.String({ minLength: 1, maxLength: 500, description: 'Words; all must be found.' }),
      kind: t.Optional(t.String({ description: 'Only entries of this kind, e.g. block.' })),
      deviceName: t.Optional(t.String()),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default: 50.' })),
      cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      results: t.Array(
        t.Object({
          kind: t.String(),
          name: t.String(),
          device: t.Optional(t.String()),
          path: t.Optional(t.String()),
          score: t.Number(),
        }),
      ),
      total: t.Integer({ description: 'Entries that were found, on all pages.' }),
      nextCursor: t.Optional(t.String()),
      indexedAt: t.DateTime(),
      stale: t.Boolean(),
    }),
  http: [get('/api/projects/search')],
  mcp: { toolset: 'projects', essential: true },
  aliases: { q: ['query', 'text'], deviceName: ['device'] },
  async run(input, ctx) {
    const project = requireProject(ctx)
    const [{ searchProject }, { iso }] = await Promise.all([import('./search.ts'), import('../overview.ts')])
    const { indexedAt, ...found } = await searchProject(ctx, project, input)
    return { ...found, indexedAt: iso(indexedAt) }
  },
})

export const searchOperations: readonly Operation[] = [index, search]
