/** Finding the name that was probably meant. */

/** Names are compared as the controller does: upper and lower case are the same. */
export function foldName(name: string): string {
  return name.toLowerCase()
}

/**
 * The candidate with the smallest edit distance to `name`, ignoring case.
 * @returns undefined when none is near: more than a third of the letters (at least one) would have to change.
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = foldName(name)
  let limit = Math.max(1, Math.floor(wanted.length / 3))
  if (wanted.length > 100) return undefined
  let best: string | undefined
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > limit) continue
    const distance = editDistance(wanted, foldName(candidate))
    if (distance < limit || (distance === limit && best === undefined)) {
      best = candidate
      limit = distance
    }
  }
  return best
}

/** Number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let distance = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2]! + 1)
      }
      current.push(distance)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
