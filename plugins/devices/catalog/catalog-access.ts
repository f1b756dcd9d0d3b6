/** Access of operations to the hardware catalog. */
import { defined, problem, type QueryContext } from '../../../core/index.ts'
import { type CatalogMatch, hardwareCatalog } from './catalog.ts'
import { catalogSource, gsdAdvice, type SourceContext } from './catalog-source.ts'
import { type CatalogEntry, deviceKind, isFailsafe, isStandalone, newestFirmware, typeIdentifier } from './entry.ts'
import { buildSearchIndex } from './search-index.ts'

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

/** Which of several entries with one order number of their maker is meant. */
export interface MakerChoice {
  /** True for those that suit; all others are left out when there are some. */
  readonly fits?: (entry: CatalogEntry) => boolean
}

/**
 * As {@link requireCatalogEntry}, of further sources too: by their identifier, or by the order number of the maker.
 * @throws GatewayError `not_found`; `conflict` when several entries have the maker's number
 */
export async function requireAnyEntry(
  ctx: CatalogContext,
  orderNumber: string,
  choice: MakerChoice = {},
): Promise<CatalogMatch> {
  const isGsd = /^GSD:/i.test(orderNumber.trim())
  const match = isGsd ? undefined : await hardwareCatalog.find(orderNumber)
  if (match) return match
  for (const source of ctx.extensions(catalogSource)) {
    const entry = await source.find(ctx, orderNumber)
    if (entry) return { entry }
  }
  if (!isGsd) return (await entryOfMaker(ctx, orderNumber, choice)) ?? requireCatalogEntry(orderNumber)
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

/**
 * The entry of further sources that has an order number of its maker; undefined: none has it.
 * @throws GatewayError `conflict` when several have it: files of several dates, access points of several releases
 */
async function entryOfMaker(
  ctx: CatalogContext,
  orderNumber: string,
  { fits }: MakerChoice,
): Promise<CatalogMatch | undefined> {
  const key = (text = '') => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const wanted = key(orderNumber)
  if (wanted === '') return undefined
  const all = await Promise.all(ctx.extensions(catalogSource).map((source) => source.entries(ctx)))
  const having = all.flat().filter(({ makerNumber }) => key(makerNumber) === wanted)
  const fitting = fits === undefined ? having : having.filter(fits)
  const found = fitting.length > 0 ? fitting : having
  const [entry] = found
  if (entry === undefined) return undefined
  if (found.length === 1) return { entry }
  const some = found.slice(0, 10).map((one) => {
    const firmware = one.firmware[0] === undefined ? '' : `, ${one.firmware[0]}`
    return `${one.orderNumber} (${one.typeName}${firmware})`
  })
  const more = found.length > some.length ? ` and ${found.length - some.length} more` : ''
  throw problem(
    'conflict',
    `${found.length} entries of GSD files have the order number "${orderNumber}": ${some.join(', ')}${more}. Send one of these identifiers.`,
    { suggestion: entry.orderNumber },
  )
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
