/**
 * Follows the log: from any record on, without a gap and without a repetition, and then as records become durable.
 *
 *            `next` is durable already                    caught up
 *   ───────▶ reading the log ───────────────────────────▶ live: commits are handed over as they come
 *                 ▲                                          │
 *                 └── the reader is slow, the buffer full ───┘
 */

import type { Gateway, LogRecord } from '../../core/index.ts'
import { defined } from '../../core/index.ts'
import type { ActiveJob } from '../../core/services.ts'

/** Records that wait for a slow reader; beyond, they are read from the log again. Readers share them. */
const bufferLimit = 1000
/**
 * Records read from the log at once. They are held while the reader is slow; an open read of the log would hold ten
 * times as much, and old data in the database.
 */
const pageRecords = 128

/** Options of {@link follow}. */
export interface FollowOptions {
  /** Sends the records after this number. */
  readonly after: number
  /** Selects the jobs whose progress is sent live. */
  readonly wantsProgress: (job: ActiveJob) => boolean
  readonly signal: AbortSignal
}

/**
 * The progress of a running job. It is a copy: the job may end before this is read, and its end may not be durable yet.
 */
export interface Progress {
  readonly jobId: string
  readonly command: string
  readonly status: 'Running'
  readonly progress: number
  readonly message?: string
}

/** A record or a progress. */
export type Followed = { readonly record: LogRecord } | { readonly progress: Progress }

/** The progress of a job; undefined when it is not running. */
export function progressOf({ jobId, operation, status, outcome, progress, message }: ActiveJob): Progress | undefined {
  if (status !== 'Running' || outcome !== undefined) return undefined
  return { jobId, command: operation.id, status, progress, ...defined({ message }) }
}

/** Yields until the signal is aborted or the log is closed. */
export async function* follow(gateway: Gateway, o: FollowOptions): AsyncGenerator<Followed> {
  const { log } = gateway.store
  let next = o.after + 1
  let behind = true
  let fresh: LogRecord[] = []
  const running = new Map<string, ActiveJob>()
  let wake = () => {}
  const wakeUp = () => wake()

  const onRecords = (records: readonly LogRecord[]) => {
    if (!behind) {
      if (fresh.length + records.length > bufferLimit) {
        behind = true
        fresh = []
      } else fresh.push(...records)
    }
    wake()
  }
  const onJob = (job: ActiveJob) => {
    if (job.outcome !== undefined || job.status !== 'Running') running.delete(job.jobId)
    else if (o.wantsProgress(job)) {
      running.set(job.jobId, job)
      wake()
    }
  }
  const { bus } = gateway
  bus.on('records', onRecords).on('job', onJob).on('health', wakeUp)
  o.signal.addEventListener('abort', wakeUp)
  try {
    while (!o.signal.aborted && gateway.store.health.state !== 'closed') {
      if (behind) {
        const to = log.durableSeq
        // Nothing is awaited between this check and the switch, so no commit is missed.
        if (next > to) behind = false
        else {
          const page: LogRecord[] = []
          for await (const records of log.read({ from: next, to: Math.min(to, next + pageRecords - 1) }))
            page.push(...records)
          for (const record of page) {
            if (o.signal.aborted) return
            next = record.seq + 1
            yield { record }
          }
        }
        continue
      }
      if (fresh.length > 0) {
        const records = fresh
        fresh = []
        for (const record of records) {
          if (o.signal.aborted) return
          if (record.seq < next) continue
          next = record.seq + 1
          yield { record }
        }
        continue
      }
      // Not before the acceptance was sent: until it is durable, a crash may remove the job.
      const job = [...running.values()].find(({ acceptedSeq }) => acceptedSeq < next)
      if (job) {
        running.delete(job.jobId)
        const progress = progressOf(job)
        if (progress) yield { progress }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = () => {}
      }
    }
  } finally {
    bus.off('records', onRecords).off('job', onJob).off('health', wakeUp)
    o.signal.removeEventListener('abort', wakeUp)
  }
}
