/** The lane: commands run one after the other, in the order they were accepted (an engineering tool is single-threaded). */
import PQueue from 'p-queue'

export class Lane {
  readonly #queue = new PQueue({ concurrency: 1 })

  /** Jobs that wait (the running one not counted). */
  get waiting(): number {
    return this.#queue.size
  }
  /** True when nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#queue.size === 0 && this.#queue.pending === 0
  }
  /** Runs `task` when its turn comes. The task must not throw: it settles its own job. */
  add(task: () => Promise<void>): void {
    void this.#queue.add(task)
  }
  /** Starts nothing more; the running task goes on. */
  pause(): void {
    this.#queue.pause()
  }
  resume(): void {
    this.#queue.start()
  }
  /** Resolves when the running task has ended (and, unless paused, all waiting ones). */
  async idle(): Promise<void> {
    await (this.#queue.isPaused ? this.#queue.onPendingZero() : this.#queue.onIdle())
  }
}
