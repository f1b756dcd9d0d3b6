/**
 * Sessions of browsers: a key, or the token of a link, is exchanged once for a cookie that scripts cannot read
 * (docs/design.md#browser-sessions). All of it is in memory: a restart ends every session.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { steadyNow } from '../../lib/steady-clock.ts'
import type { Keyring } from '../access/keys.ts'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'

/** The header that repeats the session's token with every request that changes something. */
const csrfHeader = 'x-csrf-token'

export interface SessionTimes {
  /** How long the token of a link holds, ms. Default ten minutes. */
  readonly tokenMs: number
  /** A session ends this long after its last request or stream, ms. Default one hour. */
  readonly idleMs: number
  /** A session ends this long after it began, ms. Default 24 hours. */
  readonly longestMs: number
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** One browser that has signed in. */
export interface BrowserSession {
  readonly id: string
  /** What its requests send in {@link csrfHeader}. */
  readonly csrfToken: string
  /** The key it was opened with (`Keyring.handleOf`). Without this key it has no access any more. */
  readonly keyHandle: string
  readonly startedAt: number
  usedAt: number
  /** Answers on their way: streams keep a session from being idle, and end with it. */
  readonly open: Set<ServerResponse>
}

/** Sessions and tokens kept at most; the ones used longest ago go first. */
const mostSessions = 1000
const mostTokens = 100

const secret = () => randomBytes(32).toString('base64url')

/** Tokens of links and the sessions of browsers. */
export class BrowserSessions {
  readonly #keyring: Keyring
  readonly #times: SessionTimes
  readonly #sessions = new LRUCache<string, BrowserSession>({
    max: mostSessions,
    dispose: ({ open }) => {
      for (const response of open) response.destroy()
    },
  })
  /** When each token ends. */
  readonly #tokens = new LRUCache<string, number>({ max: mostTokens })

  constructor(keyring: Keyring, times: Partial<SessionTimes> = {}) {
    this.#keyring = keyring
    this.#times = { tokenMs: 600_000, idleMs: 3_600_000, longestMs: 86_400_000, now: steadyNow, ...times }
  }

  /** A token that opens one session with the key of the data directory. */
  issueToken(): string {
    const token = secret()
    this.#tokens.set(token, this.#times.now() + this.#times.tokenMs)
    return token
  }

  /** Minutes that a token holds. */
  get tokenMinutes(): number {
    return Math.round(this.#times.tokenMs / 60_000)
  }

  /**
   * Opens a session with a token, which is used up.
   * @throws GatewayError `unauthorized` when it is unknown, used or too old
   */
  redeem(token: string): BrowserSession {
    const endsAt = this.#tokens.get(token)
    this.#tokens.delete(token)
    if (endsAt === undefined || this.#times.now() >= endsAt)
      throw problem('unauthorized', 'The token of this link is unknown, was used before, or is too old.', {
        suggestion: 'Enter the API key; the next start of the gateway prints a new link.',
      })
    return this.open(this.#keyring.firstHandle)
  }

  /** Opens a session with a key that the keyring knows (`Keyring.handleOf`). */
  open(keyHandle: string): BrowserSession {
    const now = this.#times.now()
    const session = {
      id: secret(),
      csrfToken: secret(),
      keyHandle,
      startedAt: now,
      usedAt: now,
      open: new Set<never>(),
    }
    this.#sessions.set(session.id, session)
    return session
  }

  /** The session of a request's cookie with its caller; undefined without a cookie, and for one that has ended. */
  find(request: IncomingMessage): { readonly session: BrowserSession; readonly actor: Actor } | undefined {
    const id = cookieOf(request.headers, cookieName(request))
    const session = id === undefined ? undefined : this.#sessions.get(id)
    if (session === undefined) return undefined
    const now = this.#times.now()
    const { idleMs, longestMs } = this.#times
    const isOver = now - session.startedAt >= longestMs || (session.open.size === 0 && now - session.usedAt >= idleMs)
    // The access level of now: the key may have been changed or removed.
    const actor = isOver ? undefined : this.#keyring.ofHandle(session.keyHandle)
    if (actor === undefined) {
      this.#sessions.delete(session.id)
      return undefined
    }
    session.usedAt = now
    return { session, actor }
  }

  /** Keeps the session from being idle while an answer is on its way. */
  hold({ id }: BrowserSession, response: ServerResponse) {
    const session = this.#sessions.get(id)
    session?.open.add(response)
    response.once('close', () => {
      session?.open.delete(response)
      if (session) session.usedAt = this.#times.now()
    })
  }

  /** Answers on their way, of all sessions. */
  get openAnswers(): number {
    let count = 0
    for (const { open } of this.#sessions.values()) count += open.size
    return count
  }

  /** Ends a session; its streams are cut, except the answer that says so. */
  end(session: BrowserSession, answer: ServerResponse) {
    session.open.delete(answer)
    this.#sessions.delete(session.id)
  }

  /** Seconds until a session ends if nothing more is asked. */
  secondsLeft({ startedAt, usedAt }: BrowserSession): number {
    const { idleMs, longestMs, now } = this.#times
    return Math.max(0, Math.floor((Math.min(usedAt + idleMs, startedAt + longestMs) - now()) / 1000))
  }

  /** The `Set-Cookie` value that begins a session, or that removes the cookie. */
  cookie(request: IncomingMessage, session?: BrowserSession): string {
    const end = session === undefined ? '; Max-Age=0' : ''
    return `${cookieName(request)}=${session?.id ?? ''}; Path=/; HttpOnly; SameSite=Strict${end}`
  }
}

/** Cookies of a host are shared by its ports (RFC 6265, 8.5), so that each gateway has a name of its own. */
function cookieName({ socket }: IncomingMessage): string {
  return `gantry-${socket.localPort ?? 0}`
}

/** The value of a cookie (RFC 6265, 4.2.1). */
function cookieOf({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of cookie?.split(';') ?? []) {
    const [key = '', value] = pair.split('=', 2)
    if (key.trim() === name) return value?.trim()
  }
  return undefined
}

/**
 * Checks that a request comes from no page of another origin, not even of one that may call with a key
 * (`security.allowedOrigins`): Origin and Sec-Fetch-Site (Fetch Metadata, W3C) are set by the browser.
 * @throws GatewayError `host_not_allowed`
 */
export function requireOwnOrigin({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders) {
  const isForeign =
    (origin !== undefined && origin.toLowerCase().replace(/^https?:\/\//, '') !== host?.toLowerCase()) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none')
  if (isForeign)
    throw problem(
      'host_not_allowed',
      `A session in a browser is for the pages of this gateway (${host?.slice(0, 100)}), not for ${origin?.slice(0, 100) ?? 'those of another site'}. Other sites use an API key.`,
    )
}

/**
 * Checks that a request with a cookie comes from a page of this gateway: browsers add cookies to requests of other
 * pages too.
 * @throws GatewayError `host_not_allowed`, `csrf_token_missing`
 */
export function requireOwnPage({ headers, method }: IncomingMessage, { csrfToken }: BrowserSession) {
  requireOwnOrigin(headers)
  if (method === 'GET' || method === 'HEAD') return
  if (headers[csrfHeader] !== csrfToken)
    throw problem(
      'csrf_token_missing',
      `The header X-CSRF-Token is ${headers[csrfHeader] === undefined ? 'missing' : 'not the token of this session'}.`,
    )
}
