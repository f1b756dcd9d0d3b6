/**
 * Limits entries in the diagnostics buffer when the same error occurs in each cycle: it is entered once, then once a
 * second with the number of its occurrences.
 */
import type { RawEntry } from './messages.ts'

/** Virtual milliseconds between two entries of one kind. */
const pause = 1000
/** Maximum number of kinds that are stored. */
const most = 1000

/** Filters repeated entries before the diagnostics buffer. */
export class DiagnosticFilter {
  readonly #put: (entry: RawEntry) => void
  readonly #seen = new Map<string, { time: number; withheld: number }>()

  constructor(put: (entry: RawEntry) => void) {
    this.#put = put
  }

  enter(entry: RawEntry): void {
    // Changes of the operating state are rare, and each is relevant.
    if (entry.severity === 'information') {
      this.#put(entry)
      return
    }
    const key = `${entry.code} ${entry.block} ${entry.site}`
    const last = this.#seen.get(key)
    if (last === undefined) {
      if (this.#seen.size >= most) this.#seen.clear()
      this.#seen.set(key, { time: entry.time, withheld: 0 })
      this.#put(entry)
      return
    }
    if (Math.abs(entry.time - last.time) < pause) {
      last.withheld++
      return
    }
    const { withheld } = last
    Object.assign(last, { time: entry.time, withheld: 0 })
    this.#put(
      withheld === 0 ? entry : { ...entry, message: `${entry.message} (${withheld} more since the last entry)` },
    )
  }

  /** Resets the filter at the beginning of a run: everything is entered again. */
  clear(): void {
    this.#seen.clear()
  }
}
