import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CatalogHit } from './entry.ts'
import { CATALOG_KINDS, type CatalogEntry, type CatalogKind } from './entry.ts'
import {
  compareFirmware,
  keyDistance,
  normalizeFirmware,
  openPlacesPattern,
  orderNumberKey,
  parseOrderNumber,
} from './order-number.ts'
import type { SearchIndex } from './search-index.ts'

/** The hardware catalog: a data file, read on first use, with exact lookup, search and suggestions. */

/** Thrown when a data file cannot be used. The message names file, line, column and value. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError'
  readonly code = 'catalog_invalid'
}

/** An entry found by its number. */
export interface CatalogMatch {
  readonly entry: CatalogEntry
  /** Firmware in the given text (`…/V2.8`). */
  readonly firmware?: string
  /** True when the catalog contains that firmware; other versions may exist as well. */
  readonly firmwareSeen?: boolean
}
/** The state of the catalog in memory. */
export interface CatalogCacheStatus {
  readonly state: 'empty' | 'loaded'
  readonly entries: number
  /** True when the search index is in memory. */
  readonly indexed: boolean
  /** RFC 3339 UTC; absent while nothing is loaded. */
  readonly loadedAt?: string
  readonly durationMs?: number
  readonly files: readonly string[]
  /** True when a data file has changed since it was read, so that the catalog must be built again. */
  readonly stale: boolean
}

/** Options of a catalog. */
export interface CatalogOptions {
  /** Data files; an entry of a later file replaces one with the same number. Default: the file of this folder. */
  readonly files?: readonly string[]
}

interface Cache {
  readonly entries: readonly CatalogEntry[]
  readonly byKey: ReadonlyMap<string, CatalogEntry>
  readonly open: ReadonlyArray<{ readonly pattern: RegExp; readonly entry: CatalogEntry }>
  readonly loadedAt: string
  readonly durationMs: number
  /** `mtimeMs:size` of each file when it was read. */
  readonly stamps: readonly string[]
  index?: Promise<SearchIndex>
  indexed: boolean
}

/** Path of the catalog that comes with the plugin. */
export const CATALOG_FILE = fileURLToPath(new URL('./catalog.tsv', import.meta.url))

const COLUMNS = [
  'orderNumber',
  'typeName',
  'family',
  'kind',
  'firmware',
  'variant',
  'pnPorts',
  'nameSource',
  'source',
] as const
type Row = Record<(typeof COLUMNS)[number], string>

/** A hardware catalog; the data files are read on first use. */
export class HardwareCatalog {
  readonly #files: readonly string[]
  #loading: Promise<Cache> | undefined
  #cache: Cache | undefined

  constructor(options: CatalogOptions = {}) {
    this.#files = options.files ?? [CATALOG_FILE]
  }

  /** The state in memory; reads only the dates of the files. */
  async cacheStatus(): Promise<CatalogCacheStatus> {
    const cache = this.#cache
    if (!cache) return { state: 'empty', entries: 0, indexed: false, files: this.#files, stale: false }
    const stamps = await Promise.all(this.#files.map((file) => stampOf(file).catch(() => 'missing')))
    return {
      state: 'loaded',
      entries: cache.entries.length,
      indexed: cache.indexed,
      loadedAt: cache.loadedAt,
      durationMs: cache.durationMs,
      files: this.#files,
      stale: stamps.some((stamp, i) => stamp !== cache.stamps[i]),
    }
  }

  /** Reads the data files unless they are in memory. @throws CatalogError */
  async load(): Promise<CatalogCacheStatus> {
    await this.#ready()
    return this.cacheStatus()
  }

  /**
   * Reads the data files again and builds the search index. After an error the previous data are kept.
   * @throws CatalogError
   */
  async build(): Promise<CatalogCacheStatus> {
    const loading = readCache(this.#files)
    const cache = await loading
    await indexOf(cache)
    this.#loading = loading
    this.#cache = cache
    return this.cacheStatus()
  }

  /** All entries, in the order of the data files. */
  async entries(): Promise<readonly CatalogEntry[]> {
    return (await this.#ready()).entries
  }

  /**
   * Finds the entry of a number in any spelling: blanks, dashes and case are ignored; `OrderNumber:` before and `/V2.8`
   * after it are accepted. Open places of the catalog's number match any character. Undefined when unknown.
   */
  async find(text: string): Promise<CatalogMatch | undefined> {
    const wanted = parseOrderNumber(text)
    if (!wanted) return undefined
    const { byKey, open } = await this.#ready()
    const entry = byKey.get(wanted.key) ?? open.find(({ pattern }) => pattern.test(wanted.key))?.entry
    if (!entry) return undefined
    if (!wanted.firmware) return { entry }
    return { entry, firmware: wanted.firmware, firmwareSeen: entry.firmware.includes(wanted.firmware) }
  }

  /**
   * Finds entries by keyword or partial order number, best first: `CPU 1515`, `515-2AM`, `6es75152am02`, `et200sp di`,
   * `scalence xc208`. All words must match, exactly or as prefixes. Misspelt words are accepted only when nothing
   * matches.
   */
  async search(text: string, options: { limit?: number } = {}): Promise<CatalogHit[]> {
    const limit = options.limit ?? 20
    const cache = await this.#ready()
    const exact = await this.find(text)
    const hits = (await indexOf(cache)).search(text).filter((hit) => hit.entry !== exact?.entry)
    const all = exact ? [{ entry: exact.entry, score: (hits[0]?.score ?? 0) + 1 }, ...hits] : hits
    return all.slice(0, Math.max(0, limit))
  }

  /**
   * Finds the entries nearest to a mistyped number, nearest first; none when all differ in more than a quarter of its
   * length.
   */
  async suggest(text: string, limit = 3): Promise<CatalogEntry[]> {
    const wanted = parseOrderNumber(text)
    if (!wanted) return []
    const { byKey } = await this.#ready()
    const bound = Math.max(1, wanted.key.length / 4)
    return [...byKey]
      .map(([key, entry]) => ({ entry, distance: nearness(wanted.key, key) }))
      .filter(({ distance }) => distance <= bound)
      .sort((a, b) => a.distance - b.distance || a.entry.orderNumber.localeCompare(b.entry.orderNumber))
      .slice(0, limit)
      .map(({ entry }) => entry)
  }

  /** A drawing of the module as SVG, or undefined when the number is unknown. */
  async image(text: string): Promise<string | undefined> {
    const match = await this.find(text)
    if (!match) return undefined
    const { drawModule } = await import('./image.ts')
    return drawModule(match.entry)
  }

  async #ready(): Promise<Cache> {
    if (this.#cache) return this.#cache
    this.#loading ??= readCache(this.#files)
    try {
      const cache = await this.#loading
      this.#cache ??= cache
      return this.#cache
    } catch (error) {
      this.#loading = undefined
      throw error
    }
  }
}

/** The catalog that comes with the plugin. */
export const hardwareCatalog = new HardwareCatalog()

/** The distance of two keys. The missing rest of a prefix counts as at most one edit. */
function nearness(wanted: string, key: string): number {
  const distance = keyDistance(wanted, key)
  return key.startsWith(wanted) ? Math.min(distance, 1) : distance
}

async function indexOf(cache: Cache): Promise<SearchIndex> {
  cache.index ??= import('./search-index.ts').then(({ buildSearchIndex }) => buildSearchIndex(cache.entries))
  const index = await cache.index
  cache.indexed = true
  return index
}

async function readCache(files: readonly string[]): Promise<Cache> {
  const begun = performance.now()
  const byKey = new Map<string, CatalogEntry>()
  const stamps: string[] = []
  for (const file of files) {
    stamps.push(
      await stampOf(file).catch((error: Error) => Promise.reject(new CatalogError(`${file}: ${error.message}`))),
    )
    const seen = new Set<string>()
    for (const entry of await readEntries(file)) {
      const key = orderNumberKey(entry.orderNumber)
      if (seen.has(key)) throw new CatalogError(`${file}: the order number ${entry.orderNumber} stands there twice.`)
      seen.add(key)
      byKey.set(key, entry)
    }
  }
  const entries = [...byKey.values()]
  const open = entries.flatMap((entry) => {
    const pattern = openPlacesPattern(entry.orderNumber)
    return pattern ? [{ pattern, entry }] : []
  })
  const durationMs = Math.round(performance.now() - begun)
  return { entries, byKey, open, loadedAt: new Date().toISOString(), durationMs, stamps, indexed: false }
}

async function stampOf(file: string): Promise<string> {
  const { mtimeMs, size } = await stat(file)
  return `${mtimeMs}:${size}`
}

async function readEntries(file: string): Promise<CatalogEntry[]> {
  const { parse } = await import('csv-parse/sync')
  const text = await readFile(file, 'utf8')
  let rows: ReadonlyArray<{ record: Row; info: { lines: number } }>
  try {
    // Tab-separated values as registered by IANA: no quoting, no tab inside a field.
    rows = parse(text, {
      delimiter: '\t',
      record_delimiter: ['\r\n', '\n'],
      quote: false,
      columns: true,
      bom: true,
      cast: (value) => value.trim(),
      skip_empty_lines: true,
      info: true,
      // `info: true` gives records with their lines, which the types of csv-parse do not say.
    }) as unknown as typeof rows
  } catch (error) {
    throw new CatalogError(`${file}: ${(error as Error).message}`)
  }
  const first = rows[0]?.record
  const missing = first ? COLUMNS.filter((column) => !(column in first)) : []
  if (missing.length > 0)
    throw new CatalogError(`${file}: the header lacks ${missing.join(', ')}; needed are ${COLUMNS.join(', ')}.`)
  return rows.map(({ record, info }) => entryOf(record, `${file}:${info.lines}`))
}

function entryOf(row: Row, where: string): CatalogEntry {
  if (orderNumberKey(row.orderNumber).length < 6) {
    throw new CatalogError(
      `${where}: orderNumber is "${row.orderNumber}"; an order number such as 6ES7 515-2AM02-0AB0 is needed.`,
    )
  }
  if (row.typeName === '') throw new CatalogError(`${where}: typeName of ${row.orderNumber} is empty.`)
  if (!isKind(row.kind))
    throw new CatalogError(`${where}: kind is "${row.kind}"; allowed are ${CATALOG_KINDS.join(', ')}.`)
  if (!/^\d*$/.test(row.pnPorts))
    throw new CatalogError(`${where}: pnPorts is "${row.pnPorts}"; a count or nothing is needed.`)
  const firmware = row.firmware.split(',').flatMap((version) => normalizeFirmware(version) ?? [])
  return {
    orderNumber: row.orderNumber,
    typeName: row.typeName,
    family: row.family,
    kind: row.kind,
    firmware: firmware.sort(compareFirmware),
    ...(row.variant ? { variant: row.variant } : {}),
    ...(row.pnPorts ? { pnPorts: Number(row.pnPorts) } : {}),
    nameSource: row.nameSource,
    source: row.source,
  }
}

function isKind(text: string): text is CatalogKind {
  return (CATALOG_KINDS as readonly string[]).includes(text)
}
