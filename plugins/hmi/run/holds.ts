/**
 * Bits that viewers of a station hold TRUE, as a button with "set bit while key pressed" does. A held bit has an owner,
 * the stream of its viewer: when that ends (the page closes), the bit is let go. A viewer whose computer is gone closes
 * nothing: a page says that it renews what it holds, and what is not renewed in time is let go too.
 */

export interface Hold {
  readonly viewer: string
  /** When it ends unless it is renewed, in ticks of the gateway; absent: with the stream of its viewer. */
  readonly end?: number
}

/** No viewer has this ID. */
const nobody = ''

export class Holds {
  readonly #viewers = new Set<string>()
  /** By the name of the variable in lower case. */
  readonly #holds = new Map<string, Hold>()
  #count = 0

  /** A viewer comes. @returns its ID, which nobody can guess from another one */
  open(): string {
    const id = `${++this.#count}-${crypto.randomUUID()}`
    this.#viewers.add(id)
    return id
  }

  has(viewer: string): boolean {
    return this.#viewers.has(viewer)
  }

  /** A viewer holds a variable; who held it before does not any more. @returns false: the viewer has gone */
  hold(viewer: string, variable: string): boolean {
    if (!this.#viewers.has(viewer)) return false
    this.#holds.set(variable.toLowerCase(), { viewer })
    return true
  }

  isHeldBy(viewer: string, variable: string): boolean {
    return this.#holds.get(variable.toLowerCase())?.viewer === viewer
  }

  /** A hold is for a time only: it ends then (in ticks) unless this is said again. */
  endAt(variable: string, end: number): void {
    const name = variable.toLowerCase()
    const hold = this.#holds.get(name)
    if (hold !== undefined) this.#holds.set(name, { ...hold, end })
  }

  /** When the hold of a variable ends; undefined: nobody holds it, or with no end. */
  endOf(variable: string): number | undefined {
    return this.#holds.get(variable.toLowerCase())?.end
  }

  /** A variable was written by other means: whatever it has now is wanted. */
  drop(variable: string): void {
    this.#holds.delete(variable.toLowerCase())
  }

  /**
   * The hold of a variable ends: from now on nobody can renew it. It is listed until the bit is reset (`drop`), or
   * until somebody holds the variable anew.
   * @returns what is listed instead; undefined: nobody holds it
   */
  release(variable: string): Hold | undefined {
    const name = variable.toLowerCase()
    if (!this.#holds.has(name)) return undefined
    const released: Hold = { viewer: nobody }
    this.#holds.set(name, released)
    return released
  }

  /** Whether a variable still waits to be reset, and nobody has taken it since. */
  isReleased(variable: string, released: Hold): boolean {
    return this.#holds.get(variable.toLowerCase()) === released
  }

  /** A viewer has gone. @returns the variables that it held, in lower case; they stay held until they are dropped */
  close(viewer: string): string[] {
    this.#viewers.delete(viewer)
    return [...this.#holds].flatMap(([variable, hold]) => (hold.viewer === viewer ? [variable] : []))
  }

  /** All that is held. */
  get held(): string[] {
    return [...this.#holds.keys()]
  }
}
