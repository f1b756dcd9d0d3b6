/** The HTTP server: a Fastify app whose routes are the operations of the registry (docs/design.md#operations). */
import type { AddressInfo, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from '../contract/logger.ts'
import type { Gateway } from '../gateway.ts'
import { makeApp, type RequestTimeouts } from './app.ts'
import { addBodyParsers } from './body-parsers.ts'
import { BrowserSessions, type SessionTimes } from './browser-sessions.ts'
import { compressAnswers } from './compression.ts'
import { RequestGuard } from './guard.ts'
import { addJobHub } from './job-hub.ts'
import { addOperationRoute } from './operation-routes.ts'
import { addPages } from './pages.ts'
import { addSessionRoutes } from './session-routes.ts'
import { Streams, type StreamTimes } from './sse.ts'
import { answerUnknownPaths } from './unknown-paths.ts'

/**
 * Adds routes of another protocol (MCP) behind the same checks: they need a key unless their `config.access` is
 * `public`, and `callerOf(request)` gives its owner. Errors that handlers throw are answered as problems. A handler
 * that takes the response over (`reply.hijack()`) begins with the headers in `reply.getHeaders()`.
 */
export type HttpAdapter = (app: FastifyInstance, gateway: Gateway) => Promise<void> | void

export interface ServerOptions extends RequestTimeouts {
  /** Default: the gateway's own log. */
  readonly logger?: Logger
  readonly adapters?: readonly HttpAdapter[]
  /** How long `close()` lets running requests continue, ms. Default 10 s. */
  readonly graceMs?: number
  readonly streams?: Partial<StreamTimes>
  readonly sessions?: Partial<SessionTimes>
}

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 9000; 0 takes a free one. */
  readonly port?: number
}

/** Makes the server; it does not listen yet. */
export async function createServer(gateway: Gateway, options: ServerOptions = {}): Promise<FastifyInstance> {
  const app = makeApp(gateway, options.logger ?? gateway.log, options)
  const sessions = new BrowserSessions(gateway.keyring, options.sessions)
  app.decorate('sessions', sessions)
  const guard = new RequestGuard(gateway, sessions)
  const streams = new Streams(options.streams)
  app.addHook('onRequest', (request, reply) => guard.check(request, reply))
  app.addHook('onListen', () => guard.bind(app.addresses().filter((a): a is AddressInfo => typeof a === 'object')))
  await addBodyParsers(app, gateway)
  await compressAnswers(app)
  answerUnknownPaths(app, gateway)
  for (const route of gateway.registry.routes) addOperationRoute(app, route, gateway, streams)
  addSessionRoutes(app, guard.auth, gateway.keyring, sessions)
  addPages(app, gateway)
  addJobHub(app, gateway)
  for (const addRoutes of options.adapters ?? []) await addRoutes(app, gateway)
  closeGracefully(app, streams, options.graceMs)
  await app.ready()
  return app
}

/**
 * Makes the server listen.
 *
 * @returns the address for clients, e.g. `http://127.0.0.1:9000`
 * @throws Error with an explanation when the port is taken or may not be used
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

/** What a connection without a request has at shutdown for one that is on its way, ms. */
const firstRequestMs = 100

/**
 * `close()`: no new connections, streams end, running requests finish within the grace period, then every connection is
 * cut. One that has asked nothing yet is not waited for: browsers and Node's `fetch` open some in advance, and to Node
 * they are not idle.
 */
function closeGracefully(app: FastifyInstance, streams: Streams, graceMs = 10_000) {
  const timers: NodeJS.Timeout[] = []
  const connections = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const cutUnused = () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', (done) => {
    streams.close()
    timers.push(setTimeout(cutUnused, firstRequestMs).unref())
    timers.push(setTimeout(() => app.server.closeAllConnections(), graceMs).unref())
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // The connection would otherwise stay open for the next request.
    if (timers.length > 0) reply.header('connection', 'close')
    done()
  })
  app.addHook('onClose', (_app, done) => {
    for (const timer of timers) clearTimeout(timer)
    done()
  })
}
