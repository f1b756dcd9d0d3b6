/**
 * The MCP sessions of a gateway: client, transport, times. A session belongs to the API key that opened it; every
 * message is checked against that key again, so that the removal of a key also ends its sessions.
 */
import { hash } from 'node:crypto'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import type { ToolSelection } from './catalogue.ts'

export type McpTransportKind = 'sse' | 'streamable-http' | 'stdio'

/** A JSON-RPC request id. */
export type RequestId = string | number

/** One client's session. Times in ms since the epoch. */
export interface McpSession {
  readonly sessionId: string
  readonly transport: McpTransportKind
  /** Name of the API key the session was opened with. */
  readonly key: string
  /** The tools that the client sees. */
  readonly selection: ToolSelection
  /** The group of its commands, which can be taken back together (docs/design.md#undo). */
  readonly group?: string
  /** The sender of the last message, named as in the audit: {@link noteMessage}. */
  caller: Actor
  readonly createdAt: number
  lastActivityAt: number
  /** Requests received. */
  requests: number
  /** The client's own description in `initialize`. */
  client?: { readonly name: string; readonly version: string }
  /** The client in the audit, after the key's name and a slash. */
  clientLabel?: string
  protocolVersion?: string
  /** The client can show a form to the person (elicitation). */
  canAsk?: boolean
  /** What the person does not want to be asked about any more: operation ids and tool names. */
  readonly trusted: Set<string>
  /** Tool calls in progress: the client's `notifications/cancelled` aborts them. */
  readonly running: Map<RequestId, AbortController>
  /** True while a stream to the client is open. A Streamable HTTP client need not keep one open. */
  isConnected(): boolean
  close(): Promise<void>
}

/** Limits of the sessions of a gateway. */
export interface SessionLimits {
  readonly maxSessions: number
  /** A session without a message for this long, and without a call in progress, is stale. */
  readonly idleMs: number
}

/** A session without stream and call that was silent for so long may be ended to make room for another. */
const leftMs = 60_000
const defaultSessionLimits: SessionLimits = { maxSessions: 256, idleMs: 30 * 60 * 1000 }

/** The group of a session's commands. The session's id is as good as a key, so the group is made of its hash. */
export function groupOf(sessionId: string): string {
  return `mcp-${hash('sha256', sessionId, 'base64url').slice(0, 12)}`
}

/** The name of an actor's key, without the client. */
export const keyOf = (actor: Actor): string => actor.name.split('/', 1)[0]!

/** Stores the client's own description; its name becomes part of the actor in the audit. */
export function introduce(
  session: McpSession,
  client: { name: string; version: string },
  protocolVersion: string | undefined,
) {
  session.client = client
  const label = `${client.name}${client.version ? `@${client.version}` : ''}`.replace(/[^\w.@+-]+/g, '-').slice(0, 80)
  if (label) session.clientLabel = label
  if (protocolVersion) session.protocolVersion = protocolVersion
}

/** Records a message and its sender: the current access level of the key applies, not that of the session's start. */
export function noteMessage(session: McpSession, actor: Actor, now: number): void {
  session.lastActivityAt = now
  session.requests++
  session.caller =
    !session.clientLabel || actor.name.includes('/')
      ? actor
      : { name: `${actor.name}/${session.clientLabel}`, access: actor.access }
}

export class McpSessions {
  readonly limits: SessionLimits
  readonly #sessions = new Map<string, McpSession>()
  readonly #now: () => number
  #sweep: NodeJS.Timeout | undefined

  constructor(now: () => number, limits: SessionLimits = defaultSessionLimits) {
    this.#now = now
    this.limits = limits
  }

  get size(): number {
    return this.#sessions.size
  }
  /** Oldest first. */
  list(): readonly McpSession[] {
    return [...this.#sessions.values()]
  }
  get(sessionId: string): McpSession | undefined {
    return this.#sessions.get(sessionId)
  }

  /**
   * Adds a session. When the limit is reached, stale ones are ended first, then those that were left: clients that
   * begin a session for each call never end one.
   * @throws GatewayError `too_many_requests`
   */
  async add(session: McpSession): Promise<void> {
    if (this.#sessions.size >= this.limits.maxSessions) await this.cleanup()
    if (this.#sessions.size >= this.limits.maxSessions) await this.cleanup(leftMs)
    if (this.#sessions.size >= this.limits.maxSessions) {
      throw problem(
        'too_many_requests',
        `${this.#sessions.size} MCP sessions are open; the limit is ${this.limits.maxSessions}.`,
        {
          extra: { retryAfterSeconds: 30 },
        },
      )
    }
    this.#sessions.set(session.sessionId, session)
    this.#sweep ??= setInterval(
      () => void this.#removeWhere((s) => this.isStale(s)),
      Math.min(60_000, this.limits.idleMs),
    ).unref()
  }

  /** Removes a session, if it is still the one with this id. */
  remove(session: McpSession): void {
    if (this.#sessions.get(session.sessionId) === session) this.#sessions.delete(session.sessionId)
    if (this.#sessions.size > 0 || !this.#sweep) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /**
   * True when idle longer than the limit. A client with an open stream is never stale: the stream breaks when it
   * leaves.
   */
  isStale(session: McpSession): boolean {
    return (
      !session.isConnected() && session.running.size === 0 && this.#now() - session.lastActivityAt > this.limits.idleMs
    )
  }

  /**
   * Ends stale sessions, and those whose client is gone: no stream open, no call in progress, no message for
   * `disconnectedMs`.
   * @returns the sessions that were ended
   */
  cleanup(disconnectedMs = this.limits.idleMs): Promise<McpSession[]> {
    const before = this.#now() - disconnectedMs
    return this.#removeWhere(
      (s) => this.isStale(s) || (!s.isConnected() && s.running.size === 0 && s.lastActivityAt <= before),
    )
  }

  async closeAll(): Promise<void> {
    await this.#removeWhere(() => true)
  }

  async #removeWhere(test: (session: McpSession) => boolean): Promise<McpSession[]> {
    const gone = this.list().filter(test)
    for (const session of gone) this.remove(session)
    await Promise.allSettled(gone.map((session) => session.close()))
    return gone
  }
}

const sessionsOf = new WeakMap<object, McpSessions>()

/** The MCP sessions of a gateway. */
export function gatewaySessions(gateway: { readonly clock: () => number }): McpSessions {
  let sessions = sessionsOf.get(gateway)
  if (!sessions) {
    sessions = new McpSessions(gateway.clock)
    sessionsOf.set(gateway, sessions)
  }
  return sessions
}

/** A session without the functions of its transport. */
export function newSession(
  o: Pick<McpSession, 'sessionId' | 'transport' | 'selection' | 'caller' | 'isConnected' | 'close' | 'group'> & {
    now: number
  },
): McpSession {
  const { now, ...rest } = o
  return {
    ...rest,
    key: keyOf(o.caller),
    createdAt: now,
    lastActivityAt: now,
    requests: 0,
    running: new Map(),
    trusted: new Set(),
  }
}

/** One request of a client that has no session, in the form in which the handlers know who they answer. */
export function requestWithoutSession(
  o: Pick<McpSession, 'selection' | 'caller' | 'group'> & { now: number },
): McpSession {
  return newSession({
    ...o,
    sessionId: 'stateless',
    transport: 'streamable-http',
    isConnected: () => false,
    close: async () => {},
  })
}
