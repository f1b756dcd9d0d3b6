/**
 * What waits in the lane: the `queueClass` of p-queue (its readme, "Custom QueueClass"). First in, first out, and a
 * job that is cancelled is taken out by its id.
 *
 * The library's own queue removes one entry by searching all of them, and wants an AbortSignal for each job that may be
 * removed: a fifth of a small command's time (measured).
 */
import type { QueueAddOptions } from 'p-queue'

type Run = () => Promise<unknown>

export class WaitingJobs {
  readonly #runs = new Map<string, Run>()
  /** One iterator for all: a Map's first key is found by going over what was deleted before it. */
  #order = this.#runs.entries()

  get size(): number {
    return this.#runs.size
  }
  /** @param options p-queue always gives an id */
  enqueue(run: Run, options?: Partial<QueueAddOptions>): void {
    this.#runs.set(String(options?.id), run)
  }
  dequeue(): Run | undefined {
    let next = this.#order.next()
    if (next.done) {
      // An iterator that came to the end stays there.
      this.#order = this.#runs.entries()
      next = this.#order.next()
    }
    if (next.done) return undefined
    const [id, run] = next.value
    this.#runs.delete(id)
    return run
  }
  /** @returns whether the job was still waiting */
  remove(id: string): boolean {
    return this.#runs.delete(id)
  }
  filter(): Run[] {
    return [...this.#runs.values()]
  }
  /** Not used: the order of acceptance is the contract. */
  setPriority(id: string): void {
    throw new ReferenceError(`The jobs of the lane have no priorities ("${id}").`)
  }
}
