/** Follows a job to its end, with a progress bar when a person looks on. */
import type { SingleBar } from 'cli-progress'
import { type CallAnswer, failure, type GatewayClient } from './client.ts'
import { CliError, exitCodes } from './exit-codes.ts'

/** Long polls: what a person sees moves twice a second, a script only waits for the end. Seconds. */
const pollSeconds = { terminal: 0.5, script: 30 }

/** A bar on stderr; nothing when that is no terminal. */
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
 * Waits for a job. The first Ctrl+C cancels it.
 *
 * @returns its result
 * @throws CliError when it failed or was cancelled
 */
export async function followJob(client: GatewayClient, jobId: string, title: string): Promise<unknown> {
  const bar = await progressBar(title)
  let interrupted = false
  const interrupt = () => {
    interrupted = true
    client.cancel(jobId).catch(() => {})
  }
  process.once('SIGINT', interrupt)
  try {
    for (;;) {
      const job = await client.job(jobId, process.stderr.isTTY ? pollSeconds.terminal : pollSeconds.script)
      bar.update(job.progress, job.message)
      if (job.status === 'Completed') return job.result
      if (job.status === 'Failed' && job.error) throw failure(job.error)
      if (job.status === 'Failed') throw new CliError(`Job ${jobId} failed.`, exitCodes.failed)
      if (job.status === 'Cancelled')
        throw new CliError(`Job ${jobId} was cancelled.`, interrupted ? 130 : exitCodes.failed)
    }
  } finally {
    process.removeListener('SIGINT', interrupt)
    bar.stop()
  }
}

/** The result of a call, whatever it takes. @throws CliError */
export async function resultOf(client: GatewayClient, answer: CallAnswer, title: string): Promise<unknown> {
  if (answer.kind === 'job') return followJob(client, answer.jobId, title)
  if (answer.kind === 'result') return answer.value
  return answer.kind === 'text' ? answer.text : undefined
}
