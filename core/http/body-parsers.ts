/** The accepted bodies: `application/json` and `multipart/form-data`, UTF-8 (docs/design.md#wire-conventions). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type GatewayError, problem } from '../contract/problems.ts'
import type { Gateway } from '../gateway.ts'
import { parseJson, readBody } from './json-body.ts'

/**
 * Adds the parsers. The limit of a JSON body is that of the settings at the time of the request; routes that accept
 * forms read them.
 */
export async function addBodyParsers(app: FastifyInstance, gateway: Gateway): Promise<void> {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.is404) return undefined
    const refused = refusedEncoding(request.headers)
    if (refused) throw refused
    const body = await readBody(payload, gateway.settings.limits.bodyBytes, 'limits.bodyBytes')
    return parseJson(body, (text, done) => void parse(request, text, done))
  })
  await app.register(multipart)
  app.addContentTypeParser('*', (request, _payload, done) => {
    const isRefused = !request.is404 && request.method !== 'OPTIONS' && hasBody(request.headers)
    done(isRefused ? refusedType(request.headers) : null, undefined)
  })
}

/** RFC 9112, 6.3: a request has a body when one of these headers is present. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

const taken = 'send application/json or, for files, multipart/form-data'

/**
 * Checks the parameters of a JSON body's Content-Type, and its Content-Encoding.
 * @returns the error when the body cannot be read
 */
function refusedEncoding(headers: IncomingHttpHeaders): GatewayError | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity' && encoding.trim() !== '') {
    return problem(
      'unsupported_media_type',
      `Content-Encoding "${encoding.slice(0, 50)}" is not taken; send the body as it is.`,
    )
  }
  const type = headers['content-type']
  if (type === undefined) return undefined
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    return problem(
      'unsupported_media_type',
      `Charset "${charset.slice(0, 50)}" is not taken; send UTF-8 (RFC 8259, 8.1).`,
    )
  }
  return undefined
}

/** The error for a body of an unsupported type. */
export function refusedType(headers: IncomingHttpHeaders): GatewayError {
  const type = headers['content-type']
  return problem(
    'unsupported_media_type',
    type === undefined
      ? `The request has a body but no Content-Type; ${taken}.`
      : `Content-Type "${type.slice(0, 100)}" is not taken here; ${taken}.`,
  )
}
