/** Lists in pages. */
import { compareTexts } from '../../lib/compare-texts.ts'
import { lowerBound } from '../../lib/lower-bound.ts'
import { oncePer } from './once-per.ts'

/** The requested part of a list. */
export interface PageRequest {
  readonly limit?: number
  /** The name of the last entry of the previous page. */
  readonly cursor?: string
  /** Part of the name, in any case. */
  readonly q?: string
}

interface Named {
  readonly name: string
}

/** One page of a list. */
export interface Page<T extends Named> {
  readonly page: T[]
  /** Number of entries on all pages. */
  readonly total: number
  readonly nextCursor?: string
}

/** One page of a list, which is sorted by name for it. */
export function pageOf<T extends Named>(all: readonly T[], request: PageRequest): Page<T> {
  return pageOfSorted(
    sortedByName(all),
    ({ key }) => key,
    ({ one }) => one,
    request,
  )
}

/** One page of rows that never change; they are sorted once. */
export function pageOfRows<T extends Named>(rows: readonly T[], request: PageRequest): Page<T> {
  // The rows are kept by the list that was given, so that they have its type.
  const sorted = sortedRows(rows) as unknown as readonly Sortable<T>[]
  return pageOfSorted(
    sorted,
    ({ key }) => key,
    ({ one }) => one,
    request,
  )
}

/**
 * One page of a list that is sorted already.
 * @param keyOf the name in lower case, by which it is sorted
 * @param entryOf makes an entry of the page
 */
export function pageOfSorted<S, T extends Named>(
  sorted: readonly S[],
  keyOf: (one: S) => string,
  entryOf: (one: S) => T,
  { limit, cursor, q = '' }: PageRequest,
): Page<T> {
  const wanted = q.toLowerCase()
  const matching = wanted === '' ? sorted : sorted.filter((one) => keyOf(one).includes(wanted))
  const after = cursor?.toLowerCase()
  const from = after === undefined ? 0 : lowerBound(matching, (one) => keyOf(one) <= after)
  const end = limit === undefined ? matching.length : Math.min(matching.length, from + limit)
  const page = matching.slice(from, end).map(entryOf)
  const last = page.at(-1)
  return { page, total: matching.length, ...(end < matching.length && last ? { nextCursor: last.name } : {}) }
}

interface Sortable<T> {
  readonly key: string
  readonly one: T
}

function sortedByName<T extends Named>(all: readonly T[]): Sortable<T>[] {
  return all.map((one) => ({ key: one.name.toLowerCase(), one })).sort((a, b) => compareTexts(a.key, b.key))
}

const sortedRows = oncePer((rows: readonly Named[]) => sortedByName(rows))
