/** Queries on an earlier state (`?asOf=`): docs/design.md#audit-and-replay. */
import { LRUCache } from 'lru-cache'
import { coreSlice } from '../access/settings.ts'
import { answerOf } from '../calls/preconditions.ts'
import { PastQuery } from '../calls/run-context.ts'
import type { Actor } from '../contract/access.ts'
import type { GatewayHandle } from '../contract/context.ts'
import type { Query } from '../contract/operation.ts'
import { problem } from '../contract/problems.ts'
import { isProjectState } from '../contract/undone.ts'
import type { State } from '../state/state.ts'
import { stateAt } from './audit.ts'

/**
 * Earlier states that were asked for a moment ago: several questions about one time cost one fold of the log. Few,
 * since each is as large as the present one.
 */
const keptStates = 2
const keptForMs = 60_000

/** An answer of an earlier time. */
export interface PastAnswer {
  readonly value: unknown
  /** The record after which the state was asked. */
  readonly seq: number
  readonly warnings: readonly string[]
}

/** Who asks. */
interface PastCall {
  readonly actor: Actor
  readonly correlationId: string
  readonly signal?: AbortSignal | undefined
}

/** Answers queries on earlier states of a gateway. */
export class Past {
  readonly #gateway: GatewayHandle
  readonly #states = new LRUCache<number, Promise<State>>({ max: keptStates, ttl: keptForMs, ttlAutopurge: true })

  constructor(gateway: GatewayHandle) {
    this.#gateway = gateway
  }

  /** The state as it was after record `seq`. @throws GatewayError `invalid_input` when there is no such record yet */
  state(seq: number): Promise<State> {
    const known = this.#states.get(seq)
    if (known) return known
    const { store, plugins } = this.#gateway
    const state = stateAt(store, [{ name: 'core', slice: coreSlice }, ...plugins.map(({ plugin }) => plugin)], seq)
    this.#states.set(seq, state)
    state.catch(() => this.#states.delete(seq))
    return state
  }

  /**
   * The record that `asOf` names: its number, or a time (the last record until then).
   * @throws GatewayError `invalid_input`
   */
  async seqOf(asOf: string): Promise<number> {
    const { log, index } = this.#gateway.store
    const wrong = (message: string) =>
      problem('invalid_input', `/asOf: ${message}`, { errors: [{ path: '/asOf', message, value: asOf }] })
    if (/^\d{1,15}$/.test(asOf)) {
      const seq = Number(asOf)
      if (seq > log.durableSeq) throw wrong(`${asOf} is not in the log; the last record is ${log.durableSeq}`)
      return seq
    }
    const time = Date.parse(asOf)
    if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\d/.test(asOf))
      throw wrong(`"${asOf}" is neither the seq of a record nor an RFC 3339 time`)
    if (time > this.#gateway.clock()) throw wrong(`${asOf} is in the future`)
    return (await index.seqAt(time + 1)) - 1
  }

  /**
   * The context of a query that reads the state of that time.
   *
   * @param asOf seq of a record, or RFC 3339 time
   * @throws GatewayError `invalid_input`
   */
  async queryAt(asOf: string, { actor, correlationId, signal }: PastCall): Promise<{ ctx: PastQuery; seq: number }> {
    const seq = await this.seqOf(asOf)
    return { ctx: new PastQuery(await this.state(seq), this.#gateway, actor, correlationId, signal), seq }
  }

  /**
   * What a query would have answered then. It runs as it is loaded now, with the hooks of the plugins.
   *
   * @param asOf seq of a record, or RFC 3339 time
   * @throws GatewayError `invalid_input` for a query that does not read the state of the project; what the query
   * throws; `gone` for a content that is not kept any more
   */
  async answer(operation: Query, input: Record<string, unknown>, asOf: string, call: PastCall): Promise<PastAnswer> {
    const refused = (why: string) => problem('invalid_input', `/asOf: ${operation.id} ${why}`)
    if (operation.live === true)
      throw refused('does not answer from the state alone, so it has no answer of an earlier time.')
    const { ctx, seq } = await this.queryAt(asOf, call)
    const value = await answerOf(this.#gateway, operation, input, ctx)
    if (![...ctx.collectionsRead].some(isProjectState))
      throw refused('does not read the state of the project, so its answer does not depend on the time.')
    return { value, seq, warnings: ctx.warnings }
  }
}
