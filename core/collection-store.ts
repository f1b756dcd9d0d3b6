/** The committed content of one collection, with its indexes. */
import { freeze, produce } from 'immer'
import { lowerBound } from '../lib/lower-bound.ts'
import { type Collection, CollectionView, type CollectionWriter, indexValues, type Mutable } from './collection.ts'

/** Keys in ascending order, and how often they were changed since they were read. */
interface SortedKeys {
  readonly keys: string[]
  edits: number
}

/** After so many changes without a reader, sorting anew is quicker than to go on putting each key in its place. */
const mostEdits = 1000

export class CollectionStore<T> implements CollectionWriter<T> {
  readonly view: CollectionView<T> = new CollectionView(this)
  map = new Map<string, T>()
  /** Rises with every change; ETags are made from it. */
  version = 0
  /** Called when an aggregate is to be changed that is not there. */
  onAbsent: ((key: string) => void) | undefined
  readonly #indexed = new Map<string, Map<string, Set<string>>>()

  /** By index and value; only those that were asked for. */
  readonly #sorted = new Map<string, Map<string, SortedKeys>>()

  constructor(readonly definition: Collection<T>) {
    for (const name of Object.keys(definition.indexes)) this.#indexed.set(name, new Map())
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
    return [...(values.get(value) ?? [])]
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
    const before = this.map.get(key)
    // Where it stays in an index it keeps its place, as in the collection.
    if (before !== undefined) this.#unindex(key, before, value)
    this.#index(key, value)
    this.map.set(key, freeze(value, true))
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
    this.map.delete(key)
  }
  clear() {
    this.replaceAll(new Map())
  }

  /** Replaces the content by another Map; the old one stays untouched, because undo keeps it. */
  replaceAll(map: Map<string, T>) {
    this.version++
    this.map = map
    for (const values of this.#indexed.values()) values.clear()
    this.#sorted.clear()
    for (const [key, value] of map) this.#index(key, value)
  }

  #index(key: string, value: T) {
    for (const [name, values] of this.#indexed) {
      for (const indexValue of indexValues(this.definition.indexes[name]!, value, key)) {
        const keys = values.get(indexValue)
        if (keys?.has(key)) continue
        if (keys) keys.add(key)
        else values.set(indexValue, new Set([key]))
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
