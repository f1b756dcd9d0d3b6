/** The committed content of one collection, with its indexes. */
import { freeze, produce } from 'immer'
import { type Collection, CollectionView, type CollectionWriter, indexValues, type Mutable } from './collection.ts'

export class CollectionStore<T> implements CollectionWriter<T> {
  readonly view: CollectionView<T> = new CollectionView(this)
  map = new Map<string, T>()
  /** Rises with every change; ETags are made from it. */
  version = 0
  readonly #indexed = new Map<string, Map<string, Set<string>>>()

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

  set(key: string, value: T) {
    this.version++
    const before = this.map.get(key)
    if (before !== undefined) this.#unindex(key, before)
    this.#index(key, value)
    this.map.set(key, freeze(value, true))
  }
  update(key: string, recipe: (draft: Mutable<T>) => void) {
    const value = this.map.get(key)
    if (value !== undefined) this.set(key, changed(value, recipe))
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
    for (const [key, value] of map) this.#index(key, value)
  }

  #index(key: string, value: T) {
    for (const [name, values] of this.#indexed) {
      for (const indexValue of indexValues(this.definition.indexes[name]!, value, key)) {
        const keys = values.get(indexValue)
        if (keys) keys.add(key)
        else values.set(indexValue, new Set([key]))
      }
    }
  }

  #unindex(key: string, value: T) {
    for (const [name, values] of this.#indexed) {
      for (const indexValue of indexValues(this.definition.indexes[name]!, value, key)) {
        const keys = values.get(indexValue)
        keys?.delete(key)
        if (keys?.size === 0) values.delete(indexValue)
      }
    }
  }
}

/** The aggregate that a recipe makes of another one. */
export function changed<T>(value: T, recipe: (draft: Mutable<T>) => void): T {
  return produce(value, (draft) => {
    recipe(draft as Mutable<T>)
  })
}
