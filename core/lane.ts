/** The lane: commands run one after the other, in the order they were accepted (an engineering tool is single-threaded). */
import PQueue from 'p-queue'

/** A command's turn. It must not throw: it settles its own job. Undefined: it is done already. */
export type Task = () => Promise<void> | undefined

/** Tasks between two looks at the clock, and how long they may run before requests get a turn, ms. */
const tasksPerLook = 32
const turnMs = 5

export class Lane {
  readonly #queue = new PQueue({ concurrency: 1 })
  /**
   * What waits, from `#next` on. The queue runs one drain of this list at a time, not one entry for each command, and a command that finds
   * the lane free and ends at once does not pass through it at all: its bookkeeping (an id, a symbol, five events, promises) costs 5 µs, as
   * much as many a command (measured).
   */
  #tasks: (Task | undefined)[] = []
  #next = 0
  #busy = false
  #paused = false

  /** Jobs that wait (the running one not counted). */
  get waiting(): number {
    return this.#tasks.length - this.#next
  }
  /** Runs `task` when its turn comes: at once, before this returns, when the lane is free. */
  add(task: Task): void {
    if (this.#busy || this.#paused || this.waiting > 0) {
      this.#tasks.push(task)
      this.#start()
      return
    }
    this.#busy = true
    const running = task()
    if (running) {
      void this.#queue.add(() => this.#drain(running))
    } else {
      this.#busy = false
      this.#start()
    }
  }
  /** Starts nothing more; the running task goes on. */
  pause(): void {
    this.#paused = true
  }
  /** Resolves when the running task has ended (and, unless paused, all waiting ones). */
  idle(): Promise<void> {
    return this.#queue.onIdle()
  }

  #start() {
    if (this.#busy || this.#paused || this.waiting === 0) return
    this.#busy = true
    void this.#queue.add(() => this.#drain())
  }

  /** @param running a task that was started already */
  async #drain(running?: Promise<void>): Promise<void> {
    if (running) await running
    let since = 0
    for (let n = 1; this.#next < this.#tasks.length && !this.#paused; n++) {
      const task = this.#tasks[this.#next]!
      this.#tasks[this.#next++] = undefined
      const waitsFor = task()
      if (waitsFor) await waitsFor
      if (n % tasksPerLook === 0) {
        // Commands that never wait would keep the sockets waiting.
        const now = performance.now()
        if (since === 0) since = now
        else if (now - since > turnMs) {
          await new Promise((resolve) => setImmediate(resolve))
          since = 0
        }
      }
    }
    if (this.#next === this.#tasks.length) this.#tasks = []
    else this.#tasks.splice(0, this.#next)
    this.#next = 0
    this.#busy = false
  }
}
