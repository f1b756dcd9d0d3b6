/** The list of jobs, newest first: from memory, from the index of the log, or from the log itself. */
import { defined, type Gateway, problem, type QueryContext } from '../../core/index.ts'
import {
  type ActiveJob,
  isEnd,
  type Job,
  type JobStatus,
  type JobSummary,
  readJobSummary,
  summaryOf,
  wildcard,
} from '../../core/services.ts'

/** A page looks at about so many records of the log. */
const mostExamined = 10_000
/** To find a job by itself takes as long as to read about so many records in a row. */
const seekWork = 20

/** A job as shown to clients: its end is shown only when it is durable. */
export function tell({ toProblem }: Gateway, job: ActiveJob): Job | Promise<Job> {
  if (job.outcome === undefined || job.isSettled) return job.toJob(toProblem)
  return job.settled.then(() => job.toJob(toProblem))
}

interface ListInput {
  readonly status?: JobStatus | undefined
  /** Operation id; `*` stands for any run of characters. */
  readonly command?: string | undefined
  readonly limit: number
  /** Only jobs that were accepted before this seq. */
  readonly before: number | undefined
}

/** A job of the log. */
interface Candidate {
  /** Of its acceptance. */
  readonly seq: number
  /** Absent when only records without an acceptance were looked at. */
  readonly jobId?: string | undefined
  /** Type of its last record, when that was come across. */
  readonly end?: string | undefined
  /** Records that were read to come here. */
  readonly work: number
}

/** The type of the record that ends a job with a status. */
const endOf: Partial<Readonly<Record<JobStatus, string>>> = {
  Completed: 'job.completed',
  Failed: 'job.failed',
  Cancelled: 'job.cancelled',
}

/**
 * A page of jobs, newest first. It looks at a bounded number of records, so that it may hold fewer jobs than `limit`
 * and still have a `nextCursor`. `total` is absent when only reading more would tell it.
 */
export async function listJobs({ gateway, signal }: QueryContext, input: ListInput) {
  const { status, command, limit, before } = input
  if (status === 'Pending' || status === 'Running') return openJobs(gateway, input)
  // The index has whole ids; of those that a pattern stands for, it does not know, nor how a job has ended.
  const isPattern = command?.includes('*') === true
  const term = command === undefined || isPattern ? 'kind:job' : `op:${command}`
  const isByIndex = !isPattern && (status === undefined || command !== undefined)
  const found = isByIndex ? indexed(gateway, term, limit, before) : read(gateway, command, before)
  const end = status && endOf[status]
  const jobs: JobSummary[] = []
  let examined = 0
  let next = before
  let isWhole = true
  for await (const { seq, jobId, end: ended, work } of found) {
    signal.throwIfAborted()
    if (jobs.length === limit || examined >= mostExamined) {
      isWhole = false
      break
    }
    next = seq
    examined += work
    if (jobId === undefined || (end !== undefined && ended !== undefined && ended !== end)) continue
    const active = gateway.jobs.peek(jobId)
    const job = active ? summaryOf(await tell(gateway, active)) : await readJobSummary(gateway.store, jobId)
    if (job && (status === undefined || job.status === status)) jobs.push(job)
    else examined += seekWork
  }
  const total =
    status === undefined && !isPattern
      ? await countOf(gateway, term)
      : isWhole && before === undefined
        ? jobs.length
        : undefined
  return { jobs, ...defined({ total, nextCursor: isWhole ? undefined : String(next) }) }
}

/** Pending and running jobs are all in memory. */
function openJobs(gateway: Gateway, { status, command, limit, before = Number.POSITIVE_INFINITY }: ListInput) {
  const { durableSeq } = gateway.store.log
  const fits = command === undefined ? () => true : wildcard(command)
  const all = gateway.jobs.open
    .filter((job) => job.status === status && fits(job.operation.id))
    .filter((job) => job.acceptedSeq <= durableSeq)
    .reverse()
  const rest = all.filter((job) => job.acceptedSeq < before)
  const page = rest.slice(0, limit)
  return {
    jobs: page.map((job) => summaryOf(job.toJob(gateway.toProblem))),
    total: all.length,
    ...(rest.length > limit ? { nextCursor: String(page[page.length - 1]!.acceptedSeq) } : {}),
  }
}

/** The jobs of a term of the index. */
async function* indexed(gateway: Gateway, term: string, limit: number, start?: number): AsyncGenerator<Candidate> {
  const { index, log } = gateway.store
  const atOnce = Math.min(500, limit + 1)
  for (let before = start; ; ) {
    const seqs = await index.find(term, { reverse: true, limit: atOnce, ...defined({ before }) })
    for (const seq of seqs) yield { seq, jobId: (await log.get(seq))?.jobId, work: 0 }
    if (seqs.length < atOnce) return
    before = seqs.at(-1)!
  }
}

/** The jobs whose command fits, read from the log itself, each with its end. */
async function* read(gateway: Gateway, command: string | undefined, before?: number): AsyncGenerator<Candidate> {
  const fits = command === undefined ? undefined : wildcard(command)
  const ends = new Map<string, string>()
  const to = before === undefined ? undefined : before - 1
  for await (const records of gateway.store.log.read({ reverse: true, ...defined({ to }) })) {
    const newest = records.toReversed()
    for (const { type, jobId } of newest) if (isEnd(type) && jobId !== undefined) ends.set(jobId, type)
    let work = records.length
    for (const { type, seq, jobId, data } of newest) {
      if (type !== 'job.accepted' || jobId === undefined) continue
      const end = ends.get(jobId)
      ends.delete(jobId)
      if (fits && !fits((data as { command: string }).command)) continue
      yield { seq, jobId, end, work }
      work = 0
    }
    if (work > 0) yield { seq: records[0]!.seq, work }
  }
}

const counts = new WeakMap<Gateway, Map<string, { seq: number; count: number }>>()

/** Number of records with a term. Only records added since the last call are looked up. */
async function countOf(gateway: Gateway, term: string): Promise<number> {
  const known = counts.get(gateway) ?? new Map<string, { seq: number; count: number }>()
  counts.set(gateway, known)
  const { seq, count } = known.get(term) ?? { seq: 0, count: 0 }
  const upTo = gateway.store.log.durableSeq
  const fresh = await gateway.store.index.find(term, { after: seq, before: upTo + 1 })
  const sum = count + fresh.length
  known.set(term, { seq: upTo, count: sum })
  return sum
}

/** @throws GatewayError `invalid_input` */
export function seqOfCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^\d{1,15}$/.test(cursor)) {
    throw problem('invalid_input', `/cursor: "${cursor}" is not the nextCursor of a page.`, {
      errors: [{ path: '/cursor', message: 'must be the nextCursor of the page before', value: cursor }],
    })
  }
  return Number(cursor)
}
