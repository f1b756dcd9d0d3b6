/**
 * The lane: commands run one after the other, in the order they were accepted (an engineering tool is single-threaded).
 */
import PQueue, { type QueueAddOptions } from 'p-queue'
import { WaitingJobs } from './waiting-jobs.ts'

/** How long jobs may follow each other before the event loop gets a turn for requests, ms. */
const turnMs = 5

export class Lane {
  readonly #waiting: WaitingJobs
  readonly #queue: PQueue<WaitingJobs, QueueAddOptions>
  #nextId = 0
  /** The time of the last turn of the event loop, or of the start of the queue. */
  #since = 0

  constructor() {
    let waiting = new WaitingJobs()
    const queueClass = class extends WaitingJobs {
      constructor() {
        super()
        waiting = this
      }
    }
    this.#queue = new PQueue({ concurrency: 1, queueClass })
    this.#waiting = waiting
  }

  /** Number of waiting jobs, without the running one. */
  get waiting(): number {
    return this.#queue.size
  }

  /**
   * Runs a job when its turn comes.
   *
   * @param run must not throw: it settles the job
   * @returns removes the job from the queue; has an effect only while the job waits
   */
  add(run: () => Promise<void>): () => void {
    const id = String(this.#nextId++)
    if (this.#queue.pending === 0) this.#since = performance.now()
    void this.#queue.add(() => this.#turn(run), { id })
    return () => void this.#waiting.remove(id)
  }
  /** Starts nothing more; the running job goes on. */
  pause(): void {
    this.#queue.pause()
  }
  /** Resolves when the running job has ended. */
  idle(): Promise<void> {
    return this.#queue.onPendingZero()
  }

  /** Gives the event loop a turn now and then: commands that wait for nothing would starve the sockets. */
  async #turn(run: () => Promise<void>): Promise<void> {
    if (performance.now() - this.#since > turnMs) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#since = performance.now()
    }
    await run()
  }
}
