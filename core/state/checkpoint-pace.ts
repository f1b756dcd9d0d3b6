/** Pause after a checkpoint, as a multiple of the time it took: checkpoints take at most a fiftieth of the time. */
const rest = 50
/** After this many intervals of records the pause no longer counts: a start has to fold all of these records. */
const mostIntervals = 20

/**
 * Decides when a checkpoint is due: after a number of records, so that a start has little to fold. A large state, whose
 * checkpoint takes long, is not written again and again while commands change little of it.
 */
export class CheckpointPace {
  readonly #every: number
  #notBefore = 0

  /** @param every number of records between two checkpoints */
  constructor(every: number) {
    this.#every = every
  }

  /**
   * @param records since the last checkpoint
   * @param now milliseconds of any monotonic clock
   */
  isDue(records: number, now: number): boolean {
    return records >= this.#every && (now >= this.#notBefore || records >= mostIntervals * this.#every)
  }

  /** A checkpoint was written or has failed; both times are on the clock of {@link isDue}. */
  wrote(beganAt: number, endedAt: number): void {
    this.#notBefore = endedAt + rest * (endedAt - beganAt)
  }
}
