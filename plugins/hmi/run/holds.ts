/**
 * Bits that viewers of a station hold TRUE, as a button with "set bit while key pressed" does. A held bit has an owner,
 * the stream of its viewer: when that ends (the page closes), the bit is let go. A viewer whose computer is gone closes
 * nothing: a page says that it renews what it holds, and what is not renewed in time is let go too.
 */

export class Holds {
  readonly #viewers = new Set<string>()
  /** The holder of each variable, by its name in lower case. */
  readonly #holders = new Map<string, string>()
  /** When the hold of a variable ends unless it is renewed, in ticks of the gateway. */
  readonly #ends = new Map<string, number>()
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
    this.#holders.set(variable.toLowerCase(), viewer)
    this.#ends.delete(variable.toLowerCase())
    return true
  }

  isHeldBy(viewer: string, variable: string): boolean {
    return this.#holders.get(variable.toLowerCase()) === viewer
  }

  /** A hold is for a time only: it ends then (in ticks) unless this is said again. */
  endAt(variable: string, end: number): void {
    if (this.isHeld(variable)) this.#ends.set(variable.toLowerCase(), end)
  }

  /** When the hold of a variable ends; undefined: nobody holds it, or with no end. */
  endOf(variable: string): number | undefined {
    return this.#ends.get(variable.toLowerCase())
  }

  /** A variable was written by other means: whatever it has now is wanted. */
  drop(variable: string): void {
    this.#holders.delete(variable.toLowerCase())
    this.#ends.delete(variable.toLowerCase())
  }

  isHeld(variable: string): boolean {
    return this.#holders.has(variable.toLowerCase())
  }

  /** A viewer has gone. @returns the variables that it held, in lower case; they stay held until they are dropped */
  close(viewer: string): string[] {
    this.#viewers.delete(viewer)
    return [...this.#holders].flatMap(([variable, holder]) => (holder === viewer ? [variable] : []))
  }

  /** All that is held. */
  get held(): string[] {
    return [...this.#holders.keys()]
  }
}
