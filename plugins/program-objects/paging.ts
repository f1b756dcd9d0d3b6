/** Lists in pages. */

/** One page of a list. The cursor is the name of the last entry of the page before. */
export function pageOf<T extends { readonly name: string }>(
  all: readonly T[],
  { limit, cursor, q }: { limit?: number; cursor?: string; q?: string },
): { page: T[]; total: number; nextCursor?: string } {
  const wanted = q?.toLowerCase() ?? ''
  const matching = all.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(byName)
  const after = cursor?.toLowerCase()
  const from = after === undefined ? 0 : matching.findIndex(({ name }) => name.toLowerCase() > after)
  const rest = from < 0 ? [] : matching.slice(from)
  const page = limit === undefined ? rest : rest.slice(0, limit)
  const last = page.at(-1)
  return { page, total: matching.length, ...(page.length < rest.length && last ? { nextCursor: last.name } : {}) }
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  const [x, y] = [a.name.toLowerCase(), b.name.toLowerCase()]
  return x < y ? -1 : x > y ? 1 : 0
}
