/**
 * State: the fold of the log's events.
 *
 * A plugin's slice is a set of collections, each a Map from a key to an immutable aggregate. Reducers write through a
 * `CollectionWriter`. There are two kinds over the same Maps:
 *
 * - an **overlay** (copy-on-write, one per running command): nothing outside the command sees it; success merges it in
 *   one synchronous step, anything else drops it
 * - the **direct** writer: for the fold of the log at the start, when no other code reads the state yet
 *
 * A merged overlay keeps what was there before, because the lane runs ahead of the disk: if a batch cannot be written,
 * the merged changes of that and every later command are undone and queries see the last durable state.
 */
import type {
  Collection,
  CollectionReader,
  CollectionWriter,
  SliceReader,
  SliceWriter,
} from '../contract/collection.ts'
import type { EventMeta } from '../contract/reducer.ts'
import { CollectionOverlay, type EntryChanges } from './collection-overlay.ts'
import { CollectionStore } from './collection-store.ts'
import { Reductions } from './reductions.ts'

/** Gives the committed content of a collection. */
type StoreOf = <T>(definition: Collection<T>) => CollectionStore<T>

/** All slices. */
export class State {
  readonly reductions = new Reductions()
  readonly #collections = new Map<string, CollectionStore<unknown>>()

  /** Registers a collection. Throws when the id is taken. */
  register(definition: Collection<unknown>) {
    if (this.#collections.has(definition.id)) throw new Error(`collection "${definition.id}" is declared twice`)
    this.#collections.set(definition.id, new CollectionStore(definition))
    this.reductions.owned(definition)
  }

  readonly #store: StoreOf = <T>(definition: Collection<T>) => {
    const store = this.#collections.get(definition.id)
    if (!store) throw new Error(`collection "${definition.id}" belongs to no loaded plugin`)
    return store as CollectionStore<T>
  }

  /** Reads the committed state. */
  readonly read: SliceReader = (definition) => this.#store(definition).view

  /** The change counter of a collection. */
  version(definition: Collection<unknown>): number {
    return this.#store(definition).version
  }

  /**
   * Folds one event into the committed state; only while no other code reads it.
   * @param only fold only into the slices of these plugins (their checkpoint is out of date)
   */
  fold(data: unknown, meta: EventMeta, only?: ReadonlySet<string>) {
    this.reductions.fold(this.#store, data, meta, only)
  }

  /** From now on `absent` is called when the fold is to change an aggregate that is not there. */
  watchAbsent(absent: ((collectionId: string, key: string) => void) | undefined) {
    for (const [id, store] of this.#collections) store.onAbsent = absent && ((key) => absent(id, key))
  }

  /** A new overlay for one command. */
  overlay(): Overlay {
    return new Overlay(this.#store, this.reductions)
  }

  /** What is declared of a collection; undefined for an id that no loaded plugin has. */
  definition(id: string): Collection<unknown> | undefined {
    return this.#collections.get(id)?.definition
  }

  /** The ids of all collections. */
  collectionIds(): string[] {
    return [...this.#collections.keys()]
  }

  /**
   * The content of every collection at this moment, to be written as a checkpoint while commands go on. Aggregates are
   * immutable, so the entries need no copy.
   */
  snapshot(): Map<string, [string, unknown][]> {
    return new Map([...this.#collections].map(([id, store]) => [id, [...store.map]]))
  }

  /** Restores entries of a checkpoint. */
  restore(collectionId: string, entries: readonly [string, unknown][]) {
    const store = this.#collections.get(collectionId)
    if (store) for (const [key, value] of entries) store.set(key, value)
  }
}

/** What one command sees and changes. */
export class Overlay {
  readonly #store: StoreOf
  readonly #reductions: Reductions
  readonly #overlays = new Map<string, CollectionOverlay<unknown>>()

  constructor(store: StoreOf, reductions: Reductions) {
    this.#store = store
    this.#reductions = reductions
  }

  /** Reads through the overlay. */
  read<T>(definition: Collection<T>): CollectionReader<T> {
    const overlay = this.#overlays.get(definition.id) as CollectionOverlay<T> | undefined
    return (overlay ?? this.#store(definition)).view
  }

  /** Folds one event into the overlay. */
  fold(data: unknown, meta: EventMeta) {
    this.#reductions.fold(this.#write, data, meta)
  }

  readonly #write: SliceWriter = <T>(definition: Collection<T>): CollectionWriter<T> => {
    let overlay = this.#overlays.get(definition.id)
    if (!overlay) {
      overlay = new CollectionOverlay(this.#store(definition) as CollectionStore<unknown>)
      this.#overlays.set(definition.id, overlay)
    }
    return overlay as CollectionOverlay<T>
  }

  /** Before a merge: what it would change, by the id of the collection. */
  pending(): Map<string, EntryChanges> {
    return new Map([...this.#overlays].map(([id, overlay]) => [id, overlay.pending()]))
  }

  /** Merges everything into the state, synchronously. */
  merge() {
    for (const overlay of this.#overlays.values()) overlay.merge()
  }

  /** After a merge: what it changed, by the id of the collection. */
  changes(): Map<string, EntryChanges> {
    const all = new Map<string, EntryChanges>()
    for (const [id, overlay] of this.#overlays) {
      const changes = overlay.changed()
      if (changes) all.set(id, changes)
    }
    return all
  }

  /** Undoes the merge. Everything merged later must be undone already; then the state is as it was before. */
  takeBack() {
    for (const overlay of this.#overlays.values()) overlay.takeBack()
  }
}
