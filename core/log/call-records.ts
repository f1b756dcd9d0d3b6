/**
 * Records of calls that are no jobs: `query.served` for answered queries, `call.refused` for calls that were refused
 * before they ran. The audit shows every call, but a client that polls one job a thousand times a second must not fill
 * the disk. The first of equal calls (same caller, operation, input and outcome) is recorded at once. Those that follow
 * within a second become one more record with their number (`repeated`). A query with a correlation id given by the
 * client is always recorded by itself.
 */
import { defined } from '../../lib/optional.ts'
import type { Log } from '../../store/index.ts'
import { isLarge } from '../contract/json-size.ts'

/** `data` of `query.served`. */
export interface ServedData {
  readonly operation: string
  readonly input?: unknown
  /** The input was too large for the audit. */
  readonly inputOmitted?: true
  /** Problem code, when the query failed. */
  readonly code?: string
  /** Number of equal queries since the previous record. */
  readonly repeated?: number
}

/** `data` of `call.refused`. It has no input: what was refused may be anything. */
export interface RefusedData {
  /** Absent when no operation was reached: a wrong key, an unknown path. */
  readonly operation?: string
  /** Method and path of a request, without its query. */
  readonly request?: string
  /** Network address of a caller without a valid key. */
  readonly address?: string
  /** Problem code. */
  readonly code: string
  /** Number of equal calls since the previous record. */
  readonly repeated?: number
}

/** True for the records of this file: they belong to no job and change no state. */
export function isCallRecord(type: string): boolean {
  return type === 'query.served' || type === 'call.refused'
}

/** Time in which equal calls are gathered, ms. */
const windowMs = 1000
/** Inputs of more than about this many characters of JSON are neither recorded nor compared. */
const inputLimit = 4096
/** Different refused calls that are recorded in that time; a scan of paths must not fill the disk either. */
const mostRefused = 50
/** Longest path that is recorded. */
const longestRequest = 200

interface Gathered {
  readonly type: 'query.served' | 'call.refused'
  readonly actor: string | undefined
  readonly data: ServedData | RefusedData
  count: number
}

export class CallRecords {
  readonly #log: Pick<Log, 'appendLazy'>
  #gathered = new Map<string, Gathered>()
  #timer: NodeJS.Timeout | undefined
  #refused = 0
  /** Errors whose call has a record already. */
  readonly #recorded = new WeakSet<object>()

  constructor(log: Pick<Log, 'appendLazy'>) {
    this.#log = log
  }

  /**
   * Records a query that was answered.
   * @param ownId true when the client gave the correlation id
   */
  served(
    actor: string,
    operation: string,
    input: Record<string, unknown>,
    code: string | undefined,
    correlationId: string,
    ownId: boolean,
  ) {
    const large = isLarge(input, inputLimit)
    const data: ServedData = {
      operation,
      ...(large ? { inputOmitted: true as const } : { input }),
      ...defined({ code }),
    }
    const key = large || ownId ? undefined : `${actor}\n${operation}\n${code ?? ''}\n${JSON.stringify(input)}`
    this.#gather(key, { type: 'query.served', actor, data, count: 0 }, correlationId)
  }

  /** Records a call that was refused with an error, once for each error. */
  refused(error: object, actor: string | undefined, data: RefusedData, correlationId: string) {
    if (this.#recorded.has(error)) return
    this.#recorded.add(error)
    const request = data.request?.slice(0, longestRequest)
    const short: RefusedData = { ...data, ...defined({ request }) }
    const key = `refused\n${actor ?? ''}\n${JSON.stringify(short)}`
    if (!this.#gathered.has(key) && ++this.#refused > mostRefused) return
    this.#gather(key, { type: 'call.refused', actor, data: short, count: 0 }, correlationId)
  }

  /** Notes that the call behind an error has a record: it was a query that failed, or a job. */
  noteRecorded(error: object) {
    this.#recorded.add(error)
  }

  #gather(key: string | undefined, call: Gathered, correlationId: string) {
    const same = key === undefined ? undefined : this.#gathered.get(key)
    if (same) {
      same.count++
      return
    }
    const { type, actor, data } = call
    this.#log.appendLazy({ type, actor, correlationId, data })
    if (key !== undefined) this.#gathered.set(key, call)
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref()
  }

  /** Writes the gathered calls. */
  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    for (const { type, actor, data, count } of gathered.values())
      if (count > 0) this.#log.appendLazy({ type, actor, data: { ...data, repeated: count } })
    const more = this.#refused - mostRefused
    this.#refused = 0
    if (more > 0) this.#log.appendLazy({ type: 'call.refused', data: { code: 'too_many_to_record', repeated: more } })
  }
}
