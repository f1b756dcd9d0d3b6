/** The committed content of one collection, with its indexes. */
import { freeze, produce } from 'immer'
import { lowerBound } from '../../lib/lower-bound.ts'
import {
  type Collection,
  CollectionView,
  type CollectionWriter,
  indexValues,
  type Mutable,
} from '../contract/collection.ts'

/** Keys in ascending order, and how often they were changed since they were read. */
interface SortedKeys {
  readonly keys: string[]
  edits: number
}

/** The entries of a collection, with what tells their order: an entry that is put back is put to its place. */
export interface Content<T> {
  readonly entries: Map<string, T>
  /** By key: rises from entry to entry. */
  readonly places: Map<string, number>
}

/** After so many changes without a reader, sorting anew is quicker than to go on putting each key in its place. */
const mostEdits = 1000

export class CollectionStore<T> implements CollectionWriter<T> {
  readonly view: CollectionView<T> = new CollectionView(this)
  #content: Content<T> = { entries: new Map(), places: new Map() }
  #nextPlace = 0
  /** Rises with every change; ETags are made from it. */
  version = 0
  /** Called when an aggregate is to be changed that is not there. */
  onAbsent: ((key: string) => void) | undefined
  readonly #indexed = new Map<string, Map<string, Set<string>>>()
  /** Of these: those that an entry has come into that may be before others of them. */
  readonly #unordered = new WeakSet<Set<string>>()

  /** By index and value; only those that were asked for. */
  readonly #sorted = new Map<string, Map<string, SortedKeys>>()

  constructor(readonly definition: Collection<T>) {
    for (const name of Object.keys(definition.indexes)) this.#indexed.set(name, new Map())
  }

  /** The content as it is. It is changed in place, except by what replaces all. */
  get content(): Content<T> {
    return this.#content
  }
  get map(): ReadonlyMap<string, T> {
    return this.#content.entries
  }
  get size() {
    return this.map.size
  }
  get(key: string) {
    return this.map.get(key)
  }
  has(key: string) {
    return this.map.has(key)
  }
  keys() {
    return this.map.keys()
  }
  values() {
    return this.map.values()
  }
  entries() {
    return this.map.entries()
  }
  find(index: string, value: string): T[] {
    return this.findKeys(index, value).map((key) => this.map.get(key)!)
  }
  findKeys(index: string, value: string): string[] {
    const values = this.#indexed.get(index)
    if (!values) throw new Error(`collection ${this.definition.id} has no index "${index}"`)
    const keys = values.get(value)
    if (keys === undefined) return []
    if (!this.#unordered.has(keys)) return [...keys]
    const ordered = this.inOrder(keys)
    values.set(value, new Set(ordered))
    return ordered
  }
  /** Keys of entries in the order of the collection. */
  inOrder(keys: Iterable<string>): string[] {
    const { places } = this.#content
    return [...keys].sort((a, b) => places.get(a)! - places.get(b)!)
  }
  sortedKeys(index: string, value: string): readonly string[] {
    const lists = this.#sorted.get(index) ?? new Map<string, SortedKeys>()
    this.#sorted.set(index, lists)
    const list = lists.get(value) ?? { keys: this.findKeys(index, value).sort(), edits: 0 }
    lists.set(value, list)
    list.edits = 0
    return list.keys
  }

  set(key: string, value: T) {
    this.version++
    const { entries, places } = this.#content
    const before = entries.get(key)
    if (before !== undefined) this.#unindex(key, before, value)
    else places.set(key, this.#nextPlace++)
    this.#index(key, value, before === undefined)
    entries.set(key, freeze(value, true))
  }
  update(key: string, recipe: (draft: Mutable<T>) => void) {
    const value = this.map.get(key)
    if (value !== undefined) this.set(key, changed(value, recipe))
    else this.onAbsent?.(key)
  }
  delete(key: string) {
    const value = this.map.get(key)
    if (value === undefined) return
    this.version++
    this.#unindex(key, value)
    this.#content.entries.delete(key)
    this.#content.places.delete(key)
  }
  clear() {
    this.replaceAll(new Map())
  }

  /** Replaces the content by other entries; the old content stays untouched, because undo keeps it. */
  replaceAll(entries: Map<string, T>) {
    const places = new Map<string, number>()
    for (const key of entries.keys()) places.set(key, this.#nextPlace++)
    this.restoreContent({ entries, places })
  }
  /** Makes a former content the content again. */
  restoreContent(content: Content<T>) {
    this.version++
    this.#content = content
    for (const values of this.#indexed.values()) values.clear()
    this.#sorted.clear()
    for (const [key, value] of content.entries) this.#index(key, value, true)
  }
  /** Puts former entries back to their places in the order of the collection. */
  restoreEntries(former: Content<T>) {
    if (former.entries.size === 0) return
    const { entries, places } = this.#content
    for (const [key, value] of former.entries) {
      entries.set(key, value)
      places.set(key, former.places.get(key)!)
    }
    const ordered = this.inOrder(entries.keys()).map((key): [string, T] => [key, entries.get(key)!])
    this.restoreContent({ entries: new Map(ordered), places })
  }

  /** @param isLast whether it is behind all other entries of the collection */
  #index(key: string, value: T, isLast: boolean) {
    for (const [name, values] of this.#indexed) {
      for (const indexValue of indexValues(this.definition.indexes[name]!, value, key)) {
        const keys = values.get(indexValue)
        if (keys?.has(key)) continue
        if (keys) {
          keys.add(key)
          if (!isLast) this.#unordered.add(keys)
        } else values.set(indexValue, new Set([key]))
        this.#place(name, indexValue, key, true)
      }
    }
  }

  /** @param next the value that comes instead */
  #unindex(key: string, value: T, next?: T) {
    for (const [name, values] of this.#indexed) {
      const of = this.definition.indexes[name]!
      const kept = next === undefined ? [] : indexValues(of, next, key)
      for (const indexValue of indexValues(of, value, key)) {
        if (kept.includes(indexValue)) continue
        const keys = values.get(indexValue)
        keys?.delete(key)
        if (keys?.size === 0) values.delete(indexValue)
        this.#place(name, indexValue, key, false)
      }
    }
  }

  /** Puts a key into the sorted keys of an index value, or takes it out. */
  #place(index: string, value: string, key: string, isIn: boolean) {
    const list = this.#sorted.get(index)?.get(value)
    if (!list) return
    if (++list.edits > mostEdits) {
      this.#sorted.get(index)!.delete(value)
      return
    }
    const { keys } = list
    const at = lowerBound(keys, (one) => one < key)
    const isThere = keys[at] === key
    if (isIn !== isThere) keys.splice(at, isThere ? 1 : 0, ...(isIn ? [key] : []))
  }
}

/** The aggregate that a recipe makes of another one. */
export function changed<T>(value: T, recipe: (draft: Mutable<T>) => void): T {
  return produce(value, (draft) => {
    recipe(draft as Mutable<T>)
  })
}
