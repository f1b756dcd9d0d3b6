/** Whether a change only adds to what there is: nobody loses anything by it, so nobody need be asked. */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../lib/is-object.ts'
import { apartOf, contentOf } from '../contract/undone.ts'
import type { EntryChanges } from '../state/collection-overlay.ts'
import type { State } from '../state/state.ts'

/**
 * True when there is something new and all that was there stays as it is. What is no content (when it was compiled, who
 * is online) may change, but nothing may go.
 *
 * @param pending the changes by collection
 * @param files the changes of files
 */
export function addsOnly(
  state: State,
  pending: Iterable<readonly [string, EntryChanges]>,
  files: readonly { readonly change: string }[],
): boolean {
  if (files.some(({ change }) => change !== 'created')) return false
  let added = files.length
  for (const [id, changes] of pending) {
    const definition = state.definition(id)
    if (definition === undefined) return false
    const apart = apartOf(definition)
    const isContent = definition.undo !== 'apart' && definition.undo !== 'attached'
    for (const key of changes.keys()) {
      const [before, after] = [changes.before(key), changes.after(key)]
      if (after === undefined) return false
      if (before === undefined) added += isContent ? 1 : 0
      else if (isContent) {
        const [was, is] = [contentOf(before, apart), contentOf(after, apart)]
        if (isDeepStrictEqual(was, is)) continue
        if (!hasAll(was, is)) return false
        added++
      }
    }
  }
  return added > 0
}

/** The field of an aggregate that says when it was last changed. */
const whenChanged = 'modifiedAt'

/** True when a value has all that another has, and more: a list further entries, an object further fields. */
function hasAll(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    let next = 0
    for (const entry of after) if (next < before.length && hasAll(before[next], entry)) next++
    return next === before.length
  }
  if (isObject(before) && isObject(after))
    return Object.entries(before).every(([name, value]) => name === whenChanged || hasAll(value, after[name]))
  return before === after
}
