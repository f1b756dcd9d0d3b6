/** What plugins know of an undo: the entries that it changes, and what would not fit together after it. */
import type { SliceReader } from './collection.ts'
import { type ExtensionPoint, extensionPoint } from './extension-point.ts'

/** An entry that an undo changes. */
export interface UndoEntry {
  readonly collection: string
  readonly key: string
  /** What it becomes, without the fields that are no content; undefined: it is removed. */
  readonly value: unknown
}

/** An entry that stands in the way of an undo. */
export interface UndoObstacle {
  readonly collection: string
  readonly key: string
  /** Why, for people, e.g. `has its name now`; the job that changed it last is added. */
  readonly reason: string
}

/** What a check reads: the state with the undo. */
export interface UndoView {
  readonly read: SliceReader
  extensions<T>(point: ExtensionPoint<T>): readonly T[]
}

/** Finds, among the entries that an undo changes, what would not fit together beyond what owners and keys say. */
export type UndoCheck = (ctx: UndoView, entries: readonly UndoEntry[]) => readonly UndoObstacle[]

/** Plugins contribute checks of what an undo would leave. */
export const undoCheck = extensionPoint<UndoCheck>('core.undo-checks', {
  title: 'Checks of an undo',
  description:
    'Finds what would not fit together after an undo, beyond what owners and keys say. All checks run; an obstacle of any of them refuses the undo.',
  constant: 'undoCheck',
  check: 'function',
  example:
    "({ read }, entries) => entries.filter(({ key }) => key === 'kept').map(({ collection, key }) => ({ collection, key, reason: 'must stay' }))",
  formerly: 'core.undo-check',
})
