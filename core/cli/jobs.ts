/** `gantry jobs drop`: ends jobs that a gateway left behind, while no gateway runs on the data directory. */
import { systemActor } from '../contract/access.ts'
import { coreProblems, problem } from '../contract/problems.ts'
import { wireProblem } from '../jobs/failure.ts'
import { type CancelledData, type FailedData, iso } from '../log/job.ts'
import { readOpenJobs } from '../state/checkpoint.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import { withStore } from './offline-store.ts'
import type { RawOptions } from './options.ts'
import { printResult } from './output.ts'

/**
 * Ends all jobs that wait, or those named: a waiting one is Cancelled, one that a crash interrupted is Failed. Prints
 * them. With `--dry-run` it only prints them.
 * @throws CliError for an id that no open job has
 */
export async function dropJobs(ids: readonly string[], raw: RawOptions): Promise<void> {
  const isTrial = raw.dryRun === true
  await withStore(raw, { readOnly: isTrial }, async (store) => {
    const open = await readOpenJobs(store)
    const known = new Set(open.map(({ jobId }) => jobId))
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) throw new CliError(`No job that has not ended has the id ${unknown}.`, exitCodes.failed)
    const named = new Set(ids)
    const chosen = open.filter(({ jobId }) => named.size === 0 || named.has(jobId))
    const interrupted = problem('job_interrupted', 'The gateway stopped while the job was running; it was dropped.')
    const records = chosen.map(({ jobId, correlationId, started }) => {
      const error = wireProblem(interrupted, coreProblems.job_interrupted, jobId)
      const data: FailedData | CancelledData = started ? { error, late: true } : { late: true }
      return { type: started ? 'job.failed' : 'job.cancelled', jobId, actor: systemActor.name, correlationId, data }
    })
    if (!isTrial && records.length > 0) await store.log.durable(store.log.append(records).lastSeq)
    const dropped = chosen.map(({ jobId, time, actor, started, data: { command } }) => ({
      jobId,
      command,
      actor,
      createdAt: iso(time),
      status: started ? 'Failed' : 'Cancelled',
    }))
    await printResult({
      [isTrial ? 'wouldDrop' : 'dropped']: dropped,
      left: open.length - (isTrial ? 0 : dropped.length),
    })
  })
}
