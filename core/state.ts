/**
 * State: the fold of the log's events.
 *
 * A plugin's slice is a set of collections, each a Map from a key to one immutable aggregate. Reducers write through a
 * `CollectionWriter`. There are two of them over the same Maps:
 *
 * - an **Overlay** (copy-on-write, one per running command): `update` makes a new aggregate with immer, nothing outside the command
 *   sees it; success merges it in one synchronous step, everything else drops it.
 * - the **direct** writer (replay at start): nobody else sees the state yet, so `update` changes the aggregate in place. Measured:
 *   immer costs 2 µs a change, JSON.parse of a record 1 µs; folding in place keeps replay at the speed of the parse.
 *
 * A merged overlay keeps what was there before, because the lane runs ahead of the disk: if a batch cannot be written, the merged changes of
 * every command from there on are taken back and queries see the last durable state.
 */
import { produce, setAutoFreeze } from 'immer'

// Aggregates are typed readonly; freezing each one deeply at run time would double the cost of a change.
setAutoFreeze(false)

/** Named functions that give the index value(s) of an aggregate; `find(index, value)` is then independent of the collection's size. */
export type Indexes<T> = Readonly<Record<string, (value: T, key: string) => string | readonly string[] | undefined>>

/** A handle to one collection of a slice. Export it from the plugin's `index.ts` to let other plugins read it. */
export interface Collection<T> {
  /** `<plugin>.<collection>`, unique in the gateway. */
  readonly id: string
  readonly indexes: Indexes<T>
}

/**
 * Declares a collection.
 *
 * @param id `<plugin>.<collection>`
 * @param indexes secondary look-ups, e.g. `{ byDevice: (block) => block.deviceId }`
 */
export function collection<T>(id: string, indexes: Indexes<T> = {}): Collection<T> {
  return { id, indexes }
}

/** Reads one collection. Iteration is in insertion order. */
export interface CollectionReader<T> {
  get(key: string): T | undefined
  has(key: string): boolean
  readonly size: number
  keys(): IterableIterator<string>
  values(): IterableIterator<T>
  entries(): IterableIterator<[string, T]>
  /** The aggregates whose index has this value. */
  find(index: string, value: string): T[]
}

/** Writes one collection; only reducers have it. */
export interface CollectionWriter<T> extends CollectionReader<T> {
  set(key: string, value: T): void
  /** Changes one aggregate: the recipe gets a mutable draft of it. Nothing happens when the key is absent. */
  update(key: string, recipe: (draft: Mutable<T>) => void): void
  delete(key: string): void
  clear(): void
}

/** Deeply writable T: what a recipe may change. */
export type Mutable<T> = T extends (infer U)[] | readonly (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

/** Gives the writer of a collection: what a reducer gets as its first argument. */
export type SliceWriter = <T>(collection: Collection<T>) => CollectionWriter<T>
/** Gives the reader of a collection: `ctx.read`. */
export type SliceReader = <T>(collection: Collection<T>) => CollectionReader<T>

/** The committed Map of one collection with its indexes. `version` rises with every change; it is what ETags are made of. */
class CollectionStore<T> implements CollectionWriter<T> {
  map = new Map<string, T>()
  version = 0
  #indexed = new Map<string, Map<string, Set<string>>>()
  readonly #indexes: [string, Indexes<T>[string]][]

  constructor(readonly definition: Collection<T>) {
    this.#indexes = Object.entries(definition.indexes)
    for (const [name] of this.#indexes) this.#indexed.set(name, new Map())
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
    if (this.#indexes.length > 0) {
      const before = this.map.get(key)
      if (before !== undefined) this.#unindex(key, before)
      this.#index(key, value)
    }
    this.map.set(key, value)
  }

  /** In place: only for the direct writer (see the head of this file). */
  update(key: string, recipe: (draft: Mutable<T>) => void) {
    const value = this.map.get(key)
    if (value === undefined) return
    this.version++
    if (this.#indexes.length > 0) this.#unindex(key, value)
    recipe(value as Mutable<T>)
    if (this.#indexes.length > 0) this.#index(key, value)
  }

  delete(key: string) {
    const value = this.map.get(key)
    if (value === undefined) return
    this.version++
    if (this.#indexes.length > 0) this.#unindex(key, value)
    this.map.delete(key)
  }

  clear() {
    this.replaceAll(new Map())
  }

  /** Takes another Map as the content; the old one is left untouched (undo keeps it). */
  replaceAll(map: Map<string, T>) {
    this.version++
    this.map = map
    for (const [name] of this.#indexes) this.#indexed.set(name, new Map())
    if (this.#indexes.length > 0) for (const [key, value] of map) this.#index(key, value)
  }

  #index(key: string, value: T) {
    for (const [name, of] of this.#indexes) {
      const values = this.#indexed.get(name)!
      for (const indexValue of asList(of(value, key))) {
        const keys = values.get(indexValue)
        if (keys) keys.add(key)
        else values.set(indexValue, new Set([key]))
      }
    }
  }

  #unindex(key: string, value: T) {
    for (const [name, of] of this.#indexes) {
      const values = this.#indexed.get(name)!
      for (const indexValue of asList(of(value, key))) {
        const keys = values.get(indexValue)
        keys?.delete(key)
        if (keys?.size === 0) values.delete(indexValue)
      }
    }
  }
}

function asList(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

const deleted = Symbol('deleted')
type Change<T> = T | typeof deleted

/** Changes by key, in the order in which the keys came. Most commands change one aggregate: a Map is made for the second. */
class Changes<T> {
  #key: string | undefined
  #change: Change<T> | undefined
  #more: Map<string, Change<T>> | undefined

  get(key: string): Change<T> | undefined {
    return this.#more ? this.#more.get(key) : this.#key === key ? this.#change : undefined
  }
  set(key: string, change: Change<T>) {
    if (this.#more) this.#more.set(key, change)
    else if (this.#key === undefined || this.#key === key) {
      this.#key = key
      this.#change = change
    } else this.#more = new Map<string, Change<T>>([[this.#key, this.#change as Change<T>]]).set(key, change)
  }
  clear() {
    this.#key = this.#change = this.#more = undefined
  }
  entries(): Iterable<[string, Change<T>]> {
    return this.#more ?? (this.#key === undefined ? [] : [[this.#key, this.#change as Change<T>]])
  }
  /** Puts what `exchange` returns in the place of each change. */
  exchange(
    exchange: (key: string, change: Change<T>, base: CollectionStore<T>) => Change<T>,
    base: CollectionStore<T>,
  ) {
    if (this.#more) for (const [key, change] of this.#more) this.#more.set(key, exchange(key, change, base))
    else if (this.#key !== undefined) this.#change = exchange(this.#key, this.#change as Change<T>, base)
  }
}

/** Makes a change; returns the one that takes it back. */
function apply<T>(key: string, change: Change<T>, base: CollectionStore<T>): Change<T> {
  const before = base.get(key)
  if (change === deleted) base.delete(key)
  else base.set(key, change as T)
  return before === undefined ? deleted : before
}

/** What one command changed in one collection, over the committed Map. */
class CollectionOverlay<T> implements CollectionWriter<T> {
  readonly base: CollectionStore<T>
  #changes = new Changes<T>()
  #cleared = false
  /** Of a merged overlay: what takes its changes back, or the content it has replaced as a whole. */
  #before: Changes<T> | Map<string, T> | undefined

  constructor(base: CollectionStore<T>) {
    this.base = base
  }

  get(key: string): T | undefined {
    const change = this.#changes.get(key)
    if (change !== undefined) return change === deleted ? undefined : (change as T)
    return this.#cleared ? undefined : this.base.get(key)
  }
  has(key: string) {
    return this.get(key) !== undefined
  }
  get size() {
    let n = this.#cleared ? 0 : this.base.size
    for (const [key, change] of this.#changes.entries()) {
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
        else if (change !== deleted) yield [entry[0], change as T]
      }
    }
    for (const [key, change] of this.#changes.entries()) {
      if (change !== deleted && (this.#cleared || !this.base.has(key))) yield [key, change as T]
    }
  }
  *keys() {
    for (const [key] of this.entries()) yield key
  }
  *values() {
    for (const [, value] of this.entries()) yield value
  }

  find(index: string, value: string): T[] {
    const found: T[] = []
    for (const key of this.base.findKeys(index, value)) {
      if (!this.#cleared && this.#changes.get(key) === undefined) found.push(this.base.get(key)!)
    }
    const of = this.base.definition.indexes[index]!
    for (const [key, change] of this.#changes.entries()) {
      if (change !== deleted && asList(of(change as T, key)).includes(value)) found.push(change as T)
    }
    return found
  }

  set(key: string, value: T) {
    this.#changes.set(key, value)
  }
  update(key: string, recipe: (draft: Mutable<T>) => void) {
    const value = this.get(key)
    if (value === undefined) return
    this.#changes.set(key, produce(value, recipe as never) as T)
  }
  delete(key: string) {
    if (this.has(key)) this.#changes.set(key, deleted)
  }
  clear() {
    this.#cleared = true
    this.#changes.clear()
  }

  /** From here on it shows the state as it is. */
  merge() {
    const changes = this.#changes
    this.#changes = new Changes()
    if (this.#cleared) {
      this.#cleared = false
      this.#before = this.base.map
      const next = new Map<string, T>()
      for (const [key, change] of changes.entries()) if (change !== deleted) next.set(key, change as T)
      this.base.replaceAll(next)
    } else {
      this.#before = changes
      changes.exchange(apply, this.base)
    }
  }

  takeBack() {
    if (this.#before instanceof Changes) this.#before.exchange(apply, this.base)
    else if (this.#before) this.base.replaceAll(this.#before)
  }
}

/** The reducers of every loaded plugin, by event type. */
export type Reducer = (write: SliceWriter, data: unknown, meta: EventMeta) => void

/** What a reducer may know beside the event's data. */
export interface EventMeta {
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly jobId: string | undefined
  readonly actor: string | undefined
}

/** All slices. */
export class State {
  readonly #collections = new Map<string, CollectionStore<unknown>>()
  readonly #reducers = new Map<string, Reducer[]>()
  readonly #ownerOf = new WeakMap<Reducer, string>()
  readonly #direct: SliceWriter = (definition) => this.store(definition)

  /** Makes a collection known. Throws when the id is taken. */
  register(definition: Collection<never>) {
    if (this.#collections.has(definition.id)) throw new Error(`collection "${definition.id}" is declared twice`)
    this.#collections.set(definition.id, new CollectionStore(definition as unknown as Collection<unknown>))
  }

  /** Adds a plugin's reducer for an event type. */
  on(type: string, reducer: Reducer, plugin: string) {
    this.#ownerOf.set(reducer, plugin)
    const reducers = this.#reducers.get(type)
    if (reducers) reducers.push(reducer)
    else this.#reducers.set(type, [reducer])
  }

  store<T>(definition: Collection<T>): CollectionStore<T> {
    const store = this.#collections.get(definition.id)
    if (!store) throw new Error(`collection "${definition.id}" belongs to no loaded plugin`)
    return store as unknown as CollectionStore<T>
  }

  /** Reads the committed state. */
  readonly read: SliceReader = (definition) => this.store(definition)

  /** The change counter of a collection. */
  version(definition: Collection<never>): number {
    return this.store(definition).version
  }

  /**
   * Folds one event in place: only while nobody else sees the state.
   * @param only fold into the slices of these plugins alone (their checkpoint is out of date)
   */
  fold(data: unknown, meta: EventMeta, only?: ReadonlySet<string>) {
    const reducers = this.#reducers.get(meta.type)
    if (!reducers) return
    for (let i = 0; i < reducers.length; i++) {
      if (only && !only.has(this.#ownerOf.get(reducers[i]!)!)) continue
      // Two slices that keep parts of one event's data must not share them when aggregates are changed in place.
      reducers[i]!(this.#direct, i === 0 ? data : structuredClone(data), meta)
    }
  }

  /** A new overlay for one command. */
  overlay(): Overlay {
    return new Overlay(this, this.#reducers)
  }

  /** The ids of all collections. */
  collectionIds(): string[] {
    return [...this.#collections.keys()]
  }

  /**
   * A picture of every collection as it is now (aggregates are immutable, so the entries need no copy), to be written as a checkpoint
   * while commands go on.
   */
  snapshot(): Map<string, [string, unknown][]> {
    return new Map([...this.#collections].map(([id, store]) => [id, [...store.map]]))
  }

  /** Takes entries of a checkpoint. */
  restore(collectionId: string, entries: readonly [string, unknown][]) {
    const store = this.#collections.get(collectionId)
    if (store) for (const [key, value] of entries) store.set(key, value)
  }
}

/** What one command sees and changes. One is made for every command: its writer and its maps are made on first use. */
export class Overlay {
  readonly #state: State
  readonly #reducers: ReadonlyMap<string, readonly Reducer[]>
  /** A command writes few collections: a list is quicker than a Map. */
  #overlays: CollectionOverlay<unknown>[] | undefined
  #write: SliceWriter | undefined

  constructor(state: State, reducers: ReadonlyMap<string, readonly Reducer[]>) {
    this.#state = state
    this.#reducers = reducers
  }

  /** Reads through the overlay. */
  read<T>(definition: Collection<T>): CollectionReader<T> {
    return this.#overlayOf(definition) ?? this.#state.store(definition)
  }

  /** The writer of one collection. */
  writer<T>(definition: Collection<T>): CollectionWriter<T> {
    const known = this.#overlayOf(definition)
    if (known) return known
    const overlay = new CollectionOverlay(this.#state.store(definition))
    if (this.#overlays) this.#overlays.push(overlay as CollectionOverlay<unknown>)
    else this.#overlays = [overlay as CollectionOverlay<unknown>]
    return overlay
  }

  #overlayOf<T>({ id }: Collection<T>): CollectionOverlay<T> | undefined {
    if (this.#overlays) {
      for (const overlay of this.#overlays)
        if (overlay.base.definition.id === id) return overlay as CollectionOverlay<unknown> as CollectionOverlay<T>
    }
    return undefined
  }

  /** Folds one event into the overlay. */
  fold(data: unknown, meta: EventMeta) {
    const reducers = this.#reducers.get(meta.type)
    if (!reducers) return
    this.#write ??= writerOf(this)
    for (const reduce of reducers) reduce(this.#write, data, meta)
  }

  /** Merges everything into the state, synchronously. */
  merge() {
    if (this.#overlays) for (const overlay of this.#overlays) overlay.merge()
  }

  /** Takes a merge back: the state is as it was before, when everything merged since is taken back already. */
  takeBack() {
    if (this.#overlays) for (const overlay of this.#overlays) overlay.takeBack()
  }
}

function writerOf(overlay: Overlay): SliceWriter {
  return (definition) => overlay.writer(definition)
}
