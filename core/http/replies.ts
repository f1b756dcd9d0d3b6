/**
 * How answers are written. Bodies are ready strings and headers flat arrays given to `writeHead` at once: one write to the socket for
 * each answer (measured: a tenth faster than `reply.send`, which looks at every payload to find out what it is).
 */
import type { Gateway, Logger } from '../gateway.ts'
import { type GatewayError, isGatewayError, type Problem, problem } from '../problems.ts'
import type { BufferedLogger, RequestLog } from './logger.ts'
import { refusedType } from './media-types.ts'
import type { Answering, Asked } from './shortcuts.ts'

export const jsonType = 'application/json; charset=utf-8'
export const problemType = 'application/problem+json; charset=utf-8'

/** Further headers of one answer: name, value, name, value … */
export type HeaderList = readonly string[]

const noHeaders: HeaderList = []
/** Response headers that pages of allowed origins may read (Fetch standard, CORS-safelisted ones need no mention). */
const exposedHeaders =
  'Gantry-Version, X-Correlation-Id, X-Job-Id, Location, ETag, Retry-After, Preference-Applied, Allow'

/** Writes answers and one log line for each. */
export class Answers {
  readonly #gateway: Gateway
  readonly #log: Logger
  readonly #requestLog: RequestLog | undefined
  /** Once set, every answer ends its connection. */
  closing = false

  constructor(gateway: Gateway, log: Logger) {
    this.#gateway = gateway
    this.#log = log
    this.#requestLog = (log as Partial<BufferedLogger>).request
  }

  /**
   * Sends a whole answer and logs it.
   *
   * @param route the route's pattern, for the log
   */
  send(
    request: Asked,
    reply: Answering,
    route: string,
    status: number,
    type: string,
    body: string | Uint8Array,
    more: HeaderList = noHeaders,
  ) {
    const length = String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength)
    const headers = [
      'Content-Type',
      type,
      'Content-Length',
      length,
      'Gantry-Version',
      this.#gateway.version,
      'X-Correlation-Id',
      request.correlationId,
      ...more,
    ]
    this.#write(request, reply, route, status, headers, body)
  }

  /** Sends an answer without a body (204, 304). */
  sendEmpty(request: Asked, reply: Answering, route: string, status: number, more: HeaderList = noHeaders) {
    const headers = ['Gantry-Version', this.#gateway.version, 'X-Correlation-Id', request.correlationId, ...more]
    this.#write(request, reply, route, status, headers, undefined)
  }

  #write(
    request: Asked,
    reply: Answering,
    route: string,
    status: number,
    headers: string[],
    body: string | Uint8Array | undefined,
  ) {
    reply.hijack()
    const { raw } = reply
    // The client has left, or a stream has begun its own answer: there is nothing to say any more.
    if (raw.headersSent || raw.destroyed) return
    if (request.allowOrigin !== undefined) {
      headers.push('Access-Control-Allow-Origin', request.allowOrigin, 'Vary', 'Origin')
      headers.push('Access-Control-Expose-Headers', exposedHeaders)
    }
    if (this.closing) headers.push('Connection', 'close')
    raw.writeHead(status, headers)
    raw.end(body)
    this.log(request, route, status)
  }

  /** Sends an error as a problem (RFC 9457); `instance` is the request's path. */
  sendProblem(request: Asked, reply: Answering, route: string, error: unknown, more: HeaderList = noHeaders) {
    const failure = this.asProblem(error, request)
    const body = this.body(failure, pathOf(request.raw.url))
    const headers = [...more, 'Cache-Control', 'no-store']
    const { jobId, retryAfterSeconds } = failure.details.extra ?? {}
    if (typeof jobId === 'string') headers.push('X-Job-Id', jobId)
    // RFC 9110, 11.6.1: a 401 names the scheme.
    if (body.status === 401) headers.push('WWW-Authenticate', 'Bearer realm="gantry"')
    if (typeof retryAfterSeconds === 'number') headers.push('Retry-After', String(Math.ceil(retryAfterSeconds)))
    else if (body.status === 503) headers.push('Retry-After', '5')
    this.send(request, reply, route, body.status, problemType, JSON.stringify(body), headers)
  }

  /** The wire form of an error. */
  body(error: GatewayError, instance: string): Problem {
    return { ...this.#gateway.toProblem(error), instance }
  }

  /** Any error as one of the problem table. What nobody expected is logged with its stack and answered without it. */
  asProblem(error: unknown, request: Pick<Asked, 'correlationId' | 'headers'>): GatewayError {
    if (isGatewayError(error)) return error
    const { statusCode, code } = error as { statusCode?: unknown; code?: unknown }
    // Errors of the framework that are the client's: their messages speak of the request only.
    if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode < 500) {
      if (statusCode === 413) return problem('payload_too_large', (error as Error).message)
      if (statusCode === 415) return refusedType(request.headers)
      return problem('malformed_request', (error as Error).message)
    }
    return this.#gateway.asProblem(error, 'http', request.correlationId)
  }

  /** Headers that every answer has, for faces that write their own. */
  commonHeaders(request: Asked): Record<string, string> {
    return {
      'Gantry-Version': this.#gateway.version,
      'X-Correlation-Id': request.correlationId,
      ...(request.allowOrigin === undefined
        ? {}
        : {
            'Access-Control-Allow-Origin': request.allowOrigin,
            Vary: 'Origin',
            'Access-Control-Expose-Headers': exposedHeaders,
          }),
      ...(this.closing ? { Connection: 'close' } : {}),
    }
  }

  /** One line for each request. No body, no header and no query: they can hold secrets. */
  log(request: Asked, route: string, status: number) {
    const method = request.raw.method ?? ''
    const ms = Math.round((performance.now() - request.arrivedAt) * 100) / 100
    const { correlationId, actor } = request
    if (this.#requestLog) this.#requestLog(method, route, status, ms, correlationId, actor?.name)
    else this.#log.info({ method, route, status, ms, correlationId, actor: actor?.name }, 'request')
  }
}

/** The path of a request target, without the query. */
export function pathOf(url: string | undefined): string {
  if (url === undefined) return '/'
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
