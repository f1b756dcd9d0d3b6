/**
 * The HTTP face: a fastify server whose routes are the operations of the registry (docs/design.md#operations,
 * docs/design.md#wire-conventions).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Actor } from '../context.ts'
import type { Gateway, Logger } from '../gateway.ts'
import { problem } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { Answers, pathOf } from './answers.ts'
import { Authenticator } from './auth.ts'
import { answerClientError, type ClientError, refuseConnect } from './client-errors.ts'
import type {} from './exchange.ts'
import { type JsonParser, parseJson, readBody } from './json-body.ts'
import { refusedEncoding, refusedType } from './media-types.ts'
import { addOperationRoute } from './operation-routes.ts'
import { OriginGuard } from './origin.ts'
import { isLoopback, RateLimiter } from './rate-limit.ts'
import type { RouteTable } from './route-table.ts'
import {
  type Answering,
  type Asked,
  isPlain,
  type OperationHandler,
  PlainReply,
  PlainRequest,
  Shortcuts,
} from './shortcuts.ts'
import { Streams, type StreamTimes } from './sse.ts'

/** What a face that adds its own routes (MCP) works with. */
export interface FaceTools {
  readonly gateway: Gateway
  /** The caller of a request. All routes need a key already, unless their `config.access` is `public`. */
  authenticate(request: FastifyRequest): Promise<Actor>
  /** Answers with an error as a problem, whatever was thrown. */
  sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): void
  /** Headers that every answer has; for answers written to `reply.raw`. */
  commonHeaders(request: FastifyRequest): Record<string, string>
  /** Takes a long-lived response in: heartbeat comments, and its end at shutdown. The signal fires when the client leaves. */
  addStream(response: ServerResponse): AbortSignal
}

/** Adds raw routes behind the same checks. */
export type Face = (app: FastifyInstance, tools: FaceTools) => Promise<void> | void

export interface ServerOptions {
  /** Default: the gateway's own log. */
  readonly logger?: Logger
  readonly faces?: readonly Face[]
  /** How long `close()` lets running requests finish, ms. Default 10 s. */
  readonly graceMs?: number
  /** A request must have arrived whole in this time, ms. Default 300 s (200 MiB at 6 Mbit/s). */
  readonly requestTimeoutMs?: number
  /** Its headers must have arrived in this time, ms. Default 15 s. */
  readonly headersTimeoutMs?: number
  /** How often both are looked at, ms. */
  readonly timeoutCheckMs?: number
  readonly streams?: Partial<StreamTimes>
}

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 9000; 0 takes a free one. */
  readonly port?: number
}

/** Longest path and query. Names of a project tree are far shorter; what is longer belongs into a body. */
const maxUrlLength = 8192
/** Request line and header fields together, bytes (Node's own default is 16 KiB). */
const maxHeaderBytes = 32 * 1024

/** Makes the server; it does not listen yet. */
export async function createServer(gateway: Gateway, options: ServerOptions = {}): Promise<FastifyInstance> {
  return new HttpFace(gateway, options).build()
}

/**
 * Makes the server listen.
 *
 * @returns the address clients use, e.g. `http://127.0.0.1:9000`
 * @throws Error that says so when the port is taken or may not be used
 */
export async function listen(
  app: FastifyInstance,
  { host = '127.0.0.1', port = 9000 }: ListenOptions = {},
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} of ${host} is taken by another program. Choose another one with --port or GANTRY_PORT.`,
        { cause: error },
      )
    }
    if (code === 'EACCES') throw new Error(`Port ${port} of ${host} may not be used by this user.`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Error(`This machine has no address "${host}"; see --host and GANTRY_HOST.`, { cause: error })
    }
    throw error
  }
}

/** What is known of any route: for 404 and 405. */
interface AnyRoute {
  readonly method: string
  readonly path: string
}

/** A route of the framework as we write them: `/a/:b` is `/a/{b}`. */
function anyRoutes(methods: string | readonly string[], url: string): AnyRoute[] {
  const path = url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest*}')
  return [methods].flat().map((method) => ({ method, path }))
}

/** Stands for the framework's compilers of route schemas: no route has one. */
function noSchemas(): never {
  throw new Error('routes have no schemas of their own; the gateway validates')
}

function noParser(): never {
  throw new Error('the JSON parser is not made yet')
}

class HttpFace {
  readonly #gateway: Gateway
  readonly #options: ServerOptions
  readonly #answers: Answers
  readonly #auth: Authenticator
  readonly #origins: OriginGuard
  readonly #limiter = new RateLimiter()
  readonly #streams: Streams
  readonly #shortcuts = new Shortcuts()
  #settings: Settings
  /** Routes of the faces and of the static pages. */
  readonly #otherRoutes: AnyRoute[] = []
  /** Parses JSON: that of the framework, once it is made. */
  #parseJson: JsonParser = noParser
  #routes: RouteTable<AnyRoute> | undefined

  constructor(gateway: Gateway, options: ServerOptions) {
    this.#gateway = gateway
    this.#options = options
    this.#answers = new Answers(gateway, options.logger ?? gateway.log)
    this.#auth = new Authenticator(gateway.keyring)
    this.#settings = gateway.settings
    this.#origins = new OriginGuard(this.#settings.security)
    this.#streams = new Streams(options.streams)
    gateway.keyring.use(this.#settings.security.apiKeys)
  }

  async build(): Promise<FastifyInstance> {
    const app = this.#makeApp()
    this.#addBodyParsers(app)
    app.decorateRequest('actor', undefined)
    app.decorateRequest('correlationId', '')
    app.decorateRequest('arrivedAt', 0)
    app.decorateRequest('allowOrigin', undefined)
    app.addHook('onRoute', (route) => {
      if (!route.config?.isOperation) this.#otherRoutes.push(...anyRoutes(route.method, route.url))
      const operation = route.config?.isOperation ? (route.handler as OperationHandler) : undefined
      const guard = this.#guard(route.config?.access === 'public', operation)
      route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
    })
    app.setErrorHandler((error, request, reply) => {
      this.#answers.sendProblem(request, reply, request.routeOptions.url ?? '', error)
    })
    app.setNotFoundHandler((request, reply) => this.#answerUnknown(request, reply))
    const tools = { gateway: this.#gateway, answers: this.#answers, streams: this.#streams }
    for (const route of this.#gateway.registry.routes) addOperationRoute(app, route, tools)
    for (const path of staticPaths) this.#addStaticRoute(app, path)
    for (const face of this.#options.faces ?? []) await face(app, this.#faceTools())
    app.addHook('onListen', () => {
      this.#origins.bind(app.addresses().filter((a): a is AddressInfo => typeof a === 'object'))
    })
    this.#closeGracefully(app)
    await app.ready()
    this.#takeShortcuts(app.server)
    return app
  }

  /** Lets plain requests of known paths go to their handlers, before the framework sees them. */
  #takeShortcuts(server: Server) {
    const [framework, ...others] = server.listeners('request') as ((raw: IncomingMessage, to: ServerResponse) => void)[]
    // Someone else listens too: who sees a request first is then none of our business.
    if (framework === undefined || others.length > 0) return
    server.removeListener('request', framework)
    server.on('request', (raw, response) => {
      if (!this.#shortcut(raw, response)) framework.call(server, raw, response)
    })
  }

  #shortcut(raw: IncomingMessage, response: ServerResponse): boolean {
    const routed = this.#shortcuts.find(raw)
    if (routed === undefined || !isPlain(raw) || !isLoopback(raw.socket.remoteAddress)) return false
    const request = new PlainRequest(raw, routed.route, routed.params)
    this.#arrive(request)
    try {
      this.#admit(request)
      request.actor = this.#auth.known(raw)
    } catch {
      // The framework's way comes to the same, and answers it.
      return false
    }
    if (request.actor === undefined) return false
    const reply = new PlainReply(response)
    try {
      this.#handle(routed.handler, request, reply)
    } catch (error) {
      this.#answers.sendProblem(request, reply, request.routeOptions.url ?? '', error)
    }
    return true
  }

  #makeApp(): FastifyInstance {
    const { requestTimeoutMs = 300_000, headersTimeoutMs = 15_000, timeoutCheckMs = 2000 } = this.#options
    const limits = { headerBytes: maxHeaderBytes, requestTimeoutMs }
    const { version } = this.#gateway
    const app: FastifyInstance = fastify({
      logger: false,
      // The gateway checks inputs itself; without these the framework loads its own validator at start (80 ms measured).
      schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
      // HEAD comes with each GET route; fastify's own way would register every route twice.
      exposeHeadRoutes: false,
      return503OnClosing: false,
      forceCloseConnections: 'idle',
      requestTimeout: requestTimeoutMs,
      http: {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: headersTimeoutMs,
        connectionsCheckingInterval: timeoutCheckMs,
        // A missing Host is refused with a problem body by our own check.
        requireHostHeader: false,
      },
      routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
      clientErrorHandler: (error, socket) =>
        answerClientError(error as unknown as ClientError, socket, limits, version),
      frameworkErrors: (error, request, reply) => {
        this.#arrive(request as FastifyRequest)
        this.#answers.sendProblem(request as FastifyRequest, reply as FastifyReply, '', urlError(error))
      },
    })
    // RFC 9110, 10.1.1: an expectation that is not known MAY be refused; it is simply not met.
    app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      app.server.emit('request', request, response),
    )
    app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => socket.destroy())
      refuseConnect(socket, version)
    })
    return app
  }

  #addBodyParsers(app: FastifyInstance) {
    const builtIn = app.getDefaultJsonParser('error', 'error')
    // fastify's parser takes a request that it does not use.
    this.#parseJson = (text, done) => void builtIn(undefined as never, text, done)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', (request, payload, done) => {
      if (request.is404) return done(null, undefined)
      this.#readJson(payload as IncomingMessage, done)
    })
    // The handler reads it: it knows which files the operation takes.
    app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null, undefined))
    app.addContentTypeParser('*', (request, _payload, done) => {
      if (request.is404 || request.raw.method === 'OPTIONS' || !hasBody(request.raw)) return done(null, undefined)
      done(refusedType(request.raw.headers), undefined)
    })
  }

  #readJson(raw: IncomingMessage, done: (error: Error | null, value?: unknown) => void) {
    const refused = refusedEncoding(raw.headers)
    if (refused) return done(refused)
    readBody(raw, this.#settings.limits.bodyBytes, 'limits.bodyBytes', (error, bytes) => {
      if (error) done(error)
      else parseJson(bytes, this.#parseJson, done)
    })
  }

  /** What every answer, also that of a refused request, is written with. */
  #arrive(request: Asked) {
    request.arrivedAt = performance.now()
    const given = request.raw.headers['x-correlation-id'] as string | undefined
    request.correlationId =
      given !== undefined && /^[\w.:/+=-]{1,128}$/.test(given) ? given : this.#gateway.newCorrelationId()
  }

  /** Settings changed since the last request take effect. */
  #useSettings() {
    const { settings } = this.#gateway
    if (settings === this.#settings) return
    this.#settings = settings
    this.#origins.use(settings.security)
    this.#gateway.keyring.use(settings.security.apiKeys)
    this.#auth.forget()
  }

  /**
   * The checks before a request is routed and its body read: address, origin, key, rate.
   * @param operation handler of an operation's route
   */
  #guard(isPublic: boolean, operation: OperationHandler | undefined) {
    return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
      this.#arrive(request)
      const { raw } = request
      try {
        this.#admit(request)
        const actor = this.#auth.known(raw)
        if (actor !== undefined) {
          request.actor = actor
          this.#limit(raw, actor.name)
          if (operation === undefined || !isPlain(raw)) return done()
          this.#shortcuts.learn(request, operation)
          this.#handle(operation, request, reply)
          return
        }
        if (isPublic) {
          this.#limit(raw, raw.socket.remoteAddress ?? '')
          return done()
        }
      } catch (error) {
        return this.#answers.sendProblem(request, reply, request.routeOptions.url ?? '', error)
      }
      this.#identify(request).then(
        () => done(),
        (error) => this.#answers.sendProblem(request, reply, request.routeOptions.url ?? '', error),
      )
    }
  }

  /** Plain calls of an operation go from here to its handler: the framework's way there costs 2 µs. */
  #handle(operation: OperationHandler, request: Asked, reply: Answering): void {
    const { raw } = request
    if (raw.method === 'GET') {
      operation(request, reply)
      return
    }
    reply.hijack()
    this.#readJson(raw, (error, value) => {
      try {
        if (error) throw error
        request.body = value
        operation(request, reply)
      } catch (failure) {
        this.#answers.sendProblem(request, reply, request.routeOptions.url ?? '', failure)
      }
    })
  }

  /** Address length, Host and Origin. */
  #admit(request: Asked) {
    this.#useSettings()
    const { url, headers } = request.raw
    request.allowOrigin = this.#origins.check(headers)
    if (url!.length > maxUrlLength) {
      throw problem(
        'uri_too_long',
        `The path and query have ${url!.length} characters; at most ${maxUrlLength} are read.`,
      )
    }
  }

  /** Asks the keyring in full; callers without a valid key are counted by their address. */
  async #identify(request: FastifyRequest) {
    const { raw } = request
    try {
      request.actor = await this.#auth.check(raw.headers)
    } catch (error) {
      this.#limit(raw, raw.socket.remoteAddress ?? '')
      throw error
    }
    this.#limit(raw, request.actor.name)
  }

  #limit(raw: IncomingMessage, who: string) {
    if (!isLoopback(raw.socket.remoteAddress)) this.#limiter.take(who, this.#settings.limits.requestsPerSecond)
  }

  /** Pages are made by a module that most processes never need. */
  #addStaticRoute(app: FastifyInstance, path: StaticPath) {
    app.route({
      method: ['GET', 'HEAD'],
      url: path,
      config: { access: 'public' },
      handler: (request, reply) => {
        reply.hijack()
        import('./static.ts')
          .then(({ answerStatic }) => answerStatic(path, request, reply, this.#gateway, this.#answers))
          .catch((error) => this.#answers.sendProblem(request, reply, path, error))
      },
    })
  }

  /** Paths and methods that no route takes: preflights, OPTIONS, 405 and 404. */
  async #answerUnknown(request: FastifyRequest, reply: FastifyReply) {
    reply.hijack()
    this.#arrive(request)
    try {
      this.#admit(request)
      const { method = 'GET', url } = request.raw
      const path = pathOf(url)
      if (method !== 'OPTIONS' && /^\/(api|mcp)(\/|$)/.test(path)) await this.#identify(request)
      const table = await this.#table()
      const allowed = url === '*' ? allMethods : table.methodsOf(path)
      if (method === 'OPTIONS') return this.#answerOptions(request, reply, allowed)
      // With the method allowed, the router has not taken the path as it is written: an empty segment.
      if (allowed.length === 0 || allowed.includes(method)) throw await table.unknown(method, path)
      const list = allowed.join(', ')
      const error = problem('method_not_allowed', `${method} ${path} is not possible; allowed: ${list}.`)
      this.#answers.sendProblem(request, reply, '', error, ['Allow', list])
    } catch (error) {
      this.#answers.sendProblem(request, reply, '', error)
    }
  }

  /** RFC 9110, 9.3.7; a preflight (Fetch standard, 4.8) comes without a key. */
  #answerOptions(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]) {
    const { headers } = request.raw
    if (allowed.length === 0 && headers.origin === undefined) {
      throw problem('route_not_found', `${pathOf(request.raw.url).slice(0, 200)} is not a path of this gateway.`)
    }
    const more = ['Allow', allowed.join(', '), 'Cache-Control', 'no-store']
    if (headers['access-control-request-method'] !== undefined) {
      more.push('Access-Control-Allow-Methods', (allowed.length > 0 ? allowed : allMethods).join(', '))
      more.push('Access-Control-Allow-Headers', corsHeaders, 'Access-Control-Max-Age', '600')
    }
    this.#answers.sendEmpty(request, reply, '', 204, more)
  }

  async #table(): Promise<RouteTable<AnyRoute>> {
    if (!this.#routes) {
      const { RouteTable: Table } = await import('./route-table.ts')
      this.#routes = new Table<AnyRoute>([...this.#gateway.registry.routes, ...this.#otherRoutes])
    }
    return this.#routes
  }

  #faceTools(): FaceTools {
    const answers = this.#answers
    return {
      gateway: this.#gateway,
      authenticate: async (request) => request.actor ?? this.#auth.check(request.raw.headers),
      sendProblem: (request, reply, error) =>
        answers.sendProblem(request, reply, request.routeOptions.url ?? '', error),
      commonHeaders: (request) => answers.commonHeaders(request),
      addStream: (response) => this.#streams.add(response),
    }
  }

  /** `close()`: no new connections, streams end, running requests finish within the grace, then every connection is cut. */
  #closeGracefully(app: FastifyInstance) {
    let timer: NodeJS.Timeout | undefined
    app.addHook('preClose', (done) => {
      this.#answers.closing = true
      this.#streams.close()
      const server: Server = app.server
      timer = setTimeout(() => server.closeAllConnections(), this.#options.graceMs ?? 10_000)
      timer.unref()
      done()
    })
    app.addHook('onClose', (_app, done) => {
      clearTimeout(timer)
      done()
    })
  }
}

const staticPaths = ['/', '/docs', '/docs/reference.js', '/openapi.json'] as const
/** Paths of the pages that are not operations. */
export type StaticPath = (typeof staticPaths)[number]

const allMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
const corsHeaders =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Mcp-Protocol-Version, Mcp-Session-Id, Prefer, X-API-Key, X-Client-Id, X-Correlation-Id'

/** RFC 9112, 6.3: a request has a body when one of these says so. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

function urlError(error: Error & { code?: string }) {
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return problem('uri_too_long', `A part of the path is longer than ${maxUrlLength} characters.`)
  }
  if (error.code === 'FST_ERR_BAD_URL') {
    return problem('malformed_request', 'The path is not valid: its percent-encoding is wrong (RFC 3986, 2.1).')
  }
  return error
}
