/** A job while the gateway has it in memory. `job.ts` describes a job in the log. */

import { defined } from '../../lib/optional.ts'
import type { StagedBlob } from '../../store/index.ts'
import { withoutSecrets } from '../access/secrets.ts'
import type { RunningCommand } from '../calls/run-context.ts'
import type { Actor } from '../contract/access.ts'
import { keepJsonText } from '../contract/json-text.ts'
import type { Operation } from '../contract/operation.ts'
import type { GatewayError, Problem } from '../contract/problems.ts'
import type { StreamEvent } from '../contract/stream-event.ts'
import type { Expected } from '../contract/targets.ts'
import type { FileSource } from '../files/files.ts'
import { type AcceptedData, entered, iso, type Job, type JobStatus } from './job.ts'

/** How a job ended. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: GatewayError }

export interface SubmitOptions {
  readonly actor: Actor
  readonly correlationId: string
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
  readonly inputHash?: string
  /** The input as the log records it: without secrets. */
  readonly loggedInput?: unknown
  readonly inputBlob?: string
  /** Condition of the change; see preconditions.ts. */
  readonly expected?: Expected
  readonly group?: string
  /** Blobs that the input refers to; they become durable with the acceptance. */
  readonly blobs?: readonly StagedBlob[]
  /** Gets the events that the command sends while it runs (`streams`). */
  readonly onEvent?: (event: StreamEvent) => void
  /** Replay: runs with the id, the time and the files of the recorded job. */
  readonly replay?: { readonly jobId: string; readonly now: number; readonly source: FileSource }
}

/** A job in memory, from its acceptance until it is dropped from the cache of finished jobs. */
export class ActiveJob {
  /** 0-100; it only rises. */
  progress = 0
  /** What it does now; an ended job has none. */
  message: string | undefined
  startedAt: number | undefined
  /** The same of the clock for durations. */
  startedTicks = 0
  completedAt: number | undefined
  /** Time from start to end, where the times of the two do not say it. */
  durationMs: number | undefined
  /** How it ended; not reported before it is durable (`isSettled`). */
  outcome: Outcome | undefined
  /** JSON text of the result: made once, to know its size and for the answer. */
  resultJson: string | undefined
  /** The result as the log has it, when that is another (`sealsResult`). */
  keptResult: Readonly<Record<string, unknown>> | undefined
  /** The context it runs with. */
  context: RunningCommand | undefined
  /** It puts its files in their place: from then on it can no longer be given up. */
  isCommitting = false
  /** Of a dry run that has ended: the change would only add to what there is. */
  addsOnly = false
  /** A crash has interrupted it before it left a trace. */
  isRequeued = false
  /** Its `job.started` record is in the log. */
  started = false
  cancelRequested = false
  /** By the clock for durations. */
  lastProgressRecord = Number.NEGATIVE_INFINITY
  /** The end is durable: what is reported about it stays true after a crash. */
  isSettled = false
  /** Removes it from the lane before its turn. */
  leaveLane = () => {}
  /** Resolves when the job has ended and its records are durable, or lost; never rejects. */
  readonly settled: Promise<Outcome>
  /** Rejects when the lane goes on without it. */
  readonly givenUp: Promise<never>
  /** Rejects `givenUp`. */
  giveUp!: (error: GatewayError) => void
  #status: JobStatus = 'Pending'
  #told: Job | undefined
  #resolve!: (outcome: Outcome) => void

  constructor(
    readonly jobId: string,
    readonly acceptedSeq: number,
    /** Time of its first record, milliseconds since the epoch. */
    public createdAt: number,
    readonly operation: Operation,
    readonly input: Record<string, unknown>,
    readonly options: SubmitOptions,
  ) {
    this.settled = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.givenUp = new Promise((_, reject) => {
      this.giveUp = reject
    })
  }

  get status(): JobStatus {
    return this.#status
  }
  /** Its turn has come. */
  start(now: number, ticks: number) {
    this.#status = entered(this.#status, 'Running')
    this.startedAt = now
    this.startedTicks = ticks
  }
  /** The end is durable, or lost: resolves `settled`. */
  settle(outcome: Outcome, completedAt: number) {
    this.#status = entered(this.#status, lastStatus(outcome))
    if (outcome.ok) this.progress = 100
    this.message = undefined
    this.outcome = outcome
    this.completedAt = completedAt
    this.isSettled = true
    this.#resolve(outcome)
  }

  get dryRun(): boolean {
    return this.options.dryRun === true
  }
  get onEvent(): SubmitOptions['onEvent'] {
    return this.options.onEvent
  }
  get actor(): Actor {
    return this.options.actor
  }
  get correlationId(): string {
    return this.options.correlationId
  }

  /** The job as clients read it. After it is settled the same object every time. */
  toJob(toProblem: (error: GatewayError, jobId: string) => Problem): Job {
    if (!this.isSettled) return this.#tell(toProblem)
    this.#told ??= keepJsonText(this.#tell(toProblem))
    return this.#told
  }

  #tell(toProblem: (error: GatewayError, jobId: string) => Problem): Job {
    const { status, outcome, startedAt, completedAt, durationMs } = this
    return defined({
      jobId: this.jobId,
      command: this.operation.id,
      status,
      progress: this.progress,
      message: this.message,
      input: this.options.loggedInput === undefined ? this.input : withoutSecrets(this.options.loggedInput),
      result: status === 'Completed' && outcome?.ok ? (withoutSecrets(this.keptResult) ?? outcome.result) : undefined,
      error: status === 'Failed' && outcome?.ok === false ? toProblem(outcome.error, this.jobId) : undefined,
      createdAt: iso(this.createdAt),
      startedAt: startedAt === undefined ? undefined : iso(startedAt),
      completedAt: completedAt === undefined ? undefined : iso(completedAt),
      actor: this.actor.name,
      correlationId: this.correlationId,
      durationMs:
        completedAt === undefined || startedAt === undefined
          ? undefined
          : (durationMs ?? Math.max(0, completedAt - startedAt)),
      dryRun: this.dryRun || undefined,
      group: this.options.group,
    })
  }
}

/** The status that a job ends with. */
export function lastStatus(outcome: Outcome): 'Completed' | 'Failed' | 'Cancelled' {
  if (outcome.ok) return 'Completed'
  return outcome.error.code === 'request_cancelled' ? 'Cancelled' : 'Failed'
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
  /** Records after its acceptance are lost, perhaps its end. */
  isUnknown?: true
}
