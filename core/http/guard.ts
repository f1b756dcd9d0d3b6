/** The checks before a request's body is read and its handler runs: address, origin, key, rate. */
import type { IncomingMessage } from 'node:http'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../access/settings.ts'
import type { Actor } from '../contract/access.ts'
import { problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { Authenticator, keyOf } from './auth.ts'
import { type BrowserSessions, requireOwnPage } from './browser-sessions.ts'
import type {} from './fastify-types.ts'
import { type BoundAddress, OriginGuard } from './origin.ts'
import { isLoopback, RateLimiter } from './rate-limit.ts'
import { pathOf } from './replies.ts'

/** Longest path and query. Names of a project tree are far shorter; longer input belongs into a body. */
export const maxUrlLength = 8192

/** Response headers that pages of allowed origins may read (Fetch standard; CORS-safelisted ones need no mention). */
const exposedHeaders =
  'Gantry-As-Of, Gantry-Version, Gantry-Warnings, X-Correlation-Id, X-Job-Id, Location, ETag, Retry-After, Preference-Applied, Allow'

/** Checks requests against the settings in force. */
export class RequestGuard {
  readonly #gateway: Gateway
  readonly #auth: Authenticator
  readonly #sessions: BrowserSessions
  readonly #origins: OriginGuard
  readonly #limiter = new RateLimiter({
    windowMs: 1000,
    detail: (limit) => `More than ${limit} requests in one second (limits.requestsPerSecond).`,
  })
  #settings: Settings

  constructor(gateway: Gateway, sessions: BrowserSessions) {
    this.#gateway = gateway
    this.#sessions = sessions
    this.#auth = new Authenticator(gateway.keyring)
    this.#settings = gateway.settings
    this.#origins = new OriginGuard(this.#settings.security)
    gateway.keyring.use(this.#settings.security.apiKeys)
  }

  /** Sets the addresses that the server listens on. */
  bind(addresses: readonly BoundAddress[]) {
    this.#origins.bind(addresses)
  }

  /**
   * Checks a request and sets its actor: an `onRequest` hook.
   * @throws GatewayError `malformed_request`, `host_not_allowed`, `uri_too_long`, `unauthorized`, `too_many_requests`,
   * `csrf_token_missing`
   */
  async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.#useSettings()
    const { raw } = request
    const origin = this.#origins.check(raw.headers)
    if (origin !== undefined) {
      reply.header('access-control-allow-origin', origin).header('vary', 'Origin')
      reply.header('access-control-expose-headers', exposedHeaders)
    }
    const { length } = raw.url!
    if (length > maxUrlLength)
      throw problem('uri_too_long', `The path and query have ${length} characters; at most ${maxUrlLength} are read.`)
    // Preflights have no key (Fetch standard, 4.8). Outside the API nothing needs a key.
    if (request.is404 && (raw.method === 'OPTIONS' || !/^\/(api|mcp)(\/|$)/.test(pathOf(raw.url)))) return
    const needsKey = this.#needsKey(request.routeOptions.config.access)
    request.actor = this.#auth.known(raw) ?? this.#bySession(request, reply, needsKey)
    if (request.actor === undefined && needsKey) request.actor = await this.#identify(raw)
    this.#limit(raw, request.actor?.name)
  }

  /** Who checks keys that come in a body. */
  get auth(): Authenticator {
    return this.#auth
  }

  /**
   * The caller by the cookie of a browser. A key in the request goes before it. A public route that is called from
   * elsewhere is answered as without the cookie.
   */
  #bySession(request: FastifyRequest, reply: FastifyReply, needsKey: boolean): Actor | undefined {
    const { raw } = request
    if (raw.headers.cookie === undefined || keyOf(raw.headers) !== undefined) return undefined
    const found = this.#sessions.find(raw)
    if (found === undefined) return undefined
    try {
      requireOwnPage(raw, found.session)
    } catch (error) {
      if (needsKey) throw error
      return undefined
    }
    request.session = found.session
    this.#sessions.hold(found.session, reply.raw)
    return this.#auth.withClient(found.actor, raw.headers)
  }

  #needsKey(access: FastifyContextConfig['access']): boolean {
    return access === 'docs' ? !this.#settings.security.publicDocs : access !== 'public'
  }

  /** Applies settings that have changed since the last request. */
  #useSettings() {
    const { settings } = this.#gateway
    if (settings === this.#settings) return
    this.#settings = settings
    this.#origins.use(settings.security)
    this.#gateway.keyring.use(settings.security.apiKeys)
    this.#auth.forget()
  }

  /** Identifies the caller whose key is not known at once; callers without a valid key are counted by their address. */
  async #identify(raw: IncomingMessage): Promise<Actor> {
    try {
      return await this.#auth.check(raw)
    } catch (error) {
      this.#limit(raw)
      throw error
    }
  }

  #limit({ socket }: IncomingMessage, who = socket.remoteAddress ?? '') {
    if (!isLoopback(socket.remoteAddress)) this.#limiter.take(who, this.#settings.limits.requestsPerSecond)
  }
}
