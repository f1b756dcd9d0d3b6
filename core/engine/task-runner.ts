import { serialize } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../boot/running-code.ts'
import { type EngineErrorKind, packError } from './errors.ts'
import { lastLines } from './instance-files.ts'

/**
 * Runs tasks one after the other in a worker thread of the instance's process and keeps that thread warm.
 *
 *     thread:  none -> starting -> idle <-> busy
 *              busy -> (cancelled and grace over: terminate) -> none
 *              any  -> (exit, error)                         -> none -> starting
 *
 *              idle -> (too much memory: terminate) -> none -> starting
 *
 * A thread that dies takes only the running task with it. A thread that dies during its start is started again only for
 * the next task, so that a broken installation does not loop.
 */

export type ToWorker = { kind: 'run'; module: string; fn: string; body: Uint8Array<ArrayBuffer> } | { kind: 'cancel' }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'progress'; percent: number; message?: string }
  | { kind: 'done' | 'failed'; body: Uint8Array<ArrayBuffer>; heapUsed: number }

export interface WorkerSettings {
  readonly maxMessageBytes: number
  /** Int32, 1 = the running task is cancelled. */
  readonly cancelFlag: SharedArrayBuffer
}

/** A task and its callbacks. Exactly one of `done` and `failed` is called, once. */
export interface Job {
  readonly module: string
  readonly fn: string
  /** `v8.serialize` of the input; transferred to the thread. */
  readonly body: Uint8Array<ArrayBuffer>
  started(): void
  progress(percent: number, message?: string): void
  done(body: Uint8Array): void
  /** `body` is `v8.serialize` of a `PackedError`. */
  failed(kind: EngineErrorKind, body: Uint8Array): void
  output(stream: 'stdout' | 'stderr', text: string): void
}

/** Settings of a runner. Times in ms. */
export interface RunnerSettings {
  readonly cancelGraceMs: number
  readonly maxMessageBytes: number
  /** See `EngineHostOptions`. */
  readonly memoryLimitBytes: number
  /** Called when the thread is replaced because of the memory it has left behind. */
  recycled(residentBytes: number, limitBytes: number): void
}

interface Running {
  readonly job: Job
  readonly startedAt: number
  percent: number
  cancelled: boolean
  /** Bytes of the process when the task was ended for them. */
  outgrown?: number
  graceTimer?: NodeJS.Timeout
}

interface Thread {
  readonly worker: Worker
  readonly flag: Int32Array
  /** The end of what the thread wrote to stderr. */
  stderr: string
  ready: boolean
  /** It ends because it is being replaced. */
  recycled?: boolean
  error?: unknown
}

/** How often the memory is looked at while a task runs, ms. */
const memoryCheckMs = 500
/** Share of the limit above which the thread is replaced between two tasks. */
const recycledShare = 0.5

const stderrKept = 8192
const stderrLines = 20

export class TaskRunner {
  done = 0
  failed = 0
  cancelled = 0
  restarts = 0
  heapUsed = 0
  readonly #settings: RunnerSettings
  readonly #memoryWatch: NodeJS.Timeout
  readonly #queue: Job[] = []
  #running: Running | undefined
  #thread: Thread | undefined
  #stopped = false

  constructor(settings: RunnerSettings) {
    this.#settings = settings
    this.#memoryWatch = setInterval(() => this.#endOutgrown(), memoryCheckMs).unref()
    this.#startThread()
  }

  get busy(): boolean {
    return this.#running !== undefined
  }

  get queued(): number {
    return this.#queue.length
  }

  get current(): { module: string; fn: string; startedAt: number; percent: number } | undefined {
    const r = this.#running
    return r && { module: r.job.module, fn: r.job.fn, startedAt: r.startedAt, percent: r.percent }
  }

  submit(job: Job): void {
    if (this.#stopped) {
      this.#fail(job, 'cancelled', new Error('The engine instance is shutting down.'))
      return
    }
    this.#queue.push(job)
    if (!this.#thread) this.#startThread()
    this.#next()
  }

  /**
   * Ends a job: a waiting one at once, the running one through its signal and, after the grace, by ending the thread.
   */
  cancel(job: Job): void {
    const waiting = this.#queue.indexOf(job)
    if (waiting >= 0) {
      this.#queue.splice(waiting, 1)
      this.cancelled += 1
      this.#fail(job, 'cancelled', new Error('The task was cancelled before it started.'))
      return
    }
    const running = this.#running
    const thread = this.#thread
    if (running?.job !== job || running.cancelled || !thread) return
    running.cancelled = true
    Atomics.store(thread.flag, 0, 1)
    thread.worker.postMessage({ kind: 'cancel' } satisfies ToWorker)
    running.graceTimer = setTimeout(() => void thread.worker.terminate(), this.#settings.cancelGraceMs)
  }

  /** Cancels everything and ends the thread; resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    clearInterval(this.#memoryWatch)
    for (const job of [...this.#queue]) this.cancel(job)
    const thread = this.#thread
    if (!thread) return
    const gone = new Promise<void>((resolve) => thread.worker.once('exit', () => resolve()))
    let end: NodeJS.Timeout | undefined
    if (this.#running) {
      this.cancel(this.#running.job)
      end = setTimeout(() => void thread.worker.terminate(), graceMs)
    } else void thread.worker.terminate()
    await gone
    clearTimeout(end)
  }

  #next(): void {
    const thread = this.#thread
    if (this.#running || !thread?.ready) return
    const job = this.#queue.shift()
    if (!job) return
    this.#running = { job, startedAt: performance.now(), percent: 0, cancelled: false }
    Atomics.store(thread.flag, 0, 0)
    job.started()
    const { module, fn, body } = job
    thread.worker.postMessage({ kind: 'run', module, fn, body } satisfies ToWorker, [body.buffer])
  }

  #startThread(): void {
    const cancelFlag = new SharedArrayBuffer(4)
    const worker = startThread(new URL('./worker.ts', import.meta.url), {
      stdout: true,
      stderr: true,
      name: 'engine-task',
      workerData: { maxMessageBytes: this.#settings.maxMessageBytes, cancelFlag } satisfies WorkerSettings,
    })
    const thread: Thread = { worker, flag: new Int32Array(cancelFlag), stderr: '', ready: false }
    this.#thread = thread
    worker.on('message', (message: FromWorker) => this.#onMessage(thread, message))
    worker.on('messageerror', (error) => {
      thread.error = error
      void worker.terminate()
    })
    worker.on('error', (error) => {
      thread.error = error
    })
    worker.once('exit', (code) => this.#onExit(thread, code))
    worker.stdout.setEncoding('utf8').on('data', (text: string) => this.#running?.job.output('stdout', text))
    worker.stderr.setEncoding('utf8').on('data', (text: string) => {
      thread.stderr = (thread.stderr + text).slice(-stderrKept)
      this.#running?.job.output('stderr', text)
    })
  }

  #onMessage(thread: Thread, message: FromWorker): void {
    if (message.kind === 'ready') {
      thread.ready = true
      this.#next()
      return
    }
    const running = this.#running
    if (!running || thread !== this.#thread) return
    if (message.kind === 'progress') {
      running.percent = message.percent
      running.job.progress(message.percent, message.message)
      return
    }
    this.heapUsed = message.heapUsed
    this.#settle()
    if (running.cancelled) {
      this.cancelled += 1
      this.#fail(running.job, 'cancelled', new Error('The task was cancelled.'))
    } else if (message.kind === 'done') {
      this.done += 1
      running.job.done(message.body)
    } else {
      this.failed += 1
      running.job.failed('engine_task_failed', message.body)
    }
    if (this.#stopped) void thread.worker.terminate()
    else if (!this.#recycles(thread)) this.#next()
  }

  /**
   * Replaces the thread when tasks have left so much behind (caches, compiled code) that the next one might not fit.
   * The new thread then takes the next task.
   */
  #recycles(thread: Thread): boolean {
    const { memoryLimitBytes } = this.#settings
    const resident = process.memoryUsage.rss()
    if (resident <= recycledShare * memoryLimitBytes) return false
    this.#settings.recycled(resident, memoryLimitBytes)
    thread.ready = false
    thread.recycled = true
    void thread.worker.terminate()
    return true
  }

  /** Ends the running task when the process has outgrown its limit. Threads share nothing else that could be freed. */
  #endOutgrown(): void {
    const running = this.#running
    if (running === undefined || running.outgrown !== undefined || running.cancelled) return
    const resident = process.memoryUsage.rss()
    if (resident <= this.#settings.memoryLimitBytes) return
    running.outgrown = resident
    void this.#thread?.worker.terminate()
  }

  /** Frees the thread for the next task; the caller answers the job. */
  #settle(): void {
    clearTimeout(this.#running?.graceTimer)
    this.#running = undefined
  }

  #onExit(thread: Thread, code: number): void {
    if (thread !== this.#thread) return
    this.#thread = undefined
    const running = this.#running
    const stderr = lastLines(thread.stderr, stderrLines)
    this.#settle()
    if (running?.cancelled) {
      this.cancelled += 1
      this.#fail(
        running.job,
        'cancelled',
        new Error('The task was cancelled; it did not stop by itself and was ended.'),
      )
    } else if (running?.outgrown !== undefined) {
      this.failed += 1
      const error = new Error(
        `${running.job.fn} was ended: the engine had ${running.outgrown} bytes of memory, its limit is ${this.#settings.memoryLimitBytes} (setting engineering.memoryLimitBytes).`,
      )
      this.#fail(running.job, 'engine_crashed', Object.assign(error, { exitCode: code, stderr }))
    } else if (running) {
      this.failed += 1
      const cause = thread.error instanceof Error ? `: ${thread.error.message}` : ''
      const error = new Error(
        `The engine's task thread ended with exit code ${code} while it ran ${running.job.fn}${cause}`,
      )
      this.#fail(running.job, 'engine_crashed', Object.assign(error, { exitCode: code, stderr }))
    }
    if (this.#stopped) return
    if (!thread.ready && !thread.recycled) {
      const why = thread.error instanceof Error ? thread.error.message : `exit code ${code}`
      const error = Object.assign(new Error(`The engine's task thread could not start: ${why}`), { stderr })
      for (const job of this.#queue.splice(0)) {
        this.failed += 1
        this.#fail(job, 'engine_unavailable', error)
      }
      return
    }
    this.restarts += 1
    this.#startThread()
  }

  #fail(job: Job, kind: EngineErrorKind, error: Error): void {
    job.failed(kind, serialize(packError(error)))
  }
}
