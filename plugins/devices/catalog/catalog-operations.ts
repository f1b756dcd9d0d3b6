/** The operations on the hardware catalog. It is read on first use. */
import {
  get,
  type Operation,
  post,
  type QueryContext,
  query,
  rankedPage,
  type SchemaBuilder,
} from '../../../core/index.ts'
import { catalogSource } from './catalog-source.ts'

const entryFields = (t: SchemaBuilder) => ({
  orderNumber: t.String(),
  articleNumber: t.String({ description: 'The same as orderNumber.' }),
  typeName: t.String(),
  family: t.String(),
  kind: t.String({ description: 'CPU, HMI, IM, DI, DQ, AI, AQ, CM, CP, Switch …' }),
  deviceKind: t.String({ description: 'PLC, HMI, HeadModule, IO, Drive, Switch …' }),
  typeIdentifier: t.String({ description: 'With the newest known firmware.' }),
  typeIdentifierNormalized: t.String({ description: 'Without blanks.' }),
  version: t.Optional(t.String({ description: 'Newest known firmware.' })),
  firmware: t.Array(t.String(), {
    description: 'Firmware versions seen in real projects, oldest first; others may exist.',
  }),
  pnPorts: t.Optional(t.Integer({ description: 'PROFINET ports; absent: not known.' })),
  isDevice: t.Boolean({ description: 'It can be a device of its own; false: a module that is plugged into one.' }),
  isFailsafe: t.Boolean(),
})

const orderNumber = (t: SchemaBuilder) =>
  t.String({ minLength: 1, maxLength: 200, description: 'Order number in any spelling, or a type identifier.' })
const orderNumberAliases = ['articleNumber', 'mlfb', 'MLFB', 'typeIdentifier', 'orderNo']

const find = query({
  id: 'devices.catalog-find',
  title: 'Find a catalog entry by its order number',
  description: 'Blanks, dashes and case do not matter. An unknown number is a 404 that names the nearest ones.',
  input: (t) => t.Object({ orderNumber: orderNumber(t) }),
  output: (t) =>
    t.Object({
      ...entryFields(t),
      requestedFirmware: t.Optional(t.String({ description: 'Firmware named by the type identifier.' })),
      requestedFirmwareKnown: t.Optional(t.Boolean()),
    }),
  http: [post('/api/catalog/actions/find-sync'), post('/api/catalog/actions/find', 'async')],
  mcp: { toolset: 'devices' },
  live: true,
  aliases: { orderNumber: orderNumberAliases },
  example: { orderNumber: '6ES7 515-2AM02-0AB0' },
  async run(input, ctx) {
    const { entryView, requireAnyEntry } = await import('./catalog-access.ts')
    const { entry, firmware, firmwareSeen } = await requireAnyEntry(ctx, input.orderNumber)
    return {
      ...entryView(entry),
      ...(firmware === undefined ? {} : { requestedFirmware: firmware, requestedFirmwareKnown: firmwareSeen === true }),
    }
  },
})

const search = query({
  id: 'devices.catalog-search',
  title: 'Search the hardware catalog by keyword or partial order number',
  description:
    'E.g. `CPU 1515`, `515-2AM`, `et200sp di`; devices and modules of GSD files too. All words must match; only when nothing does, words may be misspelt. Best first.',
  input: (t) =>
    t.Object({
      query: t.String({ minLength: 1, maxLength: 200 }),
      limit: t.Optional(t.Integer({ minimum: 1, maximum: 1000, description: 'Default: 20.' })),
      cursor: t.Optional(t.String({ description: '`nextCursor` of the page before.' })),
    }),
  output: (t) =>
    t.Object({
      entries: t.Array(t.Object(entryFields(t))),
      total: t.Integer({ description: 'Entries that were found, on all pages.' }),
      nextCursor: t.Optional(t.String()),
    }),
  http: [
    post('/api/catalog/actions/search-sync'),
    post('/api/catalog/actions/search', 'async'),
    get('/api/catalog/search'),
    post('/api/catalog/search'),
  ],
  mcp: { toolset: 'devices', essential: true },
  live: true,
  aliases: {
    query: ['keyword', 'searchTerm', 'searchText', 'text', 'q', ...orderNumberAliases, 'orderNumber'],
    limit: ['maxResults', 'top'],
  },
  example: { query: 'CPU 1515' },
  async run(input, ctx) {
    const [{ hardwareCatalog }, { entryView, searchSources }] = await Promise.all([
      import('./catalog.ts'),
      import('./catalog-access.ts'),
    ])
    const { query: text, limit = 20, cursor } = input
    const own = await hardwareCatalog.search(text, { limit: Number.POSITIVE_INFINITY })
    const hits = [...own, ...(await searchSources(ctx, text))].sort((a, b) => b.score - a.score)
    const version = `${(await hardwareCatalog.entries()).length.toString(36)}-${hits.length.toString(36)}`
    const { page, ...rest } = rankedPage(hits, { limit, cursor }, version)
    return { entries: page.map(({ entry }) => entryView(entry)), ...rest }
  },
})

const statusFields = (t: SchemaBuilder) =>
  t.Object({
    state: t.String({ description: 'empty or loaded.' }),
    entries: t.Integer(),
    indexed: t.Boolean({ description: 'The search index is in memory.' }),
    loadedAt: t.Optional(t.DateTime()),
    durationMs: t.Optional(t.Number()),
    files: t.Integer({ description: 'Data files.' }),
    stale: t.Boolean({ description: 'A data file has changed since: build again.' }),
    sources: t.Array(
      t.Object({
        fileName: t.String(),
        title: t.String({ description: 'Maker and family. Empty: it cannot be read.' }),
        entries: t.Integer({ description: 'Devices and modules that it gives.' }),
        fault: t.Optional(t.String({ description: 'Why it is not used, with line.' })),
        warnings: t.Array(t.String()),
      }),
      { description: 'GSD files of the folder that the setting engineering.gsdFolder names.' },
    ),
  })

/** Responses do not contain the paths of the files on this machine. */
async function cache(ctx: QueryContext, action: 'cacheStatus' | 'load' | 'build') {
  const { hardwareCatalog } = await import('./catalog.ts')
  const found = await Promise.all(ctx.extensions(catalogSource).map((source) => source.files(ctx)))
  const sources = found.flat().map((one) => ({ ...one, warnings: [...one.warnings] }))
  const { files, ...status } = await hardwareCatalog[action]()
  return { ...status, files: files.length, sources }
}

const cacheStatus = query({
  id: 'devices.catalog-cache-status',
  title: 'Show the state of the catalog cache',
  input: (t) => t.Object({}),
  output: statusFields,
  http: [get('/api/catalog/cache/status')],
  mcp: { toolset: 'devices' },
  live: true,
  run: (_, ctx) => cache(ctx, 'cacheStatus'),
})

const cacheLoad = query({
  id: 'devices.catalog-cache-load',
  title: 'Load the catalog into memory',
  description: 'It is loaded by itself on first use; this does it before.',
  input: (t) => t.Object({}),
  output: statusFields,
  http: [post('/api/catalog/cache/load')],
  mcp: { toolset: 'devices' },
  live: true,
  run: (_, ctx) => cache(ctx, 'load'),
})

const cacheBuild = query({
  id: 'devices.catalog-cache-build',
  title: 'Read the catalog data again and build the search index',
  input: (t) => t.Object({}),
  output: statusFields,
  http: [post('/api/catalog/cache/build')],
  mcp: { toolset: 'devices' },
  access: 'engineer',
  live: true,
  run: (_, ctx) => cache(ctx, 'build'),
})

const image = query({
  id: 'devices.catalog-image',
  title: 'Show a catalog image of a device',
  description: 'A drawing made from the catalog data, as SVG.',
  input: (t) => t.Object({ orderNumber: orderNumber(t) }),
  output: (t) => t.String(),
  http: [get('/api/catalog/images/{orderNumber}')],
  mcp: false,
  produces: 'image/svg+xml',
  live: true,
  async run(input) {
    const [{ hardwareCatalog }, { requireCatalogEntry }] = await Promise.all([
      import('./catalog.ts'),
      import('./catalog-access.ts'),
    ])
    const { entry } = await requireCatalogEntry(input.orderNumber)
    return (await hardwareCatalog.image(entry.orderNumber))!
  },
})

export const catalogOperations: readonly Operation[] = [find, search, cacheStatus, cacheLoad, cacheBuild, image]
