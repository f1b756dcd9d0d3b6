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
import { catalogSource, gsdAdvice, type SourceContext } from './catalog-source.ts'

/**
 * Returns the entry of an order number.
 * @throws GatewayError `not_found` with the nearest entries
 */
export async function requireCatalogEntry(orderNumber: string): Promise<CatalogMatch> {
  const match = await hardwareCatalog.find(orderNumber)
  if (match) return match
  // What comes from a GSD file is never meant by a number of the catalog that looks like it.
  if (/^GSD:|GSDML/i.test(orderNumber))
    throw problem('not_found', `There is no catalog entry "${orderNumber}".`, { suggestion: gsdAdvice })
  throw noEntry(orderNumber, await nearEntries(orderNumber))
}

function noEntry(orderNumber: string, near: readonly CatalogEntry[]) {
  const hint = near.map((entry) => `${entry.orderNumber} (${entry.typeName})`).join(', ')
  return problem('not_found', `There is no catalog entry "${orderNumber}".${hint ? ` Did you mean ${hint}?` : ''}`, {
    suggestion:
      near[0]?.orderNumber ??
      `POST /api/catalog/actions/search-sync { query }. Of a device of another maker: ${gsdAdvice}`,
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
  if (!isGsd) {
    const ofMaker = await entriesOfMaker(ctx, orderNumber)
    if (ofMaker.length > 0) throw noEntry(orderNumber, ofMaker.slice(0, 3))
    return requireCatalogEntry(orderNumber)
  }
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
    suggestion: gsdAdvice,
  })
}

/** Entries of further sources that have an order number of their maker: several files can have it. */
async function entriesOfMaker(ctx: CatalogContext, orderNumber: string): Promise<CatalogEntry[]> {
  const key = (text = '') => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const wanted = key(orderNumber)
  if (wanted === '') return []
  const all = await Promise.all(ctx.extensions(catalogSource).map((source) => source.entries(ctx)))
  return all.flat().filter(({ makerNumber }) => key(makerNumber) === wanted)
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
