/**
 * Accepts commands, runs them in the lane, and settles them when their records are durable. `job.ts` has the states.
 */
import { LRUCache } from 'lru-cache'
import { nanoid } from 'nanoid'
import { defined } from '../../lib/optional.ts'
import { within } from '../../lib/within.ts'
import { type Appended, isStoreError } from '../../store/index.ts'
import type { RunningCommand } from '../calls/run-context.ts'
import type { Actor } from '../contract/access.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { Operation } from '../contract/operation.ts'
import { type GatewayError, problem } from '../contract/problems.ts'
import { ActiveJob, type OpenJob, type Outcome, type SubmitOptions } from '../log/active-job.ts'
import {
  type AcceptedData,
  type FailedData,
  type Job,
  makeJobId,
  type ProgressData,
  readJob,
  readJobSummary,
} from '../log/job.ts'
import type { Overlay } from '../state/state.ts'
import { Steps } from '../undo/steps.ts'
import { appendEnd, contextOf, isLong, runJob } from './job-runner.ts'
import { Lane } from './lane.ts'

/** A job that runs longer than this gets its `job.started` record, ms. */
const startedAfterMs = 50
/** At most one `job.progress` record in this time, ms. */
const progressEveryMs = 500
/** Number of ended jobs kept in memory, because clients poll them now. Older ones are read from the log. */
const keptJobs = 250
/** How long a cancelled job may take to stop before the lane goes on without it, ms. */
const cancelGraceMs = 10_000
/** The same for a job that runs when the gateway closes, ms. */
const closeGraceMs = 2000
/** How long a job may run without a sign before health says so, ms; see `quietMs` of an operation. */
const quietMs = 120_000

/** A job that has ended; not reported before its records are durable. */
interface Ending {
  readonly job: ActiveJob
  readonly outcome: Outcome
  readonly lastSeq: number
  readonly time: number
  /** The changes it has merged. */
  readonly merged: Overlay | undefined
}

export class Jobs {
  readonly #gateway: GatewayHandle
  readonly #lane = new Lane()
  /** When a batch is lost, its seqs are given again: this suffix keeps job ids unique. */
  #run = nanoid(8)
  /** Jobs whose end could not be written. */
  #lost: ActiveJob[] = []
  /** Pending and running jobs and those whose end is not durable yet, in the order of their acceptance. */
  readonly #unsettled = new Map<string, ActiveJob>()
  readonly #settled = new LRUCache<string, ActiveJob>({ max: keptJobs })
  readonly #idempotent = new LRUCache<string, { jobId: string; inputHash: string }>({ max: 10_000 })
  /** Oldest first. */
  #ended: Ending[] = []
  #running: ActiveJob | undefined
  /** Jobs that ended because they did not stop, and still run. */
  readonly #givenUp = new Set<ActiveJob>()
  /** Jobs of an earlier run that wait for a start without `holdJobs`. */
  readonly #held = new Set<ActiveJob>()
  /** Jobs that run beside the lane. */
  readonly #beside = new Set<ActiveJob>()
  #closing = false
  readonly #watch: NodeJS.Timeout
  readonly #stopWatchingFailure: () => void
  /** Seq of the last record that changed the state: once it is durable, so is everything that a query has read. */
  lastMergedSeq = 0
  /** The commands that can be taken back. */
  readonly steps: Steps

  constructor(gateway: GatewayHandle) {
    this.#gateway = gateway
    this.steps = new Steps(gateway)
    this.#watch = setInterval(() => this.#noteLongRun(), startedAfterMs)
    this.#watch.unref()
    gateway.bus.on('records', this.#settleDurable)
    this.#stopWatchingFailure = gateway.store.log.onFailure((_, error) => this.#takeBack(error))
  }

  get pending(): number {
    return this.#lane.waiting
  }
  get running(): ActiveJob | undefined {
    return this.#running
  }
  /** Jobs that have not ended, oldest first. */
  get open(): ActiveJob[] {
    return [...this.#unsettled.values()].filter((job) => job.outcome === undefined)
  }

  /**
   * Accepts a command: its `job.accepted` record is in the open batch when this returns.
   *
   * @throws GatewayError `shutting_down`, `queue_full`, `log_unavailable`
   */
  submit(operation: Operation, input: Record<string, unknown>, options: SubmitOptions): ActiveJob {
    if (this.#closing) throw problem('shutting_down', 'The gateway is shutting down.')
    const limit = this.#gateway.settings.limits.pendingJobs
    if (this.#lane.waiting >= limit) {
      throw problem('queue_full', `${this.#lane.waiting} jobs are pending (limits.pendingJobs is ${limit}).`, {
        extra: { retryAfterSeconds: 1 },
      })
    }
    const { log } = this.#gateway.store
    const seq = log.nextSeq()
    const jobId = options.replay?.jobId ?? makeJobId(seq, this.#run)
    const job = new ActiveJob(jobId, seq, options.replay?.now ?? 0, operation, input, options)
    const { actor, correlationId, blobs } = options
    const data = acceptedData(job)
    const { time } = log.append([{ type: 'job.accepted', jobId, actor: actor.name, correlationId, data }], blobs)
    // A replayed job keeps its recorded time.
    if (!options.replay) job.createdAt = time
    if (options.idempotencyKey && options.inputHash) {
      this.#idempotent.set(`${options.actor.name}:${options.idempotencyKey}`, { jobId, inputHash: options.inputHash })
    }
    this.#enqueue(job)
    return job
  }

  /** Queues a job again that a crash left behind; with `holdJobs` it stays pending. */
  resubmit(open: OpenJob, operation: Operation, input: Record<string, unknown>, logged: unknown, actor: Actor) {
    const job = new ActiveJob(open.jobId, open.seq, open.time, operation, input, {
      actor,
      correlationId: open.correlationId ?? open.jobId,
      loggedInput: logged,
      dryRun: open.data.dryRun === true,
      ...defined({ expected: open.data.expected, group: open.data.group }),
    })
    job.isRequeued = true
    if (this.#gateway.options.holdJobs === true) {
      this.#unsettled.set(job.jobId, job)
      this.#held.add(job)
    } else this.#enqueue(job)
  }

  #enqueue(job: ActiveJob) {
    this.#unsettled.set(job.jobId, job)
    this.#gateway.bus.emit('job', job)
    if (job.operation.besideLane) void this.#runBeside(job)
    else job.leaveLane = this.#lane.add(() => this.#execute(job))
  }

  /** Runs a job that changes nothing (`besideLane`). Its start is written first: it takes long. */
  async #runBeside(job: ActiveJob): Promise<void> {
    this.#beside.add(job)
    try {
      await this.#writeStarted(job)
      await this.#execute(job)
    } catch (error) {
      this.#lose(job, error)
    } finally {
      this.#beside.delete(job)
    }
  }

  /** What keeps jobs from being done, for people. */
  get troubles(): string[] {
    const found: string[] = []
    const [job, ctx] = [this.#running, this.#running?.context]
    const quiet = ctx === undefined ? 0 : performance.now() - ctx.lastSignAt
    if (job && quiet >= (job.operation.quietMs ?? quietMs))
      found.push(
        `jobs: ${job.jobId} (${job.operation.id}) has made no progress for ${Math.floor(quiet / 1000)} s; DELETE /api/jobs/${job.jobId} cancels it`,
      )
    for (const { jobId, operation } of this.#givenUp)
      found.push(`jobs: ${jobId} (${operation.id}) was given up and still runs; a restart of the gateway ends it`)
    if (this.#held.size > 0)
      found.push(`jobs: ${this.#held.size} of an earlier run are held (--hold-jobs); a start without it runs them`)
    return found
  }

  async #execute(job: ActiveJob): Promise<void> {
    if (job.outcome) return
    const { health } = this.#gateway.store
    if (health.state === 'write-failed') {
      this.#lose(job, problem('log_unavailable', health.detail ?? 'The log cannot be written.'))
      return
    }
    const { replay } = job.options
    job.start(replay?.now ?? Math.max(job.createdAt, this.#gateway.clock()), this.#gateway.ticks())
    const isInLane = !this.#beside.has(job)
    if (isInLane) this.#running = job
    this.#gateway.bus.emit('job', job)
    const ctx = contextOf(this.#gateway, job, (percent, message) => this.#progress(job, percent, message))
    job.context = ctx
    try {
      const run = runJob(this.#gateway, job, ctx, () => this.#writeStarted(job))
      const { value, blob } = await Promise.race([run, job.givenUp]).catch((error) => {
        if (ctx.isDiscarded) this.#noteEndOf(job, run)
        throw error
      })
      this.#end(job, { ok: true, result: value }, ctx, blob)
    } catch (error) {
      this.#end(job, { ok: false, error: this.#gateway.asProblem(error, job.operation.id, job.correlationId) }, ctx)
    } finally {
      if (isInLane) this.#running = undefined
      job.context = undefined
    }
  }

  /**
   * The lane goes on without a cancelled job that does not stop: it has failed, and its later effects are dropped. Once
   * it puts its files in their place, its end is awaited.
   */
  #giveUp(job: ActiveJob, waitedMs: number) {
    const { context } = job
    if (this.#running !== job || !context || job.isCommitting) return
    context.discard()
    const last = job.message === undefined ? '' : `, "${job.message}"`
    job.giveUp(
      problem(
        'job_not_stopped',
        `Job ${job.jobId} (${job.operation.id}) was cancelled and did not stop within ${Math.round(waitedMs / 100) / 10} s; the gateway goes on without it. It ran for ${Math.round(this.#gateway.ticks() - job.startedTicks)} ms and had reported ${job.progress} %${last}. None of its changes were kept.`,
      ),
    )
  }

  /** Remembers a job that was given up until its code ends. */
  #noteEndOf(job: ActiveJob, run: Promise<unknown>) {
    this.#givenUp.add(job)
    const forget = () => void this.#givenUp.delete(job)
    run.then(forget, forget)
  }

  /** Appends the end of a job and merges its changes; the job is settled when that is durable. */
  #end(job: ActiveJob, outcome: Outcome, ctx?: RunningCommand, resultBlob?: string) {
    let appended: Appended
    try {
      appended = appendEnd(this.#gateway, job, outcome, ctx, resultBlob)
    } catch (error) {
      // An event that is not JSON is a fault of the operation; a failure without events can be written.
      if (outcome.ok && isStoreError(error) && error.code === 'record_invalid')
        this.#end(job, { ok: false, error: this.#gateway.asProblem(error, job.operation.id, job.correlationId) })
      else this.#lose(job, error)
      return
    }
    const { lastSeq, time } = appended
    const merged = outcome.ok && !job.dryRun && ctx && ctx.emitted.length > 0 ? ctx.overlay : undefined
    if (merged) {
      merged.merge()
      this.lastMergedSeq = lastSeq
    }
    if (outcome.ok && !job.dryRun && ctx && job.operation.kind === 'command')
      this.steps.note(job, merged, ctx.emitted, ctx.touchesFiles ? ctx.fileTransaction().changes.length : 0)
    job.outcome = outcome
    this.#ended.push({ job, outcome, lastSeq, time, merged })
  }

  #settle(job: ActiveJob, outcome: Outcome, time: number) {
    this.#unsettled.delete(job.jobId)
    this.#held.delete(job)
    // Large inputs and results are blobs, and are read from there when a client asks again.
    if (!isLong(job.resultJson) && job.options.inputBlob === undefined) this.#settled.set(job.jobId, job)
    job.settle(outcome, time)
    this.#gateway.bus.emit('job', job)
  }

  /** The end of a job could not be written. */
  #lose(job: ActiveJob, error: unknown) {
    const reason = this.#gateway.asProblem(error, job.operation.id, job.correlationId)
    this.#lost.push(job)
    const lost = problem(
      'log_unavailable',
      `${reason.message} It is not known whether the command was carried out; GET /api/jobs/${job.jobId} says so when the log can be written again.`,
      { cause: error, extra: { retryAfterSeconds: 5 } },
    )
    this.#settle(job, { ok: false, error: lost }, this.#gateway.clock())
  }

  /** True when no job runs or waits (held ones apart). */
  get isQuiet(): boolean {
    return (
      !this.#running && this.#lane.waiting === 0 && this.#beside.size === 0 && this.#unsettled.size === this.#held.size
    )
  }

  /** What ended jobs were asked and have answered is read from the log again. */
  forgetEnded() {
    this.#settled.clear()
  }

  /**
   * The log goes on behind what is on the disk: its numbers are given again, and only the log knows what has happened.
   */
  renew() {
    this.#run = nanoid(8)
    this.#idempotent.clear()
    for (const { jobId } of this.#lost) this.#settled.delete(jobId)
  }

  /**
   * Settles the jobs whose end could not be written: one that is in the log without an end has failed, as its client
   * was told. One whose end is there has it; one that is not there was never accepted.
   */
  async settleLost(): Promise<void> {
    const lost = this.#lost
    this.#lost = []
    const { log } = this.#gateway.store
    const error = this.#gateway.toProblem(
      problem(
        'log_unavailable',
        'The log could not be written when the job was to end. None of its changes were kept.',
      ),
    )
    for (const { jobId } of lost) {
      const found = await readJobSummary(this.#gateway.store, jobId)
      if (found === undefined || found.completedAt !== undefined) continue
      const data: FailedData = { error: { ...error, jobId }, late: true }
      log.append([{ type: 'job.failed', jobId, data }])
    }
  }

  /** Settles the jobs that a commit has made durable. */
  readonly #settleDurable = () => {
    const { durableSeq } = this.#gateway.store.log
    const lost = this.#ended.findIndex(({ lastSeq }) => lastSeq > durableSeq)
    const durable = this.#ended.splice(0, lost < 0 ? this.#ended.length : lost)
    for (const { job, outcome, time } of durable) this.#settle(job, outcome, time)
  }

  /**
   * The disk refused a batch: the state returns to what is durable, and the jobs whose end was in the batch have
   * failed.
   */
  #takeBack(error: unknown) {
    const lost = this.#ended
    this.#ended = []
    for (const { job, merged } of [...lost].reverse()) {
      merged?.takeBack()
      this.steps.forget(job.jobId)
    }
    this.lastMergedSeq = 0
    for (const { job } of lost) this.#lose(job, error)
  }

  #progress(job: ActiveJob, told: number, message: string | undefined) {
    // A step that counts for itself, or a report that comes late, takes nothing back.
    const percent = Math.max(job.progress, told)
    job.progress = percent
    if (message !== undefined) job.message = message
    this.#gateway.bus.emit('job', job)
    const now = this.#gateway.ticks()
    if (now - job.lastProgressRecord < progressEveryMs) return
    job.lastProgressRecord = now
    const data: ProgressData = defined({ progress: percent, message })
    this.#gateway.store.log.appendLazy({ type: 'job.progress', jobId: job.jobId, data })
  }

  #noteLongRun() {
    const job = this.#running
    if (job && !job.started && this.#gateway.ticks() - job.startedTicks >= startedAfterMs) {
      this.#writeStarted(job).catch(() => {})
    }
  }

  async #writeStarted(job: ActiveJob): Promise<void> {
    if (job.started) return
    job.started = true
    const { lastSeq } = this.#gateway.store.log.append([{ type: 'job.started', jobId: job.jobId, data: {} }])
    await this.#gateway.store.log.durable(lastSeq)
  }

  /** The job, if it is in memory. */
  peek(jobId: string): ActiveJob | undefined {
    return this.#unsettled.get(jobId) ?? this.#settled.peek(jobId)
  }

  /**
   * A job by id, from memory or from the log.
   * @throws GatewayError `log_corrupt` once the log is found damaged
   */
  async find(jobId: string): Promise<Job | undefined> {
    this.#gateway.requireSoundLog()
    const job = this.peek(jobId)
    return job ? job.toJob(this.#gateway.toProblem) : readJob(this.#gateway.store, jobId)
  }

  /** The job of an idempotency key that was used a moment ago; answers without waiting. */
  recentByIdempotencyKey(actor: string, key: string): { jobId: string; inputHash: string } | undefined {
    return this.#idempotent.get(`${actor}:${key}`)
  }

  /** The job of an idempotency key. */
  async byIdempotencyKey(actor: string, key: string): Promise<{ jobId: string; inputHash: string } | undefined> {
    const term = `${actor}:${key}`
    const known = this.#idempotent.get(term)
    if (known) return known
    const { store } = this.#gateway
    const [seq] = await store.index.find(`idem:${term}`, { limit: 1, reverse: true })
    const record = seq === undefined ? undefined : await store.log.get(seq)
    const inputHash = (record?.data as AcceptedData | undefined)?.inputHash
    if (record?.jobId === undefined || inputHash === undefined) return undefined
    // It could not be carried out because the log could not be written: the client tries again.
    if ((await readJobSummary(store, record.jobId))?.error?.code === 'log_unavailable') return undefined
    return { jobId: record.jobId, inputHash }
  }

  /**
   * Cancels a job: a pending one at once, a running one when it next checks the signal. One that does not stop fails
   * after a grace.
   * @throws GatewayError `not_found`, `job_finished`
   */
  async cancel(jobId: string): Promise<Job> {
    const job = this.#unsettled.get(jobId)
    if (!job || job.outcome) {
      await job?.settled
      const ended = await this.find(jobId)
      if (!ended) throw problem('not_found', `There is no job "${jobId}".`)
      throw problem('job_finished', `Job ${jobId} is ${ended.status}; only a pending or running job can be cancelled.`)
    }
    const isFirst = !job.cancelRequested
    job.cancelRequested = true
    if (job.status === 'Running') {
      job.context?.abort()
      const { cancelGraceMs: graceMs = cancelGraceMs } = this.#gateway.options
      if (isFirst) setTimeout(() => this.#giveUp(job, graceMs), graceMs).unref()
    } else {
      this.#end(job, { ok: false, error: problem('request_cancelled', `Job ${jobId} was cancelled.`) })
      job.leaveLane()
      await job.settled
    }
    return job.toJob(this.#gateway.toProblem)
  }

  /** Writes the end of a job that a crash interrupted. */
  failInterrupted(open: OpenJob, error: GatewayError) {
    const data: FailedData = { error: this.#gateway.toProblem(error, open.jobId), late: true }
    this.#gateway.store.log.append([{ type: 'job.failed', jobId: open.jobId, data }])
  }

  /**
   * Stops accepting jobs; the running job may finish within the grace period and is then cancelled. Waiting jobs stay
   * Pending in the log and run at the next start.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    this.#lane.pause()
    await within(this.#lane.idle(), graceMs)
    const running = this.#running
    const unfinished = [...this.#beside, ...(running ? [running] : [])]
    for (const job of unfinished) {
      job.cancelRequested = true
      job.context?.abort()
    }
    await within(Promise.all(unfinished.map((job) => job.settled)), closeGraceMs)
    if (running) {
      this.#giveUp(running, closeGraceMs)
      await within(this.#lane.idle(), closeGraceMs)
    }
    clearInterval(this.#watch)
    this.#stopWatchingFailure()
    this.#gateway.bus.off('records', this.#settleDurable)
  }
}

function acceptedData(job: ActiveJob): AcceptedData {
  const { operation, input, options } = job
  const { inputBlob, loggedInput, dryRun, idempotencyKey, inputHash, expected, group } = options
  return defined({
    command: operation.id,
    access: options.actor.access,
    inputBlob,
    input: inputBlob ? undefined : (loggedInput ?? input),
    dryRun: dryRun ? (true as const) : undefined,
    idempotencyKey,
    inputHash: idempotencyKey ? inputHash : undefined,
    expected,
    group,
  })
}
