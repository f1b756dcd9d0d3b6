/**
 * Notices when the event loop is blocked: a plugin that loops without end would otherwise hang the gateway in silence.
 * A thread (`watchdog-thread.ts`) reads a counter that the event loop raises; when it does not change for too long, the
 * thread writes what ran and where, and ends the process.
 */
import { url as inspectorUrl } from 'node:inspector'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../boot/running-code.ts'

/** What the thread gets. */
export interface WatchdogData {
  /** Int32: the counter, and the length of the text; then the text (UTF-8) that says what runs. */
  readonly shared: SharedArrayBuffer
  /** How long the event loop may be blocked, ms. */
  readonly limitMs: number
  /** Exit code of a process that it ends. */
  readonly exitCode: number
}

/** Bytes before the text in the shared memory. */
export const textAt = 8
const textBytes = 512

export class Watchdog {
  readonly #counters: Int32Array
  readonly #text: Uint8Array
  readonly #encoder = new TextEncoder()

  private constructor(shared: SharedArrayBuffer) {
    this.#counters = new Int32Array(shared, 0, 2)
    this.#text = new Uint8Array(shared, textAt)
  }

  /** Starts the thread; undefined under a debugger, which may stop the event loop for as long as it likes. */
  static start({ limitMs, exitCode }: Omit<WatchdogData, 'shared'>): Watchdog | undefined {
    if (inspectorUrl() !== undefined) return undefined
    const shared = new SharedArrayBuffer(textAt + textBytes)
    const watchdog = new Watchdog(shared)
    const workerData: WatchdogData = { shared, limitMs, exitCode }
    const thread: Worker = startThread(new URL('./watchdog-thread.ts', import.meta.url), { workerData })
    thread.unref()
    setInterval(() => Atomics.add(watchdog.#counters, 0, 1), limitMs / 20).unref()
    return watchdog
  }

  /** Says what the event loop works on from now on. */
  working(on: string): void {
    Atomics.store(this.#counters, 1, this.#encoder.encodeInto(on, this.#text).written)
  }
}
