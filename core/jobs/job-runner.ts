/** Runs a job when its turn has come and writes its end; `jobs.ts` does everything around that. */

import { isObject } from '../../lib/is-object.ts'
import { defined } from '../../lib/optional.ts'
import type { Appended, StagedBlob } from '../../store/index.ts'
import { withoutSecrets } from '../access/secrets.ts'
import { requireExpected } from '../calls/preconditions.ts'
import { RunningCommand, RunningQuery } from '../calls/run-context.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { Operation } from '../contract/operation.ts'
import { OperationCall } from '../contract/operation-call.ts'
import { problem } from '../contract/problems.ts'
import { apartOf, contentOf, hashesIn, isProjectState } from '../contract/undone.ts'
import { assertOutput } from '../input/validation.ts'
import { type ActiveJob, lastStatus, type Outcome } from '../log/active-job.ts'
import type { CompletedData, FailedData } from '../log/job.ts'
import { addsOnly } from '../undo/adds-only.ts'

/**
 * Results and inputs of more than about this many characters of JSON are kept as blobs, so that the log stays quick to
 * read.
 */
export const inlineLimit = 32 * 1024

/** A result, and the blob that contains it when it is large. */
interface Result {
  readonly value: unknown
  readonly blob?: string
}

/** The context of a job whose turn has come. */
export function contextOf(
  gateway: GatewayHandle,
  job: ActiveJob,
  onProgress: RunningCommand['progress'],
): RunningCommand {
  const { replay } = job.options
  const ctx = new RunningCommand(gateway, job, job.startedAt!, onProgress, replay?.source)
  if (job.cancelRequested) ctx.abort()
  return ctx
}

/**
 * Emits the command event of a job, which its plugin handles, then puts the staged files in their place.
 *
 * @param writeStarted makes the start of the job durable: changes to files cannot be taken back
 * @throws what the operation throws, and `request_cancelled`
 */
export async function runJob(
  gateway: GatewayHandle,
  job: ActiveJob,
  ctx: RunningCommand,
  writeStarted: () => Promise<void>,
): Promise<Result> {
  const { operation } = job
  gateway.requireSoundLog()
  // It was interrupted before: were it to end the process again, the next start must know that it has run.
  if (job.isRequeued) await writeStarted()
  if (operation.needsInstance) gateway.requireInstance(job.actor)
  if (job.options.expected !== undefined) await requireExpected(gateway, job, ctx.signal)
  let seen: RunningCommand | RunningQuery = ctx
  if (operation.kind === 'query') {
    seen = new RunningQuery(gateway, ctx.actor, job.correlationId, ctx.signal, (...told) => ctx.progress(...told))
    seen.isLive = operation.live === true
  }
  const call = new OperationCall(operation, job.input, seen)
  gateway.bus.emit('command', call)
  gateway.bus.emit(`command:${operation.id}`, call)
  const value = await call.run()
  if (ctx.spoiledBy !== undefined) throw ctx.spoiledBy
  if (operation.besideLane && ctx.emitted.length > 0)
    throw new Error(`${operation.id} runs beside the lane and emits ${ctx.emitted[0]!.type}`)
  if (gateway.options.checkOutputs) await assertOutput(operation, value)
  if (job.cancelRequested) throw problem('request_cancelled', `Job ${job.jobId} was cancelled.`)
  if (job.dryRun) {
    const files = ctx.touchesFiles ? ctx.fileTransaction().changes : []
    job.addsOnly = addsOnly(gateway.state, ctx.overlay.pending(), files)
    return { value: triedOut(ctx, value) }
  }
  // A replayed job reads what the recorded one read, so nothing that it writes is needed, and the recorded paths must
  // stay untouched.
  if (ctx.touchesFiles && !job.options.replay) {
    await writeStarted()
    if (job.cancelRequested) throw problem('request_cancelled', `Job ${job.jobId} was cancelled.`)
    job.isCommitting = true
    await ctx.fileTransaction().commit()
  }
  job.resultJson = JSON.stringify(value)
  job.keptResult = sealed(gateway, operation, value)
  if (!isLong(job.resultJson)) return { value }
  const kept = job.keptResult === undefined ? job.resultJson! : JSON.stringify(job.keptResult)
  return { value, blob: await ctx.blobs.put(kept) }
}

/** The result with the texts encrypted that `sealsResult` names; undefined when there are none. */
function sealed(gateway: GatewayHandle, operation: Operation, value: unknown) {
  const names = operation.kind === 'command' ? (operation.sealsResult ?? []) : []
  if (names.length === 0 || !isObject(value)) return undefined
  const texts = names.flatMap((name) => {
    const text = value[name]
    return typeof text === 'string' ? [[name, gateway.seal(text)] as const] : []
  })
  return { ...value, ...Object.fromEntries(texts) }
}

/** The answer of a dry run. */
function triedOut(ctx: RunningCommand, result: unknown) {
  const events = ctx.emitted.map(({ type, data, entity }) => defined({ type, data: withoutSecrets(data), entity }))
  const files = ctx.touchesFiles ? ctx.fileTransaction().changes : undefined
  return defined({ dryRun: true, result: result ?? null, events, files })
}

/**
 * Appends the end of a job, with its events as one group.
 *
 * @param ctx the context, if the job has run
 * @throws StoreError when the log accepts no more records
 */
export function appendEnd(
  gateway: GatewayHandle,
  job: ActiveJob,
  outcome: Outcome,
  ctx: RunningCommand | undefined,
  resultBlob: string | undefined,
): Appended {
  const { log } = gateway.store
  const { jobId, startedAt } = job
  job.durationMs = durationBesides(gateway, job)
  const isKept = outcome.ok && !job.dryRun
  // In the order of a stored call (job-codec.ts): a record then reads the same, however the log keeps it.
  const data: Partial<CompletedData & FailedData> = defined({
    result: outcome.ok && !resultBlob ? (job.keptResult ?? outcome.result) : undefined,
    error: lastStatus(outcome) === 'Failed' && !outcome.ok ? gateway.toProblem(outcome.error, jobId) : undefined,
    resultBlob,
    startedAt,
    durationMs: job.durationMs,
    // The acceptance is in an earlier commit: the index then needs an entry to find this end.
    late: job.acceptedSeq < log.openSeq ? (true as const) : undefined,
    reads: ctx?.reads,
    files: isKept && ctx?.touchesFiles ? ctx.fileTransaction().changes.length : undefined,
  })
  const type = `job.${lastStatus(outcome).toLowerCase()}`
  const end = { type, jobId, actor: job.actor.name, correlationId: job.correlationId, data }
  const events = isKept && ctx ? ctx.emitted : []
  const staged = isKept || ctx?.reads ? ctx?.staged : outcome.ok && ctx ? triedContents(gateway, ctx) : undefined
  return log.append([...events, end], staged)
}

/** Largest difference between the two clocks that is not one, ms and share: timers are not exact, and clocks drift. */
const sameMs = 100
const sameShare = 0.001

/** How long the job ran, if the time of its end, which is that of the log, does not say it. */
function durationBesides(gateway: GatewayHandle, { startedAt, startedTicks }: ActiveJob): number | undefined {
  if (startedAt === undefined) return undefined
  const elapsed = Math.max(0, gateway.ticks() - startedTicks)
  const byTime = Math.max(gateway.clock(), gateway.store.log.lastTime) - startedAt
  return Math.abs(byTime - elapsed) > sameMs + sameShare * elapsed ? Math.round(elapsed) : undefined
}

/** Contents of the objects that a dry run would change: its answer names them, and whoever decides looks at them. */
function triedContents(gateway: GatewayHandle, { overlay, staged }: RunningCommand): readonly StagedBlob[] {
  if (staged.length === 0) return staged
  const named = new Set<string>()
  for (const [id, changes] of overlay.pending()) {
    const definition = gateway.state.definition(id)
    if (definition === undefined || !isProjectState(definition)) continue
    for (const key of changes.keys())
      for (const hash of hashesIn(contentOf(changes.after(key), apartOf(definition)))) named.add(hash)
  }
  return staged.filter(({ hash }) => named.has(hash))
}

/** True for text that is kept as a blob. */
export function isLong(json: string | undefined): boolean {
  return json !== undefined && json.length > inlineLimit
}
