/**
 * Requests that are not HTTP, or do not arrive completely: answered on the bare socket, with a problem body like every
 * other error.
 */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type CoreProblemCode, coreProblems } from '../contract/problems.ts'

/** What Node's HTTP parser and timers report (`clientError` event). */
export interface ClientError extends Error {
  readonly code: string
  readonly reason?: string
  readonly rawPacket?: Buffer | undefined
  readonly bytesParsed?: number
}

export interface ClientErrorLimits {
  readonly headerBytes: number
  readonly requestTimeoutMs: number
}

/** The problem for an error of the parser or of a timer. */
export function explainClientError(
  error: ClientError,
  limits: ClientErrorLimits,
): { code: CoreProblemCode; detail: string } {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return stillInRequestLine(error)
        ? { code: 'uri_too_long', detail: `The request line has more than ${limits.headerBytes} bytes.` }
        : { code: 'headers_too_large', detail: `The header fields have more than ${limits.headerBytes} bytes.` }
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { code: 'payload_too_large', detail: 'The chunk extensions of the body are too long.' }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 'request_timeout',
        detail: `The request did not arrive whole in time (at most ${limits.requestTimeoutMs / 1000} s).`,
      }
    default:
      // llhttp's reasons are fixed texts; they contain nothing of the request.
      return {
        code: 'malformed_request',
        detail: `The request is not valid HTTP/1.1${error.reason ? `: ${error.reason}` : ''}.`,
      }
  }
}

/** True when the overflow is in the request line: the last packet has no line end yet and was the first. */
function stillInRequestLine({ rawPacket }: ClientError): boolean {
  return rawPacket !== undefined && rawPacket.indexOf(0x0a) < 0
}

/** A complete HTTP/1.1 answer with a problem body, after which the connection ends. */
function rawProblem(code: CoreProblemCode, detail: string, version: string, more = ''): string {
  const { status, title } = coreProblems[code]
  const body = JSON.stringify({ type: `/api/errors/${code}`, title, status, detail, code })
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
    `Content-Type: application/problem+json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `Gantry-Version: ${version}\r\nDate: ${new Date().toUTCString()}\r\n${more}Connection: close\r\n\r\n${body}`
  )
}

/** Answers and ends the connection, so that the client can still read the answer. */
export function answerClientError(error: ClientError, socket: Socket, limits: ClientErrorLimits, version: string) {
  // The parser also reports every later packet of a client that has been answered.
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, detail } = explainClientError(error, limits)
  socket.end(rawProblem(code, detail, version))
  // A client that continues to send is disconnected after a while; an immediate destroy could discard the answer (RFC
  // 9112, 9.6).
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), 1000)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

/** Answers a CONNECT request: the gateway is not a proxy (RFC 9110, 9.3.6). */
export function refuseConnect(socket: Socket, version: string) {
  const detail = 'This gateway is no proxy: CONNECT is not possible.'
  socket.end(
    rawProblem('method_not_allowed', detail, version, 'Allow: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT\r\n'),
  )
}
