/**
 * `query.served` records: the audit shows every call, but a client that polls one job a thousand times a second must
 * not fill the disk. The first of equal queries (same caller, operation, input and outcome) is recorded at once. Those
 * that follow within a second become one more record with their number (`repeated`). A query with a correlation id
 * given by the client is always recorded by itself.
 */
import type { Log } from '../store/index.ts'
import { isLarge } from './json-size.ts'

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

/** Time in which equal queries are gathered, ms. */
const windowMs = 1000
/** Inputs of more than about this many characters of JSON are neither recorded nor compared. */
const inputLimit = 4096

interface Gathered {
  readonly actor: string
  readonly data: ServedData
  count: number
}

export class QueryRecords {
  readonly #log: Pick<Log, 'appendLazy'>
  #gathered = new Map<string, Gathered>()
  #timer: NodeJS.Timeout | undefined

  constructor(log: Pick<Log, 'appendLazy'>) {
    this.#log = log
  }

  /**
   * Records a query that was answered.
   * @param ownId true when the client gave the correlation id
   */
  add(
    actor: string,
    operation: string,
    input: Record<string, unknown>,
    code: string | undefined,
    correlationId: string,
    ownId: boolean,
  ) {
    const large = isLarge(input, inputLimit)
    const key = large || ownId ? undefined : `${actor}\n${operation}\n${code ?? ''}\n${JSON.stringify(input)}`
    const same = key === undefined ? undefined : this.#gathered.get(key)
    if (same) {
      same.count++
      return
    }
    const data: ServedData = {
      operation,
      ...(large ? { inputOmitted: true as const } : { input }),
      ...(code === undefined ? {} : { code }),
    }
    this.#log.appendLazy({ type: 'query.served', actor, correlationId, data })
    if (key === undefined) return
    this.#gathered.set(key, { actor, data, count: 0 })
    this.#timer ??= setTimeout(() => this.flush(), windowMs).unref()
  }

  /** Writes the gathered queries. */
  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#gathered
    this.#gathered = new Map()
    for (const { actor, data, count } of gathered.values()) {
      if (count > 0) this.#log.appendLazy({ type: 'query.served', actor, data: { ...data, repeated: count } })
    }
  }
}
