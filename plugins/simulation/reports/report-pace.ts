/** Maximum number of records of one instance in a time (ms): what a controller does must not fill the log. */
const most = 10
const window = 60_000

/** Says which records may still be made, by the gateway's clock for durations. */
export class ReportPace {
  readonly #clock: () => number
  readonly #times: number[] = []

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Whether one more may be made now, which then counts. */
  takes(): boolean {
    const now = this.#clock()
    while (this.#times[0] !== undefined && now - this.#times[0] >= window) this.#times.shift()
    if (this.#times.length >= most) return false
    this.#times.push(now)
    return true
  }
}
