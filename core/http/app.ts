/**
 * Sets up Fastify and Node's server below it: limits, correlation ids, common headers, the request log, and errors of
 * every kind.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Logger } from '../contract/logger.ts'
import { problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { answerClientError, type ClientError, refuseConnect } from './client-errors.ts'
import { addEnvelope, withoutPrefix } from './envelope.ts'
import type {} from './fastify-types.ts'
import { maxUrlLength } from './guard.ts'
import { requestLogger, sendProblem } from './replies.ts'

export interface RequestTimeouts {
  /** Time for a request to arrive completely, ms. Default 300 s (200 MiB at 6 Mbit/s). */
  readonly requestTimeoutMs?: number
  /** Time for its headers to arrive, ms. Default 15 s. */
  readonly headersTimeoutMs?: number
  /** How often both limits are checked, ms. */
  readonly timeoutCheckMs?: number
}

/** Limit of request line and header fields together, bytes (Node's own default is 16 KiB). */
const maxHeaderBytes = 32 * 1024

/** Makes the app, without routes. */
export function makeApp(
  gateway: Gateway,
  log: Logger,
  { requestTimeoutMs = 300_000, headersTimeoutMs = 15_000, timeoutCheckMs = 2000 }: RequestTimeouts,
): FastifyInstance {
  const { version } = gateway
  const logRequest = requestLogger(log)
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.arrivedAt = performance.now()
    reply.header('gantry-version', version).header('x-correlation-id', request.id)
    reply.raw.once('close', () => logRequest(request, reply))
  }
  const app: FastifyInstance = fastify({
    logger: false,
    rewriteUrl: withoutPrefix,
    genReqId: ({ headers }) => correlationId(headers['x-correlation-id']) ?? gateway.newCorrelationId(),
    // The gateway checks inputs itself; without these Fastify loads its own validator at start (80 ms measured).
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // HEAD comes with each GET route; Fastify's own way would register every route twice.
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: requestTimeoutMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      // The check of the Host header answers a missing one with a problem body.
      requireHostHeader: false,
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
    clientErrorHandler: (error, socket) =>
      answerClientError(
        // Node adds `rawPacket` and `bytesParsed` (http, event 'clientError'); Fastify's type has not.
        error as unknown as ClientError,
        socket,
        { headerBytes: maxHeaderBytes, requestTimeoutMs },
        version,
      ),
    // Hooks do not run for these errors.
    frameworkErrors: (error, request, reply) => {
      begin(request as FastifyRequest, reply as FastifyReply)
      sendProblem(gateway, urlError(error), request as FastifyRequest, reply as FastifyReply)
    },
  })
  app.decorateRequest('actor', undefined)
  app.decorateRequest('session', undefined)
  app.decorateRequest('arrivedAt', 0)
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    done()
  })
  addEnvelope(app, gateway)
  app.setErrorHandler((error, request, reply) => sendProblem(gateway, error, request, reply))
  // RFC 9110, 10.1.1: a server MAY refuse an unknown expectation; here it is ignored.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    app.routing(request, response),
  )
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    refuseConnect(socket, version)
  })
  return app
}

/** The correlation id of the client, if it is fit for a header and a log line. */
function correlationId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[\w.:/+=-]{1,128}$/.test(given) ? given : undefined
}

/** In the place of the compilers of route schemas: no route has a schema. */
function noSchemas(): never {
  throw new Error('routes have no schemas of their own; the gateway validates')
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
