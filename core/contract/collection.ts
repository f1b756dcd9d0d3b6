/** Collections: a plugin's slice of the state consists of them. `state.ts` folds events into them. */

/**
 * The index value or values of an aggregate. Written as a method, so that one list can contain collections of any type.
 */
type IndexOf<T> = { of(value: T, key: string): string | readonly string[] | undefined }['of']

/**
 * Named functions that give the index value(s) of an aggregate. The time of `find(index, value)` does not depend on the
 * size of the collection.
 */
export type Indexes<T> = Readonly<Record<string, IndexOf<T>>>

/**
 * A kind of thing that owns aggregates: a device, a project. The plugin that has the kind declares it and exports it
 * from its `index.ts`.
 */
export interface OwnerKind {
  /** `<plugin>.<thing>`. */
  readonly id: string
  /** Id of the collection whose keys are the ids of the owners; absent: there is none. */
  readonly keptIn?: string
}

/**
 * Declares a kind of owner.
 *
 * @param keptIn id of the collection whose keys are the ids of the owners: an undo that takes away an owner looks for
 * what later work put into it
 */
export function ownerKind(id: string, keptIn?: string): OwnerKind {
  return keptIn === undefined ? { id } : { id, keptIn }
}

/** Which aggregates of a collection are removed when an owner ends. */
export interface Ownership {
  readonly owner: OwnerKind
  /**
   * The index whose value is the owner's id. Absent: there is one such owner at a time, and it owns the whole
   * collection.
   */
  readonly index: string | undefined
}

/**
 * Declares the owner of the aggregates of a collection: the engine removes them when an event ends their owner
 * (`endsOwner`).
 *
 * @param index name of the index that gives the owner's id; without it any owner of the kind takes the whole collection
 * with it
 */
export function ownedBy(owner: OwnerKind, index?: string): Ownership {
  return { owner, index }
}

/**
 * What an undo does with a collection (docs/design.md#undo).
 *
 * - `'project'`: it is content of the project. Changes are taken back, and a later change of the same entry is in
 *   the way.
 * - `'apart'`: it is no content (a connection, a report). An undo leaves it as it is.
 * - `'attached'`: nor is this (what a compilation made and can make again), but it comes back with an owner with which
 *   it went.
 * - an object: as `'project'`, except that the fields in `apart` are no content (counters, times of saves), and that a
 *   command that adds or removes an entry cannot be taken back when `final` gives the reason; with `barrier` nor can
 *   what was done before it.
 */
export type UndoRule =
  | 'project'
  | 'apart'
  | 'attached'
  | { readonly apart?: readonly string[]; readonly final?: string; readonly barrier?: true }

/** A handle to one collection of a slice. Export it from the plugin's `index.ts` to let other plugins read it. */
export interface Collection<T> {
  /** `<plugin>.<collection>`, unique in the gateway. */
  readonly id: string
  readonly indexes: Indexes<T>
  readonly owners: readonly Ownership[]
  /** Default: `'project'` for what has an owner, else `'apart'`. */
  readonly undo?: UndoRule
}

/**
 * Declares a collection.
 *
 * @param id `<plugin>.<collection>`
 * @param indexes secondary look-ups, e.g. `{ byDevice: (block) => block.deviceId }`
 * @param owners owners whose end removes aggregates, e.g. `[ownedBy(device, 'byDevice'), ownedBy(project)]`
 * @param undo what an undo does with it; default: `'project'` for what has an owner, else `'apart'`
 */
export function collection<T>(
  id: string,
  indexes: Indexes<T> = {},
  owners: readonly Ownership[] = [],
  undo?: UndoRule,
): Collection<T> {
  return undo === undefined ? { id, indexes, owners } : { id, indexes, owners, undo }
}

/** Reads one collection. Iteration is in insertion order. Aggregates are frozen. */
export interface CollectionReader<T> {
  get(key: string): T | undefined
  has(key: string): boolean
  readonly size: number
  keys(): IterableIterator<string>
  values(): IterableIterator<T>
  entries(): IterableIterator<[string, T]>
  /** The aggregates whose index has this value, in insertion order. */
  find(index: string, value: string): T[]
  /** The keys of those aggregates. */
  findKeys(index: string, value: string): string[]
  /**
   * The same in ascending order, kept from call to call, for pages of lists. To be read at once: it follows every
   * change.
   */
  sortedKeys(index: string, value: string): readonly string[]
}

/** Writes one collection; only reducers have it. */
export interface CollectionWriter<T> extends CollectionReader<T> {
  /** Sets a whole aggregate and freezes it. */
  set(key: string, value: T): void
  /** Changes one aggregate with an immer recipe, which gets a mutable draft. Does nothing when the key is absent. */
  update(key: string, recipe: (draft: Mutable<T>) => void): void
  delete(key: string): void
  clear(): void
}

/** T with everything writable, at every depth: what a recipe may change. */
export type Mutable<T> = T extends (infer U)[] | readonly (infer U)[]
  ? Mutable<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T

/** Gives the writer of a collection: the first argument of a reducer. */
export type SliceWriter = <T>(collection: Collection<T>) => CollectionWriter<T>
/** Gives the reader of a collection: `ctx.read`. */
export type SliceReader = <T>(collection: Collection<T>) => CollectionReader<T>

/** The index value(s) of an aggregate as a list. */
export function indexValues<T>(of: IndexOf<T>, value: T, key: string): readonly string[] {
  const values = of(value, key)
  return values === undefined ? [] : typeof values === 'string' ? [values] : values
}

/** What operations read: the content of a collection without methods that change it. */
export class CollectionView<T> implements CollectionReader<T> {
  readonly #of: CollectionReader<T>

  constructor(of: CollectionReader<T>) {
    this.#of = of
  }
  get size() {
    return this.#of.size
  }
  get(key: string) {
    return this.#of.get(key)
  }
  has(key: string) {
    return this.#of.has(key)
  }
  keys() {
    return this.#of.keys()
  }
  values() {
    return this.#of.values()
  }
  entries() {
    return this.#of.entries()
  }
  find(index: string, value: string) {
    return this.#of.find(index, value)
  }
  findKeys(index: string, value: string) {
    return this.#of.findKeys(index, value)
  }
  sortedKeys(index: string, value: string) {
    return this.#of.sortedKeys(index, value)
  }
}
