/** Pages of a list whose order is not that of names: what a search finds, best first. */
import { problem } from './problems.ts'

/**
 * One page. The cursor is the position after it.
 * @param version names what the list was made from: positions mean nothing in another list
 * @throws GatewayError `invalid_input` for a cursor that is not of this list
 */
export function rankedPage<T>(
  all: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  version: string,
): { page: T[]; total: number; nextCursor?: string } {
  const from = cursor === undefined ? 0 : positionOf(cursor, version)
  const page = all.slice(from, from + limit)
  const next = from + page.length
  return { page, total: all.length, ...(next < all.length ? { nextCursor: `${version}-${next}` } : {}) }
}

function positionOf(cursor: string, version: string): number {
  const position = cursor.slice(version.length + 1)
  if (cursor.startsWith(`${version}-`) && /^\d{1,12}$/.test(position)) return Number(position)
  const message = 'is no nextCursor of this list; what it is made from may have changed since: begin anew'
  throw problem('invalid_input', `/cursor: ${message}.`, { errors: [{ path: '/cursor', message, value: cursor }] })
}
