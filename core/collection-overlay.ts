/** The changes of one command to one collection, on top of its committed content. */
import { freeze } from 'immer'
import { CollectionView, type CollectionWriter, indexValues, type Mutable } from './collection.ts'
import { type CollectionStore, changed } from './collection-store.ts'

const deleted = Symbol('deleted')
/** By key, in the order in which the keys were first changed. */
type Changes<T> = Map<string, T | typeof deleted>

export class CollectionOverlay<T> implements CollectionWriter<T> {
  readonly view: CollectionView<T> = new CollectionView(this)
  readonly base: CollectionStore<T>
  #changes: Changes<T> = new Map()
  #cleared = false
  /** After a merge: the changes that undo it, or the content that it replaced as a whole. */
  #before: { readonly changes: Changes<T> } | { readonly content: Map<string, T> } | undefined

  constructor(base: CollectionStore<T>) {
    this.base = base
  }

  get(key: string): T | undefined {
    const change = this.#changes.get(key)
    if (change !== undefined) return change === deleted ? undefined : change
    return this.#cleared ? undefined : this.base.get(key)
  }
  has(key: string) {
    return this.get(key) !== undefined
  }
  get size() {
    let n = this.#cleared ? 0 : this.base.size
    for (const [key, change] of this.#changes) {
      const before = !this.#cleared && this.base.has(key)
      if (change === deleted) n -= before ? 1 : 0
      else if (!before) n++
    }
    return n
  }
  *entries(): IterableIterator<[string, T]> {
    if (!this.#cleared) {
      for (const entry of this.base.entries()) {
        const change = this.#changes.get(entry[0])
        if (change === undefined) yield entry
        else if (change !== deleted) yield [entry[0], change]
      }
    }
    for (const [key, change] of this.#changes) {
      if (change !== deleted && (this.#cleared || !this.base.has(key))) yield [key, change]
    }
  }
  *keys() {
    for (const [key] of this.entries()) yield key
  }
  *values() {
    for (const [, value] of this.entries()) yield value
  }
  find(index: string, value: string): T[] {
    return this.findKeys(index, value).map((key) => this.get(key)!)
  }
  findKeys(index: string, value: string): string[] {
    const keys = this.base.findKeys(index, value).filter((key) => !this.#cleared && !this.#changes.has(key))
    const of = this.base.definition.indexes[index]!
    for (const [key, change] of this.#changes) {
      if (change !== deleted && indexValues(of, change, key).includes(value)) keys.push(key)
    }
    return keys
  }
  sortedKeys(index: string, value: string): readonly string[] {
    const isAsBase = !this.#cleared && this.#changes.size === 0
    return isAsBase ? this.base.sortedKeys(index, value) : this.findKeys(index, value).sort()
  }

  set(key: string, value: T) {
    this.#changes.set(key, freeze(value, true))
  }
  update(key: string, recipe: (draft: Mutable<T>) => void) {
    const value = this.get(key)
    if (value !== undefined) this.set(key, changed(value, recipe))
  }
  delete(key: string) {
    if (this.has(key)) this.#changes.set(key, deleted)
  }
  clear() {
    this.#cleared = true
    this.#changes.clear()
  }

  /** Applies the changes to the committed content; afterwards the overlay shows the state as it is. */
  merge() {
    const changes = this.#changes
    this.#changes = new Map()
    if (this.#cleared) {
      this.#cleared = false
      this.#before = { content: this.base.map }
      const content = new Map<string, T>()
      for (const [key, change] of changes) if (change !== deleted) content.set(key, change)
      this.base.replaceAll(content)
    } else this.#before = { changes: this.#apply(changes) }
  }

  takeBack() {
    if (!this.#before) return
    if ('content' in this.#before) this.base.replaceAll(this.#before.content)
    else this.#apply(this.#before.changes)
  }

  /** Applies changes; returns those that undo them. */
  #apply(changes: Changes<T>): Changes<T> {
    const before: Changes<T> = new Map()
    for (const [key, change] of changes) {
      before.set(key, this.base.get(key) ?? deleted)
      if (change === deleted) this.base.delete(key)
      else this.base.set(key, change)
    }
    return before
  }
}
