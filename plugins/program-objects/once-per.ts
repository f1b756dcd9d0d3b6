/** Values derived from aggregates. */

/**
 * Derives a value of an aggregate once. Aggregates are immutable, so the value is valid as long as the aggregate exists
 * and is dropped with it. It is the same object while nothing changes: a comparison by identity finds changes.
 */
export function oncePer<K extends object, V extends {}>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>()
  return (of) => {
    const known = made.get(of)
    if (known !== undefined) return known
    const value = make(of)
    made.set(of, value)
    return value
  }
}
