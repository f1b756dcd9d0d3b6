/** The thread of a controller from the gateway's side: requests, answers, and an unexpected end of the thread. */
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { type GatewayError, startThread } from '../../../core/index.ts'
import type { TimeZone } from '../../../plc/runtime/time-zone.ts'
import { problem } from '../problems.ts'
import { otherProgram } from './active-program.ts'
import { alarmWords } from './alarm-memory.ts'
import type { AlarmBatch } from './alarm-messages.ts'
import type { OperatingState } from './contract.ts'
import { ControlBlock, requests } from './control-block.ts'
import type { Answers, Numbered, RawEntry, RefusalCode, Report, Request, WorkerData } from './messages.ts'
import type { NetworkRequest } from './network-messages.ts'
import { allowedIn } from './states.ts'

/** Called with the reports of the thread. */
export interface ThreadEvents {
  state(state: OperatingState): void
  diagnostic(entry: RawEntry): void
  alarms(batch: AlarmBatch): void
  network(request: NetworkRequest): void
  timeZone(zone: TimeZone): void
  /** Called when the thread ended unexpectedly. */
  death(reason: string): void
}

type ThreadData = Omit<WorkerData, 'control' | 'port' | 'alarmWords'>
type RequestOf<K extends Request['kind']> = Extract<Request, { readonly kind: K }>

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The thread of one controller. */
export class ControllerThread {
  readonly control: ControlBlock
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #events: ThreadEvents
  readonly #alarmWords = new Int32Array(new SharedArrayBuffer(8))
  readonly #pending = new Map<number, Pending>()
  /** Resolves when the thread has ended. */
  readonly exited: Promise<void>
  #state: OperatingState = 'Booting'
  #lastId = 0
  /** It was in Stop: before that `start` says what went wrong. */
  #isStarted = false
  #isEnding = false
  #reason = 'it ended unexpectedly'

  private constructor(data: ThreadData, events: ThreadEvents, ready: (error?: Error) => void) {
    this.#events = events
    this.control = new ControlBlock()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    const workerData: WorkerData = {
      ...data,
      control: this.control.buffer,
      port: port2,
      alarmWords: this.#alarmWords.buffer as SharedArrayBuffer,
    }
    this.#worker = startThread(new URL('./worker.ts', import.meta.url), {
      workerData,
      transferList: [port2],
    })
    port1.on('message', (report: Report) => {
      if (report.kind === 'ready') ready()
      else this.#take(report)
    })
    this.#worker.once('error', (error: Error) => {
      this.#reason = error.message
      ready(error)
    })
    this.exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        ready(new Error(this.#reason))
        this.#ended()
        resolve()
      })
    })
  }

  /** Starts a thread; resolves when it is in Stop and waits for requests. */
  static async start(data: ThreadData, events: ThreadEvents): Promise<ControllerThread> {
    let thread: ControllerThread | undefined
    await new Promise<void>((resolve, reject) => {
      thread = new ControllerThread(data, events, (error) => (error ? reject(error) : resolve()))
    })
    // Set by the function that the promise has called; TypeScript does not follow that.
    const started = thread as unknown as ControllerThread
    started.#state = 'Stop'
    started.#isStarted = true
    return started
  }

  /** State as last reported by the thread. */
  get state(): OperatingState {
    return this.#state
  }

  /**
   * Sends a request, which is executed at the cycle control point.
   * @throws GatewayError when the thread refuses it; `conflict` when the thread ends before it answers
   */
  request<K extends Request['kind']>(request: RequestOf<K>): Promise<Answers[K]> {
    return this.begin<K>(request).answer
  }

  /** Like `request`, with the number that `cancel` needs. */
  begin<K extends Request['kind']>(request: RequestOf<K>): { id: number; answer: Promise<Answers[K]> } {
    const id = ++this.#lastId
    const answer = new Promise<Answers[K]>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject })
    })
    this.#port.postMessage({ ...(request as Request), id } satisfies Numbered)
    this.control.ring()
    return { id, answer }
  }

  /** Advances stepped time; the signal ends that at a cycle control point. */
  async advance(by: { readonly cycles: number } | { readonly milliseconds: number }, signal?: AbortSignal) {
    const { id, answer } = this.begin({ kind: 'advance', ...by })
    const cancel = () => void this.request({ kind: 'cancel', request: id }).catch(() => undefined)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const result = await answer
      signal?.throwIfAborted()
      return result
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  /** Ends a long-running program at its next check of the watchdog. */
  interrupt(): void {
    this.control.request = requests.stop
  }

  /** Cancels `interrupt`. */
  continue(): void {
    this.control.request = requests.none
  }

  /** Lets the thread stop the program and end. Kills it when it does not end in time. */
  async end(graceMs: number): Promise<void> {
    this.#isEnding = true
    const timer = setTimeout(() => void this.#worker.terminate(), graceMs)
    try {
      this.interrupt()
      await this.request({ kind: 'end' }).catch(() => undefined)
      await this.exited
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the thread immediately. With a reason it is treated as an unexpected end. */
  async kill(reason?: string): Promise<void> {
    if (reason === undefined) this.#isEnding = true
    else this.#reason = reason
    await this.#worker.terminate()
    await this.exited
  }

  #take(report: Exclude<Report, { kind: 'ready' }>): void {
    if (report.kind === 'state') {
      this.#state = report.state
      this.#events.state(report.state)
    } else if (report.kind === 'diagnostic') this.#events.diagnostic(report.entry)
    else if (report.kind === 'network') this.#events.network(report.request)
    else if (report.kind === 'timeZone') this.#events.timeZone(report.zone)
    else if (report.kind === 'alarms') {
      this.#events.alarms(report.batch)
      Atomics.add(this.#alarmWords, alarmWords.read, 1)
      // The thread may sleep with events that it kept back.
      if (Atomics.load(this.#alarmWords, alarmWords.waiting) === 1) this.control.ring()
    } else {
      const pending = this.#pending.get(report.id)
      this.#pending.delete(report.id)
      if (report.kind === 'answer') pending?.resolve(report.value)
      else pending?.reject(this.#refusal(report.code, report.detail))
    }
  }

  #refusal(code: RefusalCode, detail: string): GatewayError {
    if (code === 'other_program') return otherProgram()
    const state = this.#state
    return problem(
      code,
      detail,
      code === 'invalid_operating_state' ? { extra: { state, allowed: allowedIn(state) } } : {},
    )
  }

  #ended(): void {
    this.#port.close()
    for (const { reject } of this.#pending.values())
      reject(problem('conflict', `The controller was stopped meanwhile: ${this.#reason}.`))
    this.#pending.clear()
    if (this.#isStarted && !this.#isEnding) this.#events.death(this.#reason)
  }
}
