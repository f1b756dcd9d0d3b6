/** Access of operations to the hardware catalog. */
import { problem } from '../../core/index.ts'
import { type CatalogMatch, hardwareCatalog } from './catalog/catalog.ts'
import {
  type CatalogEntry,
  deviceKind,
  isFailsafe,
  isStandalone,
  newestFirmware,
  typeIdentifier,
} from './catalog/entry.ts'

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
    ...(newest === undefined ? {} : { version: newest }),
    firmware: [...entry.firmware],
    ...(entry.pnPorts === undefined ? {} : { pnPorts: entry.pnPorts }),
    isDevice: isStandalone(entry),
    isFailsafe: isFailsafe(entry),
  }
}
