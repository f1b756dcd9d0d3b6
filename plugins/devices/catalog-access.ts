/** Access of operations to the hardware catalog. */
import { defined, problem, type QueryContext } from '../../core/index.ts'
import { type CatalogMatch, hardwareCatalog } from './catalog/catalog.ts'
import {
  type CatalogEntry,
  deviceKind,
  isFailsafe,
  isStandalone,
  newestFirmware,
  typeIdentifier,
} from './catalog/entry.ts'
import { buildSearchIndex } from './catalog/search-index.ts'
import { catalogSource, type SourceContext } from './catalog-source.ts'

/**
 * Returns the entry of an order number.
 * @throws GatewayError `not_found` with the nearest entries
 */
export async function requireCatalogEntry(orderNumber: string): Promise<CatalogMatch> {
  const match = await hardwareCatalog.find(orderNumber)
  if (match) return match
  const near = await nearEntries(orderNumber)
  const hint = near.map((entry) => `${entry.orderNumber} (${entry.typeName})`).join(', ')
  throw problem('not_found', `There is no catalog entry "${orderNumber}".${hint ? ` Did you mean ${hint}?` : ''}`, {
    suggestion: near[0]?.orderNumber ?? 'POST /api/catalog/actions/search-sync { query }',
  })
}

/** The context of an operation that asks the sources too. */
export type CatalogContext = SourceContext & Pick<QueryContext, 'extensions'>

/**
 * As {@link requireCatalogEntry}, of further sources too; an identifier of a GSD file is theirs alone.
 * @throws GatewayError `not_found`
 */
export async function requireAnyEntry(ctx: CatalogContext, orderNumber: string): Promise<CatalogMatch> {
  const isGsd = /^GSD:/i.test(orderNumber.trim())
  const match = isGsd ? undefined : await hardwareCatalog.find(orderNumber)
  if (match) return match
  for (const source of ctx.extensions(catalogSource)) {
    const entry = await source.find(ctx, orderNumber)
    if (entry) return { entry }
  }
  if (!isGsd) return requireCatalogEntry(orderNumber)
  const fileName = /^GSD:([^/]*)/i.exec(orderNumber.trim())?.[1] ?? ''
  const all = await Promise.all(ctx.extensions(catalogSource).map((source) => source.files(ctx)))
  const file = all.flat().find((one) => one.fileName.toLowerCase() === fileName.toLowerCase())
  if (file?.fault !== undefined)
    throw problem('not_found', `"${file.fileName}" cannot be read: ${file.fault}.`.replace(/\.\.$/, '.'), {
      suggestion: 'Correct the GSDML file in the workspace.',
    })
  if (file !== undefined)
    throw problem('not_found', `"${file.fileName}" has no "${orderNumber.trim().slice(`GSD:${fileName}/`.length)}".`, {
      suggestion: `GET /api/catalog/search?query=${encodeURIComponent(file.title)} finds what it has.`,
    })
  throw problem('not_found', `No GSD file of the workspace has "${orderNumber}".`, {
    suggestion: 'Put the GSDML file into the folder that the setting engineering.gsdFolder names.',
  })
}

/** Entries of further sources that match all words, best first. */
export async function searchSources(ctx: CatalogContext, text: string) {
  const entries = (await Promise.all(ctx.extensions(catalogSource).map((source) => source.entries(ctx)))).flat()
  return entries.length === 0 ? [] : buildSearchIndex(entries).search(text)
}

/** Entries that may be meant: the nearest to a mistyped number, or those with a name (`CPU 1515`). */
async function nearEntries(text: string): Promise<CatalogEntry[]> {
  const near = await hardwareCatalog.suggest(text)
  if (near.length > 0) return near
  return (await hardwareCatalog.search(text, { limit: 3 })).map(({ entry }) => entry)
}

/**
 * An entry as shown to clients. Field names as in Openness' catalog entries (ArticleNumber, TypeIdentifier, TypeName,
 * Version), and Gantry's own.
 */
export function entryView(entry: CatalogEntry) {
  const identifier = typeIdentifier(entry)
  const newest = newestFirmware(entry)
  return {
    orderNumber: entry.orderNumber,
    articleNumber: entry.orderNumber,
    typeName: entry.typeName,
    family: entry.family,
    kind: entry.kind,
    deviceKind: deviceKind(entry),
    typeIdentifier: identifier,
    typeIdentifierNormalized: identifier.replaceAll(' ', ''),
    ...defined({ version: newest }),
    firmware: [...entry.firmware],
    ...defined({ pnPorts: entry.pnPorts }),
    isDevice: isStandalone(entry),
    isFailsafe: isFailsafe(entry),
  }
}
