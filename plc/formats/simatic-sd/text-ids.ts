/**
 * Ids of texts (`MLC_4En`) of a block that came as SIMATIC SD. Its document is SimaticML, which has no place for them:
 * they are in an XML comment at its end, so that an export writes the ids again and version control shows what changed.
 */

const opening = '<!-- SIMATIC SD texts: '

/** The root element with the ids by their place in the block. Without ids it stays as it is. */
export function withTextIds(xml: string, ids: ReadonlyMap<string, string>): string {
  const end = xml.lastIndexOf('</')
  if (ids.size === 0 || end === -1) return xml
  // Two hyphens end a comment.
  const list = JSON.stringify(Object.fromEntries(ids)).replaceAll('-', '\\u002d')
  return `${xml.slice(0, end)}${opening}${list} -->${xml.slice(end)}`
}

/** The root element as other tools get it: without the ids. */
export function withoutTextIds(xml: string): string {
  const start = xml.lastIndexOf(opening)
  const end = xml.indexOf(' -->', start)
  return start === -1 || end === -1 ? xml : xml.slice(0, start) + xml.slice(end + ' -->'.length)
}

/** The ids of a root element that `withTextIds` wrote; none when it has no such comment. */
export function textIdsOf(xml: string): ReadonlyMap<string, string> {
  const start = xml.lastIndexOf(opening)
  const end = xml.indexOf(' -->', start)
  if (start === -1 || end === -1) return new Map()
  try {
    const ids: unknown = JSON.parse(xml.slice(start + opening.length, end))
    return new Map(Object.entries(ids as object).filter((entry): entry is [string, string] => isId(entry[1])))
  } catch {
    // Somebody edited the comment: the texts get new ids.
    return new Map()
  }
}

function isId(id: unknown): boolean {
  return typeof id === 'string' && /^MLC_\w+$/.test(id)
}
