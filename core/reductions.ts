/** The rules of the fold: the reducers of every loaded plugin, and the removal of what belongs to an ended owner. */
import type { Collection, Ownership, SliceWriter } from './collection.ts'

/** What a reducer gets besides the event's data. */
export interface EventMeta {
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly jobId: string | undefined
  readonly actor: string | undefined
}

/** How an event changes collections. */
export type Reducer = (write: SliceWriter, data: unknown, meta: EventMeta) => void
/** The id of the owner that an event ends; undefined: every owner of the kind. */
export type EndedOwner = (data: unknown) => string | undefined

export class Reductions {
  readonly #reducers = new Map<string, { readonly plugin: string; readonly reduce: Reducer }[]>()
  readonly #endings = new Map<string, { readonly owner: string; readonly idOf: EndedOwner }[]>()
  /** By kind of owner. */
  readonly #owned = new Map<
    string,
    { readonly collection: Collection<unknown>; readonly index: Ownership['index'] }[]
  >()

  /** Adds a plugin's reducer for a type of event. */
  on(type: string, reduce: Reducer, plugin: string) {
    push(this.#reducers, type, { plugin, reduce })
  }
  /** Declares that an event of this type ends an owner. */
  endsOwner(type: string, owner: string, idOf: EndedOwner) {
    push(this.#endings, type, { owner, idOf })
  }
  /** Registers the owners of a collection. */
  owned(collection: Collection<unknown>) {
    for (const { owner, index } of collection.owners) push(this.#owned, owner.id, { collection, index })
  }

  /**
   * Folds one event: runs the reducers in load order, then removes what belongs to an owner that the event ends.
   * @param only fold only into the slices of these plugins
   */
  fold(write: SliceWriter, data: unknown, meta: EventMeta, only?: ReadonlySet<string>) {
    for (const { plugin, reduce } of this.#reducers.get(meta.type) ?? [])
      if (!only || only.has(plugin)) reduce(write, data, meta)
    for (const { owner, idOf } of this.#endings.get(meta.type) ?? []) {
      for (const { collection, index } of this.#owned.get(owner) ?? [])
        if (!only || only.has(pluginOf(collection))) removeOwned(write, collection, index, idOf(data))
    }
  }
}

function removeOwned(write: SliceWriter, collection: Collection<unknown>, index: Ownership['index'], id?: string) {
  const entries = write(collection)
  if (index === undefined) {
    entries.clear()
    return
  }
  const ownerOf = collection.indexes[index]!
  const gone =
    id === undefined
      ? [...entries.entries()].filter(([key, value]) => ownerOf(value, key) !== undefined).map(([key]) => key)
      : entries.findKeys(index, id)
  if (gone.length === entries.size) entries.clear()
  else for (const key of gone) entries.delete(key)
}

/** The plugin of a collection: ids are `<plugin>.…`. */
function pluginOf({ id }: Collection<unknown>): string {
  return id.slice(0, id.indexOf('.'))
}

function push<V>(lists: Map<string, V[]>, key: string, value: V) {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
