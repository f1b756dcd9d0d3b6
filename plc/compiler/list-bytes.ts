/**
 * Writes long lists as JSON again and again: elements that were in the last list are copied, only the others are
 * written.
 */

interface WrittenList {
  readonly parts: readonly object[]
  readonly bytes: Uint8Array
  /** End of each element, after its comma or the closing bracket. */
  readonly ends: Uint32Array
}

const written = new WeakMap<readonly object[], WrittenList>()

const [open, comma, close] = [0x5b, 0x2c, 0x5d]

/**
 * Returns a list as JSON in UTF-8, as `JSON.stringify` writes it.
 * @param before a list that was written before; elements that are the same object in both are copied
 */
export function listBytes(parts: readonly object[], before?: readonly object[]): Uint8Array {
  const known = written.get(parts)
  if (known) return known.bytes
  const list = write(parts, before && written.get(before))
  written.set(parts, list)
  return list.bytes
}

function write(parts: readonly object[], before: WrittenList | undefined): WrittenList {
  const ends = new Uint32Array(parts.length)
  if (parts.length === 0) return { parts, bytes: Uint8Array.of(open, close), ends }
  const sourceOf = matcher(parts, before)
  const chunks: Uint8Array[] = [Uint8Array.of(open)]
  /** Ends of copied chunks: a comma or a bracket follows. */
  const seams: number[] = []
  let length = 1
  for (let i = 0; i < parts.length; ) {
    const source = sourceOf(i)
    let chunk: Uint8Array
    if (before && source >= 0) {
      let next = i + 1
      while (next < parts.length && sourceOf(next) === source + next - i) next++
      const begin = source === 0 ? 1 : (before.ends[source - 1] as number)
      for (let k = i; k < next; k++) ends[k] = (before.ends[source + k - i] as number) + length - begin
      chunk = before.bytes.subarray(begin, before.ends[source + next - i - 1])
      seams.push(length + chunk.length)
      i = next
    } else {
      chunk = Buffer.from(`${JSON.stringify(parts[i])},`)
      ends[i++] = length + chunk.length
    }
    chunks.push(chunk)
    length += chunk.length
  }
  const bytes = Buffer.concat(chunks, length)
  for (const end of seams) bytes[end - 1] = comma
  bytes[length - 1] = close
  return { parts, bytes, ends }
}

/**
 * Returns which element of the earlier list an element is, -1 for none. After an insertion or deletion elements are
 * counted from the end.
 */
function matcher(parts: readonly object[], before: WrittenList | undefined): (index: number) => number {
  if (!before) return () => -1
  const other = before.parts
  const shift = other.length - parts.length
  return (i) => (parts[i] === other[i] ? i : parts[i] === other[i + shift] ? i + shift : -1)
}
