/** True when the JSON of a value is longer than about `limit` characters; looks at no more than that. */
export function isLarge(value: unknown, limit: number): boolean {
  return budgetAfter(value, limit) < 0
}

function budgetAfter(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 3
  if (value === null || typeof value !== 'object') return budget - 6
  let left = budget - 2
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = budgetAfter(value[i], left)
    return left
  }
  for (const key in value) {
    left = budgetAfter((value as Record<string, unknown>)[key], left - key.length - 4)
    if (left < 0) break
  }
  return left
}
