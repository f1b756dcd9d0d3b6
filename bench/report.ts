/**
 * Prints benchmark results: a name, a ratio against a baseline of the same run, and the target. Nothing is asserted.
 */

/** Median of a non-empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value below which `share` (0-1) of the list lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** Prints one line. `target` is text such as `>= 0.6`; an empty one marks a plain figure. */
export function report(name: string, value: number, target: string): void {
  const text = value >= 100 ? Math.round(value).toString() : value.toPrecision(3)
  console.log(`${name.padEnd(64)} ${text.padStart(10)}${target ? `   (target ${target})` : ''}`)
}
