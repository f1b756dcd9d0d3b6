/** Search over the open project. */
import type { default as MiniSearch, SearchOptions } from 'minisearch'
import { type CommandContext, notFound, problem, type QueryContext, rankedPage } from '../../../core/index.ts'
import { type Project, type ProjectIndex, projectIndex, projectIndexed, projectKey } from '../project.ts'
import { projectSection, type SearchEntry } from '../project-section.ts'
import { buildIndexTask, queryOptions, searchOptions, transposed } from './search.task.ts'

/** Builds the index anew from all parts. */
export async function indexProject(ctx: CommandContext, project: Project): Promise<ProjectIndex> {
  const entries: SearchEntry[] = []
  const parts = ctx.extensions(projectSection)
  for (const [i, part] of parts.entries()) {
    ctx.signal.throwIfAborted()
    ctx.progress((50 * i) / parts.length, `Reading ${part.name}`)
    if (part.search) entries.push(...(await part.search(ctx)))
  }
  const counts: Record<string, number> = {}
  for (const { kind } of entries) counts[kind] = (counts[kind] ?? 0) + 1
  const blob = await ctx.blobs.put(await ctx.engine.run<string>(buildIndexTask(entries)))
  const index = { blob, indexedAt: ctx.now, revision: project.revision, entries: entries.length, counts }
  ctx.emit(projectIndexed, index, `project/${project.name}`)
  return index
}

/** The results of a search, best first. */
export interface SearchResult extends Pick<SearchEntry, 'kind' | 'name' | 'device' | 'path'> {
  readonly score: number
}

/** The index last used: loading one takes longer than searching it. */
let loaded: { readonly blob: string; readonly index: MiniSearch } | undefined

/**
 * Searches the index.
 * @throws GatewayError `conflict` when the project was not indexed; `invalid_input` for a kind and `not_found` for a
 *   device that there is not
 */
export async function searchProject(
  ctx: QueryContext,
  project: Project,
  wanted: {
    readonly q: string
    readonly kind?: string
    readonly deviceName?: string
    readonly limit?: number
    readonly cursor?: string
  },
) {
  const index = ctx.read(projectIndex).get(projectKey)
  if (!index) {
    throw problem('conflict', `Project "${project.name}" has not been indexed since it was opened.`, {
      suggestion: 'POST /api/projects/actions/index',
    })
  }
  if (loaded?.blob !== index.blob) {
    const { default: Library } = await import('minisearch')
    const text = await ctx.blobs.text(index.blob)
    loaded = { blob: index.blob, index: await Library.loadJSONAsync(text, searchOptions) }
  }
  const kind = wanted.kind === undefined ? undefined : knownKind(ctx, index, wanted.kind)
  const device = wanted.deviceName?.toLowerCase()
  const options: SearchOptions = {
    ...queryOptions,
    filter: (hit) =>
      (kind === undefined || hit.kind === kind) &&
      (device === undefined || String(hit.device).toLowerCase() === device),
  }
  const found = loaded.index.search(wanted.q, options)
  const hits = found.length > 0 ? found : loaded.index.search(transposed(wanted.q), options)
  if (hits.length === 0 && wanted.deviceName !== undefined) await requireIndexed(ctx, loaded.index, wanted.deviceName)
  const { limit = 50, cursor } = wanted
  const { page, ...rest } = rankedPage(hits, { limit, cursor }, index.blob.slice('sha256:'.length).slice(0, 12))
  const results = page.map(
    (hit): SearchResult => ({
      kind: hit.kind as string,
      name: hit.name as string,
      ...(hit.device === undefined ? {} : { device: hit.device as string }),
      ...(hit.path === undefined ? {} : { path: hit.path as string }),
      score: Math.round(hit.score * 100) / 100,
    }),
  )
  return { results, ...rest, indexedAt: index.indexedAt, stale: index.revision !== project.revision }
}

/** The kind in its own spelling. @throws GatewayError `invalid_input` for one that no part of a project has */
function knownKind(ctx: QueryContext, { counts }: ProjectIndex, wanted: string): string {
  const ofParts = ctx.extensions(projectSection).flatMap(({ searchKinds = [] }) => searchKinds)
  const allowed = [...new Set([...ofParts, ...Object.keys(counts)])].sort()
  const found = allowed.find((one) => one.toLowerCase() === wanted.toLowerCase())
  if (found !== undefined) return found
  const message = `must be one of ${allowed.join(', ')}`
  throw problem('invalid_input', `/kind: "${wanted}" ${message}.`, {
    errors: [{ path: '/kind', message, value: wanted, allowed }],
  })
}

/** @throws GatewayError `not_found` for a device that is neither in the project nor in its index */
async function requireIndexed(ctx: QueryContext, index: MiniSearch, wanted: string): Promise<void> {
  const { default: Library } = await import('minisearch')
  const indexed = index.search(Library.wildcard, { filter: ({ kind }) => kind === 'device' })
  const present = ctx.extensions(projectSection).flatMap((part) => part.listDevices?.(ctx) ?? [])
  const names = [...new Set([...present.map(({ name }) => name), ...indexed.map(({ name }) => String(name))])]
  if (!names.some((name) => name.toLowerCase() === wanted.toLowerCase())) throw notFound('device', wanted, names)
}
