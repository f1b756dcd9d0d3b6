/**
 * So many times as long as the last checkpoint took nothing but commands is done: it takes a fiftieth of the time at
 * most.
 */
const rest = 50
/** After so many times the usual number of records the time does not count any more: a start has to fold them all. */
const mostIntervals = 20

/**
 * Says when a checkpoint is due: after so many records, so that a start has little to fold; but a large state, whose
 * checkpoint takes long, is not written again and again while many commands change little of it.
 */
export class CheckpointPace {
  readonly #every: number
  #notBefore = 0

  /** @param every records between two checkpoints */
  constructor(every: number) {
    this.#every = every
  }

  /**
   * @param records since the last checkpoint
   * @param now milliseconds of any steady clock
   */
  isDue(records: number, now: number): boolean {
    return records >= this.#every && (now >= this.#notBefore || records >= mostIntervals * this.#every)
  }

  /** A checkpoint was written, or has failed; both times as in {@link isDue}. */
  wrote(beganAt: number, endedAt: number): void {
    this.#notBefore = endedAt + rest * (endedAt - beganAt)
  }
}
