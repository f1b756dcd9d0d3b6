/**
 * The event of an undo (docs/design.md#undo): which entries of which collections became what. It is folded by the
 * engine itself (`reductions.ts`), for all plugins; a plugin that must know of it adds a reducer of its own.
 */
import type { Collection, SliceWriter } from './collection.ts'
import { domainEvent } from './event.ts'

/** One entry that an undo put back: the id of its collection, its key, and what it became. */
export interface PutBackEntry {
  readonly collection: string
  readonly key: string
  readonly value: unknown
}

/** Puts back an entry of another version of the slice; see `Slice`. */
export type PutBack = (write: SliceWriter, entry: PutBackEntry, version: number) => void

/** What an undo must know of a slice. */
export interface UndoneSlice {
  readonly version: number
  readonly putBack?: PutBack
}

/** Data of {@link undone}. An undo of many entries is several events. */
export interface UndoneData {
  readonly kind: 'undo' | 'redo'
  /** The jobs that are taken back, newest first; only in the first event of the command. */
  readonly jobs: readonly string[]
  /** Versions of the slices, by plugin, of which the values are. */
  readonly versions: Readonly<Record<string, number>>
  /** Collection, key and value; without a value the entry is gone. Fields that are no content are left out. */
  readonly entries: readonly (readonly [collection: string, key: string, value?: unknown])[]
}

export const undone = domainEvent<UndoneData>('core.undone', 'Commands were taken back, or done again')

/**
 * What an object of the project was named in the commands that were taken back: it makes the undo findable in the
 * audit.
 */
export const entityUndone = domainEvent<{ readonly kind: 'undo' | 'redo'; readonly jobs: readonly string[] }>(
  'core.entity-undone',
  'Changes of an object were taken back, or done again',
)

/** Most entries in one event. */
export const entriesOfEvent = 500

/** Fields of the aggregates of a collection that are no content; see `UndoRule`. */
export function apartOf({ undo }: Pick<Collection<unknown>, 'undo'>): readonly string[] {
  return typeof undo === 'object' ? (undo.apart ?? []) : []
}

/** True when the collection is content of the project: undo takes its changes back. */
export function isProjectState({ undo, owners }: Collection<unknown>): boolean {
  return undo === undefined ? owners.length > 0 : undo !== 'apart' && undo !== 'attached'
}

/** An aggregate without the fields that are no content. */
export function contentOf(value: unknown, apart: readonly string[]): unknown {
  if (apart.length === 0 || value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !apart.includes(name)))
}

/** The blobs that a value names, as often as it does. */
export function hashesIn(value: unknown): string[] {
  return (JSON.stringify(value) ?? '').match(/sha256:[0-9a-f]{64}/g) ?? []
}

/** The value to set: the content of `entry`, with the fields that are no content as they are now. */
function withApart(value: unknown, now: unknown, apart: readonly string[]): unknown {
  if (apart.length === 0 || now === null || typeof now !== 'object') return value
  const kept = Object.entries(now).filter(([name]) => apart.includes(name))
  return { ...(value as object), ...Object.fromEntries(kept) }
}

/** Puts one entry of an undo back into its collection. */
export function putBack(write: SliceWriter, definition: Collection<unknown>, { key, value }: PutBackEntry): void {
  const entries = write(definition)
  if (value === undefined) entries.delete(key)
  else entries.set(key, withApart(value, entries.get(key), apartOf(definition)))
}
