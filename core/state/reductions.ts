/** The rules of the fold: the reducers of every loaded plugin, and the removal of what belongs to an ended owner. */
import type { Collection, Ownership, SliceWriter } from '../contract/collection.ts'
import type { EndedOwner, EventMeta, Reducer } from '../contract/reducer.ts'
import { putBack, type UndoneData, type UndoneSlice, undone } from '../contract/undone.ts'

export class Reductions {
  readonly #reducers = new Map<string, { readonly plugin: string; readonly reduce: Reducer }[]>()
  readonly #endings = new Map<string, { readonly owner: string; readonly idOf: EndedOwner }[]>()
  /** By kind of owner. */
  readonly #owned = new Map<
    string,
    { readonly collection: Collection<unknown>; readonly index: Ownership['index'] }[]
  >()

  readonly #collections = new Map<string, Collection<unknown>>()
  /** Kinds of owners, by the collection that has them. */
  readonly #keptIn = new Map<string, string[]>()
  /** By plugin. */
  readonly #slices = new Map<string, UndoneSlice>()

  /** Adds a plugin's reducer for a type of event. */
  on(type: string, reduce: Reducer, plugin: string) {
    push(this.#reducers, type, { plugin, reduce })
  }
  /** Declares that an event of this type ends an owner. */
  endsOwner(type: string, owner: string, idOf: EndedOwner) {
    push(this.#endings, type, { owner, idOf })
  }
  /** Registers what an undo must know of the slice of a plugin. */
  slice(plugin: string, slice: UndoneSlice) {
    this.#slices.set(plugin, slice)
  }
  /** The version of the slice that a collection is of. */
  versionOf(collection: Collection<unknown>): number {
    return this.#slices.get(pluginOf(collection))?.version ?? 0
  }
  /** The collections whose entries belong to owners of a kind, each with the index that gives the owner's id. */
  ownedBy(owner: string): readonly { readonly collection: Collection<unknown>; readonly index: Ownership['index'] }[] {
    return this.#owned.get(owner) ?? []
  }
  /** Kinds of owners whose ids are the keys of this collection. */
  ownersIn(id: string): string[] {
    return this.#keptIn.get(id) ?? []
  }
  /** Registers a collection and its owners. */
  owned(collection: Collection<unknown>) {
    this.#collections.set(collection.id, collection)
    for (const { owner } of collection.owners)
      if (owner.keptIn !== undefined && !this.ownersIn(owner.keptIn).includes(owner.id))
        push(this.#keptIn, owner.keptIn, owner.id)
    for (const { owner, index } of collection.owners) push(this.#owned, owner.id, { collection, index })
  }

  /**
   * Folds one event: puts back what an undo names, runs the reducers in load order, then removes what belongs to an
   * owner that the event ends.
   * @param only fold only into the slices of these plugins
   */
  fold(write: SliceWriter, data: unknown, meta: EventMeta, only?: ReadonlySet<string>) {
    if (meta.type === undone.type) this.#putBack(write, data as UndoneData, only)
    for (const { plugin, reduce } of this.#reducers.get(meta.type) ?? [])
      if (!only || only.has(plugin)) reduce(write, data, meta)
    for (const { owner, idOf } of this.#endings.get(meta.type) ?? []) {
      for (const { collection, index } of this.#owned.get(owner) ?? [])
        if (!only || only.has(pluginOf(collection))) removeOwned(write, collection, index, idOf(data))
    }
  }

  /** Entries of a plugin that is not loaded are left out, like all its events. */
  #putBack(write: SliceWriter, { entries, versions }: UndoneData, only: ReadonlySet<string> | undefined) {
    for (const [id, key, value] of entries) {
      const collection = this.#collections.get(id)
      if (!collection) continue
      const plugin = pluginOf(collection)
      if (only && !only.has(plugin)) continue
      const slice = this.#slices.get(plugin)
      const version = versions[plugin] ?? 0
      const entry = { collection: id, key, value }
      if (slice?.putBack && version !== slice.version) slice.putBack(write, entry, version)
      else putBack(write, collection, entry)
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
