/** A program that records the names that are looked up: compiled code depends on these, including the missing ones. */
import type { Program } from '../program/program.ts'
import { everyName, namesInType, numberName } from './interfaces.ts'

/**
 * Wraps a program.
 * @returns the same program, and the names that were looked up so far, in lower case
 */
export function trackUses(program: Program): { readonly program: Program; readonly uses: ReadonlySet<string> } {
  const uses = new Set<string>()
  const note = (name: string) => void uses.add(name)
  const every = () => note(everyName)
  const byNumber = new NotingMap(
    program.byNumber,
    (key) => {
      note(numberName(key))
      const holder = program.byNumber.get(key)
      if (holder) note(holder.name.toLowerCase())
    },
    every,
  )
  const tracked: Program = {
    ...program,
    blocks: new NotingMap(program.blocks, note, every),
    types: new NotingMap(program.types, note, every),
    tags: new NotingMap(program.tags, note, every),
    constants: new NotingMap(program.constants, note, every),
    byNumber,
    get family() {
      // Declarations of any object may say which family it is.
      if (!program.isFamilyKnown) every()
      return program.family
    },
    typeOf(text, members) {
      namesInType(text).forEach(note)
      return program.typeOf(text, members)
    },
  }
  return { program: tracked, uses }
}

/** Records lookups; iterating over all entries depends on every name. */
class NotingMap<V> implements ReadonlyMap<string, V> {
  readonly #map: ReadonlyMap<string, V>
  readonly #note: (key: string) => void
  readonly #every: () => void

  constructor(map: ReadonlyMap<string, V>, note: (key: string) => void, every: () => void) {
    this.#map = map
    this.#note = note
    this.#every = every
  }

  get(key: string): V | undefined {
    this.#note(key)
    return this.#map.get(key)
  }
  has(key: string): boolean {
    this.#note(key)
    return this.#map.has(key)
  }
  get size(): number {
    this.#every()
    return this.#map.size
  }
  keys() {
    this.#every()
    return this.#map.keys()
  }
  values() {
    this.#every()
    return this.#map.values()
  }
  entries() {
    this.#every()
    return this.#map.entries()
  }
  [Symbol.iterator]() {
    return this.entries()
  }
  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    this.#every()
    for (const [key, value] of this.#map) visit(value, key, this)
  }
}
