/**
 * The audit: the log as readers see it (docs/design.md#audit-and-replay). Every function needs only a store, so that
 * the command line can read a data directory without a gateway.
 */

import { LRUCache } from 'lru-cache'
import { defined } from '../lib/optional.ts'
import { anyOf, wildcard } from '../lib/wildcard.ts'
import { isStoreError, type LogRecord, type Store } from '../store/index.ts'
import { isCallRecord } from './call-records.ts'
import { RecordFold, staleSlices, takeCheckpoint } from './checkpoint.ts'
import type { QueryContext } from './context.ts'
import { type AcceptedData, isEnd, iso, recordsOfJob, seqOfJobId } from './job.ts'
import { mayCall } from './operation.ts'
import type { Plugin } from './plugin.ts'
import { registerSlice } from './plugin-loader.ts'
import { notFound, problem } from './problems.ts'
import { PastQuery } from './run-context.ts'
import { withoutSecrets } from './secrets.ts'
import { State } from './state.ts'
import { compileInput } from './validation.ts'

/** One record of the log. */
export interface AuditEntry {
  readonly seq: number
  /** RFC 3339 UTC. */
  readonly time: string
  readonly type: string
  /**
   * The operation that was called. Present in the records of a job and in `query.served`, and in `call.refused` when
   * one was reached.
   */
  readonly operation?: string
  readonly actor?: string
  readonly jobId?: string
  readonly correlationId?: string
  readonly entity?: string
  /** The data of the record without hashes and sealed values. */
  readonly data: unknown
}

/** Selects entries; all conditions apply together. In operation, entity and types `*` matches any run of characters. */
export interface AuditFilter {
  /** Milliseconds since the epoch, included. */
  readonly from?: number
  /** Milliseconds since the epoch, excluded. */
  readonly to?: number
  /** An actor as recorded, or the name of its key without the client. */
  readonly actor?: string
  readonly operation?: string
  readonly entity?: string
  readonly jobId?: string
  readonly types?: readonly string[]
  /** Number of a session: the seq of its `gateway.started` record. */
  readonly session?: number
}

/** Order and start of a listing. */
export interface AuditOrder {
  /** Newest first, also within one commit. */
  readonly reverse?: boolean
  /** Continue after this seq. */
  readonly cursor?: number
  readonly signal?: AbortSignal
}

/** A run of the gateway: from one `gateway.started` record to the next. */
export interface Session {
  /** Seq of its `gateway.started` record. */
  readonly session: number
  readonly startedAt: string
  /** Absent while the session runs, and after a crash. */
  readonly stoppedAt?: string
  /** `crashed`: there is no `gateway.stopped` record. */
  readonly state: 'running' | 'stopped' | 'crashed'
  readonly firstSeq: number
  readonly lastSeq: number
  /** Jobs accepted in it. */
  readonly jobs: number
  readonly version: string
  readonly node: string
  /** Plugins that were loaded, with their versions. */
  readonly plugins: Readonly<Record<string, string>>
}

/** What the later records of a job do not repeat: the operation and the caller. */
interface JobFacts {
  readonly operation: string
  readonly actor: string | undefined
}

/** A call that counts reads at most about so many records; the log may have millions. */
const mostCounted = 200_000

/** Turns records into entries. The facts of a job are found by the seq in its id (one seek) and cached. */
export class AuditReader {
  readonly #store: Store
  readonly #jobs = new LRUCache<string, JobFacts>({ max: 10_000 })
  /** Entries that match a filter, in the records up to `upTo`. By the filter. */
  readonly #counts = new LRUCache<string, { readonly upTo: number; readonly count: number }>({ max: 100 })

  constructor(store: Store) {
    this.#store = store
  }

  /** The entry of a record; a promise only where a job must be looked up. */
  entry(record: LogRecord): AuditEntry | Promise<AuditEntry> {
    const { type, jobId } = record
    if (isCallRecord(type)) {
      const { operation } = record.data as { operation?: string }
      return entryOf(record, operation === undefined ? undefined : { operation, actor: record.actor })
    }
    if (jobId === undefined) return entryOf(record, undefined)
    if (type === 'job.accepted') {
      const facts = { operation: (record.data as AcceptedData).command, actor: record.actor }
      this.#jobs.set(jobId, facts)
      return entryOf(record, facts)
    }
    const known = this.#jobs.get(jobId)
    return known ? entryOf(record, known) : this.#lookUp(jobId).then((facts) => entryOf(record, facts))
  }

  async #lookUp(jobId: string): Promise<JobFacts | undefined> {
    const seq = seqOfJobId(jobId)
    const commit = seq === undefined ? undefined : await this.#store.log.commitOf(seq)
    const accepted = commit?.find((record) => record.jobId === jobId && record.type === 'job.accepted')
    if (!accepted) return undefined
    const facts = { operation: (accepted.data as AcceptedData).command, actor: accepted.actor }
    this.#jobs.set(jobId, facts)
    return facts
  }

  /**
   * Iterates over the matching entries in the requested order. Memory does not grow with the log.
   * @throws GatewayError `not_found` for a session or job that is not in the log
   */
  async *entries(filter: AuditFilter = {}, order: AuditOrder = {}): AsyncGenerator<AuditEntry> {
    const range = await this.#range(filter, order)
    if (range.from > range.to) return
    const fits = matcher(filter)
    for await (const records of this.#candidates(filter, range, order.reverse === true)) {
      order.signal?.throwIfAborted()
      for (const record of order.reverse ? [...records].reverse() : records) {
        if (!fits.record(record)) continue
        const made = this.entry(record)
        const entry = made instanceof Promise ? await made : made
        if (fits.entry(entry)) yield entry
      }
    }
  }

  /**
   * How many entries match. What was counted is kept, so only records that came since are read.
   * @returns `undefined` when more than `mostCounted` records would have to be read: the next call goes on from there
   * @throws GatewayError `not_found` for a session or job that is not in the log
   */
  async count(filter: AuditFilter = {}, signal?: AbortSignal): Promise<number | undefined> {
    const { from, to } = await this.#range(filter, {})
    const { actor, operation, entity, types, jobId } = filter
    // Every record of the range has an entry.
    if ([actor, operation, entity, types, jobId].every((one) => one === undefined)) return Math.max(0, to - from + 1)
    const key = JSON.stringify(filter)
    let { upTo, count } = this.#counts.get(key) ?? { upTo: from - 1, count: 0 }
    const fits = matcher(filter)
    let examined = 0
    for await (const records of this.#candidates(filter, { from: upTo + 1, to }, false)) {
      signal?.throwIfAborted()
      for (const record of records) {
        upTo = record.seq
        if (fits.record(record) && fits.entry(await this.entry(record))) count++
      }
      examined += records.length
      this.#counts.set(key, { upTo, count })
      if (examined >= mostCounted && upTo < to) return undefined
    }
    this.#counts.set(key, { upTo: Math.max(upTo, to), count })
    return count
  }

  /** One page of entries; `nextCursor` is present when there may be more. */
  async page(filter: AuditFilter, order: AuditOrder & { readonly limit: number }) {
    const entries: AuditEntry[] = []
    for await (const entry of this.entries(filter, order)) {
      if (entries.length === order.limit) return { entries, nextCursor: String(entries[entries.length - 1]!.seq) }
      entries.push(entry)
    }
    return { entries }
  }

  async #range({ from, to, session, jobId }: AuditFilter, { cursor, reverse }: AuditOrder) {
    const { log, index } = this.#store
    let first = 1
    let last = log.durableSeq
    const narrow = (a: number, b: number) => {
      first = Math.max(first, a)
      last = Math.min(last, b)
    }
    if (from !== undefined) narrow(await index.seqAt(from), last)
    if (to !== undefined) narrow(first, (await index.seqAt(to)) - 1)
    if (session !== undefined) {
      const { firstSeq, lastSeq } = await findSession(this.#store, session)
      narrow(firstSeq, lastSeq)
    }
    if (jobId !== undefined) {
      const accepted = seqOfJobId(jobId)
      const records = accepted === undefined ? [] : await recordsOfJob(this.#store, jobId, accepted)
      if (records.length === 0) throw notFound('job', jobId)
      narrow(records[0]!.seq, records.findLast((record) => isEnd(record.type))?.seq ?? last)
    }
    if (cursor !== undefined) reverse ? narrow(first, cursor - 1) : narrow(cursor + 1, last)
    return { from: first, to: last }
  }

  /** The records to look at: from the index where one term selects them exactly, otherwise the whole range. */
  async *#candidates(
    filter: AuditFilter,
    range: { from: number; to: number },
    reverse: boolean,
  ): AsyncGenerator<readonly LogRecord[]> {
    const term = exactTerm(filter)
    const { log, index } = this.#store
    let { from, to } = range
    if (term !== undefined) {
      try {
        for (;;) {
          const seqs = await index.find(term, { after: from - 1, before: to + 1, limit: 500, reverse })
          const records: LogRecord[] = []
          for (const seq of seqs) {
            const record = await log.get(seq)
            if (record) records.push(record)
          }
          const last = seqs[seqs.length - 1]
          if (last === undefined) return
          // In the order of the log, as `read` gives the records of a commit.
          yield reverse ? records.reverse() : records
          if (reverse) to = last - 1
          else from = last + 1
        }
      } catch (error) {
        // The index is damaged: read the rest from the log instead, which is slower.
        if (!isStoreError(error) || !error.code.startsWith('index_')) throw error
      }
    }
    yield* log.read({ from, to, reverse })
  }
}

function entryOf(record: LogRecord, facts: JobFacts | undefined): AuditEntry {
  const { seq, time, type, jobId, correlationId, entity, data } = record
  const actor = record.actor ?? facts?.actor
  return {
    seq,
    time: iso(time),
    type,
    ...(facts ? { operation: facts.operation } : {}),
    ...defined({ actor, jobId, correlationId, entity }),
    data: withoutSecrets(data),
  }
}

/** The index term (`termsOf` in job.ts) that selects exactly the candidates of a filter, if there is one. */
function exactTerm({ entity, types, operation, actor }: AuditFilter): string | undefined {
  if (entity !== undefined && !entity.includes('*')) return `entity:${entity}`
  if (types?.length !== 1) return undefined
  if (types[0] === 'gateway.started') return 'kind:session'
  if (types[0] !== 'job.accepted') return undefined
  if (operation !== undefined && !operation.includes('*')) return `op:${operation}`
  // A bare key name also matches its clients, which have terms of their own.
  if (actor?.includes('/')) return `actor:${actor}`
  return 'kind:job'
}

/** `record` tests what the record itself contains; `entry` tests what needs the entry, which may cost a look-up. */
function matcher({ types, entity, jobId, operation, actor }: AuditFilter) {
  const type = types && anyOf(types)
  const fitsEntity = entity === undefined ? undefined : wildcard(entity)
  const fitsOperation = operation === undefined ? undefined : wildcard(operation)
  return {
    record: (record: LogRecord) =>
      (!type || type(record.type)) &&
      (jobId === undefined || record.jobId === jobId) &&
      (!fitsEntity || (record.entity !== undefined && fitsEntity(record.entity))),
    entry: (entry: AuditEntry) =>
      (!fitsOperation || (entry.operation !== undefined && fitsOperation(entry.operation))) &&
      (actor === undefined || entry.actor === actor || entry.actor?.startsWith(`${actor}/`) === true),
  }
}

export interface SessionOptions {
  /** Number of the running session; absent when the store is read without a gateway. */
  readonly running?: number | undefined
}

/** The sessions in the log, newest first. `before`: only those that began before this seq. */
export async function listSessions(
  store: Store,
  o: SessionOptions & { readonly limit: number; readonly before?: number | undefined },
): Promise<Session[]> {
  const sessions: Session[] = []
  let end: number | undefined
  let stopped: LogRecord | undefined
  // The first and the last record of a session have the term; the start of the next session also closes it.
  let before: number | undefined
  for (;;) {
    const seqs = await store.index.find('kind:session', {
      reverse: true,
      limit: 200,
      ...defined({ before }),
    })
    for (const seq of seqs) {
      before = seq
      const record = await store.log.get(seq)
      if (record?.type === 'gateway.stopped') stopped = record
      if (record?.type !== 'gateway.started') continue
      if (o.before === undefined || seq < o.before) sessions.push(await sessionOf(store, record, stopped, end, o))
      if (sessions.length === o.limit) return sessions
      end = seq - 1
      stopped = undefined
    }
    if (seqs.length === 0) return sessions
  }
}

async function sessionOf(
  store: Store,
  started: LogRecord,
  stopped: LogRecord | undefined,
  end: number | undefined,
  { running }: SessionOptions,
): Promise<Session> {
  const data = started.data as Partial<Pick<Session, 'version' | 'node' | 'plugins'>>
  const lastSeq = end ?? store.log.durableSeq
  const jobs = await store.index.find('kind:job', { after: started.seq, before: lastSeq + 1 })
  return {
    session: started.seq,
    startedAt: iso(started.time),
    ...(stopped ? { stoppedAt: iso(stopped.time) } : {}),
    state: stopped ? 'stopped' : started.seq === running ? 'running' : 'crashed',
    firstSeq: started.seq,
    lastSeq,
    jobs: jobs.length,
    version: data.version ?? '',
    node: data.node ?? '',
    plugins: data.plugins ?? {},
  }
}

/**
 * Finds a session by its number.
 * @throws GatewayError `not_found` with the numbers of the latest sessions
 */
export async function findSession(store: Store, session: number, o: SessionOptions = {}): Promise<Session> {
  const started = await store.log.get(session)
  if (started?.type !== 'gateway.started') {
    const latest = await listSessions(store, { limit: 5 })
    const known = latest.map((s) => s.session).join(', ')
    throw problem('not_found', `There is no session ${session}.${known ? ` The latest are ${known}.` : ''}`, {
      suggestion: 'GET /api/audit/sessions',
    })
  }
  let stopped: LogRecord | undefined
  for (const seq of await store.index.find('kind:session', { after: session, limit: 2 })) {
    const record = await store.log.get(seq)
    if (record?.type === 'gateway.started') return sessionOf(store, started, stopped, seq - 1, o)
    stopped = record
  }
  return sessionOf(store, started, stopped, undefined, o)
}

/** The plugins whose slices make up a state, the core's own included. */
export type Slices = readonly Pick<Plugin, 'name' | 'slice'>[]

/** An empty state with the collections and reducers of the slices registered. */
export function emptyState(slices: Slices): State {
  const state = new State()
  for (const plugin of slices) registerSlice(plugin, state)
  return state
}

/**
 * The state as it was after record `seq`. It starts from the newest checkpoint if that is not later than `seq`,
 * otherwise from the beginning of the log.
 *
 * @param seq 0: the empty state
 * @throws GatewayError `invalid_input` when the log has no such record yet
 */
export async function stateAt(store: Store, slices: Slices, seq: number, signal?: AbortSignal): Promise<State> {
  const { durableSeq } = store.log
  if (seq > durableSeq)
    throw problem('invalid_input', `/seq: ${seq} is not in the log; the last record is ${durableSeq}.`)
  const state = emptyState(slices)
  const checkpoint = await store.checkpoints.newest()
  let from = 1
  if (checkpoint && checkpoint.seq <= seq && staleSlices(checkpoint, slices).size === 0) {
    takeCheckpoint(checkpoint, state)
    from = checkpoint.seq + 1
  }
  const fold = new RecordFold(state)
  for await (const records of store.log.read({ from, to: seq })) {
    signal?.throwIfAborted()
    for (const record of records) fold.add(record)
  }
  fold.end()
  return state
}

/**
 * What a query would have answered after record `seq`: it runs, as it is loaded now, on the state of that time.
 * Contents are read by their hashes, so they are those of that time too.
 *
 * @param operation id of a query that answers from the state alone
 * @throws GatewayError `invalid_input`, `not_found`, `forbidden`; what the query throws; `gone` for a content that is
 * not in the store any more
 */
export async function answerAt(
  { gateway, actor, correlationId, signal }: QueryContext,
  { seq, operation: id, input }: { readonly seq: number; readonly operation: string; readonly input: object },
): Promise<unknown> {
  const operation = gateway.registry.operation(id)
  if (!operation) throw notFound('operation', id, new Set(gateway.registry.operations.map((one) => one.id)))
  if (operation.kind !== 'query' || operation.live === true)
    throw problem('invalid_input', `/operation: ${id} does not answer from the state alone.`)
  if (!mayCall(operation, actor.access)) throw problem('forbidden', `Operation ${id} needs another access level.`)
  const read = (await compileInput(operation)).read(input as Record<string, unknown>, {})
  const state = await gateway.past.state(seq)
  return operation.run(read, new PastQuery(state, gateway, actor, correlationId, signal))
}
