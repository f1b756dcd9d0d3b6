/** "Did you mean": the existing names nearest to a mistyped one. */
import { distance } from 'fastest-levenshtein'

/**
 * Returns the existing name nearest to a mistyped one, ignoring case; undefined when all differ by more edits than a
 * third of its length (at least one edit is allowed).
 */
export function nearest(name: string, existing: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of existing) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const d = edits(wanted, candidate.toLowerCase())
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/**
 * The existing names that are most like one that is not among them, ignoring case: first those that contain it, then by
 * the number of edits. Of a name longer than 100 characters the first 100 count.
 *
 * @param count most names
 */
export function alikeFirst(name: string, existing: Iterable<string>, count: number): string[] {
  const wanted = name.slice(0, 100).toLowerCase()
  const best: { readonly one: string; readonly edits: number }[] = []
  for (const one of existing) {
    const candidate = one.toLowerCase()
    const limit = best.length < count ? Number.POSITIVE_INFINITY : best[count - 1]!.edits
    const isInside = candidate.includes(wanted)
    // Each character more or less is an edit.
    if (!isInside && Math.abs(candidate.length - wanted.length) >= limit) continue
    const found = { one, edits: isInside ? 0 : edits(wanted, candidate) }
    if (found.edits >= limit) continue
    const behind = best.findIndex((other) => other.edits > found.edits)
    best.splice(behind < 0 ? best.length : behind, 0, found)
    if (best.length > count) best.pop()
  }
  return best.map(({ one }) => one)
}

/** Edit distance in which a swap of adjacent letters, the most frequent typing mistake, counts as one (`PCL_1`). */
function edits(a: string, b: string): number {
  const d = distance(a, b)
  if (d !== 2 || a.length !== b.length) return d
  let at = 0
  while (a[at] === b[at]) at++
  return a[at] === b[at + 1] && a[at + 1] === b[at] ? 1 : 2
}
