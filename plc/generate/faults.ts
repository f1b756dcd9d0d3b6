/** Faults of specifications, each with a JSON pointer. */

import { FormatError, type FormatFault } from '../model/fault.ts'

/** The most faults that are told of one specification. */
const mostFaults = 100

export class SpecificationFaults {
  readonly #faults: FormatFault[] = []

  add(path: string, message: string): void {
    if (this.#faults.length < mostFaults)
      this.#faults.push({ code: 'edit', message: `${path}: ${message}`, path, line: 1, column: 1 })
  }

  /** Runs work on one part; its faults are kept with the pointer of the part, and `undefined` is returned. */
  part<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      for (const fault of error.faults) {
        if (this.#faults.length >= mostFaults) break
        // Edits begin their messages with the pointer.
        const [, own] = /^(\/\S*): /.exec(fault.message) ?? []
        this.#faults.push({ ...fault, path: fault.path?.startsWith('/') === true ? fault.path : (own ?? path) })
      }
      return undefined
    }
  }

  /** @throws FormatError with every fault */
  throwIfAny(): void {
    if (this.#faults.length > 0) throw new FormatError(this.#faults)
  }
}
