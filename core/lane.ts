/** The lane: commands run one after the other, in the order they were accepted (an engineering tool is single-threaded). */
import PQueue from 'p-queue'

/** Runs a job in its turn. It must not throw: it settles the job. Undefined: that is done already. */
export type Run<J> = (job: J) => Promise<void> | undefined

/** Jobs between two looks at the clock, and how long they may run before requests get a turn, ms. */
const jobsPerLook = 32
const turnMs = 5

export class Lane<J extends object> {
  readonly #run: Run<J>
  readonly #queue = new PQueue({ concurrency: 1 })
  /**
   * What waits, from `#next` on. The queue runs one drain of this list at a time, not one entry for each command, and a command that finds
   * the lane free and ends at once does not pass through it at all: its bookkeeping (an id, a symbol, five events, promises) costs 5 µs, as
   * much as many a command (measured).
   */
  #jobs: (J | undefined)[] = []
  #next = 0
  #busy = false
  #paused = false

  constructor(run: Run<J>) {
    this.#run = run
  }

  /** Jobs that wait (the running one not counted). */
  get waiting(): number {
    return this.#jobs.length - this.#next
  }
  /** Runs a job when its turn comes: at once, before this returns, when the lane is free. */
  add(job: J): void {
    if (this.#busy || this.#paused || this.waiting > 0) {
      this.#jobs.push(job)
      this.#start()
      return
    }
    this.#busy = true
    const running = this.#run(job)
    if (running) {
      void this.#queue.add(() => this.#drain(running))
    } else {
      this.#busy = false
      this.#start()
    }
  }
  /** Starts nothing more; the running job goes on. */
  pause(): void {
    this.#paused = true
  }
  /** Resolves when the running job has ended (and, unless paused, all waiting ones). */
  idle(): Promise<void> {
    return this.#queue.onIdle()
  }

  #start() {
    if (this.#busy || this.#paused || this.waiting === 0) return
    this.#busy = true
    void this.#queue.add(() => this.#drain())
  }

  /** @param running a job that was started already */
  async #drain(running?: Promise<void>): Promise<void> {
    if (running) await running
    let since = 0
    for (let n = 1; this.#next < this.#jobs.length && !this.#paused; n++) {
      const job = this.#jobs[this.#next]!
      this.#jobs[this.#next++] = undefined
      const waitsFor = this.#run(job)
      if (waitsFor) await waitsFor
      if (n % jobsPerLook === 0) {
        // Commands that never wait would keep the sockets waiting.
        const now = performance.now()
        if (since === 0) since = now
        else if (now - since > turnMs) {
          await new Promise((resolve) => setImmediate(resolve))
          since = 0
        }
      }
    }
    if (this.#next === this.#jobs.length) this.#jobs = []
    else this.#jobs.splice(0, this.#next)
    this.#next = 0
    this.#busy = false
  }
}
