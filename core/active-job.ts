/** A job while the gateway still has it in memory. `job.ts` says what a job is in the log. */
import { notify, type StagedBlob } from '../store/index.ts'
import type { Actor } from './context.ts'
import type { FileSource } from './files.ts'
import { type AcceptedData, iso, type Job, type JobStatus } from './job.ts'
import { keepJsonText } from './json-text.ts'
import type { Operation } from './operation.ts'
import type { GatewayError, Problem } from './problems.ts'
import type { RunningCommand } from './run-context.ts'
import { withoutSecrets } from './secrets.ts'
import type { Overlay } from './state.ts'

/** How a job ended. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: GatewayError }

type Listener = (outcome: Outcome) => void

export interface SubmitOptions {
  readonly actor: Actor
  readonly correlationId: string
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
  readonly inputHash?: string
  /** What is written down instead of the input: without secrets. */
  readonly loggedInput?: unknown
  readonly inputBlob?: string
  /** Blobs that the input refers to; durable with the acceptance. */
  readonly blobs?: readonly StagedBlob[]
  /** Replay: run as this job did. */
  readonly replay?: { readonly jobId: string; readonly now: number; readonly source: FileSource }
}

/** A job that has not been forgotten yet. */
export class ActiveJob {
  status: JobStatus = 'Pending'
  progress = 0
  message: string | undefined
  startedAt: number | undefined
  completedAt: number | undefined
  outcome: Outcome | undefined
  /** Of its last record, once it has ended. */
  lastSeq = 0
  /** What it has changed, until that is durable. */
  merged: Overlay | undefined
  /** JSON text of the result: made once, to know its size and for the answer. */
  resultJson: string | undefined
  context: RunningCommand | undefined
  started = false
  cancelRequested = false
  lastProgressRecord = 0
  /** The end is durable: what is told of it stays true after a crash. */
  isSettled = false
  #told: Job | undefined
  /** Almost always one. */
  #waiting: Listener | Listener[] | undefined

  constructor(
    readonly jobId: string,
    readonly acceptedSeq: number,
    /** That of its first record. */
    public createdAt: number,
    readonly operation: Operation,
    readonly input: Record<string, unknown>,
    readonly options: SubmitOptions,
  ) {}

  /** Calls back once the job has ended and its records are durable: at once when that is so already. */
  whenSettled(listener: Listener) {
    if (this.isSettled) listener(this.outcome!)
    else if (this.#waiting === undefined) this.#waiting = listener
    else if (typeof this.#waiting === 'function') this.#waiting = [this.#waiting, listener]
    else this.#waiting.push(listener)
  }
  /** As {@link whenSettled}; never rejects. */
  get settled(): Promise<Outcome> {
    return new Promise((resolve) => this.whenSettled(resolve))
  }
  /** The end is durable, or lost: tells everyone who waits for it. */
  settle(outcome: Outcome) {
    this.outcome = outcome
    this.isSettled = true
    const waiting = this.#waiting
    this.#waiting = undefined
    if (typeof waiting === 'function') notify(waiting, outcome)
    else if (waiting) for (const listener of waiting) notify(listener, outcome)
  }

  get dryRun(): boolean {
    return this.options.dryRun === true
  }
  get actor(): Actor {
    return this.options.actor
  }
  get correlationId(): string {
    return this.options.correlationId
  }

  /** The job as clients read it; once it is settled, always the same object. */
  toJob(toProblem: (error: GatewayError, jobId: string) => Problem): Job {
    if (!this.isSettled) return this.#tell(toProblem)
    this.#told ??= keepJsonText(this.#tell(toProblem))
    return this.#told
  }

  #tell(toProblem: (error: GatewayError, jobId: string) => Problem): Job {
    const { outcome } = this
    return {
      jobId: this.jobId,
      command: this.operation.id,
      status: this.status,
      progress: this.progress,
      ...(this.message === undefined ? {} : { message: this.message }),
      input: this.options.loggedInput === undefined ? this.input : withoutSecrets(this.options.loggedInput),
      ...(outcome?.ok ? { result: outcome.result } : {}),
      ...(outcome && !outcome.ok && this.status === 'Failed' ? { error: toProblem(outcome.error, this.jobId) } : {}),
      createdAt: iso(this.createdAt),
      ...(this.startedAt === undefined ? {} : { startedAt: iso(this.startedAt) }),
      ...(this.completedAt === undefined ? {} : { completedAt: iso(this.completedAt) }),
      actor: this.actor.name,
      correlationId: this.correlationId,
      ...(this.completedAt === undefined || this.startedAt === undefined
        ? {}
        : { durationMs: this.completedAt - this.startedAt }),
      ...(this.dryRun ? { dryRun: true } : {}),
    }
  }
}

/** A job that was accepted before a crash and has no end in the log. */
export interface OpenJob {
  readonly jobId: string
  readonly seq: number
  readonly time: number
  readonly actor: string
  readonly correlationId: string | undefined
  readonly data: AcceptedData
  started: boolean
}
