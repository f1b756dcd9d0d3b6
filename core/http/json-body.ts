/**
 * JSON bodies: read with the limit of the settings in force, checked for depth, encoding, poisoned and repeated names,
 * then parsed.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { GatewayError } from '../contract/problems.ts'
import { problem } from '../contract/problems.ts'

/**
 * Levels of nesting of arrays and objects. Inputs need five; code that walks an input recursively is safe far beyond
 * this.
 */
const maxDepth = 64

/** Parses JSON, refusing `__proto__` and `constructor.prototype` members (Fastify's parser). */
export type JsonParser = (text: string, done: (error: Error | null, value?: unknown) => void) => void

/**
 * Reads a whole body.
 *
 * @param limit bytes
 * @param setting name of the limit, for the error
 * @throws GatewayError `payload_too_large`, or `malformed_request` when the client stopped sending
 */
export function readBody(payload: IncomingMessage, limit: number, setting: string): Promise<Buffer> {
  const announced = payload.headers['content-length']
  if (announced !== undefined && Number(announced) > limit) return Promise.reject(tooLarge(limit, setting, announced))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else {
        // The rest is read and dropped, so that the client can read the reply.
        chunks.length = 0
        reject(tooLarge(limit, setting))
      }
    })
    payload.on('end', () => resolve(Buffer.concat(chunks)))
    payload.on('error', () => reject(problem('malformed_request', 'The connection ended before the body was whole.')))
  })
}

function tooLarge(limit: number, setting: string, announced?: string) {
  return problem(
    'payload_too_large',
    announced === undefined
      ? `The body has more than ${limit} bytes (${setting}).`
      : `The body has ${announced} bytes; at most ${limit} are taken (${setting}).`,
  )
}

/**
 * Parses a JSON body. An empty one is `undefined`: many clients send the content type with every request.
 *
 * @throws GatewayError `malformed_body` with line and column. A name that appears twice in one object too: parsers
 * disagree about which value counts (RFC 8259, 4), so neither may be dropped in silence
 */
export async function parseJson(bytes: Buffer, parse: JsonParser): Promise<unknown> {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw problem('malformed_body', 'The body is not UTF-8 (RFC 8259, 8.1).')
  const names = countNames(bytes)
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const text = bytes.toString('utf8', hasMark ? 3 : 0)
  const { error, value } = await new Promise<{ error: Error | null; value?: unknown }>((resolve) => {
    parse(text, (error, value) => resolve({ error, value }))
  })
  if (error !== null || countProperties(value) < names) throw await explain(text)
  return value
}

async function explain(text: string): Promise<GatewayError> {
  const { findJsonFault, findRepeatedName } = await import('../../lib/json-fault.ts')
  const fault = findJsonFault(text) ?? findRepeatedName(text)
  if (!fault) {
    return problem(
      'malformed_body',
      'The body has a property "__proto__" or "constructor.prototype", which is never taken.',
    )
  }
  const { line, column, position, message } = fault
  return problem('malformed_body', `Line ${line}, column ${column} (position ${position}): ${message}.`, {
    errors: [{ line, column, position, message }],
  })
}

/** The properties of a value and of all in it; fewer than its text has names when a later one has replaced another. */
function countProperties(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countProperties(item), 0)
  let count = 0
  for (const name in value) count += 1 + countProperties((value as Record<string, unknown>)[name])
  return count
}

/**
 * Counts the names of properties. Runs before the parser, so it also refuses what is too deep: 50 MB of `[` would
 * otherwise become gigabytes of arrays. Strings are skipped by their quotes.
 */
function countNames(bytes: Buffer): number {
  let depth = 0
  let names = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === 0x22) {
      i = endOfString(bytes, i)
      // Not JSON: the parser reports it.
      if (i < 0) return 0
    } else if (byte === 0x3a) names++
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) {
        throw problem(
          'malformed_body',
          `The body has more than ${maxDepth} arrays and objects inside each other (position ${i}).`,
        )
      }
    } else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return names
}

/** Index of the quote that ends the string beginning at `start`; -1 when there is none (the parser reports that). */
function endOfString(bytes: Buffer, start: number): number {
  let quote = start
  for (;;) {
    quote = bytes.indexOf(0x22, quote + 1)
    if (quote < 0) return -1
    let backslashes = 0
    while (bytes[quote - 1 - backslashes] === 0x5c) backslashes++
    if (backslashes % 2 === 0) return quote
  }
}
