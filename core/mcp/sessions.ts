/**
 * The MCP sessions of a gateway: who is connected, over what, since when. A session belongs to the API key it was
 * opened with; every message is checked against that key again, so that a key that is taken away ends its sessions too.
 */
import type { Actor } from '../context.ts'
import { problem } from '../problems.ts'
import type { ToolsetSelection } from './catalogue.ts'

export type McpTransportKind = 'sse' | 'streamable-http' | 'stdio'

/** A JSON-RPC request id. */
export type RequestId = string | number

/** One client's session. Times in ms since the epoch. */
export interface McpSession {
  readonly sessionId: string
  readonly transport: McpTransportKind
  /** Name of the API key the session was opened with. */
  readonly key: string
  readonly toolsets: ToolsetSelection
  /** Who sent the last message, as the audit names them: {@link noteMessage}. */
  caller: Actor
  readonly createdAt: number
  lastActivityAt: number
  /** Requests received. */
  requests: number
  /** What the client said of itself in `initialize`. */
  client?: { readonly name: string; readonly version: string }
  /** The client as the audit names it, after the key's name and a slash. */
  clientLabel?: string
  protocolVersion?: string
  /** Tool calls under way: aborted by the client's `notifications/cancelled`. */
  readonly running: Map<RequestId, AbortController>
  /** The actor of the last message before the client's name was added. */
  authenticated?: Actor
  /** True while a stream to the client is open. A Streamable HTTP client need not hold one. */
  isConnected(): boolean
  close(): Promise<void>
}

/** What a client may hold. */
export interface SessionLimits {
  readonly maxSessions: number
  /** A session without a message for this long, and without a call under way, is stale. */
  readonly idleMs: number
}

export const defaultSessionLimits: SessionLimits = { maxSessions: 256, idleMs: 30 * 60 * 1000 }

/** The name of an actor's key, without the client that used it. */
export const keyOf = (actor: Actor): string => actor.name.split('/', 1)[0]!

/** Notes what the client said of itself; its name becomes part of the actor in the audit. */
export function introduce(
  session: McpSession,
  client: { name: string; version: string },
  protocolVersion: string | undefined,
) {
  session.client = client
  const label = `${client.name}${client.version ? `@${client.version}` : ''}`.replace(/[^\w.@+-]+/g, '-').slice(0, 80)
  if (label) session.clientLabel = label
  delete session.authenticated
  if (protocolVersion) session.protocolVersion = protocolVersion
}

/** Notes a message and who sent it: its key's access level of now applies, not that of the session's start. */
export function noteMessage(session: McpSession, actor: Actor, now: number): void {
  session.lastActivityAt = now
  session.requests++
  if (session.authenticated === actor) return
  session.authenticated = actor
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
   * Takes a session in. When the limit is reached the stale ones go first.
   * @throws GatewayError `too_many_requests`
   */
  async add(session: McpSession): Promise<void> {
    if (this.#sessions.size >= this.limits.maxSessions) await this.cleanup()
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

  /** Forgets a session if it is still the one with this id. */
  remove(session: McpSession): void {
    if (this.#sessions.get(session.sessionId) === session) this.#sessions.delete(session.sessionId)
    if (this.#sessions.size > 0 || !this.#sweep) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  /** Idle longer than the limit. A client on an open stream is never stale: its end is seen when the stream breaks. */
  isStale(session: McpSession): boolean {
    return (
      !session.isConnected() && session.running.size === 0 && this.#now() - session.lastActivityAt > this.limits.idleMs
    )
  }

  /**
   * Ends sessions that are stale, and those whose client is gone: no stream open, no call under way, nothing sent for
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

/** A session without its transport's own functions. */
export function newSession(
  o: Pick<McpSession, 'sessionId' | 'transport' | 'toolsets' | 'caller' | 'isConnected' | 'close'> & { now: number },
): McpSession {
  const { now, ...rest } = o
  return { ...rest, key: keyOf(o.caller), createdAt: now, lastActivityAt: now, requests: 0, running: new Map() }
}
