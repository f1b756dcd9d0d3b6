/**
 * The lane: commands run one after the other, in the order they were accepted (an engineering tool is single-threaded).
 */
import PQueue from 'p-queue'

/** How long jobs may follow each other before requests get a turn, ms. */
const turnMs = 5

export class Lane {
  readonly #queue = new PQueue({ concurrency: 1 })
  /** Since when the event loop has had no turn. */
  #since = 0

  /** Jobs that wait (the running one not counted). */
  get waiting(): number {
    return this.#queue.size
  }

  /**
   * Runs a job when its turn comes.
   *
   * @param run must not throw: it settles the job
   * @returns takes the job out of the queue; only for a job that still waits
   */
  add(run: () => Promise<void>): () => void {
    if (this.#queue.pending === 0) {
      // It starts before `add` returns, and an AbortSignal costs as much as the rest of a small command (measured).
      this.#since = performance.now()
      void this.#queue.add(run)
      return () => {}
    }
    const left = new AbortController()
    this.#queue
      .add(() => this.#turn(run), { signal: left.signal })
      .catch((reason) => {
        if (!left.signal.aborted) throw reason
      })
    return () => left.abort()
  }
  /** Starts nothing more; the running job goes on. */
  pause(): void {
    this.#queue.pause()
  }
  /** Resolves when the running job has ended. */
  idle(): Promise<void> {
    return this.#queue.onPendingZero()
  }

  /** Commands that wait for nothing would keep the sockets waiting. */
  async #turn(run: () => Promise<void>): Promise<void> {
    if (performance.now() - this.#since > turnMs) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#since = performance.now()
    }
    await run()
  }
}
