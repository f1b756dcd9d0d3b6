/** Long lists as JSON, whose elements are mostly those of the last time: only the others are written again. */

interface WrittenList {
  readonly parts: readonly object[]
  /** The elements, a comma behind each. */
  readonly body: Uint8Array
  /** Where each ends, behind its comma. */
  readonly ends: Uint32Array
}

const written = new WeakMap<readonly object[], WrittenList>()

/**
 * A list as JSON in UTF-8, as `JSON.stringify` writes it.
 * @param before a list that was written before; what is the same object in both is copied
 */
export function listBytes(parts: readonly object[], before?: readonly object[]): Uint8Array {
  const { body } = written.get(parts) ?? write(parts, before && written.get(before))
  const bytes = Buffer.allocUnsafe(1 + Math.max(body.length, 1))
  bytes[0] = 0x5b
  bytes.set(body, 1)
  // In place of the last comma.
  bytes[bytes.length - 1] = 0x5d
  return bytes
}

function write(parts: readonly object[], before: WrittenList | undefined): WrittenList {
  const sourceOf = matcher(parts, before)
  const ends = new Uint32Array(parts.length)
  const chunks: Uint8Array[] = []
  let length = 0
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
  }
  for (let i = 0; i < parts.length; ) {
    const source = sourceOf(i)
    if (!before || source < 0) {
      add(Buffer.from(`${JSON.stringify(parts[i])},`))
      ends[i++] = length
      continue
    }
    let next = i + 1
    while (next < parts.length && sourceOf(next) === source + next - i) next++
    const begin = source === 0 ? 0 : (before.ends[source - 1] as number)
    const moved = length - begin
    for (let k = i; k < next; k++) ends[k] = (before.ends[source + k - i] as number) + moved
    add(before.body.subarray(begin, before.ends[source + next - i - 1]))
    i = next
  }
  const list = { parts, body: Buffer.concat(chunks, length), ends }
  written.set(parts, list)
  return list
}

/** Which element of the list before one is, -1 for none: what comes behind an insertion or deletion is counted from the end. */
function matcher(parts: readonly object[], before: WrittenList | undefined): (index: number) => number {
  if (!before) return () => -1
  const other = before.parts
  const shift = other.length - parts.length
  return (i) => (parts[i] === other[i] ? i : parts[i] === other[i + shift] ? i + shift : -1)
}
