/** Compares two documents of an object of a station: by what they are made of, field by field. */
import type { Aspect, ComparedObjects, Difference } from '../../../plc/edit/compare.ts'
import type { ObjectData } from './library-uses.ts'

/** A list of differences ends here; more are counted. */
const mostDifferences = 1000
/** Fields that say how it was written, not what it is. */
const written = new Set(['source', 'sourceBase64', 'isAsDocument'])

/** @param left text as libraries keep it */
export function compareData(left: string, right: string): ComparedObjects {
  if (left === right) return { isSameMeaning: true, isSameText: true, aspects: [], differences: [], omitted: 0 }
  const [a, b] = [leavesOf(JSON.parse(left) as ObjectData), leavesOf(JSON.parse(right) as ObjectData)]
  const all: Difference[] = []
  for (const [path, value] of a) {
    const other = b.get(path)
    if (other === undefined) all.push({ aspect: aspectOf(path), path, change: 'removed', left: value })
    else if (other !== value) all.push({ aspect: aspectOf(path), path, change: 'changed', left: value, right: other })
  }
  for (const [path, value] of b)
    if (!a.has(path)) all.push({ aspect: aspectOf(path), path, change: 'added', right: value })
  const aspects = [...new Set(all.map(({ aspect }) => aspect))]
  return {
    isSameMeaning: all.length === 0,
    isSameText: false,
    aspects: all.length === 0 ? ['text'] : aspects,
    differences: all.slice(0, mostDifferences),
    omitted: Math.max(0, all.length - mostDifferences),
  }
}

function aspectOf(path: string): Aspect {
  if (path.startsWith('tags.')) return 'tags'
  return path === 'content.source' ? 'code' : path.startsWith('objects.') ? 'interface' : 'properties'
}

/** The values of a document by their paths; objects and tags are found by their names, not their places. */
function leavesOf(data: ObjectData): Map<string, string> {
  const leaves = new Map<string, string>()
  const visit = (value: unknown, path: string): void => {
    if (Array.isArray(value) && value.length > 0)
      for (const [i, one] of value.entries()) {
        const name = (one as { name?: unknown } | null)?.name
        visit(one, `${path}.${typeof name === 'string' ? name : i + 1}`)
      }
    else if (value !== null && typeof value === 'object' && Object.keys(value).length > 0)
      for (const [key, one] of Object.entries(value)) {
        if (key === 'ref' || (path === '' && written.has(key))) continue
        visit(one, path === '' ? key : `${path}.${key}`)
      }
    else leaves.set(path, typeof value === 'string' ? value : JSON.stringify(value))
  }
  visit(data, '')
  return leaves
}
