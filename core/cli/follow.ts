/** Follows a job to its end, with a progress bar when stderr is a terminal. */
import type { SingleBar } from 'cli-progress'
import { type CallAnswer, type CallOptions, failure, type GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'

/** Wait of a long poll: a terminal is updated twice a second, a script only waits for the end. Seconds. */
const pollSeconds = { terminal: 0.5, script: 30 }

/** A progress bar on stderr; undefined when that is not a terminal. */
export async function progressBar(
  title: string,
): Promise<{ update(percent: number, message?: string): void; stop(): void }> {
  if (!process.stderr.isTTY) return { update() {}, stop() {} }
  const { default: progress } = await import('cli-progress')
  const bar: SingleBar = new progress.SingleBar({
    format: `${title} [{bar}] {percentage}% {message}`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  })
  bar.start(100, 0, { message: '' })
  return {
    update: (percent, message) => bar.update(percent, { message: message ?? '' }),
    stop: () => bar.stop(),
  }
}

/**
 * Calls an operation and waits for its result; a query with `asJob` is followed like a command. Ctrl+C cancels the job;
 * a second one ends the program at once.
 *
 * @throws CliError for its problem, or when it was cancelled
 */
export async function callAndFollow(
  client: GatewayClient,
  operation: string,
  input: Record<string, unknown>,
  options: Omit<CallOptions, 'onCommand'> & { readonly asJob?: boolean } = {},
): Promise<CallAnswer> {
  let sent = false
  let jobId: string | undefined
  let interrupted = false
  const interrupt = () => {
    if (!sent || interrupted) process.exit(130)
    interrupted = true
    if (jobId !== undefined) client.cancel(jobId).catch(() => {})
  }
  process.on('SIGINT', interrupt)
  try {
    const onCommand = () => {
      sent = true
    }
    const { asJob = false, ...others } = options
    const answer = await client.call(operation, input, { ...others, async: asJob || others.async === true, onCommand })
    if (answer.kind !== 'job' || options.async) return answer
    jobId = answer.jobId
    if (interrupted) client.cancel(jobId).catch(() => {})
    return { kind: 'result', value: await followJob(client, jobId, operation, () => interrupted) }
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}

async function followJob(
  client: GatewayClient,
  jobId: string,
  title: string,
  isInterrupted: () => boolean,
): Promise<unknown> {
  const bar = await progressBar(title)
  try {
    for (;;) {
      const job = await client.job(jobId, process.stderr.isTTY ? pollSeconds.terminal : pollSeconds.script)
      bar.update(job.progress, job.message)
      if (job.status === 'Completed') return job.result
      if (job.status === 'Failed' && job.error) throw failure(job.error)
      if (job.status === 'Failed') throw new CliError(`Job ${jobId} failed.`, exitCodes.failed)
      if (job.status === 'Cancelled')
        throw new CliError(`Job ${jobId} was cancelled.`, isInterrupted() ? 130 : exitCodes.failed)
    }
  } finally {
    bar.stop()
  }
}
