/** The beginning of a long answer with the structure of the whole: what is small stays, lists and texts are cut. */

/** Characters that every member keeps, however many there are. */
const least = 64

/**
 * A value whose JSON has about `budget` characters at most: of a list the first entries, of a text its beginning, of an
 * object all members, of which the small ones stay whole. Linear in the size of the value and its depth.
 */
export function shortStructure(value: unknown, budget: number): unknown {
  if (typeof value === 'string') return value.length <= budget ? value : `${value.slice(0, Math.max(0, budget))}…`
  if (value === null || typeof value !== 'object' || sizeOf(value) <= budget) return value
  return Array.isArray(value) ? shortList(value, budget) : shortObject(value as Record<string, unknown>, budget)
}

function shortList(list: readonly unknown[], budget: number): unknown[] {
  const kept: unknown[] = []
  let left = budget
  for (const entry of list) {
    const size = sizeOf(entry) + 1
    if (size > left) {
      // The first entry shows what the others are like.
      if (kept.length === 0 && left > least) kept.push(shortStructure(entry, left))
      break
    }
    kept.push(entry)
    left -= size
  }
  return kept
}

function shortObject(object: Readonly<Record<string, unknown>>, budget: number): Record<string, unknown> {
  const sizes = new Map(Object.entries(object).map(([name, member]) => [name, sizeOf(member)]))
  // The small ones first: what they leave of their share is for the others.
  const bySize = [...sizes].sort(([, a], [, b]) => a - b)
  let left = budget - Object.keys(object).reduce((sum, name) => sum + name.length + 4, 0)
  const shares = new Map<string, number>()
  for (const [i, [name, size]] of bySize.entries()) {
    const share = Math.max(least, Math.floor(left / (bySize.length - i)))
    shares.set(name, share)
    left -= Math.min(size, share)
  }
  return Object.fromEntries(
    Object.entries(object).map(([name, member]) => [name, shortStructure(member, shares.get(name)!)]),
  )
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : (JSON.stringify(value)?.length ?? 0)
}
