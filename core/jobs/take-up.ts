/** Takes up the jobs that an earlier run of the gateway left behind. */
import { type Access, accessLevels } from '../contract/access.ts'
import type { GatewayHandle } from '../contract/context.ts'
import { problem } from '../contract/problems.ts'
import type { OpenJob } from '../log/active-job.ts'

/**
 * Pending jobs are queued again in order. A job that was running becomes Failed; none of its events is in the log.
 */
export async function takeUp(gateway: GatewayHandle, openJobs: readonly OpenJob[]): Promise<void> {
  const { jobs } = gateway
  for (const open of openJobs) {
    const operation = gateway.registry.operation(open.data.command)
    if (open.isUnknown) {
      jobs.failInterrupted(
        open,
        problem(
          'job_interrupted',
          'Records after the acceptance of the job are lost. It is not known whether it has run; it does not run again.',
        ),
      )
    } else if (open.started) {
      jobs.failInterrupted(
        open,
        problem('job_interrupted', 'The gateway stopped while the job was running. None of its changes were kept.'),
      )
    } else if (!operation) {
      jobs.failInterrupted(open, problem('not_available', `Operation ${open.data.command} is not loaded any more.`))
    } else {
      try {
        const { input, logged } = await gateway.openInput(operation, open.data)
        const access = (accessLevels as readonly string[]).includes(open.data.access)
          ? (open.data.access as Access)
          : 'viewer'
        jobs.resubmit(open, operation, input, logged, { name: open.actor, access })
      } catch (error) {
        jobs.failInterrupted(open, gateway.asProblem(error, operation.id, open.jobId))
      }
    }
  }
}
