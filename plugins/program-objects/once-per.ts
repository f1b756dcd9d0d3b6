/** What is derived from aggregates. */

/**
 * Makes something of an aggregate once. Aggregates never change: what was made of one is right as long as it is there, goes when it goes,
 * and is the same object as long as nothing changes, so that a comparison by identity tells what has changed.
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
