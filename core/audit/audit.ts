/**
 * The audit: the log as readers see it (docs/design.md#audit-and-replay). Every function needs only a store, so that
 * the command line can read a data directory without a gateway.
 */

import { LRUCache } from 'lru-cache'
import { defined } from '../../lib/optional.ts'
import { anyOf, wildcard } from '../../lib/wildcard.ts'
import { isStoreError, type LogRecord, type Store } from '../../store/index.ts'
import { withoutSecrets } from '../access/secrets.ts'
import { PastQuery } from '../calls/run-context.ts'
import type { QueryContext } from '../contract/context.ts'
import { mayCall } from '../contract/operation.ts'
import type { Plugin } from '../contract/plugin.ts'
import { notFound, problem } from '../contract/problems.ts'
import { compileInput } from '../input/validation.ts'
import { isCallRecord } from '../log/call-records.ts'
import { type AcceptedData, isEnd, iso, recordsOfJob, seqOfJobId } from '../log/job.ts'
import { registerSlice } from '../plugins/plugin-loader.ts'
import { RecordFold, staleSlices, takeCheckpoint } from '../state/checkpoint.ts'
import { State } from '../state/state.ts'
import { findSession } from './audit-sessions.ts'

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

/** What the later records of a job do not repeat: the operation and the caller. */
interface JobFacts {
  readonly operation: string
  readonly actor: string | undefined
}

/**
 * A page looks at about so many records, and a call that counts reads so many; the log may have millions. What it has
 * not looked at is for the next page, and the next call goes on counting.
 */
const mostExamined = 10_000
const mostCounted = 50_000
/** A record that is found on its own takes as long as about so many that are read in a row. */
const seekWork = 10
/** Records that are looked up by the index before the first of them is given. */
const seeksAtOnce = 100

/** Records of the log, in the order of the log, and what it takes to come to each. */
interface Candidates {
  readonly records: readonly LogRecord[]
  readonly each: number
}

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
    this.#noteFacts(record)
    const facts = this.#facts(record)
    return facts instanceof Promise ? facts.then((found) => entryOf(record, found)) : entryOf(record, facts)
  }

  /** What is to be known of a job's later records. */
  #noteFacts({ type, jobId, actor, data }: LogRecord) {
    if (type === 'job.accepted' && jobId !== undefined)
      this.#jobs.set(jobId, { operation: (data as AcceptedData).command, actor })
  }

  #facts(record: LogRecord): JobFacts | undefined | Promise<JobFacts | undefined> {
    const { type, jobId } = record
    if (isCallRecord(type)) {
      const { operation } = record.data as { operation?: string }
      return operation === undefined ? undefined : { operation, actor: record.actor }
    }
    return jobId === undefined ? undefined : (this.#jobs.get(jobId) ?? this.#lookUp(jobId))
  }

  async #lookUp(jobId: string): Promise<JobFacts | undefined> {
    const seq = seqOfJobId(jobId)
    const commit = seq === undefined ? undefined : await this.#store.log.commitOf(seq)
    const accepted = commit?.find((record) => record.jobId === jobId && record.type === 'job.accepted')
    if (accepted) this.#noteFacts(accepted)
    return this.#jobs.get(jobId)
  }

  /**
   * Iterates over the matching entries in the requested order. Memory does not grow with the log.
   * @throws GatewayError `not_found` for a session or job that is not in the log
   */
  async *entries(filter: AuditFilter = {}, order: AuditOrder = {}): AsyncGenerator<AuditEntry> {
    for await (const { records } of this.#matching(filter, await this.#range(filter, order), order))
      for (const record of records) yield await this.entry(record)
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
    let work = 0
    const rest = { from: upTo + 1, to }
    const term = countableTerm(filter)
    if (term !== undefined) {
      const seqs = await this.#store.index.find(term, { after: upTo, before: to + 1 }).catch(ignoreIndex)
      if (seqs) {
        this.#counts.set(key, { upTo: Math.max(upTo, to), count: count + seqs.length })
        return count + seqs.length
      }
    }
    for await (const looked of this.#matching(filter, rest, defined({ signal }))) {
      upTo = looked.reached
      count += looked.records.length
      work += looked.work
      this.#counts.set(key, { upTo, count })
      if (work >= mostCounted && upTo < to) return undefined
    }
    this.#counts.set(key, { upTo: Math.max(upTo, to), count })
    return count
  }

  /**
   * One page of entries. It looks at a bounded number of records: `nextCursor` is present when there may be more, also
   * with fewer entries than `limit`.
   * @param order `whole`: looks on until the page is full
   */
  async page(
    filter: AuditFilter,
    { limit, whole = false, ...order }: AuditOrder & { readonly limit: number; readonly whole?: boolean },
  ): Promise<{ entries: AuditEntry[]; nextCursor?: string }> {
    const range = await this.#range(filter, order)
    const entries: AuditEntry[] = []
    let examined = 0
    for await (const { records, reached, work, each } of this.#matching(filter, range, order)) {
      for (const record of records) {
        if (entries.length === limit) return { entries, nextCursor: String(entries.at(-1)!.seq) }
        entries.push(await this.entry(record))
      }
      // What is answered counts for itself.
      examined += work - each * records.length
      const isEnd = order.reverse ? reached <= range.from : reached >= range.to
      if (!whole && examined >= mostExamined && !isEnd) return { entries, nextCursor: String(reached) }
    }
    return { entries }
  }

  /**
   * The records of a range that match, in the requested order, with the seq of the last one that was looked at and what
   * it took.
   */
  async *#matching(filter: AuditFilter, range: { from: number; to: number }, { reverse = false, signal }: AuditOrder) {
    if (range.from > range.to) return
    const fits = matcher(filter)
    for await (const { records, each } of this.#candidates(filter, range, reverse)) {
      signal?.throwIfAborted()
      let work = each * records.length
      const matching: LogRecord[] = []
      // The acceptance comes first, so that the facts of a job are known for its other records in the commit.
      if (fits.caller) for (const record of records) this.#noteFacts(record)
      for (const record of reverse ? records.toReversed() : records) {
        if (!fits.record(record)) continue
        if (fits.caller) {
          let facts = this.#facts(record)
          if (facts instanceof Promise) {
            facts = await facts
            work += seekWork
          }
          if (!fits.caller(facts?.operation, record.actor ?? facts?.actor)) continue
        }
        matching.push(record)
      }
      const last = reverse ? records[0] : records.at(-1)
      if (last) yield { records: matching, reached: last.seq, work, each }
    }
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
  ): AsyncGenerator<Candidates> {
    const term = exactTerm(filter)
    const { log, index } = this.#store
    let { from, to } = range
    if (term !== undefined) {
      try {
        for (;;) {
          const seqs = await index.find(term, { after: from - 1, before: to + 1, limit: seeksAtOnce, reverse })
          const records: LogRecord[] = []
          for (const seq of seqs) {
            const record = await log.get(seq)
            if (record) records.push(record)
          }
          const last = seqs[seqs.length - 1]
          if (last === undefined) return
          // In the order of the log, as `read` gives the records of a commit.
          yield { records: reverse ? records.reverse() : records, each: seekWork }
          if (reverse) to = last - 1
          else from = last + 1
        }
      } catch (error) {
        // Read the rest from the log instead, which is slower.
        ignoreIndex(error)
      }
    }
    for await (const records of log.read({ from, to, reverse })) yield { records, each: 1 }
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
  // Of all jobs those that fit are found sooner by reading the log in a row.
  return operation === undefined && actor === undefined ? 'kind:job' : undefined
}

/** The term whose records are the matching ones, all of them, if there is one. */
function countableTerm({ entity, types, operation, actor, jobId }: AuditFilter): string | undefined {
  if (actor !== undefined || jobId !== undefined) return undefined
  if (entity === undefined) {
    const isExact = types?.[0] === 'job.accepted' && !operation?.includes('*')
    return isExact ? exactTerm({ ...defined({ types, operation }) }) : undefined
  }
  return types === undefined && operation === undefined ? exactTerm({ entity }) : undefined
}

/** Goes on when the index is damaged; throws everything else. */
function ignoreIndex(error: unknown): undefined {
  if (!isStoreError(error) || !error.code.startsWith('index_')) throw error
}

/** `record` tests what the record itself contains; `caller` what is known of its job, which may cost a look-up. */
function matcher({ types, entity, jobId, operation, actor }: AuditFilter) {
  const type = types && anyOf(types)
  const fitsEntity = entity === undefined ? undefined : wildcard(entity)
  const fitsOperation = operation === undefined ? undefined : wildcard(operation)
  return {
    record: (record: LogRecord) =>
      (!type || type(record.type)) &&
      (jobId === undefined || record.jobId === jobId) &&
      (!fitsEntity || (record.entity !== undefined && fitsEntity(record.entity))),
    caller:
      fitsOperation === undefined && actor === undefined
        ? undefined
        : (calledOperation: string | undefined, by: string | undefined) =>
            (!fitsOperation || (calledOperation !== undefined && fitsOperation(calledOperation))) &&
            (actor === undefined || by === actor || by?.startsWith(`${actor}/`) === true),
  }
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
  const operation = gateway.registry.requireOperation(id)
  if (operation.kind !== 'query' || operation.live === true)
    throw problem('invalid_input', `/operation: ${id} does not answer from the state alone.`)
  if (!mayCall(operation, actor.access)) throw problem('forbidden', `Operation ${id} needs another access level.`)
  const read = (await compileInput(operation)).read(input as Record<string, unknown>, {})
  const state = await gateway.past.state(seq)
  return operation.run(read, new PastQuery(state, gateway, actor, correlationId, signal))
}
