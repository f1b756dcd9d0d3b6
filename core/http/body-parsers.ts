/** Which bodies are taken: `application/json` and `multipart/form-data`, UTF-8 (DESIGN 5). */
import type { IncomingHttpHeaders } from 'node:http'
import { type GatewayError, problem } from '../problems.ts'

const taken = 'send application/json or, for files, multipart/form-data'

/**
 * Checks the parameters that a JSON body's Content-Type can have, and its Content-Encoding.
 * @returns the error when the body cannot be read
 */
export function refusedEncoding(headers: IncomingHttpHeaders): GatewayError | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity' && encoding.trim() !== '') {
    return problem(
      'unsupported_media_type',
      `Content-Encoding "${encoding.slice(0, 50)}" is not taken; send the body as it is.`,
    )
  }
  const type = headers['content-type']
  // The plain type, which nearly every client sends, needs no look at its parameters.
  if (type === undefined || type.indexOf(';') < 0) return undefined
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    return problem(
      'unsupported_media_type',
      `Charset "${charset.slice(0, 50)}" is not taken; send UTF-8 (RFC 8259, 8.1).`,
    )
  }
  return undefined
}

/** The error for a body of a type that is not taken. */
export function refusedType(headers: IncomingHttpHeaders): GatewayError {
  const type = headers['content-type']
  return problem(
    'unsupported_media_type',
    type === undefined
      ? `The request has a body but no Content-Type; ${taken}.`
      : `Content-Type "${type.slice(0, 100)}" is not taken here; ${taken}.`,
  )
}
