/** What a project contains, as one hash: for tests of undo, redo and replay. */
import { createHash } from 'node:crypto'
import { apartOf, contentOf, isProjectState } from '../core/contract/undone.ts'
import type { State } from '../core/state/state.ts'

/** All content of the project, in an order of its own: of each entry what counts. */
export function contentHash(state: State): string {
  const hash = createHash('sha256')
  for (const id of state.collectionIds().sort()) {
    const definition = state.definition(id)!
    if (!isProjectState(definition)) continue
    const entries = [...state.read(definition).entries()].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [key, value] of entries)
      hash.update(`${id} ${key} ${canonical(contentOf(value, apartOf(definition)))}\n`)
  }
  return hash.digest('hex')
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
