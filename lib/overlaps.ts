/** Ranges that share something. */

interface Range {
  readonly from: number
  /** The last of the range, which is in it. */
  readonly to: number
}

/**
 * The ranges that begin inside of one that begins before them (or is before them in the list), each with that one;
 * in the order of their beginnings.
 */
export function overlaps<T extends Range>(ranges: readonly T[]): { readonly one: T; readonly before: T }[] {
  const found: { one: T; before: T }[] = []
  // The one that reaches furthest so far: a range may overlap with it and not with the one just before.
  let furthest: T | undefined
  for (const one of [...ranges].sort((a, b) => a.from - b.from)) {
    if (furthest && one.from <= furthest.to) found.push({ one, before: furthest })
    if (!furthest || one.to > furthest.to) furthest = one
  }
  return found
}
