/**
 * What a job is: the fold of its records in the log (docs/design.md#jobs), and its states.
 *
 *            job.accepted        job.started*          job.completed
 *   (client) ───────────▶ Pending ───────────▶ Running ───────────▶ Completed
 *                            │                    ├── job.failed ──▶ Failed
 *                            │                    └─ job.cancelled ▶ Cancelled
 *                            ├── job.failed ──▶ Failed      not taken up after a restart, or records lost
 *                            └── job.cancelled ─▶ Cancelled   before its turn
 *
 * `job.started` is only written for a job that runs longer than a moment, is about to touch files, or was interrupted
 * before; for these it is durable before they run or touch them. A crash before it queues the job again (it had no
 * effect yet); a crash after it makes the job Failed with code `job_interrupted`. So a job that ends the process runs
 * twice at most. A cancelled job that does not stop in its grace has failed, and what it does later has no effect. The
 * events of a job and its end are one atomic group, so that the log contains either all of a job or nothing. A job in
 * memory enters its last state when that group is durable.
 */
import assert from 'node:assert/strict'
import { defined } from '../../lib/optional.ts'
import { isStoreError, type LogRecord, type Store } from '../../store/index.ts'
import { withoutSecrets } from '../access/secrets.ts'
import type { Problem } from '../contract/problems.ts'
import type { Expected } from '../contract/targets.ts'

/** The states, each with those that may follow it. */
const following = {
  Pending: ['Running', 'Failed', 'Cancelled'],
  Running: ['Completed', 'Failed', 'Cancelled'],
  Completed: [],
  Failed: [],
  Cancelled: [],
} as const satisfies Record<string, readonly string[]>

export type JobStatus = keyof typeof following

/** The state `to`. Throws when it cannot follow `from`; this is the only check of that. */
export function entered(from: JobStatus, to: JobStatus): JobStatus {
  assert((following[from] as readonly JobStatus[]).includes(to), `a job cannot go from ${from} to ${to}`)
  return to
}

/** A job as clients read it (docs/design.md#field-names). Times are RFC 3339 UTC. */
export interface Job {
  readonly jobId: string
  /** Operation id. */
  readonly command: string
  readonly status: JobStatus
  /** 0-100; it only rises. */
  readonly progress: number
  /** What it does now; absent once it has ended. */
  readonly message?: string
  /** Secrets removed. */
  readonly input?: unknown
  readonly result?: unknown
  /** Which of these are there no more: removed by a retention rule, or lost. */
  readonly lost?: readonly ('input' | 'result')[]
  readonly error?: Problem
  readonly createdAt: string
  readonly startedAt?: string
  readonly completedAt?: string
  readonly actor: string
  readonly correlationId?: string
  readonly durationMs?: number
  readonly dryRun?: boolean
  readonly group?: string
}

/** `data` of `job.accepted`. */
export interface AcceptedData {
  readonly command: string
  readonly input?: unknown
  /** A large input: this blob (JSON) instead of `input`. */
  readonly inputBlob?: string
  readonly dryRun?: true
  readonly idempotencyKey?: string
  /** Keyed digest of operation and input, to compare idempotent requests. */
  readonly inputHash?: string
  /** Condition of the change; see preconditions.ts. */
  readonly expected?: Expected
  readonly access: string
  /** Commands of one group can be taken back together; see docs/design.md#undo. */
  readonly group?: string
}
/** `data` of `job.completed`. */
export interface CompletedData {
  readonly result?: unknown
  readonly resultBlob?: string
  readonly startedAt: number
  /** How long it ran, where its times do not say so: the clock was set meanwhile, or the log was ahead of it. */
  readonly durationMs?: number
  /** Files that it wrote or removed; absent: none. */
  readonly files?: number
  /** The job's acceptance is in an earlier commit: the index then needs an entry to find this end. */
  readonly late?: true
  /** What the job learned from files, for replay; see `FileFacts` in files.ts. */
  readonly reads?: Readonly<Record<string, string>>
}
/** `data` of `job.failed`. */
export interface FailedData {
  readonly error: Problem
  readonly startedAt?: number
  readonly durationMs?: number
  readonly late?: true
  readonly reads?: Readonly<Record<string, string>>
}
/** `data` of `job.cancelled`. */
export interface CancelledData {
  readonly startedAt?: number
  readonly durationMs?: number
  readonly late?: true
}
/** `data` of `job.progress`. */
export interface ProgressData {
  readonly progress: number
  readonly message?: string
}

/** True for the record that ends a job. */
export const isEnd = (type: string): boolean =>
  type === 'job.completed' || type === 'job.failed' || type === 'job.cancelled'

/**
 * Makes a job id. It begins with the seq of the job's first record, so that an old job is found on disk with one seek
 * and without an index.
 */
export function makeJobId(seq: number, run: string): string {
  return `J${seq.toString(36)}-${run}`
}

/** The seq in a job id; undefined when the text is not a job id. */
export function seqOfJobId(jobId: string): number | undefined {
  const match = /^J([0-9a-z]{1,11})-[\w-]{1,40}$/.exec(jobId)
  return match ? Number.parseInt(match[1]!, 36) : undefined
}

export const iso = (ms: number): string => new Date(ms).toISOString()

/** Folds the records of one job, oldest first. Large inputs and results stay blobs until `loadBlobs`. */
function foldJob(records: readonly LogRecord[]): (Job & { inputBlob?: string; resultBlob?: string }) | undefined {
  const first = records[0]
  if (first?.type !== 'job.accepted') return undefined
  const accepted = first.data as AcceptedData
  let job: { -readonly [K in keyof Job]: Job[K] } & { inputBlob?: string; resultBlob?: string } = {
    jobId: first.jobId!,
    command: accepted.command,
    status: 'Pending',
    progress: 0,
    input: accepted.input,
    createdAt: iso(first.time),
    actor: first.actor ?? 'system',
  }
  if (accepted.inputBlob) job.inputBlob = accepted.inputBlob
  if (accepted.dryRun) job.dryRun = true
  if (first.correlationId) job.correlationId = first.correlationId
  if (accepted.group !== undefined) job.group = accepted.group
  for (const { type, time, data } of records) {
    // Progress is written with a delay, so it may follow the end in their common commit.
    if (job.completedAt !== undefined) break
    if (type === 'job.started') job = { ...job, status: 'Running', startedAt: iso(time) }
    else if (type === 'job.progress') {
      const { progress, message } = data as ProgressData
      job = { ...job, status: 'Running', progress, ...defined({ message }) }
    } else if (isEnd(type)) {
      const { startedAt, durationMs } = data as CancelledData
      job.completedAt = iso(time)
      // It says what a running job does.
      delete job.message
      if (startedAt !== undefined) {
        job.startedAt = iso(startedAt)
        job.durationMs = durationMs ?? Math.max(0, time - startedAt)
      }
      if (type === 'job.completed') {
        const end = data as CompletedData
        job = { ...job, status: 'Completed', progress: 100, result: end.result }
        if (end.resultBlob) job.resultBlob = end.resultBlob
      } else if (type === 'job.failed') job = { ...job, status: 'Failed', error: (data as FailedData).error }
      else job = { ...job, status: 'Cancelled' }
    }
  }
  return job
}

/** Reads a job from the log: one seek to its acceptance, and one more when it ended in a later commit. */
export async function readJob(store: Store, jobId: string): Promise<Job | undefined> {
  const job = await foldOfJob(store, jobId)
  if (!job) return undefined
  const whole = await loadBlobs(store, job)
  return { ...whole, ...defined({ input: withoutSecrets(whole.input), result: withoutSecrets(whole.result) }) }
}

/** A job without its input and result, for lists: large ones then need not be read. */
export type JobSummary = Omit<Job, 'input' | 'result'>

/** Reads a job from the log without its input and result. */
export async function readJobSummary(store: Store, jobId: string): Promise<JobSummary | undefined> {
  const job = await foldOfJob(store, jobId)
  return job && summaryOf(job)
}

/** The job without input and result. */
export function summaryOf(job: Job & { inputBlob?: string; resultBlob?: string }): JobSummary {
  const { input: _input, result: _result, inputBlob: _inputBlob, resultBlob: _resultBlob, ...summary } = job
  return summary
}

async function foldOfJob(store: Store, jobId: string) {
  const seq = seqOfJobId(jobId)
  if (seq === undefined || seq < 1 || seq > store.log.durableSeq) return undefined
  return foldJob(await recordsOfJob(store, jobId, seq))
}

/** The records of a job that its fold needs. */
export async function recordsOfJob(store: Store, jobId: string, seq: number): Promise<LogRecord[]> {
  const mine = (records: readonly LogRecord[] | undefined) => (records ?? []).filter((r) => r.jobId === jobId)
  const records = mine(await store.log.commitOf(seq))
  if (records.length === 0 || records.some((r) => isEnd(r.type))) return records
  for (const later of await store.index.find(`job:${jobId}`, { after: seq, limit: 1 })) {
    for (const record of mine(await store.log.commitOf(later)))
      if (!records.some((r) => r.seq === record.seq)) records.push(record)
  }
  return records.sort((a, b) => a.seq - b.seq)
}

/** Replaces the reference to a large input or result by its content; one that is gone is named in `lost`. */
async function loadBlobs(store: Store, job: Job & { inputBlob?: string; resultBlob?: string }): Promise<Job> {
  const { inputBlob, resultBlob, ...rest } = job
  const lost: ('input' | 'result')[] = []
  const read = async (name: 'input' | 'result', hash: string | undefined) => {
    if (hash === undefined) return {}
    try {
      return { [name]: JSON.parse((await store.blobs.get(hash)).toString('utf8')) }
    } catch (error) {
      if (!isStoreError(error) || (error.code !== 'blob_missing' && error.code !== 'blob_corrupt')) throw error
      lost.push(name)
      return {}
    }
  }
  const parts = { ...(await read('input', inputBlob)), ...(await read('result', resultBlob)) }
  return { ...rest, ...parts, ...(lost.length > 0 ? { lost } : {}) }
}

/** The index term of the jobs of a group. */
export const groupTerm = (group: string): string => `group:${group}`

/**
 * Index terms of a record (the store's `terms` option): with them the audit, the job list and idempotency find records
 * without reading the log.
 */
export function termsOf(record: LogRecord): string[] | undefined {
  switch (record.type) {
    case 'job.accepted': {
      const { command, idempotencyKey, group } = record.data as AcceptedData
      const terms = ['kind:job', `op:${command}`, `actor:${record.actor}`]
      if (group !== undefined) terms.push(groupTerm(group))
      return idempotencyKey ? [...terms, `idem:${record.actor}:${idempotencyKey}`] : terms
    }
    case 'job.completed':
    case 'job.failed':
    case 'job.cancelled':
      return (record.data as { late?: true }).late ? [`job:${record.jobId}`] : undefined
    case 'job.started':
    case 'job.progress':
    case 'query.served':
    case 'call.refused':
      return undefined
    case 'gateway.started':
    case 'gateway.stopped':
      return ['kind:session']
    default:
      return record.entity ? [`entity:${record.entity}`] : undefined
  }
}
