/** Finds labels of CASE that can choose nothing new. */

/** The values that a label chooses, both ends included. */
export type LabelRange = readonly [from: bigint, to: bigint]

/**
 * Numbers of the labels that share a value with an earlier one. Takes time in line with their number (and its sorting):
 * the values are cut into spans at the ends of all labels, and every span is taken once, by the first label with it.
 */
export function repeatedLabels(labels: readonly LabelRange[]): number[] {
  const borders = [...new Set(labels.flatMap(([from, to]) => [from, to + 1n]))].sort((a, b) => (a < b ? -1 : 1))
  const spanAt = new Map(borders.map((border, span) => [border, span]))
  /** For each span the next one that may be free; a chain of them ends at a free one. */
  const next = Array.from(borders, (_, span) => span)
  const freeFrom = (span: number): number => {
    let free = span
    while (next[free] !== free) free = next[free] as number
    for (let at = span; at !== free; ) [at, next[at]] = [next[at] as number, free]
    return free
  }
  const repeated: number[] = []
  for (const [i, [from, to]] of labels.entries()) {
    const [first, end] = [spanAt.get(from) as number, spanAt.get(to + 1n) as number]
    let taken = 0
    for (let span = freeFrom(first); span < end; span = freeFrom(span)) {
      next[span] = span + 1
      taken++
    }
    if (taken < end - first) repeated.push(i)
  }
  return repeated
}
