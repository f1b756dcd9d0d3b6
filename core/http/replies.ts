/** Parts of every reply: common headers, one line in the log, and problems (RFC 9457) for errors. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { defined } from '../../lib/optional.ts'
import type { Logger } from '../contract/logger.ts'
import { type GatewayError, isGatewayError, type Problem, problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { refusedType } from './body-parsers.ts'
import type { BufferedLogger, RequestLog } from './logger.ts'
import { challengeOf } from './protected-resource.ts'

export const jsonType = 'application/json; charset=utf-8'
const problemType = 'application/problem+json; charset=utf-8'

/** Longest value of the header: clients and proxies accept 8 kB for all headers together. */
const maxWarnings = 4000

/**
 * The value of the header Gantry-Warnings: a JSON array of texts in ASCII. Of many, those that fit, and how many more
 * there are.
 */
export function warningsHeader(warnings: readonly string[]): string {
  const texts: string[] = []
  let size = 0
  for (const warning of warnings) {
    const text = asciiJson(warning)
    size += text.length + 1
    if (size > maxWarnings) break
    texts.push(text)
  }
  const left = warnings.length - texts.length
  if (left > 0) texts.push(`"and ${left} more: export it as a job, whose result has all warnings"`)
  return `[${texts.join(',')}]`
}

/** Header values are ASCII (RFC 9110, 5.5). */
function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Writes the log line of a request when its response has ended in any way. No body, header or query: they can contain
 * secrets.
 */
export function requestLogger(log: Logger): (request: FastifyRequest, reply: FastifyReply) => void {
  const write: RequestLog =
    (log as Partial<BufferedLogger>).request ??
    ((method, route, status, ms, correlationId, actor) =>
      log.info({ method, route, status, ms, correlationId, actor }, 'request'))
  return (request, reply) => {
    // The client disconnected before there was a reply.
    if (!reply.raw.headersSent) return
    const { config, url } = request.routeOptions
    const ms = Math.round((performance.now() - request.arrivedAt) * 100) / 100
    write(request.method, config.path ?? url ?? '', reply.statusCode, ms, request.id, request.actor?.name)
  }
}

/**
 * Sends an error as a problem: Fastify's error handler.
 *
 * @param written the form of the body where clients read another one than problems
 */
export function sendProblem(
  gateway: Gateway,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  written = (body: Problem) => ({ type: problemType, text: JSON.stringify(body) }),
) {
  const failure = asProblem(gateway, error, request)
  const { method, url } = request.raw
  const address = request.actor === undefined ? request.raw.socket.remoteAddress : undefined
  gateway.refused(failure, defined({ request: `${method} ${pathOf(url)}`, address }), request.actor)
  const body = problemBody(gateway, failure, request)
  // Fastify ends the connection after a body that it could not parse. Node reads the rest of the body, so the
  // connection can stay open for the next request.
  if (reply.hasHeader('connection')) reply.removeHeader('connection')
  reply.header('cache-control', 'no-store')
  const { jobId, retryAfterSeconds } = failure.details.extra ?? {}
  if (typeof jobId === 'string') reply.header('x-job-id', jobId)
  if (body.status === 401) reply.header('www-authenticate', challengeOf(gateway))
  if (typeof retryAfterSeconds === 'number') reply.header('retry-after', String(Math.ceil(retryAfterSeconds)))
  else if (body.status === 503) reply.header('retry-after', '5')
  const { type, text } = written(body)
  return reply.code(body.status).type(type).send(text)
}

/** The wire form of an error; `instance` is the request's path. `message` is for clients that do not know `detail`. */
export function problemBody(gateway: Gateway, error: GatewayError, { raw }: FastifyRequest): Problem {
  const { detail, ...rest } = gateway.toProblem(error)
  return { ...rest, detail, message: detail, instance: pathOf(raw.url) }
}

/**
 * Turns any error into one of the problem table. An unexpected one is logged with its stack and answered without it.
 */
export function asProblem(gateway: Gateway, error: unknown, request: FastifyRequest): GatewayError {
  if (isGatewayError(error)) return error
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown }
  // Errors of the framework that the client caused: their messages are only about the request.
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
    if (statusCode === 413) return problem('payload_too_large', (error as Error).message)
    if (statusCode === 415) return refusedType(request.headers)
    return problem('malformed_request', (error as Error).message)
  }
  return gateway.asProblem(error, `${request.method} ${request.url.split('?', 1)[0]}`, request.id)
}

/** Gives the response to code that writes to it without Fastify (a stream), with the headers set so far. */
export function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value!)
  return reply.raw
}

/** Sends the headers of an answer made of server-sent events; from here on its sender writes them. */
export function beginEvents(reply: FastifyReply): void {
  // Proxies must neither store nor buffer events.
  reply.headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
  takeOver(reply.type('text/event-stream; charset=utf-8')).flushHeaders()
}

/** The path of a request target, without the query. */
export function pathOf(url: string | undefined): string {
  if (url === undefined) return '/'
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
