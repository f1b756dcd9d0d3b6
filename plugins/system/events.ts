/**
 * Event streams (docs/design.md#jobs, docs/design.md#event-streams): jobs and domain events as they become durable,
 * resumable by the number of their record.
 */

import {
  get,
  type LogRecord,
  notFound,
  type Operation,
  problem,
  type QueryContext,
  type StreamEvent,
  stream,
} from '../../core/index.ts'
import {
  type ActiveJob,
  type AuditEntry,
  type AuditReader,
  anyOf,
  isEnd,
  recordsOfJob,
  seqOfJobId,
  wildcard,
} from '../../core/services.ts'
import { auditReaderOf } from './audit.ts'
import { type Followed, follow, type Progress, progressOf } from './feed.ts'

/** Sent only when `types` contains it, because most readers do not need it. */
const onlyOnRequest: ReadonlySet<string> = new Set(['query.served', 'call.refused', 'job.progress'])

interface Selection {
  readonly types?: readonly string[] | undefined
  readonly entity?: string | undefined
  readonly jobId?: string | undefined
}

function selects({ types, entity, jobId }: Selection): (record: LogRecord) => boolean {
  const fitsType = types ? anyOf(types) : () => true
  const fitsEntity = entity === undefined ? undefined : wildcard(entity)
  return (record) =>
    // Progress is sent live; its records are late and incomplete, and would repeat it.
    record.type !== 'job.progress' &&
    (types?.includes(record.type) || !onlyOnRequest.has(record.type)) &&
    fitsType(record.type) &&
    (jobId === undefined || record.jobId === jobId) &&
    (!fitsEntity || (record.entity !== undefined && fitsEntity(record.entity)))
}

/** Without an id: a client that reconnects receives the current progress of the job. */
function progressEvent(progress: Progress): StreamEvent {
  return { event: 'job.progress', data: progress }
}

/**
 * Reads the number that a client returns as `Last-Event-ID`.
 * @throws GatewayError `invalid_input` for an id that this gateway cannot have sent
 */
function seqOfEventId(id: string | undefined, ctx: QueryContext): number | undefined {
  if (id === undefined || id === '') return undefined
  const { durableSeq } = ctx.gateway.store.log
  if (!/^\d{1,15}$/.test(id) || Number(id) > durableSeq) {
    throw problem(
      'invalid_input',
      `/lastEventId: "${id}" is not an event of this gateway; the last one is ${durableSeq}.`,
      {
        errors: [{ path: '/lastEventId', message: `must be a number up to ${durableSeq}`, value: id }],
        suggestion: 'Leave Last-Event-ID out to begin with what happens from now on.',
      },
    )
  }
  return Number(id)
}

/** Removes the data that a job read from files: it is long and only needed for a replay. */
function brief(entry: AuditEntry): AuditEntry {
  if (!isEnd(entry.type)) return entry
  const { reads: _, ...data } = entry.data as Readonly<Record<string, unknown>>
  return { ...entry, data }
}

async function* told(
  followed: AsyncIterable<Followed>,
  reader: AuditReader,
  selected: (record: LogRecord) => boolean,
  isLast: (record: LogRecord) => boolean,
): AsyncGenerator<StreamEvent> {
  for await (const happened of followed) {
    if ('progress' in happened) yield progressEvent(happened.progress)
    else {
      const { record } = happened
      if (selected(record))
        yield { event: record.type, id: String(record.seq), data: brief(await reader.entry(record)) }
      if (isLast(record)) return
    }
  }
}

/** The stream of a job: its past records, then live events, until its end. */
async function jobEvents(
  jobId: string,
  after: number | undefined,
  ctx: QueryContext,
): Promise<AsyncIterable<StreamEvent>> {
  const { gateway, signal } = ctx
  const active = gateway.jobs.peek(jobId)
  const seq = seqOfJobId(jobId)
  const records = seq === undefined ? [] : await recordsOfJob(gateway.store, jobId, seq)
  const first = records[0]?.seq ?? active?.acceptedSeq
  if (first === undefined) throw notFound('job', jobId)
  const end = records.find((record) => isEnd(record.type))
  if (end && after !== undefined && after >= end.seq) return (async function* () {})()
  const from = Math.max(after ?? 0, first - 1)
  const followed = follow(gateway, { after: from, signal, wantsProgress: (job) => job.jobId === jobId })
  const ended = (record: LogRecord) => record.jobId === jobId && isEnd(record.type)
  const events = told(followed, auditReaderOf(gateway), selects({ jobId }), ended)
  const now = active && progressOf(active)
  return now ? startingWith(progressEvent(now), events) : events
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

export const eventOperations: readonly Operation[] = [
  stream({
    id: 'jobs.events',
    title: 'Follow a job',
    description:
      'The records of the job with its domain events, then what happens, up to its end. `job.progress` comes as it happens and has no id. Reconnecting with `Last-Event-ID` goes on without gap or repetition.',
    input: (t) =>
      t.Object({
        jobId: t.String({ minLength: 1 }),
        lastEventId: t.Optional(t.String({ description: 'As the header Last-Event-ID.' })),
      }),
    http: [get('/api/jobs/{jobId}/events')],
    mcp: false,
    run({ jobId, lastEventId }, ctx) {
      return jobEvents(jobId, seqOfEventId(lastEventId, ctx), ctx)
    },
  }),
  stream({
    id: 'events.follow',
    title: 'Follow what happens in the gateway',
    description:
      'Job records (`job.accepted`, `job.completed` …) and domain events, each once, in the order of the log. Begins with what happens from now on, or behind `Last-Event-ID`. `query.served` and `call.refused` are given only when `types` names them; `job.progress` comes as it happens and has no id.',
    input: (t) =>
      t.Object({
        types: t.Optional(
          t.Array(t.String({ minLength: 1, maxLength: 100 }), {
            maxItems: 50,
            description: 'Record types, e.g. `blocks.*,job.failed`; `*` stands for any run of characters.',
          }),
        ),
        entity: t.Optional(t.String({ maxLength: 500, description: 'E.g. `block/PLC_1/*`.' })),
        jobId: t.Optional(t.String()),
        lastEventId: t.Optional(t.String({ description: 'As the header Last-Event-ID.' })),
      }),
    http: [get('/api/events')],
    mcp: false,
    async run({ types, entity, jobId, lastEventId }, ctx) {
      const { gateway, signal } = ctx
      const after = seqOfEventId(lastEventId, ctx) ?? gateway.store.log.durableSeq
      const tellsProgress = entity === undefined && (types === undefined || anyOf(types)('job.progress'))
      const wantsProgress = (job: ActiveJob) => tellsProgress && (jobId === undefined || job.jobId === jobId)
      const followed = follow(gateway, { after, signal, wantsProgress })
      return told(followed, auditReaderOf(gateway), selects({ types, entity, jobId }), () => false)
    },
  }),
]
