/** Accepts commands, runs them in the lane, settles them when their records are durable. `job.ts` has the state machine. */
import { EventEmitter } from 'eventemitter3'
import { LRUCache } from 'lru-cache'
import { nanoid } from 'nanoid'
import type { Appended } from '../store/index.ts'
import { ActiveJob, type OpenJob, type Outcome, type SubmitOptions } from './active-job.ts'
import type { Actor } from './context.ts'
import type { Gateway } from './gateway.ts'
import {
  type AcceptedData,
  type CompletedData,
  type FailedData,
  type Job,
  makeJobId,
  type ProgressData,
  readJob,
} from './job.ts'
import { Lane } from './lane.ts'
import type { Operation } from './operation.ts'
import type { Hook } from './plugin.ts'
import { type GatewayError, problem } from './problems.ts'
import { RunningCommand, RunningQuery } from './run-context.ts'
import { assertOutput } from './validation.ts'
import { within } from './within.ts'

/** Results and inputs above about this many characters of JSON are kept as blobs, so that the log stays quick to read. */
export const inlineLimit = 32 * 1024
/** A job that runs longer than this gets its `job.started` record, ms. */
const startedAfterMs = 50
/** At most one `job.progress` record in this time, ms. */
const progressEveryMs = 500
/** So many jobs that have ended stay in memory: pollers ask for them now. Older ones are read from the log. */
const keptJobs = 250

interface JobEvents {
  /** Accepted (durable or not), started, progressed, ended (durable). */
  change: [ActiveJob]
}

export class Jobs extends EventEmitter<JobEvents> {
  readonly #gateway: Gateway
  readonly #lane = new Lane<ActiveJob>((job) => this.#execute(job))
  /** A seq whose batch was lost is given again by the next run: with the run's own suffix, ids stay unique. */
  readonly #run = nanoid(8)
  /** Pending, running and ended-but-not-durable jobs, and the last ones that were settled. */
  readonly #jobs = new Map<string, ActiveJob>()
  /** Ids of the settled ones among them, a ring. */
  readonly #kept = new Array<string | undefined>(keptJobs).fill(undefined)
  #nextKept = 0
  readonly #idempotent = new LRUCache<string, { jobId: string; inputHash: string }>({ max: 10_000 })
  /** Ended jobs whose records are not durable yet, oldest first. */
  #ended: ActiveJob[] = []
  #running: ActiveJob | undefined
  #closing = false
  readonly #watch: NodeJS.Timeout
  readonly #removeListeners: (() => void)[]
  /** Seq of the last record that changed the state: what a query saw is durable when this is. */
  lastMergedSeq = 0

  constructor(gateway: Gateway) {
    super()
    this.#gateway = gateway
    this.#watch = setInterval(() => this.#noteLongRun(), startedAfterMs)
    this.#watch.unref()
    this.#removeListeners = [
      gateway.store.log.onCommit(() => this.#settleDurable()),
      gateway.store.log.onFailure((_, error) => this.#takeBack(error)),
    ]
  }

  get pending(): number {
    return this.#lane.waiting
  }
  get running(): ActiveJob | undefined {
    return this.#running
  }
  /** Jobs that have not ended, oldest first. */
  get open(): ActiveJob[] {
    return [...this.#jobs.values()].filter((job) => job.outcome === undefined)
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
    // A replayed job keeps the time it had.
    if (!options.replay) job.createdAt = time
    if (options.idempotencyKey && options.inputHash) {
      this.#idempotent.set(`${options.actor.name}:${options.idempotencyKey}`, { jobId, inputHash: options.inputHash })
    }
    this.#enqueue(job)
    return job
  }

  /** Takes up a job that a crash left behind. */
  resubmit(open: OpenJob, operation: Operation, input: Record<string, unknown>, logged: unknown, actor: Actor) {
    this.#enqueue(
      new ActiveJob(open.jobId, open.seq, open.time, operation, input, {
        actor,
        correlationId: open.correlationId ?? open.jobId,
        loggedInput: logged,
        ...(open.data.dryRun ? { dryRun: true } : {}),
      }),
    )
  }

  #enqueue(job: ActiveJob) {
    this.#jobs.set(job.jobId, job)
    this.emit('change', job)
    this.#lane.add(job)
  }

  /** Runs a job. Most commands never wait: theirs ends before this returns, and no promise is made for it. */
  #execute(job: ActiveJob): Promise<void> | undefined {
    if (job.outcome) return undefined
    const { operation } = job
    const now = job.options.replay?.now ?? Math.max(job.createdAt, this.#gateway.clock())
    job.status = 'Running'
    job.startedAt = now
    this.#running = job
    this.emit('change', job)
    const ctx = new RunningCommand(this.#gateway, job, now, this.#report, job.options.replay?.source)
    job.context = ctx
    if (job.cancelRequested) ctx.abort()
    try {
      this.#gateway.requireSoundLog()
      if (operation.needsInstance) this.#gateway.requireInstance()
      const hooks = this.#gateway.registry.hooksOf(operation)
      let result = hooks.length === 0 ? this.#runOperation(job, ctx) : this.#runWithHooks(job, ctx, hooks, 0)
      if (this.#gateway.options.checkOutputs) result = checked(operation, result)
      if (result instanceof Promise || job.dryRun || ctx.touchesFiles) return this.#finish(job, ctx, result)
      job.resultJson = JSON.stringify(result)
      if (isLong(job.resultJson)) return this.#finish(job, ctx, result)
      this.#end(job, ctx, { ok: true, result })
    } catch (error) {
      this.#fail(job, ctx, error)
    }
    this.#leave(job)
    return undefined
  }

  #runOperation(job: ActiveJob, ctx: RunningCommand): unknown {
    const { operation } = job
    if (operation.kind === 'command') return operation.run(job.input, ctx)
    if (operation.kind === 'query') {
      return operation.run(job.input, new RunningQuery(this.#gateway, job.actor, job.correlationId, ctx.signal))
    }
    throw problem('not_available', `Operation ${operation.id} is a stream and cannot run as a job.`)
  }

  /** The result, or a promise of it when a hook or the operation has something to wait for. */
  #runWithHooks(job: ActiveJob, ctx: RunningCommand, hooks: readonly Hook[], from: number): unknown {
    for (let i = from; i < hooks.length; i++) {
      const pending = promiseOf(hooks[i]!.before?.(job.input, ctx, job.operation))
      if (pending) return pending.then(() => this.#runWithHooks(job, ctx, hooks, i + 1))
    }
    const result = this.#runOperation(job, ctx)
    if (result instanceof Promise) return result.then((value) => this.#afterHooks(job, ctx, hooks, 0, value))
    return this.#afterHooks(job, ctx, hooks, 0, result)
  }

  #afterHooks(job: ActiveJob, ctx: RunningCommand, hooks: readonly Hook[], from: number, result: unknown): unknown {
    for (let i = from; i < hooks.length; i++) {
      const pending = promiseOf(hooks[i]!.after?.(job.input, result, ctx, job.operation))
      if (pending) return pending.then(() => this.#afterHooks(job, ctx, hooks, i + 1, result))
    }
    return result
  }

  /** The rest of a job that has something to wait for: its own work, files, a large result. Ends it, whatever happens. */
  async #finish(job: ActiveJob, ctx: RunningCommand, pending: unknown): Promise<void> {
    try {
      const result = await pending
      if (job.cancelRequested) throw problem('request_cancelled', `Job ${job.jobId} was cancelled.`)
      if (job.dryRun) {
        const files = ctx.touchesFiles ? { files: ctx.fileTransaction().changes } : {}
        const events = ctx.emitted.map(({ type, data, entity }) =>
          entity === undefined ? { type, data } : { type, data, entity },
        )
        const tried = { dryRun: true, result: result ?? null, events, ...files }
        this.#end(job, ctx, { ok: true, result: tried })
        return
      }
      // A replayed job reads what the recorded one read, so nothing it writes is needed, and the recorded paths must not be touched.
      if (ctx.touchesFiles && !job.options.replay) {
        await this.#writeStarted(job)
        await ctx.fileTransaction().commit()
      }
      job.resultJson = JSON.stringify(result)
      const blob = isLong(job.resultJson) ? await ctx.blobs.put(job.resultJson!) : undefined
      this.#end(job, ctx, { ok: true, result }, blob)
    } catch (error) {
      this.#fail(job, ctx, error)
    } finally {
      this.#leave(job)
    }
  }

  #fail(job: ActiveJob, ctx: RunningCommand, error: unknown) {
    this.#end(job, ctx, { ok: false, error: this.#gateway.asProblem(error, job.operation.id, job.correlationId) })
  }

  #leave(job: ActiveJob) {
    this.#running = undefined
    job.context = undefined
  }

  /** Appends the end of a job (with its events, as one group), merges its changes, settles it when that is durable. */
  #end(job: ActiveJob, ctx: RunningCommand | undefined, outcome: Outcome, resultBlob?: string) {
    const { log } = this.#gateway.store
    const success = outcome.ok && !job.dryRun
    const { jobId, correlationId } = job
    const events = success && ctx ? ctx.emitted : []
    let type: 'job.completed' | 'job.cancelled' | 'job.failed'
    // Built field by field: this runs for every command, and spreads are a tenth of its cost (measured).
    const data: { -readonly [K in keyof (CompletedData & FailedData)]?: (CompletedData & FailedData)[K] } = {}
    if (outcome.ok) {
      type = 'job.completed'
      if (resultBlob) data.resultBlob = resultBlob
      else if (outcome.result !== undefined) data.result = outcome.result
      job.status = 'Completed'
      job.progress = 100
    } else if (outcome.error.code === 'request_cancelled') {
      type = 'job.cancelled'
      job.status = 'Cancelled'
    } else {
      type = 'job.failed'
      data.error = this.#gateway.toProblem(outcome.error, jobId)
      job.status = 'Failed'
    }
    if (job.startedAt !== undefined) data.startedAt = job.startedAt
    // The acceptance stands in an earlier commit: the index then needs an entry to find this end.
    if (job.acceptedSeq < log.openSeq) data.late = true
    if (ctx?.reads) data.reads = ctx.reads
    const blobs = ctx && (success || ctx.reads) ? ctx.staged : undefined
    let ended: Appended
    try {
      ended = log.append([...events, { type, jobId, actor: job.actor.name, correlationId, data }], blobs)
    } catch (error) {
      const lost = this.#gateway.asProblem(error, job.operation.id, correlationId)
      job.status = 'Failed'
      this.#settle(job, { ok: false, error: lost })
      return
    }
    if (events.length > 0) {
      job.merged = ctx!.overlay
      ctx!.overlay.merge()
      this.lastMergedSeq = ended.lastSeq
    }
    job.lastSeq = ended.lastSeq
    job.completedAt = ended.time
    job.outcome = outcome
    this.#ended.push(job)
  }

  #settle(job: ActiveJob, outcome: Outcome) {
    job.completedAt ??= this.#gateway.clock()
    // What is large was kept as a blob, and is read from there when someone asks again.
    if (isLong(job.resultJson) || job.options.inputBlob !== undefined) this.#jobs.delete(job.jobId)
    else this.#keep(job.jobId)
    job.settle(outcome)
    this.emit('change', job)
  }

  #keep(jobId: string) {
    const oldest = this.#kept[this.#nextKept]
    if (oldest !== undefined) this.#jobs.delete(oldest)
    this.#kept[this.#nextKept] = jobId
    this.#nextKept = (this.#nextKept + 1) % keptJobs
  }

  /** One pass for each commit settles all jobs it made durable: a promise for each job would cost more than the rest of its end. */
  #settleDurable() {
    const { durableSeq } = this.#gateway.store.log
    const ended = this.#ended
    let n = 0
    while (n < ended.length && ended[n]!.lastSeq <= durableSeq) n++
    if (n === 0) return
    this.#ended = n === ended.length ? [] : ended.slice(n)
    for (let i = 0; i < n; i++) {
      const job = ended[i]!
      job.merged = undefined
      this.#settle(job, job.outcome!)
    }
  }

  /** The disk refused a batch: the state goes back to what is durable, and the jobs whose end was in it have failed. */
  #takeBack(error: unknown) {
    const lost = this.#ended
    this.#ended = []
    for (const job of [...lost].reverse()) job.merged?.takeBack()
    this.lastMergedSeq = 0
    for (const job of lost) {
      job.merged = undefined
      job.status = 'Failed'
      this.#settle(job, { ok: false, error: this.#gateway.asProblem(error, job.operation.id, job.correlationId) })
    }
  }

  /** One function for all commands: a closure for each would be made, and named, on the hot path. */
  readonly #report = (percent: number, message?: string) => {
    const job = this.#running
    if (job) this.#progress(job, percent, message)
  }

  #progress(job: ActiveJob, percent: number, message: string | undefined) {
    job.progress = percent
    if (message !== undefined) job.message = message
    this.emit('change', job)
    const now = this.#gateway.clock()
    if (now - job.lastProgressRecord < progressEveryMs) return
    job.lastProgressRecord = now
    const data: ProgressData = { progress: percent, ...(message === undefined ? {} : { message }) }
    this.#gateway.store.log.appendLazy({ type: 'job.progress', jobId: job.jobId, data })
  }

  #noteLongRun() {
    const job = this.#running
    if (job && !job.started && this.#gateway.clock() - job.startedAt! >= startedAfterMs) {
      this.#writeStarted(job).catch(() => {})
    }
  }

  async #writeStarted(job: ActiveJob): Promise<void> {
    if (job.started) return
    job.started = true
    const { lastSeq } = this.#gateway.store.log.append([{ type: 'job.started', jobId: job.jobId, data: {} }])
    await this.#gateway.store.log.durable(lastSeq)
  }

  /** The job in memory, if it is. */
  peek(jobId: string): ActiveJob | undefined {
    return this.#jobs.get(jobId)
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

  /** The job that an idempotency key was given for a moment ago, known without waiting. */
  recentByIdempotencyKey(actor: string, key: string): { jobId: string; inputHash: string } | undefined {
    return this.#idempotent.get(`${actor}:${key}`)
  }

  /** The job that an idempotency key stands for. */
  async byIdempotencyKey(actor: string, key: string): Promise<{ jobId: string; inputHash: string } | undefined> {
    const term = `${actor}:${key}`
    const known = this.#idempotent.get(term)
    if (known) return known
    const [seq] = await this.#gateway.store.index.find(`idem:${term}`, { limit: 1 })
    const record = seq === undefined ? undefined : await this.#gateway.store.log.get(seq)
    const inputHash = (record?.data as AcceptedData | undefined)?.inputHash
    return record?.jobId && inputHash ? { jobId: record.jobId, inputHash } : undefined
  }

  /**
   * Cancels a job: a pending one at once, a running one at its next look at the signal.
   * @throws GatewayError `not_found`, `job_finished`
   */
  async cancel(jobId: string): Promise<Job> {
    const job = this.#jobs.get(jobId)
    if (!job || job.outcome) {
      const ended = await this.find(jobId)
      if (!ended) throw problem('not_found', `There is no job "${jobId}".`)
      throw problem('job_finished', `Job ${jobId} is ${ended.status}; only a pending or running job can be cancelled.`)
    }
    job.cancelRequested = true
    if (job.status === 'Pending')
      this.#end(job, undefined, { ok: false, error: problem('request_cancelled', `Job ${jobId} was cancelled.`) })
    else job.context?.abort()
    return job.toJob(this.#gateway.toProblem)
  }

  /** Writes the end of a job that a crash interrupted. */
  failInterrupted(open: OpenJob, error: GatewayError) {
    const data: FailedData = { error: this.#gateway.toProblem(error, open.jobId), late: true }
    this.#gateway.store.log.append([{ type: 'job.failed', jobId: open.jobId, data }])
  }

  /**
   * Stops accepting; lets the running job finish within the grace, then cancels it. Waiting jobs stay Pending in the log and run at the
   * next start.
   */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    this.#lane.pause()
    await within(this.#lane.idle(), graceMs)
    const running = this.#running
    if (running) {
      running.cancelRequested = true
      running.context?.abort()
      await within(running.settled, 2000)
    }
    clearInterval(this.#watch)
    for (const remove of this.#removeListeners) remove()
  }
}

/** What a hook returned, when there is something to wait for: few hooks have, and a command that waits for nothing costs half as much. */
function promiseOf(returned: unknown): Promise<unknown> | undefined {
  return typeof (returned as PromiseLike<unknown> | undefined)?.then === 'function'
    ? Promise.resolve(returned)
    : undefined
}

/** The result, once it is found to be what the operation promises. */
async function checked(operation: Operation, pending: unknown): Promise<unknown> {
  const result = await pending
  await assertOutput(operation, result)
  return result
}

function acceptedData(job: ActiveJob): AcceptedData {
  const { options } = job
  const command = job.operation.id
  const { access } = options.actor
  const data: { -readonly [K in keyof AcceptedData]: AcceptedData[K] } = options.inputBlob
    ? { command, access, inputBlob: options.inputBlob }
    : { command, access, input: options.loggedInput ?? job.input }
  if (options.dryRun) data.dryRun = true
  if (options.idempotencyKey) {
    data.idempotencyKey = options.idempotencyKey
    if (options.inputHash) data.inputHash = options.inputHash
  }
  return data
}

function isLong(json: string | undefined): boolean {
  return json !== undefined && json.length > inlineLimit
}

/** True when the JSON of a value is longer than about `limit` characters; looks no further than that. */
export function isLarge(value: unknown, limit: number): boolean {
  return budgetAfter(value, limit) < 0
}

function budgetAfter(value: unknown, budget: number): number {
  if (typeof value === 'string') return budget - value.length - 3
  if (value === null || typeof value !== 'object') return budget - 6
  if (Array.isArray(value)) {
    let left = budget - 2
    for (let i = 0; i < value.length && left >= 0; i++) left = budgetAfter(value[i], left)
    return left
  }
  let left = budget - 2
  for (const key in value) {
    left = budgetAfter((value as Record<string, unknown>)[key], left - key.length - 4)
    if (left < 0) break
  }
  return left
}
