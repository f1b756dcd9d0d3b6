/** The changes of one command to one collection, on top of its committed content. */
import { freeze } from 'immer'
import { CollectionView, type CollectionWriter, indexValues, type Mutable } from '../contract/collection.ts'
import { type CollectionStore, type Content, changed } from './collection-store.ts'

const deleted = Symbol('deleted')
/** What a command has changed in one collection. A value is undefined where there was, or is, no entry. */
export interface EntryChanges {
  keys(): readonly string[]
  before(key: string): unknown
  after(key: string): unknown
}
/** By key, in the order in which the keys were first changed, or set again after they were deleted. */
type Changes<T> = Map<string, T | typeof deleted>
/** What was there before a merge: the changes that undo it, or the content that it replaced as a whole. */
type Before<T> =
  | { readonly changes: Changes<T>; readonly places: Map<string, number> }
  | { readonly content: Content<T> }

export class CollectionOverlay<T> implements CollectionWriter<T> {
  readonly view: CollectionView<T> = new CollectionView(this)
  readonly base: CollectionStore<T>
  #changes: Changes<T> = new Map()
  /** Deleted and set again: such an entry is behind the others, as when the events are folded one by one. */
  readonly #moved = new Set<string>()
  #cleared = false
  /** After a merge. */
  #before: Before<T> | undefined

  /** What a merge has set and deleted. */
  #merged: Changes<T> | undefined

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
        else if (change !== deleted && !this.#moved.has(entry[0])) yield [entry[0], change]
      }
    }
    for (const [key, change] of this.#changes) if (change !== deleted && this.#isBehind(key)) yield [key, change]
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
    const of = this.base.definition.indexes[index]!
    const isIn = (key: string) => {
      const change = this.#changes.get(key)
      return change !== undefined && change !== deleted && indexValues(of, change, key).includes(value)
    }
    const found = [...this.#changes.keys()].filter(isIn)
    const kept = this.#cleared ? [] : this.base.findKeys(index, value).filter((key) => !this.#changes.has(key))
    const here = found.filter((key) => !this.#isBehind(key))
    const first = here.length === 0 ? kept : this.base.inOrder([...kept, ...here])
    return [...first, ...found.filter((key) => this.#isBehind(key))]
  }
  /** Whether a changed entry is behind those of the base, in the order of the changes. */
  #isBehind(key: string): boolean {
    return this.#cleared || this.#moved.has(key) || !this.base.has(key)
  }
  sortedKeys(index: string, value: string): readonly string[] {
    const isAsBase = !this.#cleared && this.#changes.size === 0
    return isAsBase ? this.base.sortedKeys(index, value) : this.findKeys(index, value).sort()
  }

  set(key: string, value: T) {
    if (this.#changes.get(key) === deleted) {
      this.#changes.delete(key)
      this.#moved.add(key)
    }
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
    this.#moved.clear()
  }

  /** Before a merge: the changes that it would make. */
  pending(): EntryChanges {
    const touched = new Set([...(this.#cleared ? this.base.keys() : []), ...this.#changes.keys()])
    return {
      keys: () => [...touched].filter((key) => this.base.get(key) !== this.get(key)),
      before: (key) => this.base.get(key),
      after: (key) => this.get(key),
    }
  }

  /** Applies the changes to the committed content; afterwards the overlay shows the state as it is. */
  merge() {
    const changes = this.#changes
    this.#changes = new Map()
    this.#merged = changes
    if (this.#cleared) {
      this.#cleared = false
      this.#before = { content: this.base.content }
      const content = new Map<string, T>()
      for (const [key, change] of changes) if (change !== deleted) content.set(key, change)
      this.base.replaceAll(content)
    } else this.#before = this.#apply(changes)
    this.#moved.clear()
  }

  /** After a merge: the changes that it made. Nothing is copied. */
  changed(): EntryChanges | undefined {
    const [before, merged] = [this.#before, this.#merged]
    if (before === undefined || merged === undefined) return undefined
    const old = 'content' in before ? before.content.entries : before.changes
    const of = (map: ReadonlyMap<string, T | typeof deleted>) => (key: string) => {
      const value = map.get(key)
      return value === deleted ? undefined : value
    }
    const [was, is] = [of(old), of(merged)]
    let keys: readonly string[] | undefined
    return {
      keys: () => {
        keys ??= [...new Set([...old.keys(), ...merged.keys()])].filter((key) => was(key) !== is(key))
        return keys
      },
      before: was,
      after: is,
    }
  }

  /** Undoes the merge: the entries, and the order that they had. What was merged later is undone already. */
  takeBack() {
    const before = this.#before
    if (!before) return
    if ('content' in before) return this.base.restoreContent(before.content)
    const { changes, places } = before
    const gone = new Map<string, T>()
    for (const [key, change] of changes) {
      if (change !== deleted && !places.has(key)) this.base.set(key, change)
      else this.base.delete(key)
      if (change !== deleted && places.has(key)) gone.set(key, change)
    }
    this.base.restoreEntries({ entries: gone, places })
  }

  /** Applies changes; returns what undoes them: the places are those of the entries that it deletes or moves. */
  #apply(changes: Changes<T>): Before<T> {
    const before: Changes<T> = new Map()
    const places = new Map<string, number>()
    for (const [key, change] of changes) {
      before.set(key, this.base.get(key) ?? deleted)
      if (change === deleted || this.#moved.has(key)) {
        const place = this.base.content.places.get(key)
        if (place !== undefined) places.set(key, place)
        this.base.delete(key)
      }
      if (change !== deleted) this.base.set(key, change)
    }
    return { changes: before, places }
  }
}
