/**
 * What a job changed, or a dry run would have changed: its events, folded onto the state before it. The events of a
 * finished job are in the log, those of a dry run in its answer.
 */
import { isObject } from '../../lib/is-object.ts'
import { PastQuery } from '../calls/run-context.ts'
import type { QueryContext } from '../contract/context.ts'
import { notFound, problem } from '../contract/problems.ts'
import { type CompletedData, isEnd, type Job, readJob, recordsOfJob, seqOfJobId } from '../log/job.ts'
import type { EntryChanges } from '../state/collection-overlay.ts'

export interface JobChanges {
  readonly job: Job
  /** By the id of the collection. */
  readonly changes: ReadonlyMap<string, EntryChanges>
  /** Reads what was there before the job, and with it. */
  readonly before: QueryContext
  readonly after: QueryContext
}

interface FoldedEvent {
  readonly type: string
  readonly data: unknown
}

/**
 * Reads what a job changed in the state.
 *
 * @throws GatewayError `not_found`; `conflict` while it has not ended; `gone` for a log that does not reach so far back
 */
export async function changesOfJob(ctx: QueryContext, jobId: string): Promise<JobChanges> {
  const { gateway, actor, correlationId, signal } = ctx
  const { store, past } = gateway
  const accepted = seqOfJobId(jobId)
  const job = await readJob(store, jobId)
  if (job === undefined || accepted === undefined) throw notFound('job', jobId)
  const records = await recordsOfJob(store, jobId, accepted)
  const end = records.findLast(({ type }) => isEnd(type))
  if (end === undefined)
    throw problem('conflict', `Job ${jobId} has not ended (${job.status}): what it changes is not known yet.`)
  const own = records.filter(({ type }) => !type.startsWith('job.'))
  const tried = job.dryRun && isObject(job.result) && Array.isArray(job.result.events) ? job.result.events : []
  const events: readonly FoldedEvent[] = job.dryRun ? tried : job.status === 'Completed' ? own : []
  const state = await past.state((own[0]?.seq ?? end.seq) - 1)
  const overlay = state.overlay()
  const { startedAt: time = end.time } = end.data as Partial<CompletedData>
  for (const { type, data } of events) overlay.fold(data, { type, time, jobId, actor: job.actor })
  const rest = [gateway, actor, correlationId, signal] as const
  return {
    job,
    changes: overlay.pending(),
    before: new PastQuery(state, ...rest),
    after: new PastQuery(overlay, ...rest),
  }
}
