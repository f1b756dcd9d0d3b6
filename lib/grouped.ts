/**
 * Encodes long lists in groups of elements, again and again: a group whose elements are as they were keeps its bytes.
 * So what is hashed, sent and stored after a change does not grow with the list.
 */

/** A list, and the bytes of each group of its elements in their order; an empty list has no groups. */
export interface Grouped<T> {
  readonly list: readonly T[]
  readonly groups: readonly Uint8Array[]
}

/**
 * Encodes the groups of a list. The same list gives the same bytes, whatever was encoded before.
 * @param size elements of a group
 * @param before another list, encoded with the same size and in the same way: groups of the same objects are taken from
 * it
 */
export function grouped<T extends object>(
  list: readonly T[],
  size: number,
  encode: (group: readonly T[]) => Uint8Array,
  before?: Grouped<T>,
): Grouped<T> {
  const groups: Uint8Array[] = []
  for (let from = 0; from < list.length; from += size) {
    const kept = before && isSameGroup(list, before.list, from, size) ? before.groups[groups.length] : undefined
    groups.push(kept ?? encode(list.slice(from, from + size)))
  }
  return { list, groups }
}

function isSameGroup(a: readonly object[], b: readonly object[], from: number, size: number): boolean {
  const to = Math.min(from + size, a.length)
  if (Math.min(from + size, b.length) !== to) return false
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false
  return true
}

/** A group as JSON in UTF-8. */
export function jsonBytes(group: readonly object[]): Uint8Array {
  return Buffer.from(JSON.stringify(group))
}
